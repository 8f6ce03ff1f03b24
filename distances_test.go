package lapsvm_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// between returns d with the distances to the points of basis.
func between(d, basis *dataset.Dataset) *dataset.Dataset {
	n := basis.Points.Len()
	far := make([]float64, 0, d.Points.Len()*n)
	for i := range d.Points.Len() {
		for j := range n {
			far = append(far, d.Points.Distance(points.Products, i, basis.Points, j))
		}
	}
	v := *d
	v.Points = points.Dense(d.Points.Len(), n, far)
	return &v
}

// Machines on distances are those of the Gaussian on the points, also at new points and from a file,
// with the width given and with everything left open.
func TestDistances(t *testing.T) {
	heat := graph.Options{Neighbours: 6, Degree: 2}
	d, other := around(90, 24, 3, 1), around(20, 0, 3, 2)
	given, otherGiven := between(d, d), between(other, d)
	for name, r := range map[string]lapsvm.Recipe{
		"newton":         {Kernel: kernel.Gaussian{Sigma: 1.5}, GammaA: 1e-2, GammaI: 0.1, Graph: heat, Solver: lapsvm.Newton},
		"deformed":       {Kernel: kernel.Gaussian{Sigma: 1.5}, GammaA: 1e-2, GammaI: 0.1, Graph: heat, Solver: lapsvm.Deformed, Calibrate: true},
		"supervised":     {Kernel: kernel.Gaussian{Sigma: 1.5}, GammaA: 1e-2, Supervised: true},
		"rules of thumb": {Kernel: kernel.Gaussian{}, RulesOfThumb: true},
		"chosen":         {Kernel: kernel.Gaussian{}, Graph: graph.Options{Metric: graph.Euclidean}},
	} {
		r.Precision = gram.Double
		want, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		r.Kernel = kernel.Distances{Sigma: r.Kernel.Parameters().Sigma}
		m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), given)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if a, b := want.Kernel().Parameters().Sigma, m.Kernel().Parameters().Sigma; m.Recipe().Graph.Metric != graph.Distances || m.Dim() != 90 || !(math.Abs(a-b) <= 1e-9*a) {
			t.Errorf("%s: the metric is %q, with %d features and sigma %v, of the Gaussian %v", name, m.Recipe().Graph.Metric, m.Dim(), b, a)
		}
		tolerance := 1e-7
		if name == "chosen" { // with a weight of 1e-6, which lets more of the rounding through
			tolerance = 1e-5
		}
		expected, got := scores(t, want, other.Points), scores(t, m, otherGiven.Points)
		if !agree(got, expected, tolerance) {
			t.Errorf("%s: decision values %v of the first new point, of the Gaussian %v", name, got[0], expected[0])
		}
		read := readBack(t, m)
		if !agree(scores(t, read, otherGiven.Points), got, 0) {
			t.Errorf("%s: other decision values from a file", name)
		}
		all, err := m.ExplainShares(t.Context(), otherGiven.Points.Slice(0, 1), lapsvm.ShareOptions{})
		if err != nil || len(all[0].Nearest) == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		if near := all[0].Nearest[0]; !(math.Abs(near.Distance-otherGiven.Points.At(0, near.Row)) <= 1e-12) {
			t.Errorf("%s: the nearest point is row %d at %v, which has the distance %v", name, near.Row, near.Distance, otherGiven.Points.At(0, near.Row))
		}
		if _, _, err := m.Prune(t.Context(), 0.1); err == nil {
			t.Errorf("%s: a model that knows no distances between its points is pruned", name)
		}
	}
}

// Far points have their own order: neighbours are by the distances and not by kernel values that are
// all 0.
func TestDistancesFarApart(t *testing.T) {
	d := around(40, 8, 2, 3)
	given := between(d, d)
	want, err := graph.FindNeighbours(t.Context(), d.Points, 5, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Distances{Sigma: 1e-3}, GammaA: 1, GammaI: 1, Graph: graph.Options{Neighbours: 5, Degree: 1}}}.Fit(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	got, err := graph.FindNeighbours(t.Context(), given.Points, 5, m.Recipe().Graph.Metric)
	if err != nil || fmt.Sprint(got.Index) != fmt.Sprint(want.Index) {
		t.Errorf("%v, other neighbours than those of the points", err)
	}
}

