package selection

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
	"lapsvm/points"
)

// The finalists are the strongest machines, and have both kernels and different weights of the graph,
// whatever the log score for these is.
func TestFinalists(t *testing.T) {
	for labels, most := range map[int]int{3: 12, 100: 3, 24: 6} {
		a := toyComparison(t, train.Recipe{}, 100)
		a.task.Labelled = make([]int, labels)
		var machines []measured
		for k, gammaI := range []float64{1, 1, 1, 1, 1, 1, 1, 1, 1e-2, 100} {
			machines = append(machines, machineOf(0, 10, float64(k+1), gammaI, 0.1+0.01*float64(k), 0, 1))
		}
		machines = append(machines, machineOf(1, 10, 20, 1, 5, 0, 1), machineOf(1, 10, 21, 1, 6, 0, 1))
		want := []float64{1, 20, 9, 10, 2, 3, 4, 5, 6, 7, 8, 21} // γA of them
		var got []float64
		for _, c := range a.finalists(machines) {
			got = append(got, c.GammaA)
		}
		if !slices.Equal(got, want[:most]) {
			t.Errorf("%d labels: the finalists are %v, want %v", labels, got, want[:most])
		}
	}
}

// The best is measured with half and twice the neighbours and with other powers of the Laplacian, as
// far as these are open and the labels few.
func TestOtherGraphs(t *testing.T) {
	best := candidate{1, graph.Euclidean, 0, train.Member{Neighbours: 10, LaplacianDegree: 2, GammaA: 0.1, GammaI: 0.2}, false}
	for name, c := range map[string]struct {
		neighbours, degree int // as asked
		points             int
		labels, measured   int
		want               [][2]int
	}{
		"open":                 {points: 100, labels: 10, measured: 8, want: [][2]int{{5, 2}, {20, 2}, {10, 1}, {10, 3}}},
		"too few points":       {points: 20, labels: 10, measured: 8, want: [][2]int{{5, 2}, {10, 1}, {10, 3}}},
		"neighbours are asked": {neighbours: 10, points: 100, labels: 10, measured: 8, want: [][2]int{{10, 1}, {10, 3}}},
		"a power is asked":     {degree: 2, points: 100, labels: 10, measured: 8, want: [][2]int{{5, 2}, {20, 2}}},
		"many labels":          {points: 100, labels: 64, measured: 3, want: [][2]int{{5, 2}, {20, 2}}},
	} {
		a := comparisonOn(t, labelledMoons(c.points, 8, false), train.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, Standardise: points.AsIs}, train.Run{}, somePoints, 0)
		a.asked.Graph.Neighbours, a.asked.Graph.Degree, a.task.Labelled = c.neighbours, c.degree, make([]int, c.labels)
		var got [][2]int
		for _, o := range a.otherGraphs(best, c.measured) {
			if got = append(got, [2]int{o.Neighbours, o.LaplacianDegree}); o.kernel != 1 || o.GammaA != 0.1 || o.GammaI != 0.2 {
				t.Errorf("%s: %+v", name, o)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A part that misleads does no harm: its machines are compared again on all points, where another
// one is better.
func TestFinal(t *testing.T) {
	detector.Spare(t)
	d := dataset.TwoMoons(6600, 0.07, 4)
	truth := d.Y
	d.Y = make([]int, len(truth))
	for i := range d.Y {
		if d.Y[i] = dataset.Unlabelled; i < 8 {
			d.Y[i] = truth[i]
		}
	}
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, Standardise: "none"}
	a := comparisonOn(t, d, r, train.Run{}, somePoints, 0)
	if !a.isPart() {
		t.Fatal("no part")
	}
	machines, err := a.measure(t.Context(), a.machines, new(counter))
	if err != nil {
		t.Fatal(err)
	}
	for i := range machines {
		machines[i].modularity = 0
		if machines[i].GammaI == 100 {
			machines[i].modularity = 99
		}
	}
	errors := func(r train.Recipe) (n int) {
		f, err := train.Fit(t.Context(), d, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		class, err := f.Predictor().Predict(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range class {
			if y != truth[i] {
				n++
			}
		}
		return n
	}
	misled := a.recipeOf(r, a.take(machines, nil, -1))
	halfway := false
	final, err := a.final(t.Context(), d, misled, machines, train.Run{Observer: train.Observer{Progress: func(part string, done, total int) {
		halfway = halfway || part == "comparing the best on more points" && 0 < done && done < total
		if done > total {
			t.Errorf("%s: %d of %d", part, done, total)
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if pace := final.Choice.Pace; !halfway || pace.Panels == 0 || pace.Iterations < pace.Panels || pace.Products == 0 {
		t.Errorf("the comparison tells of its share: %v; its columns took %+v", halfway, pace)
	}
	before, after := errors(misled), errors(final)
	t.Logf("%d wrong by what was chosen with γI %v, %d with γI %v: %s", before, misled.GammaI, after, final.GammaI, final.Choice.Reason)
	if !(after < before) || misled.GammaI != 100 || final.GammaI == 100 || final.Choice.GammaI != final.GammaI || final.Choice.Neighbours != final.Graph.Neighbours || final.Open() || len(final.Members) > 0 {
		t.Errorf("%d wrong, before %d: %+v", after, before, final)
	}
	// Validation points, priors and supervised machines are not for it.
	for name, change := range map[string]func(*comparison, *train.Recipe){
		"supervised": func(_ *comparison, r *train.Recipe) { r.Supervised = true },
		"prior":      func(a *comparison, _ *train.Recipe) { a.asked.Prior = train.BalancedPrior },
		"validation": func(a *comparison, _ *train.Recipe) { a.held = &heldOut{validation: d.Points} },
	} {
		other, chosen := *a, misled
		change(&other, &chosen)
		if same, err := other.final(t.Context(), d, chosen, machines, train.Run{}); err != nil || same.GammaI != misled.GammaI || same.Choice != misled.Choice {
			t.Errorf("%s: %+v, %v", name, same, err)
		}
	}
}

// On many points the widths are theirs.
func TestFinalHasTheWidthOfManyPoints(t *testing.T) {
	d := labelledMoons(900, 14, false)
	r := train.Recipe{Standardise: "none", GammaA: 1e-2, GammaI: 1}
	a := comparisonOn(t, d, r, train.Run{}, 200, 0)
	machines, err := a.measure(t.Context(), a.machines, new(counter))
	if err != nil {
		t.Fatal(err)
	}
	final, err := a.final(t.Context(), d, a.recipeOf(r, a.take(machines, nil, -1)), machines, train.Run{})
	if err != nil || final.Open() || len(final.Members) > 0 {
		t.Fatal(final, err)
	}
	many := comparisonOn(t, d, r, train.Run{}, manyPoints, train.DefaultLandmarks/2)
	if !slices.Contains(slices.Collect(maps.Values(many.kernels)), final.Kernel) || slices.Contains(slices.Collect(maps.Values(a.kernels)), final.Kernel) || final.Choice.Sigma != final.Kernel.Parameters().Sigma {
		t.Errorf("the width %v, in the choice %v, is none of %v", final.Kernel, final.Choice.Sigma, many.kernels)
	}
}

// Of points that all have equal ones no neighbour is apart, so that the widths of a part have none
// to correspond to. What was chosen on the part stays.
func TestFinalWithoutThatWidth(t *testing.T) {
	once := labelledMoons(200, 14, false)
	rows := make([]int, 0, 8*200)
	for i := range 8 * 200 {
		rows = append(rows, i%200)
	}
	d := once.Subset(rows)
	for i := 200; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	r := train.Recipe{Standardise: "none", GammaA: 1e-2, GammaI: 1}
	a := comparisonOn(t, d, r, train.Run{}, 150, 0)
	machines, err := a.measure(t.Context(), a.machines, new(counter))
	if err != nil {
		t.Fatal(err)
	}
	chosen := a.recipeOf(r, a.take(machines, nil, -1))
	many := comparisonOn(t, d, r, train.Run{}, manyPoints, train.DefaultLandmarks/2)
	if a.kernels[nearest] == nil || many.kernels[nearest] != nil {
		t.Fatalf("the width is %v, of all points %v", a.kernels[nearest], many.kernels[nearest])
	}
	got, err := a.final(t.Context(), d, chosen, machines, train.Run{})
	if err != nil || got.Kernel != chosen.Kernel || got.Choice != chosen.Choice {
		t.Errorf("%+v, want %+v: %v", got, chosen, err)
	}
}

// Where the memory allows a comparison on a part alone, a single machine is chosen, though all points
// are few enough for a mean.
func TestPartByMemory(t *testing.T) {
	d := labelledMoons(900, 14, false)
	r, run := train.Recipe{Standardise: "none"}, train.Run{Memory: 1 << 10}
	for ; ; run.Memory += run.Memory / 2 {
		a, why, err := newComparison(t.Context(), d, r, run, somePoints, 0)
		if err != nil {
			t.Fatal(err)
		}
		if why == "" {
			if !a.isPart() || !a.recipe.PrefersExact(a.points, a.labels(), a.outputs) {
				t.Fatalf("%d of %d points", a.geometry.Len(), a.points)
			}
			break
		}
	}
	got, err := ChosenBy(t.Context(), d, r, run)
	if err != nil || len(got.Members) > 0 || got.Open() || got.Choice.Averaged > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := train.Fit(t.Context(), d, got, train.Run{}); err != nil {
		t.Error(err)
	}
}

// Where the finalists are lost in rounding on many points, others with less γI/γA are measured there.
func TestFinalistsLostInRounding(t *testing.T) {
	d := labelledMoons(900, 14, false)
	r := train.Recipe{Standardise: "none"}
	a, many := comparisonOn(t, d, r, train.Run{}, 200, 0), comparisonOn(t, d, r, train.Run{}, 900, 100)
	var machines []measured
	for k := range 12 {
		m := machineOf(nearest, 10, 1e-30, math.Inf(1), 0.1+0.01*float64(k), 0, 1)
		if m.LaplacianDegree = 2; k > 8 {
			m.GammaA, m.GammaI = 1e-2, float64(k)
		}
		machines = append(machines, m)
	}
	all, err := a.onMany(t.Context(), many, machines, new(counter))
	var got []float64
	for _, m := range all {
		got = append(got, m.GammaI)
	}
	if err != nil || !slices.Equal(got, []float64{9, 10, 11}) {
		t.Errorf("measured are those with γI %v, %v", got, err)
	}
	if all, err := a.onMany(t.Context(), many, machines[:9], new(counter)); err != nil || len(all) > 0 {
		t.Errorf("%d machines where all are lost, %v", len(all), err)
	}
}

// Fewer landmarks serve where the graph tells the classes, and not where labels alone do: on squares of a board, each with labels of its own. None are chosen where a number is asked for.
func TestEnough(t *testing.T) {
	board := func() *dataset.Dataset {
		rng := rand.New(rand.NewPCG(6, 2))
		values, d := make([]float64, 2*2500), &dataset.Dataset{Y: make([]int, 2500), Classes: []string{"black", "white"}}
		for i := range d.Y {
			x, y := 12*rng.Float64(), 12*rng.Float64()
			values[2*i], values[2*i+1] = x, y
			if d.Y[i] = (int(x) + int(y)) % 2; i >= 600 {
				d.Y[i] = dataset.Unlabelled
			}
		}
		d.Points = points.Dense(2500, 2, values)
		return d
	}()
	rng := rand.New(rand.NewPCG(6, 3))
	heaps := table(2500, 40, func(_, class int) (row []float64) {
		for range 5 {
			row = append(row, float64(class)+rng.NormFloat64())
		}
		return row
	})
	for name, c := range map[string]struct {
		d     *dataset.Dataset
		sigma float64
		graph float64 // its weight γI
		asked int
		want  int
	}{
		"two heaps":                {heaps, 3, 1, 0, 2 * edgesLandmarks},
		"two heaps, 300 asked for": {heaps, 3, 1, 300, 0},
		"a board of 12 squares":    {board, 0.5, 1e-4, 0, 0},
	} {
		r := train.Recipe{Kernel: kernel.Gaussian{Sigma: c.sigma}, Standardise: points.AsIs, Landmarks: c.asked}
		a := comparisonOn(t, c.d, r, train.Run{}, manyPoints, train.DefaultLandmarks/2)
		some, err := a.measure(t.Context(), []candidate{{0, graph.Euclidean, 0, train.Member{Neighbours: 10, LaplacianDegree: 2, GammaA: 1e-4, GammaI: c.graph}, false}}, new(counter))
		if err != nil || len(some) != 1 {
			t.Fatal(len(some), err)
		}
		if got, err := a.enough(t.Context(), some[0]); err != nil || got != c.want {
			t.Errorf("%s: %d landmarks serve, want %d; %v", name, got, c.want, err)
		}
	}
}
