package deformed_test

import (
	"context"
	"errors"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// ending is a context that is done after a given number of calls of Err.
type ending struct {
	context.Context
	left *int
}

func (e ending) Err() error {
	if *e.left--; *e.left < 0 {
		return context.Canceled
	}
	return nil
}

// Factor, reduction and problems, by factorizations and by the band, end within a block
// or so of wherever the context does.
func TestCancelled(t *testing.T) {
	const n = 400
	ctx := parallel.WithLimit(t.Context(), 1) // questions of several goroutines have no order
	d := dataset.TwoMoons(n, 0.1, 1)
	nb, err := graph.FindNeighbours(ctx, d.Points, 6, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	w, _, _ := graph.Connect(t.Context(), nb, graph.Heat, 0)
	k, err := gram.NewHalf(ctx, d.Points, kernel.Gaussian{Sigma: 0.05}, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	factor, err := deformed.NewFactor(ctx, k, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := graph.NewLaplacian(w, false, 1)
	reduction, err := factor.Reduction(ctx, l, []int{0, 1, 2, 3}, objective.BiasInNorm)
	if err != nil {
		t.Fatal(err)
	}
	var grid []deformed.Gammas
	for i := range 40 {
		grid = append(grid, deformed.Gammas{A: 1e-3, I: 1e-3 * float64(1+i)})
	}
	nothing := func(int, *deformed.Problem) error { return nil }
	for _, c := range []struct {
		name   string
		before int // questions before the part that is of interest
		call   func(ctx context.Context) error
	}{
		{"NewFactor", n, func(ctx context.Context) error { _, err := deformed.NewFactor(ctx, k, 0); return err }},
		{"Reduction", 0, func(ctx context.Context) error {
			_, err := factor.Reduction(ctx, l, []int{0, 1, 2, 3}, objective.BiasInNorm)
			return err
		}},
		{"Each of one", 0, func(ctx context.Context) error { return reduction.Each(ctx, grid[:1], nothing) }},
		{"Each of many", 0, func(ctx context.Context) error { return reduction.Each(ctx, grid, nothing) }},
	} {
		const plenty = 1 << 30
		left := plenty
		if err := c.call(ending{ctx, &left}); err != nil {
			t.Fatal(c.name, err)
		}
		questions := plenty - left
		if questions < c.before+4 {
			t.Errorf("%s: asks %d times in all", c.name, questions)
		}
		for _, part := range []int{0, 1, 2, 3} { // quarters of the way
			left = c.before + part*(questions-c.before)/4
			if err := c.call(ending{ctx, &left}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %d quarters: error %v, want context.Canceled", c.name, part, err)
			}
			if asked := -left; asked > 100 {
				t.Errorf("%s, %d quarters: asks %d times more after the end", c.name, part, asked)
			}
		}
	}
}
