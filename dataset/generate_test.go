package dataset_test

import (
	"math"
	"testing"

	"lapsvm/dataset"
)

// The best classifier of two Gaussians, the sign of the sum of the coordinates,
// errs with the probability asked for.
func TestTwoGaussians(t *testing.T) {
	const n, bayes = 40000, 0.05
	d := dataset.TwoGaussians(n, 50, bayes, 7)
	wrong, variance, row := 0, 0.0, make([]float64, 50)
	for i, y := range d.Y {
		d.Points.CopyRow(row, i)
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		if sum > 0 != (y == 1) {
			wrong++
		}
		variance += (row[3] - row[4]) * (row[3] - row[4]) / 2 / n
	}
	if rate, sd := float64(wrong)/n, math.Sqrt(bayes*(1-bayes)/n); math.Abs(rate-bayes) > 4*sd {
		t.Errorf("the best classifier errs on %.4f of the points, want %v ± %.4f", rate, bayes, 4*sd)
	}
	if math.Abs(variance-1) > 0.05 {
		t.Errorf("a coordinate has the variance %.3f, want 1", variance)
	}
}

// The hands lie inside the rim.
func TestClock(t *testing.T) {
	d := dataset.Clock(147, 1)
	count := make([]int, 2)
	for i, y := range d.Y {
		row := d.Points.DenseRow(i)
		count[y]++
		if r := math.Hypot(row[0], row[1]); y == 1 && math.Abs(r-1) > 0.1 || y == 0 && r > 0.75 {
			t.Errorf("point %d of class %s is %.2f from the centre", i, d.Classes[y], r)
		}
	}
	if count[0] != 49 || count[1] != 98 {
		t.Errorf("%d points of hands and %d of the rim, want 49 and 98", count[0], count[1])
	}
}
