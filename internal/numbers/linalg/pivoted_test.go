package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/testing/detector"
)

// Full and deficient rank, equal and very different diagonals.
func TestPivotedCholesky(t *testing.T) {
	detector.Spare(t)
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range sizes() {
		for _, rank := range slices.Compact([]int{0, min(1, n), n / 3, n / 2, max(0, n-1), n}) {
			c := random(r, n, rank)
			for i := range n {
				for j := range rank {
					c.Data[i*c.Stride+j] *= math.Pow(10, float64(i%4)-2)
				}
			}
			a := product(c, c.T())
			largest := 0.0
			for i := range n {
				largest = max(largest, a.at(i, i))
			}
			u := clone(a)
			order, got, err := PivotedCholesky(t.Context(), u, 1e-13*largest)
			if err != nil {
				t.Fatal(err)
			}
			if got > rank || rank > 0 && got == 0 || rank <= n/2 && got != rank {
				t.Errorf("n = %d of rank %d: found rank %d", n, rank, got)
				continue
			}
			sorted := slices.Clone(order)
			slices.Sort(sorted)
			for i, v := range sorted {
				if i != v {
					t.Fatalf("n = %d: %v is no permutation", n, order)
				}
			}
			factor := upper(u).Block(0, got, 0, n)
			permuted := New(n, n)
			for i := range n {
				for j := range n {
					permuted.Data[i*permuted.Stride+j] = a.at(order[i], order[j])
				}
			}
			if d := distance(permuted, product(factor.T(), factor)); !(d <= 1e-12) {
				t.Errorf("n = %d of rank %d: UᵀU differs by %.1e", n, rank, d)
			}
			for i := 1; i < got; i++ {
				if u.at(i, i) > u.at(i-1, i-1)*(1+1e-7) {
					t.Errorf("n = %d of rank %d: pivot %d is %g after %g", n, rank, i, u.at(i, i), u.at(i-1, i-1))
				}
			}
		}
	}
}

// The naive algorithm chooses the same pivots where they differ by more than
// rounding.
func TestPivots(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, n := range []int{5, 64, 65, 150} {
		a := definite(r, n, 3)
		left, want := clone(a), []int(nil)
		taken := make([]bool, n)
		for range n {
			p := -1
			for i := range n {
				if !taken[i] && (p < 0 || left.at(i, i) > left.at(p, p)) {
					p = i
				}
			}
			taken[p] = true
			want = append(want, p)
			row := slices.Clone(left.Row(p))
			for i := range n {
				for j := range n {
					left.Data[i*left.Stride+j] -= row[i] * row[j] / row[p]
				}
			}
		}
		order, rank, err := PivotedCholesky(t.Context(), a, 0)
		if err != nil || rank != n || !slices.Equal(order, want) {
			t.Errorf("n = %d: rank %d, error %v, pivots %v, want %v", n, rank, err, order, want)
		}
	}
	for _, v := range []float64{0, -1, math.NaN()} {
		if _, rank, err := PivotedCholesky(t.Context(), FromSlice(1, 1, []float64{v}), 0); rank != 0 || err != nil {
			t.Errorf("rank of (%g) is %d, error %v", v, rank, err)
		}
	}
}
