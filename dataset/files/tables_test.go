package files

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// equal compares to the last bit: points, labels and class names.
func equal(a, b *dataset.Dataset) bool {
	if a.Points.Len() != b.Points.Len() || a.Points.Dim() != b.Points.Dim() || a.Points.Sparse() != b.Points.Sparse() ||
		!slices.Equal(a.Y, b.Y) || !slices.Equal(a.Classes, b.Classes) {
		return false
	}
	same := func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
	}
	for i := range a.Points.Len() {
		if a.Points.Sparse() {
			ai, av := a.Points.SparseRow(i)
			bi, bv := b.Points.SparseRow(i)
			if !slices.Equal(ai, bi) || !same(av, bv) {
				return false
			}
		} else if !same(a.Points.DenseRow(i), b.Points.DenseRow(i)) {
			return false
		}
	}
	return true
}

func mustRead(t *testing.T, name, text string, o Options) *dataset.Dataset {
	t.Helper()
	d, err := Read(strings.NewReader(text), name, o)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

// values returns the points as dense rows.
func values(p *points.Points) [][]float64 {
	rows := make([][]float64, p.Len())
	for i := range rows {
		rows[i] = make([]float64, p.Dim())
		p.CopyRow(rows[i], i)
	}
	return rows
}

// labels returns the class name of each row, "" without one.
func labels(d *dataset.Dataset) []string {
	names := make([]string, len(d.Y))
	for i, y := range d.Y {
		if y != dataset.Unlabelled {
			names[i] = d.Classes[y]
		}
	}
	return names
}

func TestTables(t *testing.T) {
	type rows = [][]float64
	for _, c := range []struct {
		what, name, text string
		o                Options
		points           rows
		labels           []string
		features         []string
		label            string
	}{
		{"no header", "a.csv", "1,2,b\n3,4,a\n", Options{}, rows{{1, 2}, {3, 4}}, []string{"b", "a"}, nil, ""},
		{"header", "a.csv", "x,y,class\n1,2,b\n3,4,a\n", Options{}, rows{{1, 2}, {3, 4}}, []string{"b", "a"}, []string{"x", "y"}, "class"},
		{"label anywhere", "a.csv", "x,label,y\n1,b,2\n", Options{}, rows{{1, 2}}, []string{"b"}, []string{"x", "y"}, "label"},
		{"numeric names", "a.csv", "1,2,label\n1,2,0\n", Options{}, rows{{1, 2}}, []string{"0"}, []string{"1", "2"}, "label"},
		{"label by name", "a.csv", "1,c,2\n1,b,2\n", Options{Label: "c"}, rows{{1, 2}}, []string{"b"}, []string{"1", "2"}, "c"},
		{"label by number", "a.csv", "b,1,2\n", Options{Label: "1", Header: HeaderNo}, rows{{1, 2}}, []string{"b"}, nil, "1"},
		{"header forced", "a.csv", "1,2\n3,4\n", Options{Header: HeaderYes}, rows{{3}}, []string{"4"}, []string{"1"}, "2"},
		{"header found", "a.csv", "x,y\n3,4\n", Options{Header: HeaderAuto}, rows{{3}}, []string{"4"}, []string{"x"}, "y"},
		{"header refused", "a.csv", "1,label\n3,4\n", Options{Header: HeaderNo}, rows{{1}, {3}}, []string{"label", "4"}, nil, ""},
		{"BOM, CRLF, blanks, no last end", "a.csv", "\ufeffx, label\r\n\r\n 1 ,\t a b \r\n2,c", Options{}, rows{{1}, {2}}, []string{"a b", "c"}, []string{"x"}, "label"},
		{"quotes", "a.csv", "x,label\n1,\"a, \"\"b\"\"\r\nc \"\n\"2\", \"d\" \n3,\"\"\n", Options{}, rows{{1}, {2}, {3}}, []string{"a, \"b\"\r\nc", "d", ""}, []string{"x"}, "label"},
		{"quotes over lines, twice", "a.csv", "\"x\n1\",\"y\n2\",label\n1,2,3\n", Options{}, rows{{1, 2}}, []string{"3"}, []string{"x\n1", "y\n2"}, "label"},
		{"tabs", "a.tsv", "x\tlabel\n1\t\n2\t\"a\tb\"\n", Options{}, rows{{1}, {2}}, []string{"", "a\tb"}, []string{"x"}, "label"},
		{"missing labels", "a.csv", "1,\n2,?\n3,NA\n4,nan\n5,n.a.\n6, na \n", Options{}, rows{{1}, {2}, {3}, {4}, {5}, {6}}, []string{"", "", "", "", "n.a.", ""}, nil, ""},
		{"spellings of a number", "a.csv", "1,01\n2,1\n3,+1\n", Options{}, rows{{1}, {2}, {3}}, []string{"1", "1", "1"}, nil, ""},
		{"further unlabelled", "a.csv", "1,-1.0\n2,1\n3,none\n", Options{Unlabelled: []string{"-1", "none"}}, rows{{1}, {2}, {3}}, []string{"", "1", ""}, nil, ""},
		{"no label column", "a.csv", "1,2\n", Options{Features: 2}, rows{{1, 2}}, []string{""}, nil, ""},
		{"one feature, no label", "a.csv", "1\n", Options{Features: 1}, rows{{1}}, []string{""}, nil, ""},
		{"no label column, named", "a.csv", "x,y\n1,2\n", Options{Features: 2, Label: "class"}, rows{{1, 2}}, []string{""}, []string{"x", "y"}, ""},
		{"no label column, numbered", "a.csv", "x,y\n1,2\n", Options{Features: 2, Label: "1"}, rows{{1, 2}}, []string{""}, []string{"x", "y"}, ""},
		{"label in spite of width", "a.csv", "x,label\n1,2\n", Options{Features: 1}, rows{{1}}, []string{"2"}, []string{"x"}, "label"},
		{"columns", "a.csv", "id,y,x,class\nq,2,1,b\n", Options{Columns: []string{"x", "y"}, Label: "class"}, rows{{1, 2}}, []string{"b"}, []string{"x", "y"}, "class"},
		{"columns, no label", "a.csv", "id,y,x\nq,2,1\n", Options{Columns: []string{"x", "y"}, Label: "class"}, rows{{1, 2}}, []string{""}, []string{"x", "y"}, ""},
		{"numeric columns, no label", "a.csv", "2,1\n20,10\n", Options{Columns: []string{"1", "2"}}, rows{{10, 20}}, []string{""}, []string{"1", "2"}, ""},
		{"columns, no header", "a.csv", "1,2\n", Options{Columns: []string{"x", "y"}}, rows{{1, 2}}, []string{""}, nil, ""},
		{"exact numbers", "a.csv", "0.1,-0,5e-324,0x1p-3,+7,a\n", Options{}, rows{{0.1, math.Copysign(0, -1), 5e-324, 0.125, 7}}, []string{"a"}, nil, ""},

		{"svm", "a.svm", "+1 1:1 3:0.5 # note\n\n# note\n-1.0\t2:-0\t\r\n 3:3e1\n? qid:4 1:2", Options{},
			rows{{1, 0, 0.5}, {0, math.Copysign(0, -1), 0}, {0, 0, 30}, {2, 0, 0}}, []string{"1", "-1", "", ""}, nil, ""},
		{"svm, dimension", "a.libsvm", "\ufeffspam qid:1 1:1\nham\n", Options{Features: 3}, rows{{1, 0, 0}, {0, 0, 0}}, []string{"spam", "ham"}, nil, ""},
		{"svm, zero widens", "-", "0 1:1 3:0\n", Options{Format: "libsvm", Unlabelled: []string{"0"}}, rows{{1, 0, 0}}, []string{""}, nil, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			d := mustRead(t, c.name, c.text, c.o)
			if got := values(d.Points); !reflect.DeepEqual(got, c.points) {
				t.Errorf("points %v, want %v", got, c.points)
			}
			if got := labels(d); !slices.Equal(got, c.labels) {
				t.Errorf("labels %q, want %q", got, c.labels)
			}
			if !slices.Equal(d.Features, c.features) || d.Label != c.label || (d.Features == nil) != (c.features == nil) {
				t.Errorf("features %q, label %q, want %q, %q", d.Features, d.Label, c.features, c.label)
			}
		})
	}
}

