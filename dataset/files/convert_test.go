package files

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/testing/detector"
	"lapsvm/internal/testing/golden"
	"lapsvm/points"
)

// names are class names that a format must not trip over; the last two are
// right-to-left.
var names = []string{"a,b", "c\nd", "e\r\n", `f"g`, "h\ti", " j ", "01", "1.0", "k:l", "ü€😀", "{}", `\`, "עברית", "العربية, ٣"}

// TestConversions writes datasets in one format, reads them, writes them in
// another and reads that: points, labels and class names agree to the last bit.
func TestConversions(t *testing.T) {
	detector.Spare(t)
	const seed = 11
	all := []string{"a.csv", "a.tsv", "a.npz", "a.mat", "a.json", "a.jsonl", "a.parquet", "a.arrow", "a.npz.gz", "a.mat.zst", "a.jsonl.gz", "a.parquet.zst", "a.arrows", "a.feather.zst"}
	numbers := []string{"a.svm", "a.npy", "a-images.idx"} // hold not every name
	for _, classes := range [][]string{names, {"-1", "0.5", "2", "1e+30"}, {"0", "spam"}} {
		formats := slices.Clone(all)
		if classes[0] == "-1" {
			formats = append(formats, numbers...)
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		dir := t.TempDir()
		for _, first := range formats {
			for round, second := range formats {
				d := random(rng, classes, round)
				if d.Features != nil {
					d.Label = "class" // a table is read with Options.Label
				}
				for step, file := range []string{first, second} {
					path := filepath.Join(dir, file)
					if err := WriteFile(t.Context(), path, d, WriteOptions{}); err != nil {
						t.Fatalf("seed %d, %s to %s: %v", seed, first, second, err)
					}
					var o Options
					if form, _ := FormatOf(file); form.Table {
						o.Label = d.Label
					}
					back, err := ReadFile(path, o)
					if err != nil {
						t.Fatalf("seed %d, %s to %s, step %d: %v", seed, first, second, step, err)
					}
					if !sameRows(d, back) {
						t.Fatalf("seed %d, %s to %s, step %d: read back\n%v %v %q\nwrote\n%v %v %q", seed, first, second, step,
							values(back.Points), back.Y, back.Classes, values(d.Points), d.Y, d.Classes)
					}
					if d = back; d.Label == "" {
						d.Label = "label"
					}
				}
			}
		}
	}
}

// sameRows compares to the last bit, whether the points are sparse or not; where
// both have names of features, columns are compared by name.
func sameRows(a, b *dataset.Dataset) bool {
	if a.Points.Len() != b.Points.Len() || a.Points.Dim() != b.Points.Dim() || !slices.Equal(labels(a), labels(b)) {
		return false
	}
	order := make([]int, a.Points.Dim())
	for j := range order {
		order[j] = j
		if a.Features != nil && b.Features != nil {
			order[j] = slices.Index(b.Features, a.Features[j])
		}
	}
	for i, row := range values(a.Points) {
		other := values(b.Points.Slice(i, i+1))[0]
		for j, v := range row {
			if order[j] < 0 || math.Float64bits(v) != math.Float64bits(other[order[j]]) {
				return false
			}
		}
	}
	return true
}

// TestSparseStaysSparse: npz and mat keep sparse points and their storage.
func TestSparseStaysSparse(t *testing.T) {
	d := mustRead(t, "a.svm", "x 2:1.5 90:4\ny\nnan 50:-0\n", Options{Features: 200})
	for _, form := range []string{NPZ, MAT, SVM} {
		var b bytes.Buffer
		if err := Write(&b, d, WriteOptions{Format: form}); err != nil {
			t.Fatal(err)
		}
		back, err := Read(&b, "f", Options{Format: form})
		if err != nil || !equal(d, back) {
			t.Errorf("%s: %v, %v", form, back, err)
		}
	}
}

// TestNamesAndLabel: which formats keep the names of the columns, and what Lost
// says about it.
func TestNamesAndLabel(t *testing.T) {
	d := &dataset.Dataset{
		Points: points.Dense(2, 2, []float64{1, 2, 3, 4}), Y: []int{0, dataset.Unlabelled}, Classes: []string{"a", "b"},
		Features: []string{"width", "height"}, Label: "kind",
	}
	empty := "the classes without a row: b"
	for form, want := range map[string]struct {
		features []string
		lost     []string
	}{
		CSV:     {d.Features, []string{empty}},
		Parquet: {d.Features, []string{empty}},
		JSONL:   {[]string{"height", "width"}, []string{"the order of the columns: readers of JSON sort them by name", empty}},
		JSON:    {[]string{"height", "width"}, []string{"the order of the columns: readers of JSON sort them by name", empty}},
		NPZ:     {d.Features, []string{`the name of the label column, "kind"`, empty}},
		MAT:     {nil, []string{"the names of the 2 features", `the name of the label column, "kind"`, empty}},
		SVM:     {nil, []string{"the names of the 2 features", `the name of the label column, "kind"`, empty}},
	} {
		var b bytes.Buffer
		if err := Write(&b, d, WriteOptions{Format: form}); err != nil {
			t.Fatal(err)
		}
		o := Options{Format: form}
		if want.features != nil && form != NPZ { // whose array is called y
			o.Label = "kind"
		}
		back, err := Read(&b, "f", o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(back.Features, want.features) || back.Label != o.Label || !sameRows(d, back) {
			t.Errorf("%s: %q, label %q, %v", form, back.Features, back.Label, values(back.Points))
		}
		if got := Lost(d, form); !slices.Equal(got, want.lost) {
			t.Errorf("%s loses %q, want %q", form, got, want.lost)
		}
	}
	wide := &dataset.Dataset{Points: points.Dense(1, mostNamed+1, make([]float64, mostNamed+1)), Y: []int{0}, Classes: []string{"a"}}
	for j := range mostNamed + 1 {
		wide.Features = append(wide.Features, fmt.Sprint("x", j))
	}
	for text, want := range map[string][]string{"1990,1991,kind\n1,2,a\n3,4,b\n": {`the name of the label column, "kind"`}, ",,kind\n0,1,a\n2,1,b\n": {`the name of the label column, "kind"`}, "x,y,kind\n1,2,a\n3,4,b\n": nil} {
		d := mustRead(t, "f.csv", text, Options{Header: HeaderYes})
		if got := Lost(d, CSV); !slices.Equal(got, want) { // the header would not be told from a row
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Lost(wide, Parquet); !slices.Equal(got, []string{"the names of the 1001 features"}) {
		t.Errorf("%q", got)
	}
}

// TestColumns: the wanted columns, among others that are no numbers.
func TestColumns(t *testing.T) {
	want := [][]float64{{2, 1}, {4, 3}}
	text := `{"id":"p","x":1,"y":2,"kind":"a","text":"…"}` + "\n" + `{"id":"q","y":4,"x":3,"kind":null,"tags":[1,{"a":"]"}]}` + "\n"
	d := mustRead(t, "a.jsonl", text, Options{Label: "kind", Columns: []string{"y", "x"}})
	if !slices.EqualFunc(values(d.Points), want, slices.Equal) || !slices.Equal(labels(d), []string{"a", ""}) || d.Label != "kind" {
		t.Errorf("%v %q", values(d.Points), labels(d))
	}
	full := &dataset.Dataset{Points: points.Dense(2, 3, []float64{1, 2, 9, 3, 4, 9}), Y: []int{0, dataset.Unlabelled}, Classes: []string{"a"}, Features: []string{"x", "y", "z"}, Label: "kind"}
	var b bytes.Buffer
	if err := Write(&b, full, WriteOptions{Format: Parquet}); err != nil {
		t.Fatal(err)
	}
	d, err := Read(&b, "a.parquet", Options{Label: "kind", Columns: []string{"y", "x"}})
	if err != nil || !slices.EqualFunc(values(d.Points), want, slices.Equal) || !slices.Equal(labels(d), []string{"a", ""}) {
		t.Errorf("%v %v", d, err)
	}
}

// TestRealMAT compares files of MATLAB with the same data as LIBSVM text.
func TestRealMAT(t *testing.T) {
	detector.Spare(t)
	for mat, text := range map[string]string{
		"g50c/g50c.mat": "g50c/g50c.svm.gz", "pcmac/text1.mat": "pcmac/pcmac.svm.gz", "uspst/uspst.mat.gz": "uspst/uspst.svm.gz",
		"toy/2circles.mat": "toy/2circles.svm.gz", "toy/2moons.mat": "toy/2moons.svm.gz", "toy/2spirals.mat": "toy/2spirals.svm.gz", "toy/clock.mat": "toy/clock.svm.gz",
	} {
		a, err := ReadFile(golden.External(t, "data/"+mat), Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		b, err := ReadFile(golden.External(t, "data/"+text), Options{Features: a.Points.Dim()})
		if err != nil {
			t.Error(err)
			continue
		}
		same := equal(a, b)
		if mat == "toy/clock.mat" { // has a −0
			same = slices.Equal(a.Y, b.Y) && slices.Equal(a.Classes, b.Classes) && slices.EqualFunc(values(a.Points), values(b.Points), slices.Equal)
		}
		if !same {
			t.Errorf("%s differs from %s", mat, text)
		}
		some := spread(a, 100)
		for _, form := range []string{NPZ, MAT, JSON, JSONL, Parquet, Arrow} {
			var out bytes.Buffer
			if err := Write(&out, some, WriteOptions{Format: form}); err != nil {
				t.Fatal(err)
			}
			back, err := Read(&out, "back", Options{Format: form})
			if err != nil || !sameRows(some, back) {
				t.Errorf("%s does not come back from %s (%v)", mat, form, err)
			}
		}
	}
}

// spread is about so many rows from all parts of d.
func spread(d *dataset.Dataset, rows int) *dataset.Dataset {
	var some []int
	for i := 0; i < len(d.Y); i += max(1, len(d.Y)/rows) {
		some = append(some, i)
	}
	return d.Subset(some)
}

// TestDamaged cuts files at every length and changes every byte: no panic, every
// error names the file, and a cut file is never read.
func TestDamaged(t *testing.T) {
	detector.Spare(t)
	d := &dataset.Dataset{Points: points.Dense(3, 2, []float64{1, 2.5, -3, 4, 0, 6}), Y: []int{0, 1, dataset.Unlabelled}, Classes: []string{"a", "ü"}}
	sparse := mustRead(t, "a.svm", "1 2:1.5 90:4\n2 50:7\n", Options{Features: 200})
	for _, form := range []string{NPZ, MAT, JSON, JSONL, Parquet, Arrow} {
		for _, d := range []*dataset.Dataset{d, sparse} {
			var b bytes.Buffer
			if err := Write(&b, d, WriteOptions{Format: form}); err != nil {
				t.Fatal(err)
			}
			whole := b.Bytes()
			check := func(what string, at int, data []byte) *dataset.Dataset {
				back, err := Read(bytes.NewReader(data), "f."+form, Options{})
				if e, ok := err.(*dataset.Error); err != nil && (!ok || e.File != "f."+form) {
					t.Fatalf("%s %s %d: %v", form, what, at, err)
				}
				return back
			}
			for cut := range len(whole) {
				back := check("cut to", cut, whole[:cut])
				// Whole lines are JSON lines, an array may lack its line's end, and X alone is a MAT-file.
				lines := form == JSONL && bytes.HasSuffix(bytes.TrimRight(whole[:cut], "\n"), []byte("}")) || form == JSON && cut == len(whole)-1
				variables := form == MAT && back != nil && len(back.Labelled()) == 0
				unended := form == Arrow && cut == len(whole)-8 // a stream may lack its end
				if back != nil && !lines && !variables && !unended {
					t.Fatalf("%s cut to %d of %d is read", form, cut, len(whole))
				}
			}
			for i := range whole {
				damaged := bytes.Clone(whole)
				damaged[i] ^= 1 << (i % 8)
				check("changed at", i, damaged)
			}
		}
	}
}

// TestWriteIsTheSame: the same data give the same file.
func TestWriteIsTheSame(t *testing.T) {
	d := random(rand.New(rand.NewPCG(5, 0)), names, 0)
	for _, form := range []string{NPZ, MAT, JSON, JSONL, Parquet, Arrow} {
		var a, b strings.Builder
		if err := Write(&a, d, WriteOptions{Format: form}); err != nil {
			t.Fatal(err)
		}
		if err := Write(&b, d, WriteOptions{Format: form}); err != nil || a.String() != b.String() {
			t.Errorf("%s: two files differ (%v)", form, err)
		}
	}
}
