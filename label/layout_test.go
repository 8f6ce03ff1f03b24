package label

import (
	"slices"
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// An added point stands in the middle of its nearest points.
func TestAddedPointsHavePlaces(t *testing.T) {
	more := &newcomers{points: points.Dense(2, 1, []float64{1, 2}), near: &graph.Neighbours{K: 2, Index: []int32{0, 1, 2, 1}, Distance: make([]float64, 4)}}
	want := []float32{1, 10, 3, 30, 5, 20, 2, 20, 4, 25}
	if got := more.placed(slices.Clone(want[:6])); !slices.Equal(got, want) {
		t.Errorf("the places are %v, want %v", got, want)
	}
}
