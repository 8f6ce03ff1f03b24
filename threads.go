package lapsvm

import (
	"context"

	"lapsvm/internal/numbers/parallel"
)

// WithThreads returns a context under which trainings, choices of parameters and
// predictions use at most n goroutines at once. For n ≤ 0 they use all processors. Results
// have the same bits for every n. The limit does not apply to callbacks of the program.
// Reading has its own limit, files.Options.Threads.
func WithThreads(ctx context.Context, n int) context.Context { return parallel.WithLimit(ctx, n) }
