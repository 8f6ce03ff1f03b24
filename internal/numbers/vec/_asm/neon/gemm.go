package main

import "fmt"

// tileColumns is the width of a register tile. Of float32 it has 8 rows, of float64 4:
// both take 24 vectors for sums and leave 8 for what is summed.
const tileColumns = 12

func tileRows(t *elem) int { return 2 * t.lanes }

// sum is what a register tile sums up over k: terms of a value of A, in all lanes of x, and a
// vector of B.
type sum struct {
	name, doc string // of the function: its first word, and what it says of the shapes
	fused     bool   // whether the terms are products, which take x from a lane too
	term      func(f *function, t *elem, acc, b, x vec)
}

// products is Σ a·b.
var products = sum{"tile", "%s sets C = α·A·B, or adds it to C, for %d×k, k×%d and %d×%d matrices;", true,
	func(f *function, t *elem, acc, b, x vec) { f.do(fmla, t, acc, b, x) }}

// manhattan is Σ |a − b|.
var manhattan = sum{"l1", "%s sets C = α·D, or adds it to C, D(i,j) = Σ_p |A(i,p) − B(p,j)|, for %d×k, k×%d and %d×%d matrices;", false,
	func(f *function, t *elem, acc, b, x vec) {
		d := f.vec()
		f.do(fabd, t, d, b, x)
		f.do(fadd, t, acc, acc, d)
		f.drop(d)
	}}

// tile is a register tile of such a sum, one pass over k.
func tile(p *program, t *elem, op sum, rows int) {
	name := fmt.Sprintf("%s%sx%dNEON", op.name, t.name, rows)
	f := p.begin(name,
		fmt.Sprintf("func(k int, a *%[1]s, rsa, csa int, b *%[1]s, rsb int, c *%[1]s, ldc int, alpha %[1]s, add bool)", t.gotype),
		fmt.Sprintf(op.doc, name, rows, tileColumns, rows, tileColumns),
		"A(i,p) = a[i·rsa + p·csa], B(p,j) = b[p·rsb + j], C(i,j) = c[i·ldc + j]; k ≥ 1.")
	k, a, rsa := f.arg("k"), f.arg("a"), f.bytes(t, f.arg("rsa"))
	csa := f.bytes(t, f.arg("csa"))
	b, rsb := f.arg("b"), f.bytes(t, f.arg("rsb"))
	c, ldc := f.arg("c"), f.bytes(t, f.arg("ldc"))
	acc := f.grid(rows, tileColumns/t.lanes)
	for _, row := range acc {
		f.zero(row...)
	}
	// The rows of C are fetched while the sums are formed.
	last := f.gen()
	f.ins("MOVD", c, last)
	for i := range rows {
		f.fetch(last, 0)
		f.fetch(last, tileColumns*t.size-8)
		if i+1 < rows {
			f.ins("ADD", ldc, last)
		}
	}
	f.release(last)
	bs := f.vecs(tileColumns / t.lanes)
	// Few rows pass B as fast as it comes: they fetch it, 1<<early steps ahead.
	const early = 5
	ahead := f.gen()
	if rows < tileRows(t) {
		f.ins("ADD", fmt.Sprintf("%v<<%d", rsb, early), b, ahead)
	}
	step := func(terms func()) {
		if rows < tileRows(t) {
			f.fetch(ahead, 0)
			f.ins("ADD", rsb, ahead)
		}
		f.load(b, 0, bs...)
		terms()
		f.ins("ADD", rsb, b)
	}
	if op.fused && rows > 1 {
		// Rows that lie one beside the other are read by whole vectors.
		f.ins("CMP", t.size, rsa)
		f.ins("BNE", "apart")
		f.repeat("beside", k, func() {
			step(func() {
				as := f.vecs((rows + t.lanes - 1) / t.lanes)
				if rows < t.lanes {
					f.ins("FMOVD", at(a, 0), as[0].f())
				} else {
					f.load(a, 0, as...)
				}
				for i := range acc {
					for v, s := range acc[i] {
						f.by(fmlaBy, t, s, bs[v], as[i/t.lanes], i%t.lanes)
					}
				}
				f.ins("ADD", csa, a)
				f.drop(as...)
			})
		})
		f.ins("B", "sums")
		f.label("apart")
	}
	row := []reg{a}
	for len(row) < rows {
		r := f.gen()
		f.ins("ADD", rsa, row[len(row)-1], r)
		row = append(row, r)
	}
	f.repeat("loop", k, func() {
		step(func() {
			x := f.vec()
			for i := range acc {
				f.ins("VLD1R.P", fmt.Sprintf("(%v)(%v)", row[i], csa), fmt.Sprintf("[%s]", x.typed(t)))
				for v, s := range acc[i] {
					op.term(f, t, s, bs[v], x)
				}
			}
			f.drop(x)
		})
	})

	f.label("sums")
	f.drop(bs...)
	alpha := f.argSplat("alpha")
	f.argTo("add", k)
	f.ins("CBZ", k, "store")
	for i, sums := range acc {
		for v, s := range sums {
			old := f.vec()
			f.load(c, 16*v, old)
			f.do(fmul, t, s, s, alpha)
			f.do(fadd, t, s, old, s)
			f.drop(old)
		}
		f.store(c, 0, sums...)
		if i+1 < rows {
			f.ins("ADD", ldc, c)
		}
	}
	f.ins("RET")
	f.label("store")
	for i, sums := range acc {
		for _, s := range sums {
			f.do(fmul, t, s, s, alpha)
		}
		f.store(c, 0, sums...)
		if i+1 < rows {
			f.ins("ADD", ldc, c)
		}
	}
	f.end()
}

