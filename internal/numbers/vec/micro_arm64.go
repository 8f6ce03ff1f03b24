//go:build arm64 && !purego

package vec

import "unsafe"

func kernels32(p isa) *micro[float32] {
	if p == pureGo {
		return &go32
	}
	return &neon32
}

func kernels64(p isa) *micro[float64] {
	if p == pureGo {
		return &go64
	}
	return &neon64
}

// onSlices returns a kernel in assembly, which takes pointers, as one that takes slices.
func onSlices[T Float](kernel func(k int, a *T, rsa, csa int, b *T, rsb int, c *T, ldc int, alpha T, add bool)) tileFunc[T] {
	return func(k int, a []T, rsa, csa int, b []T, rsb int, c []T, ldc int, alpha T, add bool) {
		kernel(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	}
}

// Register tiles take 24 of 32 registers for sums, of float32 8×3 and of float64 4×6.
var neon32 = micro[float32]{
	mr: 8, nr: 12,
	products: tiles[float32]{
		{1, onSlices(tileF32x1NEON)},
		{2, onSlices(tileF32x2NEON)},
		{4, onSlices(tileF32x4NEON)},
		{8, onSlices(tileF32x8NEON)},
	},
	l1: tiles[float32]{
		{1, onSlices(l1F32x1NEON)},
		{2, onSlices(l1F32x2NEON)},
		{4, onSlices(l1F32x4NEON)},
		{8, onSlices(l1F32x8NEON)},
	},
	solve: func(a, inv, c []float32) { solveF32NEON(&a[0], &inv[0], &c[0]) },
	transpose4: func(n int, src []float32, ld int, dst []float32, ldd int) {
		transpose4F32NEON(n, &src[0], ld, &dst[0], ldd)
	},
	copyRows: func(n int, src []float32, ld int, dst []float32) { copyRowsF32NEON(n, &src[0], ld, &dst[0]) },
}

var neon64 = micro[float64]{
	mr: 4, nr: 12,
	products: tiles[float64]{
		{1, onSlices(tileF64x1NEON)},
		{2, onSlices(tileF64x2NEON)},
		{4, onSlices(tileF64x4NEON)},
	},
	l1: tiles[float64]{
		{1, onSlices(l1F64x1NEON)},
		{2, onSlices(l1F64x2NEON)},
		{4, onSlices(l1F64x4NEON)},
	},
	solve: func(a, inv, c []float64) { solveF64NEON(&a[0], &inv[0], &c[0]) },
	transpose4: func(n int, src []float64, ld int, dst []float64, ldd int) {
		transpose4F64NEON(n, &src[0], ld, &dst[0], ldd)
	},
	copyRows: func(n int, src []float64, ld int, dst []float64) { copyRowsF64NEON(n, &src[0], ld, &dst[0]) },
}

// Prefetch brings x into the second-level cache, while the caller goes on.
func Prefetch[T any](x []T) {
	const line = 64
	bytes := len(x) * int(unsafe.Sizeof(x[0]))
	prefetchL2NEON((bytes+line-1)/line, (*byte)(unsafe.Pointer(&x[0])))
}
