package selection

import (
	"maps"
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
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

// comparisonOn returns a comparison on at most so many points of d.
func comparisonOn(t *testing.T, d *dataset.Dataset, r train.Recipe, run train.Run, most, landmarks int) *comparison {
	t.Helper()
	a, why, err := newComparison(t.Context(), d, r, run, most, landmarks)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	return a
}

// toyComparison returns a comparison on the points 1, 2 and 3 of so many, with three labels of two classes.
func toyComparison(t *testing.T, r train.Recipe, all int) *comparison {
	t.Helper()
	g, err := geometry.New(t.Context(), points.Dense(3, 1, []float64{1, 2, 3}), geometry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	of, err := task.Kind{}.Read(&dataset.Dataset{Points: g.Points(), Y: []int{0, 1, 0}, Classes: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	a := &comparison{asked: r, sample: sample{points: all}, task: of, geometry: g,
		candidates: candidates{kernels: kernels{whole: kernel.Gaussian{Sigma: 1}, nearest: kernel.Gaussian{Sigma: 2}}}, held: hold(of)}
	a.held.count = []int{0, 1, 2}
	if a.recipe, err = r.WithDefaults(); err != nil {
		t.Fatal(err)
	}
	return a
}

// trainedAnew returns the scores at x of a candidate that is trained on the labels of d.
func trainedAnew(t *testing.T, d *dataset.Dataset, a *comparison, c candidate, loss objective.Loss, x *points.Points) [][]float64 {
	t.Helper()
	r := train.Recipe{Kernel: a.kernels[c.kernel], GammaA: c.GammaA, GammaI: c.GammaI, Supervised: c.supervised(), Loss: loss, Solver: train.Deformed,
		Bias: a.recipe.Bias, ClassWeight: a.asked.ClassWeight, Standardise: points.AsIs, RulesOfThumb: true}
	r.Graph.Neighbours, r.Graph.Degree = c.Neighbours, c.LaplacianDegree
	f, err := train.Fit(t.Context(), d, r, train.Run{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := f.Predictor().Scores(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// lossOf returns the squared hinge of a row of scores, summed over the machines.
func lossOf(row []float64, class int) (loss float64) {
	for c, f := range row {
		if len(row) == 2 && c == 0 {
			continue // two classes are one machine
		}
		if c != class {
			f = -f
		}
		loss += math.Pow(max(0, 1-f), 2)
	}
	return loss
}

// The loss of a label is that of a machine trained anew without the label, with the squared loss. A label that is alone in its class does not count.
func TestMeasureIsTrainingAnew(t *testing.T) {
	for name, test := range map[string]struct {
		r    train.Recipe
		lone bool
	}{
		"two classes":         {r: train.Recipe{}},
		"three":               {r: train.Recipe{Bias: objective.NoBias}, lone: true},
		"three, weighted":     {r: train.Recipe{ClassWeight: train.ClassWeights{"in": 3}}, lone: true},
		"with a bias outside": {r: train.Recipe{Bias: objective.BiasOutside}},
		"the hinge":           {r: train.Recipe{Loss: objective.Hinge}},
		"weighted":            {r: train.Recipe{ClassWeight: train.ClassWeights{"out": 0.5}}},
	} {
		d := labelledMoons(40, 9, test.lone)
		test.r.Kernel, test.r.Standardise = kernel.Gaussian{Sigma: 0.5}, points.AsIs
		a := comparisonOn(t, d, test.r, train.Run{}, somePoints, 0)
		list := []candidate{
			{Member: train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 1}},
			{Member: train.Member{Neighbours: 3, LaplacianDegree: 1, GammaA: 1e-1, GammaI: 1e-2}},
			{Member: train.Member{GammaA: 1e-2}},
		}
		all, err := a.measure(t.Context(), list, new(counter))
		if err != nil || len(all) != len(list) || len(a.held.count) != 9 {
			t.Fatalf("%s: %d machines, %d labels, %v", name, len(all), len(a.held.count), err)
		}
		var weights []float64 // of the labels
		for _, k := range a.task.Labelled {
			weight := 1.0
			if by, ok := test.r.ClassWeight.(train.ClassWeights); ok && by[d.Classes[d.Y[k]]] > 0 {
				weight = by[d.Classes[d.Y[k]]]
			}
			weights = append(weights, weight)
		}
		for _, m := range all {
			for at, k := range a.held.count {
				fewer, row := *d, a.task.Labelled[k]
				fewer.Y = slices.Clone(d.Y)
				fewer.Y[row] = dataset.Unlabelled
				scores := trainedAnew(t, &fewer, a, m.candidate, objective.Squared, d.Points.Subset([]int{row}))
				if want := lossOf(scores[0], a.task.Class[k]) * weights[k] / mean(weights); !(math.Abs(m.losses[at]-want) <= 1e-8*(1+want)) {
					t.Errorf("%s, %+v: label %d has the loss %v, trained without it %v", name, m.Member, k, m.losses[at], want)
				}
			}
		}
	}
}

// With validation points the losses are theirs, of machines trained on all labels.
func TestMeasureByValidationPoints(t *testing.T) {
	d, v := labelledMoons(60, 20, false), labelledMoons(200, 200, false).Subset([]int{120, 130, 140, 150, 160, 170, 180, 199})
	a := comparisonOn(t, d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Standardise: points.AsIs}, train.Run{Validation: v}, somePoints, 0)
	list := []candidate{{Member: train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 1e-4}}, {Member: train.Member{GammaA: 1e-2}}}
	all, err := a.measure(t.Context(), list, new(counter))
	if err != nil || len(all) != len(list) || len(all[0].losses) != 8 {
		t.Fatal(len(all), err)
	}
	for _, m := range all {
		for k, row := range trainedAnew(t, d, a, m.candidate, objective.Squared, v.Points) {
			if want := lossOf(row, v.Y[k]/2); !(math.Abs(m.losses[k]-want) <= 1e-8*(1+want)) {
				t.Errorf("%+v: validation point %d has the loss %v, trained %v", m.Member, k, m.losses[k], want)
			}
		}
	}
}

// Modularity and scale are those of the outputs at all points, in the graph of 10 neighbours.
func TestFitOfAllPoints(t *testing.T) {
	d := labelledMoons(60, 8, false)
	a := comparisonOn(t, d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Standardise: points.AsIs}, train.Run{}, somePoints, 0)
	all, err := a.measure(t.Context(), []candidate{{Member: train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 1}}}, new(counter))
	if err != nil || len(all) != 1 {
		t.Fatal(len(all), err)
	}
	w, _, err := a.geometry.Graph(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	scores := trainedAnew(t, d, a, all[0].candidate, objective.Squared, d.Points)
	square, within, degree := 0.0, 0.0, [2]float64{}
	class := func(i int) int {
		if scores[i][1] > 0 {
			return 1
		}
		return 0
	}
	for _, row := range scores {
		square += row[1] * row[1] / float64(len(scores))
	}
	for i := range scores {
		index, weight := w.Row(i)
		for k, j := range index {
			degree[class(i)] += weight[k]
			if class(i) == class(int(j)) {
				within += weight[k]
			}
		}
	}
	total := degree[0] + degree[1]
	uneven := math.Pow(degree[0]/total, 2) + math.Pow(degree[1]/total, 2)
	want := (within/total - uneven) * math.Sqrt(0.5/(1-uneven))
	if m := all[0]; !(math.Abs(m.modularity-want) <= 1e-12) || !(math.Abs(m.scale-math.Sqrt(square)) <= 1e-8) || !(want > 0.2) {
		t.Errorf("modularity %v and scale %v, want %v and %v", m.modularity, m.scale, want, math.Sqrt(square))
	}
}

// With all points for landmarks the losses are those of exact machines, but for single precision.
func TestMeasureOnLandmarks(t *testing.T) {
	d := labelledMoons(150, 12, false)
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.3}, Standardise: points.AsIs}
	list := []candidate{
		{Member: train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 1}},
		{Member: train.Member{Neighbours: 10, LaplacianDegree: 1, GammaA: 1e-2, GammaI: 1e-2}},
		{Member: train.Member{Neighbours: 10, LaplacianDegree: 1, GammaA: 1e-2, GammaI: 1}},
	}
	var both [2][]measured
	for k, landmarks := range []int{0, 150} {
		var err error
		if both[k], err = comparisonOn(t, d, r, train.Run{}, somePoints, landmarks).measure(t.Context(), list, new(counter)); err != nil || len(both[k]) != len(list) {
			t.Fatal(len(both[k]), err)
		}
	}
	for i, m := range both[1] {
		exact := both[0][i]
		if m.candidate != exact.candidate || !(math.Abs(m.loss()-exact.loss()) <= 0.02*exact.loss()) || !(math.Abs(m.scale-exact.scale) <= 0.02*exact.scale) || !(math.Abs(m.modularity-exact.modularity) <= 0.02) {
			t.Errorf("%+v: loss %v, scale %v, modularity %v; exact %v, %v, %v", m.Member, m.loss(), m.scale, m.modularity, exact.loss(), exact.scale, exact.modularity)
		}
	}
}

// Of more than fifty classes fifty are compared, those with several labels first, and of more than
// 200 labels 200, class by class.
func TestManyClasses(t *testing.T) {
	for name, c := range map[string]struct {
		several, single, of   int // classes with so many labels each, and with a single one
		classes, labels, lone int // drawn
	}{
		"all with several":    {several: 60, of: 3, classes: 50, labels: 150},
		"some with one":       {several: 40, of: 2, single: 25, classes: 50, labels: 90, lone: 10},
		"few classes":         {several: 4, of: 5, single: 3, classes: 7, labels: 23, lone: 3},
		"many labels of each": {several: 60, of: 6, classes: 50, labels: 200},
		"one more of some":    {several: 30, of: 9, classes: 30, labels: 200},
	} {
		d := &dataset.Dataset{}
		var values []float64
		for class := range c.several + c.single {
			d.Classes = append(d.Classes, string(rune('0'+class)))
			size := c.of
			if class < c.single {
				size = 1
			}
			for k := range size + 1 {
				values = append(values, float64(class%8)*5+float64(k)/7, float64(class/8)*5)
				if d.Y = append(d.Y, class); k == size {
					d.Y[len(d.Y)-1] = dataset.Unlabelled
				}
			}
		}
		d.Points = points.Dense(len(d.Y), 2, values)
		a := comparisonOn(t, d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, Standardise: points.AsIs}, train.Run{}, somePoints, 0)
		size, lone := make([]int, len(a.task.Classes)), 0
		for _, class := range a.task.Class {
			size[class]++
		}
		for _, n := range size {
			if n == 1 {
				lone++
			} else if n < 4 && n != c.of {
				t.Errorf("%s: %d labels of a class", name, n)
			}
		}
		if len(size) != c.classes || len(a.task.Class) != c.labels || lone != c.lone || a.unseen != c.several*c.of+c.single-c.labels || a.geometry.Len() != len(d.Y) {
			t.Errorf("%s: %d labels of %d classes, %d of a single one, %d unseen, %d points", name, len(a.task.Class), len(size), lone, a.unseen, a.geometry.Len())
		}
		all, err := a.measure(t.Context(), []candidate{{Member: train.Member{Neighbours: 3, LaplacianDegree: 1, GammaA: 1e-2, GammaI: 1e-2}}}, new(counter))
		if err != nil || len(all) != 1 || len(all[0].losses) != c.labels-c.lone || !(all[0].loss() > 0) {
			t.Errorf("%s: %d machines, %v", name, len(all), err)
		}
	}
}

