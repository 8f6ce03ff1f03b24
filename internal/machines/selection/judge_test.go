package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// What a graph says of labels that have nothing to do with the points does not count for a description, with few
// labels and with many.
func TestChanceDoesNotCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	values := make([]float64, 200*2)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	for _, labelled := range []int{12, 60} {
		d := &dataset.Dataset{Points: points.Dense(200, 2, values), Classes: []string{"a", "b"}}
		for i := range 200 {
			d.Y = append(d.Y, dataset.Unlabelled)
			if i < labelled {
				d.Y[i] = i % 2
			}
		}
		j, err := judge(t.Context(), way{sample: d, recipe: train.Recipe{Seed: 1}}, train.Run{}, fewPoints)
		if err != nil || j == nil {
			t.Fatal(j, err)
		}
		a := comparisonOn(t, d, train.Recipe{Seed: 1, Standardise: points.AsIs}, train.Run{}, fewPoints, 0)
		some, err := a.measure(t.Context(), a.machinesOn(newGraphs(a.machines).middle()), new(counter))
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for _, m := range some {
			most = max(most, m.modularity)
		}
		if !(math.Abs(j.fit) < 0.15) || !(most > 0.3) {
			t.Errorf("%d labels: the fit is %v, and modularity is up to %v", labelled, j.fit, most)
		}
	}
}

// The log score of held-out labels is the logarithm of the likelihood of their errors by one machine over that by another, whose variances are the mean losses. Four more labels have the
// mean loss of the other by either.
func TestLikelihoodRatio(t *testing.T) {
	normal := func(losses []float64) (sum float64) {
		for _, loss := range losses {
			sum += math.Log(math.Exp(-loss/mean(losses)/2) / math.Sqrt(2*math.Pi*mean(losses)))
		}
		return sum
	}
	laplace := func(losses []float64) (sum float64) {
		for _, loss := range losses {
			sum += math.Log(math.Exp(-loss/mean(losses)) / (2 * mean(losses)))
		}
		return sum
	}
	one, other := []float64{0.1, 0.4, 0.2, 1.3}, []float64{1, 0.3, 2, 0.1}
	for _, pair := range [][2][]float64{{one, other}, {other, one}, {one, one}} {
		alike := slices.Repeat([]float64{mean(pair[1])}, 4)
		for p, likelihood := range map[float64]func([]float64) float64{2: normal, 1: laplace} {
			want := likelihood(slices.Concat(pair[0], alike)) - likelihood(slices.Concat(pair[1], alike))
			if got := likelihoodRatio(mean(pair[0]), mean(pair[1]), 4, p); !(math.Abs(got-want) < 1e-12) {
				t.Errorf("p = %v: %g, want %g", p, got, want)
			}
		}
	}
}

// The log score of held-out labels is their likelihood ratio. It is less where the ratio varies with the labels that are drawn.
func TestLabelsOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const l = 60
	for _, tail := range []float64{0, 1, 2, 3} { // of the losses of one machine over those of the other
		one, other := make([]float64, l), make([]float64, l)
		for k := range one {
			one[k] = rng.ExpFloat64()
			other[k] = 1.5 * one[k] * math.Exp(tail*(rng.NormFloat64()-tail/2)/3)
		}
		ratio := func(labels []int) float64 {
			return likelihoodRatio(mean(of(one, labels)), mean(of(other, labels)), l, 2)
		}
		var draws []float64
		for range 4000 {
			labels := make([]int, l)
			for k := range labels {
				labels[k] = rng.IntN(l)
			}
			draws = append(draws, ratio(labels))
		}
		variance, center := 0.0, mean(draws)
		for _, r := range draws {
			variance += (r - center) * (r - center) / float64(len(draws))
		}
		r := ratio(seq(l))
		want := r * min(1, 2*math.Abs(r)/variance)
		got := labelsOver(one, other, 2)
		t.Logf("tail %v: ratio %.2f, variance %.2f: %.2f, by draws %.2f", tail, r, variance, got, want)
		if !(math.Abs(got-want) < 0.15*math.Abs(want)) || got/r > 1 {
			t.Errorf("tail %v: %g, by draws of labels %g, of the ratio %g", tail, got, want, r)
		}
		if back := labelsOver(other, one, 2); back*got > 0 {
			t.Errorf("both are better: %g, %g", got, back)
		}
	}
	if got := labelsOver([]float64{0, 0}, []float64{0, 0}, 2); got != 0 {
		t.Errorf("without any loss: %g", got)
	}
	if got := labelsOver([]float64{1}, []float64{2}, 2); got != likelihoodRatio(1, 2, 1, 2) {
		t.Errorf("of one label: %g", got)
	}
}

