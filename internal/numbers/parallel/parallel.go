// Package parallel runs numbered pieces of work on several goroutines, as many
// as a context allows.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

type limitKey struct{}

// WithLimit returns a context whose work uses at most n goroutines at once, all
// processors when n is 0 or less, whatever the limit of ctx is.
func WithLimit(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, limitKey{}, n)
}

// Threads returns the number of goroutines that work under ctx may use: the
// limit of [WithLimit], or all processors.
func Threads(ctx context.Context) int {
	if n, _ := ctx.Value(limitKey{}).(int); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Run calls do(worker, piece) once for every piece in 0 ≤ piece < pieces, on at
// most Threads(ctx) goroutines; 0 ≤ worker < Threads(ctx) names the goroutine,
// so that it can own scratch memory. Which worker gets a piece is not fixed:
// results must depend on the piece alone. Once ctx is done no further piece
// starts, and when the running ones have ended Run returns its error. The
// number of finished pieces is reported to the watcher of ctx ([Watch]).
func Run(ctx context.Context, pieces int, do func(worker, piece int)) error {
	return run(ctx, ctx, pieces, reporter(ctx, pieces), do)
}

// Step is [Run] for a part of something longer, such as one product of an
// iteration: its pieces are not reported.
func Step(ctx context.Context, pieces int, do func(worker, piece int)) error {
	return run(ctx, ctx, pieces, nil, do)
}

// Do is [Step] for work that is not to be interrupted, being short.
func Do(ctx context.Context, pieces int, do func(worker, piece int)) {
	_ = run(ctx, context.Background(), pieces, nil, do)
}

// run uses as many goroutines as limit allows, until ctx is done.
func run(limit, ctx context.Context, pieces int, report func(done int), do func(worker, piece int)) error {
	threads := min(Threads(limit), pieces)
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
