package vec

import "math"

// Float is an element type of matrices.
type Float interface{ float32 | float64 }

// micro is one path's kernels for matrix products. The tables are constant;
// they hold function values because one product calls a kernel a few thousand
// times, each for microseconds, on buffers that live on the heap anyway.
type micro[T Float] struct {
	mr, nr int // shape of the largest register tile

	// products set a tile C = α·A·B or add it to C, with
	// A(i,p) = a[i·rsa + p·csa], B(p,j) = b[p·rsb + j], p < k, k ≥ 1.
	products tiles[T]

	// l1 is products with |A(i,p) − B(p,j)| in place of the products.
	l1 tiles[T]

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

// tiles are the register tiles of nr columns for one sum over p: those for few
// rows, fewest first, and at last the one for mr rows. An element has the same
// bits from all of them. Those for few rows fetch B themselves.
type tiles[T Float] []registerTile[T]

type registerTile[T Float] struct {
	rows int
	sum  tileFunc[T]
}

// forRows returns the smallest tile with the given number of rows, at most mr.
func (t tiles[T]) forRows(rows int) *registerTile[T] {
	i := 0
	for t[i].rows < rows {
		i++
	}
	return &t[i]
}

type tileFunc[T Float] func(k int, a []T, rsa, csa int, b []T, rsb int, c []T, ldc int, alpha T, add bool)

// goRow is a kernel in Go: one row of four columns.
type goRow[T Float] func(k int, a []T, csa int, b []T, rsb int, c []T, alpha T, add bool)

// goTile computes the given number of rows one after the other.
func goTile[T Float](rows int, row goRow[T]) tileFunc[T] {
	return func(k int, a []T, rsa, csa int, b []T, rsb int, c []T, ldc int, alpha T, add bool) {
		for i := range rows {
			row(k, a[i*rsa:], csa, b, rsb, c[i*ldc:], alpha, add)
		}
	}
}

// goProducts is the row of the products.
func goProducts[T Float](k int, a []T, csa int, b []T, rsb int, c []T, alpha T, add bool) {
	var s0, s1, s2, s3 T
	ia, ib := 0, 0
	for range k {
		x := a[ia]
		y := b[ib : ib+4 : ib+4]
		s0 += x * y[0]
		s1 += x * y[1]
		s2 += x * y[2]
		s3 += x * y[3]
		ia += csa
		ib += rsb
	}
	goStore(c, s0, s1, s2, s3, alpha, add)
}

// goL1 is the row of the distances.
func goL1[T Float](k int, a []T, csa int, b []T, rsb int, c []T, alpha T, add bool) {
	var s0, s1, s2, s3 T
	ia, ib := 0, 0
	for range k {
		x := a[ia]
		y := b[ib : ib+4 : ib+4]
		s0 += abs(x - y[0])
		s1 += abs(x - y[1])
		s2 += abs(x - y[2])
		s3 += abs(x - y[3])
		ia += csa
		ib += rsb
	}
	goStore(c, s0, s1, s2, s3, alpha, add)
}

// goStore sets four elements of C, or adds to them. The conversions keep
// compilers from fusing, so that a tile that is added by way of a buffer gives
// the same bits.
func goStore[T Float](c []T, s0, s1, s2, s3, alpha T, add bool) {
	c = c[:4]
	if !add {
		clear(c)
	}
	c[0] += T(alpha * s0)
	c[1] += T(alpha * s1)
	c[2] += T(alpha * s2)
	c[3] += T(alpha * s3)
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
	go32 = goMicro[float32]()
	go64 = goMicro[float64]()
)

// goMicro is the table of the kernels in Go, which need no padded rows.
func goMicro[T Float]() micro[T] {
	m := micro[T]{mr: goMR, nr: goNR, solve: goSolve[T]}
	for rows := 1; rows <= goMR; rows++ {
		m.products = append(m.products, registerTile[T]{rows, goTile(rows, goProducts[T])})
		m.l1 = append(m.l1, registerTile[T]{rows, goTile(rows, goL1[T])})
	}
	return m
}

// kernels returns the tables of the path in use.
func kernels[T Float]() *micro[T] {
	var z T
	if _, single := any(z).(float32); single {
		return any(kernels32(path())).(*micro[T])
	}
	return any(kernels64(path())).(*micro[T])
}
