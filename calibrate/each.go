package calibrate

import (
	"fmt"
	"math"
	"slices"
)

// Each maps decision values of classes that a point may have at once to probabilities, each for itself:
//
//	p_c = 1/(1 + exp(−(s_c·f_c + o_c)))
//
// A point has the classes with p_c above a threshold t_c. Where few rows have a class, hardly any has it with a probability of
// ½, and nobody wants the answer that no row has it.
type Each struct {
	Slope     []float64 // s_c, positive
	Offset    []float64 // o_c
	Threshold []float64 // t_c, above 0 and at most ½
	HeldOut   int       // number of held-out rows that they were fitted to
	// Has has p_c of the held-out rows with the class, and Lacks has 1 − p_c of the rows without it, [class] in ascending order. Sets
	// of classes are made of them. They are nil from files of older programs.
	Has, Lacks [][]float64
}

// Validate reports what [FitEach] does not return for so many classes.
func (e *Each) Validate(classes int) error {
	if len(e.Slope) != classes || len(e.Offset) != classes || len(e.Threshold) != classes {
		return fmt.Errorf("%d slopes, %d offsets and %d thresholds of %d classes", len(e.Slope), len(e.Offset), len(e.Threshold), classes)
	}
	for c, s := range e.Slope {
		if !(s > 0) || math.IsInf(s, 1) || math.IsNaN(e.Offset[c]) || math.IsInf(e.Offset[c], 0) {
			return fmt.Errorf("a slope %v with the offset %v: slopes are positive, and both finite", s, e.Offset[c])
		}
		if t := e.Threshold[c]; !(t > 0) || t > 0.5 {
			return fmt.Errorf("a threshold of %v: it is above 0 and at most ½", t)
		}
	}
	return e.validateOwn(classes)
}

// Limits returns the decision values above which a point has the classes: (log(t_c/(1 − t_c)) − o_c)/s_c.
func (e *Each) Limits() []float64 {
	limits := make([]float64, len(e.Threshold))
	for c, t := range e.Threshold {
		limits[c] = (math.Log(t/(1-t)) - e.Offset[c]) / e.Slope[c]
	}
	return limits
}

// Probability returns the probability of a class for a decision value f: 1/(1 + exp(−(s_c f + o_c))).
func (e *Each) Probability(class int, f float64) float64 {
	return 1 / (1 + math.Exp(-(e.Slope[class]*f + e.Offset[class])))
}

// Probabilities writes the probabilities of a row of decision values into dst, which has the same length and may be the same
// slice.
func (e *Each) Probabilities(dst, scores []float64) {
	for c, f := range scores {
		dst[c] = e.Probability(c, f)
	}
}

// LogOdds writes the logarithms of the odds of a row of decision values into dst, which has the same length and may be the same slice:
//
//	log p_c/(1 − p_c) = s_c·f_c + o_c
//
// They are bounded as those of probabilities from least to 1 − least are.
func (e *Each) LogOdds(dst, scores []float64, least float64) {
	bound := math.Log((1 - least) / least)
	for c, f := range scores {
		dst[c] = min(max(e.Slope[c]*f+e.Offset[c], -bound), bound)
	}
}

// FitEach finds slopes and offsets by held-out decision values [row][class] and by answers [class][row]. An answer is 1 of a row with
// the class, −1 of one without it, and NaN if that is unknown. For every class FitEach minimises
// Platt's cross-entropy
//
//	−Σ_i t_i log p_i + (1 − t_i) log(1 − p_i),   t_i = (n₊ + 1)/(n₊ + 2) for rows with the class, else 1/(n₋ + 2)
//
// by Newton's method with steps that are halved. The threshold is halfway between the k-th largest probability of the held-out
// rows and the next, so that as many rows get a class as are to be expected. k is Σ_i p_i to the nearest whole number, and at least 1. It is at most ½, and ½ of a class without a known answer. The slope is at least 10⁻³ over the largest |f|. It fails for decision values that are
// not finite. (Platt, "Probabilistic Outputs for Support Vector Machines", 1999.)
func FitEach(scores [][]float64, answers [][]float64) (*Each, error) {
	return fitEach(scores, answers, sigmoid)
}

