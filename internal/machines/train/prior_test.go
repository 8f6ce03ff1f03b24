package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/machines/task"
)

// Largest remainders: everybody gets the whole part of his share, and one more
// where the remainder is among the largest, of equal ones the first.
func TestApportion(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 2000 {
		// Shares in units of 1/of, so that remainders are exact, and often equal.
		of, parts := 0, make([]int, 2+rng.IntN(6))
		for c := range parts {
			parts[c] = 1 + rng.IntN(12)
			of += parts[c]
		}
		shares := make([]float64, len(parts))
		for c, part := range parts {
			shares[c] = float64(part) / float64(of)
		}
		n := rng.IntN(60)
		got, sum := apportion(shares, n), 0
		remainder := func(c int) int { return parts[c] * n % of }
		for c, count := range got {
			sum += count
			more := count - parts[c]*n/of
			if more != 0 && more != 1 {
				t.Fatalf("%v/%d of %d: %v", parts, of, n, got)
			}
			for other, theirs := range got {
				if first := remainder(other) > remainder(c) || remainder(other) == remainder(c) && other < c; first && more > theirs-parts[other]*n/of {
					t.Fatalf("%v/%d of %d: %v, where %d comes before %d", parts, of, n, got, other, c)
				}
			}
		}
		if sum != n {
			t.Fatalf("%v/%d of %d: %v", parts, of, n, got)
		}
	}
}

// Shares of few labels are drawn towards those of the predictions, and those of many are their own.
func TestSharesOfLabels(t *testing.T) {
	scores := [][]float64{{1, -1}, {1, -1}, {2, 2}, {-1, 1}} // three of four for the first
	for _, c := range []struct {
		labels int
		want   float64
	}{{0, 0.75}, {200, 0.625}, {600, 0.5625}, {1e9, 0.5}} {
		if got := LabelledPrior.with([]float64{0.5, 0.5}, c.labels, scores); !(math.Abs(got[0]-c.want) <= 1e-6) || !(math.Abs(got[0]+got[1]-1) <= 1e-12) {
			t.Errorf("%d labels: %v", c.labels, got)
		}
	}
	if got := BalancedPrior.with([]float64{0.5, 0.5}, 10, scores); got[0] != 0.5 {
		t.Errorf("balanced: %v", got)
	}
}

// Shares that are written with few digits are made to sum to 1: else thousands of
// points cannot be divided by them.
func TestGivenSharesSumToOne(t *testing.T) {
	of := &task.Task{Points: 7000, Classes: []string{"a", "b", "c"}, Labelled: []int{0, 1, 2}, Class: []int{0, 1, 2}}
	for _, given := range []ClassPrior{
		{"a": 0.333, "b": 0.333, "c": 0.333}, {"a": 0.334, "b": 0.334, "c": 0.334}, {"a": 0.5, "b": 0.25, "c": 0.25}, {"a": 0.7, "b": 0.2, "c": 0.098},
	} {
		pi, err := Recipe{Prior: given}.classPrior(of)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for c, share := range pi {
			sum += share
			if want := given[of.Classes[c]] / given["a"]; !(math.Abs(share/pi[0]-want) <= 1e-15*want) {
				t.Errorf("%v became %v", given, pi)
			}
		}
		if !(math.Abs(sum-1) <= 1e-15) {
			t.Errorf("%v became %v, which sum to %v", given, pi, sum)
		}
		total := 0
		for _, count := range apportion(pi, of.Points) {
			total += count
		}
		if total != of.Points {
			t.Errorf("%v divides %d points into %d", given, of.Points, total)
		}
	}
}
