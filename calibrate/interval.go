package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/system/fault"
)

// Intervals is what intervals for the numbers of new points are made of: machines trained without
// some of the labels, and how far they are from these. With machines f_k over the basis of the model,
//
//	f_k(x) = Σ_j Coefficients[k][j]·k(basis_j, x) + Bias[k]
//
// and R_i = |y_i − f_k(i)(x_i)| for the labels i = 1 … l, the interval of a point x goes
//
//	from the ⌊α(l+1)⌋-th smallest of f_k(i)(x) − R_i to the ⌈(1−α)(l+1)⌉-th smallest of f_k(i)(x) + R_i
//
// which holds the number of x with a probability of about 1 − α, and of at least 1 − 2α where every
// machine lacks a single label (jackknife+; CV+ where it lacks several). Without machines the model
// itself takes the place of all f_k, with no such bound. (Barber, Candès, Ramdas and Tibshirani, "Predictive
// inference with the jackknife+", Annals of Statistics 2021.)
type Intervals struct {
	Coefficients [][]float64 // [machine][basis point]; none where residuals alone were kept
	Bias         []float64   // [machine]
	Machine      []int       // k(i), the machine without label i; nil without machines
	Residual     []float64   // R_i, times a factor where the labels have chosen the machines; of a training with unlabelled points it is that at a new point in the place of x_i
}

// Most returns the largest level 1 − α of an interval, l/(l + 1): of more the labels are too few.
func (v *Intervals) Most() float64 {
	l := float64(len(v.Residual))
	return l / (l + 1)
}

// CheckLevel reports a level that no interval has.
func (v *Intervals) CheckLevel(level float64) error {
	switch {
	case !(level > 0) || !(level < 1):
		return fmt.Errorf("an interval takes a level between 0 and 1, such as 0.9, not %v", level)
	case v.rank(level) > len(v.Residual):
		return fault.FewLabels.Errorf("an interval of level %v takes more than the %d labels of the model: ask for at most %.2g, or label more points", level, len(v.Residual), math.Floor(100*v.Most())/100)
	}
	return nil
}

// rank returns ⌈(1−α)(l+1)⌉ for the level 1 − α.
func (v *Intervals) rank(level float64) int { return Rank(level, len(v.Residual)+1) }

// Rank returns ⌈level·n⌉, which of n ascending values a share of them does not exceed, from 1 on. It takes a product that rounding
// moves above a whole number for that number, such as 0.55·100.
func Rank(level float64, n int) int { return int(math.Ceil(level*float64(n) - 1e-9)) }

// Of returns the interval of a point by the model's value there and those of the machines. It panics for a
// level that CheckLevel reports.
func (v *Intervals) Of(value float64, machines []float64, level float64) (low, high float64) {
	l, rank := len(v.Residual), v.rank(level)
	lows, highs := make([]float64, l), make([]float64, l)
	for i, r := range v.Residual {
		f := value
		if v.Machine != nil {
			f = machines[v.Machine[i]]
		}
		lows[i], highs[i] = f-r, f+r
	}
	slices.Sort(lows)
	slices.Sort(highs)
	return lows[l-rank], highs[rank-1]
}

// Validate reports contents that no model with so many basis points has.
func (v *Intervals) Validate(basis int) error {
	switch {
	case len(v.Residual) == 0:
		return errors.New("intervals of no labels")
	case len(v.Coefficients) != len(v.Bias) || (v.Machine == nil) != (len(v.Bias) == 0):
		return fmt.Errorf("intervals of %d and %d machines", len(v.Coefficients), len(v.Bias))
	case v.Machine != nil && len(v.Machine) != len(v.Residual):
		return fmt.Errorf("intervals of %d and %d labels", len(v.Machine), len(v.Residual))
	}
	for _, k := range v.Machine {
		if k < 0 || k >= len(v.Bias) {
			return fmt.Errorf("the machine %d of %d without a label", k, len(v.Bias))
		}
	}
	for _, machine := range v.Coefficients {
		if len(machine) != basis {
			return fmt.Errorf("%d coefficients for %d basis points", len(machine), basis)
		}
	}
	for _, values := range slices.Concat(v.Coefficients, [][]float64{v.Bias, v.Residual}) {
		if slices.ContainsFunc(values, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			return errors.New("intervals of numbers that are not finite")
		}
	}
	if slices.ContainsFunc(v.Residual, func(r float64) bool { return r < 0 }) {
		return errors.New("intervals of a negative residual")
	}
	return nil
}
