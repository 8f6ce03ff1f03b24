package points

import (
	"fmt"
	"slices"
	"sync"

	"lapsvm/internal/numbers/vec"
)

// Dots computes a block of inner products between rows of p and rows of q:
//
//	dst[(i−i0)·stride + (j−j0)] = ⟨p_i, q_j⟩   for i0 ≤ i < i1, j0 ≤ j < j1
//
// Both tables may be dense or sparse, with the same number of columns. The bits of a product
// depend on its two rows alone, not on the block. Cost: (i1−i0)·(j1−j0)·d multiply-adds for
// dense tables; the stored values of the sparse row per pair where one is sparse; of two sparse
// tables the columns in which both rows have values. Dots is safe for
// concurrent use. It panics when the numbers of columns differ or dst is too short.
func (p *Points) Dots(dst []float64, stride, i0, i1 int, q *Points, j0, j1 int) {
	rows, cols := i1-i0, j1-j0
	checkPairs("Dots", p, q, len(dst), stride, rows, cols)
	if rows <= 0 || cols <= 0 {
		return
	}
	switch {
	case !p.Sparse() && !q.Sparse():
		p.denseDots(dst, stride, i0, i1, q, j0, j1)
	case p.Sparse() && !q.Sparse():
		scratch := q.Scratch(1)
		for c := range cols {
			row := q.Row(j0+c, scratch)
			for r := range rows {
				index, value := p.SparseRow(i0 + r)
				dst[r*stride+c] = gather(index, value, row)
			}
		}
	case !p.Sparse():
		scratch := p.Scratch(1)
		for r := range rows {
			row := p.Row(i0+r, scratch)
			out := dst[r*stride : r*stride+cols]
			for c := range out {
				index, value := q.SparseRow(j0 + c)
				out[c] = gather(index, value, row)
			}
		}
	default:
		p.sparseDots(dst, stride, i0, i1, q, j0, j1)
	}
}

// byColumn is rows of a sparse table laid out by their columns.
type byColumn struct {
	at    []int32 // 1 + the place of every column, 0 of one without values
	start []int32 // of every place, and the number of values
	row   []int32
	value []float64
}

var columnsPool = sync.Pool{New: func() any { return new(byColumn) }}

// fill lays out the rows i0 ≤ i < i1 of p.
func (b *byColumn) fill(p *Points, i0, i1 int) {
	if len(b.at) < p.d {
		b.at = make([]int32, p.d)
	}
	b.start = append(b.start[:0], 0, 0)
	for i := i0; i < i1; i++ {
		index, _ := p.SparseRow(i)
		for _, j := range index {
			if b.at[j] == 0 {
				b.at[j] = int32(len(b.start) - 1)
				b.start = append(b.start, 0)
			}
			b.start[b.at[j]+1]++
		}
	}
	for k := 2; k < len(b.start); k++ {
		b.start[k] += b.start[k-1]
	}
	total := int(b.start[len(b.start)-1])
	b.row, b.value = slices.Grow(b.row[:0], total)[:total], slices.Grow(b.value[:0], total)[:total]
	for i := i0; i < i1; i++ {
		index, value := p.SparseRow(i)
		for k, j := range index {
			to := &b.start[b.at[j]]
			b.row[*to], b.value[*to] = int32(i-i0), value[k]
			*to++
		}
	}
}

// clear forgets the columns of the rows i0 ≤ i < i1 of p.
func (b *byColumn) clear(p *Points, i0, i1 int) {
	for i := i0; i < i1; i++ {
		index, _ := p.SparseRow(i)
		for _, j := range index {
			b.at[j] = 0
		}
	}
}

// sparseDots is [Points.Dots] of two sparse tables. The rows of p are laid out by columns, so a pair costs
// the columns in which both have values.
func (p *Points) sparseDots(dst []float64, stride, i0, i1 int, q *Points, j0, j1 int) {
	b := columnsPool.Get().(*byColumn)
	defer columnsPool.Put(b)
	b.fill(p, i0, i1)
	sums := make([]float64, i1-i0)
	for j := j0; j < j1; j++ {
		clear(sums)
		index, value := q.SparseRow(j)
		for k, column := range index {
			place := b.at[column]
			if place == 0 {
				continue
			}
			v, from, to := value[k], b.start[place-1], b.start[place]
			values := b.value[from:to]
			for c, r := range b.row[from:to] {
				sums[r] += v * values[c]
			}
		}
		for r, v := range sums {
			dst[r*stride+j-j0] = v
		}
	}
	b.clear(p, i0, i1)
}

// gather returns Σ value[k]·row[index[k]].
func gather(index []int32, value, row []float64) float64 {
	var s float64
	for k, j := range index {
		s += value[k] * row[j]
	}
	return s
}

