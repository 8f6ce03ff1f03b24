package main

import "fmt"

// rowsAhead is how many entries ahead rows of a panel are fetched.
const rowsAhead = 32

// sparseRows multiplies rows of a sparse matrix with a panel of a few vectors.
// Products and sums are rounded one by one, as the Go path rounds them.
//
// Rows of src are fetched rowsAhead entries before they are multiplied, entry last at most.
//
// As a step of a recurrence it makes factor times them, plus a times the rows of x, less
// what dst holds.
func sparseRows(p *program, t *elem, width int, step bool) {
	name, args := "sparseRows", ""
	doc := []string{"start, diagonal, row and dst begin at the first of them."}
	if step {
		name, args = "sparseStep", fmt.Sprintf(", x *%[1]s, factor, a %[1]s", t.gotype)
		doc = []string{"start, diagonal, row, dst and x begin at the first of them. It writes", "factor times the product, plus a·x, less what dst holds."}
	}
	name = fmt.Sprintf("%s%d%sNEON", name, width, t.name)
	f := p.begin(name, fmt.Sprintf("func(rows, last int, start *int, index *int32, value, diagonal, row, src, dst *%s%s)", t.gotype, args),
		append([]string{fmt.Sprintf("%s computes rows > 0 rows of a product with %d columns;", name, width)}, doc...)...)
	rows, last, start := f.arg("rows"), f.arg("last"), f.arg("start")
	index, value, diagonal := f.arg("index"), f.arg("value"), f.arg("diagonal")
	row, src, dst := f.arg("row"), f.arg("src"), f.arg("dst")
	var x reg
	var factor, a vec
	if step {
		x, factor, a = f.arg("x"), f.argSplat("factor"), f.argSplat("a")
	}
	bytes := width * t.size
	k, end, j, ahead := f.gen(), f.gen(), f.gen(), f.gen()
	// entries and values point at the index and the value of entry k.
	entries, values, size := f.gen(), f.gen(), f.gen()
	f.ins("MOVD", bytes, size)
	acc, other, by := f.vecs(width/t.lanes), f.vecs(width/t.lanes), f.vec()
	f.ins("MOVD", at(start, 0), k)
	f.ins("ADD", fmt.Sprintf("%v<<2", k), index, entries)
	f.ins("ADD", fmt.Sprintf("%v<<%d", k, t.shift), value, values)
	f.repeat("row", rows, func() {
		f.ins("MOVD", at(start, 8), end)
		f.ins("ADD", 8, start)
		f.splat(t, diagonal, by)
		f.ins("ADD", t.size, diagonal)
		f.load(row, 0, acc...)
		f.ins("ADD", bytes, row)
		for _, s := range acc {
			f.do(fmul, t, s, s, by)
		}
		f.ins("CMP", end, k)
		f.ins("BGE", "sums")
		f.label("loop")
		// The row of src of an entry further on is fetched.
		f.ins("ADD", rowsAhead, k, ahead)
		f.ins("CMP", last, ahead)
		f.ins("CSEL", "LT", ahead, last, ahead)
		f.ins("MOVW", fmt.Sprintf("(%v)(%v<<2)", index, ahead), j)
		f.ins("MADD", size, src, j, j)
		for line := 0; line < bytes; line += 64 {
			f.fetch(j, line)
		}
		f.ins("MOVW.P", at(entries, 4), j)
		f.ins("MADD", size, src, j, j)
		f.ins("VLD1R.P", at(values, t.size), fmt.Sprintf("[%s]", by.typed(t)))
		f.load(j, 0, other...)
		for i, s := range acc {
			f.do(fmul, t, other[i], other[i], by)
			f.do(fadd, t, s, s, other[i])
		}
		f.ins("ADD", 1, k)
		f.ins("CMP", end, k)
		f.ins("BLT", "loop")
		f.label("sums")
		if step {
			f.load(x, 0, other...)
			f.ins("ADD", bytes, x)
			for i, s := range acc {
				f.do(fmul, t, s, s, factor)
				f.do(fmul, t, other[i], other[i], a)
				f.do(fadd, t, s, s, other[i])
			}
			f.load(dst, 0, other...)
			for i, s := range acc {
				f.do(fsub, t, s, s, other[i])
			}
		}
		f.store(dst, 0, acc...)
		f.ins("ADD", bytes, dst)
	})
	f.end()
}

func sparse(p *program) {
	for width := 4; width <= 16; width += 4 {
		sparseRows(p, f64, width, false)
	}
	sparseRows(p, f32, 16, false)
	sparseRows(p, f32, 8, true)
	sparseRows(p, f32, 16, true)
}
