package layout

import "testing"

// Squares fill a square: one alone, two or four of a size side by side, and three with a place to spare.
func TestSquaresInASquare(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 2: 2, 3: 2, 4: 2, 5: 3, 9: 3} { // sides of the square, in those of a part
		var parts []part
		places := make([]float32, 2*n)
		for k := range n {
			parts = append(parts, part{points: []int32{int32(k)}, xy: []float64{1, 1}})
		}
		arrange(places, parts)
		seen := map[[2]float32]bool{}
		for k := range n {
			at := [2]float32{places[2*k], places[2*k+1]}
			if seen[at] || at[0] <= 0 || at[0] > 1.000001 || at[1] <= 0 || at[1] > 1.000001 {
				t.Errorf("part %d of %d is at %v", k, n, at)
			}
			seen[at] = true
		}
		if least := float32(1 / (want + 0.2)); places[0] < least { // the first part is this large, but for gaps
			t.Errorf("%d parts: one is %v of the square, want %v", n, places[0], 1/want)
		}
	}
}