// What is open is compared, and what was asked for is kept. A part has one graph.
func TestCandidates(t *testing.T) {
	gammas := []float64{1e-6, 1e-4, 1e-2, 1, 100}
	for name, c := range map[string]struct {
		r              train.Recipe
		n, most        int
		kernels        []role // of machines with graphs
		neighbours     []int
		degrees        []int
		gammaA, gammaI []float64
		widths         []role // of supervised machines
		supervised     []float64
		euclidean      bool // no other metric
	}{
		"open":          {n: 100, most: 100, kernels: []role{nearest, median}, neighbours: []int{2, 3, 5, 10, 20}, degrees: []int{1, 2, 5}, gammaA: []float64{1e-4}, gammaI: []float64{1e-4, 1e-2, 1, 100}, widths: []role{nearest, median, half, quadruple}, supervised: gammas},
		"a quarter":     {n: 400, most: 100, kernels: []role{nearest, median}, neighbours: []int{2, 3, 5, 10, 20}, degrees: []int{1, 2, 5}, gammaA: []float64{1e-4}, gammaI: []float64{1e-4, 1e-2, 1, 100}, widths: []role{nearest, median, half, quadruple}, supervised: gammas},
		"a part":        {n: 401, most: 100, kernels: []role{nearest, median}, neighbours: []int{10}, degrees: []int{2}, gammaA: []float64{1e-4}, gammaI: []float64{1e-4, 1e-2, 1, 100}, widths: []role{nearest, median, half, quadruple}, supervised: gammas},
		"many":          {n: mostWhole + 1, most: 100, euclidean: true, kernels: []role{nearest, median}, neighbours: []int{10}, degrees: []int{2}, gammaA: []float64{1e-4}, gammaI: []float64{1e-4, 1e-2, 1, 100}, widths: []role{nearest, median, half, quadruple}, supervised: gammas},
		"few points":    {n: 20, most: 100, kernels: []role{nearest, median}, neighbours: []int{2, 3, 5, 10}, degrees: []int{1, 2, 5}, gammaA: []float64{1e-4}, gammaI: []float64{1e-4, 1e-2, 1, 100}, widths: []role{nearest, median, half, quadruple}, supervised: gammas},
		"graph, weight": {r: train.Recipe{Graph: graph.Options{Neighbours: 7, Degree: 3}, GammaI: 0.3}, n: 401, most: 100, kernels: []role{nearest, median}, neighbours: []int{7}, degrees: []int{3}, gammaA: []float64{1e-4}, gammaI: []float64{0.3}, widths: []role{nearest, median, half, quadruple}, supervised: gammas},
		"width, weight": {r: train.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 0.3}, n: 100, most: 100, kernels: []role{whole}, neighbours: []int{2, 3, 5, 10, 20}, degrees: []int{1, 2, 5}, gammaA: []float64{0.3}, gammaI: []float64{1e-4, 1e-2, 1, 100}, widths: []role{whole}, supervised: []float64{0.3}},
		"supervised":    {r: train.Recipe{Supervised: true}, n: 100, most: 100, widths: []role{nearest, median, half, quadruple}, supervised: gammas},
	} {
		c.r.Standardise = points.AsIs
		a := comparisonOn(t, labelledMoons(c.n, 12, false), c.r, train.Run{}, c.most, 0)
		want, baselines := make(map[candidate]bool), make(map[candidate]bool)
		for _, k := range c.kernels {
			for _, neighbours := range c.neighbours {
				for _, degree := range c.degrees {
					for _, gammaA := range c.gammaA {
						for _, gammaI := range c.gammaI {
							for _, metric := range []graph.Metric{graph.Euclidean, graph.SelfTuning} {
								if c.euclidean && metric != graph.Euclidean {
									continue
								}
								want[candidate{k, metric, 0, train.Member{Neighbours: neighbours, LaplacianDegree: degree, GammaA: gammaA, GammaI: gammaI}, false}] = true
							}
						}
					}
				}
			}
		}
		for _, k := range c.widths {
			for _, gammaA := range c.supervised {
				baselines[candidate{k, "", 0, train.Member{GammaA: gammaA}, false}] = true
			}
		}
		got, gotAlone := make(map[candidate]bool), make(map[candidate]bool)
		for _, one := range a.machines {
			got[one] = true
		}
		for _, one := range a.baselines {
			gotAlone[one] = true
		}
		if !maps.Equal(got, want) || len(a.machines) != len(want) || !maps.Equal(gotAlone, baselines) || len(a.baselines) != len(baselines) {
			t.Errorf("%s: %d machines with graphs and %d without, want %d and %d: %v", name, len(a.machines), len(a.baselines), len(want), len(baselines), a.machines)
		}
	}
}

