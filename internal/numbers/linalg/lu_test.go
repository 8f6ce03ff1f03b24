package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func unitLower(a Matrix) Matrix {
	l := New(a.Rows, a.Cols)
	for i := range a.Rows {
		for j := range i {
			l.Data[i*l.Stride+j] = a.at(i, j)
		}
		l.Data[i*l.Stride+i] = 1
	}
	return l
}

func TestLU(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, n := range sizes() {
		for _, orders := range []float64{0, 12} {
			a := random(r, n, n)
			for i := range n {
				for j := range n {
					a.Data[i*a.Stride+j] *= math.Pow(10, -orders*float64(j)/math.Max(float64(n), 1))
				}
			}
			lu := clone(a)
			swaps, ok, err := LU(t.Context(), lu)
			if !ok || err != nil {
				t.Fatalf("n = %d: %v, %v", n, ok, err)
			}
			permuted := clone(a)
			for i, other := range swaps {
				if other != i {
					exchangeRows(permuted.Row(i), permuted.Row(other))
				}
			}
			if d := distance(permuted, product(unitLower(lu), upper(lu))); !(d <= 1e-14) {
				t.Errorf("n = %d, 10^%g: LU differs by %.1e", n, orders, d)
			}
			for i := range n {
				for j := range i {
					if math.Abs(lu.at(i, j)) > 1 {
						t.Fatalf("n = %d: a multiplier is %g", n, lu.at(i, j))
					}
				}
			}
			b := random(r, n, 1).column(0)
			for _, m := range []struct{ a, lu Matrix }{{a, lu}, {a.T(), lu.T()}} {
				x := slices.Clone(b.Data)
				LUSolve(m.lu, swaps, x)
				residual := distance(b, product(m.a, vectorOf(x))) * Norm(b.Data)
				if bound := math.Max(distanceFromZero(a)*Norm(x), 1e-300); !(residual/bound <= 1e-13) {
					t.Errorf("n = %d, 10^%g, transposed %v: the residual is %.1e", n, orders, m.a.transposed, residual/bound)
				}
			}
		}
	}
}

func TestLUOfSingular(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{1, 2, 8, 9, 64, 65, 130} {
		for _, column := range []int{0, n / 2, n - 1} {
			a := random(r, n, n)
			for i := range n {
				a.Data[i*a.Stride+column] = 0
			}
			if _, ok, err := LU(t.Context(), a); ok || err != nil {
				t.Errorf("n = %d without column %d: %v, %v", n, column, ok, err)
			}
		}
	}
	if _, ok, _ := LU(t.Context(), FromSlice(1, 1, []float64{math.NaN()})); ok {
		t.Error("NaN is a pivot")
	}
}
