package lapsvm_test

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// rings is rows without a feature: the corners of two rings, of which one corner each has a label.
func rings(t *testing.T, corners int) *dataset.Dataset {
	t.Helper()
	d := &dataset.Dataset{Classes: []string{"inner", "outer"}, Featureless: true}
	n := 2 * corners
	start, index, value := []int{0}, []int32{}, []float64{}
	var arcs []dataset.Arc
	for i := range n {
		start, index, value = append(start, i+1), append(index, int32(i)), append(value, 1)
		ring := i / corners
		arcs = append(arcs, dataset.Arc{From: i, To: ring*corners + (i+1)%corners, Weight: 1})
		d.Y, d.Features = append(d.Y, dataset.Unlabelled), append(d.Features, "r"+strconv.Itoa(i))
	}
	d.Y[0], d.Y[corners] = 0, 1
	d.Points = points.CSR(n, start, index, value)
	d.Edges, _ = dataset.NewEdges(arcs)
	return d
}

// New rows have the weighted mean of the decision values of the rows that they are joined to, by a model read back from its file too.
func TestFeaturelessRowsByEdges(t *testing.T) {
	d := rings(t, 8)
	recipe := lapsvm.Recipe{Kernel: kernel.Linear{}, GammaA: 1e-3, GammaI: 1, Standardise: points.AsIs, Seed: 1,
		Graph: graph.Options{EdgesAlone: true, Degree: 1}}
	trained, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	m := readBack(t, trained)
	if !m.Featureless() || !slices.Equal(m.Features(), d.Features) {
		t.Fatalf("the model is of features: %v", m.Features())
	}
	f, err := m.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	bias := m.Predictor().Expansion().Bias[0]
	arcs := []dataset.Arc{{From: 0, To: 2, Weight: 1}, {From: 0, To: 11, Weight: 3}, {From: 1, To: 5, Weight: 2}, {From: 1, To: 6, Weight: -2}, {From: 3, To: 9, Weight: 1e300}, {From: 3, To: 10, Weight: 1e300}, {From: 0, To: 2, Weight: 1}}
	rows := m.FeaturelessRows(4)
	got, err := m.ScoresByEdges(t.Context(), rows, arcs)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{(2*f[2][1] + 3*f[11][1]) / 5, bias + (f[5][1]-f[6][1])/2, bias, (f[9][1] + f[10][1]) / 2} {
		if !(math.Abs(got[i][1]-want) <= 1e-12) {
			t.Errorf("row %d has %v, not %v", i, got[i][1], want)
		}
	}
	if !(f[2][1] < 0 && f[11][1] > 0) {
		t.Errorf("the rings are decided as %v", f)
	}
	report, same, err := m.DriftByEdges(t.Context(), &dataset.Dataset{Points: rows, Y: make([]int, 4)}, arcs)
	if err != nil || report == nil || report.Rows != nil || !reflect.DeepEqual(same, got) {
		t.Errorf("means of rows are far: %+v, %v", report, err)
	}
	for _, wrong := range []dataset.Arc{{From: 4, To: 1, Weight: 1}, {From: 1, To: 16, Weight: 1}, {From: -1, To: 1, Weight: 1}, {From: 1, To: 1, Weight: math.NaN()}} {
		if _, err := m.ScoresByEdges(t.Context(), rows, []dataset.Arc{wrong}); !errors.Is(err, lapsvm.ErrParameter) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// clouds is points of three classes about the corners of a triangle, four in each with a label, and edges within a class and, of negative weight, between two.
func clouds(n int) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(1, 2))
	var values []float64
	var arcs []dataset.Arc
	d := &dataset.Dataset{Classes: []string{"a", "b", "c"}}
	for i := range n {
		values = append(values, rng.NormFloat64()+2*float64(i%3), rng.NormFloat64()+2*float64(i%3%2))
		if d.Y = append(d.Y, dataset.Unlabelled); i < 12 {
			d.Y[i] = i % 3
		}
		for range 3 {
			if j := rng.IntN(n); j%3 == i%3 {
				arcs = append(arcs, dataset.Arc{From: i, To: j, Weight: 1 + rng.Float64()})
			} else if rng.IntN(5) == 0 {
				arcs = append(arcs, dataset.Arc{From: i, To: j, Weight: -1})
			}
		}
	}
	d.Points = points.Dense(n, 2, values)
	d.Edges, _ = dataset.NewEdges(arcs)
	return d
}

