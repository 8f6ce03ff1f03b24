package main

import "fmt"

// peak is nothing but independent multiply-adds: 24 chains keep four units at work over the
// time that one takes.
func peak(p *program, t *elem) {
	const chains, unrolled = 24, 2
	name := "peak" + t.name + "NEON"
	f := p.begin(name, "func(rounds int)",
		fmt.Sprintf("%s does %d multiply-adds per round, rounds ≥ 1.", name, chains*unrolled*t.lanes))
	rounds, acc, x := f.arg("rounds"), f.vecs(chains), f.vec()
	f.zero(acc...)
	f.zero(x)
	f.repeat("loop", rounds, func() {
		for range unrolled {
			for _, a := range acc {
				f.do(fmla, t, a, x, x)
			}
		}
	})
	f.end()
}

// read touches memory and nothing else.
func read(p *program) {
	f := p.begin("readNEON", "func(p *byte, n int) uint64",
		"readNEON reads n bytes, a positive multiple of 512, and returns a hash of them.")
	address, n := f.arg("p"), f.arg("n")
	acc, vs := f.vecs(4), f.vecs(8)
	f.zero(acc...)
	f.ins("LSR", 9, n)
	f.repeat("loop", n, func() {
		for offset := 0; offset < 512; offset += 64 {
			f.fetch(address, 4096+offset)
		}
		for offset := 0; offset < 512; offset += 128 {
			f.load(address, offset, vs...)
			for i, v := range vs {
				a := acc[i%len(acc)].as("B16")
				f.ins("VEOR", v.as("B16"), a, a)
			}
		}
		f.ins("ADD", 512, address)
	})
	for _, a := range acc[1:] {
		f.ins("VEOR", a.as("B16"), acc[0].as("B16"), acc[0].as("B16"))
	}
	out := f.gen()
	f.ins("VMOV", acc[0].lane(f64, 0), out)
	f.result(out)
	f.end()
}

func limits(p *program) {
	peak(p, f32)
	peak(p, f64)
	read(p)
}