// A CSV table may have other separators than commas, if its first line has no
// comma but in quotes.
func TestSeparators(t *testing.T) {
	const text = "\ufeff\r\n\"a,\n;|\tb\"~c d~label\r\n1.5~\"x;y|z,\"~p\r\n~x w~\r\n2.5~x w~q\r\n3~\"x;y|z,\"~q\r\n"
	want := mustRead(t, "a.csv", strings.ReplaceAll(text, "~", ","), Options{})
	if !slices.Equal(want.Features, []string{"a,\n;|\tb", "c d=x w", "c d=x;y|z,"}) {
		t.Fatalf("features %q", want.Features)
	}
	for _, separator := range []string{";", "\t", "|"} {
		got := mustRead(t, "a.csv", strings.ReplaceAll(text, "~", separator), Options{})
		if !equal(got, want) || !slices.Equal(got.Features, want.Features) {
			t.Errorf("separated by %q: features %q, points %v", separator, got.Features, values(got.Points))
		}
	}
	for head, want := range map[string]byte{
		"": ',', "a": ',', "a;b,c;d": ',', "a;b\n1,2": ';', "a|b;c|d": '|', "a;b|c": ';', "a\tb c": '\t', "\"a;b\"": ',', "\"a,b\";c": ';', "\n\r\n a;b": ';', "\"a\n,\";b": ';', ";": ';',
		"t\na;b\n1,5;2,5\n": ';', "t\na\tb\nc\td\n": '\t', "t\na;b\n1\n": ',', "t\na;b\n": ',', "t\na,b\n1,2\n": ',',
	} {
		if got := separatorOf([]byte(head)); got != want {
			t.Errorf("%q is separated by %q, want %q", head, got, want)
		}
	}
}

