package main

// rectify sums what columns have beyond a threshold, on either side.
func rectify(p *program) {
	f := p.begin("rectifyNEON", "func(rows, n int, above, below, z *float32, ld int, threshold float32)",
		"rectifyNEON sums max(z − threshold, 0) and max(−z − threshold, 0) over rows, for n columns, a multiple of 8; rows ≥ 1.")
	rows, n, above, below := f.arg("rows"), f.arg("n"), f.arg("above"), f.arg("below")
	z, ld := f.arg("z"), f.bytes(f32, f.arg("ld"))
	threshold, none, minus := f.argSplat("threshold"), f.constant(f32, 0), f.vec()
	f.do(fsub, f32, minus, none, threshold)
	up, down, v, beyond := f.vecs(2), f.vecs(2), f.vecs(2), f.vec()
	row, left := f.gen(), f.gen()
	f.steps(n, 8, func() {
		f.zero(up...)
		f.zero(down...)
		f.ins("MOVD", z, row)
		f.ins("MOVD", rows, left)
		f.repeat("row", left, func() {
			f.load(row, 0, v...)
			for i := range v {
				f.do(fsub, f32, beyond, v[i], threshold)
				f.do(fmax, f32, beyond, beyond, none)
				f.do(fadd, f32, up[i], up[i], beyond)
				f.do(fsub, f32, beyond, minus, v[i])
				f.do(fmax, f32, beyond, beyond, none)
				f.do(fadd, f32, down[i], down[i], beyond)
			}
			f.ins("ADD", ld, row)
		})
		f.store(above, 0, up...)
		f.store(below, 0, down...)
		for _, r := range []reg{z, above, below} {
			f.ins("ADD", 32, r)
		}
	})
	f.end()
}
