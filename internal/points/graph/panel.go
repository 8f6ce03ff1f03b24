package graph

import (
	"context"

	"lapsvm/internal/numbers/vec"
)

// MulPanel computes dst = Lᵖ·src for panels of width columns, a width of [vec.SparseWidth], which lie
// interleaved: element i·width + c is row i of column c. They have the bits that
// [Laplacian.Mul] gives their columns. What it leaves in dst is undefined once ctx is done.
func (l *Laplacian) MulPanel(ctx context.Context, width int, dst, src []float64) {
	if len(l.scratch) == 0 {
		l.scratch = append(l.scratch, [2][]float64{})
	}
	(&product{l, &l.scratch[0], width}).power(ctx, dst, src)
}

// Polynomial is a polynomial of the Laplacian L, of which a power is l, computed in
// float32:
//
//	q(L) = Σ_k a_k T_k(2L/λ − I)
//
// with the Chebyshev polynomials T_k, and λ a bound on the eigenvalues of L.
type Polynomial struct {
	l             *Laplacian
	coefficients  []float32
	diagonal, off []float32 // of 4L/λ − 2I
	scratch       []float32
}

// Polynomial returns that of Chebyshev coefficients, at least two.
func (l *Laplacian) Polynomial(coefficients []float64, bound float64) *Polynomial {
	q := &Polynomial{l: l, diagonal: make([]float32, l.Len()), off: make([]float32, len(l.off))}
	for i, v := range l.diagonal {
		q.diagonal[i] = float32(4*v/bound - 2)
	}
	for k, v := range l.off {
		q.off[k] = float32(4 * v / bound)
	}
	for _, a := range coefficients {
		q.coefficients = append(q.coefficients, float32(a))
	}
	return q
}

// Products returns how many products with L it takes.
func (q *Polynomial) Products() int { return len(q.coefficients) - 1 }

// Mul computes dst = q(L)·x for a panel of width columns, a width of [vec.StepWidth], by Clenshaw's recurrence. It uses
// scratch memory of the polynomial. Cost: a product with L per coefficient but one.
func (q *Polynomial) Mul(ctx context.Context, width int, dst, x []float32) {
	size := (q.l.Len() + q.l.w.halo.len()) * width
	if len(q.scratch) < 2*size {
		q.scratch = make([]float32, 2*size)
	}
	q.mulIn(ctx, width, dst, x, q.scratch)
}

// MulIn is Mul with other scratch memory, twice as long as x. Of ranks it is Mul, as their panels have room for the halo.
func (q *Polynomial) MulIn(ctx context.Context, width int, dst, x, scratch []float32) {
	if q.l.w.halo != nil {
		q.Mul(ctx, width, dst, x)
		return
	}
	q.mulIn(ctx, width, dst, x, scratch)
}

func (q *Polynomial) mulIn(ctx context.Context, width int, dst, x, scratch []float32) {
	size := (q.l.Len() + q.l.w.halo.len()) * width
	b1, b2 := scratch[:size], scratch[size:2*size]
	last := len(q.coefficients) - 1
	q.l.pieces(ctx, func(i0, i1 int) {
		from, to := i0*width, i1*width
		clear(b2[from:to])
		for i, v := range x[from:to] {
			b1[from+i] = q.coefficients[last] * v
		}
	})
	step := func(k int, factor float32) {
		if q.l.w.halo.fill32(ctx, b1, width) != nil {
			return // ctx is done
		}
		q.l.pieces(ctx, func(i0, i1 int) {
			vec.SparseStep(width, b2, x, b1, q.diagonal, q.l.w.Start, q.l.w.Index, q.off, factor, q.coefficients[k], i0, i1)
		})
		b1, b2 = b2, b1
	}
	for k := last - 1; k > 0; k-- {
		step(k, 1) // b_k = 2(2L/λ − I)b_{k+1} − b_{k+2} + a_k x
	}
	step(0, 0.5) // q(L)x = (2L/λ − I)b_1 − b_2 + a_0 x
	q.l.pieces(ctx, func(i0, i1 int) { copy(dst[i0*width:i1*width], b1[i0*width:i1*width]) })
}