// A row with features has the value that minimises what its given edges and those of neighbours add to the intrinsic norm, and it to the ambient one.
// What stands beside given edges is computed anew here. So it is of a model read from its file.
func TestRowsByEdgesBesideFeatures(t *testing.T) {
	both := graph.Options{Neighbours: 5, Degree: 2, EdgeWeight: 3}
	for name, graph := range map[string]graph.Options{"beside": both, "ordered": both, "alone": {EdgesAlone: true, Degree: 2}, "by edges": {EdgesAlone: true, Degree: 2}} {
		d := clouds(90)
		d.Edges.Names = make([]string, 90)
		for i := range d.Edges.Names {
			d.Edges.Names[i] = "r" + strconv.Itoa(i)
		}
		recipe := lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1e-3, GammaI: 0.1, Standardise: points.AsIs, Seed: 1, Graph: graph}
		if recipe.ByEdges = name == "by edges"; name == "ordered" {
			recipe.Kind = lapsvm.Ordered("c", "a", "b")
		}
		trained, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		m := readBack(t, trained)
		if names, n := m.JoinedRows(); n != 90 || !slices.Equal(names, d.Edges.Names) {
			t.Fatalf("%s: the model joins %d rows called %q", name, n, names)
		}
		f, x := trained.Training().Scores, points.Dense(3, 2, []float64{1, 1, 4, 0, 2, 2})
		g, err := m.Scores(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		arcs := []dataset.Arc{{From: 0, To: 4, Weight: 2}, {From: 0, To: 20, Weight: -0.5}, {From: 2, To: 7, Weight: 1e300}, {From: 0, To: 5, Weight: 1}}
		got, err := m.ScoresByEdges(t.Context(), x, arcs)
		if err != nil {
			t.Fatal(err)
		}
		unit, degree := 0.0, 0.0
		for _, w := range d.Edges.Weight {
			unit += math.Abs(w) / float64(d.Edges.Len())
		}
		c := 1 / unit
		if !graph.EdgesAlone {
			c, degree = 3/unit, meanDegree(d.Points, 5)
		}
		ofRow := degree + c*unit*2*float64(d.Edges.Len())/90
		beside := degree + 1e-3/0.1*ofRow/openVariance(d.Points)
		if recipe.ByEdges {
			beside = 0
		}
		bias := m.Predictor().Expansion().Bias
		if name == "ordered" {
			bias = []float64{-bias[0] - bias[1], bias[0] - bias[1], bias[0] + bias[1]}
		}
		for class, b := range bias {
			cost := func(h float64) float64 {
				sum := beside * (h - (g[0][class] - b)) * (h - (g[0][class] - b))
				for _, a := range arcs {
					if sign := math.Copysign(1, a.Weight); a.From == 0 {
						e := h - sign*(f[a.To][class]-b)
						sum += c * math.Abs(a.Weight) * e * e
					}
				}
				return sum
			}
			h := got[0][class] - b
			const step = 1e-3 // of a parabola, whose minimum differences find exactly
			at := h - step*(cost(h+step)-cost(h-step))/(cost(h+step)-2*cost(h)+cost(h-step))/2
			if !(math.Abs(at-h) <= 1e-6*math.Abs(h)) {
				t.Errorf("%s, class %d: %v, and the minimum is at %v", name, class, h, at)
			}
			if got[1][class] != g[1][class] {
				t.Errorf("%s: a row without an edge has %v, not %v", name, got[1][class], g[1][class])
			}
			if !(math.Abs(got[2][class]-f[7][class]) <= 1e-9) {
				t.Errorf("%s: a row with the one edge has %v, not %v", name, got[2][class], f[7][class])
			}
		}
	}
	without := clouds(90)
	without.Edges = dataset.Edges{}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 5, Degree: 2}}}.Fit(t.Context(), without)
	if err != nil {
		t.Fatal(err)
	}
	if _, n := m.JoinedRows(); n != 0 {
		t.Errorf("a model without edges joins %d rows", n)
	}
	if _, err := m.ScoresByEdges(t.Context(), without.Points, nil); !errors.Is(err, lapsvm.ErrParameter) {
		t.Errorf("of a model without edges: %v", err)
	}
}

// openVariance is the mean of 1/(K⁻¹)_ii of the Gaussian kernel of width 1.
func openVariance(p *points.Points) float64 {
	n := p.Len()
	k := identity(n)
	for i := range k {
		for j := range k {
			k[i][j] = math.Exp(-p.SquaredDistance(i, p, j) / 2)
		}
		k[i][i] += 1e-8
	}
	sum := 0.0
	for i, row := range inverse(k) {
		sum += 1 / row[i] / float64(n)
	}
	return sum
}

