package selection

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// labelledMoons returns two moons with the given number of labelled points. With lone it has a
// third class of a single label.
func labelledMoons(n, labelled int, lone bool) *dataset.Dataset {
	d := dataset.TwoMoons(n, 0.12, 4)
	d.Classes = []string{"in", "lone", "out"}
	for i := range d.Y {
		if d.Y[i] *= 2; i >= labelled {
			d.Y[i] = dataset.Unlabelled
		}
	}
	if lone {
		d.Y[n-1] = 1
	}
	return d
}

// A comparison gives up only on machines that would have no weight in the mean, whatever their
// modularity. A label that is alone in its class does not count.
func TestGivenUp(t *testing.T) {
	for _, lone := range []bool{false, true} {
		ctx, d := t.Context(), labelledMoons(60, 14, lone)
		r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Graph: graph.Options{Neighbours: 5}}
		c, why, err := newComparison(ctx, d, r, train.Run{}, choicePoints, 0)
		if err != nil || why != "" {
			t.Fatal(why, err)
		}
		if len(c.held.count) != 14 {
			t.Fatalf("%d labels count", len(c.held.count))
		}
		if err := c.compare(ctx, &counter{}); err != nil {
			t.Fatal(err)
		}
		least, l, given, kept := mean(best(c.measured).loss), float64(len(c.held.count)), 0, 0
		most := slices.Max(c.evidence(c.beliefs()[0], -1))
		all := everyLoss(ctx, t, c)
		for member, loss := range all {
			measured := slices.ContainsFunc(c.measured, func(m candidate) bool { return m.Member == member })
			weight := math.Exp(c.partition() - l*(loss-least)/(2*least) - most) // with a modularity of 1
			if !measured {
				given++
			} else if loss > least {
				kept++
			}
			if loss < least-1e-9 || !measured && weight > leastWeight*(1+1e-6) {
				t.Errorf("lone class %v: %+v with the loss %v, %v times the least, was given up; its weight is up to %v", lone, member, loss, loss/least, weight)
			}
		}
		if given == 0 || kept == 0 || len(all) != len(c.graphs)*len(c.gammas) {
			t.Errorf("of %d machines %d were given up: nothing is tested", len(all), given)
		}
	}
}

// everyLoss measures all candidates of a comparison with one kernel to the end.
func everyLoss(ctx context.Context, t *testing.T, c *comparison) map[train.Member]float64 {
	t.Helper()
	losses := make(map[train.Member]float64)
	g, err := c.geometry.WithKernel(ctx, c.kernels[0], gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range c.graphs {
		powers, err := g.Powers(ctx, member.Neighbours)
		if err != nil {
			t.Fatal(err)
		}
		view, err := powers.View(ctx, member.LaplacianDegree, c.task.Labelled, c.recipe.Bias)
		if err != nil {
			t.Fatal(err)
		}
		if err := view.Each(ctx, c.gammas, func(i int, cell *deformed.Cell) error {
			m, ok, err := c.held.measure(ctx, cell, math.Inf(1))
			if !ok {
				t.Error("a measurement to the end gave up")
			}
			member.GammaA, member.GammaI = c.gammas[i].A, c.gammas[i].I
			losses[member] = mean(m.loss)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return losses
}

// Half of a part has half of its points, the labels of the part among them, and the
// kernels of the part: else the losses of the two could not be compared.
func TestHalf(t *testing.T) {
	ctx, d := t.Context(), labelledMoons(1000, 12, false)
	c, why, err := newComparison(ctx, d, train.Recipe{}, train.Run{}, 240, 0)
	if err != nil || why != "" || !c.part {
		t.Fatal(why, err)
	}
	half, err := c.half(ctx, d, train.Run{})
	if err != nil || half == nil {
		t.Fatal(half, err)
	}
	if c.geometry.Len() != 240 || half.geometry.Len() != 120 || !reflect.DeepEqual(half.kernels, c.kernels) || len(c.kernels) != 4 {
		t.Errorf("%d of %d points, kernels %v of %v", half.geometry.Len(), c.geometry.Len(), half.kernels, c.kernels)
	}
	if !reflect.DeepEqual(half.gammas, c.gammas) || !reflect.DeepEqual(half.graphs, c.graphs) || !slices.Equal(half.task.Class, c.task.Class) {
		t.Error("the halves compare other machines, or other labels")
	}
	for k, i := range half.task.Labelled {
		if !slices.Equal(half.geometry.Points().DenseRow(i), c.geometry.Points().DenseRow(c.task.Labelled[k])) {
			t.Errorf("label %d is at another point", k)
		}
	}
	for i := range half.geometry.Len() {
		found := false
		for j := range c.geometry.Len() {
			found = found || slices.Equal(half.geometry.Points().DenseRow(i), c.geometry.Points().DenseRow(j))
		}
		if !found {
			t.Errorf("point %d of the half is none of the whole", i)
		}
	}
}

// Machines are averaged where all points and all labels were seen, by the exact
// solver; else the best is taken alone.
func TestWhatIsAveraged(t *testing.T) {
	g, err := geometry.New(t.Context(), points.Dense(3, 1, []float64{1, 2, 3}), geometry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	of, err := task.New(&dataset.Dataset{Points: g.Points(), Y: []int{0, 1, 0}, Classes: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	held := &holdOut{task: of, class: of.Class, count: []int{0, 1, 2}}
	one := func(neighbours int, output float64) candidate {
		m := candidate{Member: train.Member{Neighbours: neighbours, LaplacianDegree: 1, GammaA: 0.1, GammaI: 2}, scale: 1}
		held.compare(&m.measurement, [][]float64{{-output, output, -output}})
		return m
	}
	for name, c := range map[string]struct {
		part     bool
		unseen   int
		r        train.Recipe
		averaged bool
		solver   train.Solver
	}{
		"all seen":          {averaged: true, solver: train.Deformed},
		"a part":            {part: true, solver: train.Deformed},
		"unseen labels":     {unseen: 1, solver: train.Deformed},
		"asked for pcg":     {r: train.Recipe{Solver: train.PCG}, solver: train.PCG},
		"pcg is steered":    {r: train.Recipe{MaxIterations: 5}, solver: train.Auto},
		"asked for exact":   {r: train.Recipe{Solver: train.Deformed}, averaged: true, solver: train.Deformed},
		"seen and deformed": {r: train.Recipe{Seed: 4}, averaged: true, solver: train.Deformed},
	} {
		whole, err := c.r.WithDefaults()
		if err != nil {
			t.Fatal(err)
		}
		if c.r.Solver == "" {
			c.r.Solver = train.Auto
		}
		c.r.Standardise = points.AsIs
		comparison := &comparison{asked: c.r, recipe: whole, points: 3, task: of, geometry: g, part: c.part, unseen: c.unseen, held: held, widest: -1, columns: deformed.Columns{Targets: of.Targets()},
			kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 1}}, measured: []candidate{one(3, 0.55), one(5, 0.6)}, alone: []candidate{one(0, 0.1)}}
		got := comparison.chosen(c.r)
		if (len(got.Members) == 2) != c.averaged || (got.Choice.Averaged == 2) != c.averaged || got.Solver != c.solver {
			t.Errorf("%s: %d members by the solver %s", name, len(got.Members), got.Solver)
		}
		if leading := got.Leading(); leading.Neighbours != 5 || leading.GammaA != 0.1 || leading.GammaI != 2 || got.Choice.Neighbours != 5 || got.Open() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