// EachOfLogOdds is [FitEach] of decision values that are logarithms of odds: slopes are 1 and offsets 0, and held-out values tell of thresholds and sets alone.
func EachOfLogOdds(scores [][]float64, answers [][]float64) (*Each, error) {
	return fitEach(scores, answers, func([]float64, []bool) (slope, offset float64) { return 1, 0 })
}

// fitEach is FitEach with the slope and the offset of a class by its held-out values.
func fitEach(scores [][]float64, answers [][]float64, line func(f []float64, has []bool) (slope, offset float64)) (*Each, error) {
	e := &Each{HeldOut: len(scores)}
	for class, of := range answers {
		var f []float64
		var has []bool
		for i, answer := range of {
			if math.IsNaN(answer) {
				continue
			}
			v := scores[i][class]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("row %d has the decision value %v: values must be finite", i, v)
			}
			f, has = append(f, v), append(has, answer > 0)
		}
		slope, offset := line(f, has)
		var own [2][]float64 // of the rows without the class, and of those with it
		for i, v := range f {
			f[i] = 1 / (1 + math.Exp(-(slope*v + offset)))
			if has[i] {
				own[1] = append(own[1], f[i])
			} else {
				own[0] = append(own[0], 1-f[i])
			}
		}
		slices.Sort(own[0])
		slices.Sort(own[1])
		e.Slope, e.Offset, e.Threshold = append(e.Slope, slope), append(e.Offset, offset), append(e.Threshold, threshold(f))
		e.Has, e.Lacks = append(e.Has, own[1]), append(e.Lacks, own[0])
	}
	return e, nil
}

// threshold returns that of FitEach for the probabilities of one class, which it sorts.
func threshold(p []float64) float64 {
	if len(p) == 0 {
		return 0.5
	}
	slices.Sort(p)
	slices.Reverse(p)
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	k := max(1, int(math.Round(sum))) // rows with the class
	t := p[k-1] / 2
	if k < len(p) {
		t = (p[k-1] + p[k]) / 2
	}
	return min(0.5, max(t, leastThreshold))
}

// leastThreshold bounds thresholds from below.
const leastThreshold = 1e-3

// sigmoid returns slope and offset of FitEach for one class.
func sigmoid(f []float64, has []bool) (slope, offset float64) {
	with, scale := 0.0, 0.0
	for i, v := range f {
		scale = max(scale, math.Abs(v))
		if has[i] {
			with++
		}
	}
	if scale <= leastScale {
		scale = 1
	}
	without := float64(len(f)) - with
	target := func(i int) float64 {
		if has[i] {
			return (with + 1) / (with + 2)
		}
		return 1 / (without + 2)
	}
	loss := func(s, o float64) (sum float64) {
		for i, v := range f {
			z := s*v/scale + o
			sum += math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0) - target(i)*z
		}
		return sum
	}
	const (
		steps    = 100
		damping  = 1e-9
		accuracy = 1e-10
	)
	s, o := 1.0, math.Log((with+1)/(without+1))
	now := loss(s, o)
	for range steps {
		var gs, goo, ss, so, oo float64
		for i, v := range f {
			v /= scale
			p := 1 / (1 + math.Exp(-(s*v + o)))
			d, w := p-target(i), p*(1-p)
			gs, goo = gs+d*v, goo+d
			ss, so, oo = ss+w*v*v, so+w*v, oo+w
		}
		ss, oo = ss+damping, oo+damping
		if s <= leastSlope && gs > 0 { // at the bound, the offset alone
			gs, so = 0, 0
		}
		det := ss*oo - so*so
		ds, do := -(oo*gs-so*goo)/det, -(ss*goo-so*gs)/det
		step, next := 1.0, now
		var s1, o1 float64
		for ; step > 1e-8; step /= 2 {
			s1, o1 = max(leastSlope, s+step*ds), o+step*do
			if next = loss(s1, o1); next <= now {
				break
			}
		}
		if !(next <= now) {
			break
		}
		moved := math.Abs(s1-s) + math.Abs(o1-o)
		s, o, now = s1, o1, next
		if moved <= accuracy*(1+math.Abs(s)+math.Abs(o)) {
			break
		}
	}
	return s / scale, o
}
