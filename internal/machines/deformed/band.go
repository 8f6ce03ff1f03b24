package deformed

import (
	"context"
	"math"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
)

// band is A in a basis, the rows of an orthogonal Q, in which it is a band matrix
// B and the right sides have nothing but their first few elements:
//
//	A = QᵀBQ,   Q·right = (headᵀ; 0)
//
// So rightᵀ(I + ρA)⁻¹right needs one corner of (I + ρB)⁻¹ alone, with which a
// Cholesky factorization from the last row to the first ends. The reduction takes
// 4/3·rank³ flops, nearly all of them in large products. It is the first stage of
// an eigendecomposition (Bischof, Lang and Sun, "A framework for symmetric band
// reduction", ACM TOMS 26(4), 2000). Each ratio of the weights takes rank·width²
// more.
type band struct {
	rank, columns int // of right
	width         int // B_ij = 0 for |i − j| > width
	// From the last row to the first, the lower half of a band matrix: row i is
	// B_i+width,i, …, B_i+1,i, B_ii.
	b     []float64
	head  linalg.Matrix // columns of right by rows
	steps []reflectors  // Q is all of them, the last one leftmost

	scratch []float64 // of rotate
}

// reflectors are Householder's, Hᵀ = I − VᵀTV, of the coordinates from first on.
type reflectors struct {
	first int
	v     linalg.Matrix // as linalg.LQ leaves it beside L
	t     linalg.Matrix
}

// narrowest is the least width: so many reflectors at least are applied at once.
const narrowest = 32

// inBand returns which of the ratios are best solved by a band. It must be
// accurate enough for them, and there must be enough of them to make up for the
// reduction, six as a rule; otherwise there are none. Per flop the reduction takes
// 1.4 times as long as a factorization, and its band three times, as measured.
func (v *Reduction) inBand(ratios []float64) (in []int) {
	if v.l == nil {
		return nil
	}
	for r, ratio := range ratios {
		if ratio > 0 && ratio*v.largest*0x1p-52 <= bandRounding {
			in = append(in, r)
		}
	}
	rank, columns, count := float64(v.f.rank), float64(v.width), float64(len(in))
	width := max(columns, narrowest)
	if count*(rank*rank/3+rank*columns) > 1.4*(4*rank*rank/3+2*rank*columns)+3*count*width*width {
		return in
	}
	return nil
}

// bandRounding bounds ρ·max A_ii·2⁻⁵². An orthogonal basis mixes the large elements of I + ρA with
// the small ones, and adds rounding of that size to the small ones. A factorization of the
// unreduced matrix keeps them apart.
const bandRounding = 1e-7

// reduce makes a band of the symmetric matrix in the upper half of a and the right
// sides, rank×columns. It overwrites a, of which the lower half is scratch, and keeps it.
func reduce(ctx context.Context, rank int, a []float64, columns int, right []float64) (*band, error) {
	r := &band{rank: rank, columns: columns, width: min(max(columns, narrowest), rank)}
	r.head = linalg.New(columns, rank)
	for i := range rank {
		for c := range columns {
			r.head.Data[c*rank+i] = right[i*columns+c]
		}
	}
	whole := linalg.FromSlice(rank, rank, a)
	r.scratch = make([]float64, 4*max(columns, r.width)*rank)
	if err := r.rotate(ctx, 0, r.head, whole); err != nil {
		return nil, err
	}
	for first := r.width; first < rank; first += r.width {
		if err := r.rotate(ctx, first, whole.Block(first-r.width, r.width, first, rank-first), whole); err != nil {
			return nil, err
		}
	}
	r.scratch = nil
	r.b = make([]float64, rank*(r.width+1))
	for i := range rank {
		row := r.b[(rank-1-i)*(r.width+1):]
		for d := range min(rank-i, r.width+1) {
			row[r.width-d] = a[i*rank+i+d]
		}
	}
	return r, nil
}

