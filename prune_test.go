package lapsvm_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// largestDifference is that of the decision values of two models.
func largestDifference(t *testing.T, a, b *lapsvm.Model, p *points.Points) (largest float64) {
	t.Helper()
	f, err := a.Scores(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	g, err := b.Scores(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f {
		for c := range f[i] {
			largest = max(largest, math.Abs(f[i][c]-g[i][c]))
		}
	}
	return largest
}

// Pruning keeps its promise at the points of the training, which are the basis
// points: two and many classes, one, dense and sparse points, far from the
// origin too, Gaussian and polynomial. A smooth expansion in the plane shrinks
// to a fraction; one with the kinks of the Laplacian kernel may not.
func TestPrune(t *testing.T) {
	two, _ := moons(400, 3, 5)
	many, _ := clusters(5, 60, 3)
	values := make([]float64, 0, 2*two.Points.Len())
	for i := range two.Points.Len() {
		values = append(values, two.Points.DenseRow(i)[0]+1e6, two.Points.DenseRow(i)[1]-1e6)
	}
	far := *two
	far.Points = points.Dense(two.Points.Len(), 2, values)
	sparse := *two
	start, index := []int{0}, []int32(nil)
	for range two.Points.Len() {
		index = append(index, 0, 1)
		start = append(start, len(index))
	}
	value := make([]float64, 0, 2*two.Points.Len())
	for i := range two.Points.Len() {
		value = append(value, two.Points.DenseRow(i)...)
	}
	sparse.Points = points.CSR(2, start, index, value)
	single := *two
	single.Classes, single.Y = two.Classes[:1], make([]int, len(two.Y))
	for i, y := range two.Y {
		single.Y[i] = dataset.Unlabelled
		if y == 0 {
			single.Y[i] = 0
		}
	}
	for name, c := range map[string]struct {
		d       *dataset.Dataset
		trainer lapsvm.Trainer
		share   float64 // of the basis that may be left with 1e-3
	}{
		"two":        {two, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, RulesOfThumb: true}}, 0.4},
		"far":        {&far, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, RulesOfThumb: true}}, 0.4},
		"Laplacian":  {two, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Laplacian{Sigma: 4}, RulesOfThumb: true}}, 1},
		"L1, sparse": {&sparse, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Laplacian{Sigma: 4}, RulesOfThumb: true}}, 1},
		"sparse":     {&sparse, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, RulesOfThumb: true}}, 0.4},
		"polynomial": {two, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 4, Coef0: 1}, RulesOfThumb: true}}, 0.1}, // of 15 dimensions
		"one class":  {&single, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Kind: task.OneClass(), RulesOfThumb: true}}, 0.4},
		"many":       {many, lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}, 1},
		"ordered":    {many, lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Ordered("e", "b", "a", "d", "c"), RulesOfThumb: true}}, 1},
	} {
		c.trainer.Recipe.GammaI, c.trainer.Recipe.Precision, c.trainer.Recipe.Calibrate = 0.1, gram.Double, !c.trainer.Recipe.Kind.Is(task.OfOneClass)
		m, err := c.trainer.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		basis := m.Basis()
		for _, allowed := range []float64{1e-3, 0.1, 1e9} {
			pruned, change, err := m.Prune(t.Context(), allowed)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got := largestDifference(t, m, pruned, c.d.Points)
			if !(change <= allowed) || !(math.Abs(got-change) <= 1e-9) {
				t.Errorf("%s by %g: a change of %g, said to be %g", name, allowed, got, change)
			}
			if m.Basis() != basis || pruned.Basis() > basis || allowed == 1e-3 && float64(pruned.Basis()) > c.share*float64(basis) || allowed == 1e9 && pruned.Basis() != 1 {
				t.Errorf("%s by %g: %d of %d basis points are left, m has %d", name, allowed, pruned.Basis(), basis, m.Basis())
			}
			if (pruned.Calibration() == nil) != c.trainer.Recipe.Kind.Is(task.OfOneClass) {
				t.Errorf("%s: the calibration is %v", name, pruned.Calibration())
			}
			parts, err := pruned.Contents()
			if err != nil {
				t.Fatal(err)
			}
			for j, row := range parts.Origin.Rows {
				if d := parts.Basis.SquaredDistance(j, c.d.Points, row); d != 0 || (parts.Origin.Class[j] < 0) != (c.d.Y[row] == dataset.Unlabelled) {
					t.Errorf("%s by %g: basis point %d is said to be row %d of class %d, at the squared distance %g", name, allowed, j, row, parts.Origin.Class[j], d)
				}
			}
			path := filepath.Join(t.TempDir(), "m")
			if err := pruned.Save(path); err != nil {
				t.Fatal(err)
			}
			loaded, err := lapsvm.Load(path)
			if err != nil || largestDifference(t, pruned, loaded, c.d.Points) != 0 {
				t.Errorf("%s: a saved model differs (%v)", name, err)
			}
		}
	}
}

