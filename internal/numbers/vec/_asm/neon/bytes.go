package main

import "fmt"

// Products of bytes come in two kinds. An instruction of an extension that most processors
// have adds the products of four bytes each to 32-bit numbers. Without the extension pairs of
// products of 16 bits are added to 32-bit numbers.

// dotOfBytes is an inner product of two rows of bytes.
func dotOfBytes(p *program, extended bool) {
	const step = 64
	name := "dotBytesNEON"
	if extended {
		name = "dotBytesUDOT"
	}
	f := p.begin(name, "func(n int, x, y *uint8) int32",
		fmt.Sprintf("%s returns Σ x·y over n numbers, a multiple of %d and at most 32768.", name, step))
	n, x, y := f.arg("n"), f.arg("x"), f.arg("y")
	acc, xs, ys := f.vecs(4), f.vecs(4), f.vecs(4)
	f.zero(acc...)
	low, high := f.vec(), f.vec()
	f.steps(n, step, func() {
		f.load(x, 0, xs...)
		f.load(y, 0, ys...)
		for i, s := range acc {
			if extended {
				f.dotBytes(s, xs[i], ys[i])
				continue
			}
			f.mulBytes(false, low, xs[i], ys[i])
			f.mulBytes(true, high, xs[i], ys[i])
			f.addPairs(s, low)
			f.addPairs(s, high)
		}
		f.ins("ADD", step, x)
		f.ins("ADD", step, y)
	})
	for _, s := range acc[1:] {
		f.ins("VADD", s.as("S4"), acc[0].as("S4"), acc[0].as("S4"))
	}
	f.ins("VADDV", acc[0].as("S4"), acc[0])
	sum := f.gen()
	f.ins("VMOV", acc[0].lane(f32, 0), sum)
	f.result(sum)
	f.end()
}

// tileOfBytes is a register tile of products of rows of bytes, many or a single one: of the
// extension 6×16, else 4×8, with sums of the first two and the last two bytes of four. The
// products have factors, or are left as the sums that they are.
func tileOfBytes(p *program, extended, single, factors bool) {
	const early = 4096 // bytes
	way, rows, vectors := "NEON", 4, 2
	if extended {
		way, rows, vectors = "UDOT", 6, 4
	}
	if single {
		rows = 1
	}
	var f *function
	if factors {
		name := "tileBytes" + way
		f = p.begin(name, "func(steps int, a *uint8, lda int, b *uint8, dst *float32, ldd int, add *int32, rows, cols *float32)",
			fmt.Sprintf("%s sets dst(i,j) = (Σ a(i)·b(j) + add(i))·(rows(i)·cols(j)) for a tile of %d×%d,", name, rows, 4*vectors),
			"summed over an even number of steps of 4 bytes. The steps lie lda bytes apart in a for each i,",
			"and step after step in b for all j.")
	} else {
		name := fmt.Sprintf("sumBytesx%d%s", rows, way)
		f = p.begin(name, "func(steps int, a *uint8, lda int, b *uint8, dst *int32, ldd int, add *int32)",
			fmt.Sprintf("%s is tileBytes%s without factors, for a tile of %d×%d.", name, way, rows, 4*vectors))
	}
	steps, lda, b := f.arg("steps"), f.arg("lda"), f.arg("b")
	row := []reg{f.arg("a")}
	for len(row) < rows {
		r := f.gen()
		f.ins("ADD", lda, row[len(row)-1], r)
		row = append(row, r)
	}
	var acc, half [][]vec
	acc = f.grid(rows, vectors)
	if !extended {
		half = f.grid(rows, vectors)
	}
	for _, g := range [][][]vec{acc, half} {
		for _, s := range g {
			f.zero(s...)
		}
	}
	as, bs := f.vecs(rows), f.vecs(2)
	f.ins("LSR", 1, steps)
	f.repeat("loop", steps, func() {
		for line := 0; single && line < 32*vectors; line += 64 {
			f.fetch(b, early+line) // a single row passes b as fast as it comes
		}
		for i := range as {
			f.ins("FMOVD.P", at(row[i], 8), as[i].f())
		}
		for u := range 2 {
			for v := 0; v < vectors; v += 2 {
				f.ins("FLDPQ.P", at(b, 32), pair(bs[0], bs[1]))
				for i := range as {
					if extended {
						f.dotBytesBy(acc[i][v], bs[0], as[i], u)
						f.dotBytesBy(acc[i][v+1], bs[1], as[i], u)
						continue
					}
					x, y := f.vec(), f.vec()
					f.ins("VDUP", as[i].lane(f32, u), x.as("S4"))
					for w := range bs {
						f.mulBytes(false, y, bs[w], x)
						f.addPairs(acc[i][v+w], y)
						f.mulBytes(true, y, bs[w], x)
						f.addPairs(half[i][v+w], y)
					}
					f.drop(x, y)
				}
			}
		}
	})
	f.drop(as...)
	f.drop(bs...)
	dst, ldd := f.arg("dst"), f.bytes(f32, f.arg("ldd"))
	add, more := f.arg("add"), f.vec()
	var factor vec
	var multiples []vec
	var factorOf reg
	if factors {
		factorOf, factor, multiples = f.arg("rows"), f.vec(), f.vecs(vectors)
		f.load(f.arg("cols"), 0, multiples...)
	}
	for i, sums := range acc {
		f.splat(f32, add, more)
		f.ins("ADD", 4, add)
		if factors {
			f.splat(f32, factorOf, factor)
			f.ins("ADD", 4, factorOf)
		}
		for v, s := range sums {
			if !extended {
				f.ins("VADDP", half[i][v].as("S4"), s.as("S4"), s.as("S4"))
			}
			f.ins("VADD", more.as("S4"), s.as("S4"), s.as("S4"))
			if factors {
				by := f.vec()
				f.do2(scvtf, f32, s, s)
				f.do(fmul, f32, by, factor, multiples[v])
				f.do(fmul, f32, s, s, by)
				f.drop(by)
			}
		}
		f.store(dst, 0, sums...)
		if i+1 < rows {
			f.ins("ADD", ldd, dst)
		}
	}
	f.end()
}

func bytesOf(p *program) {
	for _, extended := range []bool{true, false} {
		dotOfBytes(p, extended)
		tileOfBytes(p, extended, false, true)
		tileOfBytes(p, extended, false, false)
		tileOfBytes(p, extended, true, false)
	}
}
