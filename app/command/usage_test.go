package command

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
)

// A wrong command line ends with its exit code and one line. The line names the
// flag or argument as it is typed, the accepted values, and the nearest known
// name.
func TestWrongUse(t *testing.T) {
	folder := t.TempDir()
	data := moons(t, folder, 40)
	model := filepath.Join(folder, "model.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	config := file(t, folder, "bad.toml", "kernel = \"gausian\"\n")
	unknown := file(t, folder, "unknown.toml", "nieghbours = 3\n")
	number := file(t, folder, "number.toml", "degree = \"high\"\n")
	solver := file(t, folder, "solver.toml", "solver = \"pcg\"\n")
	open := file(t, folder, "open.json", `{"kernel": "gaussian", "bias": "on"}`)
	train := func(args ...string) []string {
		return append([]string{"train", data, "-o", filepath.Join(folder, "m")}, args...)
	}
	for _, c := range []struct {
		args []string
		want string // the whole line, after "lapsvm: "
		code int
	}{
		{[]string{"trian"}, `there is no command "trian", did you mean train; see lapsvm help`, cli.ExitUsage},
		{[]string{"help", "predct"}, `there is no command "predct", did you mean predict; see lapsvm help`, cli.ExitUsage},
		{[]string{"help", "frobnicate", "it"}, `there is no command "frobnicate"; see lapsvm help`, cli.ExitUsage},
		{[]string{"predict", data, model}, data + " is no model, but " + model + " is one, and comes first: lapsvm predict " + model + " " + data, cli.ExitUsage},
		{[]string{"predict", model, model}, model + " is a model, where a data set is expected; apply it to one with lapsvm predict " + model + " DATA", cli.ExitUsage},
		{[]string{"graph", model}, model + " is a model, where a data set is expected; apply it to one with lapsvm predict " + model + " DATA", cli.ExitUsage},
		{[]string{"evaluate", data}, `say how many labels to keep, with --labelled N or with --per-class N of every class, not both`, cli.ExitUsage},
		{[]string{"evaluate", data, "--labelled", "4", "--per-class", "2"}, `say how many labels to keep, with --labelled N or with --per-class N of every class, not both`, cli.ExitUsage},
		{[]string{"frobnicate"}, `there is no command "frobnicate"; see lapsvm help`, cli.ExitUsage},
		{train("--nieghbors", "3"), `there is no flag --nieghbors, did you mean --neighbours; see lapsvm train --help`, cli.ExitUsage},
		{train("--gama-a", "3"), `there is no flag --gama-a, did you mean --gamma-a; see lapsvm train --help`, cli.ExitUsage},
		{train("--standardse", "zscore"), `there is no flag --standardse, did you mean --standardise; see lapsvm train --help`, cli.ExitUsage},
		{train("--colour-of-the-sky"), `there is no flag --colour-of-the-sky; see lapsvm train --help`, cli.ExitUsage},
		{train("--target", "label"), `there is no flag --target; take --label; see lapsvm train --help`, cli.ExitUsage},
		{train("--C", "1"), `there is no flag --C; --gamma-a takes 1/(2C); see lapsvm train --help`, cli.ExitUsage},
		{train("--cv", "5"), `there is no flag --cv; labels are held out without a flag, to choose what is open; lapsvm evaluate counts errors; see lapsvm train --help`, cli.ExitUsage},
		{train("--threshold", "0.5"), `there is no flag --threshold; lapsvm predict --proba writes the probabilities to compare with it; see lapsvm train --help`, cli.ExitUsage},
		{train("--port", "80"), `there is no flag --port; lapsvm serve and lapsvm label take --address HOST:PORT; see lapsvm train --help`, cli.ExitUsage},
		{[]string{"serve", model, "--port", "80"}, `there is no flag --port; give --address HOST:PORT; see lapsvm serve --help`, cli.ExitUsage},
		{train("--max_iter", "9"), `there is no flag --max_iter, did you mean --max-iter; see lapsvm train --help`, cli.ExitUsage},
		{train("--explain", "3"), `there is no flag --explain, which is one of lapsvm predict; see lapsvm train --help`, cli.ExitUsage},
		{[]string{"train", "nosuch.csv"}, `nosuch.csv: there is no such file; check the name and the folder`, cli.ExitData},
		{[]string{"suggest", data, "--model", "nosuch.lapsvm"}, `nosuch.lapsvm: there is no such model file (file does not exist)`, cli.ExitData},
		{[]string{"train", data}, "say where the model goes: lapsvm train " + data + " -o MODEL", cli.ExitUsage},
		{train("--label", "lable"), data + `:1: no column is called "lable", did you mean "label"; choose the label column with --label among x1, x2, label`, cli.ExitData},
		{[]string{"export", model, "-o", "m.onnx"}, `there is no flag -o; give OUT as the last argument, without a flag; see lapsvm export --help`, cli.ExitUsage},
		{[]string{"encode", model, data, "--output", "x.npz"}, `there is no flag --output; give OUT as the last argument, without a flag; see lapsvm encode --help`, cli.ExitUsage},
		{[]string{"graph", data, "-o", "x.csv"}, `there is no flag -o; see lapsvm graph --help`, cli.ExitUsage},
		{train("-z"), `there is no flag -z; see lapsvm train --help`, cli.ExitUsage},
		{train("--sigma"), `--sigma needs a value; see lapsvm train --help`, cli.ExitUsage},
		{[]string{"train", data, "-o"}, `--output needs a value; see lapsvm train --help`, cli.ExitUsage},
		{train("--sigma", "wide"), `--sigma takes a number or auto, not "wide"`, cli.ExitUsage},
		{train("--neighbours", "2.5"), `--neighbours takes a whole number or auto, not "2.5"`, cli.ExitUsage},
		{train("--degree", "high"), `--degree takes a whole number, not "high"`, cli.ExitUsage},
		{train("--tolerance", "small"), `--tolerance takes a number, not "small"`, cli.ExitUsage},
		{train("--seed=-1"), `--seed takes a whole number from 0 on, not "-1"`, cli.ExitUsage},
		{train("--one-class=perhaps"), `--one-class takes true or false, not "perhaps"`, cli.ExitUsage},
		{train("--kernel", "gausian"), `--kernel takes gaussian, poly, linear, laplacian, precomputed or distances, not "gausian", did you mean gaussian`, cli.ExitUsage},
		{train("--kernel", "rbf"), `--kernel takes gaussian, poly, linear, laplacian, precomputed or distances, not "rbf", which is gaussian here`, cli.ExitUsage},
		{train("--kernel", "rbff"), `--kernel takes gaussian, poly, linear, laplacian, precomputed or distances, not "rbff", did you mean gaussian`, cli.ExitUsage},
		{train("--kernel", "polynomial"), `--kernel takes gaussian, poly, linear, laplacian, precomputed or distances, not "polynomial", which is poly here`, cli.ExitUsage},
		{train("--weights", "haet"), `--weights takes heat, binary or distance, not "haet", did you mean heat`, cli.ExitUsage},
		{train("--bias", "of"), `--bias takes on, outside or off, not "of", did you mean off`, cli.ExitUsage},
		{train("--progress", "fancy"), `--progress takes auto, plain or off, not "fancy"`, cli.ExitUsage},
		{train("--config", config), "config file " + config + `: kernel takes gaussian, poly, linear, laplacian, precomputed or distances, not "gausian", did you mean gaussian`, cli.ExitData},
		{train("--config", unknown), "config file " + unknown + `: there is no flag "nieghbours" here, did you mean --neighbours; see --help`, cli.ExitData},
		{train("--config", number), "config file " + number + `: degree takes a whole number, not "high"`, cli.ExitData},
		{[]string{"tune", data, "--grid-a", "1,b"}, `--grid-a takes numbers, separated by commas, not "1,b"`, cli.ExitUsage},
		{[]string{"predict", data}, `DATA is missing; the use is lapsvm predict MODEL DATA... [-o OUT] [flags]`, cli.ExitUsage},
		{[]string{"info", data, data}, `"` + data + `" is one argument too many; the use is lapsvm info MODEL [flags]`, cli.ExitUsage},
		{[]string{"convert", data, "-", "--to", "xls"}, `--to takes csv, tsv, svm, libsvm, npy, npz, mat, json, jsonl, parquet, arrow or idx, not "xls"`, cli.ExitUsage},
		{[]string{"export", "m", "out", "--format", "onxx"}, `--format takes onnx, libsvm, json or lapsvm, not "onxx", did you mean onnx`, cli.ExitUsage},
		{[]string{"tune", data, "--grid-a", "1,1,2"}, `the grid has the weight 1 twice: leave one of them out`, cli.ExitUsage},
		{[]string{"tune", data, "--grid-i", "0.1,1,1e-1"}, `the grid has the weight 0.1 twice: leave one of them out`, cli.ExitUsage},
		{[]string{"tune", data, "--solver", "pcg"}, `--solver does not change what tune computes: leave it out here, and add it to the lapsvm train command that tune ends with`, cli.ExitUsage},
		{[]string{"tune", data, "--config", solver}, "config file " + solver + `: --solver does not change what tune computes: leave it out here, and add it to the lapsvm train command that tune ends with`, cli.ExitData},
		{[]string{"tune", data, "--grid", "1"}, `there is no flag --grid, did you mean --grid-a; see lapsvm tune --help`, cli.ExitUsage},
		{train("--check-evry", "3"), `there is no flag --check-evry, did you mean --check-every; see lapsvm train --help`, cli.ExitUsage},
		{train("--recipe", model, "--sigma", "1", "--proba=off"), `--recipe already sets what --sigma, --proba would set: leave one or the other out`, cli.ExitUsage},
		{train("--recipe", model, "--config", solver), `--recipe already sets what --solver would set: leave one or the other out`, cli.ExitUsage},
		{train("--recipe", config), config + `: this is not a lapsvm model file; train one with lapsvm train; what lapsvm info --json prints of a model is taken too`, cli.ExitData},
		{train("--recipe", open), "the recipe in " + open + ` leaves parameters open: take a model, or what lapsvm info --json prints of one`, cli.ExitData},
		{[]string{"completion", "fsh"}, `there is no command "fsh", did you mean fish; see lapsvm help completion`, cli.ExitUsage},
		{[]string{"completion", "bash", "zsh"}, `"zsh" is one argument too many; the use is lapsvm completion bash`, cli.ExitUsage},
		{[]string{"demo", "--sed", "1"}, `there is no flag --sed, did you mean --seed; see lapsvm demo --help`, cli.ExitUsage},
		{[]string{"bench", "--quik"}, `there is no flag --quik, did you mean --quick; see lapsvm bench --help`, cli.ExitUsage},
		{[]string{"paper", "--repeats", "3"}, `paper is a command of lapsvm-lab now: run lapsvm-lab paper, which go install ./cmd/lapsvm-lab builds`, cli.ExitUsage},
	} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", c.args...)
		if want := "lapsvm: " + c.want + "\n"; stderr != want || code != c.code || stdout != "" {
			t.Errorf("lapsvm %s: code %d, want %d, and\n%swant\n%s", strings.Join(c.args, " "), code, c.code, stderr, want)
		}
	}
}

