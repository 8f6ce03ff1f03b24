package deformed

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
)

// band is A in a basis, the rows of an orthogonal Q, in which it is a band matrix
// B and the right sides have nothing but their first few elements:
//
//	A = QᵀBQ,   Q·right = (headᵀ; 0)
//
// so that rightᵀ(I + ρA)⁻¹right needs one corner of (I + ρB)⁻¹, which a Cholesky
// factorization from the last row to the first ends with. To come here takes
// 4/3·rank³ flops, nearly all of them in large products, as the first stage of an
// eigendecomposition does (Bischof, Lang and Sun, "A framework for symmetric band
// reduction", ACM TOMS 26(4), 2000); a ratio of the weights takes rank·width²
// more.
type band struct {
	rank, columns int // of right
	width         int // B_ij = 0 for |i − j| > width
	// From the last row to the first, the lower half of a band matrix: row i is
	// B_i+width,i, …, B_i+1,i, B_ii.
	b     []float64
	head  blas64.General // columns of right by rows
	steps []reflectors   // Q is all of them, the last one leftmost

	scratch [3][]float64 // of rotate
}

// reflectors are Householder's, H = H_last⋯H_first, of the coordinates from first on.
type reflectors struct {
	first int
	v     blas64.General // by rows, as Gelqf leaves them
	tau   []float64
}

// narrowest is the least width: so many reflectors at least are applied at once.
const narrowest = 32

// inBand returns which of the ratios are best taken from a band: all those that
// it is accurate enough for if they are enough to pay, six as a rule, else none.
// Per flop the reduction takes 1.4 times as long as a factorization, and its band
// three times, as measured.
func (v *View) inBand(ratios []float64) (in []int) {
	if v.l == nil {
		return nil
	}
	largest := 0.0
	for i := range v.f.rank {
		largest = max(largest, v.a[i*v.f.rank+i])
	}
	for r, ratio := range ratios {
		if ratio > 0 && ratio*largest*0x1p-52 <= bandRounding {
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

// bandRounding bounds ρ·max A_ii·2⁻⁵². An orthogonal basis mixes the large elements
// of I + ρA with the small ones, to which that much is added; a factorization of
// the matrix as it is keeps them apart.
const bandRounding = 1e-7

// reduce reduces the symmetric matrix in the upper half of a, which it overwrites
// and keeps, with the right sides, rank×columns.
func reduce(ctx context.Context, rank int, a []float64, columns int, right []float64) (*band, error) {
	r := &band{rank: rank, columns: columns, width: min(max(columns, narrowest), rank)}
	r.head = general(columns, rank, make([]float64, columns*rank))
	for i := range rank {
		for c := range columns {
			r.head.Data[c*rank+i] = right[i*columns+c]
		}
	}
	whole := general(rank, rank, a)
	mirror(ctx, whole)
	for k := range r.scratch {
		r.scratch[k] = make([]float64, max(columns, r.width)*rank)
	}
	r.rotate(ctx, 0, r.head, whole)
	for first := r.width; first < rank; first += r.width {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.rotate(ctx, first, part(whole, first-r.width, r.width, first, rank-first), whole)
	}
	r.scratch = [3][]float64{}
	r.b = make([]float64, rank*(r.width+1))
	for i := range rank {
		row := r.b[(rank-1-i)*(r.width+1):]
		for d := range min(rank-i, r.width+1) {
			row[r.width-d] = a[i*rank+i+d]
		}
	}
	return r, nil
}

// rotate makes rows, which cover the coordinates from first on, lower triangular by
// reflections of these coordinates, rows = L·H, and applies them to both sides of
// the block of a that starts there:
//
//	A ← HAHᵀ = A − VᵀX − XᵀV,   Hᵀ = I − VᵀTV,   X = W − ½ WVᵀT V,   W = TᵀVA
func (r *band) rotate(ctx context.Context, first int, rows, a blas64.General) {
	m := rows.Cols
	count := min(rows.Rows, m)
	s := reflectors{first: first, v: part(rows, 0, count, 0, m), tau: make([]float64, count)}
	work := make([]float64, rows.Rows*narrowest)
	lapack64.Gelqf(rows, s.tau, work, len(work))
	r.steps = append(r.steps, s)

	v, va, w := general(count, m, r.scratch[0]), general(count, m, r.scratch[1]), general(count, m, r.scratch[2])
	for k := range count {
		clear(v.Data[k*m : k*m+k])
		v.Data[k*m+k] = 1
		copy(v.Data[k*m+k+1:(k+1)*m], rows.Data[k*rows.Stride+k+1:k*rows.Stride+m])
	}
	products, t := zeros(count, count), zeros(count, count)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, v, v, 0, products)
	for j, tau := range s.tau { // T_ij = −τ_j Σ_k T_ik v_kv_jᵀ
		t.Data[j*count+j] = tau
		for i := range j {
			sum := 0.0
			for k := i; k < j; k++ {
				sum += t.Data[i*count+k] * products.Data[k*count+j]
			}
			t.Data[i*count+j] = -tau * sum
		}
	}
	block := part(a, first, m, first, m)
	g := zeros(count, count)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, v, block, 0, va)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, t, va, 0, w)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, w, v, 0, products)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, products, t, 0, g)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, -0.5, g, v, 1, w)
	blas64.Syr2k(blas.Trans, -1, v, w, 1, blas64.Symmetric{N: m, Stride: a.Stride, Data: block.Data, Uplo: blas.Upper})
	mirror(ctx, block)
}

