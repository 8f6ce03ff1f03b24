// Package objective states the problem that the solvers minimise: its losses,
// the ways of its bias, and the [Problem] itself. It owns the [Operator]
// interface through which a problem sees the Gram matrix and the graph
// Laplacian.
//
// With n points of which some are labelled, targets y_i, weights c_i > 0, the
// Gram matrix K, the power L of a graph Laplacian and f = Kα + b·1, the
// objective is
//
//	J(α, b) = ½ [ Σ_i c_i V(e_i) + γA αᵀKα + γI hᵀLh ] ( + b/2 with one class )
//
// The shortfall e_i is 1 − y_i f_i for y_i ∈ {−1, +1}, or the residual y_i − f_i of a number.
// The sum is over the labelled points, and V is the [Loss]. The error vectors E are the labelled
// points where V is not flat. For the squared hinge y_i f_i < 1 there. For the squared loss all
// labelled points are error vectors.
// h is f, or Kα where the bias stays out of the intrinsic norm. (Equation 4 of Melacci and
// Belkin, "Laplacian Support Vector Machines Trained in the Primal", and its footnote.)
package objective

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"lapsvm/internal/system/fault"
)

// Operator is a symmetric n×n matrix that can multiply columns.
type Operator interface {
	// Len returns n.
	Len() int
	// Mul computes dst[c] = A·src[c] for every column c in one pass over A. dst
	// and src do not overlap. It fails when ctx is done, and where the operator
	// does; dst is then undefined.
	Mul(ctx context.Context, dst, src [][]float64) error
}

// Rows is a symmetric matrix whose rows can be had one by one, as factorizations
// need them.
type Rows interface {
	// Len returns the number of rows.
	Len() int
	// Row writes row i into dst, Len values.
	Row(dst []float64, i int)
}

// Bias says how the unregularised constant b enters f.
type Bias int

// The ways.
const (
	BiasInNorm  Bias = iota // f = Kα + b, and the intrinsic norm is fᵀLf
	BiasOutside             // f = Kα + b, and the intrinsic norm is (Kα)ᵀL(Kα)
	NoBias                  // f = Kα
)

// String returns on, outside or off.
func (b Bias) String() string {
	switch b {
	case BiasInNorm:
		return "on"
	case BiasOutside:
		return "outside"
	}
	return "off"
}

// ParseBias returns the bias of a name, which [Bias.String] gives it.
func ParseBias(name string) (Bias, error) {
	for _, b := range []Bias{BiasInNorm, BiasOutside, NoBias} {
		if b.String() == name {
			return b, nil
		}
	}
	return BiasInNorm, fault.Errorf("unknown bias %q: choose on, outside or off", name)
}

// Problem is one training problem with one or more columns: the machines of a
// one-vs-rest classification share everything but their targets.
type Problem struct {
	K              Operator    // Gram matrix of the n points; nil for a solver that has a factor of it
	L              Operator    // power of the graph Laplacian; nil means γI = 0
	Labelled       []int       // the labelled points, in any order, each once
	All            int         // points of all ranks, among which Labelled are numbers; 0 means n, of one process
	Targets        [][]float64 // [column][labelled point] ∈ {−1, +1}, of a loss of residuals any number; LeftOut leaves the label out of the column
	Weights        Weights     // c of every labelled point
	GammaA, GammaI float64     // weights of the ambient and the intrinsic norm
	Loss           Loss
	Bias           Bias
	OneClass       bool // add b/2: all targets are +1
}

// The range of weights, of the norms and of labelled points. Within it, their
// squares and their products with the values of a Gram matrix are in the range
// of float64.
const (
	Least   = 1e-30
	Largest = 1e30
)

// InRange reports whether a weight is 0 or in the range of weights.
func InRange(weight float64) bool { return weight == 0 || weight >= Least && weight <= Largest }

// Validate reports a problem that has no unique minimum or whose parts do not
// fit together.
func (p *Problem) Validate() error {
	n := p.All
	if p.K != nil {
		n = p.K.Len()
	}
	switch {
	case p.L != nil && p.L.Len() != n:
		return fmt.Errorf("the Laplacian has %d points, the Gram matrix %d", p.L.Len(), n)
	case len(p.Labelled) == 0:
		return fault.NoLabels.Errorf("no point is labelled: label at least one point of every class")
	case len(p.Targets) == 0:
		return fmt.Errorf("no targets are given")
	case !(p.GammaA > 0) || !InRange(p.GammaA):
		return fmt.Errorf("gamma-a must be positive, between %g and %g, not %v: it makes the problem well-posed; 1e-6 is small", Least, Largest, p.GammaA)
	case !(p.GammaI >= 0) || !InRange(p.GammaI):
		return fmt.Errorf("gamma-i must not be negative, and between %g and %g, not %v; 0 gives the supervised machine", Least, Largest, p.GammaI)
	case p.GammaI > 0 && p.L == nil:
		return fmt.Errorf("gamma-i is %v, but there is no graph", p.GammaI)
	case !p.Loss.Valid():
		return fmt.Errorf("unknown loss %q: there are %v", p.Loss, Losses())
	case p.OneClass && p.Bias == NoBias:
		return fmt.Errorf("one class needs a bias: without it f = 0 outside the class cannot be told from a boundary")
	case p.Weights != nil && len(p.Weights) != len(p.Labelled):
		return fmt.Errorf("%d weights for %d labelled points", len(p.Weights), len(p.Labelled))
	}
	all := cmp.Or(p.All, n)
	seen := make([]bool, all)
	for _, i := range p.Labelled {
		if i < 0 || i >= all || seen[i] {
			return fmt.Errorf("labelled point %d is outside the %d points or given twice", i, all)
		}
		seen[i] = true
	}
	if err := p.Weights.Check(); err != nil {
		return err
	}
	for c, targets := range p.Targets {
		if len(targets) != len(p.Labelled) {
			return fmt.Errorf("column %d has %d targets for %d labelled points", c, len(targets), len(p.Labelled))
		}
		for _, y := range targets {
			number := p.Loss.OfResiduals() && !p.OneClass && math.Abs(y) <= Largest
			if y != 1 && !IsLeftOut(y) && (y != -1 || p.OneClass) && !number {
				return fmt.Errorf("column %d has the target %v: targets are −1 or +1, and +1 with one class; of the losses of residuals they are at most %g", c, y, Largest)
			}
		}
	}
	return nil
}

// Intrinsic reports whether the intrinsic norm takes part.
func (p *Problem) Intrinsic() bool { return p.L != nil && p.GammaI > 0 }
