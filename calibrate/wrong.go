package calibrate

import (
	"fmt"
	"math"
	"slices"
)

// Wrong returns the probability that each of N labels is wrong, and the expected share of wrong
// labels. The row p[i] holds the probabilities of the C classes for a labelled point, by machines
// trained without its label. The label y[i] is an index into p[i].
//
// In the model behind it, a point has class c with a probability q_c ∝ p_c^τ. A share ε of the
// labels is wrong, and a wrong label is any other class with equal probability. So label i is
// wrong with probability
//
//	w_i = ε r_i / (ε r_i + (1−ε) q_i),   q_i = q_y,  r_i = (1−q_y)/(C−1)
//
// The result is the mean over τ and ε, weighted by the likelihood Π ((1−ε) q_i + ε r_i) of the
// labels and by a prior. The prior of ε is 20 (1−ε)¹⁹, with one wrong label in 21. The prior of
// τ is the same for all powers of 1.15 from 0.3 to 9. τ corrects probabilities that are too
// unsure because they were learnt from wrong labels.
//
// A label is suspected only where a wrong label is likelier than an unusual point. So few labels
// of overlapping classes are suspected.
//
// Wrong panics where the lengths differ or a label is outside its row. Cost: 600·N + 25·N·C.
func Wrong(p [][]float64, y []int) (wrong []float64, share float64) {
	if len(p) != len(y) {
		panic(fmt.Sprintf("calibrate: %d labels for %d rows of probabilities", len(y), len(p)))
	}
	wrong = make([]float64, len(p))
	if len(p) == 0 || len(p[0]) < 2 {
		return wrong, 0
	}
	others := float64(len(p[0]) - 1)
	q, sum, largest := make([]float64, len(p)), 0.0, math.Inf(-1)
	for tau := firstPower; tau < lastPower; tau *= powerStep {
		for i, row := range p {
			q[i] = raised(row, y[i], tau)
		}
		for epsilon := leastWrong; epsilon < mostWrong; epsilon *= wrongStep {
			// ε is on a logarithmic grid, so each value has a weight proportional to itself.
			fits := math.Log(epsilon) + (rightToWrong-1)*math.Log1p(-epsilon)
			for _, v := range q {
				fits += math.Log(max((1-epsilon)*v+epsilon*(1-v)/others, math.SmallestNonzeroFloat64))
			}
			if fits > largest { // sums are kept in units of the largest weight
				scale := math.Exp(largest - fits)
				for i := range wrong {
					wrong[i] *= scale
				}
				sum, share, largest = sum*scale, share*scale, fits
			}
			weight := math.Exp(fits - largest)
			const none = 1e-9
			if weight < none {
				continue
			}
			sum, share = sum+weight, share+weight*epsilon
			for i, v := range q {
				w := epsilon * (1 - v) / others
				wrong[i] += weight * w / (w + (1-epsilon)*v)
			}
		}
	}
	for i := range wrong {
		wrong[i] = min(wrong[i]/sum, 1)
	}
	return wrong, share / sum
}

// The powers τ and shares ε of the mean in Wrong, and the number of right labels for each wrong
// label in the prior.
const (
	firstPower, lastPower, powerStep = 0.3, 9.0, 1.15
	leastWrong, mostWrong, wrongStep = 0.0025, 0.4, 1.25
	rightToWrong                     = 20
)

// raised returns the probability of class c after all of the row are raised to a power and
// divided by their sum.
func raised(row []float64, c int, power float64) float64 {
	const least = 1e-12
	top, sum := max(slices.Max(row), least), 0.0
	for _, v := range row {
		sum += math.Pow(max(v, least)/top, power)
	}
	return math.Pow(max(row[c], least)/top, power) / sum
}
