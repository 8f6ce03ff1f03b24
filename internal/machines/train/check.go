package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
)

// errRounding is the error for a solution whose decision values are rounding errors.
var errRounding = fault.Rounding.Errorf("decision values are lost in rounding")

// isRounding reports whether a training failed by rounding alone.
func isRounding(err error) bool {
	return errors.Is(err, errRounding) || errors.Is(err, nystrom.ErrRounding)
}

// check reports a solution that is none: see checkFinite and checkRounding. Rounding that is
// noticeable, but does not lose the values, is corrected as far as possible, and check warns of the
// rest.
func (p *Problem) check(ctx context.Context, m *minimum, run Run) error {
	if err := p.checkFinite(m); err != nil {
		return err
	}
	off, err := p.checkRounding(ctx, m)
	if m.residual != nil || err == nil && off <= noticed {
		return err
	}
	if err == nil && p.Recipe.Precision == gram.Single && p.holdsDouble != nil && p.holdsDouble() {
		return fmt.Errorf("%w: those of new points would be off by %.2g %% of the largest", errRounding, 100*off)
	}
	if m.method.exact && !p.Recipe.keepsLabelShares() {
		if off, err = p.interpolate(ctx, m, off, err); err != nil {
			return err
		}
	}
	if err == nil && off > noticed {
		advice := "standardise (zscore), or raise gamma-a" + p.Recipe.Precision.OrDouble()
		run.log().Warn(fmt.Sprintf("decision values of new points are off by up to %.2g %% of the largest, by rounding: %s", 100*off, advice))
	}
	return err
}

// interpolate replaces the coefficients, whose values are off, by those of
// [deformed.Factor.Interpolate] for the solver's values, unless the values get worse. Coefficients
// of all points have the rounding of γI/γA·Lh in them, and the Gram matrix multiplies that.
// Coefficients of the pivots follow from values.
func (p *Problem) interpolate(ctx context.Context, m *minimum, off float64, lost error) (float64, error) {
	factor, err := p.Geometry.Factor(ctx)
	if err != nil {
		return off, err
	}
	before, beforeWithout, all := m.Alpha, m.without.alpha, m.all()
	all.alpha = make([][]float64, len(all.f))
	for c, f := range all.f {
		values := make([]float64, len(f))
		for i, v := range f {
			values[i] = v - all.b[c]
		}
		alpha, err := factor.Interpolate(ctx, values)
		if err != nil {
			return off, err
		}
		all.alpha[c] = alpha
	}
	m.Alpha, m.without.alpha = all.alpha[:len(m.F)], all.alpha[len(m.F):]
	if p.checkFinite(m) == nil {
		if now, err := p.checkRounding(ctx, m); err == nil && !(now >= off) {
			return now, nil
		}
	}
	m.Alpha, m.without.alpha = before, beforeWithout
	return off, lost
}

// largestNumber bounds the numbers of a solution: their squares are in the range of
// float64.
const largestNumber = 1e150

// checkFinite reports a solution whose numbers have left the range of float64, or are
// about to.
func (p *Problem) checkFinite(m *minimum) error {
	finite := func(values []float64) bool {
		return !slices.ContainsFunc(values, func(v float64) bool { return !(math.Abs(v) <= largestNumber) })
	}
	all := m.all()
	for c := range all.f {
		if m.basis == nil && !finite(all.alpha[c]) || !finite(all.f[c]) || !finite(m.labelSharesOf(c)) {
			return p.notFinite()
		}
	}
	if !finite(all.b) || !finite(m.Objective) {
		return p.notFinite()
	}
	return nil
}

func (p *Problem) notFinite() error {
	leading := p.Recipe.Leading()
	return fault.Rounding.Errorf("the solver %s left the range of float64 with gamma-a %g and gamma-i %g: raise gamma-a or lower gamma-i, or choose another solver", p.Recipe.Solver, leading.GammaA, leading.GammaI)
}

// labelSharesOf returns those of a machine, nil where they are not kept.
func (m *minimum) labelSharesOf(machine int) []float64 {
	if machine >= len(m.labelShares) {
		return nil
	}
	return m.labelShares[machine]
}

// checkRounding looks at some points, which are drawn. The difference of their decision values is in units of
// the largest value.
const (
	checkedPoints = 64     // at least, and
	checkedValues = 250000 // as many points as take no more values of the kernel
	noticed       = 5e-3   // the difference from which on something is done about it
	lost          = 0.1    // from which on the values are lost
)

// checkRounding reports an expansion whose values differ from those the solver worked with. The
// cause is large terms that cancel: the values are then mostly the rounding error of float64 or of
// the storage of the Gram matrix. It returns the largest difference in units of the largest value
// of its machine, also where it reports no error. Cost: the kernel between some points and all.
func (p *Problem) checkRounding(ctx context.Context, m *minimum) (off float64, err error) {
	g := p.Geometry
	if p.Related() {
		return 0, nil
	}
	rows := gram.DrawRows(g.Len(), max(checkedPoints, checkedValues/g.Len()), p.Recipe.Seed)
	f := m.all().f
	values := make([][]float64, len(f))
	for c := range values {
		values[c] = make([]float64, len(rows))
	}
	e, _ := gram.Compact(p.expansionOf(m))
	if err := e.Values(ctx, values, g.Points().Subset(rows), p.Recipe.Precision); err != nil {
		return 0, err
	}
	for c, f := range f {
		largest := 0.0
		for _, v := range f {
			largest = max(largest, math.Abs(v))
		}
		for k, i := range rows {
			if m.residual != nil {
				values[c][k] += m.residual[c][i]
			}
			difference := math.Abs(values[c][k] - f[i])
			if difference > 0 {
				off = max(off, difference/largest)
			}
			if err == nil && !(difference <= lost*max(largest, 1)) {
				_, j, v := g.Points().Slice(i, i+1).LargestValue()
				err = fault.Rounding.Errorf("%w with the kernel (%v): at point %d, whose largest value is %.3g in column %d, the machine has %.3g in place of %.3g; standardise (zscore), or raise gamma-a%s",
					errRounding, p.Recipe.Kernel, i+1, v, j+1, values[c][k], f[i], p.Recipe.Precision.OrDouble())
			}
		}
	}
	return off, err
}
