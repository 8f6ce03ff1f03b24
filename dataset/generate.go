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

// TwoGaussians generates n points in d dimensions from two normal distributions of unit
// covariance: class "-1" and class "1" in turn. Their means differ by the same amount in every
// coordinate, so that the best classifier errs with the probability bayesError, between 0 and ½.
// All rows are labelled; the points depend on the seed alone. (50 dimensions and 0.05 make the
// set G50C.)
func TwoGaussians(n, d int, bayesError float64, seed uint64) *Dataset {
	rng := rand.New(rand.NewPCG(seed, 0))
	// Φ(−half distance) = bayesError
	half := math.Sqrt2 * math.Erfinv(1-2*bayesError) / math.Sqrt(float64(d))
	values, y := make([]float64, 0, n*d), make([]int, n)
	for i := range n {
		y[i] = i % 2
		shift := float64(2*y[i]-1) * half
		for range d {
			values = append(values, shift+rng.NormFloat64())
		}
	}
	return &Dataset{Points: points.Dense(n, d, values), Y: y, Classes: []string{"-1", "1"}}
}

// Clock generates the rim and the hands of a clock in the plane, n points in
// all: class "-1" are two hands of length 0.65 and 0.45 from the origin, a
// third of the points, class "1" the circle of radius 1. All rows are labelled;
// the points depend on the seed alone.
func Clock(n int, seed uint64) *Dataset {
	rng := rand.New(rand.NewPCG(seed, 0))
	const noise = 0.015
	hands := [][2]float64{{0.65 * math.Cos(math.Pi/2), 0.65 * math.Sin(math.Pi/2)}, {0.45 * math.Cos(math.Pi/6), 0.45 * math.Sin(math.Pi/6)}}
	values, y := make([]float64, 0, 2*n), make([]int, n)
	for i := range n {
		var u, v float64
		if i%3 == 0 {
			hand, at := hands[i/3%len(hands)], rng.Float64()
			u, v = at*hand[0], at*hand[1]
		} else {
			y[i] = 1
			angle := 2 * math.Pi * (float64(i) + rng.Float64()) / float64(n)
			u, v = math.Cos(angle), math.Sin(angle)
		}
		values = append(values, u+noise*rng.NormFloat64(), v+noise*rng.NormFloat64())
	}
	return &Dataset{Points: points.Dense(n, 2, values), Y: y, Classes: []string{"-1", "1"}}
}