// Machines for numbers, and for several classes at once, have graphs where labels without a part in the choice are likelier by these. A weight that is given stands.
func TestGraphsNeedTheLabels(t *testing.T) {
	of := &task.Task{Kind: task.Numbers(), Values: make([]float64, 10), Class: make([]int, 10)}
	for _, c := range []struct {
		alone float64 // mean square, that with graphs being 1
		want  bool
	}{{0.5, true}, {1, true}, {1.01, false}, {3, false}} {
		a := &comparison{task: of, held: hold(of)}
		n := &nested{of: a, labels: seq(10), outputs: [][]float64{slices.Repeat([]float64{1}, 10)}, baselines: [][]float64{slices.Repeat([]float64{math.Sqrt(c.alone)}, 10)}}
		if got := n.alone(0, 0); got != c.want {
			t.Errorf("%v against 1: alone %v", c.alone, got)
		}
		if a.asked.GammaI = 1; n.alone(0, 0) {
			t.Error("a weight that is given does not stand")
		}
	}
	if (*nested)(nil).alone(0, 0) {
		t.Error("nothing is asked, and graphs go")
	}
	// Of several classes wrong answers count, and not how sure right ones are.
	sure, unsure, wrong := slices.Repeat([]float64{1}, 10), slices.Repeat([]float64{0.1}, 10), slices.Repeat([]float64{-1}, 10)
	for name, c := range map[string]struct {
		with, without []float64
		want          bool
	}{"surer": {sure, unsure, true}, "right": {unsure, wrong, false}, "wrong": {wrong, unsure, true}} {
		a := severals(t, 1)
		n := &nested{of: a, labels: seq(10), outputs: [][]float64{c.with}, baselines: [][]float64{c.without}}
		if got := n.alone(0, 0); got != c.want {
			t.Errorf("%s with graphs: alone %v", name, got)
		}
	}
}

// What speaks for machines over others is the squared hinge of labels of repeated classes, and the modularity of decisions, by the one formula. Another scaling and each part of a
// description that changes need two more.
func TestJudgeOfOutputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	draw := func(n int, size float64) (rows [][]float64) {
		for range 3 {
			row := make([]float64, n)
			for i := range row {
				row[i] = size * rng.NormFloat64()
			}
			rows = append(rows, row)
		}
		return rows
	}
	p := points.Dense(40, 3, slices.Concat(draw(40, 1)...))
	nb, err := graph.FindNeighbours(t.Context(), p, 5, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := graph.Connect(t.Context(), nb, graph.Heat, 0)
	if err != nil {
		t.Fatal(err)
	}
	of := &task.Task{Points: 40, Classes: []string{"a", "b", "c"}, Labelled: seq(9), Class: []int{0, 1, 0, 1, 1, 0, 2, 0, 1}} // c has one label
	type said struct{ left, all [][]float64 }
	one, other := said{draw(9, 1), draw(40, 1)}, said{draw(9, 2), draw(40, 1)}
	measures := func(s said) (h, q float64) {
		for k, class := range of.Class {
			for machine, f := range s.left {
				y := -1.0
				if machine == class {
					y = 1
				}
				if e := max(0, 1-y*f[k]); class < 2 {
					h += e * e / 8
				}
			}
		}
		class := make([]int, 40)
		for i := range class {
			row := []float64{s.all[0][i], s.all[1][i], s.all[2][i]}
			class[i] = slices.Index(row, slices.Max(row))
		}
		return h, evened(w, class, 3)
	}
	h, q := measures(one)
	lost, fit := measures(other)
	want := 20*(q-fit) + 12/2.*math.Log(12*lost/(8*h+4*lost))
	r := train.Recipe{Standardise: points.AsIs}
	a, b := Judge(r, of, one.left, w, one.all), Judge(r, of, other.left, w, other.all)
	if got := a.Over(b); !(math.Abs(got-want) <= 1e-12) || !(math.Abs(b.Over(a)+20*(q-fit)-12/2.*math.Log(12*h/(8*lost+4*h))) <= 1e-12) {
		t.Errorf("log score %v, want %v", got, want)
	}
	for gain, c := range map[float64]struct {
		r    train.Recipe
		want bool
	}{
		0.01: {r, true}, 0: {r, false},
		1.99: {train.Recipe{Standardise: points.Columns}, false}, 2.01: {train.Recipe{Standardise: points.Columns}, true},
		3.99: {train.Recipe{Standardise: points.Columns, Describe: "factors"}, false}, 4.01: {train.Recipe{Standardise: points.Columns, Describe: "factors"}, true},
	} {
		if got := (&Judged{fit: gain / 20, by: c.r}).Replaces(&Judged{by: r}); got != c.want {
			t.Errorf("a gain of %v by %v: %v", gain, c.r.Standardise, got)
		}
	}
}

// Of several classes a label counts by the answers that are known. One without any does not count.
func TestJudgeKnownAnswers(t *testing.T) {
	unknown := math.NaN()
	of := &task.Task{Kind: task.Several(";"), Points: 3, Classes: []string{"a", "b"}, Labelled: seq(3), Class: make([]int, 3), Answers: [][]float64{{1, unknown, -1}, {unknown, unknown, 1}}}
	j := Judge(train.Recipe{}, of, [][]float64{{0.5, 9, 0}, {9, 9, -1}}, nil, nil)
	if want := []float64{0.25, 1 + 4}; !slices.Equal(j.losses, want) {
		t.Errorf("losses %v, want %v", j.losses, want)
	}
}