// A pruned model has lost what every label adds. It explains its values without.
func TestPruneOfLabelShares(t *testing.T) {
	two, _ := moons(200, 3, 5)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, GammaI: 0.1, LabelShares: true, RulesOfThumb: true}}.Fit(t.Context(), two)
	if err != nil {
		t.Fatal(err)
	}
	pruned, _, err := m.Prune(t.Context(), 1e-2)
	if err != nil || pruned.Basis() >= m.Basis() {
		t.Fatalf("%d of %d basis points, %v", pruned.Basis(), m.Basis(), err)
	}
	loaded := readBack(t, pruned)
	for form, m := range map[string]*lapsvm.Model{"pruned": pruned, "loaded": loaded} {
		all, err := m.ExplainShares(t.Context(), two.Points, lapsvm.ShareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range all {
			if e.Labels != nil || e.Rest != e.Bias {
				t.Fatalf("%s: row %d has the shares %v of its labels, and %v is the rest", form, i, e.Labels, e.Rest)
			}
		}
	}
}

// What cannot shrink stays as it is, and bad parameters are errors.
func TestPruneNothing(t *testing.T) {
	two, _ := moons(60, 3, 5)
	ended, end := context.WithCancel(t.Context())
	end()
	for name, trainer := range map[string]lapsvm.Trainer{
		"linear": {Recipe: lapsvm.Recipe{Kernel: kernel.Linear{}, GammaI: 1, RulesOfThumb: true}},
		"narrow": {Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 1e-3}, GammaI: 1, GammaA: 1e-3, RulesOfThumb: true}}, // every point stands for itself
	} {
		m, err := trainer.Fit(t.Context(), two)
		if err != nil {
			t.Fatal(err)
		}
		pruned, change, err := m.Prune(t.Context(), 1e-12)
		if err != nil || change != 0 || pruned.Basis() != m.Basis() || largestDifference(t, m, pruned, two.Points) != 0 {
			t.Errorf("%s: %d of %d basis points, change %g, error %v", name, pruned.Basis(), m.Basis(), change, err)
		}
		if none, _, err := m.Prune(ended, 1e-3); name != "linear" && (none != nil || !errors.Is(err, context.Canceled)) {
			t.Errorf("%s: after the end: error %v", name, err)
		}
		for _, allowed := range []float64{0, -1, math.NaN()} {
			if _, _, err := m.Prune(t.Context(), allowed); !errors.Is(err, lapsvm.ErrParameter) {
				t.Errorf("%s by %g: error %v", name, allowed, err)
			}
		}
	}
}

// A pruned regression keeps its intervals: those of residuals as they are, and those of machines without a label within what the
// machines may change by.
func TestPruneOfIntervals(t *testing.T) {
	d := &dataset.Dataset{}
	var x []float64
	for i := range 240 {
		a := 2 * math.Pi * float64(i) / 240
		x = append(x, math.Cos(a), math.Sin(a))
		if d.Y = append(d.Y, dataset.Unlabelled); i%8 == 0 {
			d.Y[i], d.Classes = len(d.Classes), append(d.Classes, strconv.FormatFloat(10*math.Sin(2*a)+float64(i%3), 'g', -1, 64))
		}
	}
	d.Points = points.Dense(240, 2, x)
	for _, solver := range []lapsvm.Solver{lapsvm.Deformed, lapsvm.Landmarks} {
		r := lapsvm.Recipe{Kind: task.Numbers(), Kernel: kernel.Gaussian{Sigma: 0.5}, GammaA: 1e-3, GammaI: 1e-2, Standardise: points.AsIs, Calibrate: true, Precision: gram.Double, Solver: solver,
			Compact: solver == lapsvm.Landmarks, Graph: graph.Options{Neighbours: 6, Degree: 1}}
		m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		const allowed = 1e-3
		pruned, change, err := m.Prune(t.Context(), allowed)
		if err != nil {
			t.Fatal(err)
		}
		if pruned.Basis() >= m.Basis() || solver == lapsvm.Deformed && 4*pruned.Basis() > m.Basis() || !(change <= allowed) {
			t.Errorf("%s: %d of %d basis points are left, with a change of %v", solver, pruned.Basis(), m.Basis(), change)
		}
		path := filepath.Join(t.TempDir(), "m")
		if err := pruned.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := lapsvm.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		_, low, high, err := m.Intervals(t.Context(), d.Points, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range []*lapsvm.Model{pruned, loaded} {
			_, otherLow, otherHigh, err := other.Intervals(t.Context(), d.Points, 0.9)
			if err != nil {
				t.Fatalf("%s: %v", solver, err)
			}
			for i := range low {
				if !(math.Abs(low[i]-otherLow[i]) <= allowed+1e-9) || !(math.Abs(high[i]-otherHigh[i]) <= allowed+1e-9) {
					t.Fatalf("%s, point %d: from %v to %v, pruned %v to %v", solver, i, low[i], high[i], otherLow[i], otherHigh[i])
				}
			}
		}
	}
}
