package vec

import (
	"context"

	"lapsvm/internal/numbers/parallel"
)

// packedTriangle is the size of a triangle that is packed and solved at once.
const packedTriangle = 72

// Trsm solves a triangular system with many right sides in place,
//
//	op(A)·X = alpha·B   (left)   or   X·op(A) = alpha·B   (not left).
//
// B is m×n and overwritten by X. A is the upper or lower triangle of an m×m or
// n×n matrix. trans transposes A, and unit gives it an implied diagonal of
// ones. With alpha = 0, X is 0. It works by halving: all but triangles of 72 is
// matrix products. Diagonal elements are inverted first and multiplied with.
// The bits do not depend on the threads. Once ctx is done it ends within a
// block or so and returns its error, B being undefined. Cost: m²·n/2 or m·n²/2
// multiply-adds. It panics on short slices or strides.
func Trsm[T Float](ctx context.Context, left, up, trans, unit bool, m, n int, alpha T, a []T, lda int, b []T, ldb int) error {
	size := n
	if left {
		size = m
	}
	check("Trsm", "a", size, size, len(a), lda)
	check("Trsm", "b", m, n, len(b), ldb)
	if m == 0 || n == 0 {
		return ctx.Err()
	}
	if alpha != 1 {
		(&product[T]{m: m, n: n, beta: alpha, c: b, ldc: ldb}).scale()
		if alpha == 0 {
			return ctx.Err()
		}
	}
	s := system[T]{a: view(a, lda, trans), unit: unit, b: b, ldb: ldb, left: left, lower: up == trans, kern: kernels[T]()}
	nrhs := m // independent right sides
	if left {
		nrhs = n
	} else {
		s.a = s.a.t()
		s.lower = !s.lower
	}
	threads := parallel.Threads(ctx)
	if float64(size)*float64(size)*float64(nrhs) < 1<<18 {
		threads = 1
	}
	// Right sides are independent: deal them out while they are plenty.
	chunk := roundUp(max(4*s.kern.nr, tasks(nrhs, 2*threads)), s.kern.nr)
	if count := tasks(nrhs, chunk); threads > 1 && count >= threads {
		single := parallel.WithLimit(ctx, 1)
		return parallel.Step(ctx, count, func(_, t int) {
			s := s
			s.first, s.nrhs = t*chunk, min(chunk, nrhs-t*chunk)
			s.solve(single, 0, size)
		})
	}
	s.nrhs = nrhs
	s.solve(ctx, 0, size)
	return ctx.Err()
}

// system is M·X = B for a triangular M, X and B being columns (left) or rows
// of b, the sides first … first+nrhs of them.
type system[T Float] struct {
	a           matrix[T]
	lower, unit bool
	b           []T
	ldb         int
	left        bool
	first, nrhs int
	kern        *micro[T]
}

// part views the unknowns i… as a matrix unknown × side.
func (s *system[T]) part(i int) matrix[T] {
	if s.left {
		return matrix[T]{s.b[i*s.ldb+s.first:], s.ldb, 1}
	}
	return matrix[T]{s.b[s.first*s.ldb+i:], 1, s.ldb}
}

// solve solves for the unknowns lo ≤ i < hi, unless ctx is done.
func (s *system[T]) solve(ctx context.Context, lo, hi int) {
	if ctx.Err() != nil {
		return
	}
	if hi-lo <= packedTriangle {
		s.solveBase(lo, hi)
		return
	}
	half := roundUp((hi-lo)/2, packedTriangle)
	if !s.lower {
		half = hi - lo - half
	}
	mid := lo + half
	// done are solved first, then taken out of rest's right sides.
	done0, done1, rest0, rest1 := lo, mid, mid, hi
	if !s.lower {
		done0, done1, rest0, rest1 = mid, hi, lo, mid
	}
	s.solve(ctx, done0, done1)
	g := product[T]{k: done1 - done0, alpha: -1, beta: 1, ldc: s.ldb}
	x := s.part(done0)
	m := s.a.from(rest0, done0)
	if s.left {
		g.m, g.n, g.a, g.b, g.c = rest1-rest0, s.nrhs, m, x, s.part(rest0).data
	} else {
		g.m, g.n, g.a, g.b, g.c = s.nrhs, rest1-rest0, x.t(), m.t(), s.part(rest0).data
	}
	g.run(ctx)
	s.solve(ctx, rest0, rest1)
}

// solveBase solves for a triangle's unknowns, in strips of nr sides. Unknowns
// are renumbered so that substitution runs forwards, and filled up to a
// multiple of mr by ones on the diagonal.
func (s *system[T]) solveBase(lo, hi int) {
	mr, nr := s.kern.mr, s.kern.nr
	size := hi - lo
	padded := roundUp(size, mr)
	at := func(i int) int { // place of unknown i
		if s.lower {
			return lo + i
		}
		return hi - 1 - i
	}
	ws := getSpace[T]()
	defer putSpace(ws)
	// Panel q of the triangle: columns 0 … (q+1)·mr, mr rows each.
	ws.tri = grow(ws.tri, mr*mr*(padded/mr)*(padded/mr+1)/2+padded)
	inv, tri := ws.tri[:padded], ws.tri[padded:]
	clear(tri)
	for i, offset := 0, 0; i < padded; i += mr {
		for r := i; r < i+mr; r++ {
			inv[r] = 1
			if r >= size {
				continue
			}
			row := s.a.from(at(r), 0)
			if !s.unit {
				inv[r] = 1 / row.data[at(r)*row.cs]
			}
			for j := range r {
				tri[offset+j*mr+r-i] = row.data[at(j)*row.cs]
			}
		}
		offset += (i + mr) * mr
	}
	ws.strip = grow(ws.strip, padded*nr)
	x := ws.strip
	tile := s.kern.products.forRows(mr).sum
	step, origin := 1, lo
	if !s.lower {
		step, origin = -1, hi-1
	}
	for j := 0; j < s.nrhs; j += nr {
		n := min(nr, s.nrhs-j)
		if n < nr || padded > size {
			clear(x)
		}
		s.exchange(x, origin, step, size, j, n, true)
		for i, offset := 0, 0; i < padded; i += mr {
			if i > 0 {
				tile(i, tri[offset:], 1, mr, x, nr, x[i*nr:], nr, -1, true)
			}
			s.kern.solve(tri[offset+i*mr:], inv[i:], x[i*nr:])
			offset += (i + mr) * mr
		}
		s.exchange(x, origin, step, size, j, n, false)
	}
}

// exchange copies n sides from j on between b and the strip x: unknown i lies
// at origin + i·step.
func (s *system[T]) exchange(x []T, origin, step, size, j, n int, load bool) {
	nr := s.kern.nr
	if s.left {
		for i := range size {
			row := s.b[(origin+i*step)*s.ldb+s.first+j:][:n]
			if load {
				copy(x[i*nr:], row)
			} else {
				copy(row, x[i*nr:])
			}
		}
		return
	}
	for c := range n {
		row := s.b[(s.first+j+c)*s.ldb:]
		q := origin
		if load {
			for i := c; i < size*nr; i += nr {
				x[i] = row[q]
				q += step
			}
		} else {
			for i := c; i < size*nr; i += nr {
				row[q] = x[i]
				q += step
			}
		}
	}
}
