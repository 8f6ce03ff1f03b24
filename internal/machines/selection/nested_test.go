package selection

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// divided measures all machines on d, those with graphs and supervised ones, with its labels in blocks.
func divided(t *testing.T, d *dataset.Dataset, r train.Recipe, run train.Run) (a *comparison, machines, baselines []measured) {
	t.Helper()
	a, why, err := newComparison(t.Context(), d, r, run, somePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	if machines, err = a.measure(t.Context(), a.machines, new(counter)); err != nil {
		t.Fatal(err)
	}
	if baselines, err = a.measure(t.Context(), a.baselines, new(counter)); err != nil {
		t.Fatal(err)
	}
	return a, machines, baselines
}

// unlabelled returns d without the given labels of a task on it.
func unlabelled(d *dataset.Dataset, of *task.Task, labels []int) *dataset.Dataset {
	fewer := *d
	fewer.Y = slices.Clone(d.Y)
	for _, k := range labels {
		fewer.Y[of.Labelled[k]] = dataset.Unlabelled
	}
	return &fewer
}

// recipeFor returns the recipe of one machine with a given scaling and kernel.
func recipeFor(r train.Recipe, m train.Member) train.Recipe {
	r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = m.GammaA, m.GammaI, m.Neighbours, m.LaplacianDegree
	if m.Neighbours == 0 {
		r.Supervised, r.Graph.Degree = true, 0
	}
	return r.By(train.Deformed)
}

// equalButForRounding reports whether two numbers are that.
func equalButForRounding(x, y float64) bool { return math.Abs(x-y) <= 1e-6*(1+math.Abs(y)) }

// Without a block every machine has the losses that it has on data without the labels of the
// block, where its loss is squared. Its outputs at the block are those of machines trained there.
func TestWithoutBlock(t *testing.T) {
	d := labelledMoons(60, 14, false)
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Graph: graph.Options{Neighbours: 5}, Loss: objective.Squared, Standardise: points.AsIs}
	a, machines, baselines := divided(t, d, r, train.Run{})
	if len(machines) != 2*3*4 || len(baselines) != 5 || len(a.held.blocks) < 5 {
		t.Fatalf("%d and %d machines, %d blocks", len(machines), len(baselines), len(a.held.blocks))
	}
	for at, b := range a.held.blocks {
		fewer := unlabelled(d, a.task, b.labels)
		_, otherMachines, otherAlone := divided(t, fewer, r, train.Run{})
		for _, lists := range [][2][]measured{{machines, otherMachines}, {baselines, otherAlone}} {
			for i, m := range lists[0] {
				got, want := m.unseen[at], lists[1][i]
				if want.candidate != m.candidate || !slices.EqualFunc(got.losses, want.losses, equalButForRounding) {
					t.Fatalf("block %d, %+v: the losses %v, on data without the block %v", at, m.Member, got.losses, want.losses)
				}
			}
		}
		for _, m := range []measured{machines[at], machines[11-at], baselines[at%5]} {
			f, err := train.Fit(t.Context(), fewer, recipeFor(r, m.Member), train.Run{})
			if err != nil {
				t.Fatal(err)
			}
			scores, err := f.Predictor().Scores(t.Context(), d.Points.Subset(of(a.task.Labelled, b.labels)))
			if err != nil {
				t.Fatal(err)
			}
			for k, row := range scores {
				if got := m.unseen[at].outputs[0][k]; !equalButForRounding(got, row[1]) {
					t.Errorf("block %d, %+v: the output %v, trained without the block %v", at, m.Member, got, row[1])
				}
			}
		}
	}
}

// Machines do not see validation points: without a block of these they have the same outputs, and the
// losses of the others.
func TestWithoutBlockOfValidation(t *testing.T) {
	v := labelledMoons(40, 23, false).Subset(seq(23))
	a, machines, baselines := divided(t, labelledMoons(60, 6, false), train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Graph: graph.Options{Neighbours: 5}}, train.Run{Validation: v})
	if len(a.held.blocks) != FewestReported || a.held.name != "validation points" {
		t.Fatalf("%d blocks of %s", len(a.held.blocks), a.held.name)
	}
	for _, m := range slices.Concat(machines, baselines) {
		var all []int
		for at, b := range a.held.blocks {
			all = append(all, b.labels...)
			without := slices.DeleteFunc(seq(23), func(k int) bool { return slices.Contains(b.labels, k) })
			if !slices.Equal(b.count, without) || !slices.Equal(m.unseen[at].losses, of(m.losses, without)) {
				t.Errorf("without %v of %v: %+v has the losses %v", b.labels, m.losses, m.Member, m.unseen[at].losses)
			}
			for i, k := range b.labels {
				f := m.unseen[at].outputs[0][i]
				if e := max(0, 1-float64(v.Y[k]-1)*f); !equalButForRounding(e*e, m.losses[k]) {
					t.Errorf("label %d of class %d has the output %v and the loss %v", k, v.Y[k], f, m.losses[k])
				}
			}
		}
		if slices.Sort(all); !slices.Equal(all, seq(23)) {
			t.Errorf("blocks of %v", all)
		}
	}
}

