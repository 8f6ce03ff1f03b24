package dataset

import (
	"math"
	"math/rand/v2"

	"lapsvm/points"
)

// TwoMoons generates two interlocking half circles of radius 1 in the plane,
// n points in all, with Gaussian noise of standard deviation noise: class "0"
// around (0, 0), upper half, class "1" around (1, ½), lower half. Odd rows are
// of class "1". All rows are labelled; the points depend on the seed alone.
func TwoMoons(n int, noise float64, seed uint64) *Dataset {
	rng := rand.New(rand.NewPCG(seed, 0))
	values, y := make([]float64, 0, 2*n), make([]int, n)
	for i := range n {
		angle := math.Pi * rng.Float64()
		u, v := math.Cos(angle), math.Sin(angle)
		if y[i] = i % 2; y[i] == 1 {
			u, v = 1-u, 0.5-v
		}
		values = append(values, u+noise*rng.NormFloat64(), v+noise*rng.NormFloat64())
	}
	return &Dataset{Points: points.Dense(n, 2, values), Y: y, Classes: []string{"0", "1"}}
}
