package train

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// fewLabels is two moons with eight labels, and a recipe for them on landmarks.
func fewLabels(n, landmarks int) (*dataset.Dataset, Recipe) {
	d := dataset.TwoMoons(n, 0.1, 3)
	for i := 8; i < n; i++ {
		d.Y[i] = dataset.Unlabelled
	}
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.3}, GammaA: 1e-3, GammaI: 1, Solver: Landmarks, Landmarks: landmarks, Calibrate: true}
	r.Graph.Neighbours, r.Graph.Degree = 6, 2
	return d, r
}

// dying is a context that is done after so many looks at it.
type dying struct {
	context.Context
	left *atomic.Int64
}

func (d dying) Err() error {
	if d.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Interrupted at any look at the context, a training on landmarks ends with its error, soon,
// and leaves no part of a checkpoint that the next one cannot use.
func TestInterruptedOnLandmarks(t *testing.T) {
	d, r := fewLabels(300, 40)
	folder := t.TempDir()
	const most = 1 << 30
	var count atomic.Int64
	count.Store(most)
	want, err := Fit(dying{t.Context(), &count}, d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	looks := most - int(count.Load())
	if looks < 100 {
		t.Fatalf("only %d looks at the context", looks)
	}
	for k := 0; k < looks; k += 1 + looks/100 {
		var left atomic.Int64
		left.Store(int64(k))
		if _, err := Fit(dying{t.Context(), &left}, d, r, Run{Checkpoint: folder}); err == nil && k < looks/2 || err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d of %d looks: %v", k, looks, err)
		}
		// What is done is over after a few more looks, not after as many as the rest has.
		if after := -left.Load(); after > 100 {
			t.Errorf("%d looks after the one that ended it, of %d", after, looks)
		}
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".checkpoint") {
				t.Errorf("after %d looks: %s is left", k, e.Name())
			}
		}
	}
	got, err := Fit(t.Context(), d, r, Run{Checkpoint: folder})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "after interruptions", got, want)
}

// Neighbours and landmarks that were kept give the same training, and say so.
func TestCheckpoint(t *testing.T) {
	d, r := fewLabels(300, 40)
	for _, precision := range []gram.Precision{gram.Single, gram.Double} {
		folder := t.TempDir()
		r.Precision = precision
		want, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		fit := func(what string, r Recipe, told ...string) *Fitted {
			t.Helper()
			f, err := Fit(t.Context(), d, r, Run{Checkpoint: folder})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(f.Summary.Checkpoint, told) {
				t.Errorf("%s: told %q, want %q", what, f.Summary.Checkpoint, told)
			}
			return f
		}
		const made, kept, anew = " made", " as they were kept", " made anew, as those kept are by other settings"
		same(t, "first", fit("first", r, "neighbours"+made, "landmarks"+made), want)
		same(t, "second", fit("second", r, "neighbours"+kept, "landmarks"+kept), want)
		other := r
		other.Landmarks = 30
		fit("other landmarks", other, "neighbours"+kept, "landmarks"+anew)
		other.Graph.Neighbours = 7
		fit("other neighbours", other, "neighbours"+anew, "landmarks"+kept)
		other.GammaI = 2
		fit("other weights", other, "neighbours"+kept, "landmarks"+kept)
		d.Y[8], d.Y[9] = 0, 1
		fit("other labels", other, "neighbours"+kept, "landmarks"+kept)
		d.Y[8], d.Y[9] = dataset.Unlabelled, dataset.Unlabelled
	}
}

// A model by the metric self-tuning takes its new points' neighbours by Euclidean distance, from an
// index as large as that of a Euclidean graph.
func TestSelfTuningOnLandmarks(t *testing.T) {
	d, r := fewLabels(300, 10)
	r.Kernel, r.Graph.Metric = kernel.Gaussian{Sigma: 0.1}, graph.SelfTuning
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	local := f.Expansion.Local
	if local == nil || local.Metric != graph.Euclidean || local.Index.Parts().K != r.Graph.Neighbours {
		t.Fatalf("new points have the neighbours %+v", local)
	}
	if f.Recipe.Graph.Metric != graph.SelfTuning {
		t.Errorf("the recipe has the metric %q", f.Recipe.Graph.Metric)
	}
}

