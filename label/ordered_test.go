package label_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// graded is points along a line with noise across, and a class by their place: the classes are not in the order of the data.
func graded(n int, labelled func(i int) bool) (*dataset.Dataset, []int) {
	rng := rand.New(rand.NewPCG(5, 55))
	d := &dataset.Dataset{Classes: []string{"high", "low", "mid"}}
	var x []float64
	truth := make([]int, n)
	for i := range n {
		at := 3 * rng.Float64()
		x, truth[i] = append(x, 2*at, 0.4*rng.NormFloat64()), []int{1, 2, 0}[int(at)]
		if d.Y = append(d.Y, dataset.Unlabelled); labelled(i) {
			d.Y[i] = truth[i]
		}
	}
	d.Points = points.Dense(n, 2, x)
	return d, truth
}

func ofOrdered() train.Recipe {
	r := plain()
	r.Kind = task.Ordered("low", "mid", "high")
	return r
}

// The least sure point is the one where some rank divides the probability best in two, and its reason names the classes beside it.
func TestOrderedUncertainty(t *testing.T) {
	d, _ := graded(150, func(i int) bool { return i < 40 })
	l := opened(t, d, ofOrdered(), label.Options{})
	all, err := l.Suggest(t.Context(), label.Uncertainty, 1)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	a, best, least := l.Answer(), -1, math.Inf(1)
	for i, y := range d.Y {
		low, high := float64(a.Probabilities[1][i]), float64(a.Probabilities[0][i])
		if off := min(math.Abs(1-2*low), math.Abs(1-2*high)); y == dataset.Unlabelled && off < least {
			best, least = i, off
		}
	}
	if all[0].Point != best || !(math.Abs(all[0].Value-least) <= 1e-6) {
		t.Errorf("point %d with %v is suggested, want %d with %v", all[0].Point, all[0].Value, best, least)
	}
	if r := all[0].Reason; !strings.HasPrefix(r, "the decision between low (") && !strings.HasPrefix(r, "the decision between mid or lower (") {
		t.Errorf("the reason is %q", r)
	}
}

// Of two labels as surely wrong the one that is two ranks off comes first.
func TestOrderedAudit(t *testing.T) {
	d, truth := graded(200, func(i int) bool { return i < 60 })
	var low []int
	for i := range 60 {
		if x := d.Points.DenseRow(i); truth[i] == 1 && x[0] < 1.2 {
			low = append(low, i)
		}
	}
	near, far := low[0], low[1]
	d.Y[near], d.Y[far] = 2, 0
	l := opened(t, d, ofOrdered(), label.Options{})
	all, err := l.Audit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Point != far || all[1].Point != near || !(all[0].Suspicion > 0.5) || !(all[1].Suspicion > 0.5) {
		t.Fatalf("the first are %+v, %+v, want the points %d, %d", all[0], all[1], far, near)
	}
	if !(all[0].Ranks > 1.5 && all[1].Ranks < 1.5) || !strings.Contains(all[0].Why, "; the two are 2 ranks apart") || strings.Contains(all[1].Why, "apart") {
		t.Errorf("%.2f ranks off, %q; %.2f, %q", all[0].Ranks, all[0].Why, all[1].Ranks, all[1].Why)
	}
	for k, one := range all[1:] {
		if before := all[k]; before.Suspicion > 0.5 == (one.Suspicion > 0.5) && !(before.Suspicion*before.Ranks >= one.Suspicion*one.Ranks) {
			t.Errorf("label %d has %v·%v, the next %v·%v", k, before.Suspicion, before.Ranks, one.Suspicion, one.Ranks)
		}
	}
}

// Of ordered classes too a recipe takes the place of one that tells nothing.
func TestOrderedReplaces(t *testing.T) {
	d, _ := graded(150, func(i int) bool { return i < 30 })
	narrow := ofOrdered()
	narrow.Kernel, narrow.GammaI = kernel.Gaussian{Sigma: 0.02}, 1e-6
	if !replaces(t, opened(t, d, ofOrdered(), label.Options{}), opened(t, d, narrow, label.Options{})) {
		t.Error("a recipe does not take the place of one that tells nothing")
	}
}

// A label outside of the order is refused.
func TestOrderedLabelOutside(t *testing.T) {
	d, _ := graded(60, func(i int) bool { return i < 20 })
	l := opened(t, d, ofOrdered(), label.Options{})
	c, err := l.AddClass("middling")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Apply(t.Context(), []label.Change{{Point: 30, Class: c}}); err == nil || !strings.Contains(err.Error(), `"middling"`) || !strings.Contains(err.Error(), "low, mid, high") {
		t.Errorf("the error is %v", err)
	}
}
