package parallel

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// A watched run reports ascending numbers up to all of its pieces, and as a
// part of a whole those of the whole.
func TestWatch(t *testing.T) {
	for _, threads := range []int{1, 3} {
		var seen []int
		of := 0
		ctx := Watch(WithLimit(t.Context(), threads), func(done, all int) { seen, of = append(seen, done), all })
		if err := Run(ctx, 40, func(worker, piece int) {}); err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(seen) || len(seen) == 0 || seen[len(seen)-1] != 40 || of != 40 {
			t.Errorf("threads %d: reported %v of %d", threads, seen, of)
		}
		seen = nil
		if err := Run(Part(ctx, 100, 140), 40, func(worker, piece int) {}); err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(seen) || seen[0] <= 100 || seen[len(seen)-1] != 140 || of != 140 {
			t.Errorf("threads %d: as a part, reported %v of %d", threads, seen, of)
		}
	}
	watched := Watch(WithLimit(t.Context(), 2), func(int, int) { t.Error("a step or less was reported") })
	_ = Step(watched, 3, func(worker, piece int) {})
	Do(watched, 3, func(worker, piece int) {})
	if ctx := t.Context(); Part(ctx, 1, 2) != ctx {
		t.Error("a part of what nobody watches has a context of its own")
	}
}

// What is interrupted is never reported as complete.
func TestWatchInterrupted(t *testing.T) {
	for _, threads := range []int{1, 3} {
		inner, cancel := context.WithCancel(WithLimit(t.Context(), threads))
		last := ""
		ctx := Watch(inner, func(done, of int) { last = fmt.Sprint(done, of) })
		_ = Run(ctx, 1000, func(worker, piece int) {
			if piece == 5 {
				cancel()
			}
		})
		if last == "1000 1000" {
			t.Errorf("threads %d: reported as complete", threads)
		}
	}
}

// Shares of a whole report thousandths of it, ascending, and those of a share its part.
func TestShare(t *testing.T) {
	var seen []int
	ctx := Watch(WithLimit(t.Context(), 1), func(done, of int) {
		if seen = append(seen, done); of != 1000 {
			t.Errorf("%d of %d", done, of)
		}
	})
	for _, share := range [][2]float64{{0, 0.25}, {0.25, 0.5}, {0.5, 1}} {
		if err := Run(Share(ctx, share[0], share[1]), 2, func(worker, piece int) {}); err != nil {
			t.Fatal(err)
		}
	}
	if err := Run(Share(Share(ctx, 0.5, 1), 0.5, 1), 1, func(worker, piece int) {}); err != nil {
		t.Fatal(err)
	}
	if want := []int{125, 250, 375, 500, 750, 1000, 1000}; !slices.Equal(seen, want) {
		t.Errorf("reported %v, want %v", seen, want)
	}
	seen = nil
	following := Successive(ctx)
	for range 3 {
		if err := Run(following, 2, func(worker, piece int) {}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []int{166, 333, 444, 555, 629, 703}; !slices.Equal(seen, want) {
		t.Errorf("runs of unknown number reported %v, want %v", seen, want)
	}
	if ctx := t.Context(); Share(ctx, 0, 1) != ctx || Successive(ctx) != ctx {
		t.Error("a share of what nobody watches has a context of its own")
	}
}
