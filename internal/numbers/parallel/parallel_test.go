package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestRunDoesEveryPieceOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7, 100} {
		done := make([]atomic.Int32, 50)
		if err := Run(WithLimit(t.Context(), threads), len(done), func(worker, piece int) { done[piece].Add(1) }); err != nil {
			t.Fatal(err)
		}
		for piece := range done {
			if n := done[piece].Load(); n != 1 {
				t.Errorf("threads %d: piece %d ran %d times", threads, piece, n)
			}
		}
	}
}

func TestRunStopsWhenCancelled(t *testing.T) {
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancel(WithLimit(t.Context(), threads))
		var ran atomic.Int32
		err := Run(ctx, 1000, func(worker, piece int) {
			if ran.Add(1) == 5 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("threads %d: error %v, want context.Canceled", threads, err)
		}
		if n := ran.Load(); n < 5 || n > 5+int32(threads) {
			t.Errorf("threads %d: %d pieces ran after a cancel in the fifth", threads, n)
		}
	}
}

func TestRunNamesItsWorkers(t *testing.T) {
	for _, threads := range []int{1, 3, 100} {
		const pieces = 40
		busy := make([]atomic.Bool, threads)
		err := Run(WithLimit(t.Context(), threads), pieces, func(worker, piece int) {
			if worker < 0 || worker >= min(threads, pieces) || piece < 0 || piece >= pieces {
				t.Errorf("threads %d: worker %d has piece %d", threads, worker, piece)
				return
			}
			if busy[worker].Swap(true) {
				t.Errorf("threads %d: worker %d has two pieces at once", threads, worker)
			}
			busy[worker].Store(false)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunOfNothing(t *testing.T) {
	never := func(worker, piece int) { t.Errorf("worker %d has piece %d", worker, piece) }
	ctx, cancel := context.WithCancel(t.Context())
	for _, threads := range []int{-1, 1, 3} {
		if err := Run(WithLimit(ctx, threads), 0, never); err != nil {
			t.Errorf("no pieces: %v", err)
		}
	}
	cancel()
	for _, threads := range []int{-1, 1, 3} {
		if err := Run(WithLimit(ctx, threads), 9, never); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled before: error %v", err)
		}
	}
}

func TestThreads(t *testing.T) {
	all := Threads(t.Context())
	for limit, want := range map[int]int{3: 3, 1: 1, 0: all, -1: all} {
		if got := Threads(WithLimit(t.Context(), limit)); got != want || want < 1 {
			t.Errorf("Threads under the limit %d is %d, want %d", limit, got, want)
		}
	}
	inner, cancel := context.WithCancel(WithLimit(WithLimit(t.Context(), 2), 3))
	if cancel(); Threads(inner) != 3 {
		t.Errorf("Threads is %d under the limits 2 and then 3, want 3", Threads(inner))
	}
}

// Do finishes under a context that is done, within its limit.
func TestDoIsNotInterrupted(t *testing.T) {
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancel(WithLimit(t.Context(), threads))
		cancel()
		var ran atomic.Int32
		Do(ctx, 50, func(worker, _ int) {
			if worker >= threads {
				t.Errorf("worker %d of %d", worker, threads)
			}
			ran.Add(1)
		})
		if n := ran.Load(); n != 50 {
			t.Errorf("threads %d: %d of 50 pieces ran", threads, n)
		}
		if err := Step(ctx, 50, func(int, int) { t.Error("a piece after the end") }); !errors.Is(err, context.Canceled) {
			t.Errorf("threads %d: a step under a context that is done gives %v", threads, err)
		}
	}
}
