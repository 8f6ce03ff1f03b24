package dataset_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/points"
)

// read reads a table.
func read(t *testing.T, name, text string, o files.Options) *dataset.Dataset {
	t.Helper()
	d, err := files.Read(strings.NewReader(text), name, o)
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

func TestSelectAndSubset(t *testing.T) {
	d := read(t, "a.csv", "1,10\n2,9\n3,\n4,x\n5,10\n", files.Options{})
	if !slices.Equal(d.Labelled(), []int{0, 1, 3, 4}) || !slices.Equal(d.Unlabelled(), []int{2}) {
		t.Errorf("labelled %v, unlabelled %v", d.Labelled(), d.Unlabelled())
	}
	s, err := d.Select("10", "9", "10")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Classes, []string{"9", "10"}) || !slices.Equal(s.Y, []int{1, 0, dataset.Unlabelled, 1}) || s.Points.DenseRow(3)[0] != 5 {
		t.Errorf("%q %v", s.Classes, s.Y)
	}
	if !slices.Equal(d.Classes, []string{"10", "9", "x"}) || !slices.Equal(d.Y, []int{0, 1, dataset.Unlabelled, 2, 0}) {
		t.Errorf("the original changed: %q %v", d.Classes, d.Y)
	}
	if _, err := d.Select("9", "8"); err == nil || err.Error() != `no class is called "8"; the classes are 10, 9, x` {
		t.Error(err)
	}
	if _, err := d.Select(); err == nil || err.Error() != `no class to select; the classes are 10, 9, x` {
		t.Error(err)
	}
	u := d.Subset([]int{3, 2, 3})
	if !slices.Equal(u.Y, []int{2, dataset.Unlabelled, 2}) || !slices.Equal(u.Classes, d.Classes) || u.Points.DenseRow(0)[0] != 4 {
		t.Errorf("%v %q", u.Y, u.Classes)
	}
	// A row goes on to be known by its column, also in a subset of a subset.
	if v := u.Subset([]int{1, 0}); !slices.Equal(u.Column, []int{3, 2, 3}) || !slices.Equal(v.Column, []int{2, 3}) || d.Column != nil {
		t.Errorf("columns %v, of these %v", u.Column, v.Column)
	}
}

func TestConcat(t *testing.T) {
	a := read(t, "a.csv", "x,y,label\n1,2,9\n3,0,\n", files.Options{})
	b := read(t, "b.csv", "5,6,10\n7,8,9\n", files.Options{})
	sparse := read(t, "c.svm", "x 2:4\n", files.Options{Features: 2})
	c, err := dataset.Concat(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(labels(c), []string{"9", "", "10", "9"}) || !slices.Equal(c.Classes, []string{"9", "10"}) ||
		!reflect.DeepEqual(values(c.Points), [][]float64{{1, 2}, {3, 0}, {5, 6}, {7, 8}}) ||
		!slices.Equal(c.Features, []string{"x", "y"}) || c.Label != "label" {
		t.Errorf("%+v", c)
	}
	if c, err = dataset.Concat(sparse, a); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(labels(c), []string{"x", "9", ""}) || !slices.Equal(c.Classes, []string{"9", "x"}) || c.Label != "label" ||
		!reflect.DeepEqual(values(c.Points), [][]float64{{0, 4}, {1, 2}, {3, 0}}) {
		t.Errorf("%+v", c)
	}
	wide := read(t, "d.svm", "1 90:4\n2 50:1\n", files.Options{})
	if c, err = dataset.Concat(wide, wide); err != nil || !c.Points.Sparse() || c.Points.Stored() != 4 {
		t.Error("sparse tables do not stay sparse")
	}
	if _, err := dataset.Concat(a, wide); err == nil || err.Error() != "cannot join points with 2 and with 90 features; read both with the same number of features" {
		t.Error(err)
	}
	other := read(t, "e.csv", "y,x,label\n1,2,9\n", files.Options{})
	if _, err := dataset.Concat(a, other); err == nil || !strings.HasPrefix(err.Error(), "cannot join tables whose columns differ") {
		t.Error(err)
	}
}
