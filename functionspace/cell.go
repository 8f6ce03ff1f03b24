package functionspace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/deformed"
	"lapsvm/gram"
	"lapsvm/internal/linalg"
	"lapsvm/internal/tall"
	"lapsvm/internal/vec"
	"lapsvm/objective"
)

// ErrRounding is that of functions which are lost in rounding.
var ErrRounding = errors.New("the functions on landmarks are lost in rounding: raise gamma-a, take another width of the kernel, or precision 64")

// Options of a [Cell]. The zero value is the default.
type Options struct {
	// Tolerance ends conjugate gradient: when the squared error of every column, in the
	// norm of Q, is about so small a part of that of zero. 0 means 1e-3, by which decisions
	// are settled; 1e-12 is exact but for rounding.
	Tolerance     float64
	MaxIterations int                  // for a panel of columns; 0 means 200
	Progress      func(done, most int) // is told of every iteration, and of about how many there are; nil for none
}

func (o Options) withDefaults() Options {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-3
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 200
	}
	return o
}

// Cell is the problem of one pair of weights in the space of its labelled points, as a
// [deformed.Cell] states it, which is embedded and has no other points. Functions are
// those that the columns X of Q⁻¹B span,
//
//	B = [J_Lᵀ, γA K̂⁻¹1],   S = BᵀX(XᵀQX)⁻¹XᵀB
//
// the last column with a bias in the norm alone. So an error of the columns counts twice
// in S and in functions alone, S is never indefinite, and J is minimised exactly among
// these functions.
type Cell struct {
	*deformed.Cell
	Iterations int  // of conjugate gradient, the most of all panels
	Converged  bool // all panels to the tolerance
	space      *Space
	x          columns       // n×(l+1)
	weights    linalg.Matrix // (XᵀQX)⁻¹XᵀB
	biased     bool
}

// columns is a tall matrix in either precision.
type columns interface {
	SetPanel(ctx context.Context, src []float64, from int)
	Trans(ctx context.Context, dst, x [][]float64)
	Add(ctx context.Context, dst [][]float64, s float64, u [][]float64)
	Close()
}

// Cell solves for the columns of the labelled points, in panels of 16. A bias in the norm
// is one more column; [objective.BiasOutside] and none are as in package deformed. It
// fails where γI/γA is too large for the precision, with [ErrRounding], where there is no
// memory for the columns, and when ctx is done. Cost: about ten iterations for a panel,
// each of 64·n·m multiply-adds and up to 41 products with L; n·l numbers in
// the precision.
func (s *Space) Cell(ctx context.Context, g deformed.Gammas, labelled []int, bias objective.Bias, precision gram.Precision, o Options) (c *Cell, err error) {
	o = o.withDefaults()
	q, err := s.operator(ctx, g, nil)
	if err != nil {
		return nil, err
	}
	labelled = s.rows(labelled)
	c = &Cell{space: s, biased: bias == objective.BiasInNorm, Converged: true}
	l := len(labelled)
	m := l
	if c.biased {
		m++
	}
	if precision == gram.Double {
		c.x, err = newColumns[float64](s.k.Len(), m)
	} else {
		c.x, err = newColumns[float32](s.k.Len(), m)
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.Close()
			c = nil
		}
	}()
	panels := (m + width - 1) / width
	// XᵀQX is known for a panel with those before it.
	products, values := linalg.New(m, m), linalg.New(m, m) // XᵀQX and XᵀB
	x, b := make([]float64, s.k.Len()*width), make([]float64, s.k.Len()*width)
	all := make([]float64, m*width)
	about := 12                             // iterations of a panel
	report := func(panel, iterations int) { // panels that are done, and iterations of the next
		if o.Progress != nil {
			o.Progress(panel*about+min(iterations, about), panels*about)
		}
	}
	for panel := range panels {
		from, to := panel*width, min((panel+1)*width, m)
		clear(x)
		clear(b)
		c.addTo(b, g, labelled, from, to)
		iterations := 0
		answer, err := solve(ctx, q, x, b, nil, o, func() {
			iterations++
			report(panel, iterations)
		})
		if err != nil {
			return c, err
		}
		about = answer.iterations
		report(panel+1, 0)
		c.Iterations, c.Converged = max(c.Iterations, answer.iterations), c.Converged && answer.converged
		c.x.SetPanel(ctx, x, from)
		// What is left in b is the residual, and QX is B less that.
		vec.Axpy(-2, b, b)
		c.addTo(b, g, labelled, from, to)
		c.x.Trans(ctx, [][]float64{all}, [][]float64{b})
		for i := range to {
			for k := from; k < to; k++ {
				products.Row(i)[k], products.Row(k)[i] = all[i*width+k-from], all[i*width+k-from]
			}
		}
		for k := from; k < to; k++ {
			for j, i := range labelled {
				values.Row(k)[j] = x[i*width+k-from]
			}
			if c.biased {
				for i, v := range s.ones {
					values.Row(k)[l] += g.A * v * x[i*width+k-from]
				}
			}
		}
	}
	return c, c.reduce(ctx, g, products, values, bias, l)
}

