package selection

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// Four widths are compared: the mean distance of the five nearest neighbours, whatever the number
// of neighbours in the graphs, the median distance, half of it and four times it.
func TestWidths(t *testing.T) {
	d := dataset.TwoMoons(90, 0.1, 4)
	for i := 12; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	c, why, err := newComparison(t.Context(), d, train.Recipe{}, train.Run{}, choicePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	var all []float64
	near := 0.0
	for i := range d.Y {
		var of []float64
		for j := range d.Y {
			if i != j {
				of = append(of, math.Sqrt(d.Points.SquaredDistance(i, d.Points, j)))
			}
		}
		all = append(all, of...)
		slices.Sort(of)
		for _, v := range of[:5] {
			near += v / 5 / float64(len(d.Y))
		}
	}
	slices.Sort(all)
	median := all[len(all)/2]
	for k, want := range []float64{near, median / 2, median, 4 * median} {
		tolerance := 0.03 * want // the median is of a sample
		if k == 0 {
			tolerance = 1e-12
		}
		if got := c.kernels[k].Parameters().Sigma; !(math.Abs(got-want) <= tolerance) {
			t.Errorf("width %d is %v, want %v", k, got, want)
		}
	}
}