// SquaredDistance returns ‖p_i − q_j‖² as a sum of squared differences in column order. Unlike
// ‖x‖² + ‖y‖² − 2⟨x, y⟩ the sum does not cancel for points far from the origin. It is exactly
// symmetric, and exactly zero for equal points. It panics when the numbers of columns differ.
func (p *Points) SquaredDistance(i int, q *Points, j int) float64 {
	if p.d != q.d {
		panic(fmt.Sprintf("points: SquaredDistance of %d columns with %d columns", p.d, q.d))
	}
	switch {
	case !p.Sparse() && !q.Sparse():
		if p.wholeNumbers() && q.wholeNumbers() {
			var d [1]float64
			p.byteDistances(d[:], i, q, []int32{int32(j)})
			return d[0]
		}
		if !p.aliased() || !q.aliased() {
			return p.squaredDistance(i, q, j)
		}
		x, y := p.double[i*p.d:(i+1)*p.d], q.double[j*p.d:(j+1)*p.d]
		var s float64
		for k, v := range x {
			t := v - y[k]
			s += t * t
		}
		return s
	case p.Sparse() && q.Sparse():
		xi, xv := p.SparseRow(i)
		yi, yv := q.SparseRow(j)
		var s float64
		a, b := 0, 0
		for a < len(xi) || b < len(yi) {
			var t float64
			switch {
			case b == len(yi) || a < len(xi) && xi[a] < yi[b]:
				t = xv[a]
				a++
			case a == len(xi) || yi[b] < xi[a]:
				t = yv[b]
				b++
			default:
				t = xv[a] - yv[b]
				a++
				b++
			}
			s += t * t
		}
		return s
	default:
		x, y := make([]float64, p.d), make([]float64, p.d)
		p.CopyRow(x, i)
		q.CopyRow(y, j)
		return Dense(1, p.d, x).SquaredDistance(0, Dense(1, p.d, y), 0)
	}
}

// squaredDistance is [Points.SquaredDistance] for dense tables of which one is not
// float64 in memory.
func (p *Points) squaredDistance(i int, q *Points, j int) float64 {
	w := borrow(p.scratch(1) + q.scratch(1))
	defer giveBack(w)
	x, y := p.Row(i, *w), q.Row(j, (*w)[p.scratch(1):])
	var s float64
	for k, v := range x {
		t := v - y[k]
		s += t * t
	}
	return s
}

// fetched is the number of bytes of the next point that SquaredDistances prefetches.
const fetched = 2048

// SquaredDistances writes ‖p_i − p_j‖² for every j of others into dst. It sums in another order
// than [Points.SquaredDistance], so the last bits may differ. It panics when dst is too short.
func (p *Points) SquaredDistances(dst []float64, i int, others []int32) {
	p.SquaredDistancesTo(dst, i, p, others)
}

// SquaredDistancesTo is [Points.SquaredDistances] to rows of another table, ‖p_i − q_j‖². It
// panics when dst is too short or the numbers of columns differ.
func (p *Points) SquaredDistancesTo(dst []float64, i int, q *Points, others []int32) {
	if p.Sparse() || q.Sparse() || p.d != q.d {
		for k, j := range others {
			dst[k] = p.SquaredDistance(i, q, int(j))
		}
		return
	}
	if p.wholeNumbers() && q.wholeNumbers() {
		p.byteDistances(dst, i, q, others)
		return
	}
	size := p.scratch(1)
	w := borrow(size + q.scratch(1))
	defer giveBack(w)
	x, scratch := p.Row(i, *w), (*w)[size:]
	for k, j := range others {
		if k+1 < len(others) { // rows lie anywhere: fetch how the next begins
			q.fetch(int(others[k+1]))
		}
		dst[k] = vec.SquaredDistance(x, q.Row(int(j), scratch))
	}
}

// RoughDistancesTo is [Points.SquaredDistancesTo] with an error of about 1e-15 of the squared
// lengths. It is faster for rows that are divided by their lengths as they are read: it
// leaves the division out.
func (p *Points) RoughDistancesTo(dst []float64, i int, q *Points, others []int32) {
	if p.Sparse() || q.Sparse() || p.d != q.d || p.storage == Float64 || p.storage != q.storage || !p.unitRows() || !q.unitRows() {
		p.SquaredDistancesTo(dst, i, q, others)
		return
	}
	if p.storage == Uint8 {
		p.byteDistances(dst, i, q, others)
		return
	}
	x := p.asStored()
	y := q.asStored()
	w := borrow(2 * p.d)
	defer giveBack(w)
	row := x.Row(i, (*w)[:p.d])
	for k, j := range others {
		if k+1 < len(others) {
			q.fetch(int(others[k+1]))
		}
		dot := vec.Dot(row, y.Row(int(j), (*w)[p.d:])) / (p.scaled.norm[i] * q.scaled.norm[j])
		dst[k] = max(p.square[i]+q.square[j]-dot-dot, 0)
	}
}

// unitRows reports whether rows are divided by their lengths as they are read.
func (p *Points) unitRows() bool { return p.scaled != nil && p.scaled.norm != nil }

// asStored returns a dense table without its scaling. Its squares are still those of the scaled
// rows.
func (p *Points) asStored() Points {
	stored := *p
	stored.scaled = nil
	return stored
}

// AddCombination adds Σ a[i−i0]·p_i over the rows i0 ≤ i < i1 to dst, which has
// d elements.
func (p *Points) AddCombination(dst []float64, i0, i1 int, a []float64) {
	if !p.Sparse() {
		p.eachBlock(i0, i1, func(from, to int, rows []float64) {
			vec.MulTileTrans(to-from, p.d, rows, p.d, dst, a[from-i0:])
		})
		return
	}
	for i := i0; i < i1; i++ {
		index, value := p.SparseRow(i)
		for k, j := range index {
			dst[j] += a[i-i0] * value[k]
		}
	}
}

// DotsWith writes ⟨p_i, w⟩ for the rows i0 ≤ i < i1 into dst.
func (p *Points) DotsWith(dst []float64, i0, i1 int, w []float64) {
	if !p.Sparse() {
		clear(dst[:i1-i0])
		p.eachBlock(i0, i1, func(from, to int, rows []float64) {
			vec.MulTile(to-from, p.d, rows, p.d, dst[from-i0:], w)
		})
		return
	}
	for i := i0; i < i1; i++ {
		index, value := p.SparseRow(i)
		dst[i-i0] = gather(index, value, w)
	}
}
