package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/points/gram"
)

// errRounding is that of a solution whose decision values are rounding errors.
var errRounding = errors.New("decision values are lost in rounding")

// check reports a solution that is none: see checkFinite and checkRounding.
func (p *Posed) check(ctx context.Context, m *minimum) error {
	if err := p.checkFinite(m); err != nil {
		return err
	}
	return p.checkRounding(ctx, m)
}

// largestNumber bounds the numbers of a solution: their squares are in the range of
// float64.
const largestNumber = 1e150

// checkFinite reports a solution whose numbers have left the range of float64, or are
// about to.
func (p *Posed) checkFinite(m *minimum) error {
	finite := func(values []float64) bool {
		return !slices.ContainsFunc(values, func(v float64) bool { return !(math.Abs(v) <= largestNumber) })
	}
	for c := range m.F {
		if m.basis == nil && !finite(m.Alpha[c]) || !finite(m.F[c]) || !finite(m.labelSharesOf(c)) {
			return p.notFinite()
		}
	}
	if !finite(m.B) || !finite(m.Objective) {
		return p.notFinite()
	}
	return nil
}

func (p *Posed) notFinite() error {
	leading := p.Recipe.Leading()
	return fmt.Errorf("the solver %s left the range of float64 with gamma-a %g and gamma-i %g: raise gamma-a or lower gamma-i, or choose another solver", p.Recipe.Solver, leading.GammaA, leading.GammaI)
}

// labelSharesOf returns those of a machine, nil where they are not kept.
func (m *minimum) labelSharesOf(machine int) []float64 {
	if m.labelShares == nil {
		return nil
	}
	return m.labelShares[machine]
}

// checkedPoints is how many points checkRounding looks at, and lost the difference of
// their decision values, in units of the largest, from which on they are lost.
const (
	checkedPoints = 64
	lost          = 0.1
)

// checkRounding reports an expansion whose values differ from those that the solver
// went by: its terms are so large, and cancel, that what the storage of the Gram matrix
// or float64 itself rounds off makes up the values. Cost: the kernel between some
// points and all.
func (p *Posed) checkRounding(ctx context.Context, m *minimum) error {
	g := p.Geometry
	if p.Recipe.Kernel.Kind().Given {
		return nil
	}
	rows := make([]int, min(checkedPoints, g.Len()))
	for k := range rows {
		rows[k] = k * g.Len() / len(rows)
	}
	values := make([][]float64, len(m.F))
	for c := range values {
		values[c] = make([]float64, len(rows))
	}
	e, _ := gram.Compact(p.expansionOf(m))
	if err := e.Values(ctx, values, g.Points().Subset(rows), p.Recipe.Precision); err != nil {
		return err
	}
	for c, f := range m.F {
		largest := 1.0
		for _, v := range f {
			largest = max(largest, math.Abs(v))
		}
		for k, i := range rows {
			if m.residual != nil {
				values[c][k] += m.residual[c][i]
			}
			if !(math.Abs(values[c][k]-f[i]) <= lost*largest) {
				_, j, v := g.Points().Slice(i, i+1).LargestValue()
				return fmt.Errorf("%w with the kernel (%v): at point %d, whose largest value is %.3g in column %d, the machine has %.3g in place of %.3g; standardise (zscore), or raise gamma-a%s",
					errRounding, p.Recipe.Kernel, i+1, v, j+1, values[c][k], f[i], p.Recipe.Precision.OrDouble())
			}
		}
	}
	return nil
}
