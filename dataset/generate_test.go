package dataset

import (
	"math"
	"slices"
	"testing"
)

func TestTwoMoons(t *testing.T) {
	d := TwoMoons(200, 0, 7)
	ones := 0
	for i, y := range d.Y {
		u, v := d.Points.DenseRow(i)[0], d.Points.DenseRow(i)[1]
		if y == 1 {
			ones++
			u, v = 1-u, 0.5-v
		}
		if !(math.Abs(math.Hypot(u, v)-1) <= 1e-12) || !(v >= -1e-12) {
			t.Fatalf("row %d of class %d is off its half circle: %v, %v", i, y, u, v)
		}
	}
	if ones != 100 || len(d.Classes) != 2 {
		t.Errorf("%d rows of class 1", ones)
	}
	same, other := TwoMoons(200, 0, 7), TwoMoons(200, 0, 8)
	if !slices.Equal(d.Points.DenseRow(5), same.Points.DenseRow(5)) || slices.Equal(d.Points.DenseRow(5), other.Points.DenseRow(5)) {
		t.Error("the points do not depend on the seed alone")
	}
}
