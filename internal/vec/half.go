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

// Syr2k computes one half, diagonal included, of the symmetric product
//
//	C = alpha·op(A)·op(B)ᵀ + alpha·op(B)·op(A)ᵀ + beta·C
//
// for two matrices of the same shape; the rest is as for Syrk, at twice the
// cost.
func Syr2k[T Float](ctx context.Context, up, trans bool, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) error {
	rows, cols := n, k
	if trans {
		rows, cols = k, n
	}
	check("Syr2k", "a", rows, cols, len(a), lda)
	check("Syr2k", "b", rows, cols, len(b), ldb)
	check("Syr2k", "c", n, n, len(c), ldc)
	if n == 0 || k == 0 {
		return Syrk(ctx, up, trans, n, k, alpha, a, lda, beta, c, ldc)
	}
	g := product[T]{m: n, n: n, k: k, alpha: alpha, beta: beta, a: view(a, lda, trans), b: view(b, ldb, !trans), c: c, ldc: ldc, tri: lower}
	if up {
		g.tri = upper
	}
	if k <= shallowPair {
		// One product of twice the depth, [A B]·[B A]ᵀ, passes C once.
		ws := getSpace[T]()
		defer putSpace(ws)
		ws.pair = grow(ws.pair, 3*n*k)
		row := cols
		if !trans {
			row *= 3
		}
		for part, x := range []struct {
			data []T
			ld   int
		}{{a, lda}, {b, ldb}, {a, lda}} {
			to := ws.pair[part*rows*cols:]
			if !trans {
				to = ws.pair[part*cols:]
			}
			for i := range rows {
				copy(to[i*row:i*row+cols], x.data[i*x.ld:])
			}
		}
		next := rows * cols
		if !trans {
			next = cols
		}
		g.k, g.a, g.b = 2*k, view(ws.pair, row, trans), view(ws.pair[next:], row, !trans)
		g.run(ctx)
		return ctx.Err()
	}
	g.run(ctx)
	g.a, g.b, g.beta = view(b, ldb, trans), view(a, lda, !trans), 1
	g.run(ctx)
	return ctx.Err()
}

// shallowPair is the largest depth at which C, not the product, takes the time.
const shallowPair = 128