// The help of a flag lists its accepted words. The same flag may accept other
// words in another command.
func TestChoicesAreInTheHelp(t *testing.T) {
	choices := 0
	for _, c := range root(&cli.Program{}).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			v, is := f.Value.(interface {
				pflag.Value
				Choices() []string
			})
			if !is || v.Choices() == nil {
				return
			}
			choices++
			for _, word := range v.Choices() {
				if word != "libsvm" && word != f.DefValue && !strings.Contains(f.Usage, word) { // libsvm is another name of svm
					t.Errorf("%s --%s takes %s, but its help says: %s", c.Name(), f.Name, word, f.Usage)
				}
				if err := v.Set(word); err != nil || v.String() != word {
					t.Errorf("%s --%s: %v", c.Name(), f.Name, err)
				}
			}
			if f.Name != "class-weight" && v.Set("nothing of the kind") == nil { // which takes a file
				t.Errorf("%s --%s takes anything", c.Name(), f.Name)
			}
		})
	}
	if choices < 50 {
		t.Errorf("only %d choices were examined", choices)
	}
}

// The help of a command is the same by help and by --help.
func TestHelp(t *testing.T) {
	for _, name := range []string{"", "predict", "completion", "help"} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", append([]string{"help"}, strings.Fields(name)...)...)
		_, want, _ := lapsvmRun(t, t.Context(), "", append(strings.Fields(name), "--help")...)
		if code != cli.ExitDone || stderr != "" || stdout != want || !strings.Contains(stdout, "Usage:") {
			t.Errorf("help %s: code %d, %s%s", name, code, stderr, stdout)
		}
	}
}