// seq returns 0 to n − 1.
func seq(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// The labels that count are in one block each, and blocks have as many labels of each class, but for
// one. Without a block no label of a class counts that has no other, and the graph alone chooses
// where a single class is left.
func TestBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		classes []int // labels of each
		blocks  int
		alone   int // blocks without which the graph alone chooses
	}{
		"as many of each":  {[]int{4, 4, 4}, 4, 0},
		"more than blocks": {[]int{23, 25}, 10, 0},
		"a lone label":     {[]int{3, 1, 3}, 3, 0},
		"two of a class":   {[]int{6, 2}, 6, 2},
	} {
		of := &task.Task{}
		for class, size := range c.classes {
			of.Classes = append(of.Classes, string(rune('a'+class)))
			of.Class = append(of.Class, slices.Repeat([]int{class}, size)...)
		}
		h := newHeldOut(of, nil, "")
		var all []int
		baselines, trained := 0, 0 // labels of machines without a block, summed over the blocks
		for at, b := range h.blocks {
			all, trained = append(all, b.labels...), trained+len(of.Repeated())-len(b.labels)
			size, left := make([]int, len(c.classes)), slices.Clone(c.classes)
			for _, k := range b.labels {
				size[of.Class[k]]++
				left[of.Class[k]]--
			}
			for class, n := range size {
				if share := float64(c.classes[class]) / float64(len(h.blocks)); c.classes[class] > 1 && math.Abs(float64(n)-share) >= 1 {
					t.Errorf("%s: %d of %d labels of a class in one of %d blocks", name, n, c.classes[class], len(h.blocks))
				}
			}
			var want []int
			for k, class := range of.Class {
				if left[class] >= 2 && !slices.Contains(b.labels, k) {
					want = append(want, k)
				}
			}
			if classes := slices.DeleteFunc(left, func(n int) bool { return n < 2 }); len(classes) < 2 {
				want = nil
				baselines++
			}
			if !slices.Equal(b.count, want) || !slices.Equal(h.counted(at), want) {
				t.Errorf("%s: without %v the labels %v count, want %v", name, b.labels, b.count, want)
			}
		}
		if slices.Sort(all); !slices.Equal(all, of.Repeated()) || len(h.blocks) != c.blocks || baselines != c.alone || math.Abs(h.share()-float64(trained)/float64(len(all)*c.blocks)) > 1e-12 {
			t.Errorf("%s: %d blocks, %d of them alone, of the labels %v", name, len(h.blocks), baselines, all)
		}
	}
}

