package selection

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
)

// On a part of the points the machine with the least loss expected on more points is taken. Among
// nearly equal machines it is the one with the strongest graph, then the narrowest kernel.
func TestFirstOnAPart(t *testing.T) {
	one := func(kernel int, a, i, loss, half float64) (c, h candidate) {
		c = candidate{kernel: kernel, Member: train.Member{Neighbours: 10, GammaA: a, GammaI: i}, measurement: measurement{loss: slices.Repeat([]float64{loss}, 50), total: 50 * loss}}
		h = c
		h.loss, h.total = slices.Repeat([]float64{half / 2, 3 * half / 2}, 25), 50*half
		return c, h
	}
	wide, narrow := kernel.Gaussian{Sigma: 2}, kernel.Gaussian{Sigma: 1}
	for name, test := range map[string]struct {
		part     bool
		machines [][5]float64 // kernel, γA, γI, loss, loss on half of the points; 0 was given up
		want     int
	}{
		"all points":      {false, [][5]float64{{0, 1, 1e-6, 0.10, 0}, {0, 1, 1, 0.11, 0.3}}, 0},
		"falling":         {true, [][5]float64{{0, 1, 1e-6, 0.10, 0.10}, {0, 1, 1e-4, 0.13, 0.2}}, 1},
		"falling too far": {true, [][5]float64{{0, 1, 1e-6, 0.10, 0.30}, {0, 1, 1e-4, 0.13, 0.2}}, 0},
		"given up":        {true, [][5]float64{{0, 1, 1e-6, 0.10, 0.10}, {0, 1, 1e-4, 0.13, 0}}, 0},
		"rising":          {true, [][5]float64{{0, 1, 1e-6, 0.10, 0.10}, {0, 1, 1e-4, 0.09, 0.06}}, 0},
		"stronger graph":  {true, [][5]float64{{0, 1, 1e-2, 0.100, 0.1}, {0, 1, 0.1, 0.1015, 0.1015}, {0, 1, 1, 0.11, 0.11}}, 1},
		"narrower kernel": {true, [][5]float64{{0, 1, 1, 0.100, 0.1}, {1, 1, 1, 0.101, 0.101}}, 1},
		"least":           {true, [][5]float64{{1, 1e-2, 1, 0.101, 0.101}, {1, 1, 1, 0.100, 0.1}}, 1},
		"no loss":         {true, [][5]float64{{0, 1, 1, 0, 0.1}, {0, 1, 10, 0.05, 0.05}}, 0},
	} {
		c := &comparison{part: test.part, kernels: []kernel.Kernel{wide, narrow}, widest: -1, held: &holdOut{}}
		half := &comparison{}
		for _, m := range test.machines {
			whole, h := one(int(m[0]), m[1], m[2], m[3], m[4])
			c.measured = append(c.measured, whole)
			if m[4] > 0 {
				half.measured = append(half.measured, h)
			}
		}
		c.follow(half)
		if got, want := c.first(belief{of: c.measured}), c.measured[test.want]; got.Member != want.Member || got.kernel != want.kernel {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// Members have the kernel with the largest sum of weights. Their weights are
// exp(−l(h − h_min)/2h_min + βQ), divided by the size of the outputs, and sum to 1. Machines below
// a thousandth of the largest weight are left out.
func TestMembers(t *testing.T) {
	one := func(kernel, neighbours int, loss, modularity, scale float64) candidate {
		return candidate{kernel: kernel, Member: train.Member{Neighbours: neighbours, LaplacianDegree: 1, GammaA: 1, GammaI: 2}, measurement: measurement{loss: []float64{loss / 2, 3 * loss / 2}, total: 2 * loss},
			modularity: modularity, scale: scale}
	}
	c := &comparison{kernels: make([]kernel.Kernel, 3), widest: 2, points: 100, held: &holdOut{count: []int{0, 1}}}
	for name, test := range map[string]struct {
		of         []candidate
		modularity float64
		neighbours []int
		weights    []float64 // but for a factor
	}{
		"by labels": {
			of:         []candidate{one(0, 2, 0.11, 0.9, 1), one(0, 3, 0.1, 0.1, 1), one(1, 5, 0.3, 0.9, 1), one(0, 7, 0.8, 0.9, 1)},
			neighbours: []int{2, 3}, weights: []float64{math.Exp(-0.1), 1},
		},
		"by labels and graph": {
			of:         []candidate{one(0, 2, 0.2, 0.5, 1), one(0, 3, 0.1, 0.2, 1), one(1, 5, 0.1, 0.1, 1)},
			modularity: 10, neighbours: []int{2, 3}, weights: []float64{math.Exp(-1 + 5), math.Exp(2)},
		},
		"by size": {
			of:         []candidate{one(0, 2, 0.1, 0, 4), one(0, 3, 0.1, 0, 0.5), one(0, 5, 0.1, 0, 0)},
			neighbours: []int{2, 3, 5}, weights: []float64{0.25, 2, 1},
		},
		"two kernels": {
			of:         []candidate{one(0, 2, 0.1, 0, 1), one(1, 3, 0.12, 0, 1), one(1, 5, 0.12, 0, 1)},
			neighbours: []int{3, 5}, weights: []float64{1, 1},
		},
		"the widest kernel": { // in doubt, by a factor of 20
			of:         []candidate{one(0, 2, 0.3, 0, 1), one(2, 3, 0.1, 0, 1)},
			neighbours: []int{2}, weights: []float64{1},
		},
		"the widest kernel in spite of doubt": {
			of:         []candidate{one(0, 2, 0.5, 0, 1), one(2, 3, 0.1, 0, 1)},
			neighbours: []int{3}, weights: []float64{1},
		},
		"a loss of 0": { // which has no equal but 0
			of:         []candidate{one(0, 2, 0, 0, 1), one(0, 3, 1e-9, 0, 1), one(0, 5, 0, 0, 1)},
			neighbours: []int{2, 5}, weights: []float64{1, 1},
		},
	} {
		sum, all := 0.0, 0.0
		for _, w := range test.weights {
			sum += w
		}
		got := c.members(belief{of: test.of, modularity: test.modularity})
		if len(got) != len(test.neighbours) {
			t.Errorf("%s: the members are %+v, want those of %v neighbours", name, got, test.neighbours)
			continue
		}
		for k, m := range got {
			if want := test.weights[k] / sum; m.Neighbours != test.neighbours[k] || !(math.Abs(m.Weight-want) <= 1e-12) {
				t.Errorf("%s: member %d is %+v, want %d neighbours with the weight %v", name, k, m.Member, test.neighbours[k], want)
			}
			all += m.Weight
		}
		if !(math.Abs(all-1) <= 1e-12) {
			t.Errorf("%s: the weights sum to %v", name, all)
		}
	}
}

// Each label is held out once more, from the weights too: here the first label alone
// tells against the one machine and the second against the other.
func TestHeldOutOnceMore(t *testing.T) {
	d := &dataset.Dataset{Points: points.Dense(4, 1, []float64{1, 2, 3, 4}), Y: []int{0, 1, 0, 1}, Classes: []string{"a", "b"}}
	of, err := task.New(d)
	if err != nil {
		t.Fatal(err)
	}
	held := &holdOut{task: of, class: of.Class, count: []int{0, 1, 2, 3}}
	c := &comparison{kernels: make([]kernel.Kernel, 1), widest: -1, held: held, columns: deformed.Columns{Targets: of.Targets()}}
	var measured []candidate
	for _, outputs := range [][]float64{{-5, -1, -1, 1}, {-0.5, 1, -0.4, 0.5}} {
		m := candidate{scale: 1}
		held.compare(&m.measurement, [][]float64{outputs})
		measured = append(measured, m)
	}
	// The first is wrong on label 1 alone, with the loss 4 of a mean of 1; the losses
	// of the second are 0.25, 0, 0.36 and 0.25. Without label 1 the first has the
	// loss 0, and the second no weight.
	want := -3 + 3*math.Log(0.9) + math.Log(0.1) // both are right on the other labels
	if got := c.score(belief{of: measured, evidence: -3}); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("score %v, want %v", got, want)
	}
}

// Several labels of a single class favour a machine that assigns it to all points. So the graph
// chooses until two classes have two labels.
func TestLabelsOfOneClassDoNotChoose(t *testing.T) {
	for second, heldOut := range map[int]int{1: 0, 2: 11} {
		d := dataset.TwoMoons(120, 0.12, 4)
		count := [2]int{}
		for i, class := range d.Y {
			if most := []int{9, second}[class]; count[class] < most {
				count[class]++
			} else {
				d.Y[i] = dataset.Unlabelled
			}
		}
		r, err := Choose(t.Context(), d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}}, train.Run{})
		if err != nil || r.Choice.Labels != heldOut || (r.Choice.HeldOut == "none") != (heldOut == 0) || r.Supervised {
			t.Errorf("9 and %d labels: %+v, %v", second, r.Choice, err)
		}
		if _, err := Tune(t.Context(), d, train.Recipe{}, Grid{GammaA: []float64{1}, GammaI: []float64{1}}, train.Run{}); (err != nil) != (heldOut == 0) {
			t.Errorf("9 and %d labels are tuned: %v", second, err)
		}
	}
}
