package train

import (
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// A fitted machine names the rows of the data that its basis points come from, also where
// unlabelled rows take no part. These rows lie before and between the labelled ones.
func TestRowsOfTheBasis(t *testing.T) {
	d := dataset.TwoMoons(50, 0.07, 4)
	for i := range d.Y {
		if i%5 != 3 {
			d.Y[i] = dataset.Unlabelled
		}
	}
	for name, c := range map[string]struct {
		r    Recipe
		rows []int
	}{
		"supervised":       {Recipe{Supervised: true, GammaA: 0.1}, d.Labelled()},
		"with a graph":     {Recipe{GammaA: 0.1, GammaI: 1, Graph: graph.Options{Neighbours: 5, Degree: 1}}, nil},
		"supervised hinge": {Recipe{Supervised: true, GammaA: 0.1, Solver: Dual}, nil},
	} {
		c.r.Kernel = kernel.Gaussian{Sigma: 0.4}
		if c.r.Solver != Dual {
			c.r.Loss = objective.Squared // every labelled point counts
		}
		f, err := Fit(t.Context(), d, c.r, Run{})
		if err != nil {
			t.Fatal(name, err)
		}
		if c.rows != nil && !slices.Equal(f.Rows, c.rows) {
			t.Errorf("%s: rows %v, want %v", name, f.Rows, c.rows)
		}
		if len(f.Rows) != f.Expansion.Basis.Len() || len(f.Class) != len(f.Rows) || !slices.IsSorted(f.Rows) {
			t.Fatalf("%s: rows %v with classes %v of %d basis points", name, f.Rows, f.Class, f.Expansion.Basis.Len())
		}
		for k, row := range f.Rows {
			want := dataset.Unlabelled
			if y := d.Y[row]; y != dataset.Unlabelled {
				want = slices.Index(f.Task.Classes, d.Classes[y])
			}
			if f.Class[k] != want || !slices.Equal(f.Expansion.Basis.DenseRow(k), d.Points.DenseRow(row)) {
				t.Errorf("%s: basis point %d is no row %d of the class %d", name, k, row, f.Class[k])
			}
		}
	}
}
