package nystrom

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
)

// ErrRounding is the error for functions lost in rounding.
var ErrRounding = fault.Rounding.Errorf("the functions on landmarks are lost in rounding")

// Options of a [Problem]. The zero value is the default.
type Options struct {
	// Tolerance ends conjugate gradient: when the squared error of every column, in the
	// norm of Q, is about so small a part of that of zero. 0 means 1e-2 of columns, by which decisions
	// are settled, for machines are the best of all that the columns span, and 1e-3 of Newton's method. 1e-12 is
	// exact but for rounding.
	Tolerance     float64
	MaxIterations int                  // for a panel of columns; 0 means 200
	Progress      func(done, most int) // is told of every quarter of an iteration, and of about how many there are; nil for none
}

func (o Options) withDefaults(tolerance float64) Options {
	if o.Tolerance == 0 {
		o.Tolerance = tolerance
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 200
	}
	return o
}

// Problem is the problem of one pair of weights in the space of its labelled points. It embeds the
// [deformed.Problem] of these points, which has no other points. Functions are those that the columns
// X of Q⁻¹B span,
//
//	B = [J_Lᵀ, γA K̂⁻¹1],   S = BᵀX(XᵀQX)⁻¹XᵀB
//
// the last column with a bias in the norm alone. So an error of the columns counts twice
// in S and in functions alone, S is never indefinite, and J is minimised exactly among
// these functions.
type Problem struct {
	*deformed.Problem
	Iterations int  // of conjugate gradient, the most of all panels
	Converged  bool // all panels to the tolerance
	all        *Columns
	taken      []int         // of all columns, those of X
	weights    linalg.Matrix // (XᵀQX)⁻¹XᵀB
}

// Problem solves for the columns of the labelled points, see [Columns], and takes all of them.
func (s *Space) Problem(ctx context.Context, g deformed.Gammas, labelled []int, bias objective.Bias, precision gram.Precision, o Options) (*Problem, error) {
	all, err := s.Columns(ctx, g, bias, precision, o)
	if err != nil {
		return nil, err
	}
	if err := all.Add(ctx, labelled); err != nil {
		all.Close()
		return nil, err
	}
	c, err := all.Problem(ctx, labelled)
	if err != nil {
		all.Close()
		return nil, err
	}
	return c, nil
}

// Pace is what the columns have taken, all that there are.
func (c *Problem) Pace() Pace { return c.all.pace }

// SentPerIteration is that of the columns.
func (c *Problem) SentPerIteration() int64 { return c.all.SentPerIteration(c.all.Len()) }

// reduce makes the reduced problem of XᵀQX and XᵀB, with l labelled points, and returns S with the bias.
func (c *Problem) reduce(ctx context.Context, products, values linalg.Matrix, l int) (linalg.Matrix, error) {
	g := c.all.q.Gammas
	m := values.Cols
	basis, err := newBasis(ctx, products, leastShare)
	if err != nil {
		return linalg.Matrix{}, err
	}
	half, err := basis.half(ctx, values)
	if err != nil {
		return linalg.Matrix{}, err
	}
	s := linalg.New(m, m)
	if err := linalg.Syrk(ctx, 1, half.T(), 0, s); err != nil {
		return linalg.Matrix{}, err
	}
	c.Problem = &deformed.Problem{Gammas: g, Kernel: make([]float64, l*l)}
	for i := range l {
		for j := i; j < l; j++ {
			c.Kernel[i*l+j], c.Kernel[j*l+i] = s.Row(i)[j], s.Row(i)[j]
		}
	}
	switch c.all.bias {
	case objective.BiasOutside:
		c.Bias = make([]float64, l)
		for i := range c.Bias {
			c.Bias[i] = 1
		}
	case objective.BiasInNorm:
		c.Bias = make([]float64, l)
		for i := range c.Bias {
			c.Bias[i] = s.Row(i)[l]
		}
		one := []float64{0}
		for _, v := range c.all.space.ones {
			one[0] += v
		}
		if err := c.all.space.ranks.Sum(ctx, one); err != nil {
			return linalg.Matrix{}, err
		}
		c.Kappa = max(g.A*one[0]-s.Row(l)[l], 0)
	}
	c.weights, err = basis.weights(ctx, half)
	return s, err
}

// checkRounding fails where the traces of S and XᵀB differ by more than the tolerance of the columns explains. For columns in the span both are
// equal. A single column may differ more: of hundreds that are rough some are off by a half.
func (c *Columns) checkRounding(s, values linalg.Matrix) error {
	var trace, exact float64
	for j := range values.Cols {
		trace, exact = trace+s.Row(j)[j], exact+values.Row(j)[j]
	}
	if !(math.Abs(trace-exact) <= max(0.1, 3*c.o.Tolerance)*math.Abs(exact)) {
		return fault.Rounding.Errorf("%w: raise gamma-a, or take another width of the kernel%s", ErrRounding, c.precision.OrDouble())
	}
	return nil
}

