package graph

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/ranks/comm"
)

// Laplacian is the operator x ↦ Lᵖ·x of a graph, with
//
//	L = D − W               unnormalised, or
//	L = I − D^−½ W D^−½     normalised,
//
// D the diagonal matrix of the degrees Σ_j |W_ij|. So an edge of weight w > 0 adds w (x_i − x_j)² to
// xᵀ(D − W)x, and one of weight −w adds w (x_i + x_j)²: the signed Laplacian, which is positive
// semi-definite. An isolated point, whose degree is 0, has a row and a column of zeros in both. The power is applied by p products and never formed, for it would
// fill up. Ranks that share a graph hold the rows of their own points, and form a product together.
// The values of the halo go from rank to rank; where that fails, ctx is done.
type Laplacian struct {
	w        *Adjacency
	diagonal []float64
	off      []float64 // L_ij beside w.Index
	root     []float64 // of every point, with those of the halo, √Σ_j |W_ij|; nil unnormalised
	degree   int
	order    []int32        // of the points, by [Laplacian.Ordered]; nil for their own
	scratch  [][2][]float64 // of every worker
}

// NewLaplacian makes the operator Lᵖ, p = degree ≥ 1, of the graph w, keeping
// w. It panics if degree is below 1.
func NewLaplacian(w *Adjacency, unnormalised bool, degree int) *Laplacian {
	if degree < 1 {
		panic(fmt.Sprintf("graph: Laplacian of degree %d", degree))
	}
	n := w.Len()
	l := &Laplacian{w: w, diagonal: make([]float64, n), off: make([]float64, len(w.Index)), degree: degree}
	root := make([]float64, n, n+w.halo.len())
	for i := range n {
		d := w.magnitude(i)
		root[i] = math.Sqrt(d)
		switch {
		case unnormalised:
			l.diagonal[i] = d
		case d > 0:
			l.diagonal[i] = 1
		}
	}
	if w.halo != nil {
		for _, d := range w.halo.degree {
			root = append(root, math.Sqrt(d))
		}
	}
	for i := range n {
		index, weight := w.Row(i)
		for k, j := range index {
			v := weight[k]
			if product := root[i] * root[j]; !unnormalised && product > 0x1p-1000 {
				v /= product
			} else if !unnormalised {
				v = v / root[i] / root[j] // of weights near the least numbers there are
			}
			l.off[w.Start[i]+k] = -v
		}
	}
	if !unnormalised {
		l.root = root
	}
	return l
}

// Norm returns a bound on the largest eigenvalue of the operator, infinite beyond
// float64: the largest sum of the magnitudes of a row of L, to the power. Of ranks
// it is the largest of all. Cost: a pass
// over the entries.
func (l *Laplacian) Norm() float64 {
	largest := 0.0
	for i, sum := range l.diagonal {
		for _, v := range l.off[l.w.Start[i]:l.w.Start[i+1]] {
			sum += math.Abs(v)
		}
		largest = max(largest, sum)
	}
	return math.Pow(largest, float64(l.degree))
}

// Once returns the Laplacian L itself.
func (l *Laplacian) Once() *Laplacian { return l.Power(1) }

// Power returns L to another power ≥ 1, with scratch memory of its own. It panics below 1.
func (l *Laplacian) Power(degree int) *Laplacian {
	if degree < 1 {
		panic(fmt.Sprintf("graph: Laplacian of degree %d", degree))
	}
	return &Laplacian{w: l.w, diagonal: l.diagonal, off: l.off, root: l.root, degree: degree, order: l.order}
}

// Ordered returns the Laplacian of the same power with its points in another order: row k
// is point order[k], of which each must be there once. It keeps the order, and shares no memory with l. A Laplacian that is
// in this order already, the same slice, is returned as it is; there is no way from one order to another.
func (l *Laplacian) Ordered(order []int32) *Laplacian {
	if l.order != nil {
		if len(order) != len(l.order) || len(order) > 0 && &order[0] != &l.order[0] {
			panic("graph: a Laplacian in one order, asked for in another")
		}
		return l
	}
	at := make([]int32, len(order), len(order)+l.w.halo.len())
	for k, i := range order {
		at[i] = int32(k)
	}
	for k := range l.w.halo.len() {
		at = append(at, int32(len(order)+k))
	}
	w := &Adjacency{Start: make([]int, len(order)+1), Index: make([]int32, 0, len(l.w.Index)), halo: l.w.halo.ordered(at)} // its weights are in off
	o := &Laplacian{w: w, diagonal: make([]float64, len(order)), off: make([]float64, 0, len(l.off)), degree: l.degree, order: order}
	for k, i := range order {
		from, to := l.w.Start[i], l.w.Start[i+1]
		for _, j := range l.w.Index[from:to] {
			w.Index = append(w.Index, at[j])
		}
		o.off = append(o.off, l.off[from:to]...)
		w.Start[k+1], o.diagonal[k] = len(w.Index), l.diagonal[i]
	}
	if l.root != nil {
		o.root = make([]float64, len(l.root))
		for i, k := range at {
			o.root[k] = l.root[i]
		}
	}
	return o
}

