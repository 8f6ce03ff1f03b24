package main

import "fmt"

// dot covers inner products and squared distances.
func dot(p *program, difference bool) {
	const count = 8 // vectors of sums: what is read is what takes time
	name, formula := "dotNEON", "Σ x·y"
	if difference {
		name, formula = "squaredDistanceNEON", "Σ (x − y)²"
	}
	f := p.begin(name, "func(n int, x, y *float64) float64",
		fmt.Sprintf("%s returns %s over n numbers, a multiple of %d.", name, formula, 2*count))
	n, x, y := f.arg("n"), f.arg("x"), f.arg("y")
	acc, xs, ys := f.vecs(count), f.vecs(count), f.vecs(count)
	f.zero(acc...)
	f.steps(n, 2*count, func() {
		f.load(x, 0, xs...)
		f.load(y, 0, ys...)
		for i, s := range acc {
			if difference {
				f.do(fsub, f64, xs[i], xs[i], ys[i])
				ys[i] = xs[i]
			}
			f.do(fmla, f64, s, xs[i], ys[i])
		}
		f.ins("ADD", 16*count, x)
		f.ins("ADD", 16*count, y)
	})
	for half := count / 2; half > 0; half /= 2 {
		for i := range half {
			f.do(fadd, f64, acc[i], acc[i], acc[i+half])
		}
	}
	f.do(faddp, f64, acc[0], acc[0], acc[0])
	f.result(acc[0])
	f.end()
}

// axpby covers the scaled additions.
func axpby(p *program, scaled bool) {
	name, formula := "axpyNEON", "y += a·x"
	signature := "func(n int, a float64, x, y *float64)"
	if scaled {
		name, formula = "axpbyNEON", "y = a·x + b·y"
		signature = "func(n int, a float64, x *float64, b float64, y *float64)"
	}
	f := p.begin(name, signature, fmt.Sprintf("%s computes %s for n numbers, a multiple of 4.", name, formula))
	n, x, y, a := f.arg("n"), f.arg("x"), f.arg("y"), f.argSplat("a")
	var b vec
	if scaled {
		b = f.argSplat("b")
	}
	xs, ys := f.vecs(2), f.vecs(2)
	f.steps(n, 4, func() {
		f.load(x, 0, xs...)
		f.load(y, 0, ys...)
		for i := range xs {
			if scaled {
				f.do(fmul, f64, ys[i], ys[i], b)
			}
			f.do(fmla, f64, ys[i], xs[i], a)
		}
		f.store(y, 0, ys...)
		f.ins("ADD", 32, x)
		f.ins("ADD", 32, y)
	})
	f.end()
}

// ger is a rank-one update; its rows may be short.
func ger(p *program, t *elem) {
	name := "ger" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(m, n int, alpha %[1]s, x *%[1]s, incx int, y, a *%[1]s, lda int)", t.gotype),
		name+" computes a[i·lda + j] += alpha·x[i·incx]·y[j] for i < m, j < n; m, n ≥ 1.")
	m, n, x, incx := f.arg("m"), f.arg("n"), f.arg("x"), f.bytes(t, f.arg("incx"))
	y, a, lda := f.arg("y"), f.arg("a"), f.bytes(t, f.arg("lda"))
	alpha := f.argSplat("alpha")
	whole, rest := f.gen(), f.gen()
	f.ins("LSR", log2(t.lanes), n, whole)
	f.ins("AND", t.lanes-1, n, rest)
	c, v, w := f.vec(), f.vec(), f.vec()
	count, from, to := f.gen(), f.gen(), f.gen()
	f.repeat("row", m, func() {
		f.splat(t, x, c)
		f.do(fmul, t, c, c, alpha)
		f.ins("ADD", incx, x)
		f.ins("MOVD", y, from)
		f.ins("MOVD", a, to)
		f.ins("ADD", lda, a)
		f.ins("CBZ", whole, "tail")
		f.ins("MOVD", whole, count)
		f.repeat("loop", count, func() {
			f.ins("FMOVQ.P", at(from, 16), w.f())
			f.load(to, 0, v)
			f.do(fmla, t, v, w, c)
			f.ins("FMOVQ.P", v.f(), at(to, 16))
		})
		f.label("tail")
		f.ins("CBZ", rest, "next")
		f.ins("MOVD", rest, count)
		f.repeat("single", count, func() {
			f.ins(t.move+".P", at(from, t.size), w.f())
			f.ins(t.move, at(to, 0), v.f())
			f.do(fmla, t, v, w, c)
			f.ins(t.move+".P", v.f(), at(to, t.size))
		})
		f.label("next")
	})
	f.end()
}

// prefetch asks for cache lines ahead of their use.
func prefetch(p *program) {
	f := p.begin("prefetchL2NEON", "func(n int, p *byte)",
		"prefetchL2NEON asks for the n > 0 cache lines from p on to be brought into the second-level cache.")
	n, address := f.arg("n"), f.arg("p")
	f.repeat("loop", n, func() {
		f.fetchFar(address, 0)
		f.ins("ADD", 64, address)
	})
	f.end()
}

func level1(p *program) {
	for _, other := range []bool{false, true} {
		dot(p, other)
		axpby(p, other)
	}
	ger(p, f32)
	ger(p, f64)
	prefetch(p)
}
