package nystrom

import (
	"context"
	"fmt"
	"maps"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/tall"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
)

// Columns are columns of Q⁻¹ for one pair of weights and, with a bias in the norm, Q⁻¹γA K̂⁻¹1.
// Columns can be added at any time, and any subset of their points makes a [Problem]. So a new label
// costs one column, and a withdrawn label costs nothing. Columns use scratch memory of the space:
// one goroutine at a time.
type Columns struct {
	space      *Space
	q          *operator
	bias       objective.Bias
	precision  gram.Precision
	o          Options
	at         map[int]int // of every point that has one, its column
	one        int         // the column of the bias; −1 while there is none
	blocks     []block
	products   linalg.Matrix // XᵀQX
	values     linalg.Matrix // XᵀB
	rightSides []rightSide   // B, of every column
	iterations int
	converged  bool
	pace       Pace
}

// Pace is what columns took. With other points of the kind they take about as much.
type Pace struct {
	Panels     int // of columns
	Iterations int // of conjugate gradient, of all panels together
	Products   int // with L in the first level of the preconditioner, in each iteration
}

func (p *Pace) add(iterations int) {
	p.Panels++
	p.Iterations += iterations
}

// block is columns X that came together, and the residuals B − QX of the first of them, nil for none.
type block struct {
	from int
	multivector
	residuals multivector
}

func (b block) close() {
	b.Close()
	if b.residuals != nil {
		b.residuals.Close()
	}
}

// mostLeading bounds the leading columns, whose residuals are kept. Every panel starts from the best function that they span: all
// columns are nearly one smooth function of a part of the graph, and differ near their points.
const mostLeading = 4 * vec.MaxPanel

// columnTolerance is the tolerance of columns. Rougher ones cost decisions where landmarks are few.
const columnTolerance = 1e-2

// correctionTolerance is that of columns that correct others, unless exact machines are asked for. Machines are minimised among what all columns span, so
// that J hardly changes: of a million points by 7e-5 of it.
const correctionTolerance = 0.1

// multivector is a tall matrix in either precision.
type multivector interface {
	Columns() int
	Panel(ctx context.Context, width int, dst []float64, from int)
	SetPanel(ctx context.Context, width int, src []float64, from int)
	Trans(ctx context.Context, width int, dst, x [][]float64)
	Add(ctx context.Context, width int, dst [][]float64, s float64, u [][]float64)
	Close()
}

// Columns prepares Q and P for a pair of weights, with no columns yet. A bias in the norm
// is one more column; [objective.BiasOutside] and none are as in package deformed. It
// fails with [ErrRounding] where γI/γA is too large for the precision, and when ctx is done. Cost: m³/3
// multiply-adds; 72 numbers a point.
func (s *Space) Columns(ctx context.Context, g deformed.Gammas, bias objective.Bias, precision gram.Precision, o Options) (*Columns, error) {
	q, err := s.operator(ctx, g, nil)
	if err != nil {
		return nil, err
	}
	return &Columns{space: s, q: q, bias: bias, precision: precision, o: o.withDefaults(columnTolerance), at: make(map[int]int), one: -1, converged: true, pace: Pace{Products: q.local.Products()}}, nil
}

// Len returns the number of columns.
func (c *Columns) Len() int { return len(c.rightSides) }

// SentPerIteration returns how many bytes a rank sends at most in one iteration of conjugate gradient for so many
// columns. Every product with L sends rows for the halos of neighbouring ranks, in single precision
// within the preconditioner. The sums are of two panels of m rows, of inner products, and of steps.
func (c *Columns) SentPerIteration(columns int) int64 {
	q, width := c.q, vec.StepWidth(columns)
	rows := int64(q.l.Sent() * width)
	return rows*int64(4*q.local.Products()+8*q.power.Degree()) + c.space.ranks.SentBySum(2*c.space.k.Rank()*width) + 2*c.space.ranks.SentBySum(2*width)
}

// Has reports whether the column of a point is there.
func (c *Columns) Has(point int) bool {
	_, has := c.at[point]
	return has
}

