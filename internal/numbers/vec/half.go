package vec

import "context"

// Gemmt computes one half, diagonal included, of a square product
//
//	C = alpha·op(A)·op(B) + beta·C
//
// such as a symmetric one of two factors; op(A) is n×k, op(B) k×n. The other half of C is
// not touched. The rest is as for Gemm; cost: n²·k/2 multiply-adds.
func Gemmt[T Float](ctx context.Context, up, transA, transB bool, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) error {
	if transA {
		check("Gemmt", "a", k, n, len(a), lda)
	} else {
		check("Gemmt", "a", n, k, len(a), lda)
	}
	if transB {
		check("Gemmt", "b", n, k, len(b), ldb)
	} else {
		check("Gemmt", "b", k, n, len(b), ldb)
	}
	check("Gemmt", "c", n, n, len(c), ldc)
	g := product[T]{m: n, n: n, k: k, alpha: alpha, beta: beta, a: view(a, lda, transA), b: view(b, ldb, transB), c: c, ldc: ldc, tri: lower}
	if up {
		g.tri = upper
	}
	g.run(ctx)
	return ctx.Err()
}

// Syrk computes one half, diagonal included, of the symmetric product
//
//	C = alpha·op(A)·op(A)ᵀ + beta·C
//
// where op(A) is n×k: A itself, or with trans the transpose of a k×n matrix. The other half of C is not touched. The rest is
// as for Gemm; cost: n²·k/2 multiply-adds.
func Syrk[T Float](ctx context.Context, up, trans bool, n, k int, alpha T, a []T, lda int, beta T, c []T, ldc int) error {
	if trans {
		check("Syrk", "a", k, n, len(a), lda)
	} else {
		check("Syrk", "a", n, k, len(a), lda)
	}
	check("Syrk", "c", n, n, len(c), ldc)
	g := product[T]{m: n, n: n, k: k, alpha: alpha, beta: beta, a: view(a, lda, trans), b: view(a, lda, !trans), c: c, ldc: ldc, tri: lower}
	if up {
		g.tri = upper
	}
	g.run(ctx)
	return ctx.Err()
}