func TestHugeDimensionOnRequest(t *testing.T) {
	d := mustRead(t, "a.svm", "1 60000000:1\n", Options{Features: points.MaxSparseColumns})
	if d.Points.Dim() != points.MaxSparseColumns || !d.Points.Sparse() {
		t.Errorf("%d columns, sparse %v", d.Points.Dim(), d.Points.Sparse())
	}
}

// TestDensity: dense from a tenth of n·d stored values on.
func TestDensity(t *testing.T) {
	for text, sparse := range map[string]bool{"1 1:1 20:0\n1 2:1\n": true, "1 1:1 20:0\n1 2:1 3:1 4:1\n": false} {
		d := mustRead(t, "a.svm", text, Options{})
		want := 40
		if sparse {
			want = 2
		}
		if d.Points.Sparse() != sparse || d.Points.Stored() != want {
			t.Errorf("%q: sparse %v with %d values", text, d.Points.Sparse(), d.Points.Stored())
		}
	}
}

func TestLongLine(t *testing.T) {
	var b strings.Builder
	for j := range 100000 { // more than one buffer
		b.WriteString("0.25,")
		_ = j
	}
	b.WriteString("a\n")
	d := mustRead(t, "a.csv", strings.Repeat(b.String(), 2), Options{})
	if d.Points.Len() != 2 || d.Points.Dim() != 100000 || d.Points.Squares()[1] != 6250 {
		t.Errorf("%d×%d", d.Points.Len(), d.Points.Dim())
	}
}