// mirror copies the upper half of a square matrix to the lower one.
func mirror(ctx context.Context, a blas64.General) {
	const block = 32
	blocks := (a.Rows + block - 1) / block
	parallel.Do(ctx, blocks, func(_, piece int) {
		i0 := piece * block
		i1 := min(i0+block, a.Rows)
		for j0 := i0; j0 < a.Rows; j0 += block {
			for i := i0; i < i1; i++ {
				row := a.Data[i*a.Stride : i*a.Stride+a.Rows]
				for j := max(i, j0); j < min(j0+block, a.Rows); j++ {
					a.Data[j*a.Stride+i] = row[j]
				}
			}
		}
	})
}

// factor factors I + ρB from its last row to its first, row by row; not ok means
// that it is numerically indefinite.
func (r *band) factor(ratio float64) (l blas64.TriangularBand, ok bool) {
	w := r.width
	m, inverse := make([]float64, len(r.b)), make([]float64, r.rank) // of the diagonal
	for i := range r.rank {
		row, b := m[i*(w+1):(i+1)*(w+1)], r.b[i*(w+1):]
		first := max(0, w-i) // of the row that is there
		for j := first; j < w; j++ {
			above := m[(i-w+j)*(w+1)+first+w-j:]
			row[j] = (ratio*b[j] - vec.Dot(row[first:j], above)) * inverse[i-w+j]
		}
		d := 1 + ratio*b[w] - vec.Dot(row[first:w], row[first:w])
		if !(d > 0) {
			return l, false
		}
		row[w] = math.Sqrt(d)
		inverse[i] = 1 / row[w]
	}
	return blas64.TriangularBand{N: r.rank, K: w, Stride: w + 1, Data: m, Uplo: blas.Lower, Diag: blas.NonUnit}, true
}

// corner returns Y for which rightᵀ(I + ρA)⁻¹right = YᵀY.
func (r *band) corner(l blas64.TriangularBand) blas64.General {
	size := min(r.columns, r.rank) // of the corner, the last rows of the factor
	last := zeros(size, size)
	for i := range size {
		row := l.Data[(r.rank-size+i)*l.Stride:][:l.Stride]
		copy(last.Data[i*size:], row[r.width-i:])
	}
	y := r.reversed(size)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, blas64.Triangular{N: size, Stride: size, Data: last.Data, Uplo: blas.Lower, Diag: blas.NonUnit}, y)
	return y
}

// solve returns (I + ρA)⁻¹right, rank×columns.
func (r *band) solve(l blas64.TriangularBand) []float64 {
	y, x := r.reversed(r.rank), zeros(r.rank, r.columns)
	lapack64.Pbtrs(l, y)
	for i := range r.rank {
		copy(x.Data[i*r.columns:(i+1)*r.columns], y.Data[(r.rank-1-i)*r.columns:])
	}
	work := make([]float64, 64*(max(1, r.columns)+64)) // the most that Ormlq has use for
	for k := len(r.steps) - 1; k >= 0; k-- {
		s := r.steps[k]
		lapack64.Ormlq(blas.Left, blas.Trans, s.v, s.tau, part(x, s.first, r.rank-s.first, 0, r.columns), work, len(work))
	}
	return x.Data
}

// reversed returns the first coordinates of Q·right, from the last to the first.
func (r *band) reversed(count int) blas64.General {
	y := zeros(count, r.columns)
	for c := range r.columns {
		for i := range min(c+1, r.rank) {
			y.Data[(count-1-i)*r.columns+c] = r.head.Data[c*r.head.Stride+i]
		}
	}
	return y
}

func zeros(rows, cols int) blas64.General { return general(rows, cols, make([]float64, rows*cols)) }