// addTo adds the columns from ≤ k < to of B to a panel.
func (c *Cell) addTo(b []float64, g deformed.Gammas, labelled []int, from, to int) {
	for k := from; k < to; k++ {
		if k < len(labelled) {
			b[labelled[k]*width+k-from]++
			continue
		}
		for i, v := range c.space.ones {
			b[i*width+k-from] += g.A * v
		}
	}
}

func newColumns[T float32 | float64](n, m int) (columns, error) {
	x, err := tall.New[T](n, m)
	if err != nil {
		return nil, fmt.Errorf("the columns of the labelled points: %w; take fewer labels, or allow more memory", err)
	}
	return x, nil
}

// reduce makes the reduced problem of XᵀQX and XᵀB.
func (c *Cell) reduce(ctx context.Context, g deformed.Gammas, products, values linalg.Matrix, bias objective.Bias, l int) error {
	m := products.Rows
	largest := 0.0
	for i := range m {
		largest = max(largest, products.Row(i)[i])
	}
	// Columns that others make up, such as those of equal points, are left out.
	u := products
	order, rank, err := linalg.PivotedCholesky(ctx, u, 1e-12*largest)
	if err != nil {
		return err
	}
	half := linalg.New(rank, m) // U⁻ᵀ of the rows of XᵀB in that order
	for r := range rank {
		copy(half.Row(r), values.Row(order[r]))
	}
	root := linalg.New(rank, rank)
	for r := range rank {
		copy(root.Row(r)[r:], u.Row(r)[r:rank])
	}
	if err := linalg.SolveUpper(ctx, root.T(), half); err != nil {
		return err
	}
	s := linalg.New(m, m)
	if err := linalg.Syrk(ctx, 1, half.T(), 0, s); err != nil {
		return err
	}
	for j := range m { // x_j itself is in the span
		if own := values.Row(j)[j]; !(math.Abs(s.Row(j)[j]-own) <= 0.1*math.Abs(own)) {
			return ErrRounding
		}
	}
	c.Cell = &deformed.Cell{Gammas: g, Kernel: make([]float64, l*l)}
	for i := range l {
		for j := i; j < l; j++ {
			c.Kernel[i*l+j], c.Kernel[j*l+i] = s.Row(i)[j], s.Row(i)[j]
		}
	}
	switch bias {
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
		one := 0.0
		for _, v := range c.space.ones {
			one += v
		}
		c.Kappa = max(g.A*one-s.Row(l)[l], 0)
	}
	// Weights of columns that were left out are 0.
	if err := linalg.SolveUpper(ctx, root, half); err != nil {
		return err
	}
	c.weights = linalg.New(m, m)
	for r := range rank {
		copy(c.weights.Row(order[r]), half.Row(r))
	}
	return nil
}

// Close gives the memory of the columns back. What machines need stays.
func (c *Cell) Close() { c.x.Close() }

// Function is a function of a machine: f = Φw + e + b at the training points, where the
// residual e is what landmarks cannot express.
type Function struct {
	Values   []float64 // f, of every point
	Weights  []float64 // w, of every landmark
	Residual []float64 // e, of every point
	Bias     float64   // b
}

// Functions returns those of solutions of machines of the cell. Cost: for 16 machines
// 16·n·l multiply-adds and three passes over Φ.
func (c *Cell) Functions(ctx context.Context, at []*deformed.Point) ([]Function, error) {
	var all []Function
	s, m := c.space, c.weights.Rows
	y, g, residual := make([]float64, m*width), make([]float64, s.k.Len()*width), make([]float64, s.k.Len()*width)
	for from := 0; from < len(at); from += width {
		some := at[from:min(from+width, len(at))]
		clear(y)
		var bias [width]float64
		for k, p := range some {
			b := append(slices.Clone(p.A), p.B)[:m]
			for i := range m {
				y[i*width+k] = vec.Dot(c.weights.Row(i), b)
			}
			bias[k] = p.B
		}
		clear(g)
		c.x.Add(ctx, [][]float64{g}, 1, [][]float64{y})
		for k, p := range some {
			f := Function{Values: s.values(g, k), Bias: p.B}
			if !c.biased {
				for i := range f.Values {
					f.Values[i] += p.B
				}
			}
			all = append(all, f)
		}
		if c.biased { // the last column brought it
			s.subtract(ctx, g, &bias)
		}
		s.explain(ctx, residual, g)
		for k := range some {
			all[from+k].Residual, all[from+k].Weights = s.values(residual, k), column(s.weights, k)
		}
	}
	return all, ctx.Err()
}
