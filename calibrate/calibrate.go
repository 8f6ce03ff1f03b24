// Package calibrate turns decision values into probabilities ([Fit]) and into sets of classes
// ([Calibration.Thresholds]), finds offsets that give predictions stated shares of the classes
// ([Offsets]), and finds wrong labels ([Wrong]). It
// works on rows of decision values, one value per class. The largest value of a row, the first
// of equals, belongs to the predicted class.
package calibrate

import (
	"fmt"
	"math"
	"slices"
)

// Calibration maps a row of decision values f_1 … f_C to probabilities,
//
//	p_c = exp(s·f_c) / Σ_k exp(s·f_k)
//
// with one slope s > 0 for all classes. Two classes with the values −f and f have
// p_2 = 1/(1 + exp(−2s·f)), Platt's sigmoid with ½ at f = 0. Because there is one slope and no
// offset, the most probable class is always the predicted one.
type Calibration struct {
	Slope   float64 // s, positive and finite
	HeldOut int     // number of held-out rows it was fitted to; 0 where it was assumed
	// Own has the probabilities that held-out rows gave to their own label, [class] in ascending order: sets of
	// classes are made of them. It is nil where the calibration was assumed, and from files of older programs.
	Own [][]float64
}

// Validate reports a calibration that [Fit] and [Assume] do not return.
func (c *Calibration) Validate() error {
	if !(c.Slope > 0) || math.IsInf(c.Slope, 1) || c.HeldOut < 0 {
		return fmt.Errorf("a calibration with the slope %v from %d points: slopes are positive", c.Slope, c.HeldOut)
	}
	return c.validateOwn()
}

// Probabilities writes the probabilities of a row of decision values into dst, which has the same
// length and may be the same slice. The probabilities are in [0, 1] and sum to 1 up to rounding,
// also for infinite values. The first largest decision value has the first largest probability;
// where rounding makes an earlier probability equal, that one is lowered by its last bit.
// Probabilities panics when the lengths differ. Cost: C exponentials.
func (c *Calibration) Probabilities(dst, scores []float64) {
	if len(dst) != len(scores) {
		panic(fmt.Sprintf("calibrate: %d probabilities for %d scores", len(dst), len(scores)))
	}
	if len(scores) == 0 {
		return
	}
	top := first(scores)
	largest, sum := scores[top], 0.0
	for k, f := range scores {
		dst[k] = 1
		if f != largest {
			dst[k] = math.Exp(c.Slope * (f - largest))
		}
		sum += dst[k]
	}
	for k := range dst {
		dst[k] /= sum
	}
	for k := range top {
		if dst[k] >= dst[top] {
			dst[k] = math.Nextafter(dst[top], 0)
		}
	}
}

// LogOdds writes the logarithms of the probabilities of a row of decision values, less their mean, into dst, which has the same length and may be the same
// slice. A probability counts as least at least.
func (c *Calibration) LogOdds(dst, scores []float64, least float64) {
	c.Probabilities(dst, scores)
	sum := 0.0
	for k, p := range dst {
		dst[k] = math.Log(max(p, least))
		sum += dst[k]
	}
	for k := range dst {
		dst[k] -= sum / float64(len(dst))
	}
}

// first returns the index of the largest value, the first of equal ones.
func first(scores []float64) int {
	best := 0
	for c, f := range scores {
		if f > scores[best] {
			best = c
		}
	}
	return best
}

// leastSlope bounds the slope from below, in units of 1/(the widest row): the
// held-out values may point the wrong way, but probabilities never do.
const leastSlope = 1e-3

// leastScale is the largest difference of decision values at which a row still does not tell
// classes apart, because the slope would leave the range of float64.
const leastScale = 1e-200

// Fit finds the slope by which held-out decision values explain the labels best. scores[i] is a
// row of decision values at a labelled point, by machines trained without its label. y[i] is the
// label, an index into the row. Fit minimises the cross-entropy
//
//	−Σ_i Σ_c t_ic log p_ic,   t_ic = (N+1)/(N+2) for c = y[i], else 1/((N+2)(C−1))
//
// over the N rows and C classes, by Newton's method in a bracket. The slope is at least 10⁻³ over
// the largest difference within a row. For two classes the targets t are Platt's with both
// counts N, because every row is a positive example of one class and a negative one of the
// other. These targets keep the slope finite where all rows are right. Where no row tells
// classes apart the slope is 1.
//
// Fit fails without rows, for rows of different lengths or of fewer than two values, for values
// that are not finite, and for a label outside its row. Cost: O(N·C) per step, about ten steps.
// (Platt, "Probabilistic Outputs for Support Vector Machines", 1999; with exponentials that
// cannot overflow, Lin, Lin and Weng, "A Note on Platt's Probabilistic Outputs", 2007.)
func Fit(scores [][]float64, y []int) (*Calibration, error) {
	c, err := WithSlope(1, scores, y)
	if err != nil {
		return nil, err
	}
	if scale := widest(scores); scale > leastScale {
		c.Slope = minimise(scores, y, scale) / scale
		c.Own = c.own(scores, y)
	}
	return c, nil
}

