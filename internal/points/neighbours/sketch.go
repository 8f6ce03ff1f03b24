package neighbours

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// sketchWidth is the number of coordinates of a sketch: projections on all but one
// of so many orthonormal directions, and the length of what these leave.
const sketchWidth = 32

// The directions are those of the largest variance in a sample of so many points,
// of at most so many values, as far as subspace iterations find them.
const (
	sketchSample     = 1024
	sketchValues     = 1 << 24
	sketchIterations = 3
)

// Basis maps points to sketches: few coordinates in float32, whose distances are
// never larger than those of the points. For a point x it is
//
//	y = Scale·(V(x − c), ‖x − c − VᵀV(x − c)‖)
//
// with orthonormal rows of V, or Scale·(x − c) where the points have no more
// coordinates than a sketch. It is plain data, to be kept with a model.
type Basis struct {
	Width      int       // of a sketch
	Scale      float64   // a power of two, by which no ‖y‖ is above 1
	Centre     []float64 // d values; nil for sparse points, which are not moved
	Column     []int32   // of sparse points, ascending: the columns in which V is not 0
	Directions []float64 // V, column after column: Width − 1 values each; nil where V is the identity
}

// rank returns how many coordinates of a sketch are coordinates of the point: all, or
// all but the last.
func (b *Basis) rank() int {
	if b.Directions == nil {
		return b.Width
	}
	return b.Width - 1
}

// centreRows is the number of points that a centre is found in.
const centreRows = 1001

// Centre returns the medians of the columns of a dense table, in at most 1001 rows. Unlike the mean
// it stays near most points where a few are far away. Products of points moved there lose least to
// cancellation. It fails when ctx is done.
func Centre(ctx context.Context, p *points.Points) ([]float64, error) {
	d, rows := p.Dim(), spread(p.Len(), centreRows)
	all := make([]float64, len(rows)*d)
	row := make([]float64, d)
	for c, i := range rows {
		p.CopyRow(row, int(i))
		for j, v := range row {
			all[j*len(rows)+c] = v
		}
	}
	err := parallel.Step(ctx, (d+columnsPerStep-1)/columnsPerStep, func(_, piece int) {
		for j := piece * columnsPerStep; j < min((piece+1)*columnsPerStep, d); j++ {
			column := all[j*len(rows) : (j+1)*len(rows)]
			slices.Sort(column)
			row[j] = column[len(column)/2]
		}
	})
	return row, err
}

// columnsPerStep is how many columns one piece of work finds the medians of.
const columnsPerStep = 64

// NewBasis finds a basis for p, the directions by a seed, and returns the sketches of its
// points.
func NewBasis(ctx context.Context, p *points.Points, seed uint64) (*Basis, []float32, error) {
	b, err := newBasis(ctx, nil, p, rand.New(rand.NewPCG(seed, 11)))
	if err != nil {
		return nil, nil, err
	}
	sketches, err := b.Sketches(ctx, p)
	return b, sketches, err
}

