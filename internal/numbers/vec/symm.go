package vec

import (
	"context"

	"lapsvm/internal/numbers/parallel"
)

// symmSide is the side of the diagonal blocks of [Symm], which stand whole while it works:
// a multiple of the sides of all register tiles of float64.
const symmSide = 48

// Symm computes C = B·A for a symmetric A, n×n, of which it reads the upper half; B and C
// are k×n. It writes into the lower half, near the diagonal, what stands above. C must not
// overlap A or B. The bits of the result do not depend on the threads. Once ctx is done it
// ends within a block or so and returns its error, C being undefined. Cost: k·n²
// multiply-adds and packing, of B once for all. It panics on short slices or strides.
//
// Columns i0 … i1 of C, those of a block of the diagonal, are
//
//	(A(i0…i1, i0…n) · B(·, i0…n)ᵀ)ᵀ + B(·, 0…i0) · A(0…i0, i0…i1)
func Symm(ctx context.Context, k, n int, b []float64, ldb int, a []float64, lda int, c []float64, ldc int) error {
	check("Symm", "b", k, n, len(b), ldb)
	check("Symm", "a", n, n, len(a), lda)
	check("Symm", "c", k, n, len(c), ldc)
	if k == 0 || n == 0 {
		return ctx.Err()
	}
	kern, shared := kernels[float64](), getSpace[float64]()
	defer putSpace(shared)
	s := symm{
		kern: kern, n: n, k: k, step: depthStep(n), rows: roundUp(k, kern.mr), cols: roundUp(k, kern.nr),
		a: view(a, lda, false), c: c, ldc: ldc,
	}
	shared.left, shared.right = grow(shared.left, s.rows*n), grow(shared.right, s.cols*n)
	s.left, s.right = shared.left, shared.right
	within := ctx
	if float64(n)*float64(n)*float64(k) < 1<<18 {
		within = alone
	}
	err := parallel.Step(within, tasks(n, s.step), func(_, t int) {
		p := t * s.step
		depth, part := min(s.step, n-p), view(b, ldb, false).from(0, p)
		kern.pack(s.left[s.rows*p:], kern.mr, k, depth, part)
		kern.pack(s.right[s.cols*p:], kern.nr, k, depth, part)
	})
	if err == nil {
		_ = parallel.Step(within, tasks(n, symmSide), func(_, t int) { s.columns(t * symmSide) })
	}
	return ctx.Err()
}

// symm is a product with B packed for both sides, depth after depth.
type symm struct {
	kern        *micro[float64]
	n, k, step  int
	rows, cols  int // of B packed as left matrix, and of its transpose as right one
	left, right []float64
	a           matrix[float64]
	c           []float64
	ldc         int
}

// columns computes those from i0 on, of one block.
func (s *symm) columns(i0 int) {
	mr, nr, m := s.kern.mr, s.kern.nr, min(symmSide, s.n-i0)
	s.whole(i0, m)
	ws := getSpace[float64]()
	defer putSpace(ws)
	ws.strip = grow(ws.strip, m*s.cols)
	b := block[float64]{kern: s.kern, tiles: s.kern.products, alpha: 1, c: ws.strip, ldc: s.cols, buf: ws.tile[:]}
	for p := i0; p < s.n; p += b.depth {
		start := p / s.step * s.step // of the packed depth
		packed := min(s.step, s.n-start)
		b.depth, b.add = start+packed-p, p > i0
		rows := s.a.from(i0, p)
		b.left = panels[float64]{data: rows.data, s: rows.rs, sk: 1, step: mr * rows.rs}
		if rest := m % mr; rest > 0 {
			ws.left = grow(ws.left, mr*b.depth)
			b.left.edge = ws.left
			s.kern.pack(b.left.edge, mr, rest, b.depth, rows.from(m-rest, 0))
		}
		b.right = panels[float64]{data: s.right[s.cols*start+(p-start)*nr:], s: 1, sk: nr, step: nr * packed}
		b.run(m, s.cols)
	}
	Transpose(m, s.k, ws.strip, s.cols, s.c[i0:], s.ldc)
	b.c, b.ldc, b.add = s.c[i0:], s.ldc, true
	for p := 0; p < i0; p += s.step {
		packed := min(s.step, s.n-p)
		b.depth = min(packed, i0-p)
		b.left = panels[float64]{data: s.left[s.rows*p:], s: 1, sk: mr, step: mr * packed}
		ws.right = grow(ws.right, roundUp(m, nr)*b.depth)
		s.kern.pack(ws.right, nr, m, b.depth, s.a.from(p, i0).t())
		b.right = panels[float64]{data: ws.right, s: 1, sk: nr, step: nr * b.depth}
		b.run(s.k, m)
	}
}

// whole mirrors a block of the diagonal, m rows from i0 on.
func (s *symm) whole(i0, m int) {
	const side = 8
	a, ld := s.a.data, s.a.rs
	for end := i0 + m; i0 < end; i0 += side {
		next := min(i0+side, end)
		for i := i0; i < next; i++ {
			for j := i + 1; j < next; j++ {
				a[j*ld+i] = a[i*ld+j]
			}
		}
		if next < end {
			s.kern.transpose(side, end-next, a[i0*ld+next:], ld, a[next*ld+i0:], ld)
		}
	}
}
