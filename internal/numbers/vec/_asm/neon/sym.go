package main

import "fmt"

// prefetchAhead is how many bytes ahead of the next rows the second-level cache is filled.
const prefetchAhead = 8192

// symRows multiplies a few rows of a tile with one vector, and in the same
// pass their transpose with another, four columns at a time.
func symRows(p *program, t *elem, n int, kind string) {
	direct, transposed := kind != "trans", kind != "mul"
	doc := map[string]string{"mul": "yi += T·xj", "trans": "yj += Tᵀ·xi", "sym": "yi += T·xj and yj += Tᵀ·xi"}[kind]
	name := fmt.Sprintf("%sRows%d%sNEON", kind, n, t.name)
	const columns = 4
	f := p.begin(name, fmt.Sprintf("func(cols int, t *%s, ld int, yi, yj, xi, xj *float64)", t.gotype),
		fmt.Sprintf("%s computes %s for %d rows of a tile;", name, doc, n),
		fmt.Sprintf("cols is a multiple of %d. It fetches the rows that follow.", columns))
	cols, ld := f.arg("cols"), f.gen()
	row := []reg{f.arg("t")}
	f.argTo("ld", ld)
	f.bytes(t, ld)
	for len(row) < n {
		r := f.gen()
		f.ins("ADD", ld, row[len(row)-1], r)
		row = append(row, r)
	}
	// What is fetched are the rows after these, and into the second-level cache what lies
	// further ahead, both in the order of memory, not of use.
	ahead := f.gen()
	f.ins("ADD", ld, row[n-1], ahead)
	var xj, yj reg
	var acc [][]vec
	var x []vec // of the rows, two a vector
	if direct {
		xj, acc = f.arg("xj"), f.grid(n, 2)
		for _, a := range acc {
			f.zero(a...)
		}
	}
	if transposed {
		yj = f.arg("yj")
		xi := f.arg("xi")
		x = f.vecs((n + 1) / 2)
		if n == 1 {
			f.ins("FMOVD", at(xi, 0), x[0].f())
		} else {
			f.load(xi, 0, x...)
		}
		f.release(xi)
	}
	step := columns * t.size
	fetched := 0
	f.steps(cols, columns, func() {
		var xs, ys, second []vec
		if direct {
			xs = f.vecs(2)
			f.ins("FLDPQ.P", at(xj, 8*columns), pair(xs[0], xs[1]))
		}
		if transposed {
			ys, second = f.vecs(2), f.vecs(2)
			f.load(yj, 0, ys...)
		}
		for i := range n {
			for ; fetched < (i+1)*step; fetched += 64 {
				f.fetch(ahead, fetched)
				f.fetchFar(ahead, prefetchAhead+fetched)
			}
			e := f.vecs(2)
			if t == f32 {
				f.ins("FMOVQ.P", at(row[i], step), e[1].f())
				f.widen(false, e[0], e[1])
				f.widen(true, e[1], e[1])
			} else {
				f.ins("FLDPQ.P", at(row[i], step), pair(e[0], e[1]))
			}
			for v := range e {
				if direct {
					f.do(fmla, f64, acc[i][v], e[v], xs[v])
				}
				switch {
				case !transposed:
				case i == 1: // two chains, as one of eight additions takes long
					f.by(fmulBy, f64, second[v], e[v], x[i/2], i%2)
				case i%2 == 1:
					f.by(fmlaBy, f64, second[v], e[v], x[i/2], i%2)
				default:
					f.by(fmlaBy, f64, ys[v], e[v], x[i/2], i%2)
				}
			}
			f.drop(e...)
		}
		f.ins("ADD", n*step, ahead)
		if transposed {
			for v := range ys {
				if n > 1 {
					f.do(fadd, f64, ys[v], ys[v], second[v])
				}
			}
			f.ins("FSTPQ.P", pair(ys[0], ys[1]), at(yj, 8*columns))
		}
		f.drop(append(append(xs, ys...), second...)...)
	})
	if direct {
		yi := f.arg("yi")
		for i := 0; i < n; i += 2 {
			for _, a := range acc[i:min(i+2, n)] {
				f.do(fadd, f64, a[0], a[0], a[1])
			}
			sum, old := acc[i][0], f.vec()
			if n == 1 {
				f.do(faddp, f64, sum, sum, sum)
				f.ins("FMOVD", at(yi, 0), old.f())
				f.ins("FADDD", old.f(), sum.f())
				f.ins("FMOVD", sum.f(), at(yi, 0))
				continue
			}
			f.do(faddp, f64, sum, sum, acc[i+1][0])
			f.load(yi, 8*i, old)
			f.do(fadd, f64, sum, sum, old)
			f.store(yi, 8*i, sum)
			f.drop(old)
		}
	}
	f.end()
}

func symmetric(p *program) {
	for _, kind := range []string{"sym", "mul", "trans"} {
		for _, t := range []*elem{f32, f64} {
			symRows(p, t, 8, kind)
			symRows(p, t, 1, kind)
		}
	}
}
