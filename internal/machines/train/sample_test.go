package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/ranks/comm"
)

// With labels held out of a sample, machines on all points are about those of a column for every label, so are
// probabilities, and the same challenger is taken. The recipe that comes out gives the same bits. Ranks train as one
// process does.
func TestSample(t *testing.T) {
	const n = 1200
	d, good := fewLabels(n, 60)
	labels := dataset.TwoMoons(n, 0.1, 3)
	for i := range 60 {
		d.Y[i] = labels.Y[i]
	}
	bad := good.with(Member{Neighbours: 6, LaplacianDegree: 1, GammaA: 10, GammaI: 1e3})
	fit := func(ctx context.Context, d *dataset.Dataset, r Recipe, sampled int) (*Fitted, error) {
		p, err := Begin(ctx, d, r, Run{})
		if err != nil {
			return nil, err
		}
		defer p.Geometry.Close()
		p.sampled = sampled
		return p.Solve(ctx, nil, Run{})
	}
	want, err := fit(t.Context(), d, good, n)
	if err != nil {
		t.Fatal(err)
	}
	r, member := bad, good.Leading()
	r.Pending.Challenger, r.Choice = &member, &Choice{Reason: "by some"}
	got, err := fit(t.Context(), d, r, n/3)
	if err != nil {
		t.Fatal(err)
	}
	if got.Recipe.Pending.Challenger != nil || got.Recipe.Leading() != member || got.Recipe.Choice.GammaI != good.GammaI {
		t.Fatalf("the recipe is %+v", got.Recipe)
	}
	differ := 0
	for i, row := range want.Summary.Scores {
		other := got.Summary.Scores[i]
		if (row[0] > row[1]) != (other[0] > other[1]) {
			differ++
		}
	}
	if differ > n/200 {
		t.Errorf("%d of %d points are decided otherwise", differ, n)
	}
	if slope := got.Calibration.Slope / want.Calibration.Slope; !(math.Abs(math.Log(slope)) < 0.5) {
		t.Errorf("the slope is %g, of all points %g", got.Calibration.Slope, want.Calibration.Slope)
	}
	if held := got.Summary.HeldOut; len(held.Scores) != len(want.Summary.HeldOut.Scores) {
		t.Errorf("%d labels are held out, want %d", len(held.Scores), len(want.Summary.HeldOut.Scores))
	}
	again, err := fit(t.Context(), d, got.Recipe, n/3)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "by the recipe that came out", again, got)
	if err := comm.Goroutines(t.Context(), 2, func(ctx context.Context, ranks *comm.Comm) error {
		own, err := d.Part(dataset.Part{Rank: ranks.Rank(), Parts: 2}).Share(ctx, ranks)
		if err != nil {
			return err
		}
		f, err := fit(ctx, own, r, n/3)
		if err != nil || ranks.Rank() > 0 {
			return err
		}
		for i, row := range got.Summary.Scores {
			for c, v := range row {
				if !(math.Abs(f.Summary.Scores[i][c]-v) <= 0.02) {
					return fmt.Errorf("point %d has %g, of one process %g", i, f.Summary.Scores[i][c], v)
				}
			}
		}
		if f.Recipe.Leading() != member || !(math.Abs(f.Calibration.Slope/got.Calibration.Slope-1) < 0.02) {
			return errors.New("ranks have another challenger or slope")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// With more labels than have columns machines of all points are those without a sample, and all labels are held out of the sample.
func TestSampleOfManyLabels(t *testing.T) {
	const n, labelled = 3000, mostColumns + 50
	d, r := fewLabels(n, 60)
	for i, class := range dataset.TwoMoons(n, 0.1, 3).Y[:labelled] {
		d.Y[i] = class
	}
	fit := func(sampled int) *Fitted {
		p, err := Begin(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Geometry.Close()
		p.sampled = sampled
		f, err := p.Solve(t.Context(), nil, Run{})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	want, got := fit(n), fit(n/5)
	for i, row := range want.Summary.Scores {
		for c, v := range row {
			if got.Summary.Scores[i][c] != v {
				t.Fatalf("point %d has %g, without a sample %g", i, got.Summary.Scores[i][c], v)
			}
		}
	}
	if held := got.Summary.HeldOut; len(held.Label) != labelled || held.Parts != mostFolds {
		t.Errorf("%d labels are held out in %d parts", len(held.Label), held.Parts)
	}
	if slope := got.Calibration.Slope / want.Calibration.Slope; !(math.Abs(math.Log(slope)) < 0.5) {
		t.Errorf("the slope is %g, of all points %g", got.Calibration.Slope, want.Calibration.Slope)
	}
}

// A recipe with a tolerance and few points that are not labelled have no sample.
func TestNoSample(t *testing.T) {
	for _, c := range []struct {
		recipe      Recipe
		n, labelled int
		want        bool
	}{
		{Recipe{}, 300, 10, true},
		{Recipe{}, 200, 10, false},
		{Recipe{Tolerance: 1e-3}, 300, 10, false},
		{Recipe{Supervised: true}, 300, 10, false},
		{Recipe{Members: make([]Member, 2)}, 300, 10, false},
		{Recipe{}, 30000, mostColumns + 1, true},
		{Recipe{}, 300, 150, false},
	} {
		if got := c.recipe.samples(c.n, c.labelled, 100); got != c.want {
			t.Errorf("%+v, %d points, %d labels: %t", c.recipe, c.n, c.labelled, got)
		}
	}
}
