package main

import "fmt"

// A narrow panel holds columns of panelRows numbers, one column after the other.
// The kernels here multiply pieceRows rows of a tile of panelRows columns with 4, 5
// or 8 of its columns, lanes running along the rows of the tile.
const (
	panelRows = 192
	pieceRows = 12
	fetches   = 72 // places of 4 byte numbers that a call fetches, half a piece
)

var panelWidths = []int{4, 5, 8}

// fetcher spreads the fetching of the rows that follow evenly over a kernel. They come
// into the first-level cache, and what lies further ahead into the second.
type fetcher struct {
	f         *function
	places    int
	ahead, by reg
}

// newFetcher starts behind the rows of the piece at base.
func newFetcher(f *function, t *elem, base, ld reg) *fetcher {
	h := &fetcher{f, fetches * t.size / 4, f.arg("ahead"), f.arg("by")}
	f.ins("ADD", base, h.ahead)
	next := f.gen()
	f.ins("MOVD", pieceRows, next)
	f.ins("MADD", next, h.ahead, ld, h.ahead)
	f.release(next)
	return h
}

// fetch emits what step k of each unrolled steps has to fetch; steps are all
// steps of the kernel.
func (h *fetcher) fetch(k, unrolled, steps int) {
	n := h.places * unrolled / steps
	if n*steps != h.places*unrolled {
		panic(h.f.name + ": places do not divide among steps")
	}
	for range (k+1)*n/unrolled - k*n/unrolled {
		h.f.fetch(h.ahead, 0)
		h.f.fetchFar(h.ahead, 24576)
		h.f.ins("ADD", h.by, h.ahead)
	}
}

// panelSums computes sums of rows times columns, of so many rows at once as leave room for
// what they are multiplied with.
func panelSums(p *program, t *elem, width int) {
	rows := map[int]int{4: 4, 5: 4, 8: 3}[width]
	const unrolled = 8
	name := fmt.Sprintf("panelSums%d%sNEON", width, t.name)
	f := p.begin(name, fmt.Sprintf("func(t *%[1]s, ld int, y *float64, x *%[1]s, ahead, by int)", t.gotype),
		fmt.Sprintf("%s adds T·X to Y for %d rows of a tile of %d columns: Y(i,c) = y[i·%d + c], X(j,c) = x[c·%[3]d + j].",
			name, pieceRows, panelRows, width),
		fmt.Sprintf("It fetches %d places, by bytes apart, from ahead bytes into the rows that follow.", fetches*t.size/4))
	base, ld, y, x := f.arg("t"), f.bytes(t, f.arg("ld")), f.arg("y"), f.arg("x")
	h := newFetcher(f, t, base, ld)
	row := []reg{f.gen()}
	for len(row) < rows {
		row = append(row, f.gen())
	}
	xj, groups, steps := f.gen(), f.gen(), f.gen()
	acc, e, xc := f.grid(rows, width), f.vecs(rows), f.vec()
	total := panelRows / t.lanes
	f.ins("MOVD", pieceRows/rows, groups)
	f.repeat("group", groups, func() {
		f.ins("MOVD", base, row[0])
		for i := 1; i < rows; i++ {
			f.ins("ADD", ld, row[i-1], row[i])
		}
		f.ins("ADD", ld, row[rows-1], base)
		f.ins("MOVD", x, xj)
		for _, a := range acc {
			f.zero(a...)
		}
		f.ins("MOVD", total/unrolled, steps)
		f.repeat("loop", steps, func() {
			for k := range unrolled {
				h.fetch(k, unrolled, pieceRows/rows*total)
				for i := range e {
					f.ins("FMOVQ.P", at(row[i], 16), e[i].f())
				}
				for c := range width {
					f.load(xj, c*panelRows*t.size+16*k, xc)
					for i := range e {
						f.do(fmla, t, acc[i][c], e[i], xc)
					}
				}
			}
			f.ins("ADD", 16*unrolled, xj)
		})
		// The lanes of four or two sums are added up, in the order of memory.
		var sums []vec
		for _, a := range acc {
			sums = append(sums, a...)
		}
		old := e[:2]
		for offset := 0; len(sums) > 0; offset += 8 * t.lanes {
			s := sums[:t.lanes]
			sums = sums[t.lanes:]
			f.do(faddp, t, s[0], s[0], s[1])
			f.load(y, offset, old[:t.lanes/2]...)
			if t == f64 {
				f.do(fadd, f64, s[0], s[0], old[0])
				f.store(y, offset, s[0])
				continue
			}
			f.do(faddp, t, s[2], s[2], s[3])
			f.do(faddp, t, s[0], s[0], s[2])
			f.widen(true, s[1], s[0])
			f.widen(false, s[0], s[0])
			f.do(fadd, f64, s[0], s[0], old[0])
			f.do(fadd, f64, s[1], s[1], old[1])
			f.store(y, offset, s[0], s[1])
		}
		f.ins("ADD", 8*rows*width, y)
	})
	f.end()
}

// panelTrans computes the transpose of rows times columns, as many columns of
// the tile at once as registers hold.
func panelTrans(p *program, t *elem, width int) {
	strip := map[int]int{4: 4, 5: 4, 8: 2}[width] // vectors
	name := fmt.Sprintf("panelTrans%d%sNEON", width, t.name)
	f := p.begin(name, fmt.Sprintf("func(t *%[1]s, ld int, y, x *%[1]s, ahead, by int)", t.gotype),
		fmt.Sprintf("%s adds Tᵀ·X to Y for %d rows of a tile of %d columns: Y(j,c) = y[c·%[3]d + j], X(i,c) = x[c·%[3]d + i].",
			name, pieceRows, panelRows),
		fmt.Sprintf("It fetches %d places, by bytes apart, from ahead bytes into the rows that follow.", fetches*t.size/4))
	base, ld, y, x := f.arg("t"), f.bytes(t, f.arg("ld")), f.arg("y"), f.arg("x")
	h := newFetcher(f, t, base, ld)
	row, strips := f.gen(), f.gen()
	acc, e, xs := f.grid(width, strip), f.vecs(strip), f.vecs(width)
	count := panelRows / t.lanes / strip
	f.ins("MOVD", count, strips)
	f.repeat("strip", strips, func() {
		f.ins("MOVD", base, row)
		for c := range acc {
			f.load(y, c*panelRows*t.size, acc[c]...)
		}
		for k := range pieceRows {
			h.fetch(k, pieceRows, count*pieceRows)
			f.load(row, 0, e...)
			if k+1 < pieceRows {
				f.ins("ADD", ld, row)
			}
			for c := range width {
				if k%t.lanes == 0 {
					f.load(x, (c*panelRows+k)*t.size, xs[c])
				}
				for v := range e {
					f.by(fmlaBy, t, acc[c][v], e[v], xs[c], k%t.lanes)
				}
			}
		}
		for c := range acc {
			f.store(y, c*panelRows*t.size, acc[c]...)
		}
		f.ins("ADD", 16*strip, y)
		f.ins("ADD", 16*strip, base)
	})
	f.end()
}

func panels(p *program) {
	for _, t := range []*elem{f32, f64} {
		for _, width := range panelWidths {
			panelSums(p, t, width)
			panelTrans(p, t, width)
		}
	}
}
