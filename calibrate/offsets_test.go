package calibrate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/calibrate"
)

// shifted predicts every row with offsets.
func shifted(scores [][]float64, b []float64) (classes []int) {
	for _, row := range scores {
		sum := make([]float64, len(row))
		for c := range row {
			sum[c] = row[c] + b[c]
		}
		classes = append(classes, argmax(sum))
	}
	return classes
}

func countOf(classes []int, number int) []int {
	counts := make([]int, number)
	for _, c := range classes {
		counts[c]++
	}
	return counts
}

// The counts are met exactly, with zeros among them, in any unit.
func TestOffsetsMeetCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 1))
	for _, n := range []int{1, 7, 60, 400} {
		for _, classes := range []int{2, 3, 10} {
			for _, scale := range []float64{1e-9, 1, 1e9} {
				scores, _ := draw(rng, n, classes, 1, scale)
				for _, row := range scores {
					row[0] += 0.7 * scale // too many of the first class
				}
				counts := make([]int, classes)
				for range n {
					counts[min(rng.IntN(classes), rng.IntN(classes))]++
				}
				b, err := calibrate.Offsets(scores, counts)
				if err != nil {
					t.Fatal(err)
				}
				sum, largest := 0.0, 0.0
				for _, v := range b {
					sum += v
					largest = max(largest, math.Abs(v))
				}
				if !(math.Abs(sum) <= 1e-12*largest) {
					t.Errorf("the offsets %v sum to %v", b, sum)
				}
				if got := countOf(shifted(scores, b), classes); !slices.Equal(got, counts) {
					t.Errorf("n %d, scale %v: counts %v, want %v (offsets %v)", n, scale, got, counts, b)
				}
				again, _ := calibrate.Offsets(scores, counts)
				if !slices.Equal(again, b) {
					t.Errorf("a second time %v, not %v", again, b)
				}
			}
		}
	}
}

// Two classes: one offset, in the middle between two neighbouring values.
func TestOffsetsOfTwoClasses(t *testing.T) {
	f := []float64{0.9, -0.5, 0.1, 0.3, -0.1, 0.7}
	var scores [][]float64
	for _, v := range f {
		scores = append(scores, []float64{-v, v})
	}
	for positive, threshold := range map[int]float64{1: 0.8, 2: 0.5, 3: 0.2, 4: 0, 5: -0.3} {
		b, err := calibrate.Offsets(scores, []int{6 - positive, positive})
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs((b[0]-b[1])/2-threshold) <= 1e-10) {
			t.Errorf("%d positive: threshold %v, want %v", positive, (b[0]-b[1])/2, threshold)
		}
	}
}

// Of all assignments with these counts the offsets give the one with the
// largest sum, found here by trying all.
func TestOffsetsAreOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(66, 1))
	for range 300 {
		const n, classes = 7, 3
		scores, _ := draw(rng, n, classes, 1, 1)
		counts := []int{0, 0, 0}
		for range n {
			counts[rng.IntN(classes)]++
		}
		best := math.Inf(-1)
		left := slices.Clone(counts)
		var try func(i int, sum float64)
		try = func(i int, sum float64) {
			if i == n {
				best = max(best, sum)
				return
			}
			for c := range left {
				if left[c] > 0 {
					left[c]--
					try(i+1, sum+scores[i][c])
					left[c]++
				}
			}
		}
		try(0, 0)
		b, err := calibrate.Offsets(scores, counts)
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		for i, c := range shifted(scores, b) {
			got += scores[i][c]
		}
		if !(math.Abs(got-best) <= 1e-9) {
			t.Fatalf("counts %v: sum %v, the largest is %v", counts, got, best)
		}
	}
}

// Predictions that have the counts already keep them, and rows that cannot be
// told apart end the search too.
func TestOffsetsDegenerate(t *testing.T) {
	rng := rand.New(rand.NewPCG(67, 1))
	scores, _ := draw(rng, 50, 4, 1, 1)
	classes := shifted(scores, make([]float64, 4))
	b, err := calibrate.Offsets(scores, countOf(classes, 4))
	if err != nil || !slices.Equal(shifted(scores, b), classes) {
		t.Errorf("offsets %v changed predictions (%v)", b, err)
	}
	for _, row := range scores {
		copy(row, []float64{1, 1, 0, -1})
	}
	if b, err = calibrate.Offsets(scores, []int{10, 15, 20, 5}); err != nil || slices.ContainsFunc(b, func(v float64) bool { return math.IsNaN(v) || math.Abs(v) > 2 }) {
		t.Errorf("equal rows: offsets %v, %v", b, err)
	}
	scores[7][1] = math.NaN()
	if _, err := calibrate.Offsets(scores, []int{10, 15, 20, 5}); err == nil {
		t.Error("NaN: no error")
	}
	for name, counts := range map[string][]int{"sum": {1, 1, 1, 1}, "classes": {25, 25}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			scores[7][1] = 0
			calibrate.Offsets(scores, counts)
		}()
	}
}
