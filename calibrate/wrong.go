package calibrate

import (
	"fmt"
	"math"
	"slices"
)

// Wrong returns the probability that each of N labels is wrong, and the share of the labels
// that is. p[i] are the probabilities of the classes of a labelled point, by machines that
// were trained without its label y[i].
//
// A point has class c with a probability q_c ∝ p_c^τ; its label is that class but for a
// share ε of the labels, which are any other class, all equally likely. So label i is wrong
// with
//
//	w_i = ε r_i / (ε r_i + (1−ε) q_i),   q_i = q_y,  r_i = (1−q_y)/(C−1)
//
// The result is the mean over τ and ε by how well they explain the labels, Π ((1−ε) q_i +
// ε r_i), with the prior 20 (1−ε)¹⁹, of which one label of 21 is wrong, and the same for
// every power of 1.15 that τ is, from 0.3 to 9. τ is there because probabilities that were
// learnt from wrong labels are less sure than they could be. Where a wrong label is
// no likelier than a rare point, little is suspected: labels of classes that overlap are
// not taken for wrong for what their points are.
//
// It panics where the lengths differ or a label is outside its row. Cost: 600·N + 25·N·C.
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
			// ε on a logarithmic grid: each stands for a range that is as long as itself.
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

// The powers and shares that Wrong takes the mean over, and how many labels the prior has
// for every wrong one.
const (
	firstPower, lastPower, powerStep = 0.3, 9.0, 1.15
	leastWrong, mostWrong, wrongStep = 0.0025, 0.4, 1.25
	rightToWrong                     = 20
)

// raised is what becomes of the probability of class c when all of the row are raised to a
// power and sum to 1 again.
func raised(row []float64, c int, power float64) float64 {
	const least = 1e-12
	top, sum := max(slices.Max(row), least), 0.0
	for _, v := range row {
		sum += math.Pow(max(v, least)/top, power)
	}
	return math.Pow(max(row[c], least)/top, power) / sum
}
