package selection

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// byDirection returns points of two classes. Each class lies about two directions, and the lengths
// are random; with byLength the classes differ in their lengths alone.
func byDirection(n int, byLength bool) *dataset.Dataset {
	const d = 6
	rng := rand.New(rand.NewPCG(5, 1))
	centres := make([][]float64, 4)
	for k := range centres {
		centres[k] = make([]float64, d)
		for j := range centres[k] {
			centres[k][j] = rng.NormFloat64()
		}
	}
	values, y := make([]float64, 0, n*d), make([]int, n)
	for i := range n {
		class, row := i%2, make([]float64, d)
		length, norm := math.Exp(rng.Float64()*3), 0.0
		centre := centres[rng.IntN(2)+2*class]
		if byLength {
			length, centre = 1+float64(class)*0.6+0.1*rng.NormFloat64(), make([]float64, d)
		}
		for j := range row {
			row[j] = centre[j] + 0.7*rng.NormFloat64()
			norm += row[j] * row[j]
		}
		for _, v := range row {
			values = append(values, v*length/math.Sqrt(norm))
		}
		if y[i] = dataset.Unlabelled; i < 40 {
			y[i] = class
		}
	}
	return &dataset.Dataset{Points: points.Dense(n, d, values), Y: y, Classes: []string{"a", "b"}}
}

// Many points in one unit are scaled to unit length where their length carries no information on
// the class. Otherwise, and at the caller's request, they stay unscaled.
func TestLengthOfRows(t *testing.T) {
	detector.Spare(t)
	for name, c := range map[string]struct {
		byLength    bool
		asked, want points.Standardise
	}{"direction": {false, "", points.UnitNorm}, "length": {true, "", points.AsIs}, "as asked": {false, points.AsIs, points.AsIs}} {
		_, r, err := Fill(t.Context(), byDirection(6500, c.byLength), train.Recipe{Standardise: c.asked}, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Standardise != c.want {
			t.Errorf("%s: %s (%s), want %s", name, r.Standardise, r.StandardiseReason, c.want)
		}
		if sigma := r.Kernel.Parameters().Sigma; sigma != r.Choice.Sigma || c.want == points.UnitNorm && !(sigma < 3) {
			t.Errorf("%s: sigma %g, in the choice %g", name, sigma, r.Choice.Sigma)
		}
	}
}

// Rows of one column have no direction but their sign, so they stay unscaled.
func TestLengthOfOneColumn(t *testing.T) {
	detector.Spare(t)
	const n = 6500
	rng := rand.New(rand.NewPCG(5, 2))
	values, y := make([]float64, n), make([]int, n)
	for i := range n {
		class := min(i%3, 1) // twice as many are of the second
		values[i] = 4*float64(class) - 2 + rng.NormFloat64()
		if y[i] = dataset.Unlabelled; i < 40 {
			y[i] = class
		}
	}
	d := &dataset.Dataset{Points: points.Dense(n, 1, values), Y: y, Classes: []string{"a", "b"}}
	_, r, err := Fill(t.Context(), d, train.Recipe{}, train.Run{})
	if err != nil || r.Standardise == points.UnitNorm {
		t.Errorf("scaled by %s, %v", r.Standardise, err)
	}
}
