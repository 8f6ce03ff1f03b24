package lapsvm_test

import (
	"errors"
	"math"
	"math/rand/v2"
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

// around are n points about as many centres as there are classes, l of them labelled.
func around(n, l, classes int, seed uint64) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(seed, 7))
	d := &dataset.Dataset{Y: make([]int, n), Classes: []string{"a", "b", "c"}[:classes]}
	values := make([]float64, 0, 3*n)
	for i := range n {
		class := i % classes
		for k := range 3 {
			centre := 0.0
			if k == class {
				centre = 1.5
			}
			values = append(values, centre+0.5*rng.NormFloat64())
		}
		if d.Y[i] = class; i >= l {
			d.Y[i] = dataset.Unlabelled
		}
	}
	d.Points = points.Dense(n, 3, values)
	return d
}

// values returns d with the values of a Gaussian with the points of basis.
func values(d, basis *dataset.Dataset, sigma float64) *dataset.Dataset {
	n := basis.Points.Len()
	k := make([]float64, 0, d.Points.Len()*n)
	for i := range d.Points.Len() {
		for j := range n {
			k = append(k, math.Exp(-d.Points.SquaredDistance(i, basis.Points, j)/(2*sigma*sigma)))
		}
	}
	v := *d
	v.Points = points.Dense(d.Points.Len(), n, k)
	return &v
}

// agree reports whether two tables of decision values agree.
func agree(a, b [][]float64, tolerance float64) bool {
	for i := range a {
		for c := range a[i] {
			if !(math.Abs(a[i][c]-b[i][c]) <= tolerance) {
				return false
			}
		}
	}
	return len(a) == len(b)
}

// Machines on the values of a Gaussian are those of the Gaussian, by every solver, on
// all points and on the labelled alone, also at new points and from a file. Edges are
// without weights, as these would follow other distances.
func TestPrecomputed(t *testing.T) {
	const sigma = 1.5
	binary := graph.Options{Neighbours: 6, Degree: 2, Weights: graph.Binary}
	for _, classes := range []int{2, 3} {
		d, other := around(90, 24, classes, 1), around(20, 0, classes, 2)
		given, otherGiven := values(d, d, sigma), values(other, d, sigma)
		sparse := *otherGiven
		sparse.Points = asCSR(otherGiven.Points)
		for name, r := range map[string]lapsvm.Recipe{
			"pcg":            {GammaA: 1e-2, GammaI: 0.1, Graph: binary, Solver: lapsvm.PCG},
			"newton":         {GammaA: 1e-2, GammaI: 0.1, Graph: binary, Solver: lapsvm.Newton},
			"deformed":       {GammaA: 1e-2, GammaI: 0.1, Graph: binary, Solver: lapsvm.Deformed},
			"dual":           {GammaA: 1e-2, GammaI: 0.1, Graph: binary, Solver: lapsvm.Dual, Tolerance: 1e-11},
			"supervised":     {GammaA: 1e-2, Supervised: true},
			"calibrated":     {GammaA: 1e-2, GammaI: 0.1, Graph: binary, Calibrate: true, Solver: lapsvm.Newton},
			"chosen":         {GammaA: 1e-2, Graph: graph.Options{Weights: graph.Binary, Metric: graph.Euclidean}},
			"chosen svm":     {Supervised: true},
			"rules of thumb": {GammaA: 1e-2, Graph: graph.Options{Weights: graph.Binary}, RulesOfThumb: true},
		} {
			r.Precision = gram.Double
			r.Kernel = kernel.Gaussian{Sigma: sigma}
			want, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			r.Kernel = kernel.Precomputed{}
			m, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), given)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if m.Recipe().Gram != gram.FormPrecomputed || m.Recipe().Graph.Metric != graph.Kernel || m.Dim() != 90 || m.Basis() != m.Machines() {
				t.Errorf("%d classes, %s: the matrix is %s, the metric %q; %d features, %d basis points", classes, name, m.Recipe().Gram, m.Recipe().Graph.Metric, m.Dim(), m.Basis())
			}
			expected, got := scores(t, want, other.Points), scores(t, m, otherGiven.Points)
			if !agree(got, expected, 1e-9) {
				t.Errorf("%d classes, %s: decision values %v of the first new point, of the Gaussian %v", classes, name, got[0], expected[0])
			}
			if !agree(scores(t, m, sparse.Points), got, 1e-12) {
				t.Errorf("%d classes, %s: other decision values of sparse rows", classes, name)
			}
			if c := want.Calibration(); c != nil && !(math.Abs(m.Calibration().Slope-c.Slope) <= 1e-6*c.Slope) {
				t.Errorf("%d classes, %s: slope %v, of the Gaussian %v", classes, name, m.Calibration().Slope, c.Slope)
			}
			read := readBack(t, m)
			if !agree(scores(t, read, otherGiven.Points), got, 0) || read.Kernel() != (kernel.Precomputed{}) {
				t.Errorf("%d classes, %s: the model file gives other values", classes, name)
			}
			again, err := lapsvm.Trainer{Recipe: read.Recipe()}.Fit(t.Context(), given)
			if err != nil {
				t.Fatal(err)
			}
			if !agree(scores(t, again, otherGiven.Points), got, 0) {
				t.Errorf("%d classes, %s: trained again by its recipe it gives other values", classes, name)
			}
		}
	}
}

