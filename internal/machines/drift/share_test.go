package drift

import (
	"math"
	"testing"
)

// With two readings of the training the chance is the larger one, and classes drift where they
// do by both readings.
func TestBothReadingsCount(t *testing.T) {
	training, other, now := []int{190, 10}, []int{9, 1}, []int{700, 300}
	r := compareShares(training, other, now)
	if r.Drifted || r.Moved < movedShare {
		t.Errorf("drifted %v, moved %g, where ten points of one reading tell nothing", r.Drifted, r.Moved)
	}
	for c := range now {
		one, two := compareShares(training, training, now).Classes[c].Chance, compareShares(other, other, now).Classes[c].Chance
		if got := r.Classes[c].Chance; !(one < level && two > level) || got != two {
			t.Errorf("class %d has the chance %g, want %g", c, got, two)
		}
	}
}

// A share between those of the two readings has not moved, however sure both differences are and
// however far other classes moved.
func TestShareBetweenTheReadings(t *testing.T) {
	r := compareShares([]int{600, 400, 0}, []int{200, 800, 0}, []int{400, 200, 400})
	for c, want := range []bool{false, true, true} {
		if s := r.Classes[c]; s.Drifted != want || !(s.Chance < level) {
			t.Errorf("class %d: %+v, want drifted %v", c, s, want)
		}
	}
}

// A share of missing values that moved by less than a tenth is no drift, however sure.
func TestLittleMissing(t *testing.T) {
	for moved, want := range map[int]bool{9_900: false, 10_100: true} {
		if r := CompareMissing([]int{0}, 100_000, []int{moved}, 100_000)[0]; r.Drifted != want || !(r.Chance < level) {
			t.Errorf("%d of 100,000: %+v", moved, r)
		}
	}
}

// The chance of one of several shares is as many times that of one alone.
func TestChanceOfManyShares(t *testing.T) {
	one, five := compareShare(10, 100, 25, 100, 1).Chance, compareShare(10, 100, 25, 100, 5).Chance
	if !(five < 1) || !(math.Abs(five-5*one) <= 1e-12) {
		t.Errorf("the chance is %g, of one alone %g", five, one)
	}
}

// Lengths can be far on two sides, distances on one: so many far lengths have twice the chance.
func TestChanceOfTwoSides(t *testing.T) {
	values := make([]float64, 200)
	for i := range values {
		values[i] = 1 + float64(i)/200
	}
	far := func() []Row { return []Row{{0, 9}, {1, 9}, {2, 9}} }
	distance, length := NewRows(Distance, values).compare(far(), 200).Chance, NewRows(Length, values).compare(far(), 200).Chance
	if !(length < 1) || !(math.Abs(length-2*distance) <= 1e-12) {
		t.Errorf("lengths have the chance %g, distances %g", length, distance)
	}
}