// rightSide is a column of B, Σ_k by_k e_rows[k], or that of the bias, γA K̂⁻¹1.
type rightSide struct {
	rows  []int // in panels; elsewhere of a point of another rank
	by    []float64
	bias  bool
	whole float64 // the squared norm of the function that the column corrects, in which its error counts; 0 of none
}

// Beside returns how many columns there are beside those of points: one of a bias in the norm.
func (c *Columns) Beside() int {
	if c.inNorm() {
		return 1
	}
	return 0
}

func (c *Columns) inNorm() bool { return c.bias == objective.BiasInNorm }

// Add solves for the columns of those of the points that have none, in panels of 16. The last has 8 where these
// suffice, and takes about 0.6 of the time. A panel takes points from the whole list, so that the first ones are of all classes
// where the list is sorted. Where Add fails the columns are as before: where there is no
// memory for the columns, and when ctx is done. Cost: about seven iterations for the first panel and three for each other one.
// An iteration takes 4·width·n·m multiply-adds and up to 41 products with L. A panel takes 32 multiply-adds a point for every column there is. A
// column has n numbers in the precision, and one of the first 64 twice as many.
func (c *Columns) Add(ctx context.Context, points []int) error {
	at := maps.Clone(c.at)
	var more []rightSide
	for _, i := range spread(points) {
		if _, has := at[i]; !has {
			at[i] = c.Len() + len(more)
			more = append(more, rightSide{rows: c.space.rows([]int{i}), by: []float64{1}})
		}
	}
	return c.addRightSides(ctx, at, more)
}

// addTogether solves for a column Q⁻¹J_Lᵀa for every a, one number for each labelled point: the functions that machines
// with these coefficients have. If there are such columns already, the new ones correct them, and their errors count as shares of
// these. [Columns.Spanned] makes a problem of all. Else it is as [Columns.Add].
func (c *Columns) addTogether(ctx context.Context, labelled []int, a [][]float64) error {
	rows, first := c.space.rows(labelled), c.Len() == 0
	var more []rightSide
	for m, by := range a {
		s := rightSide{rows: rows, by: by}
		if !first {
			s.whole = c.values.Row(m)[m]
		}
		more = append(more, s)
	}
	return c.addRightSides(ctx, c.at, more)
}

// addRightSides solves for columns of B, of which at has the points; with the first come that of the bias in the norm.
func (c *Columns) addRightSides(ctx context.Context, at map[int]int, more []rightSide) (err error) {
	one := c.one
	if c.inNorm() && one < 0 {
		one = c.Len() + len(more)
		more = append(more, rightSide{bias: true})
	}
	rightSides := append(c.rightSides[:len(c.rightSides):len(c.rightSides)], more...)
	before, m := c.Len(), len(rightSides)
	if m == before {
		return nil
	}
	added := block{from: before}
	if added.multivector, err = c.reserve(m - before); err != nil {
		return err
	}
	if leading := min(m, mostLeading) - len(c.leading()); leading > 0 {
		if added.residuals, err = c.reserve(leading); err != nil {
			added.close()
			return err
		}
	}
	next := *c
	next.at, next.one, next.rightSides, next.blocks = at, one, rightSides, append(c.blocks[:len(c.blocks):len(c.blocks)], added)
	next.products, next.values = grown(c.products, m), grown(c.values, m)
	if err := next.solve(ctx, added); err != nil {
		added.close()
		return err
	}
	*c = next
	return nil
}

// grown returns a copy of a square matrix with more rows and columns.
func grown(a linalg.Matrix, size int) linalg.Matrix {
	b := linalg.New(size, size)
	for i := range a.Rows {
		copy(b.Row(i), a.Row(i))
	}
	return b
}

// spread returns points in another order: those of every panel lie evenly in the list.
func spread(points []int) []int {
	panels := (len(points) + vec.MaxPanel - 1) / vec.MaxPanel
	all := make([]int, 0, len(points))
	for first := range panels {
		for i := first; i < len(points); i += panels {
			all = append(all, points[i])
		}
	}
	return all
}

// reserve returns room for so many columns in the precision.
func (c *Columns) reserve(columns int) (multivector, error) {
	if c.precision == gram.Double {
		return newMultivector[float64](c.space.k.Len(), columns)
	}
	return newMultivector[float32](c.space.k.Len(), columns)
}