// Entries calls do with the elements L_ij of a row that are not 0.
func (l *Laplacian) Entries(i int, do func(j int, v float64)) {
	do(i, l.diagonal[i])
	for k := l.w.Start[i]; k < l.w.Start[i+1]; k++ {
		do(int(l.w.Index[k]), l.off[k])
	}
}

// Differences calls do for every edge from point i, with numbers a ≥ 0 and b by which
//
//	fᵀLf = ½ Σ_i Σ_j (a_ij f_i − b_ij f_j)²
//
// b is negative for an edge of negative weight.
func (l *Laplacian) Differences(i int, do func(j int, a, b float64)) {
	for k := l.w.Start[i]; k < l.w.Start[i+1]; k++ {
		j, v := l.w.Index[k], -l.off[k]
		a := math.Sqrt(math.Abs(v))
		b := math.Copysign(a, v)
		if l.root != nil && v != 0 {
			ratio := math.Sqrt(l.root[j] / l.root[i])
			a, b = a*ratio, b/ratio
		}
		do(int(j), a, b)
	}
}

// MeanDiagonal returns the mean of the diagonal of L, of the own points; of all it is that
// of the eigenvalues.
func (l *Laplacian) MeanDiagonal() float64 {
	sum := 0.0
	for _, v := range l.diagonal {
		sum += v
	}
	return sum / float64(max(l.Len(), 1))
}

// Halo returns the number of points of other ranks that own ones are joined to; 0 of one
// process.
func (l *Laplacian) Halo() int { return l.w.halo.len() }

// Cut is [Adjacency.Cut] of the graph.
func (l *Laplacian) Cut(ctx context.Context) (float64, error) { return l.w.Cut(ctx) }

// Sent returns how many rows a rank sends to others for a product with L; 0 of one process.
func (l *Laplacian) Sent() int { return l.w.Sent() }

// Degree returns the power p.
func (l *Laplacian) Degree() int { return l.degree }

// Ranks returns the ranks that share the graph, and their points, or nil without other ranks.
func (l *Laplacian) Ranks() (*comm.Comm, comm.Partition) {
	if l.w.halo == nil {
		return nil, nil
	}
	return l.w.halo.c, l.w.halo.partition
}

// Len returns the number of points, the own ones.
func (l *Laplacian) Len() int { return l.w.Len() }

// rowsPerPiece is how many rows of a product are handed to a thread at once.
const rowsPerPiece = 512

// Mul computes dst[c] = Lᵖ·src[c] for every column c; dst and src must not
// overlap. Columns lie interleaved while they are multiplied, up to 16 of them,
// so that an entry of W is read once for all. A column has the same bits
// whatever the others are, and however many threads there are. Cost: p·nnz(W)
// multiply-adds per column. It uses scratch memory of the operator, so it is not
// safe for concurrent use. It fails when ctx is done. It panics when the numbers
// or lengths of the columns differ.
func (l *Laplacian) Mul(ctx context.Context, dst, src [][]float64) error {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("graph: Mul of %d columns into %d", len(src), len(dst)))
	}
	for c := range src {
		if len(dst[c]) != l.Len() || len(src[c]) != l.Len() {
			panic(fmt.Sprintf("graph: Mul of columns of length %d and %d, want %d", len(src[c]), len(dst[c]), l.Len()))
		}
	}
	groups := (len(src) + vec.MaxPanel - 1) / vec.MaxPanel
	threads := parallel.Threads(ctx)
	for len(l.scratch) < threads {
		l.scratch = append(l.scratch, [2][]float64{})
	}
	multiply := func(ctx context.Context, worker, group int) {
		first := group * vec.MaxPanel
		last := min(first+vec.MaxPanel, len(src))
		p := &product{l, &l.scratch[worker], vec.SparseWidth(last - first)}
		if p.width == 1 {
			p.power(ctx, dst[first], src[first])
		} else {
			p.panel(ctx, dst[first:last], src[first:last])
		}
	}
	// Many columns keep every thread busy with its own, few one after the other, and those
	// whose rows go from rank to rank.
	if groups >= 2*threads && l.w.halo == nil {
		single := parallel.WithLimit(ctx, 1)
		return parallel.Step(ctx, groups, func(worker, group int) { multiply(single, worker, group) })
	}
	for group := range groups {
		multiply(ctx, 0, group)
	}
	return ctx.Err() // it cut the pieces of all groups short
}

// product is one of a few columns, interleaved.
type product struct {
	*Laplacian
	scratch *[2][]float64
	width   int
}

