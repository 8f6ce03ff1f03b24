package train

import (
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// relabelled returns the points of d with a label of every third point, of the given number of
// classes.
func relabelled(d *dataset.Dataset, classes int) *dataset.Dataset {
	other := *d
	other.Y, other.Classes = make([]int, len(d.Y)), []string{"p", "q", "r", "s"}[:classes]
	other.Weights = make([]float64, len(d.Y))
	for i := range other.Y {
		other.Y[i], other.Weights[i] = dataset.Unlabelled, 1+float64(i%5)/5
		if i%3 == 0 {
			other.Y[i] = i / 3 % classes
		}
	}
	return &other
}

// same compares what two trainings made, to the bit.
func same(t *testing.T, what string, got, want *Fitted) {
	t.Helper()
	rows := got.Rows
	for _, c := range []struct {
		part      string
		got, want any
	}{
		{"coefficients", got.Expansion.Coefficients, want.Expansion.Coefficients},
		{"biases", got.Expansion.Bias, want.Expansion.Bias},
		{"kernel", got.Expansion.Kernel, want.Expansion.Kernel},
		{"rows", rows, want.Rows},
		{"classes", got.Class, want.Class},
		{"outputs", got.Summary.Scores, want.Summary.Scores},
		{"objective", got.Summary.Objective, want.Summary.Objective},
		{"iterations", got.Summary.Iterations, want.Summary.Iterations},
		{"graph", got.Summary.Graph, want.Summary.Graph},
		{"calibration", got.Calibration, want.Calibration},
		{"held-out values", got.Summary.HeldOut, want.Summary.HeldOut},
		{"label shares", got.LabelShares, want.LabelShares},
		{"recipe", got.Recipe, want.Recipe},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: the %s are %v, by a training of its own %v", what, c.part, c.got, c.want)
		}
	}
}

// One geometry serves several tasks in turn, one of them twice, as if each had a geometry of its
// own.
func TestTasksShareAGeometry(t *testing.T) {
	g := kernel.Gaussian{Sigma: 0.4}
	near := graph.Options{Neighbours: 5, Degree: 2}
	first := few(60, 8)
	for name, r := range map[string]Recipe{
		"pcg":           {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Graph: near, Solver: PCG, Calibrate: true},
		"pcg, outside":  {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Graph: near, Solver: PCG, Bias: objective.BiasOutside, Precision: 64},
		"newton":        {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Graph: near, Solver: Newton, Calibrate: true},
		"deformed":      {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Graph: near, Solver: Deformed, Calibrate: true, LabelShares: true},
		"dual":          {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Graph: near, Solver: Dual},
		"members":       {Kernel: g, Members: pair(nil), Calibrate: true},
		"cosine":        {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 5, Degree: 1, Metric: graph.Cosine, Weights: graph.Binary}, Solver: PCG},
		"self-tuning":   {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 5, Degree: 2, Metric: graph.SelfTuning}, Solver: Newton},
		"open width":    {GammaA: 1e-3, GammaI: 0.1, Graph: near, Solver: PCG},
		"with a prior":  {Kernel: g, GammaA: 1e-3, GammaI: 0.1, Graph: near, Solver: Newton, Prior: BalancedPrior},
		"linear kernel": {Kernel: kernel.Linear{}, GammaA: 1e-3, GammaI: 0.1, Graph: near, Solver: PCG},
	} {
		begun, err := Begin(t.Context(), first, r, Run{})
		if err != nil {
			t.Fatal(name, err)
		}
		shared := begun.Geometry
		for k, d := range []*dataset.Dataset{first, relabelled(first, 2), relabelled(first, 4), few(60, 20), first} {
			of, err := task.Kind{}.Read(d)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Pose(t.Context(), shared, of, begun.Recipe, Run{})
			if err != nil {
				t.Fatal(name, err)
			}
			p.Scaling, p.reason = begun.Scaling, begun.reason
			got, err := p.Solve(t.Context(), nil, Run{})
			if err != nil {
				t.Fatal(name, err)
			}
			want, err := Fit(t.Context(), d, r, Run{})
			if err != nil {
				t.Fatal(name, err)
			}
			same(t, name+", task "+string(rune('1'+k)), got, want)
		}
		shared.Close()
	}
}

// Cells of a grid share a geometry too, the weights of which it does not know.
func TestWeightsShareAGeometry(t *testing.T) {
	d := few(60, 8)
	shared, err := geometry.New(t.Context(), d.Points, geometry.Options{Kernel: kernel.Gaussian{Sigma: 0.4}, Precision: 64, Graph: graph.Options{Neighbours: 10, Metric: graph.Euclidean, Weights: graph.Heat}})
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	of, err := task.Kind{}.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []Solver{PCG, Newton, Deformed} {
		for _, c := range []Member{{3, 1, 1e-3, 1, 1}, {10, 2, 1e-3, 1, 1}, {3, 1, 0.1, 0.01, 1}, {3, 3, 1e-3, 1, 1}} {
			r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, GammaA: c.GammaA, GammaI: c.GammaI, Solver: solver, Precision: 64}
			r.Graph = graph.Options{Neighbours: c.Neighbours, Degree: c.LaplacianDegree}
			want, err := Fit(t.Context(), d, r, Run{})
			if err != nil {
				t.Fatal(err)
			}
			whole := want.Recipe
			whole.Graph.HeatWidth = 0
			p, err := Pose(t.Context(), shared, of, whole, Run{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Solve(t.Context(), nil, Run{})
			if err != nil {
				t.Fatal(err)
			}
			got.Summary.Gram, want.Summary.Gram = "", ""
			if !slices.EqualFunc(got.Expansion.Coefficients, want.Expansion.Coefficients, slices.Equal[[]float64]) || !slices.Equal(got.Expansion.Bias, want.Expansion.Bias) || !reflect.DeepEqual(got.Recipe, want.Recipe) {
				t.Errorf("%s, %+v: another model on a shared geometry: %+v, alone %+v", solver, c, got.Recipe, want.Recipe)
			}
		}
	}
}
