package vec

import (
	"math/rand/v2"
	"testing"
)

// randomBytes returns n bytes in the midst of others, of which one in eight is 255.
func randomBytes(r *rand.Rand, n int) []uint8 {
	s := make([]uint8, n+40)
	for k := range s {
		s[k] = uint8(r.IntN(256))
		if r.IntN(8) == 0 {
			s[k] = 255
		}
	}
	return s[7 : 7+n : 7+n]
}

func largest(n int) []uint8 {
	s := make([]uint8, n)
	for k := range s {
		s[k] = 255
	}
	return s
}

// Products of bytes are exact on all paths, up to the largest.
func TestDotBytes(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		for _, n := range append(lengths(), 1000, MostBytes-1, MostBytes, MostBytes+1, 3*MostBytes+17) {
			for _, pair := range [][2][]uint8{{randomBytes(r, n), randomBytes(r, n)}, {largest(n), largest(n)}, {largest(n), make([]uint8, n)}} {
				x, y := pair[0], pair[1]
				want := 0
				for k, v := range x {
					want += int(v) * int(y[k])
				}
				if got := DotBytes(x, y); got != want {
					t.Fatalf("%d bytes: %d, want %d", n, got, want)
				}
			}
		}
	})
}

// Tiles of bytes are the exact products, times the product of the factors, of all
// depths and shapes, wherever the rows are.
func TestTileBytes(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		var left, right BytesBlock
		depths := append(lengths(), MostBytes)
		for at, depth := range depths {
			rows, cols := 1+r.IntN(30), 1+r.IntN(70)
			if at == len(depths)-1 {
				rows, cols = 3, 3
			}
			table := randomBytes(r, 20*depth)
			if at == len(depths)-1 {
				table = largest(20 * depth)
			}
			index := func(n int) []int32 {
				list := make([]int32, n)
				for k := range list {
					list[k] = int32(r.IntN(20))
				}
				return list
			}
			factor := random[float32](r, 20)
			var one, other []float32
			if depth%2 == 0 {
				one = factor
			}
			if depth%3 == 0 {
				other = factor
			}
			i, j := index(rows), index(cols)
			left.PackLeft(table, depth, i, one)
			right.PackRight(table, depth, j, other)
			ldd := cols + r.IntN(3)
			dst, intact := guarded[float32](r, (rows-1)*ldd+cols)
			TileBytes(dst, ldd, &left, &right)
			if !intact() {
				t.Fatalf("%d×%d×%d writes beyond its tile", rows, depth, cols)
			}
			for a, x := range i {
				for b, y := range j {
					want := float32(DotBytes(table[int(x)*depth:int(x+1)*depth], table[int(y)*depth:int(y+1)*depth]))
					both := float32(1)
					if one != nil {
						both *= one[x]
					}
					if other != nil {
						both *= other[y]
					}
					want *= both
					if got := dst[a*ldd+b]; got != want {
						t.Fatalf("%d×%d×%d: (%d, %d) is %v, want %v", rows, depth, cols, a, b, got, want)
					}
				}
			}
		}
	})
}

// Blocks that do not go together panic.
func TestTileBytesPanics(t *testing.T) {
	var left, right, short BytesBlock
	table, index := make([]uint8, 20), []int32{0, 1}
	left.PackLeft(table, 10, index, nil)
	right.PackRight(table, 10, index, nil)
	short.PackRight(table, 9, index, nil)
	dst := make([]float32, 4)
	for name, f := range map[string]func(){
		"other sides":  func() { TileBytes(dst, 2, &right, &left) },
		"other depths": func() { TileBytes(dst, 2, &left, &short) },
		"too short":    func() { TileBytes(dst[:3], 2, &left, &right) },
		"too deep":     func() { short.PackLeft(nil, MostBytes+1, nil, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkTileBytes(b *testing.B) {
	const size, depth = 192, 784
	r := newRand()
	table, index := randomBytes(r, 2*size*depth), make([]int32, size)
	for k := range index {
		index[k] = int32(k)
	}
	var left, right BytesBlock
	left.PackLeft(table, depth, index, nil)
	right.PackRight(table[size*depth:], depth, index, nil)
	dst := make([]float32, size*size)
	for b.Loop() {
		TileBytes(dst, size, &left, &right)
	}
	b.ReportMetric(float64(size*size*depth)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
}

func BenchmarkPackBytes(b *testing.B) {
	const size, depth = 192, 784
	table, index := randomBytes(newRand(), size*depth), make([]int32, size)
	for k := range index {
		index[k] = int32(k)
	}
	for name, pack := range map[string]func(*BytesBlock){
		"left":  func(p *BytesBlock) { p.PackLeft(table, depth, index, nil) },
		"right": func(p *BytesBlock) { p.PackRight(table, depth, index, nil) },
	} {
		b.Run(name, func(b *testing.B) {
			var p BytesBlock
			for b.Loop() {
				pack(&p)
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/size*1e9, "ns/row")
		})
	}
}

func BenchmarkDotBytes(b *testing.B) {
	x, y := randomBytes(newRand(), 784), randomBytes(newRand(), 784)
	for b.Loop() {
		DotBytes(x, y)
	}
}
