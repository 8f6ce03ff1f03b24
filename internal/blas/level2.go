package blas

import (
	"context"

	"sync"

	"gonum.org/v1/gonum/blas"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
)

// The routines here are bound by memory, so they use more than one thread
// only on large matrices; their parts do not depend on the threads.

// large is the number of elements of a matrix worth several threads.
const large = 1 << 17

// scratch is memory for vectors in unit stride.
type scratch struct{ x, y []float64 }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// zeros returns n zeros in s's memory.
func zeros(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	z := (*s)[:n]
	clear(z)
	return z
}

// gather returns the n elements of x with this increment in unit stride, in
// double precision.
func gather[T vec.Float](s *[]float64, n int, x []T, inc int) []float64 {
	if d, double := any(x).([]float64); double && inc == 1 {
		return d[:n]
	}
	z := zeros(s, n)
	i := start(n, inc)
	for j := range z {
		z[j] = float64(x[i])
		i += inc
	}
	return z
}

// start is where n elements with this increment begin.
func start(n, inc int) int { return max(0, -inc*(n-1)) }

// update computes y = alpha·z + beta·y; a beta of 0 overwrites.
func update[T vec.Float](alpha T, z []float64, beta T, y []T, inc int) {
	i := start(len(z), inc)
	a, b := float64(alpha), float64(beta)
	for _, v := range z {
		if b == 0 {
			y[i] = T(a * v)
		} else {
			y[i] = T(a*v + b*float64(y[i]))
		}
		i += inc
	}
}

// reaches says whether length numbers hold n elements with this increment.
func reaches(n, length, inc int) bool {
	return inc > 0 && length > (n-1)*inc || inc < 0 && length > (n-1)*-inc
}

// Dgemv computes y = alpha·op(A)·x + beta·y for an m×n matrix A.
func (b Implementation) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if !gemv(b.context(), tA, m, n, alpha, a, lda, x, incX, beta, y, incY) {
		b.Implementation.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// Sgemv computes y = alpha·op(A)·x + beta·y for an m×n matrix A, with sums in
// double precision.
func (b Implementation) Sgemv(tA blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int, beta float32, y []float32, incY int) {
	if !gemv(b.context(), tA, m, n, alpha, a, lda, x, incX, beta, y, incY) {
		b.Implementation.Sgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// gemv returns false for calls that are gonum's to answer.
func gemv[T vec.Float](ctx context.Context, tA blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T, incY int) bool {
	trans, ok := isTrans(tA)
	lenY, lenX := shape(trans, m, n)
	if !ok || m <= 0 || n <= 0 || m*n < smallMatrix || alpha == 0 || !fits(m, n, len(a), lda) || !reaches(lenX, len(x), incX) || !reaches(lenY, len(y), incY) {
		return false
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	v := gather(&s.x, lenX, x, incX)
	z := zeros(&s.y, lenY)
	// Parts start at multiples of 64, so that no element's sum depends on them.
	part := (lenY/8 + 64) &^ 63
	if m*n < large {
		part = lenY
	}
	parallel.Do(ctx, (lenY+part-1)/part, func(_, t int) {
		i := t * part
		z := z[i:min(i+part, lenY)]
		if trans {
			vec.MulTileTrans(m, len(z), a[i:], lda, z, v)
		} else {
			vec.MulTile(len(z), n, a[i*lda:], lda, z, v)
		}
	})
	update(alpha, z, beta, y, incY)
	return true
}

// Dsymv computes y = alpha·A·x + beta·y for a symmetric n×n matrix of which
// one triangle is read, once.
func (b Implementation) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if !symv(b.context(), ul, n, alpha, a, lda, x, incX, beta, y, incY) {
		b.Implementation.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// Ssymv is Dsymv for float32, with sums in double precision.
func (b Implementation) Ssymv(ul blas.Uplo, n int, alpha float32, a []float32, lda int, x []float32, incX int, beta float32, y []float32, incY int) {
	if !symv(b.context(), ul, n, alpha, a, lda, x, incX, beta, y, incY) {
		b.Implementation.Ssymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

const (
	symvParts = 4  // separate sums of a large matrix
	symvBlock = 32 // rows at a time
)

// symv returns false for calls that are gonum's to answer.
func symv[T vec.Float](ctx context.Context, ul blas.Uplo, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T, incY int) bool {
	up, ok := isUpper(ul)
	if !ok || n <= 0 || n*n < smallMatrix || alpha == 0 || !fits(n, n, len(a), lda) || !reaches(n, len(x), incX) || !reaches(n, len(y), incY) {
		return false
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	v := gather(&s.x, n, x, incX)
	parts := 1
	if n*n/2 >= large {
		parts = symvParts
	}
	z := zeros(&s.y, n*parts)
	parallel.Do(ctx, parts, func(_, t int) {
		z := z[t*n : (t+1)*n]
		for k := t; k*symvBlock < n; k += parts {
			symvRows(up, k*symvBlock, n, a, lda, v, z)
		}
	})
	for t := 1; t < parts; t++ {
		vec.Axpy(1, z[t*n:(t+1)*n], z[:n])
	}
	update(alpha, z[:n], beta, y, incY)
	return true
}

// symvRows adds the share of symvBlock rows from i on, and of their mirror
// image, to z.
func symvRows[T vec.Float](up bool, i, n int, a []T, lda int, x, z []float64) {
	m := min(symvBlock, n-i)
	var block [symvBlock * symvBlock]T
	for r := range m {
		for c := range r + 1 {
			v := a[(i+r)*lda+i+c]
			if up {
				v = a[(i+c)*lda+i+r]
			}
			block[r*symvBlock+c], block[c*symvBlock+r] = v, v
		}
	}
	vec.MulTile(m, m, block[:], symvBlock, z[i:], x[i:])
	switch j := i + m; {
	case up && j < n:
		vec.SymTile(m, n-j, a[i*lda+j:], lda, z[i:], z[j:], x[i:], x[j:])
	case !up && i > 0:
		vec.SymTile(m, i, a[i*lda:], lda, z[i:], z, x[i:], x)
	}
}

// Dger computes A += alpha·x·yᵀ for an m×n matrix A.
func (b Implementation) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	straight := incX == 1 && incY == 1
	if m <= 0 || n <= 0 || straight && m*n < smallUpdate || alpha == 0 || !fits(m, n, len(a), lda) || !reaches(m, len(x), incX) || !reaches(n, len(y), incY) {
		b.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	if incX < 0 || incY != 1 {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		if incX < 0 {
			x, incX = gather(&s.x, m, x, incX), 1
		}
		y = gather(&s.y, n, y, incY)
	}
	ctx, threads := b.context(), 1
	if m*n >= large {
		threads = parallel.Threads(ctx)
	}
	part := (m + threads - 1) / threads
	parallel.Do(ctx, threads, func(_, t int) {
		if i := t * part; i < m {
			vec.Ger(min(part, m-i), n, alpha, x[i*incX:], incX, y, a[i*lda:], lda)
		}
	})
}

// Ddot returns Σ x·y.
func (b Implementation) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if incX != 1 || incY != 1 || n <= 0 || len(x) < n || len(y) < n {
		return b.Implementation.Ddot(n, x, incX, y, incY)
	}
	return vec.Dot(x[:n], y[:n])
}

// Daxpy computes y += alpha·x.
func (b Implementation) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	if incX != 1 || incY != 1 || n <= 0 || alpha == 0 || len(x) < n || len(y) < n {
		b.Implementation.Daxpy(n, alpha, x, incX, y, incY)
		return
	}
	vec.Axpy(alpha, x[:n], y[:n])
}
