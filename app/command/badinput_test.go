package command

import (
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/dataset/files"
)

// Every kind of bad input ends with its exit code and an error that says what
// to do. No file is written.
func TestBadInput(t *testing.T) {
	folder := t.TempDir()
	good := moons(t, folder, 40)
	model := filepath.Join(folder, "good.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", good, "-o", model); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	plain := filepath.Join(folder, "plain.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", good, "-o", plain, "--proba", "off"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	oneClass := filepath.Join(folder, "one.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", file(t, folder, "inside.csv", "0,0,a\n0,1,a\n1,0,\n1,1,\n"), "-o", oneClass, "--one-class", "--neighbours", "2"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	spoilt := bytesOf(t, model)
	spoilt[len(spoilt)/2] ^= 1
	damaged := file(t, folder, "damaged.lapsvm", string(spoilt))
	short := file(t, folder, "short.lapsvm", string(bytesOf(t, model)[:500]))
	future := bytesOf(t, model)
	future[8] = 99
	later := file(t, folder, "later.lapsvm", string(future))
	gz := filepath.Join(folder, "points.csv.gz")
	d, err := files.ReadFile(good, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := files.WriteFile(t.Context(), gz, d, files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	cut := file(t, folder, "cut.csv.gz", string(bytesOf(t, gz)[:200]))
	in := func(name, content string) string { return file(t, folder, name, content) }

	for _, c := range []struct {
		name string
		args []string // of train, unless the first is a command
		code int
		want string // in the error
	}{
		{"missing file", []string{folder + "/absent.csv"}, cli.ExitData, "no such"},
		{"a folder", []string{folder}, cli.ExitData, "holds no images"},
		{"unknown format", []string{in("points.xyz", "1")}, cli.ExitUsage, "--format"},
		{"empty file", []string{in("empty.csv", "")}, cli.ExitData, "empty"},
		{"header alone", []string{in("header.csv", "a,b,label\n")}, cli.ExitData, "no rows"},
		{"one class only", []string{in("one.csv", "1,2,a\n2,3,a\n3,4,\n4,5,\n")}, cli.ExitData, "label a point of another class"},
		{"no labels at all", []string{in("none.csv", "1,2,\n2,3,?\n3,4,NA\n4,5,nan\n")}, cli.ExitData, "no point is labelled"},
		{"no feature left", []string{in("nan.csv", "1,nan,a\n1,?,b\n")}, cli.ExitData, "nan.csv: every column is left out"},
		{"too many words", []string{in("words.csv", "1,u,a\n2,v,b\n")}, cli.ExitData, "words.csv:1:2"},
		{"infinite feature", []string{in("inf.csv", "1,2,a\ninf,3,b\n")}, cli.ExitData, "inf.csv:2:1"},
		{"ragged rows", []string{in("ragged.csv", "1,2,a\n2,3,4,b\n")}, cli.ExitData, "ragged.csv:2"},
		{"descending indices", []string{in("down.svm", "1 2:1 1:1\n")}, cli.ExitData, "down.svm:1"},
		{"index 0", []string{in("zero.svm", "1 0:1\n")}, cli.ExitData, "zero.svm:1"},
		{"huge index", []string{in("huge.svm", "1 99999999999:1\n")}, cli.ExitData, "huge.svm:1"},
		{"label column absent", []string{good, "--label", "colour"}, cli.ExitData, "colour"},
		{"non-numeric feature", []string{in("word.csv", "y,label\ntall,a\n3,b\n")}, cli.ExitData, "word.csv:2:1"},
		{"decimal commas", []string{in("comma.csv", "x,y,label\n\"1,5\",2,a\n2,3,b\n")}, cli.ExitData, "comma.csv:2:1"},
		{"huge values", []string{in("wide.csv", "x,y,label\n-8e307,1,a\n8e307,2,b\n1e307,3,\n-2e307,5,\n")}, cli.ExitData, "multiply the column"},
		{"huge values as they are", []string{folder + "/wide.csv", "--standardise", "none"}, cli.ExitData, "rescale the column"},
		{"tiny values", []string{in("tiny.csv", "x,y,label\n0,0,a\n5e-324,1e-323,b\n1e-323,0,\n0,5e-324,\n"), "--standardise", "minmax"}, cli.ExitData, "multiply the column"},
		{"unknown class", []string{good, "--select", "0,7"}, cli.ExitData, `"7"`},
		{"truncated gzip", []string{cut}, cli.ExitData, "cut"},
		{"too many neighbours", []string{good, "--neighbours", "40"}, cli.ExitUsage, "at most 39"},
		{"neighbours 0", []string{good, "--neighbours", "0"}, cli.ExitUsage, "no edges are given"},
		{"edge weight alone", []string{good, "--edge-weight", "2"}, cli.ExitUsage, "there are none: give them"},
		{"gamma-a 0", []string{good, "--gamma-a", "0"}, cli.ExitUsage, "must be positive"},
		{"gamma-a NaN", []string{good, "--gamma-a", "nan"}, cli.ExitUsage, "must be positive"},
		{"gamma-i negative", []string{good, "--gamma-i=-1"}, cli.ExitUsage, "must not be negative"},
		{"sigma 0", []string{good, "--sigma", "0"}, cli.ExitUsage, "must be positive"},
		{"sigma negative", []string{good, "--sigma", "-1"}, cli.ExitUsage, "must be positive"},
		{"degree 0", []string{good, "--kernel", "poly", "--degree", "0"}, cli.ExitUsage, "degree of at least 1"},
		{"not a number", []string{good, "--gamma-a", "much"}, cli.ExitUsage, "--gamma-a takes a number or auto"},
		{"unknown kernel", []string{good, "--kernel", "rbf"}, cli.ExitUsage, "gaussian, poly, linear, laplacian, precomputed or distances"},
		{"unknown solver", []string{good, "--solver", "magic"}, cli.ExitUsage, "pcg"},
		{"unknown loss", []string{good, "--loss", "log"}, cli.ExitUsage, "squared-hinge"},
		{"hinge without the dual", []string{good, "--loss", "hinge", "--solver", "pcg"}, cli.ExitUsage, "choose the loss from"},
		{"dual without the hinge", []string{good, "--loss", "squared", "--solver", "dual"}, cli.ExitUsage, "choose the loss from"},
		{"unknown stop", []string{good, "--stop", "soon"}, cli.ExitUsage, "stability"},
		{"unknown metric", []string{good, "--metric", "l1"}, cli.ExitUsage, "euclidean, cosine, kernel, distances or self-tuning"},
		{"unknown flag", []string{good, "--neighbour", "3"}, cli.ExitUsage, "did you mean --neighbours"},
		{"validation without a file", []string{good, "--stop", "validation"}, cli.ExitUsage, "validation points"},
		{"validation file absent", []string{good, "--stop", "validation", "--validation", folder + "/absent.csv"}, cli.ExitData, "no such"},
		{"too little memory", []string{good, "--memory", "7KB"}, cli.ExitUsage, "allow more memory"},
		{"too little memory to read", []string{good, "--memory", "1KB"}, cli.ExitData, "reading takes more than the 1 KB of memory that may be used"},
		{"memory without a number", []string{good, "--memory", "lots"}, cli.ExitUsage, "8GB"},
		{"precision", []string{good, "--precision", "16"}, cli.ExitUsage, "32 or 64"},
		{"standardise sparse", []string{in("sparse.svm", "1 1:1\n2 99:1\n"), "--standardise", "zscore"}, cli.ExitUsage, "unit-norm"},
		{"folder for the model absent", []string{good, "-o", folder + "/absent/m"}, cli.ExitUsage, "no folder"},
		{"one-class bias", []string{in("single.csv", "1,2,a\n2,3,a\n3,4,\n4,5,\n"), "--one-class", "--bias", "off"}, cli.ExitUsage, "one class needs a bias"},
		{"proba", []string{good, "--proba", "yes"}, cli.ExitUsage, "on or off"},
		{"unknown prior", []string{good, "--prior", "equal"}, cli.ExitUsage, "balanced, labelled"},
		{"prior and shares", []string{good, "--prior", "balanced,0=1"}, cli.ExitUsage, `"balanced"`},
		{"share no number", []string{good, "--prior", "0=half,1=0.5"}, cli.ExitUsage, "0=half"},
		{"share twice", []string{good, "--prior", "0=0.5,0=0.5"}, cli.ExitUsage, "twice"},
		{"shares sum", []string{good, "--prior", "0=0.5,1=0.6"}, cli.ExitUsage, "must sum to 1"},
		{"shares of unknown class", []string{good, "--prior", "0=0.5,2=0.5"}, cli.ExitUsage, "classes are 0, 1"},
		{"class without share", []string{good, "--prior", "0=1"}, cli.ExitUsage, "every class"},
		{"share 0", []string{good, "--prior", "0=0,1=1"}, cli.ExitUsage, "above 0"},
		{"prior of a supervised machine", []string{good, "--prior", "balanced", "--gamma-i", "0"}, cli.ExitUsage, "gamma-i above 0"},
		{"probabilities without calibration", []string{"predict", plain, good, "--proba"}, cli.ExitData, "--proba on"},
		{"probabilities of one class", []string{"predict", oneClass, good, "--proba"}, cli.ExitData, "one-class"},
		{"no DATA", []string{"train"}, cli.ExitUsage, "DATA is missing"},
		{"no output", []string{"train", good}, cli.ExitUsage, "-o MODEL"},
		{"damaged model", []string{"predict", damaged, good}, cli.ExitData, "damaged"},
		{"short model", []string{"predict", short, good}, cli.ExitData, "cut short"},
		{"model of a later version", []string{"info", later}, cli.ExitData, "newer lapsvm"},
		{"not a model", []string{"info", good}, cli.ExitData, "not a lapsvm model"},
		{"model absent", []string{"info", folder + "/absent"}, cli.ExitData, "no such"},
		{"model of another dimension", []string{"predict", model, in("wide.svm", "0 1:1 7:1\n")}, cli.ExitData, "7"},
		{"labels not given", []string{"evaluate", good}, cli.ExitUsage, "--labelled N"},
		{"labels fewer than classes", []string{"evaluate", good, "--labelled", "1"}, cli.ExitUsage, "at least one of each"},
		{"labels more than there are", []string{"evaluate", good, "--labelled", "100"}, cli.ExitUsage, "are asked of 8"},
		{"labels all kept", []string{"evaluate", good, "--labelled", "8"}, cli.ExitUsage, "none is left"},
		{"test twice", []string{"evaluate", good, "--labelled", "2", "--test", good, "--test-fraction", "0.5"}, cli.ExitUsage, "not both"},
		{"standard input without a format", []string{"graph", "-"}, cli.ExitUsage, "--format"},
		{"unknown command", []string{"trian"}, cli.ExitUsage, "did you mean train"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := filepath.Join(t.TempDir(), "m")
			args := c.args
			switch args[0] {
			case "train", "predict", "evaluate", "graph", "info", "trian":
			default:
				args = append([]string{"train", "-o", target}, args...)
			}
			code, stdout, stderr := lapsvmRun(t, t.Context(), "", args...)
			t.Logf("%d  %s", code, strings.TrimSpace(stderr))
			if code != c.code || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "goroutine") {
				t.Errorf("exit code %d, want %d, with %q in: %s", code, c.code, c.want, stderr)
			}
			if stdout != "" {
				t.Errorf("a result was printed: %s", stdout)
			}
			if left, _ := filepath.Glob(filepath.Dir(target) + "/*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