// leading returns the numbers of the columns whose residuals are kept.
func (c *Columns) leading() (all []int) {
	for _, b := range c.blocks {
		if b.residuals != nil {
			for k := range b.residuals.Columns() {
				all = append(all, b.from+k)
			}
		}
	}
	return all
}

// transpose fills in what the columns before the last block are at its points.
func (c *Columns) transpose(ctx context.Context, added block) error {
	for _, b := range c.blocks[:len(c.blocks)-1] {
		c.panels(ctx, b, func(panel []float64, from, to int) { c.against(ctx, panel, b.from+from, b.from+to, added.from) })
	}
	return ctx.Err()
}

// panels calls do with all columns of a block, some at a time: a panel of them, and which from ≤ k < to they are.
func (c *Columns) panels(ctx context.Context, b block, do func(panel []float64, from, to int)) {
	for from := 0; from < b.Columns(); from += vec.MaxPanel {
		to := min(from+vec.MaxPanel, b.Columns())
		c.q.fit(to - from)
		b.Panel(ctx, c.q.width, c.q.z, from)
		do(c.q.z, from, to)
	}
}

func newMultivector[T float32 | float64](n, m int) (multivector, error) {
	x, err := tall.New[T](n, m)
	if err != nil {
		return nil, fault.Errorf("the columns of the labelled points: %w; take fewer labels, or allow more memory", err)
	}
	return x, nil
}

// Problem returns the problem of labelled points with existing columns. It fails with [ErrRounding]
// where the columns are lost in rounding. It panics for a point without a column. Cost: O(l³).
func (c *Columns) Problem(ctx context.Context, labelled []int) (*Problem, error) {
	problem := &Problem{all: c, Iterations: c.iterations, Converged: c.converged}
	for _, i := range labelled {
		column, has := c.at[i]
		if !has {
			panic(fmt.Sprintf("nystrom: a problem with point %d, which has no column", i))
		}
		problem.taken = append(problem.taken, column)
	}
	if c.inNorm() {
		problem.taken = append(problem.taken, c.one)
	}
	m := len(problem.taken)
	products, values := linalg.New(m, m), linalg.New(m, m)
	for i, row := range problem.taken {
		for j, column := range problem.taken {
			products.Row(i)[j], values.Row(i)[j] = c.products.Row(row)[column], c.values.Row(row)[column]
		}
	}
	s, err := problem.reduce(ctx, products, values, len(labelled))
	if err != nil {
		return nil, err
	}
	return problem, c.checkRounding(s, values)
}

// Spanned returns the problem of labelled points among the functions that all columns span, whichever points these are of.
// What a problem of fewer columns than points says of labels that are left out is not so: it can hardly move without one. Cost: O(l²) for every column.
func (c *Columns) Spanned(ctx context.Context, labelled []int) (*Problem, error) {
	problem := &Problem{all: c, Iterations: c.iterations, Converged: c.converged}
	l, m := len(labelled), c.Len()
	sides := l
	if c.inNorm() {
		sides++
	}
	products, values := linalg.New(m, m), linalg.New(m, sides)
	rows := c.space.rows(labelled)
	for _, b := range c.blocks {
		c.panels(ctx, b, func(panel []float64, from, to int) {
			at := c.space.gather(ctx, panel, rows)
			for k := from; k < to; k++ {
				for i := range l {
					values.Row(b.from + k)[i] = at[i*c.q.width+k-from]
				}
			}
		})
	}
	for k := range m {
		problem.taken = append(problem.taken, k)
		copy(products.Row(k), c.products.Row(k))
		if c.inNorm() {
			values.Row(k)[l] = c.values.Row(k)[c.one]
		}
	}
	_, err := problem.reduce(ctx, products, values, l)
	return problem, err
}

// add computes g += X·y.
func (c *Columns) add(ctx context.Context, g, y []float64) {
	width := c.q.width
	for _, b := range c.blocks {
		b.Add(ctx, width, [][]float64{g}, 1, [][]float64{y[b.from*width : (b.from+b.Columns())*width]})
	}
}

// Close gives the memory of the columns back.
func (c *Columns) Close() {
	for _, b := range c.blocks {
		b.close()
	}
	c.blocks = nil
}
