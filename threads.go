package lapsvm

import (
	"context"

	"lapsvm/internal/numbers/parallel"
)

// WithThreads returns a context under which trainings, choices of parameters and
// predictions use at most n goroutines at once, all processors when n is 0 or
// less. Results do not depend on it, not in a bit. It limits what this module
// computes, not what the callbacks of a program do, and not the reading of data, which
// files.Options.Threads limits.
func WithThreads(ctx context.Context, n int) context.Context { return parallel.WithLimit(ctx, n) }
