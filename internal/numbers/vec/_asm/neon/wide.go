package main

import "fmt"

// rowFetcher fetches the rows that follow those of a kernel, a cache line at a time: the
// first line of each of n rows, then the second, wherever rows begin in memory. The n rows
// after them come into the second-level cache.
type rowFetcher struct {
	f                         *function
	n                         int
	ld, at, next, ahead, left reg
}

// newRowFetcher starts behind the last row.
func newRowFetcher(f *function, ld, last reg, n int) *rowFetcher {
	r := &rowFetcher{f, n, ld, f.gen(), f.gen(), f.gen(), f.gen()}
	f.ins("ADD", ld, last, r.at)
	f.ins("ADD", 64, r.at, r.next) // the first row's next line
	f.ins("MOVD", n, r.ahead)
	f.ins("MUL", ld, r.ahead)
	f.ins("MOVD", n, r.left)
	return r
}

// fetch emits what the columns of one vector have to fetch: of 16 bytes of n rows a quarter
// of their lines.
func (r *rowFetcher) fetch() {
	f := r.f
	address := f.gen()
	for range (r.n + 3) / 4 {
		f.fetch(r.at, 0)
		f.ins("ADD", r.ahead, r.at, address)
		f.fetchFar(address, 0)
		f.ins("ADD", r.ld, r.at)
		f.ins("SUBS", 1, r.left)
		label := f.unique("fetched")
		f.ins("BNE", label)
		f.ins("MOVD", r.n, r.left)
		f.ins("MOVD", r.next, r.at)
		f.ins("ADD", 64, r.next)
		f.label(label)
	}
	f.release(address)
}

// multi multiplies rows of a tile by wide panels: sixteen columns, interleaved, so that lanes
// run along them, of which a call takes so many vectors. Direct is Yi += T·Xj, trans Yj += Tᵀ·Xi.
func multi(p *program, t *elem, vectors, n int, direct, trans bool) {
	name, doc := "mulMulti", "Yi += T·Xj"
	switch {
	case direct && trans:
		name, doc = "symMulti", "Yi += T·Xj and Yj += Tᵀ·Xi"
	case trans:
		name, doc = "transMulti", "Yj += Tᵀ·Xi"
	}
	name = fmt.Sprintf("%s%d%sNEON", name, vectors*t.lanes, t.name)
	f := p.begin(name, fmt.Sprintf("func(cols int, t *%[1]s, ld int, yi, yj, xi, xj *%[1]s, stride int)", t.gotype),
		fmt.Sprintf("%s computes %s for %d rows of a tile", name, doc, n),
		fmt.Sprintf("and %d right sides, interleaved: X(i,c) = x[i·stride + c]; cols ≥ 1.", vectors*t.lanes))
	cols, ld, stride := f.arg("cols"), f.gen(), f.gen()
	row := []reg{f.arg("t")}
	f.argTo("ld", ld)
	f.bytes(t, ld)
	f.argTo("stride", stride)
	f.bytes(t, stride)
	for len(row) < n {
		r := f.gen()
		f.ins("ADD", ld, row[len(row)-1], r)
		row = append(row, r)
	}
	fetcher := newRowFetcher(f, ld, row[n-1], n)
	var xj, yj reg
	var acc, x [][]vec
	if direct {
		xj, acc = f.arg("xj"), f.grid(n, vectors)
		for _, a := range acc {
			f.zero(a...)
		}
	}
	if trans {
		yj, x = f.arg("yj"), f.grid(n, vectors)
		xi := f.arg("xi")
		for i := range x {
			f.load(xi, 0, x[i]...)
			if i+1 < n {
				f.ins("ADD", stride, xi)
			}
		}
		f.release(xi)
	}
	e := f.vecs(n)
	// column multiplies lane k of the rows.
	column := func(k int) {
		if direct {
			xs := f.vecs(min(vectors, 2))
			for v := 0; v < vectors; v += len(xs) {
				f.load(xj, 16*v, xs...)
				for i := range e {
					for w := range xs {
						f.by(fmlaBy, t, acc[i][v+w], xs[w], e[i], k)
					}
				}
			}
			f.ins("ADD", stride, xj)
			f.drop(xs...)
		}
		if trans {
			// Two chains of additions, as one is twice as long.
			ys, second := f.vecs(vectors), f.vecs(vectors)
			f.load(yj, 0, ys...)
			for i := range e {
				for v := range ys {
					switch {
					case i == 1:
						f.by(fmulBy, t, second[v], x[i][v], e[i], k)
					case i%2 == 1:
						f.by(fmlaBy, t, second[v], x[i][v], e[i], k)
					default:
						f.by(fmlaBy, t, ys[v], x[i][v], e[i], k)
					}
				}
			}
			for v := range ys {
				f.do(fadd, t, ys[v], ys[v], second[v])
			}
			f.store(yj, 0, ys...)
			f.ins("ADD", stride, yj)
			f.drop(ys...)
			f.drop(second...)
		}
	}
	whole := f.gen()
	f.ins("LSR", log2(t.lanes), cols, whole)
	f.ins("AND", t.lanes-1, cols)
	f.ins("CBZ", whole, "rest")
	f.repeat("loop", whole, func() {
		fetcher.fetch()
		for i := range e {
			f.ins("FMOVQ.P", at(row[i], 16), e[i].f())
		}
		for k := range t.lanes {
			column(k)
		}
	})
	f.label("rest")
	f.ins("CBZ", cols, "sums")
	f.repeat("single", cols, func() {
		for i := range e {
			f.ins(t.move+".P", at(row[i], t.size), e[i].f())
		}
		column(0)
	})
	f.label("sums")
	if direct {
		yi := f.arg("yi")
		old := f.vecs(2)
		for i := range acc {
			for v := 0; v < vectors; v += 2 {
				f.load(yi, 16*v, old...)
				f.do(fadd, t, acc[i][v], acc[i][v], old[0])
				f.do(fadd, t, acc[i][v+1], acc[i][v+1], old[1])
			}
			f.store(yi, 0, acc[i]...)
			if i+1 < n {
				f.ins("ADD", stride, yi)
			}
		}
	}
	f.end()
}

func widePanels(p *program) {
	for _, t := range []*elem{f32, f64} {
		multi(p, t, 2, 4, true, true)
		multi(p, t, 4, 6, true, false)
		multi(p, t, 2, 6, false, true)
	}
}