// WithSlope returns the calibration with a slope that is known, such as 1 of decision values that are logarithms of probabilities. The
// held-out decision values tell of sets alone. It fails where [Fit] does.
func WithSlope(slope float64, scores [][]float64, y []int) (*Calibration, error) {
	if err := check(scores); err != nil {
		return nil, err
	}
	if len(y) != len(scores) {
		return nil, fmt.Errorf("%d labels for %d held-out points", len(y), len(scores))
	}
	for i, class := range y {
		if class < 0 || class >= len(scores[i]) {
			return nil, fmt.Errorf("held-out point %d has the class %d of %d", i, class, len(scores[i]))
		}
	}
	c := &Calibration{Slope: slope, HeldOut: len(scores)}
	c.Own = c.own(scores, y)
	return c, nil
}

// minimise returns the slope of Fit for scores in units of scale: the zero of
// the derivative of the cross-entropy, which is convex.
func minimise(scores [][]float64, y []int, scale float64) float64 {
	n, classes := float64(len(scores)), float64(len(scores[0]))
	other := 1 / ((n + 2) * (classes - 1)) // target of every class but the label
	// derivatives returns the first and second derivative at s: with
	// z = f − f_label, Σ_i (E_p z − Σ_c t_c z_c) and Σ_i Var_p z.
	derivatives := func(s float64) (first, second float64) {
		for i, row := range scores {
			label, largest := row[y[i]], slices.Max(row)
			var sum, mean, square, target float64
			for _, f := range row {
				z := (f - label) / scale
				e := math.Exp(s * ((f - largest) / scale))
				sum += e
				mean += e * z
				square += e * z * z
				target += other * z
			}
			mean /= sum
			first += mean - target
			second += square/sum - mean*mean
		}
		return first, second
	}
	const (
		steps    = 200
		accuracy = 1e-12 // relative, of the slope
	)
	s, low, high := 1.0, leastSlope, math.Inf(1)
	for range steps {
		g, h := derivatives(s)
		if g > 0 {
			high = s
		} else {
			low = s
		}
		next := s - g/h
		switch {
		case next > low && next < high || g == 0:
		case math.IsInf(high, 1):
			next = 4 * s
		default:
			next = low + (high-low)/2
		}
		if math.Abs(next-s) <= accuracy*s || g == 0 {
			break
		}
		s = next
	}
	return s
}

// assumed is the mean probability that [Assume] gives to predictions.
const assumed = 2.0 / 3

// Assume returns the calibration to use where no label can be held out, as with one label of
// every class. scores are the decision values of all training points. Assume takes predictions
// to be right in two of three cases, by the rule of succession (1 + 1)/(1 + 2) after one example
// of a class. So the slope makes the mean over the rows of the largest probability ⅔. Where
// ties in many rows allow no such slope, it is 100 over the mean difference of the two largest
// values of a row; where no row has a difference, it is 1. Assume fails where [Fit] does. Cost:
// O(n·C) for each of 40 bisections.
func Assume(scores [][]float64) (*Calibration, error) {
	if err := check(scores); err != nil {
		return nil, err
	}
	lead := 0.0
	for _, row := range scores {
		top, second := first(row), math.Inf(-1)
		for k, f := range row {
			if k != top {
				second = max(second, f)
			}
		}
		lead += (row[top] - second) / float64(len(scores))
	}
	c := &Calibration{Slope: 1}
	if lead <= leastScale {
		return c, nil
	}
	p := make([]float64, len(scores[0]))
	low, high := 0.0, 100/lead
	for range 40 {
		c.Slope = low + (high-low)/2
		mean := 0.0
		for _, row := range scores {
			c.Probabilities(p, row)
			mean += p[first(row)] / float64(len(scores))
		}
		if mean < assumed {
			low = c.Slope
		} else {
			high = c.Slope
		}
	}
	return c, nil
}

// check reports rows that are no decision values.
func check(scores [][]float64) error {
	if len(scores) == 0 {
		return fmt.Errorf("there are no decision values to calibrate on")
	}
	for i, row := range scores {
		if len(row) < 2 || len(row) != len(scores[0]) {
			return fmt.Errorf("point %d has %d decision values, the first has %d: one per class, of at least two, is needed", i, len(row), len(scores[0]))
		}
		if width := slices.Max(row) - slices.Min(row); math.IsNaN(width) || math.IsInf(width, 0) {
			return fmt.Errorf("point %d has the decision values %v: values and their differences must be finite", i, row)
		}
	}
	return nil
}

// widest is the largest difference within a row.
func widest(scores [][]float64) float64 {
	width := 0.0
	for _, row := range scores {
		width = max(width, slices.Max(row)-slices.Min(row))
	}
	return width
}
