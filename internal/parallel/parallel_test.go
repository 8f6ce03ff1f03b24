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
		if err := Run(t.Context(), len(done), threads, func(worker, piece int) { done[piece].Add(1) }); err != nil {
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
		ctx, cancel := context.WithCancel(t.Context())
		var ran atomic.Int32
		err := Run(ctx, 1000, threads, func(worker, piece int) {
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
		err := Run(t.Context(), pieces, threads, func(worker, piece int) {
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
		if err := Run(ctx, 0, threads, never); err != nil {
			t.Errorf("no pieces: %v", err)
		}
	}
	cancel()
	for _, threads := range []int{-1, 1, 3} {
		if err := Run(ctx, 9, threads, never); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled before: error %v", err)
		}
	}
}

func TestThreads(t *testing.T) {
	if Threads(3) != 3 || Threads(0) < 1 || Threads(-1) != Threads(0) {
		t.Errorf("Threads of 3, 0 and −1: %d, %d, %d", Threads(3), Threads(0), Threads(-1))
	}
}
