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
