package nystrom

import (
	"context"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
)

// solve solves for the columns of the last block, with what they make of the others.
func (c *Columns) solve(ctx context.Context, added block) error {
	if err := c.transpose(ctx, added); err != nil {
		return err
	}
	n, m := c.space.k.Len(), c.Len()
	var x, r []float64
	panels := (m - added.from + vec.MaxPanel - 1) / vec.MaxPanel
	done, next := 0, 12 // quarters of iterations so far, and about how many iterations a panel to come has
	// XᵀQX is known for a panel with those before it.
	for panel := range panels {
		from := added.from + panel*vec.MaxPanel
		to := min(from+vec.MaxPanel, m)
		c.q.fit(to - from)
		x, r = resized(x, n*c.q.width), resized(r, n*c.q.width)
		clear(x)
		clear(r)
		c.addTo(r, from, to)
		total, err := c.start(ctx, x, r, from, to)
		if err != nil {
			return err
		}
		for k := from; k < to; k++ {
			total[k-from] += c.rightSides[k].whole
		}
		before := done
		report := func(quarters, left int) {
			done = before + quarters
			if left < 0 {
				left = max(next-quarters/4, 1)
			}
			if c.o.Progress != nil {
				c.o.Progress(done, done+4*(left+(panels-panel-1)*next))
			}
		}
		o := c.o
		if c.rightSides[from].whole > 0 && o.Tolerance >= columnTolerance {
			o.Tolerance = max(o.Tolerance, correctionTolerance)
		}
		answer, err := solve(ctx, c.q, x, r, total, nil, o, report)
		if err != nil {
			return err
		}
		next = answer.iterations
		c.pace.add(answer.iterations)
		if from == 0 {
			next = (next + 1) / 2 // the others have a better start
		}
		report(4*answer.iterations, 0)
		c.iterations, c.converged = max(c.iterations, answer.iterations), c.converged && answer.converged
		added.SetPanel(ctx, c.q.width, x, from-added.from)
		if added.residuals != nil && from-added.from < added.residuals.Columns() {
			added.residuals.SetPanel(ctx, c.q.width, r, from-added.from)
		}
		// QX is B less the residual.
		vec.Axpy(-2, r, r)
		c.addTo(r, from, to)
		c.against(ctx, x, from, to, 0)
		c.multiply(ctx, r, from, to)
	}
	return ctx.Err()
}

// start makes x the best function for columns from ≤ k < to that the leading ones span, and r, which is
// their B, its residual. It returns twice the decrease of the error by that. With the leading columns X and their
// residuals R, x = Xy and Qx = (B − R)y: no product with Q, which would round what nearly cancels.
func (c *Columns) start(ctx context.Context, x, r []float64, from, to int) (total scalars, err error) {
	leading := slices.DeleteFunc(c.leading(), func(k int) bool { return k >= from })
	if len(leading) == 0 {
		return total, nil
	}
	width := c.q.width
	b := linalg.New(len(leading), width)
	products := linalg.New(len(leading), len(leading))
	for i, row := range leading {
		for k := from; k < to; k++ {
			b.Row(i)[k-from] = c.values.Row(row)[k]
		}
		for j, column := range leading {
			products.Row(i)[j] = c.products.Row(row)[column]
		}
	}
	s, err := newBasis(ctx, products, leastShare)
	if err != nil {
		return total, err
	}
	half, err := s.half(ctx, b)
	if err != nil {
		return total, err
	}
	for i := range half.Rows {
		for k, v := range half.Row(i) {
			total[k] += v * v
		}
	}
	weights, err := s.weights(ctx, half)
	if err != nil {
		return total, err
	}
	y := make([]float64, c.Len()*width)
	for i, row := range leading {
		copy(y[row*width:], weights.Row(i))
	}
	c.add(ctx, x, y)
	for _, block := range c.blocks {
		if block.residuals != nil {
			block.residuals.Add(ctx, width, [][]float64{r}, 1, [][]float64{y[block.from*width : (block.from+block.residuals.Columns())*width]})
		}
	}
	c.addTimes(ctx, r, -1, leading, weights)
	return total, ctx.Err()
}

// addTo adds the columns from ≤ k < to of B to a panel.
func (c *Columns) addTo(b []float64, from, to int) {
	width := c.q.width
	for k := from; k < to; k++ {
		if c.rightSides[k].bias {
			for i, v := range c.space.ones {
				b[i*width+k-from] += c.q.A * v
			}
		}
		for at, row := range c.rightSides[k].rows {
			if row != elsewhere {
				b[row*width+k-from] += c.rightSides[k].by[at]
			}
		}
	}
}

// addTimes computes r += s·B·y of columns.
func (c *Columns) addTimes(ctx context.Context, r []float64, s float64, columns []int, y linalg.Matrix) {
	width := c.q.width
	for i, k := range columns {
		if c.rightSides[k].bias {
			c.space.each(ctx, func(_, from, to int) {
				for point := from; point < to; point++ {
					vec.Axpy(s*c.q.A*c.space.ones[point], y.Row(i), r[point*width:(point+1)*width])
				}
			})
		}
		for at, row := range c.rightSides[k].rows {
			if row != elsewhere {
				vec.Axpy(s*c.rightSides[k].by[at], y.Row(i), r[row*width:(row+1)*width])
			}
		}
	}
}

// against fills in XᵀB of the columns from ≤ k < to, which are those of a panel x, with B_j
// of first ≤ j.
func (c *Columns) against(ctx context.Context, x []float64, from, to, first int) {
	width := c.q.width
	values := make([]float64, (c.Len()-first)*width)
	for j := first; j < c.Len(); j++ {
		into := values[(j-first)*width : (j-first+1)*width]
		if c.rightSides[j].bias {
			for i, v := range c.space.ones {
				for k := range into {
					into[k] += c.q.A * v * x[i*width+k]
				}
			}
		}
		for at, row := range c.rightSides[j].rows {
			if row != elsewhere {
				vec.Axpy(c.rightSides[j].by[at], x[row*width:(row+1)*width], into)
			}
		}
	}
	_ = c.space.ranks.Sum(ctx, values) // where it fails, ctx is done
	for k := from; k < to; k++ {
		for j := first; j < c.Len(); j++ {
			c.values.Row(k)[j] = values[(j-first)*width+k-from]
		}
	}
}

// multiply fills in XᵀQX of the columns from ≤ k < to and those before, qx being QX of
// these.
func (c *Columns) multiply(ctx context.Context, qx []float64, from, to int) {
	width := c.q.width
	for _, b := range c.blocks {
		products := make([]float64, b.Columns()*width)
		b.Trans(ctx, width, [][]float64{products}, [][]float64{qx})
		_ = c.space.ranks.Sum(ctx, products) // where it fails, ctx is done
		for i := b.from; i < min(b.from+b.Columns(), to); i++ {
			for k := from; k < to; k++ {
				v := products[(i-b.from)*width+k-from]
				c.products.Row(i)[k], c.products.Row(k)[i] = v, v
			}
		}
	}
}
