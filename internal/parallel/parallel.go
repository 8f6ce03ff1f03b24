// Package parallel runs numbered pieces of work on several goroutines.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Threads returns the number of goroutines to use where the caller asked for
// n: n itself, or all processors when n is 0 or less.
func Threads(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// Run calls do(worker, piece) once for every piece in 0 ≤ piece < pieces, on
// at most threads goroutines; worker is in 0 ≤ worker < threads and names the
// goroutine, so that it can own scratch memory. Which worker gets a piece is
// not fixed: results must depend on the piece alone. Once ctx is done no
// further piece starts and Run returns its error, after the running pieces.
// Where ctx is that of [Watch], it is told how many pieces are done.
func Run(ctx context.Context, pieces, threads int, do func(worker, piece int)) error {
	threads = min(Threads(threads), pieces)
	report := watched(ctx, pieces)
	if threads <= 1 {
		for piece := range pieces {
			if err := ctx.Err(); err != nil {
				return err
			}
			do(0, piece)
			if report != nil {
				report(piece + 1)
			}
		}
		return ctx.Err()
	}
	var next, finished atomic.Int64
	work := func(worker int) {
		for ctx.Err() == nil {
			piece := int(next.Add(1)) - 1
			if piece >= pieces {
				return
			}
			do(worker, piece)
			if report == nil {
				continue
			}
			if done := finished.Add(1); worker == 0 {
				report(int(done))
			}
		}
	}
	var wg sync.WaitGroup
	for worker := 1; worker < threads; worker++ {
		wg.Go(func() { work(worker) })
	}
	work(0) // the caller is one of them
	wg.Wait()
	if report != nil && ctx.Err() == nil {
		report(pieces)
	}
	return ctx.Err()
}

// Do is [Run] for work that is not to be interrupted.
func Do(pieces, threads int, do func(worker, piece int)) {
	_ = Run(context.Background(), pieces, threads, do)
}