// What no distances are is told by row and column.
func TestDistancesThatAreNone(t *testing.T) {
	for change, want := range map[[3]float64]string{
		{1, 2, -1}:         "row 2, column 3: the distance is -1: no distance is negative",
		{3, 3, 0.5}:        "row 4, column 4: the distance of a point to itself is 0.5, not 0",
		{1, 2, 9}:          "the distances are not symmetric: points 3 and 2 have",
		{0, 1, math.NaN()}: "row 1, feature 2 is not a finite number",
	} {
		d := around(12, 6, 2, 1)
		given := between(d, d)
		values := make([]float64, 0, 144)
		for i := range 12 {
			for j := range 12 {
				v := given.Points.At(i, j)
				if float64(i) == change[0] && float64(j) == change[1] {
					v = change[2]
				}
				values = append(values, v)
			}
		}
		given.Points = points.Dense(12, 12, values)
		_, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Distances{Sigma: 1}, GammaA: 1, GammaI: 1, Graph: graph.Options{Neighbours: 2, Degree: 1}}}.Fit(t.Context(), given)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", change, err, want)
		}
	}
}

// Distances and kernel values that are off by rounding are taken as they were meant: 1 − ⟨x, y⟩ of rows of unit length has neither zeros on the
// diagonal nor mirrored values that agree.
func TestRoundedDistances(t *testing.T) {
	d := around(60, 20, 2, 4)
	unit := points.Scaling{Kind: points.UnitNorm}.Apply(d.Points)
	n := unit.Len()
	exact, off, kernels := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			product := 0.0
			for c, v := range unit.DenseRow(i) {
				product += v * unit.DenseRow(j)[c]
			}
			kernels[i*n+j] = product + 1e-9*float64(j-i)/float64(n)
			if i != j {
				exact[i*n+j] = 1 - product
			}
			off[i*n+j] = exact[i*n+j] - 2e-16*float64(i%2)
		}
	}
	table := func(values []float64) *dataset.Dataset {
		s := *d
		s.Points = points.Dense(n, n, values)
		return &s
	}
	r := lapsvm.Recipe{Kernel: kernel.Distances{Sigma: 0.3}, GammaA: 1e-2, Supervised: true}
	want, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), table(exact))
	if err != nil {
		t.Fatal(err)
	}
	got, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), table(off))
	if err != nil {
		t.Fatal(err)
	}
	if !agree(scores(t, got, points.Dense(n, n, exact)), scores(t, want, points.Dense(n, n, exact)), 1e-9) {
		t.Error("distances off by rounding give other decision values")
	}
	r.Kernel = kernel.Precomputed{}
	if _, err := (lapsvm.Trainer{Recipe: r}).Fit(t.Context(), table(kernels)); err != nil {
		t.Errorf("mirrored values that differ by 1e-9 of √(k_ii k_jj): %v", err)
	}
	for name, c := range map[string]struct {
		values []float64
		k      kernel.Kernel
		want   string
	}{
		"a kernel":   {kernels, kernel.Distances{}, "the distance of a point to itself is 1"},
		"distances":  {exact, kernel.Precomputed{}, "but that of point 1 with itself is 0: the matrix is indefinite"},
		"negative":   {negative(exact), kernel.Precomputed{}, "with itself is -1, and that of no kernel is negative"},
		"asymmetric": {asymmetric(kernels, n), kernel.Precomputed{}, "not symmetric"},
	} {
		r.Kernel = c.k
		if _, err := (lapsvm.Trainer{Recipe: r}).Fit(t.Context(), table(c.values)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// negative returns distances less 1.
func negative(values []float64) []float64 {
	other := make([]float64, len(values))
	for k, v := range values {
		other[k] = v - 1
	}
	return other
}

// asymmetric returns values of which one differs from its mirrored one.
func asymmetric(values []float64, n int) []float64 {
	other := slices.Clone(values)
	other[3*n+5] += 1e-3
	return other
}