// basis is the functions that columns X span.
type basis struct {
	order []int         // of the columns; those that others make up, such as those of equal points, come last
	root  linalg.Matrix // U of UᵀU = XᵀQX, without those
}

// leastShare is the share of the largest squared length that the others must leave of a column for it to count.
const leastShare = 1e-12

// newBasis factors XᵀQX, which it overwrites, but for columns of which the others leave less than a share of the largest.
func newBasis(ctx context.Context, products linalg.Matrix, share float64) (basis, error) {
	largest := 0.0
	for i := range products.Rows {
		largest = max(largest, products.Row(i)[i])
	}
	order, rank, err := linalg.PivotedCholesky(ctx, products, share*largest)
	if err != nil {
		return basis{}, err
	}
	s := basis{order: order, root: linalg.New(rank, rank)}
	for r := range rank {
		copy(s.root.Row(r)[r:], products.Row(r)[r:rank])
	}
	return s, nil
}

// half returns U⁻ᵀXᵀB of XᵀB.
func (s basis) half(ctx context.Context, values linalg.Matrix) (linalg.Matrix, error) {
	half := linalg.New(s.root.Rows, values.Cols)
	for r := range half.Rows {
		copy(half.Row(r), values.Row(s.order[r]))
	}
	return half, linalg.SolveUpper(ctx, s.root.T(), half)
}

// weights returns (XᵀQX)⁻¹XᵀB of [basis.half], which it overwrites. The rows of columns that were left out are 0.
func (s basis) weights(ctx context.Context, half linalg.Matrix) (linalg.Matrix, error) {
	if err := linalg.SolveUpper(ctx, s.root, half); err != nil {
		return linalg.Matrix{}, err
	}
	all := linalg.New(len(s.order), half.Cols)
	for r := range half.Rows {
		copy(all.Row(s.order[r]), half.Row(r))
	}
	return all, nil
}

// Close gives the memory of the columns back, those of all problems that share them. What
// machines need stays.
func (c *Problem) Close() { c.all.Close() }

// Outputs returns f at all n points for solutions of machines of the problem. Cost: n·l
// multiply-adds for each, as 16 are done at once.
func (c *Problem) Outputs(ctx context.Context, at []*deformed.Solution) ([][]float64, error) {
	var all [][]float64
	err := c.panels(ctx, at, func(some []*deformed.Solution, values []float64) {
		for k, p := range some {
			f := c.all.space.values(values, k)
			if !c.all.inNorm() {
				for i := range f {
					f[i] += p.B
				}
			}
			all = append(all, f)
		}
	})
	return all, err
}

// coefficients returns those of the columns taken in the function of a solution.
func (c *Problem) coefficients(p *deformed.Solution) []float64 {
	b := append(slices.Clone(p.A), p.B)[:c.weights.Cols]
	y := make([]float64, c.weights.Rows)
	for i := range y {
		y[i] = vec.Dot(c.weights.Row(i), b)
	}
	return y
}

// panels calls do with the values at all points of 16 solutions at a time, without the
// bias where it is not in the norm.
func (c *Problem) panels(ctx context.Context, at []*deformed.Solution, do func(some []*deformed.Solution, values []float64)) error {
	var y, g []float64
	for some := range slices.Chunk(at, vec.MaxPanel) {
		c.all.space.fit(len(some))
		width := c.all.space.width
		y, g = resized(y, c.all.Len()*width), resized(g, c.all.space.k.Len()*width)
		clear(y)
		for k, p := range some {
			for i, v := range c.coefficients(p) {
				y[c.taken[i]*width+k] = v
			}
		}
		clear(g)
		c.all.add(ctx, g, y)
		do(some, g)
	}
	return ctx.Err()
}

// Function is a function of a machine: f = Φw + e + b at the training points, where the
// residual e is what landmarks cannot express.
type Function struct {
	Values   []float64 // f, of every point
	Weights  []float64 // w, of every landmark
	Residual []float64 // e, of every point
	Bias     float64   // b
}

// Functions returns those of solutions of machines of the problem. Cost: for 16 machines
// 16·n·l multiply-adds and three passes over Φ. It gives the memory back that columns are solved for in.
func (c *Problem) Functions(ctx context.Context, at []*deformed.Solution) ([]Function, error) {
	c.all.q.release()
	var all []Function
	s := c.all.space
	var residual []float64
	err := c.panels(ctx, at, func(some []*deformed.Solution, g []float64) {
		from := len(all)
		var bias scalars
		for k, p := range some {
			bias[k] = p.B
			f := Function{Values: s.values(g, k), Bias: p.B}
			if !c.all.inNorm() {
				for i := range f.Values {
					f.Values[i] += p.B
				}
			}
			all = append(all, f)
		}
		if c.all.inNorm() { // the last column brought it
			s.subtract(ctx, g, &bias)
		}
		residual = resized(residual, len(g))
		s.explain(ctx, residual, g)
		for k := range some {
			all[from+k].Residual, all[from+k].Weights = s.values(residual, k), s.column(s.weights, k)
		}
	})
	return all, err
}
