package train

import (
	"errors"
	"math"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/kernel"
)

// A training goes on with few points where it decides as a sample of them does, and says so. Where it does not, more take part.
func TestFewServe(t *testing.T) {
	const n, few = 1200, 600
	d, good := fewLabels(n, 60)
	for i, class := range dataset.TwoMoons(n, 0.1, 3).Y[:60] {
		d.Y[i] = class
	}
	solve := func(r Recipe, sampled int) (*Fitted, error) {
		r.MostPoints, r.Pending.Fewer, r.Choice = few, few, &Choice{Reason: "by some"}
		p, err := Begin(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Geometry.Close()
		p.sampled = sampled
		return p.Solve(t.Context(), nil, Run{})
	}
	f, err := solve(good, few/3)
	if err != nil || f.Recipe.MostPoints != few || f.Recipe.Choice.Reason == "by some" {
		t.Fatalf("few points do not serve: %+v, %v", f, err)
	}
	if _, err := solve(good, few); !errors.Is(err, errFewDecideOtherwise) {
		t.Errorf("without a sample: %v", err)
	}
	rough := good.with(Member{Neighbours: 6, LaplacianDegree: 3, GammaA: 1e-6, GammaI: 1e-9})
	rough.Kernel = kernel.Gaussian{Sigma: 0.02} // each decides by its own few landmarks
	if _, err := solve(rough, 70); !errors.Is(err, errFewDecideOtherwise) {
		t.Errorf("machines that differ: %v", err)
	}
}

// The share of decisions that change is the mean of classes, so that a rare one counts as others do.
func TestChangedDecisions(t *testing.T) {
	values := func(classes ...int) [][]float64 {
		f := make([][]float64, 3)
		for _, class := range classes {
			for c := range f {
				f[c] = append(f[c], map[bool]float64{true: 1, false: -1}[c == class])
			}
		}
		return f
	}
	p := &Problem{Task: &task.Task{Classes: []string{"a", "b", "rare"}}}
	s := &sample{minimum: &minimum{Solution: &solve.Solution{F: values(0, 0, 0, 1, 1, 1, 1, 2)}}, rows: []int{0, 1, 2, 3, 4, 5, 6, 7}}
	m := &minimum{Solution: &solve.Solution{F: values(0, 0, 0, 1, 1, 1, 2, 2)}, sample: s}
	if got, want := p.changed(m), (0+1-6.0/7+1-2.0/3)/3; !(math.Abs(got-want) < 1e-12) {
		t.Errorf("%v changes, want %v", got, want)
	}
}

// Few points come first where more than twice as many would take part, and labels are held out of a sample of few.
func TestOnFewer(t *testing.T) {
	d, r := fewLabels(70_000, 60)
	for name, c := range map[string]struct {
		fewer, most int
		tolerance   float64
		want        bool
	}{
		"less than half":         {34_000, 0, 0, true},
		"more than half":         {36_000, 0, 0, false},
		"half of those asked":    {34_000, 68_000, 0, false},
		"no sample":              {30_000, 0, 0, false},
		"all points are exact":   {34_000, 0, 1e-6, false},
		"nothing":                {0, 0, 0, false},
		"most points are enough": {34_000, 10_000, 0, false},
	} {
		r := r
		r.Pending.Fewer, r.MostPoints, r.Tolerance = c.fewer, c.most, c.tolerance
		if some, is := r.onFewer(d); is != c.want || is && some.MostPoints != c.fewer {
			t.Errorf("%s: %v, %d points", name, is, some.MostPoints)
		}
	}
	r.Pending.Fewer = 34_000
	plan, err := PlanFit(t.Context(), d, r, Run{})
	if err != nil || plan.N < 34_000 || plan.N > 34_060 {
		t.Errorf("the plan is of %d points, %v", plan.N, err)
	}
	f, err := Fit(t.Context(), d, r, Run{}) // eight labels spread otherwise among fewer points
	if err != nil || f.Summary.N != d.Len() || f.Recipe.MostPoints != 0 || f.Recipe.Pending.Fewer != 0 {
		t.Errorf("%d points, %v", f.Summary.N, err)
	}
}