// rotate makes rows lower triangular, rows = L·H, by reflections of the coordinates from first on,
// which rows cover. It applies the reflections to both sides of the block of a that starts at
// first:
//
//	A ← HAHᵀ = A − VᵀX − XᵀV,   Hᵀ = I − VᵀTV,   X = W − ½ WVᵀT V,   W = TᵀVA
func (r *band) rotate(ctx context.Context, first int, rows, a linalg.Matrix) error {
	m := rows.Cols
	count := min(rows.Rows, m)
	// V, X and V again, so that (V; X) and (X; V) are both there.
	stacked := func(from int) linalg.Matrix { return linalg.FromSlice(2*count, m, r.scratch[from*count*m:]) }
	v, w, again, va := stacked(0).Block(0, count, 0, m), stacked(1).Block(0, count, 0, m), stacked(2).Block(0, count, 0, m), stacked(2).Block(count, count, 0, m)
	t, err := linalg.LQ(ctx, rows, v)
	if err != nil {
		return err
	}
	r.steps = append(r.steps, reflectors{first: first, v: rows.Block(0, count, 0, m), t: t})
	block := a.Block(first, m, first, m)
	if err := linalg.Symm(ctx, v, block, va); err != nil {
		return err
	}
	products, g := linalg.New(count, count), linalg.New(count, count)
	for _, p := range []struct {
		factor float64
		x, y   linalg.Matrix
		beta   float64
		into   linalg.Matrix
	}{
		{1, t.T(), va, 0, w},
		{1, w, v.T(), 0, products},
		{1, products, t, 0, g},
		{-0.5, g, v, 1, w},
	} {
		if err := linalg.Gemm(ctx, p.factor, p.x, p.y, p.beta, p.into); err != nil {
			return err
		}
	}
	copy(again.Data[:count*m], v.Data)
	return linalg.Gemmt(ctx, -1, stacked(0).T(), stacked(1), 1, block)
}

// factor factors I + ρB from its last row to its first, row by row; not ok means
// that it is numerically indefinite.
func (r *band) factor(ratio float64) (l linalg.Matrix, ok bool) {
	const together = 8 // elements of a row, by those before them
	var sums [together]float64
	w := r.width
	m, inverse := make([]float64, len(r.b)), make([]float64, r.rank) // of the diagonal
	for i := range r.rank {
		row, b := m[i*(w+1):(i+1)*(w+1)], r.b[i*(w+1):]
		first := max(0, w-i) // of the row that is there
		for j0 := first; j0 < w; j0 += together {
			// Element t of row i is above element t + w − j of row i − w + j, so that these rows
			// are a matrix.
			count := min(together, w-j0)
			above := m[(i-w+j0)*(w+1)+first+w-j0:]
			clear(sums[:])
			if j0 > first {
				vec.MulTile(count, j0-first, above, w, sums[:count], row[first:j0])
			}
			for k := range count {
				sum := sums[k]
				for t, x := range row[j0 : j0+k] {
					sum += x * above[k*w+j0-first+t]
				}
				row[j0+k] = (ratio*b[j0+k] - sum) * inverse[i-w+j0+k]
			}
		}
		d := 1 + ratio*b[w] - vec.Dot(row[first:w], row[first:w])
		if !(d > 0) {
			return l, false
		}
		row[w] = math.Sqrt(d)
		inverse[i] = 1 / row[w]
	}
	return linalg.FromSlice(r.rank, w+1, m), true
}

// corner returns Y for which rightᵀ(I + ρA)⁻¹right = YᵀY.
func (r *band) corner(ctx context.Context, l linalg.Matrix) (linalg.Matrix, error) {
	size := min(r.columns, r.rank) // of the corner, the last rows of the factor
	last := linalg.New(size, size) // their transpose
	for i := range size {
		for j, v := range l.Row(r.rank - size + i)[r.width-i:] {
			last.Data[j*size+i] = v
		}
	}
	y := r.reversed(size)
	return y, linalg.SolveUpper(ctx, last.T(), y)
}

// solve returns Q(I + ρA)⁻¹right·T, or Q(I + ρA)⁻¹right for a T without rows.
func (r *band) solve(ctx context.Context, l, t linalg.Matrix) (linalg.Matrix, error) {
	size := min(r.columns, r.rank) // of the rows of Q·right that are not 0
	last, err := of(ctx, r.reversed(size), t)
	if err != nil {
		return last, err
	}
	y := linalg.New(r.rank, last.Cols)
	copy(y.Data[(r.rank-size)*y.Stride:], last.Data)
	linalg.BandSolve(l, y)
	for i, j := 0, r.rank-1; i < j; i, j = i+1, j-1 {
		top, bottom := y.Row(i), y.Row(j)
		for c := range top {
			top[c], bottom[c] = bottom[c], top[c]
		}
	}
	return y, nil
}

// turnBack multiplies X by Qᵀ. Without a band it leaves X as it is.
func (r *band) turnBack(ctx context.Context, x linalg.Matrix) error {
	if r == nil {
		return nil
	}
	for k := len(r.steps) - 1; k >= 0; k-- {
		s := r.steps[k]
		if err := linalg.Reflect(ctx, s.v, s.t, x.Block(s.first, r.rank-s.first, 0, x.Cols)); err != nil {
			return err
		}
	}
	return nil
}

// reversed returns the first coordinates of Q·right, from the last to the first.
func (r *band) reversed(count int) linalg.Matrix {
	y := linalg.New(count, r.columns)
	for c := range r.columns {
		for i := range min(c+1, r.rank) {
			y.Data[(count-1-i)*r.columns+c] = r.head.Data[c*r.head.Stride+i]
		}
	}
	return y
}
