package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/sparse"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// TestRoundTrip writes random datasets and reads them back, twice, in every
// format and compression: points, labels and classes agree to the last bit.
func TestRoundTrip(t *testing.T) {
	detector.Spare(t)
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	words := []string{"a", "b c", " d ", "01", "1", "e,f", `g"h`, "i\r\nj", "ü\t;", "\ufeffk", "#:", "1,2"}
	tokens := []string{"spam", "ham", "-3", "2.5", "ü", "a,b", "<>"}
	numbers := []string{"-7", "0", "0.25", "3", "10", "1e+30", "12345678"}
	bytes := []string{"0", "3", "8", "255"}
	for _, c := range []struct {
		file    string
		classes []string
	}{
		{"a.csv", words}, {"a.tsv", words}, {"a.svm", tokens}, {"a.libsvm", numbers},
		{"a.npy", numbers}, {"a-images-idx3-ubyte", numbers}, {"b-images.idx3-ubyte", bytes},
	} {
		for _, ending := range []string{"", ".gz", ".zst"} {
			t.Run(c.file+ending, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), c.file+ending)
				for round := range 8 {
					d := random(rng, c.classes, round)
					var o Options
					for again := range 2 {
						if err := WriteFile(t.Context(), path, d, WriteOptions{}); err != nil {
							t.Fatalf("seed %d round %d: %v", seed, round, err)
						}
						back, err := ReadFile(path, o)
						if err != nil {
							t.Fatalf("seed %d round %d: %v", seed, round, err)
						}
						if !equal(byValue(t, d), back) {
							t.Fatalf("seed %d round %d, pass %d: read back\n%v %v %q\nwrote\n%v %v %q", seed, round, again,
								values(back.Points), back.Y, back.Classes, values(d.Points), d.Y, d.Classes)
						}
						d = back
					}
				}
				left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
				if left != nil {
					t.Errorf("left behind: %v", left)
				}
			})
		}
	}
}