// newBasis finds the directions for the points p of all ranks, the same on all of them.
func newBasis(ctx context.Context, ranks *comm.Comm, p *points.Points, rng *rand.Rand) (*Basis, error) {
	d, largest := p.Dim(), []float64{slices.Max(p.Squares())}
	b := &Basis{Width: min(sketchWidth, d), Scale: 1}
	if err := ranks.Max(ctx, largest); err != nil {
		return nil, err
	}
	if largest[0] > 0 {
		_, exponent := math.Frexp(math.Sqrt(largest[0]))
		b.Scale = math.Ldexp(1, -exponent-1) // ‖x − c‖ is at most twice the largest ‖x‖
	}
	p, err := someOfAll(ctx, ranks, p)
	if err != nil {
		return nil, err
	}
	n := p.Len()
	if !p.Sparse() {
		var err error
		if b.Centre, err = Centre(ctx, p); err != nil {
			return nil, err
		}
	}
	if d > sketchWidth || p.Sparse() {
		b.Width = sketchWidth
		count := min(n, sketchSample)
		if !p.Sparse() {
			count = min(count, max(sketchValues/d, 2*sketchWidth), n)
		}
		sample := make([]int, count)
		for c := range sample {
			sample[c] = rng.IntN(n)
		}
		if err := b.learn(ctx, p, sample, rng); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// someOfAll returns points that are spread over those of all ranks; of one process its own.
func someOfAll(ctx context.Context, ranks *comm.Comm, p *points.Points) (*points.Points, error) {
	if ranks.Alone() {
		return p, ctx.Err()
	}
	partition, err := ranks.Partition(ctx, p.Len())
	if err != nil {
		return nil, err
	}
	count := 2 * sketchSample
	if !p.Sparse() {
		count = min(count, max(sketchValues/max(p.Dim(), 1), 2*sketchWidth))
	}
	return Gathered(ctx, ranks, p, partition.Spread(ranks.Rank(), count))
}

// Gathered returns the points that all ranks give, rank after rank.
func Gathered(ctx context.Context, ranks *comm.Comm, p *points.Points, rows []int) (*points.Points, error) {
	stored, scaling := p.AsStored()
	all, err := ranks.Gather(ctx, stored.AppendRows(nil, rows))
	if err != nil {
		return nil, err
	}
	return scaling.Apply(points.FromRows(stored, all...)), nil
}

// learn finds the directions of the largest variance of a sample, by subspace
// iterations from differences of its points.
func (b *Basis) learn(ctx context.Context, p *points.Points, sample []int, rng *rand.Rand) error {
	var s []float64 // the sample, row after row, in the columns that count
	width := p.Dim()
	if p.Sparse() {
		s, width = b.gatherColumns(p, sample)
	} else {
		s = make([]float64, len(sample)*width)
		for r, i := range sample {
			b.move(s[r*width:(r+1)*width], p, i)
		}
	}
	count, rank := len(sample), b.Width-1
	v := make([]float64, rank*width)
	for c := range rank {
		row := v[c*width : (c+1)*width]
		x, y := rng.IntN(count), rng.IntN(count)
		copy(row, s[x*width:(x+1)*width])
		vec.Axpy(-1, s[y*width:(y+1)*width], row)
	}
	orthonormal(v, rank, width)
	onto := make([]float64, count*rank)
	for range sketchIterations {
		if width == 0 {
			break
		}
		if err := vec.Gemm(ctx, false, true, count, rank, width, 1, s, width, v, width, 0, onto, rank); err != nil {
			return err
		}
		if err := vec.Gemm(ctx, true, false, rank, width, count, 1, onto, rank, s, width, 0, v, width); err != nil {
			return err
		}
		orthonormal(v, rank, width)
	}
	b.Directions = make([]float64, width*rank)
	for c := range rank {
		for j := range width {
			b.Directions[j*rank+c] = v[c*width+j]
		}
	}
	return nil
}

// gatherColumns writes sparse rows out in the columns that occur in them.
func (b *Basis) gatherColumns(p *points.Points, sample []int) (s []float64, width int) {
	at := make([]int32, p.Dim()) // 1 + the place of a column
	for _, i := range sample {
		index, _ := p.SparseRow(i)
		for _, j := range index {
			at[j] = 1
		}
	}
	limit := max(sketchValues/len(sample), sketchWidth)
	for j := range at {
		if at[j] > 0 && len(b.Column) < limit {
			b.Column = append(b.Column, int32(j))
			at[j] = int32(len(b.Column))
		} else {
			at[j] = 0
		}
	}
	width = len(b.Column)
	s = make([]float64, len(sample)*width)
	for r, i := range sample {
		index, value := p.SparseRow(i)
		for c, j := range index {
			if at[j] > 0 {
				s[r*width+int(at[j])-1] = value[c]
			}
		}
	}
	return s, width
}

// orthonormal makes the rows of v orthonormal, and 0 where they depend on others.
func orthonormal(v []float64, rows, width int) {
	for c := range rows {
		row := v[c*width : (c+1)*width]
		before := math.Sqrt(vec.Dot(row, row))
		for range 2 { // once more, for what rounding left
			for a := range c {
				other := v[a*width : (a+1)*width]
				vec.Axpy(-vec.Dot(other, row), other, row)
			}
		}
		length := math.Sqrt(vec.Dot(row, row))
		if !(length > 1e-9*before) || math.IsInf(length, 0) {
			clear(row)
			continue
		}
		for j := range row {
			row[j] /= length
		}
	}
}

// move writes point i less the mean.
func (b *Basis) move(to []float64, p *points.Points, i int) {
	p.CopyRow(to, i)
	vec.Axpy(-1, b.Centre, to)
}

// sketcher is the memory that sketches take; the zero value is ready.
type sketcher struct {
	rows  []float64 // a block of points less the mean
	sums  []float64 // their projections
	place []int32   // of sparse points: 1 + the place of every column
}

// sketch writes the sketches of the points from ≤ i < end of p.
func (b *Basis) sketch(to []float32, w *sketcher, p *points.Points, from, end int) {
	d, rank, count := p.Dim(), b.Width-1, end-from
	if p.Sparse() {
		if w.place == nil {
			w.place = make([]int32, d)
			for c, j := range b.Column {
				w.place[j] = int32(c) + 1
			}
		}
		w.sums = grown(w.sums, rank)
		for i := from; i < end; i++ {
			clear(w.sums)
			index, value := p.SparseRow(i)
			for c, j := range index {
				if at := int(w.place[j]) - 1; at >= 0 {
					vec.Axpy(value[c], b.Directions[at*rank:(at+1)*rank], w.sums)
				}
			}
			b.finish(to[(i-from)*b.Width:], w.sums, vec.Dot(value, value))
		}
		return
	}
	w.rows = grown(w.rows, count*d)
	for i := from; i < end; i++ {
		b.move(w.rows[(i-from)*d:(i-from+1)*d], p, i)
	}
	if b.Directions == nil {
		for k, v := range w.rows {
			to[k] = float32(v * b.Scale)
		}
		return
	}
	w.sums = grown(w.sums, count*rank)
	_ = vec.Gemm(alone, false, false, count, rank, d, 1, w.rows, d, b.Directions, rank, 0, w.sums, rank)
	for r := range count {
		row := w.rows[r*d : (r+1)*d]
		b.finish(to[r*b.Width:], w.sums[r*rank:(r+1)*rank], vec.Dot(row, row))
	}
}

// alone is the context of products that pieces of work compute side by side.
var alone = parallel.WithLimit(context.Background(), 1)

// finish writes a sketch from the projections of a point of this squared length.
func (b *Basis) finish(to []float32, projections []float64, square float64) {
	for c, v := range projections {
		square -= v * v
		to[c] = float32(v * b.Scale)
	}
	to[len(projections)] = float32(math.Sqrt(max(square, 0)) * b.Scale)
}

func grown[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// Sketches returns the sketches of all points of p, Width values each, in the order
// of the points.
func (b *Basis) Sketches(ctx context.Context, p *points.Points) ([]float32, error) {
	n := p.Len()
	all := make([]float32, n*b.Width)
	scratch := make([]sketcher, parallel.Threads(ctx))
	err := parallel.Run(ctx, (n+tiles.Size-1)/tiles.Size, func(worker, piece int) {
		from, end := piece*tiles.Size, min((piece+1)*tiles.Size, n)
		b.sketch(all[from*b.Width:end*b.Width], &scratch[worker], p, from, end)
	})
	return all, err
}

// apart returns the squared distance of two sketches, or, where it is more than
// limit, something above limit.
func apart(x, y []float32, limit float32) float32 {
	y = y[:len(x)]
	var sum float32
	for len(x) >= 8 {
		a, b, c, d := x[0]-y[0], x[1]-y[1], x[2]-y[2], x[3]-y[3]
		e, f, g, h := x[4]-y[4], x[5]-y[5], x[6]-y[6], x[7]-y[7]
		sum += (a*a + b*b) + (c*c + d*d) + (e*e + f*f) + (g*g + h*h)
		if sum > limit {
			return sum
		}
		x, y = x[8:], y[8:]
	}
	for k, v := range x {
		a := v - y[k]
		sum += a * a
	}
	return sum
}
