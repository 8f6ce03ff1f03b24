package selection

import (
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

// divided compares machines on d, with its labels in blocks.
func divided(t *testing.T, d *dataset.Dataset, r train.Recipe, run train.Run) *comparison {
	t.Helper()
	c, why, err := newComparison(t.Context(), d, r, run, choicePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	c.divide()
	if err := c.compare(t.Context(), &counter{}); err != nil {
		t.Fatal(err)
	}
	return c
}

// Without a block every candidate has the losses that it has on data without the labels of the
// block, where its loss is squared. Its outputs at the block are those of machines trained there.
func TestWithoutBlock(t *testing.T) {
	d := labelledMoons(60, 14, false)
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Graph: graph.Options{Neighbours: 5}, Loss: objective.Squared}
	c := divided(t, d, r, train.Run{})
	for at, b := range c.blocks {
		fewer := *d
		fewer.Y = slices.Clone(d.Y)
		for _, k := range b.labels {
			fewer.Y[c.task.Labelled[k]] = dataset.Unlabelled
		}
		other, again, compared := divided(t, &fewer, r, train.Run{}), c.again(at), 0
		for _, lists := range [][2][]candidate{{again.measured, other.measured}, {again.alone, other.alone}} {
			for _, m := range lists[0] {
				i := slices.IndexFunc(lists[1], func(o candidate) bool { return o.Member == m.Member })
				if i < 0 {
					continue // given up there
				}
				compared++
				for k, loss := range lists[1][i].loss {
					if !(math.Abs(m.loss[k]-loss) <= 1e-6*(1+loss)) || m.wrong[k] != lists[1][i].wrong[k] {
						t.Fatalf("block %d, %+v: label %d has the loss %v, on data without the block %v", at, m.Member, k, m.loss[k], loss)
					}
				}
			}
		}
		if compared < 20 {
			t.Errorf("block %d: %d machines compared: nothing is tested", at, compared)
		}
	}
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
		one := &comparison{task: of}
		one.divide()
		var all []int
		alone := 0
		for _, b := range one.blocks {
			all = append(all, b.labels...)
			size, left := make([]int, len(c.classes)), slices.Clone(c.classes)
			for _, k := range b.labels {
				size[of.Class[k]]++
				left[of.Class[k]]--
			}
			for class, n := range size {
				if share := float64(c.classes[class]) / float64(len(one.blocks)); c.classes[class] > 1 && math.Abs(float64(n)-share) >= 1 {
					t.Errorf("%s: %d of %d labels of a class in one of %d blocks", name, n, c.classes[class], len(one.blocks))
				}
			}
			if b.alone {
				alone++
				continue
			}
			for _, k := range b.count {
				if left[of.Class[k]] < 2 || slices.Contains(b.labels, k) {
					t.Errorf("%s: label %d counts without %v", name, k, b.labels)
				}
			}
		}
		if slices.Sort(all); !slices.Equal(all, of.Repeated()) || len(one.blocks) != c.blocks || alone != c.alone {
			t.Errorf("%s: %d blocks, %d of them alone, of the labels %v", name, len(one.blocks), alone, all)
		}
	}
}

