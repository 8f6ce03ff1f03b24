package vec

import "testing"

// Products of multiples of bytes are those of float64 from exact sums, rounded once, for all
// depths and shapes on all paths, whatever rows are beside them.
func TestMultiplesOfBytes(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		for at, depth := range append(lengths(), MostBytes) {
			rows, cols := 1+r.IntN(30), 1+r.IntN(70)
			table := randomBytes(r, (rows+cols)*depth)
			if depth == MostBytes {
				rows, cols = 13, 3
				table = largest((rows + cols) * depth)
			}
			index, of := make([]int32, rows+cols), make([]Multiple, rows+cols)
			for k := range index {
				index[k] = int32(k)
				of[k] = Multiple{Unit: 1, Less: float64(k)}
				if at%2 == 0 {
					of[k] = Multiple{Unit: r.Float64(), Less: r.NormFloat64()}
				}
			}
			var left, right, alone BytesBlock
			left.PackLeft(table, depth, index[:rows], nil)
			right.PackRight(table, depth, index[rows:], nil)
			ldd := cols + r.IntN(3)
			dst, intact := guarded[float32](r, (rows-1)*ldd+cols)
			TileMultiples(dst, ldd, &left, &right, of[:rows], of[rows:])
			if !intact() {
				t.Fatalf("%d×%d×%d writes beyond its tile", rows, depth, cols)
			}
			row := make([]float32, cols)
			for i := range rows {
				alone.PackLeft(table, depth, index[i:i+1], nil)
				TileMultiples(row, cols, &alone, &right, of[i:i+1], of[rows:])
				for j := range cols {
					x, y := table[i*depth:(i+1)*depth], table[(rows+j)*depth:(rows+j+1)*depth]
					want := float32(float64(float64(of[i].Unit*of[rows+j].Unit)*float64(DotBytes(x, y))) - (of[i].Less + of[rows+j].Less))
					if got := dst[i*ldd+j]; got != want || row[j] != want {
						t.Fatalf("%d×%d×%d: (%d, %d) is %v, and %v alone, want %v", rows, depth, cols, i, j, got, row[j], want)
					}
				}
			}
		}
	})
}

// Multiples that do not go with the rows, and blocks that do not go together, panic.
func TestMultiplesOfBytesPanic(t *testing.T) {
	var left, right BytesBlock
	table, index := make([]uint8, 20), []int32{0, 1}
	left.PackLeft(table, 10, index, nil)
	right.PackRight(table, 10, index, nil)
	dst, two := make([]float32, 4), make([]Multiple, 2)
	for name, f := range map[string]func(){
		"other sides":       func() { TileMultiples(dst, 2, &right, &left, two, two) },
		"too short":         func() { TileMultiples(dst[:3], 2, &left, &right, two, two) },
		"too few multiples": func() { TileMultiples(dst, 2, &left, &right, two, two[:1]) },
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

// BenchmarkTileMultiples goes through 4,000 rows of 784 bytes, with one row and with a block.
func BenchmarkTileMultiples(b *testing.B) {
	const size, depth, blocks = 192, 784, 21
	r := newRand()
	table, index := randomBytes(r, size*blocks*depth), make([]int32, size)
	for k := range index {
		index[k] = int32(k)
	}
	var right [blocks]BytesBlock
	for k := range right {
		right[k].PackRight(table[k*size*depth:], depth, index, nil)
	}
	multiples, dst := make([]Multiple, size), make([]float32, size*size)
	for name, rows := range map[string]int{"one": 1, "block": size} {
		b.Run(name, func(b *testing.B) {
			var left BytesBlock
			left.PackLeft(table, depth, index[:rows], nil)
			for b.Loop() {
				for k := range right {
					TileMultiples(dst, size, &left, &right[k], multiples[:rows], multiples)
				}
			}
			b.ReportMetric(float64(rows*size*blocks*depth)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}
