//go:build amd64 && !purego

package vec

import "unsafe"

func kernels32(p isa) *micro[float32] {
	switch p {
	case avx512:
		return &avx512x32
	case avx2:
		return &avx2x32
	}
	return &go32
}

func kernels64(p isa) *micro[float64] {
	switch p {
	case avx512:
		return &avx512x64
	case avx2:
		return &avx2x64
	}
	return &go64
}

func trans32(n int, src []float32, ld int, dst []float32, ldd int) {
	transpose4F32AVX2(n, &src[0], ld, &dst[0], ldd)
}

func trans64(n int, src []float64, ld int, dst []float64, ldd int) {
	transpose4F64AVX2(n, &src[0], ld, &dst[0], ldd)
}

// onSlices returns a kernel in assembly, which takes pointers, as one that takes slices.
func onSlices[T Float](kernel func(k int, a *T, rsa, csa int, b *T, rsb int, c *T, ldc int, alpha T, add bool)) tileFunc[T] {
	return func(k int, a []T, rsa, csa int, b []T, rsb int, c []T, ldc int, alpha T, add bool) {
		kernel(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	}
}

var avx512x32 = micro[float32]{
	mr: 12, nr: 32,
	products: tiles[float32]{
		{1, onSlices(tileF32x1AVX512)},
		{2, onSlices(tileF32x2AVX512)},
		{4, onSlices(tileF32x4AVX512)},
		{8, onSlices(tileF32x8AVX512)},
		{12, onSlices(tileF32x12AVX512)},
	},
	l1: tiles[float32]{
		{1, onSlices(l1F32x1AVX512)},
		{2, onSlices(l1F32x2AVX512)},
		{4, onSlices(l1F32x4AVX512)},
		{8, onSlices(l1F32x8AVX512)},
		{12, onSlices(l1F32x12AVX512)},
	},
	solve:      func(a, inv, c []float32) { solveF32AVX512(&a[0], &inv[0], &c[0]) },
	transpose4: trans32,
	copyRows: func(n int, src []float32, ld int, dst []float32) {
		copyRowsAVX512(n, (*byte)(unsafe.Pointer(&src[0])), 4*ld, (*byte)(unsafe.Pointer(&dst[0])))
	},
}

var avx512x64 = micro[float64]{
	mr: 12, nr: 16,
	products: tiles[float64]{
		{1, onSlices(tileF64x1AVX512)},
		{2, onSlices(tileF64x2AVX512)},
		{4, onSlices(tileF64x4AVX512)},
		{8, onSlices(tileF64x8AVX512)},
		{12, onSlices(tileF64x12AVX512)},
	},
	l1: tiles[float64]{
		{1, onSlices(l1F64x1AVX512)},
		{2, onSlices(l1F64x2AVX512)},
		{4, onSlices(l1F64x4AVX512)},
		{8, onSlices(l1F64x8AVX512)},
		{12, onSlices(l1F64x12AVX512)},
	},
	solve:      func(a, inv, c []float64) { solveF64AVX512(&a[0], &inv[0], &c[0]) },
	transpose4: trans64,
	copyRows: func(n int, src []float64, ld int, dst []float64) {
		copyRowsAVX512(n, (*byte)(unsafe.Pointer(&src[0])), 8*ld, (*byte)(unsafe.Pointer(&dst[0])))
	},
}

var avx2x32 = micro[float32]{
	mr: 6, nr: 16,
	products: tiles[float32]{
		{1, onSlices(tileF32x1AVX2)},
		{2, onSlices(tileF32x2AVX2)},
		{4, onSlices(tileF32x4AVX2)},
		{6, onSlices(tileF32x6AVX2)},
	},
	l1: tiles[float32]{
		{1, onSlices(l1F32x1AVX2)},
		{2, onSlices(l1F32x2AVX2)},
		{4, onSlices(l1F32x4AVX2)},
		{6, onSlices(l1F32x6AVX2)},
	},
	solve:      func(a, inv, c []float32) { solveF32AVX2(&a[0], &inv[0], &c[0]) },
	transpose4: trans32,
	copyRows: func(n int, src []float32, ld int, dst []float32) {
		copyRowsAVX2(n, (*byte)(unsafe.Pointer(&src[0])), 4*ld, (*byte)(unsafe.Pointer(&dst[0])))
	},
}

var avx2x64 = micro[float64]{
	mr: 6, nr: 8,
	products: tiles[float64]{
		{1, onSlices(tileF64x1AVX2)},
		{2, onSlices(tileF64x2AVX2)},
		{4, onSlices(tileF64x4AVX2)},
		{6, onSlices(tileF64x6AVX2)},
	},
	l1: tiles[float64]{
		{1, onSlices(l1F64x1AVX2)},
		{2, onSlices(l1F64x2AVX2)},
		{4, onSlices(l1F64x4AVX2)},
		{6, onSlices(l1F64x6AVX2)},
	},
	solve:      func(a, inv, c []float64) { solveF64AVX2(&a[0], &inv[0], &c[0]) },
	transpose4: trans64,
	copyRows: func(n int, src []float64, ld int, dst []float64) {
		copyRowsAVX2(n, (*byte)(unsafe.Pointer(&src[0])), 8*ld, (*byte)(unsafe.Pointer(&dst[0])))
	},
}

// Prefetch brings x into the second-level cache, while the caller goes on.
func Prefetch[T any](x []T) {
	const line = 64
	bytes := len(x) * int(unsafe.Sizeof(x[0]))
	prefetchL2((bytes+line-1)/line, (*byte)(unsafe.Pointer(&x[0])))
}