// meanDegree is the mean sum of the weights of a row in the graph of k Euclidean neighbours: exp(−d²/2t²), where t is the mean of their distances.
func meanDegree(p *points.Points, k int) float64 {
	n := p.Len()
	distance := func(i, j int) float64 { return math.Sqrt(p.SquaredDistance(i, p, j)) }
	near, width := make([][]int, n), 0.0
	for i := range near {
		for j := range n {
			if j != i {
				near[i] = append(near[i], j)
			}
		}
		slices.SortFunc(near[i], func(a, b int) int { return cmp.Compare(distance(i, a), distance(i, b)) })
		near[i] = near[i][:k]
		for _, j := range near[i] {
			width += distance(i, j) / float64(n*k)
		}
	}
	sum := 0.0
	for i := range n {
		for j := range n {
			if slices.Contains(near[i], j) || slices.Contains(near[j], i) {
				sum += math.Exp(-distance(i, j) * distance(i, j) / (2 * width * width))
			}
		}
	}
	return sum / float64(n)
}

// Without features the machine is one of the regularised Laplacian kernel (I + sLᵖ)⁻¹ with s = γI/γA: on the labelled rows alone, with that
// kernel given, a supervised machine has the same decision values.
func TestFeaturelessIsTheLaplacianKernel(t *testing.T) {
	const corners, gammaA, gammaI = 8, 0.05, 2.0
	n := 2 * corners
	d := rings(t, corners)
	arcs := []dataset.Arc{{From: 1, To: 12, Weight: 0.5}}
	for k := range d.Edges.Len() {
		arcs = append(arcs, dataset.Arc{From: int(d.Edges.From[k]), To: int(d.Edges.To[k]), Weight: d.Edges.Weight[k]})
	}
	d.Edges, _ = dataset.NewEdges(arcs)
	d.Y[3], d.Y[10], d.Y[12] = 0, 1, 1
	mean := 0.0
	for _, w := range d.Edges.Weight {
		mean += w / float64(d.Edges.Len())
	}
	for degree := 1; degree <= 3; degree++ {
		laplacian := make([][]float64, n)
		for i := range laplacian {
			laplacian[i] = make([]float64, n)
		}
		for k, w := range d.Edges.Weight {
			i, j := d.Edges.From[k], d.Edges.To[k]
			w /= mean
			laplacian[i][i], laplacian[j][j] = laplacian[i][i]+w, laplacian[j][j]+w
			laplacian[i][j], laplacian[j][i] = laplacian[i][j]-w, laplacian[j][i]-w
		}
		power := identity(n)
		for range degree {
			power = product(power, laplacian)
		}
		for i, row := range power {
			for j := range row {
				row[j] *= gammaI / gammaA
			}
			row[i]++
		}
		of := *d
		of.Features, of.Featureless, of.Edges = nil, false, dataset.Edges{}
		of.Points = points.Dense(n, n, slices.Concat(inverse(power)...))
		recipe := lapsvm.Recipe{Kernel: kernel.Linear{}, GammaA: gammaA, GammaI: gammaI, Standardise: points.AsIs, Precision: 64, Bias: lapsvm.BiasOutside, Solver: lapsvm.Deformed, Seed: 1,
			Graph: graph.Options{EdgesAlone: true, Degree: degree, Unnormalised: true}}
		byEdges, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		alone := lapsvm.Recipe{Kernel: kernel.Precomputed{}, GammaA: gammaA, Supervised: true, Standardise: points.AsIs, Precision: 64, Bias: lapsvm.BiasOutside, Solver: lapsvm.Deformed, Seed: 1}
		given, err := lapsvm.Trainer{Recipe: alone}.Fit(t.Context(), &of)
		if err != nil {
			t.Fatal(err)
		}
		want, err := given.Scores(t.Context(), of.Points)
		if err != nil {
			t.Fatal(err)
		}
		got, err := byEdges.Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if !(math.Abs(got[i][1]-want[i][1]) <= 1e-8) {
				t.Errorf("power %d, row %d: %v by edges, %v by the kernel", degree, i, got[i][1], want[i][1])
			}
		}
	}
}

func identity(n int) [][]float64 {
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, n)
		all[i][i] = 1
	}
	return all
}

func product(a, b [][]float64) [][]float64 {
	all := make([][]float64, len(a))
	for i, row := range a {
		all[i] = make([]float64, len(b))
		for k, v := range row {
			for j, w := range b[k] {
				all[i][j] += v * w
			}
		}
	}
	return all
}

// inverse is that of a symmetric positive definite matrix, by elimination.
func inverse(a [][]float64) [][]float64 {
	left, right := make([][]float64, len(a)), identity(len(a))
	for i, row := range a {
		left[i] = slices.Clone(row)
	}
	for k := range left {
		pivot := left[k][k]
		for j := range left {
			left[k][j], right[k][j] = left[k][j]/pivot, right[k][j]/pivot
		}
		for i := range left {
			if v := left[i][k]; i != k && v != 0 {
				for j := range left {
					left[i][j], right[i][j] = left[i][j]-v*left[k][j], right[i][j]-v*right[k][j]
				}
			}
		}
	}
	return right
}
