package drift

import (
	"math"
	"math/big"
	"testing"
)

// hypergeometric sums the terms of a hypergeometric tail as fractions.
func hypergeometric(population, members, drawn, x int) float64 {
	choose := func(n, k int) *big.Int { return new(big.Int).Binomial(int64(n), int64(k)) }
	sum := new(big.Int)
	for ; x <= min(drawn, members); x++ {
		if x >= 0 && drawn-x <= population-members {
			sum.Add(sum, new(big.Int).Mul(choose(members, x), choose(population-members, drawn-x)))
		}
	}
	v, _ := new(big.Rat).SetFrac(sum, choose(population, drawn)).Float64()
	return v
}

func TestAtLeast(t *testing.T) {
	for _, c := range [][4]int{{10, 4, 3, 0}, {10, 4, 3, 1}, {10, 4, 3, 3}, {10, 4, 3, 4}, {10, 9, 5, 4}, {500, 250, 30, 29}, {3000, 1000, 1000, 400}, {3000, 1000, 1000, 100}, {3000, 1000, 1000, 333}, {2345, 5, 2000, 5}} {
		got, want := hypergeometricTail(c[0], c[1], c[2], c[3]), hypergeometric(c[0], c[1], c[2], c[3])
		if !(math.Abs(got-want) <= 1e-9*want+1e-15) {
			t.Errorf("atLeast%v = %g, want %g", c, got, want)
		}
	}
	if p := hypergeometricTail(2_000_000, 1_000_000, 1_000_000, 400_000); p != 1 {
		t.Errorf("what is nearly sure has the probability %g", p)
	}
}

// Of n old and m new values the k largest are all new with probability Π (m−i)/(n+m−i).
func TestBeyond(t *testing.T) {
	const n, m, k = 50, 20, 6
	want := 1.0
	for i := range k {
		want *= float64(m-i) / float64(n+m-i)
	}
	if got := exceedance(n, m, k, 1); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%g, want %g", got, want)
	}
	if got := exceedance(n, m, 0, 3); got != 1 {
		t.Errorf("nothing beyond has the probability %g", got)
	}
}

// Fisher's exact test of 1 of 10 against 9 of 10.
func TestDiffer(t *testing.T) {
	want := 2 * hypergeometric(20, 10, 10, 9)
	if got := fisherExact(1, 10, 9, 10); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%g, want %g", got, want)
	}
	if got, again := fisherExact(3, 10, 9, 40), fisherExact(7, 10, 31, 40); !(math.Abs(got-again) <= 1e-12) {
		t.Errorf("%g and %g of the other class", got, again)
	}
}