// byValue returns d as it is read.
func byValue(t *testing.T, d *dataset.Dataset) *dataset.Dataset {
	learnt := *d
	learnt.Encoding = nil
	by, err := learnt.StoredByValue(nil, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	return by
}

// random makes a dataset in which every class occurs; odd rounds have whole
// bytes, every third is sparse.
func random(rng *rand.Rand, classes []string, round int) *dataset.Dataset {
	n, dim := 1+rng.IntN(30), 1+rng.IntN(60)
	var rows sparse.Rows
	special := []float64{math.Copysign(0, -1), math.MaxFloat64, -5e-324, 1e15, 1.0 / 3, 1e-5, 123456789}
	share := 1.0
	if round%3 == 0 {
		share = 0.03
	}
	for range n {
		for j := range dim {
			switch {
			case rng.Float64() > share:
			case round%2 == 1:
				rows.Add(int32(j), float64(rng.IntN(256)))
			case rng.IntN(4) == 0:
				rows.Add(int32(j), special[rng.IntN(len(special))])
			default:
				rows.Add(int32(j), rng.NormFloat64())
			}
		}
		rows.EndRow()
	}
	l := dataset.NewLabels(nil, false, dataset.LabelRules{})
	for range n {
		if round != 5 && rng.IntN(4) == 0 || round == 6 {
			l.AddNone()
			continue
		}
		l.Add([]byte(classes[rng.IntN(len(classes))]))
	}
	d := &dataset.Dataset{Points: rows.Points(dim)}
	l.Finish(d)
	if round%4 == 2 {
		for j := range dim {
			d.Features = append(d.Features, fmt.Sprintf("column, %d", j))
		}
		d.Label = "the \"class\""
	}
	return d
}

// TestWritten holds the text that is written.
func TestWritten(t *testing.T) {
	d := &dataset.Dataset{
		Points: points.Dense(3, 3, []float64{1, 0, 0, -0.5, 1e20, 0, 0, 0, 0}), Y: []int{1, 0, dataset.Unlabelled},
		Classes: []string{"+1", "b"},
	}
	named := *d
	named.Features, named.Label = []string{"x", "y z", "ü"}, "kind"
	numbered := named
	numbered.Features = []string{"1", "2", "3"}
	for _, c := range []struct {
		format string
		d      *dataset.Dataset
		want   string
	}{
		{CSV, d, "x1,x2,x3,label\n1,0,0,b\n-0.5,1e+20,0,+1\n0,0,0,\n"},
		{TSV, &named, "x\ty z\t\"ü\"\tkind\n1\t0\t0\tb\n-0.5\t1e+20\t0\t+1\n0\t0\t0\t\n"},
		{CSV, &numbered, "1,2,3,label\n1,0,0,b\n-0.5,1e+20,0,+1\n0,0,0,\n"},
		{"libsvm", d, "b 1:1 3:0\n1 1:-0.5 2:1e+20\nnan\n"},
	} {
		var b strings.Builder
		if err := Write(&b, c.d, WriteOptions{Format: c.format}); err != nil || b.String() != c.want {
			t.Errorf("%s: %q, %v", c.format, b.String(), err)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	d := func(classes ...string) *dataset.Dataset {
		y := make([]int, len(classes))
		for i := range y {
			y[i] = i
		}
		return &dataset.Dataset{Points: points.Dense(len(y), 1, make([]float64, len(y))), Y: y, Classes: classes}
	}
	infinite := d("a")
	infinite.Points = points.Dense(1, 1, []float64{math.Inf(1)})
	twice := d("a")
	twice.Features, twice.Label = []string{"x"}, "x"
	for _, c := range []struct {
		format string
		d      *dataset.Dataset
		want   string
	}{
		{CSV, d(), `there is nothing to write: 0 rows, 1 features; give at least one of each`},
		{CSV, d("a", "NA"), `the class name "NA" means "no label"; rename the class, or give Options{Unlabelled: []string{"NA"}} to leave its rows without one`},
		{SVM, d("a b"), `the class name "a b" is no label in format svm; rename the class, or write csv or tsv`},
		{SVM, d("a\n"), `the class name "a\n" is no label in format svm; rename the class, or write csv or tsv`},
		{SVM, d("1:2"), `the class name "1:2" is no label in format svm; rename the class, or write csv or tsv`},
		{SVM, d("01", "1"), `the classes "01" and "1" are the same in format svm; rename one, or write csv or tsv`},
		{NPY, d("1", "spam"), `the class name "spam" does not fit into format npy, which holds numbers only; write csv, tsv or svm`},
		{NPY, d("12345678901234567890"), `the class name "12345678901234567890" does not fit into format npy, which holds numbers only; write csv, tsv or svm`},
		{IDX, d("1"), `idx keeps labels in a second file; write to a file, or choose another format`},
		{TSV, infinite, `row 1, feature 1 is not finite, and no reader would take it back; replace it by a number`},
		{CSV, twice, `columns 1 and 2 are both called "x"; rename one`},
	} {
		var b bytes.Buffer
		checkError(t, Write(&b, c.d, WriteOptions{Format: c.format}), c.want)
		if b.Len() > 0 {
			t.Errorf("%s: wrote %q all the same", c.want, b.String())
		}
	}
	if err := Write(nil, d("1"), WriteOptions{}); err == nil || err.Error() != `unknown format ""; choose `+formatNames() {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "a.idx")
	checkError(t, WriteFile(t.Context(), path, d("1"), WriteOptions{}), path+`: the name must contain "images", so that the labels can be written beside it; rename it, such as train-images-idx3-ubyte`)
	checkError(t, WriteFile(t.Context(), path, d("spam"), WriteOptions{}), path+`: the class name "spam" does not fit into format idx, which holds numbers only; write csv, tsv or svm`)
}

// TestFailedWrite: on an error the old files stay and nothing else does.
func TestFailedWrite(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, path := range []string{first, second} {
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	full := errors.New("no space left on device")
	good := func(w *bufio.Writer) error { _, err := w.WriteString("new"); return err }
	bad := func(w *bufio.Writer) error { w.WriteString("ne"); return full }
	err := replace(t.Context(), output{first, good}, output{second, bad})
	if !errors.Is(err, full) || err.Error() != second+": cannot be written (no space left on device): check the folder, its permissions and the space left" {
		t.Error(err)
	}
	check := func(want ...string) {
		t.Helper()
		var got []string
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			text, _ := os.ReadFile(filepath.Join(dir, e.Name()))
			got = append(got, e.Name()+"="+string(text))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check("a=old", "b=old")
	if err := replace(t.Context(), output{first, good}, output{second, good}); err != nil {
		t.Error(err)
	}
	check("a=new", "b=new")
	if err := replace(t.Context(), output{filepath.Join(dir, "none", "c"), good}); err == nil {
		t.Error("wrote into a folder that does not exist")
	}
	if err := replace(t.Context(), output{dir, good}); err == nil || err.Error() != dir+" is a folder: give the name of a file inside it" {
		t.Error(err)
	}
	check("a=new", "b=new")
}

// TestFullDevice writes to a device that is always full.
func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	d := &dataset.Dataset{Points: points.Dense(1, 1, []float64{1}), Y: []int{dataset.Unlabelled}}
	err := WriteFile(t.Context(), "/dev/full", d, WriteOptions{Format: CSV})
	if err == nil || err.Error() != "/dev/full: cannot be written (no space left on device): check the folder, its permissions and the space left" {
		t.Error(err)
	}
	if err := WriteFile(t.Context(), "/dev/null", d, WriteOptions{Format: CSV}); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Error("the device was replaced")
	}
}

func TestWriteKeepsLinksAndMode(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "a.csv"), filepath.Join(dir, "link.csv")
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	d := &dataset.Dataset{Points: points.Dense(1, 1, []float64{1}), Y: []int{dataset.Unlabelled}}
	if err := WriteFile(t.Context(), link, d, WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
		t.Error("the file behind the link was not written, or its mode changed")
	}
}