func scores(t *testing.T, m *lapsvm.Model, p *points.Points) [][]float64 {
	t.Helper()
	s, err := m.Scores(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func asCSR(p *points.Points) *points.Points {
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for i := range p.Len() {
		for j, v := range p.DenseRow(i) {
			index, value = append(index, int32(j)), append(value, v)
		}
		start = append(start, len(index))
	}
	return points.CSR(p.Dim(), start, index, value)
}

// Some rows of a table of kernel values are trained on by the columns that stand for
// them, and validation rows measured by these; the model takes all columns.
func TestPrecomputedSubset(t *testing.T) {
	const sigma = 1.5
	d := around(120, 120, 2, 3)
	given := values(d, d, sigma)
	var train, rest []int
	for i := range 120 {
		if i%3 == 1 {
			rest = append(rest, i)
		} else {
			train = append(train, 119-i)
		}
	}
	hide := func(d *dataset.Dataset) *dataset.Dataset {
		s := d.Subset(train)
		for k := 20; k < len(s.Y); k++ {
			s.Y[k] = dataset.Unlabelled
		}
		return s.Subset(consecutive(len(s.Y))) // of a subset
	}
	for _, r := range []lapsvm.Recipe{
		{GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 5, Degree: 1, Weights: graph.Binary}, Solver: lapsvm.PCG, Stop: "validation"},
		{Graph: graph.Options{Weights: graph.Binary, Metric: graph.Euclidean}},
	} {
		r.Precision, r.Kernel = gram.Double, kernel.Gaussian{Sigma: sigma}
		want, err := lapsvm.Trainer{Recipe: r, Run: lapsvm.Run{Validation: d.Subset(rest)}}.Fit(t.Context(), hide(d))
		if err != nil {
			t.Fatal(err)
		}
		r.Kernel = kernel.Precomputed{}
		got, err := lapsvm.Trainer{Recipe: r, Run: lapsvm.Run{Validation: given.Subset(rest)}}.Fit(t.Context(), hide(given))
		if err != nil {
			t.Fatal(err)
		}
		if want.Training().Iterations != got.Training().Iterations {
			t.Errorf("%v iterations, of the Gaussian %v", got.Training().Iterations, want.Training().Iterations)
		}
		if !agree(scores(t, got, given.Points), scores(t, want, d.Points), 1e-9) {
			t.Error("other decision values than of the Gaussian")
		}
	}
}

func consecutive(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Values that differ by rounding alone from their mirror images are averaged.
func TestPrecomputedRounding(t *testing.T) {
	d := around(60, 12, 2, 4)
	given := values(d, d, 1.5)
	r := lapsvm.Recipe{Kernel: kernel.Precomputed{}, GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 5, Degree: 1}, Solver: lapsvm.Newton, Precision: gram.Double}
	want, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	off := *given
	off.Points = points.Dense(60, 60, perturbed(given.Points, 1e-12))
	got, err := lapsvm.Trainer{Recipe: r}.Fit(t.Context(), &off)
	if err != nil {
		t.Fatal(err)
	}
	if !agree(scores(t, got, given.Points), scores(t, want, given.Points), 1e-9) {
		t.Error("rounding changes the decision values")
	}
}

// perturbed multiplies the values above the diagonal by 1 + by.
func perturbed(p *points.Points, by float64) []float64 {
	v := slices.Clone(p.Rows(0, p.Len(), nil))
	for i := range p.Len() {
		for j := i + 1; j < p.Len(); j++ {
			v[i*p.Len()+j] *= 1 + by
		}
	}
	return v
}

// What is no table of kernel values is refused, with the reason.
func TestPrecomputedErrors(t *testing.T) {
	d := around(40, 10, 2, 5)
	given := values(d, d, 1.5)
	with := func(p *points.Points, column []int) *dataset.Dataset {
		v := *given
		v.Points, v.Column = p, column
		return &v
	}
	all := given.Points.Rows(0, 40, nil)
	notFinite := slices.Clone(all)
	notFinite[85] = math.NaN()
	good := lapsvm.Recipe{Kernel: kernel.Precomputed{}, GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 5, Degree: 1}}
	change := func(f func(*lapsvm.Recipe)) lapsvm.Recipe {
		r := good
		f(&r)
		return r
	}
	for text, c := range map[string]struct {
		d *dataset.Dataset
		r lapsvm.Recipe
	}{
		"40 rows of 3 kernel values":                                    {d, good},
		"not symmetric: points 2 and 1 have 0.33":                       {with(points.Dense(40, 40, perturbed(given.Points, 1e-3)), nil), good},
		"row 3, feature 6":                                              {with(points.Dense(40, 40, notFinite), nil), good},
		"3 numbers of rows for 40 points: give Column":                  {with(given.Points, []int{1, 2, 3}), good},
		"column 41 is named for row 1":                                  {with(given.Points, slices.Repeat([]int{40}, 40)), good},
		"Standardise zscore and Kernel precomputed exclude each other":  {given, change(func(r *lapsvm.Recipe) { r.Standardise = points.ZScore })},
		"Graph.Metric cosine and Kernel precomputed exclude each other": {given, change(func(r *lapsvm.Recipe) { r.Graph.Metric = graph.Cosine })},
		"belongs to the kernels precomputed and distances":              {d, change(func(r *lapsvm.Recipe) { r.Kernel, r.Graph.Metric = kernel.Linear{}, graph.Kernel })},
		"cannot be had in the form half":                                {given, change(func(r *lapsvm.Recipe) { r.Gram = gram.FormHalf })},
	} {
		_, err := lapsvm.Trainer{Recipe: c.r}.Fit(t.Context(), c.d)
		if err == nil || !strings.Contains(err.Error(), text) || !(errors.Is(err, lapsvm.ErrData) || errors.Is(err, lapsvm.ErrParameter)) {
			t.Errorf("error %v, want one about %q", err, text)
		}
	}
	m, err := lapsvm.Trainer{Recipe: good}.Fit(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Scores(t.Context(), d.Points); err == nil || !strings.Contains(err.Error(), "3 features, the model was trained on 40") {
		t.Errorf("points in place of kernel values: %v", err)
	}
	if _, err := graph.FindNeighbours(t.Context(), d.Points, 3, graph.Kernel); err == nil || !strings.Contains(err.Error(), "40 rows of 3") {
		t.Errorf("neighbours in a table that is not square: %v", err)
	}
}

// An indefinite matrix is not refused, and gives decision values.
func TestPrecomputedIndefinite(t *testing.T) {
	d := around(60, 20, 2, 6)
	k := make([]float64, 0, 3600)
	for i := range 60 {
		for j := range 60 {
			k = append(k, math.Tanh(1-d.Points.SquaredDistance(i, d.Points, j)/4))
		}
	}
	given := *d
	given.Points = points.Dense(60, 60, k)
	for _, solver := range []lapsvm.Solver{lapsvm.PCG, lapsvm.Newton, lapsvm.Deformed, lapsvm.Dual} {
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Precomputed{}, GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 5, Degree: 1}, Solver: solver}}.Fit(t.Context(), &given)
		if err != nil {
			t.Errorf("%s: %v", solver, err)
			continue
		}
		for i, row := range scores(t, m, given.Points) {
			if math.IsNaN(row[0]) || math.IsInf(row[0], 0) {
				t.Fatalf("%s: point %d has the decision value %v", solver, i, row[0])
			}
		}
	}
}