// A training takes as many landmarks as fit. Where they do not fit, the error tells what would.
func TestLandmarksByMemory(t *testing.T) {
	d, r := fewLabels(3000, 0)
	r.Kernel = kernel.Gaussian{Sigma: 0.03} // of which no landmark determines another
	plan := func(r Recipe, memory int64) (Plan, error) { return PlanFit(t.Context(), d, r, Run{Memory: memory}) }
	whole, err := plan(r, 0)
	if err != nil || whole.Recipe.Landmarks != DefaultLandmarks {
		t.Fatalf("%d landmarks, %v", whole.Recipe.Landmarks, err)
	}
	if p, err := plan(r, whole.Bytes()); err != nil || p.Recipe.Landmarks != DefaultLandmarks {
		t.Errorf("as much memory as needed: %d landmarks, %v", p.Recipe.Landmarks, err)
	}
	some, err := plan(r, whole.Bytes()/2)
	if err != nil || some.Recipe.Landmarks >= DefaultLandmarks || some.Recipe.Landmarks < leastLandmarks || some.Bytes() > whole.Bytes()/2 {
		t.Errorf("half of that: %d landmarks, %d of %d bytes, %v", some.Recipe.Landmarks, some.Bytes(), whole.Bytes()/2, err)
	}
	if !strings.Contains(some.Gram.Reason, "as many as fit") {
		t.Errorf("the reason is %q", some.Gram.Reason)
	}
	chosen := r
	chosen.Pending.Landmarks = 200
	for memory, most := range map[int64]int{0: 200, whole.Bytes() / 5: 199} {
		if p, err := plan(chosen, memory); err != nil || p.Recipe.Landmarks > most || p.Recipe.Landmarks < leastLandmarks || memory == 0 && p.Recipe.Landmarks != most {
			t.Errorf("200 serve, %d bytes: %d landmarks, %v", memory, p.Recipe.Landmarks, err)
		}
	}
	chosen.Landmarks = 300
	if p, err := plan(chosen, 0); err != nil || p.Recipe.Landmarks != 300 {
		t.Errorf("200 serve, and 300 are asked for: %d, %v", p.Recipe.Landmarks, err)
	}
	r.Landmarks = 900
	if _, err := plan(r, whole.Bytes()/2); !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), "at most") {
		t.Errorf("900 landmarks asked for: %v", err)
	}
	for _, r.Landmarks = range []int{0, 900, 100} {
		if _, err := plan(r, whole.Bytes()/20); !errors.Is(err, ErrParameter) || !strings.Contains(err.Error(), "float32") {
			t.Errorf("a twentieth, %d landmarks: %v", r.Landmarks, err)
		}
	}
}

// A plan has the landmarks that a training keeps. Of two columns a wide kernel keeps few, in double precision.
func TestPlanLeavesLandmarksOut(t *testing.T) {
	d, r := fewLabels(400, 200)
	r.Kernel = kernel.Gaussian{Sigma: 2}
	plan, err := PlanFit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	kept := plan.Recipe.Landmarks
	if kept > 100 || plan.Gram.Bytes != int64(8*400*kept) || f.Expansion.Basis.Len() != kept {
		t.Errorf("the plan has %d landmarks in %d bytes, the model %d", kept, plan.Gram.Bytes, f.Expansion.Basis.Len())
	}
}

// Without an intrinsic norm landmarks find the machine of Newton's method, whose labelled
// points are all landmarks; the model is landmarks alone, whether its width was found or given.
func TestSupervisedOnLandmarks(t *testing.T) {
	d, r := fewLabels(120, 120)
	for i := range 60 {
		d.Y[i] = i % 2
	}
	r.Supervised, r.GammaI, r.Tolerance, r.Calibrate = true, 0, 1e-12, false
	exact := r
	exact.Solver, exact.Tolerance, exact.Landmarks, exact.Precision = Newton, 0, 0, gram.Double
	want, err := Fit(t.Context(), d, exact, Run{})
	if err != nil {
		t.Fatal(err)
	}
	for _, sigma := range []float64{0.3, 0} {
		r.Kernel = kernel.Gaussian{Sigma: sigma}
		f, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Expansion.Local != nil || f.Summary.NewPoints == nil || !f.Summary.NewPoints.Alone {
			t.Errorf("sigma %v: the model has %+v, and a local part: %v", sigma, f.Summary.NewPoints, f.Expansion.Local != nil)
		}
		if a, b := f.Summary.Objective, want.Summary.Objective; sigma > 0 && !(math.Abs(a-b) <= 1e-4*b) {
			t.Errorf("objective %v on landmarks, %v by Newton's method", a, b)
		}
	}
}
