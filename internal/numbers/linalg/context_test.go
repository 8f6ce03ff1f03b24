package linalg

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
)

// work is every function on matrices of a size that several goroutines share; it
// returns all results.
func work(ctx context.Context) ([]float64, error) {
	r := rand.New(rand.NewPCG(10, 1))
	const n = 420
	var results []float64
	a := definite(r, n, 2)
	u := clone(a)
	if _, err := Cholesky(ctx, u); err != nil {
		return nil, err
	}
	inverse, err := CholeskyInverse(ctx, u)
	if err != nil {
		return nil, err
	}
	p := clone(a)
	order, rank, err := PivotedCholesky(ctx, p, 0)
	if err != nil {
		return nil, err
	}
	lu := random(r, n, n)
	swaps, _, err := LU(ctx, lu)
	if err != nil {
		return nil, err
	}
	rows, v := random(r, 100, n), New(100, n)
	t, err := LQ(ctx, rows, v)
	if err != nil {
		return nil, err
	}
	x := random(r, n, 70)
	if err := Reflect(ctx, v, t, x); err != nil {
		return nil, err
	}
	y := make([]float64, n)
	MulVec(ctx, y, a, rows.Row(0))
	symmetric := New(100, n)
	if err := Symm(ctx, rows, a, symmetric); err != nil {
		return nil, err
	}
	for _, m := range []Matrix{u, inverse, p, lu, rows, v, t, x, symmetric} {
		results = append(results, m.Data...)
	}
	results = append(results, y...)
	for _, i := range append(append(order, rank), swaps...) {
		results = append(results, float64(i))
	}
	return results, nil
}

func TestThreadsDoNotMatter(t *testing.T) {
	var first []float64
	for _, threads := range []int{1, 2, 3, 8} {
		results, err := work(parallel.WithLimit(t.Context(), threads))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = results
		}
		if !slices.Equal(results, first) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
}

// dying is a context that is done after a given number of calls of Err.
type dying struct {
	context.Context
	left *int
}

func (d dying) Err() error {
	if *d.left--; *d.left < 0 {
		return context.Canceled
	}
	return nil
}

// However early or late the context ends, the error is its own, and little work
// follows.
func TestCancelled(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	const n = 300
	a, b := definite(r, n, 1), random(r, n, n)
	large := definite(r, 2*choleskyBase, 1)
	for name, call := range map[string]func(context.Context) error{
		"Gemm":       func(ctx context.Context) error { return Gemm(ctx, 1, a, b, 0, New(n, n)) },
		"Syrk":       func(ctx context.Context) error { return Syrk(ctx, 1, b, 0, New(n, n)) },
		"Symm":       func(ctx context.Context) error { return Symm(ctx, b, clone(a), New(n, n)) },
		"SolveUpper": func(ctx context.Context) error { return SolveUpper(ctx, a, clone(b)) },
		"Cholesky":   func(ctx context.Context) error { _, err := Cholesky(ctx, clone(large)); return err },
		"CholeskyInverse": func(ctx context.Context) error {
			_, err := CholeskyInverse(ctx, a)
			return err
		},
		"PivotedCholesky": func(ctx context.Context) error { _, _, err := PivotedCholesky(ctx, clone(a), 0); return err },
		"LU":              func(ctx context.Context) error { _, _, err := LU(ctx, clone(b)); return err },
		"LQ": func(ctx context.Context) error {
			_, err := LQ(ctx, clone(b).Block(0, 100, 0, n), New(100, n))
			return err
		},
		"Reflect": func(ctx context.Context) error {
			return Reflect(ctx, random(r, 40, n), New(40, 40), clone(b))
		},
	} {
		asked := 1 << 30
		if err := call(dying{parallel.WithLimit(t.Context(), 1), &asked}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		total := 1<<30 - asked
		for _, after := range []int{0, 1, total / 2, total - 1} {
			left := after
			if err := call(dying{parallel.WithLimit(t.Context(), 1), &left}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v where the context ends at question %d of %d", name, err, after, total)
			}
			if -left > 40 {
				t.Errorf("%s: asks %d times more after the end", name, -left)
			}
		}
	}
}
