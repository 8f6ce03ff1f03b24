package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// The evidence is β Q + (l + 4)/p ln((l + 4)h_min/(l h + 4 h_min)) with β = 20·min(1, 10/l), and 20·Q without labels.
func TestEvidence(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, labels := range []int{0, 1, 4, 10, 11, 50, 200} {
		modularity, loss := make([]float64, 7), make([]float64, 7)
		least := math.Inf(1)
		for i := range loss {
			if modularity[i] = rng.Float64() - 0.1; labels > 0 {
				loss[i] = 0.05 + rng.Float64()
			}
			least = math.Min(least, loss[i])
		}
		power := float64(1 + labels%2)
		got := logScore(modularity, loss, labels, power)
		for i, h := range loss {
			want := 20 * modularity[i]
			if l := float64(labels); labels > 0 {
				beta := 20.0
				if labels > 10 {
					beta = 200 / l
				}
				want = beta*modularity[i] - (l+4)/power*math.Log((l*h+4*least)/((l+4)*least))
			}
			if !(math.Abs(got[i]-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%d labels: %v, want %v", labels, got[i], want)
			}
		}
	}
	// A loss of 0 has no equal but 0.
	if got := logScore([]float64{0.5, 0.1, 0.9}, []float64{0, 0, 1e-9}, 5, 2); got[0] != 10 || got[1] != 2 || !math.IsInf(got[2], -1) {
		t.Errorf("evidence %v beside a loss of 0", got)
	}
}

// The log score of a comparison is by the labels that count, with a block of them left out by the others;
// and by the graph alone where no label counts.
func TestEvidenceWithoutBlock(t *testing.T) {
	a := toyComparison(t, train.Recipe{}, 3)
	a.held.blocks = []block{{labels: []int{1}, count: []int{0, 2}}, {labels: []int{0}}}
	some := []measured{
		{modularity: 0.1, losses: []float64{1, 2, 3}, unseen: []heldOutEstimate{{losses: []float64{1, 1}}, {}}},
		{modularity: 0.2, losses: []float64{2, 4, 6}, unseen: []heldOutEstimate{{losses: []float64{1, 0}}, {}}},
	}
	for block, want := range map[int][]float64{-1: {2, 4 + 3.5*math.Log(0.7)}, 0: {2 + 3*math.Log(0.75), 4}, 1: {2, 4}} {
		if got := a.logScores(some, block); !(math.Abs(got[0]-want[0])+math.Abs(got[1]-want[1]) <= 1e-12) {
			t.Errorf("block %d: %v, want %v", block, got, want)
		}
	}
	if a.held = nil; !slices.Equal(a.logScores(some, -1), []float64{2, 4}) {
		t.Errorf("no label can be held out: %v", a.logScores(some, -1))
	}
}

// machineOf returns a machine with three held-out labels of the given mean loss.
func machineOf(kernel role, neighbours int, a, i, loss, modularity, scale float64) measured {
	return measured{candidate: candidate{kernel, graph.Euclidean, 0, train.Member{Neighbours: neighbours, LaplacianDegree: 1, GammaA: a, GammaI: i}, false},
		losses: []float64{loss, loss / 2, 3 * loss / 2}, modularity: modularity, scale: scale}
}

// The strongest are those with the highest log score, in this order, and of equal ones the first.
func TestStrongest(t *testing.T) {
	a := toyComparison(t, train.Recipe{}, 3)
	some := []measured{machineOf(0, 3, 1, 1, 0.3, 0.1, 1), machineOf(0, 5, 1, 1, 0.1, 0.1, 1), machineOf(0, 10, 1, 1, 0.3, 0.5, 1), machineOf(0, 20, 1, 1, 0.1, 0.1, 1)}
	// With three labels of the loss 0.1 at least the log score is −1, 2, 7 and 2.
	var got []int
	for _, c := range a.strongest(some) {
		got = append(got, c.Neighbours)
	}
	if want := []int{10, 5, 20, 3}; !slices.Equal(got, want) {
		t.Errorf("the strongest have %v neighbours, want %v", got, want)
	}
}

// Members have the kernel with the largest sum of weights. Their weights are
// exp of the log score, divided by the size of the outputs, and sum to 1. Machines below
// a thousandth of the largest weight are left out, and so are graphs beyond the two best.
func TestMembers(t *testing.T) {
	one := func(kernel role, neighbours int, loss, modularity, scale float64) measured {
		return machineOf(kernel, neighbours, 1, 2, loss, modularity, scale)
	}
	weight := func(times float64) float64 { return math.Pow(7/(3*times+4), 3.5) } // of so many times the least loss, by three labels
	times := func(weight float64) float64 { return (7*math.Pow(weight, -1/3.5) - 4) / 3 }
	for name, test := range map[string]struct {
		of         []measured
		points     int // 3 unless given
		neighbours []int
		weights    []float64 // but for a factor
	}{
		"by labels": {
			of:         []measured{one(0, 2, 0.11, 0, 1), one(0, 3, 0.1, 0, 1), one(1, 5, 0.3, 0, 1), one(0, 7, 2, 0, 1)},
			neighbours: []int{2, 3}, weights: []float64{weight(1.1), 1},
		},
		"by labels and graph": {
			of:         []measured{one(0, 2, 0.2, 0.25, 1), one(0, 3, 0.1, 0.1, 1), one(1, 5, 0.1, 0.05, 1)},
			neighbours: []int{2, 3}, weights: []float64{weight(2) * math.Exp(5), math.Exp(2)},
		},
		"by size": {
			of:         []measured{one(0, 2, 0.1, 0, 4), one(0, 3, 0.1, 0, 0.5)},
			neighbours: []int{2, 3}, weights: []float64{0.25, 2},
		},
		"without a size": {
			of:         []measured{one(0, 2, 0.1, 0, 4), one(0, 3, 0.1, 0, 0)},
			neighbours: []int{2, 3}, weights: []float64{0.25, 1},
		},
		"two kernels": {
			of:         []measured{one(0, 2, 0.1, 0, 1), one(1, 3, 0.12, 0, 1), one(1, 5, 0.12, 0, 1)},
			neighbours: []int{3, 5}, weights: []float64{1, 1},
		},
		"a thousandth": {
			of:         []measured{one(0, 2, 0.1*times(1./990), 0, 1), one(0, 3, 0.1, 0, 1), one(0, 5, 0.1*times(1./1010), 0, 1)},
			neighbours: []int{2, 3}, weights: []float64{1 / 990.0, 1},
		},
		"a loss of 0": { // which has no equal but 0
			of:         []measured{one(0, 2, 0, 0, 1), one(0, 3, 1e-9, 0, 1), one(0, 5, 0, 0, 1)},
			neighbours: []int{2, 5}, weights: []float64{1, 1},
		},
		"the two best graphs": {
			of:         []measured{one(0, 2, 0.11, 0, 1), one(0, 3, 0.1, 0, 1), one(0, 5, 0.13, 0, 1), one(0, 2, 0.12, 0, 1), one(0, 7, 0.12, 0, 1)},
			neighbours: []int{2, 3, 2}, weights: []float64{weight(1.1), 1, weight(1.2)},
		},
		"one graph, the best of none": { // whose sum is the largest
			of: []measured{one(0, 2, 0.11, 0, 1), one(0, 3, 0.1, 0, 1), one(0, 2, 0.12, 0, 1)}, points: 5000,
			neighbours: []int{2, 2}, weights: []float64{weight(1.1), weight(1.2)},
		},
	} {
		a := toyComparison(t, train.Recipe{}, max(test.points, 3))
		got := a.mean(a.members(test.of, a.logScores(test.of, -1)))
		if len(got) != len(test.neighbours) {
			t.Errorf("%s: the members are %+v, want those of %v neighbours", name, got, test.neighbours)
			continue
		}
		for k, m := range got {
			if want := test.weights[k] / sum(test.weights); m.Neighbours != test.neighbours[k] || !(math.Abs(m.weight-want) <= 1e-12) {
				t.Errorf("%s: member %d is %+v with the weight %v, want %d neighbours with the weight %v", name, k, m.Member, m.weight, test.neighbours[k], want)
			}
		}
	}
}

// Supervised machines of the same kernel have the odds k/10 in a mean, k being the labels per class that count, weighed by
// their losses. The odds are less where they have more loss. In the recipe they have the graph of the leading member and no intrinsic norm.
func TestSupervisedMembers(t *testing.T) {
	r := train.Recipe{Standardise: points.AsIs, Solver: train.Auto}
	a := toyComparison(t, r, 3)
	a.held.blocks = []block{{labels: []int{0}, count: []int{1}}, {labels: []int{0, 1, 2}}}
	unseenOf := func(m measured) measured {
		m.unseen = []heldOutEstimate{{losses: []float64{m.losses[0]}}, {}}
		return m
	}
	graphs := []measured{unseenOf(machineOf(0, 7, 1, 2, 0.1, 0, 1)), unseenOf(machineOf(0, 5, 1, 2, 0.1, 0, 4))}
	baselines := []measured{unseenOf(machineOf(1, 0, 3, 0, 0.01, 0, 1)), unseenOf(machineOf(0, 0, 1, 0, 0.1, 0, 1)), unseenOf(machineOf(0, 0, 2, 0, 0.2, 0, 2))}
	for block, share := range map[int]float64{-1: 1.5 / 11.5, 0: 0.5 / 10.5, 1: 0} {
		labels := float64(len(a.held.counted(block)))
		worse := math.Pow((labels+4)/(2*labels+4), (labels+4)/2) // weight of the one with twice the loss
		want := []float64{(1 - share) / 2, (1 - share) / 8, share / (1 + worse), share * worse / (1 + worse) / 2}
		if share == 0 {
			want = want[:2]
		}
		got := a.take(graphs, baselines, block)
		if len(got) != len(want) {
			t.Fatalf("block %d: %d members, want %d", block, len(got), len(want))
		}
		for k, m := range got {
			if w := want[k] / sum(want); !(math.Abs(m.weight-w) <= 1e-12) || m.kernel != 0 {
				t.Errorf("block %d: member %d with kernel %d has the weight %v, want %v", block, k, m.kernel, m.weight, w)
			}
		}
	}
	chosen := a.recipeOf(r, a.take(graphs, baselines, -1))
	var got []train.Member
	for _, m := range chosen.Members {
		m.Weight = 0
		got = append(got, m)
	}
	want := []train.Member{{Neighbours: 5, LaplacianDegree: 1, GammaA: 1, GammaI: 2}, {Neighbours: 7, LaplacianDegree: 1, GammaA: 1, GammaI: 2},
		{Neighbours: 7, LaplacianDegree: 1, GammaA: 1}, {Neighbours: 7, LaplacianDegree: 1, GammaA: 2}}
	if !slices.Equal(got, want) || chosen.Choice.GammaI != 2 || chosen.Choice.Neighbours != 7 {
		t.Errorf("members %+v, chosen %+v", got, chosen.Choice)
	}
	if _, err := chosen.WithDefaults(); err != nil {
		t.Error(err)
	}
	worse := baselines[1]
	worse.losses = []float64{0.1, 0.15, 0.35}
	odds := 0.15 * math.Pow(0.7, 3.5) // (3 + 4)/2 ln((3 + 4)·0.1/(3·0.2 + 4·0.1))
	if got := a.take(graphs[:1], []measured{worse}, -1); len(got) != 2 || !(math.Abs(got[1].weight-odds/(1+odds)) <= 1e-12) {
		t.Errorf("with more loss: %+v, want the odds %v", got, odds)
	}
	worse.losses = []float64{3, 2.5, 3.6} // so much that nothing is left
	if got := a.take(graphs, []measured{worse}, -1); len(got) != 2 {
		t.Errorf("with much more loss: %+v", got)
	}
	// Labels of validation points are no labels of the training.
	a.held.validation, a.held.count = points.Dense(1, 1, []float64{1}), []int{0, 1, 2, 0, 1, 2}
	if got := a.take(graphs[:1], baselines[1:2], -1); len(got) != 2 || !(math.Abs(got[1].weight-1.5/11.5) <= 1e-12) {
		t.Errorf("by validation points: %+v", got)
	}
	a.held.validation, a.asked.GammaI = nil, 2
	if got := a.take(graphs, baselines, -1); len(got) != 2 {
		t.Errorf("γI is given: %+v", got)
	}
	if got := a.take(baselines, nil, -1); len(got) != 1 || got[0].GammaA != 3 {
		t.Errorf("the supervised machine is %+v", got)
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
		r, err := ChosenBy(t.Context(), d, train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}}, train.Run{})
		if err != nil || r.Choice.Labels != heldOut || (r.Choice.HeldOut == "none") != (heldOut == 0) || r.Supervised {
			t.Errorf("9 and %d labels: %+v, %v", second, r.Choice, err)
		}
		if _, err := Tune(t.Context(), d, train.Recipe{}, Grid{GammaA: []float64{1}, GammaI: []float64{1}}, train.Run{}); (err != nil) != (heldOut == 0) {
			t.Errorf("9 and %d labels are tuned: %v", second, err)
		}
	}
}