// solve is forward substitution with one packed lower triangle on a tile held in
// registers.
func solve(p *program, t *elem) {
	rows := tileRows(t)
	name := "solve" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(a, inv, c *%s)", t.gotype),
		fmt.Sprintf("%s overwrites the %d×%d tile C with the solution X of L·X = C;", name, rows, tileColumns),
		fmt.Sprintf("L(i,j) = a[j·%d + i] for i > j, 1/L(i,i) = inv[i], C(i,j) = c[i·%d + j].", rows, tileColumns))
	a, inv, c := f.arg("a"), f.arg("inv"), f.arg("c")
	x := f.grid(rows, tileColumns/t.lanes)
	for i := range x {
		f.load(c, i*tileColumns*t.size, x[i]...)
	}
	column, factor := f.vecs(2), f.vec()
	for i := range x {
		f.splat(t, inv, factor)
		f.ins("ADD", t.size, inv)
		f.load(a, i*rows*t.size, column...)
		for v := range x[i] {
			f.do(fmul, t, x[i][v], x[i][v], factor)
		}
		f.store(c, i*tileColumns*t.size, x[i]...)
		for r := i + 1; r < rows; r++ {
			for v := range x[i] {
				f.by(fmlsBy, t, x[r][v], x[i][v], column[r/t.lanes], r%t.lanes)
			}
		}
	}
	f.end()
}

// transpose4 interleaves four rows, the slow half of packing.
func transpose4(p *program, t *elem) {
	name := "transpose4" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(n int, src *%[1]s, ld int, dst *%[1]s, ldd int)", t.gotype),
		name+" sets dst[p·ldd + r] = src[r·ld + p] for r < 4 and p < n, n a multiple of 4.")
	n := f.arg("n")
	src := []reg{f.arg("src"), f.gen(), f.gen(), f.gen()}
	ld, dst, ldd := f.bytes(t, f.arg("ld")), f.arg("dst"), f.bytes(t, f.arg("ldd"))
	for i := 1; i < 4; i++ {
		f.ins("ADD", ld, src[i-1], src[i])
	}
	r, u, v := f.vecs(4), f.vecs(4), f.vecs(4)
	zip := func(shape string, d1, d2, n, m vec) {
		f.ins("VZIP1", m.as(shape), n.as(shape), d1.as(shape))
		f.ins("VZIP2", m.as(shape), n.as(shape), d2.as(shape))
	}
	f.steps(n, t.lanes, func() {
		for i := range r {
			f.ins("FMOVQ.P", at(src[i], 16), r[i].f())
		}
		if t == f64 {
			zip("D2", u[0], u[2], r[0], r[1])
			zip("D2", u[1], u[3], r[2], r[3])
			for i := 0; i < 4; i += 2 {
				f.store(dst, 0, u[i], u[i+1])
				f.ins("ADD", ldd, dst)
			}
			return
		}
		zip("S4", u[0], u[1], r[0], r[1]) // 00 10 01 11, 02 12 03 13
		zip("S4", u[2], u[3], r[2], r[3])
		zip("D2", v[0], v[1], u[0], u[2])
		zip("D2", v[2], v[3], u[1], u[3])
		for i := range v {
			f.store(dst, 0, v[i])
			f.ins("ADD", ldd, dst)
		}
	})
	f.end()
}

// copyRows packs rows of a tile's width.
func copyRows(p *program, t *elem) {
	name := "copyRows" + t.name + "NEON"
	f := p.begin(name, fmt.Sprintf("func(n int, src *%[1]s, ld int, dst *%[1]s)", t.gotype),
		fmt.Sprintf("%s copies n rows of %d numbers, ld apart, one behind the other.", name, tileColumns))
	n, src, ld, dst := f.arg("n"), f.arg("src"), f.bytes(t, f.arg("ld")), f.arg("dst")
	vs := f.vecs(tileColumns / t.lanes)
	ahead := f.gen()
	f.ins("ADD", fmt.Sprintf("%v<<3", ld), src, ahead)
	f.steps(n, 1, func() {
		f.fetch(ahead, 0)
		f.fetch(ahead, tileColumns*t.size-8)
		f.ins("ADD", ld, ahead)
		f.load(src, 0, vs...)
		f.ins("ADD", ld, src)
		f.store(dst, 0, vs...)
		f.ins("ADD", tileColumns*t.size, dst)
	})
	f.end()
}

func matrices(p *program) {
	for _, t := range []*elem{f32, f64} {
		for _, s := range []sum{products, manhattan} {
			for rows := 1; rows <= tileRows(t); rows *= 2 {
				tile(p, t, s, rows)
			}
		}
		solve(p, t)
		transpose4(p, t)
		copyRows(p, t)
	}
}