// The machine that is asked about a block is the best by the other labels, though another one is
// better on the block. Where none of these counts, it is the one that fits the graph.
func TestAsk(t *testing.T) {
	d := &dataset.Dataset{Points: points.Dense(4, 1, []float64{1, 2, 3, 4}), Y: []int{0, 1, 0, 1}, Classes: []string{"a", "b"}}
	of, err := task.Kind{}.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	// machine returns a machine with the same loss on every label without a block, and with
	// outputs at the labels of the blocks.
	machine := func(neighbours int, first, second float64, outputs ...float64) measured {
		m := measured{candidate: candidate{Member: train.Member{Neighbours: neighbours}}, scale: 1, modularity: 0.1}
		for b, loss := range []float64{first, second} {
			m.unseen = append(m.unseen, heldOutEstimate{outputs: [][]float64{outputs[2*b : 2*b+2]}, losses: []float64{loss, loss}})
		}
		return m
	}
	a := &comparison{candidates: candidates{kernels: kernels{whole: nil}}, task: of, columns: deformed.Columns{Targets: of.Targets()}, sample: sample{points: 4}, recipe: train.Recipe{Solver: train.PCG}, held: hold(of)} // a single machine
	a.held.count, a.held.blocks = []int{0, 1, 2, 3}, []block{{labels: []int{0, 1}, count: []int{2, 3}}, {labels: []int{2, 3}, count: []int{0, 1}}}
	if a.geometry, err = geometry.New(t.Context(), d.Points, geometry.Options{}); err != nil {
		t.Fatal(err)
	}
	right := []float64{-1, 1}
	machines := []measured{machine(3, 0.001, 9, 1, 1, right[0], right[1]), machine(3, 9, 0.001, right[0], right[1], -1, -1)}
	machines[1].modularity = 0.4
	some := []measured{machine(0, 5, 9, -1, -1, -1, -1), machine(0, 9, 5, 1, 1, 1, 1)}
	wrong, baselines := a.nested(machines, some).wrong()
	if !slices.Equal(wrong, []float64{1, 0, 0, 1}) || !slices.Equal(baselines, []float64{0, 1, 1, 0}) {
		t.Errorf("wrong %v, of the supervised machine %v", wrong, baselines)
	}
	a.held.blocks[0].count = nil
	if wrong, _ := a.nested(machines, some).wrong(); !slices.Equal(wrong, []float64{0, 0, 0, 1}) {
		t.Errorf("by the graph: wrong %v", wrong)
	}
	for name, lists := range map[string][2][]measured{"no machine": {nil, some}, "no supervised machine": {machines, nil}} {
		if wrong, baselines := a.nested(lists[0], lists[1]).wrong(); wrong != nil || baselines != nil {
			t.Errorf("%s: wrong %v and %v", name, wrong, baselines)
		}
	}
	a.held = nil
	if wrong, baselines := a.nested(machines, some).wrong(); wrong != nil || baselines != nil {
		t.Errorf("nothing is held out: wrong %v and %v", wrong, baselines)
	}
}

// To ask about a block is to choose without its labels, to train what was chosen, members and all, and to
// predict the block.
func TestAskIsChoosingAgain(t *testing.T) {
	d := labelledMoons(70, 24, false)
	for i := range 24 { // some labels are wrong
		if i%5 == 4 {
			d.Y[i] = 2 - d.Y[i]
		}
	}
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Loss: objective.Squared, Standardise: points.AsIs, Graph: graph.Options{Metric: graph.Euclidean}}
	a, machines, baselines := divided(t, d, r, train.Run{})
	var members []int
	for at := range a.held.blocks {
		members = append(members, len(a.take(machines, baselines, at)))
	}
	wrong, baselineWrong := a.nested(machines, baselines).wrong()
	var again, againAlone []float64
	for _, b := range a.held.blocks {
		fewer := unlabelled(d, a.task, b.labels)
		other, otherMachines, otherAlone := divided(t, fewer, r, train.Run{})
		for i := range otherMachines { // what all points say is said with all labels
			otherMachines[i].modularity, otherMachines[i].scale = machines[i].modularity, machines[i].scale
		}
		for i := range otherAlone {
			otherAlone[i].scale = baselines[i].scale
		}
		supervised := r
		supervised.Supervised = true
		for _, one := range []struct {
			chosen train.Recipe
			into   *[]float64
		}{{other.recipeOf(r, other.take(otherMachines, otherAlone, -1)), &again}, {other.recipeOf(supervised, other.take(otherAlone, nil, -1)), &againAlone}} {
			f, err := train.Fit(t.Context(), fewer, one.chosen, train.Run{})
			if err != nil {
				t.Fatal(err)
			}
			rows := of(a.task.Labelled, b.labels)
			predicted, err := f.Predictor().Predict(t.Context(), d.Points.Subset(rows))
			if err != nil {
				t.Fatal(err)
			}
			for k, i := range rows {
				is := 0.0
				if f.Task.Classes[predicted[k]] != d.Classes[d.Y[i]] {
					is = 1
				}
				*one.into = append(*one.into, is)
			}
		}
	}
	if !slices.Equal(wrong, again) || !slices.Equal(baselineWrong, againAlone) {
		t.Errorf("wrong %v and %v, chosen again %v and %v", wrong, baselineWrong, again, againAlone)
	}
	if slices.Max(members) < 3 || slices.Min(members) == slices.Max(members) || sum(wrong) == 0 || slices.Equal(wrong, baselineWrong) {
		t.Errorf("%v members, wrong %v and %v: little is tested", members, wrong, baselineWrong)
	}
}