// power computes dst = Lᵖ·src of a column or of interleaved ones.
func (l *product) power(ctx context.Context, dst, src []float64) {
	if l.w.halo != nil {
		l.powerShared(ctx, dst, src)
		return
	}
	// The products alternate so that the last one lands in dst.
	to, other := dst, dst
	if l.degree > 1 {
		other = l.buffer(0, len(dst))
	}
	if l.degree%2 == 0 {
		to, other = other, to
	}
	for range l.degree {
		l.once(ctx, to, src)
		src, to, other = to, other, to
	}
}

// powerShared is power where the graph has a halo, for which panels have room.
func (l *product) powerShared(ctx context.Context, dst, src []float64) {
	size := (l.Len() + l.w.halo.len()) * l.width
	from, to := l.buffer(0, size), l.buffer(1, size)
	l.pieces(ctx, func(i0, i1 int) { copy(from[i0*l.width:i1*l.width], src[i0*l.width:]) })
	for k := range l.degree {
		if k == l.degree-1 {
			to = dst
		}
		l.once(ctx, to, from)
		from, to = to, from
	}
}

// panel computes dst[c] = Lᵖ·src[c] for a few columns.
func (l *product) panel(ctx context.Context, dst, src [][]float64) {
	width := l.width
	size := (l.Len() + l.w.halo.len()) * width
	from, to := l.buffer(0, size), l.buffer(1, size)
	l.blocks(ctx, func(i0, i1 int) { interleave(from[i0*width:i1*width], src, i0, i1) })
	for range l.degree {
		l.once(ctx, to, from)
		from, to = to, from
	}
	l.blocks(ctx, func(i0, i1 int) { separate(dst, from[i0*width:i1*width], i0, i1) })
}

// interleave writes the rows i0 ≤ i < i1 of some columns into those of a panel. The other columns
// of the panel become zero: values left there might be subnormal, and slow.
func interleave(panel []float64, src [][]float64, i0, i1 int) {
	width := len(panel) / (i1 - i0)
	c := 0
	for ; c+4 <= len(src); c += 4 {
		n := i1 - i0
		x0, x1, x2, x3 := src[c][i0:][:n], src[c+1][i0:][:n], src[c+2][i0:][:n], src[c+3][i0:][:n]
		at := panel[c:]
		for i := range n {
			row := (*[4]float64)(at[i*width:])
			row[0], row[1], row[2], row[3] = x0[i], x1[i], x2[i], x3[i]
		}
	}
	for ; c < width; c++ {
		for i := i0; i < i1; i++ {
			v := 0.0
			if c < len(src) {
				v = src[c][i]
			}
			panel[(i-i0)*width+c] = v
		}
	}
}

// separate is the inverse of interleave.
func separate(dst [][]float64, panel []float64, i0, i1 int) {
	width := len(panel) / (i1 - i0)
	c := 0
	for ; c+4 <= len(dst); c += 4 {
		n := i1 - i0
		y0, y1, y2, y3 := dst[c][i0:][:n], dst[c+1][i0:][:n], dst[c+2][i0:][:n], dst[c+3][i0:][:n]
		at := panel[c:]
		for i := range n {
			row := (*[4]float64)(at[i*width:])
			y0[i], y1[i], y2[i], y3[i] = row[0], row[1], row[2], row[3]
		}
	}
	for ; c < len(dst); c++ {
		for i := i0; i < i1; i++ {
			dst[c][i] = panel[(i-i0)*width+c]
		}
	}
}

// once computes dst = L·src of a panel, which has room for the halo.
func (l *product) once(ctx context.Context, dst, src []float64) {
	if l.w.halo.fill64(ctx, src, l.width) != nil {
		return // ctx is done
	}
	l.pieces(ctx, func(i0, i1 int) {
		vec.SparseRows(l.width, dst, src, l.diagonal, l.w.Start, l.w.Index, l.off, i0, i1)
	})
}

func (l *Laplacian) pieces(ctx context.Context, do func(i0, i1 int)) { inPieces(ctx, l.Len(), do) }

// inPieces calls do for n rows, in pieces, until ctx is done.
func inPieces(ctx context.Context, n int, do func(i0, i1 int)) {
	_ = parallel.Step(ctx, (n+rowsPerPiece-1)/rowsPerPiece, func(_, piece int) {
		do(piece*rowsPerPiece, min((piece+1)*rowsPerPiece, n))
	})
}

// rowsPerBlock rows of a panel stay in the first-level cache.
const rowsPerBlock = 128

// blocks is pieces in blocks of fewer rows.
func (l *Laplacian) blocks(ctx context.Context, do func(i0, i1 int)) {
	l.pieces(ctx, func(i0, i1 int) {
		for ; i0 < i1; i0 += rowsPerBlock {
			do(i0, min(i0+rowsPerBlock, i1))
		}
	})
}

// buffer returns scratch memory that is kept.
func (l *product) buffer(which, size int) []float64 {
	if len(l.scratch[which]) < size {
		l.scratch[which] = make([]float64, size)
	}
	return l.scratch[which][:size]
}
