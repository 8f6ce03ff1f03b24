package parallel

import "context"

// watch is the receiver of progress under a context.
type watch struct {
	report        func(done, total int)
	before, total int // pieces before a run and in all, where it is a part of a longer one; total is 0 otherwise
}

type watchKey struct{}

// Watch returns a context whose runs tell report how many of their pieces are
// done. It is called on the goroutine that called [Run], often, and must be
// quick. A run may be followed by another, which counts from 1 again; runs
// under one Watch must not overlap.
func Watch(ctx context.Context, report func(done, total int)) context.Context {
	return context.WithValue(ctx, watchKey{}, watch{report: report})
}

// Unwatched returns a context whose runs report nothing.
func Unwatched(ctx context.Context) context.Context { return context.WithValue(ctx, watchKey{}, nil) }

// Part returns a context for runs that are a part of a longer one. They add before to the pieces
// they report; the total is given. Without [Watch] it is ctx.
func Part(ctx context.Context, before, total int) context.Context {
	w, ok := ctx.Value(watchKey{}).(watch)
	if !ok {
		return ctx
	}
	w.before, w.total = before, total
	return context.WithValue(ctx, watchKey{}, w)
}

// Share returns a context for runs that are the share from … to of something longer, both
// from 0 to 1: they report thousandths of the whole. Without [Watch] it is ctx.
func Share(ctx context.Context, from, to float64) context.Context {
	w, ok := ctx.Value(watchKey{}).(watch)
	if !ok {
		return ctx
	}
	const whole = 1000
	return Watch(ctx, func(done, total int) {
		share := from + (to-from)*float64(done)/float64(max(total, 1))
		w.report(int(whole*share), whole)
	})
}

// Successive returns a context for an unknown number of successive runs. Each run reports as a
// third of the share that the runs before have left, so that the share never falls and never
// reaches the whole. Without [Watch] it is ctx.
func Successive(ctx context.Context) context.Context {
	w, ok := ctx.Value(watchKey{}).(watch)
	if !ok {
		return ctx
	}
	const whole, each = 1000, 1.0 / 3
	before, latest := 0.0, 0.0 // the share of the runs before, and how far the present one is
	return Watch(ctx, func(done, total int) {
		now := float64(done) / float64(max(total, 1))
		if now <= latest && latest > 0 {
			before += (1 - before) * each
		}
		latest = now
		w.report(int(whole*(before+(1-before)*each*now)), whole)
	})
}

// reporter returns the function to call with the number of finished pieces, or nil where nobody
// watches.
func reporter(ctx context.Context, pieces int) func(done int) {
	w, ok := ctx.Value(watchKey{}).(watch)
	if !ok {
		return nil
	}
	if w.total == 0 {
		w.total = pieces
	}
	return func(done int) { w.report(w.before+done, w.total) }
}