// Help has every command in a group, and --help-all every flag once: the own ones
// first, the others under the headings of their kind.
func TestHelpHasHeadings(t *testing.T) {
	root := root(new(cli.Program))
	if !root.AllChildCommandsHaveGroup() {
		t.Error("a command has no group")
	}
	for _, c := range root.Commands() {
		_, stdout, _ := lapsvmRun(t, t.Context(), "", c.Name(), "--help-all")
		c.Flags().VisitAll(func(f *pflag.Flag) {
			listed := regexp.MustCompile("(?m)^  (-., |    )--"+f.Name+" ").FindAllString(stdout, -1)
			if want := map[bool]int{false: 1, true: 0}[f.Hidden]; len(listed) != want {
				t.Errorf("%s --%s, hidden %v, is there %d times", c.Name(), f.Name, f.Hidden, len(listed))
			}
		})
	}
	for _, c := range []struct{ command, want string }{
		{"", "Usage: Learn: train Use: predict Look: info Tools: convert help Flags: --version"},
		{"train", "Usage: Examples: Flags: --output --help Reading: --label --ignore kernel: --sigma Graph: --neighbours Objective: --gamma-a Solver: --stop Output: --json"},
		{"evaluate", "Flags: --labelled --test Reading: --label"},
		{"graph", "Flags: --help Reading: --id kernel: --standardise Graph: --metric Solver: --threads Output:"},
	} {
		_, stdout, _ := lapsvmRun(t, t.Context(), "", append(strings.Fields(c.command), "--help-all")...)
		words := strings.Fields(stdout)
		for _, word := range strings.Fields(c.want) {
			at := slices.Index(words, word)
			if at < 0 {
				t.Errorf("the help of %q has no %s where it belongs", c.command, word)
				break
			}
			words = words[at:]
		}
	}
}

