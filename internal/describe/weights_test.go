package describe

import (
	"math"
	"slices"
	"testing"

	"lapsvm/points"
)

// The mean square norms of parts side by side are as 1/(g·m), by the squared distances of each picture to its ten nearest by the part alone.
// A part alone has 1.
func TestWeigh(t *testing.T) {
	s, n := Shape{28, 28, 1}, 150
	p := points.DenseBytes(n, s.Inputs(), drawings(n, s, 4))
	both := learned(t, Pictures(), s, p, 1)
	x := applied(t, t.Context(), both, p)
	norm := func(x *points.Points) (mean float64) {
		for _, v := range x.Squares() {
			mean += v / float64(n)
		}
		return mean
	}
	var weights, norms []float64
	sum := 0.0
	for k, name := range Pictures() {
		alone := applied(t, t.Context(), learned(t, []string{name}, s, p, 1), p)
		if got := norm(alone); !(math.Abs(got-1) < 1e-4) {
			t.Errorf("%s alone has a mean square norm of %g", name, got)
		}
		gap, inverse := 0.0, 0.0
		for i := range n {
			var t []float64
			for j := range n {
				if j != i {
					t = append(t, alone.SquaredDistance(i, alone, j)+0.001)
				}
			}
			slices.Sort(t)
			gap += t[0] / float64(n)
			for j := range 9 {
				inverse += math.Log(math.Sqrt(t[9]/t[j])) / 9 / float64(n)
			}
		}
		w := inverse / gap
		weights, sum = append(weights, w), sum+w
		norms = append(norms, norm(both.OnlyOf(x, func(q *Part) bool { return q == &both.Parts[k] })))
	}
	for k, w := range weights {
		if want := 2 * w / sum; !(math.Abs(norms[k]-want) < 1e-3*want) {
			t.Errorf("%s has a mean square norm of %g beside the other, not %g", both.Parts[k].Name, norms[k], want)
		}
	}
}

// Where the nearest pictures are equal, nothing tells parts apart, and each counts as much.
func TestWeighEqual(t *testing.T) {
	s, n := Shape{28, 28, 1}, 40
	p := points.DenseBytes(n, s.Inputs(), slices.Repeat(drawings(2, s, 4), n/2))
	d := learned(t, Pictures(), s, p, 1)
	x := applied(t, t.Context(), d, p)
	for k := range d.Parts {
		norm := 0.0
		for _, v := range d.OnlyOf(x, func(q *Part) bool { return q == &d.Parts[k] }).Squares() {
			norm += v / float64(n)
		}
		if !(math.Abs(norm-1) < 1e-2) {
			t.Errorf("%s has a mean square norm of %g", d.Parts[k].Name, norm)
		}
	}
}
