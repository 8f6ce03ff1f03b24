package bench

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/testing/detector"
)

// A tiny plan measures everything that a full one does.
func TestRun(t *testing.T) {
	detector.Spare(t)
	if testing.Short() {
		t.Skip("measures for a few seconds")
	}
	r, err := Run(t.Context(), Plan{N: 300, D: 20, Cholesky: 64, Predict: 50, Many: 600, Runs: 1, Training: []int{200, 400}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Path != vec.Path() || r.System == "" {
		t.Errorf("path %q on %q", r.Path, r.System)
	}
	for _, limit := range []string{fma32, fma64, bandwidth} {
		if !(r.Limits[limit] > 0) {
			t.Errorf("limit %s is %v", limit, r.Limits[limit])
		}
	}
	for _, name := range []string{"gram_float32", "gram_float64", "neighbours", "gram_and_neighbours", "product_float32",
		"product_float32_16_columns", "cholesky", "prediction", "new_points"} {
		if !(r.Rates[name] > 0) || !(r.Shares[name] > 0) || !(r.Seconds[name] > 0) {
			t.Errorf("%s: rate %v, share %v, seconds %v", name, r.Rates[name], r.Shares[name], r.Seconds[name])
		}
	}
	if len(r.Training) != 2 || r.Training[1].N != 400 || !(r.Training[1].Iterations > 0) || math.IsNaN(r.Exponent) {
		t.Errorf("training %+v, exponent %v", r.Training, r.Exponent)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Plan{N: 300, D: 20, Many: 600, Runs: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Sizes are divided until an operation takes its time, however slow the machine is.
func TestSized(t *testing.T) {
	plan := Plan{N: 320, D: 4, Cholesky: 64, Predict: 96, Many: 640, Runs: 2, Training: []int{1600, 3200}}
	for _, c := range []struct {
		each    time.Duration
		divisor int
	}{{0, 1}, {time.Hour, 1}, {1, smallest}} {
		plan.Each = c.each
		got, err := plan.sized(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.N != 320/c.divisor || got.Cholesky != 64/c.divisor || got.Predict != 96/c.divisor || got.Many != 640/c.divisor || got.Training[1] != 3200/c.divisor || plan.Training[1] != 3200 {
			t.Errorf("%v each: %+v of %+v", c.each, got, plan)
		}
	}
	if begin := time.Now().Add(-time.Minute); !(Plan{Runs: 2, Each: time.Second}).late(begin) || (Plan{Runs: 2}).late(begin) {
		t.Error("late without a limit, or not with one")
	}
}

func TestExponent(t *testing.T) {
	var runs []Training
	for _, n := range []int{100, 200, 700} {
		runs = append(runs, Training{N: n, Seconds: 3 * math.Pow(float64(n), 1.7)})
	}
	if e := exponent(runs); !(math.Abs(e-1.7) <= 1e-12) {
		t.Errorf("exponent %v, want 1.7", e)
	}
}