// Labels that mean nothing are predicted wrongly half of the time, and seldom with a verdict, though all of
// them take part in which graphs are measured.
func TestExpectOfNoise(t *testing.T) {
	sum, told := 0.0, 0
	const draws = 12
	for draw := range uint64(draws) {
		rng := rand.New(rand.NewPCG(draw, 5))
		d := &dataset.Dataset{Classes: []string{"a", "b"}}
		var values []float64
		for i := range 60 {
			values = append(values, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			class := i % 2
			if i >= 20 {
				class = dataset.Unlabelled
			}
			d.Y = append(d.Y, class)
		}
		d.Points = points.Dense(60, 3, values)
		r, err := ChosenBy(t.Context(), d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, Standardise: points.AsIs}, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Choice.Expected == nil {
			t.Fatal("twenty labels tell nothing")
		}
		if sum += r.Choice.Expected.Error; r.Choice.Verdict != train.CannotBeTold {
			told++
		}
	}
	if mean := sum / draws; !(mean > 37 && mean < 63) || told > 1 {
		t.Errorf("%v %% of labels without a meaning are wrong, and %d verdicts", mean, told)
	}
}

// The error and its interval, and the verdict where a difference is beyond chance.
func TestExpect(t *testing.T) {
	for name, c := range map[string]struct {
		labels, better, worse, both int
		share                       float64
		wrongWeight                 float64 // of labels that the choice gets wrong; 0 is 1
		want                        train.Expected
		verdict                     train.Verdict
		none                        bool
	}{
		"too few":               {labels: 9, both: 3, verdict: train.CannotBeTold, none: true},
		"none wrong":            {labels: 10, verdict: train.CannotBeTold, want: train.Expected{ErrorHigh: 43.4482}},
		"better by few":         {labels: 20, better: 6, both: 2, verdict: train.Helps, want: train.Expected{Error: 10, ErrorLow: 1.7876, ErrorHigh: 40.4150, SupervisedError: 40, Gain: 30}},
		"not enough":            {labels: 20, better: 5, both: 2, verdict: train.CannotBeTold, want: train.Expected{Error: 10, ErrorLow: 1.7876, ErrorHigh: 40.4150, SupervisedError: 35, Gain: 25}},
		"half of them":          {labels: 20, better: 10, verdict: train.Helps, want: train.Expected{ErrorHigh: 27.7533, SupervisedError: 50, Gain: 50}},
		"of half of the labels": {labels: 20, better: 6, both: 2, share: 0.5, verdict: train.Helps, want: train.Expected{Error: 10, ErrorLow: 1.7876 / 2, ErrorHigh: 40.4150, SupervisedError: 40, Gain: 30}},
		"of nine tenths":        {labels: 20, better: 6, both: 2, share: 0.9, verdict: train.Helps, want: train.Expected{Error: 10, ErrorLow: 1.7876 * 0.9, ErrorHigh: 40.4150, SupervisedError: 40, Gain: 30}},
		"weighted":              {labels: 20, better: 6, both: 2, wrongWeight: 4, verdict: train.Helps, want: train.Expected{Error: 30.7692, ErrorLow: 9.2775, ErrorHigh: 65.8891, SupervisedError: 53.8462, Gain: 23.0769}},
		"better":                {labels: 20, better: 12, both: 2, verdict: train.Helps, want: train.Expected{Error: 10, ErrorLow: 1.7876, ErrorHigh: 40.4150, SupervisedError: 70, Gain: 60}},
		"worse":                 {labels: 40, worse: 20, better: 4, verdict: train.Harms, want: train.Expected{Error: 50, ErrorLow: 29.9298, ErrorHigh: 70.0702, SupervisedError: 10, Gain: -40}},
	} {
		wrong, baselines := make([]float64, c.labels), make([]float64, c.labels)
		for k := range c.better + c.worse + c.both {
			if k >= c.better {
				wrong[k] = 1
			}
			if k < c.better || k >= c.better+c.worse {
				baselines[k] = 1
			}
		}
		var weights []float64
		if c.wrongWeight > 0 {
			for _, w := range wrong {
				weights = append(weights, 1+w*(c.wrongWeight-1))
			}
		}
		got, verdict := Expect(1, wrong, baselines, weights, cmp.Or(c.share, 1), 1)
		if (got == nil) != c.none || verdict != c.verdict {
			t.Errorf("%s: %+v, %s", name, got, verdict)
		}
		if got == nil {
			continue
		}
		for what, pair := range map[string][2]float64{"error": {got.Error, c.want.Error}, "low": {got.ErrorLow, c.want.ErrorLow}, "high": {got.ErrorHigh, c.want.ErrorHigh},
			"supervised": {got.SupervisedError, c.want.SupervisedError}, "gain": {got.Gain, c.want.Gain}} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-3) {
				t.Errorf("%s: %s %v, want %v", name, what, pair[0], pair[1])
			}
		}
	}
}
