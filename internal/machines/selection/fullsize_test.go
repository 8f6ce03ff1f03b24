package selection

import (
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// Among machines trained on all points the one with the most evidence from labels and graph is
// taken. The supervised machine must be better by far.
func TestStrongest(t *testing.T) {
	for name, c := range map[string]struct {
		all  []finalist
		want int
	}{
		"by errors":                       {[]finalist{{wrong: 0.3, labels: 20}, {wrong: 0.2, labels: 20, loss: 3}}, 1},
		"by the graph":                    {[]finalist{{wrong: 0.2, labels: 20, candidate: candidate{modularity: 0.1}}, {wrong: 0.25, labels: 20, candidate: candidate{modularity: 0.4}}}, 1},
		"the graph less by many labels":   {[]finalist{{wrong: 0.2, labels: 600, candidate: candidate{modularity: 0.1}}, {wrong: 0.22, labels: 600, candidate: candidate{modularity: 0.4}}}, 0},
		"no label held out":               {[]finalist{{candidate: candidate{modularity: 0.1}}, {candidate: candidate{modularity: 0.2}}}, 1},
		"equal":                           {[]finalist{{wrong: 0.2, labels: 20}, {wrong: 0.2, labels: 20}}, 0},
		"equal but for the loss":          {[]finalist{{wrong: 0.2, labels: 20, loss: 0.5}, {wrong: 0.2, labels: 20, loss: 0.4}}, 1},
		"one label more, loss and graph":  {[]finalist{{wrong: 0.1, labels: 20, loss: 0.2}, {wrong: 0.15, labels: 20, loss: 0.1, candidate: candidate{modularity: 0.01}}}, 1},
		"one label more, loss alone":      {[]finalist{{wrong: 0.1, labels: 20, loss: 0.2}, {wrong: 0.15, labels: 20, loss: 0.1}}, 0},
		"two labels more, loss and graph": {[]finalist{{wrong: 0.1, labels: 20, loss: 0.2}, {wrong: 0.2, labels: 20, loss: 0.1, candidate: candidate{modularity: 0.01}}}, 0},
		"supervised, a little better":     {[]finalist{{wrong: 0.25, labels: 20}, {wrong: 0.2, labels: 20, doubt: doubt}}, 0},
		"supervised, far better":          {[]finalist{{wrong: 0.4, labels: 20}, {wrong: 0.2, labels: 20, doubt: doubt}}, 1},
	} {
		if got := strongest(c.all); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// A choice made on a part of the points is compared again on all points, where another machine may
// be better.
func TestMeet(t *testing.T) {
	d := dataset.TwoMoons(6600, 0.07, 4)
	truth := d.Y
	d.Y = make([]int, len(truth))
	for i := range d.Y {
		if d.Y[i] = dataset.Unlabelled; i < 8 {
			d.Y[i] = truth[i]
		}
	}
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, Standardise: "none"}
	c, why, err := newComparison(t.Context(), d, r, train.Run{}, choicePoints, 0)
	if err != nil || why != "" || !c.part {
		t.Fatal(why, err)
	}
	if err := c.compare(t.Context(), &counter{}); err != nil {
		t.Fatal(err)
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
	worst := c.chosen(r)
	worst.GammaI, worst.Supervised = 100, false // as if the part had been misled
	met, err := c.meet(t.Context(), d, worst, train.Run{}, true)
	if err != nil {
		t.Fatal(err)
	}
	before, after := errors(worst), errors(met)
	t.Logf("%d wrong by what was chosen, %d after all were compared again: %s", before, after, met.Choice.Reason)
	if !(after < before) || met.Choice.Labels == 0 {
		t.Errorf("%d wrong, before %d: %+v", after, before, met.Choice)
	}
	// Validation points and priors are not for it.
	if same, err := c.meet(t.Context(), d, train.Recipe{Supervised: true}, train.Run{}, true); err != nil || !same.Supervised || same.Choice != nil {
		t.Errorf("a supervised machine: %+v, %v", same, err)
	}
}

// On many points the width that is the distance of neighbours is theirs, the supervised
// machine has its own.
func TestFar(t *testing.T) {
	ctx, d := t.Context(), labelledMoons(500, 12, false)
	for name, asked := range map[string]train.Recipe{"open": {Standardise: "none"}, "graph": {Standardise: "none", Graph: graph.Options{Neighbours: 10}}} {
		part, why, err := newComparison(ctx, d, asked, train.Run{}, 100, 0)
		if err != nil || why != "" || !part.part {
			t.Fatal(why, err)
		}
		many, why, err := newComparison(ctx, d, asked, train.Run{}, 300, 50)
		if err != nil || why != "" {
			t.Fatal(why, err)
		}
		f := &far{comparison: many, ofPart: part.kernels, landmarks: make(map[int]*gram.Landmarks)}
		defer f.close()
		own := many.kernels
		many.kernels = f.widthsOf(part)
		for k, used := range many.kernels {
			want := part.kernels[k]
			if k == 0 {
				want = own[0]
			}
			if used != want {
				t.Errorf("%s: width %d is %v, want %v", name, k, used, want)
			}
		}
		if err := f.measureAll(ctx, []candidate{{Member: train.Member{Neighbours: 10, LaplacianDegree: 2, GammaA: 1e-2, GammaI: 1e-2}}}); err != nil {
			t.Fatal(err)
		}
		svm := f.all[0]
		svm.supervised, svm.kernel = true, 0
		f.all = []finalist{svm}
		if r := f.result(train.Recipe{Choice: &train.Choice{}}); r.Kernel != part.kernels[0] {
			t.Errorf("%s: the supervised machine has %v, want %v", name, r.Kernel, part.kernels[0])
		}
	}
}
