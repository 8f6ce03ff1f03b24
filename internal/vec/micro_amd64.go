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

var avx512x32 = micro[float32]{
	mr: 12, nr: 32,
	tile: func(k int, a []float32, rsa, csa int, b []float32, rsb int, c []float32, ldc int, alpha float32, add bool) {
		tileF32AVX512(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	},
	l1: func(k int, a []float32, rsa, csa int, b []float32, rsb int, c []float32, ldc int, alpha float32, add bool) {
		l1F32AVX512(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	},
	solve:      func(a, inv, c []float32) { solveF32AVX512(&a[0], &inv[0], &c[0]) },
	transpose4: trans32,
	copyRows: func(n int, src []float32, ld int, dst []float32) {
		copyRowsAVX512(n, (*byte)(unsafe.Pointer(&src[0])), 4*ld, (*byte)(unsafe.Pointer(&dst[0])))
	},
}

var avx512x64 = micro[float64]{
	mr: 12, nr: 16,
	tile: func(k int, a []float64, rsa, csa int, b []float64, rsb int, c []float64, ldc int, alpha float64, add bool) {
		tileF64AVX512(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	},
	l1: func(k int, a []float64, rsa, csa int, b []float64, rsb int, c []float64, ldc int, alpha float64, add bool) {
		l1F64AVX512(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	},
	solve:      func(a, inv, c []float64) { solveF64AVX512(&a[0], &inv[0], &c[0]) },
	transpose4: trans64,
	copyRows: func(n int, src []float64, ld int, dst []float64) {
		copyRowsAVX512(n, (*byte)(unsafe.Pointer(&src[0])), 8*ld, (*byte)(unsafe.Pointer(&dst[0])))
	},
}

var avx2x32 = micro[float32]{
	mr: 6, nr: 16,
	tile: func(k int, a []float32, rsa, csa int, b []float32, rsb int, c []float32, ldc int, alpha float32, add bool) {
		tileF32AVX2(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	},
	l1: func(k int, a []float32, rsa, csa int, b []float32, rsb int, c []float32, ldc int, alpha float32, add bool) {
		l1F32AVX2(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	},
	solve:      func(a, inv, c []float32) { solveF32AVX2(&a[0], &inv[0], &c[0]) },
	transpose4: trans32,
	copyRows: func(n int, src []float32, ld int, dst []float32) {
		copyRowsAVX2(n, (*byte)(unsafe.Pointer(&src[0])), 4*ld, (*byte)(unsafe.Pointer(&dst[0])))
	},
}

var avx2x64 = micro[float64]{
	mr: 6, nr: 8,
	tile: func(k int, a []float64, rsa, csa int, b []float64, rsb int, c []float64, ldc int, alpha float64, add bool) {
		tileF64AVX2(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	},
	l1: func(k int, a []float64, rsa, csa int, b []float64, rsb int, c []float64, ldc int, alpha float64, add bool) {
		l1F64AVX2(k, &a[0], rsa, csa, &b[0], rsb, &c[0], ldc, alpha, add)
	},
	solve:      func(a, inv, c []float64) { solveF64AVX2(&a[0], &inv[0], &c[0]) },
	transpose4: trans64,
	copyRows: func(n int, src []float64, ld int, dst []float64) {
		copyRowsAVX2(n, (*byte)(unsafe.Pointer(&src[0])), 8*ld, (*byte)(unsafe.Pointer(&dst[0])))
	},
}

// Prefetch brings x into the second-level cache, while the caller goes on.
func Prefetch[T Float](x []T) {
	const line = 64
	bytes := len(x) * int(unsafe.Sizeof(x[0]))
	prefetchL2((bytes+line-1)/line, (*byte)(unsafe.Pointer(&x[0])))
}
