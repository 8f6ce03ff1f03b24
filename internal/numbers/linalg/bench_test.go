package linalg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/parallel"
)

func BenchmarkFactorizations(b *testing.B) {
	for _, n := range []int{48, 100, 200, 400, 500, 1500, 3000} {
		r := rand.New(rand.NewPCG(12, 1))
		general := New(n, n)
		for i := range general.Data {
			general.Data[i] = r.NormFloat64()
		}
		a := New(n, n)
		if err := Syrk(b.Context(), 1/float64(n), general, 0, a); err != nil {
			b.Fatal(err)
		}
		for i := range n {
			a.Data[i*n+i]++
		}
		copied := New(n, n)
		run := func(name string, from Matrix, do func(ctx context.Context, a Matrix) error) {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/n=%d/threads=%d", name, n, threads), func(b *testing.B) {
					for b.Loop() {
						copy(copied.Data, from.Data)
						if err := do(parallel.WithLimit(b.Context(), threads), copied); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
		run("Cholesky", a, func(ctx context.Context, a Matrix) error { _, err := Cholesky(ctx, a); return err })
		run("PivotedCholesky", a, func(ctx context.Context, a Matrix) error { _, _, err := PivotedCholesky(ctx, a, 0); return err })
		run("LU", general, func(ctx context.Context, a Matrix) error { _, _, err := LU(ctx, a); return err })
		run("CholeskyInverse", general, func(ctx context.Context, a Matrix) error {
			for i := range n {
				a.Data[i*n+i] = 10
			}
			_, err := CholeskyInverse(ctx, a)
			return err
		})
		count := min(50, n)
		v := New(count, n)
		run(fmt.Sprintf("LQ of %d rows", count), general, func(ctx context.Context, a Matrix) error { _, err := LQ(ctx, a.Block(0, count, 0, n), v); return err })
	}
}

// BenchmarkUpper compares the products that make a view with products of whole matrices. One factor
// is a triangle, or has the rows of a band.
func BenchmarkUpper(b *testing.B) {
	const n, k = 1440, 40
	r := rand.New(rand.NewPCG(12, 2))
	x, u, c := New(n, n), New(n, n), New(n, n)
	rows, products, twice := New(k, n), New(k, n), New(2*k, n)
	for _, m := range []Matrix{x, u, rows, twice} {
		for i := range m.Data {
			m.Data[i] = r.NormFloat64()
		}
	}
	for i := range n {
		clear(u.Row(i)[:i])
	}
	ctx := parallel.WithLimit(b.Context(), 1)
	for _, one := range []struct {
		name  string
		flops float64
		do    func() error
	}{
		{"Gemmt", n * n * n, func() error { return Gemmt(ctx, 1, x, u.T(), 0, c) }},
		{"GemmtUpper", n * n * n / 3, func() error { return GemmtUpper(ctx, x, u, c) }},
		{"Symm", 2 * k * n * n, func() error { return Symm(ctx, rows, x, products) }},
		{"Gemmt of 80 columns", 2 * k * n * n, func() error { return Gemmt(ctx, -1, twice.T(), twice, 1, c) }},
	} {
		b.Run(one.name, func(b *testing.B) {
			for b.Loop() {
				if err := one.do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*one.flops/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