var flagLine = regexp.MustCompile(`(?m)^  (?:-., |    )--([a-z0-9-]+)`)

// --help shows few flags, and all of them for commands with few; its last line
// gives the number of the others.
func TestHelpForBeginners(t *testing.T) {
	for _, c := range root(&cli.Program{}).Commands() {
		_, few, _ := lapsvmRun(t, t.Context(), "", c.Name(), "--help")
		code, all, stderr := lapsvmRun(t, t.Context(), "", c.Name(), "--help-all")
		shown, known := flagLine.FindAllStringSubmatch(few, -1), flagLine.FindAllStringSubmatch(all, -1)
		more := fmt.Sprintf("lapsvm %s --help-all shows %d more flags.", c.Name(), len(known)-len(shown))
		if code != cli.ExitDone || stderr != "" || len(shown) > 12 || strings.Contains(few, more) != (len(known) > len(shown)) || strings.Contains(all, "more flags") {
			t.Errorf("%s: code %d, %d of %d flags, %s%s", c.Name(), code, len(shown), len(known), stderr, few)
		}
		for _, name := range shown {
			if c.Name() != "export" && slices.Contains([]string{"stop", "check-every", "tolerance", "precision", "heat", "coef0", "max-iter"}, name[1]) {
				t.Errorf("%s shows --%s to beginners", c.Name(), name[1])
			}
		}
	}
}

// Completion offers the values of flags and the ends of files.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args string // the last word is being typed
		want string // what is offered, and the directive
	}{
		{"train --kernel |", "gaussian poly linear laplacian precomputed distances :4"},
		{"train --solver |", "auto pcg newton deformed dual landmarks :4"},
		{"graph --metric |", "auto euclidean cosine kernel distances self-tuning :4"},
		{"export m.lapsvm --format |", "onnx libsvm json lapsvm :4"},
		{"train --config |", "toml :8"},
		{"train --output |", "lapsvm :8"},
		{"predict |", "lapsvm :8"},
		{"info m.lapsvm |", ":4"},
		{"serve a.lapsvm b.lapsvm |", "lapsvm :8"},
		{"train points.csv -o m.lapsvm more.csv |", ":4"},
		{"export m.lapsvm |", ":8"},
		{"man |", ":16"},
		{"help pre|", "predict :4"},
		{"completion |", "bash fish powershell zsh :4"},
		{"train --recipe |", "lapsvm json :8"},
		{"demo --keep |", ":16"},
		{"tune --met|", "--metric :4"},
		{"tune --help-|", "--help-all :4"},
		{"train --stand|", "--standardise :4"},
	} {
		typed := strings.TrimSuffix(c.args, "|")
		args := append([]string{"__completeNoDesc"}, strings.Fields(typed)...)
		if strings.HasSuffix(typed, " ") {
			args = append(args, "")
		}
		code, stdout, _ := lapsvmRun(t, t.Context(), "", args...)
		got := strings.Join(strings.Fields(stdout), " ")
		if code != cli.ExitDone || got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
	_, stdout, _ := lapsvmRun(t, t.Context(), "", "__completeNoDesc", "predict", "m.lapsvm", "")
	if !strings.Contains(stdout, "csv\n") || !strings.HasSuffix(strings.TrimSpace(stdout), ":8") {
		t.Errorf("DATA: %s", stdout)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, stdout, _ := lapsvmRun(t, t.Context(), "", "completion", shell)
		if code != cli.ExitDone || !strings.Contains(stdout, "lapsvm") || !strings.Contains(stdout, "__complete") {
			t.Errorf("%s: exit code %d, %d bytes", shell, code, len(stdout))
		}
	}
}
