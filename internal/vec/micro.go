package vec

import "math"

// Float is an element type of matrices.
type Float interface{ float32 | float64 }

// micro is one path's kernels for matrix products. The tables are constant;
// they hold function values because one product calls a kernel a few thousand
// times, each for microseconds, on buffers that live on the heap anyway.
type micro[T Float] struct {
	mr, nr int // shape of a register tile

	// tile sets the mr×nr tile C = α·A·B or adds it to C, with
	// A(i,p) = a[i·rsa + p·csa], B(p,j) = b[p·rsb + j], p < k, k ≥ 1.
	tile tileFunc[T]

	// l1 is tile with |A(i,p) − B(p,j)| in place of the products.
	l1 tileFunc[T]

	// solve overwrites the mr×nr tile C, rows one after the other, with X of
	// L·X = C; L(i,j) = a[j·mr + i] for i > j, inv[i] = 1/L(i,i).
	solve func(a, inv, c []T)

	// transpose4 sets dst[p·ldd + r] = src[r·ld + p] for r < 4, p < n; n is a
	// multiple of 4. It is nil where loops in Go do as well.
	transpose4 func(n int, src []T, ld int, dst []T, ldd int)

	// copyRows sets dst[p·nr + r] = src[p·ld + r] for r < nr, p < n. It too may
	// be nil.
	copyRows func(n int, src []T, ld int, dst []T)
}

type tileFunc[T Float] func(k int, a []T, rsa, csa int, b []T, rsb int, c []T, ldc int, alpha T, add bool)

// goTile is the product's kernel in Go, four rows and columns at a time.
func goTile[T Float](k int, a []T, rsa, csa int, b []T, rsb int, c []T, ldc int, alpha T, add bool) {
	for i := 0; i < goMR; i += 2 {
		var s00, s01, s02, s03, s10, s11, s12, s13 T
		a0, a1 := a[i*rsa:], a[(i+1)*rsa:]
		ia, ib := 0, 0
		for range k {
			x0, x1 := a0[ia], a1[ia]
			y := b[ib : ib+4 : ib+4]
			s00 += x0 * y[0]
			s01 += x0 * y[1]
			s02 += x0 * y[2]
			s03 += x0 * y[3]
			s10 += x1 * y[0]
			s11 += x1 * y[1]
			s12 += x1 * y[2]
			s13 += x1 * y[3]
			ia += csa
			ib += rsb
		}
		c0, c1 := c[i*ldc:i*ldc+4], c[(i+1)*ldc:(i+1)*ldc+4]
		if !add {
			clear(c0)
			clear(c1)
		}
		// The conversions keep compilers from fusing, so that a tile that is
		// added by way of a buffer gives the same bits.
		c0[0] += T(alpha * s00)
		c0[1] += T(alpha * s01)
		c0[2] += T(alpha * s02)
		c0[3] += T(alpha * s03)
		c1[0] += T(alpha * s10)
		c1[1] += T(alpha * s11)
		c1[2] += T(alpha * s12)
		c1[3] += T(alpha * s13)
	}
}

// goL1 is the kernel of the distances in Go, a row and four columns at a time.
func goL1[T Float](k int, a []T, rsa, csa int, b []T, rsb int, c []T, ldc int, alpha T, add bool) {
	for i := range goMR {
		var s0, s1, s2, s3 T
		row := a[i*rsa:]
		ia, ib := 0, 0
		for range k {
			x := row[ia]
			y := b[ib : ib+4 : ib+4]
			s0 += abs(x - y[0])
			s1 += abs(x - y[1])
			s2 += abs(x - y[2])
			s3 += abs(x - y[3])
			ia += csa
			ib += rsb
		}
		out := c[i*ldc : i*ldc+4]
		if !add {
			clear(out)
		}
		out[0] += T(alpha * s0)
		out[1] += T(alpha * s1)
		out[2] += T(alpha * s2)
		out[3] += T(alpha * s3)
	}
}

func abs[T Float](x T) T { return T(math.Abs(float64(x))) }

// goSolve is the triangular kernel in Go.
func goSolve[T Float](a, inv, c []T) {
	const nr = goNR
	for i := range goMR {
		x := c[i*nr : i*nr+nr]
		for j := range x {
			x[j] *= inv[i]
		}
		for r := i + 1; r < goMR; r++ {
			l := a[i*goMR+r]
			y := c[r*nr : r*nr+nr]
			for j, v := range x {
				y[j] -= l * v
			}
		}
	}
}

const goMR, goNR = 4, 4

var (
	go32 = micro[float32]{mr: goMR, nr: goNR, tile: goTile[float32], l1: goL1[float32], solve: goSolve[float32]}
	go64 = micro[float64]{mr: goMR, nr: goNR, tile: goTile[float64], l1: goL1[float64], solve: goSolve[float64]}
)

// kernels returns the tables of the path in use.
func kernels[T Float]() *micro[T] {
	var z T
	if _, single := any(z).(float32); single {
		return any(kernels32(path())).(*micro[T])
	}
	return any(kernels64(path())).(*micro[T])
}