// The machine that is asked about a block is the best by the other labels, though another one is
// better on the block.
func TestAsk(t *testing.T) {
	d := &dataset.Dataset{Points: points.Dense(4, 1, []float64{1, 2, 3, 4}), Y: []int{0, 1, 0, 1}, Classes: []string{"a", "b"}}
	of, err := task.New(d)
	if err != nil {
		t.Fatal(err)
	}
	// machine returns a candidate with the same loss on every label without a block, and with
	// outputs at the labels of the blocks.
	machine := func(first, second float64, outputs ...float64) candidate {
		m := candidate{scale: 1, Member: train.Member{Neighbours: 3}}
		for b, loss := range []float64{first, second} {
			m.unseen = append(m.unseen, measurement{outputs: [][]float64{outputs[2*b : 2*b+2]}, wrong: []float64{0, 0}, loss: []float64{loss, loss}, total: 2 * loss})
		}
		return m
	}
	right := []float64{-1, 1}
	c := &comparison{kernels: make([]kernel.Kernel, 1), widest: -1, task: of, held: &holdOut{task: of, class: of.Class, count: []int{0, 1, 2, 3}}, columns: deformed.Columns{Targets: of.Targets()},
		blocks:   []block{{labels: []int{0, 1}, count: []int{2, 3}}, {labels: []int{2, 3}, count: []int{0, 1}}},
		measured: []candidate{machine(0.001, 9, 1, 1, right[0], right[1]), machine(9, 0.001, right[0], right[1], -1, -1)},
		alone:    []candidate{machine(5, 5, -1, -1, 1, 1)}}
	c.asked.Supervised = true // no third belief
	c.points = 4
	if c.geometry, err = geometry.New(t.Context(), d.Points, geometry.Options{}); err != nil {
		t.Fatal(err)
	}
	wrong, alone := c.ask()
	if !slices.Equal(wrong, []float64{1, 0, 0, 1}) || !slices.Equal(alone, []float64{0, 1, 1, 0}) {
		t.Errorf("wrong %v, of the supervised machine %v", wrong, alone)
	}
	if c.measured[0].unseen, c.measured[1].unseen = nil, nil; len(c.again(0).measured) != 0 {
		t.Error("machines without outputs are asked")
	}
	if wrong, _ := c.ask(); wrong != nil {
		t.Errorf("no machine can be asked, and %v are wrong", wrong)
	}
}

// Labels that mean nothing are predicted wrongly half of the time, and seldom with a verdict.
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
			if i >= 12 {
				class = dataset.Unlabelled
			}
			d.Y = append(d.Y, class)
		}
		d.Points = points.Dense(60, 3, values)
		e, verdict := Expect(divided(t, d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 1}, Graph: graph.Options{Neighbours: 5}}, train.Run{}).ask())
		if e == nil {
			t.Fatal("twelve labels tell nothing")
		}
		if sum += e.Error; verdict != train.CannotBeTold {
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
		want                        train.Expected
		verdict                     train.Verdict
		none                        bool
	}{
		"too few":       {labels: 9, both: 3, verdict: train.CannotBeTold, none: true},
		"none wrong":    {labels: 10, verdict: train.CannotBeTold, want: train.Expected{ErrorHigh: 43.4482}},
		"better by few": {labels: 20, better: 6, both: 2, verdict: train.CannotBeTold, want: train.Expected{Error: 10, ErrorLow: 1.7876, ErrorHigh: 40.4150, SupervisedError: 40, Gain: 30}},
		"not enough":    {labels: 20, better: 10, verdict: train.CannotBeTold, want: train.Expected{ErrorHigh: 27.7533, SupervisedError: 50, Gain: 50}},
		"better":        {labels: 20, better: 12, both: 2, verdict: train.Helps, want: train.Expected{Error: 10, ErrorLow: 1.7876, ErrorHigh: 40.4150, SupervisedError: 70, Gain: 60}},
		"worse":         {labels: 40, worse: 20, better: 4, verdict: train.Harms, want: train.Expected{Error: 50, ErrorLow: 29.9298, ErrorHigh: 70.0702, SupervisedError: 10, Gain: -40}},
	} {
		wrong, alone := make([]float64, c.labels), make([]float64, c.labels)
		for k := range c.better + c.worse + c.both {
			if k >= c.better {
				wrong[k] = 1
			}
			if k < c.better || k >= c.better+c.worse {
				alone[k] = 1
			}
		}
		got, verdict := Expect(wrong, alone)
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
	// The chance of a side at least as far from half, by counting all tosses.
	for tosses := range 12 {
		for better := range tosses + 1 {
			count := 0
			for heads := range 1 << tosses {
				n := 0
				for ; heads > 0; heads &= heads - 1 {
					n++
				}
				if max(n, tosses-n) >= max(better, tosses-better) {
					count++
				}
			}
			if got, want := signTest(better, tosses-better), float64(count)/float64(int(1)<<tosses); !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("%d of %d: %v, want %v", better, tosses, got, want)
			}
		}
	}
}
