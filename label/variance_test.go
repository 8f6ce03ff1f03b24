package label

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// withoutLabels opens a labelling of points without labels: with the whole inverse, or on a pool.
func withoutLabels(t *testing.T, exact int) *Labelling {
	t.Helper()
	d := dataset.TwoMoons(80, 0.1, 1)
	for i := range d.Y {
		d.Y[i] = dataset.Unlabelled
	}
	r := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.5}, Standardise: points.AsIs, GammaA: 1e-2, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}}
	l, err := Open(t.Context(), d, r, Options{Exact: exact})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// The gain of a point is by how much its label lowers the sum of the variances, whatever labels there
// are.
func TestGainIsTheDecreaseOfTheVariances(t *testing.T) {
	for _, exact := range []int{0, 40} {
		p, err := withoutLabels(t, exact).newPool(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := func() (all float64) {
			for _, v := range p.variance {
				all += v
			}
			return all
		}
		whole := sum()
		for _, k := range []int{3, 50, 17, 18, 79, 3, 40} {
			gain, before := p.gain(k), sum()
			p.take(t.Context(), k)
			if got := before - sum(); !(math.Abs(got-gain) <= 1e-9*whole) {
				t.Errorf("%d labels: the gain of point %d is %v, and its label lowers the variances by %v", len(p.taken)-1, k, gain, got)
			}
		}
	}
}

// Labels taken together leave the same bits as labels taken one by one.
func TestLabelsTakenTogether(t *testing.T) {
	for _, exact := range []int{0, 40} {
		var pools []*pool
		for range 2 {
			p, err := withoutLabels(t, exact).newPool(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			pools = append(pools, p)
		}
		labels := []int{3, 50, 17, 18, 79, 40}
		pools[0].take(t.Context(), labels...)
		for _, k := range labels {
			pools[1].take(t.Context(), k)
		}
		if got, want := pools[0], pools[1]; !slices.Equal(got.variance, want.variance) || !slices.Equal(got.square, want.square) || !slices.Equal(got.taken, want.taken) {
			t.Errorf("labels taken together leave the variances %v, one by one %v", got.variance, want.variance)
		}
	}
}

// A label that is withdrawn leaves the variances as if it had never been.
func TestVariancesOfWithdrawnLabels(t *testing.T) {
	for _, exact := range []int{0, 40} {
		label := func(l *Labelling, changes ...Change) *pool {
			t.Helper()
			if _, err := l.Apply(t.Context(), changes); err != nil {
				t.Fatal(err)
			}
			p, err := l.currentPool(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		one, other := withoutLabels(t, exact), withoutLabels(t, exact)
		label(one, Change{3, 0}, Change{60, 1})
		label(one, Change{20, 0})
		got := label(one, Change{3, dataset.Unlabelled})
		want := label(other, Change{20, 0}, Change{60, 1})
		if !slices.Equal(got.taken, want.taken) || !slices.Equal(got.variance, want.variance) || !slices.Equal(got.square, want.square) {
			t.Errorf("the labels %v are taken, without the withdrawn one %v; the variances are not those without it", got.taken, want.taken)
		}
	}
}

// ending is a context that is done after so many looks at it.
type ending struct {
	context.Context
	left *atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Points that could not be decided have not come.
func TestGrowThatEndsChangesNothing(t *testing.T) {
	l := withoutLabels(t, 0)
	before, err := l.Apply(t.Context(), []Change{{0, 0}, {79, 1}})
	if err != nil {
		t.Fatal(err)
	}
	more := dataset.TwoMoons(20, 0.1, 2)
	more = &dataset.Dataset{Points: points.Stack(l.Dataset().Points, more.Points)}
	for looks, ended := 0, 0; ; looks++ {
		var left atomic.Int64
		left.Store(int64(looks))
		if _, err := l.Grow(&ending{t.Context(), &left}, more); err == nil {
			if ended == 0 {
				t.Error("nothing ended it")
			}
			break
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		ended++
		if l.Len() != 80 || len(l.Labels()) != 80 || l.Answer() != before || l.Dataset().Points.Len() != 80 {
			t.Fatalf("after %d looks at the context there are %d points, %d labels", looks, l.Len(), len(l.Labels()))
		}
	}
	if l.Len() != 100 || len(l.Answer().Decided) != 100 {
		t.Errorf("there are %d points, %d decided", l.Len(), len(l.Answer().Decided))
	}
}