// Machines are averaged where the exact solver trains them; else the best is taken alone. Conjugate gradient
// is limited to 500 iterations for a machine that was chosen on some of the points.
func TestWhatIsAveraged(t *testing.T) {
	one := func(a *comparison, neighbours int, output float64) measured {
		return measured{candidate: candidate{Member: train.Member{Neighbours: neighbours, LaplacianDegree: 1, GammaA: 0.1, GammaI: 2}}, scale: 1,
			losses: a.held.losses([][]float64{{-output, output, -output}}, a.held.count)}
	}
	for name, c := range map[string]struct {
		points     int
		unseen     int
		r          train.Recipe
		averaged   bool
		solver     train.Solver
		iterations int // most of them, 0 for any
	}{
		"all seen":         {points: 3, averaged: true, solver: train.Deformed},
		"some points":      {points: 12, averaged: true, solver: train.Deformed},
		"a part":           {points: 13, solver: train.Deformed},
		"a small part":     {points: 7000, solver: train.Landmarks},
		"unseen labels":    {points: 3, unseen: 1, averaged: true, solver: train.Deformed},
		"asked for pcg":    {points: 3, r: train.Recipe{Solver: train.PCG}, solver: train.PCG},
		"pcg of some":      {points: 12, r: train.Recipe{Solver: train.PCG}, solver: train.PCG, iterations: 500},
		"steered, of some": {points: 12, r: train.Recipe{Solver: train.PCG, MaxIterations: 5}, solver: train.PCG, iterations: 5},
		"pcg is steered":   {points: 3, r: train.Recipe{MaxIterations: 5}, solver: train.Auto, iterations: 5},
		"asked for exact":  {points: 3, r: train.Recipe{Solver: train.Deformed}, averaged: true, solver: train.Deformed},
		"a seed":           {points: 3, r: train.Recipe{Seed: 4}, averaged: true, solver: train.Deformed},
	} {
		if c.r.Solver == "" {
			c.r.Solver = train.Auto
		}
		c.r.Standardise = points.AsIs
		a := toyComparison(t, c.r, c.points)
		a.unseen = c.unseen
		got := a.recipeOf(c.r, a.take([]measured{one(a, 3, 0.55), one(a, 5, 0.6)}, nil, -1))
		if (len(got.Members) == 2) != c.averaged || (got.Choice.Averaged == 2) != c.averaged || got.Solver != c.solver || got.MaxIterations != c.iterations {
			t.Errorf("%s: %d members by the solver %s in %d iterations", name, len(got.Members), got.Solver, got.MaxIterations)
		}
		if leading := got.Leading(); leading.Neighbours != 5 || leading.GammaA != 0.1 || leading.GammaI != 2 || got.Choice.Neighbours != 5 || got.Open() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
