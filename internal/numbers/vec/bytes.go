package vec

import "encoding/binary"

// MostBytes is the most numbers of a row whose products with another are sure to be
// below 2³¹.
const MostBytes = 1 << 15

// DotBytes returns Σ x·y of two rows of bytes, exactly. Cost: on AVX-512 an instruction
// for 64 products. It panics when the lengths differ.
func DotBytes(x, y []uint8) int {
	if len(x) != len(y) {
		panic("vec: DotBytes: lengths differ")
	}
	sum := 0
	for len(x) > MostBytes {
		sum += int(dotBytes(x[:MostBytes], y[:MostBytes]))
		x, y = x[MostBytes:], y[MostBytes:]
	}
	return sum + int(dotBytes(x, y))
}

func goDotBytes(x, y []uint8) (sum int32) {
	y = y[:len(x)]
	for k, v := range x {
		sum += int32(v) * int32(y[k])
	}
	return sum
}

// BytesBlock is some rows of a table of bytes, each times a factor of its own, laid
// out for one side of [TileBytes]. It is reusable and, between packings, safe for
// concurrent use. The zero value is an empty block.
type BytesBlock struct {
	kern        *byteKernel
	left        bool
	rows, depth int
	padded      int     // rows, in whole register tiles
	stride      int     // bytes that a row takes: numbers as the kernel reads them, and zeros
	data        []uint8 // left: row after row; right: of every panel of nr rows 4 bytes of each, then the next 4
	add         []int32 // left: what the sums lack
	factor      []float32
}

// byteKernel is a register tile of one path. Rows of the left side are bytes where
// width is 1 and 16-bit numbers where it is 2.
type byteKernel struct {
	path          isa
	mr, nr, width int
	flip          uint8 // what bytes of the right side are stored with: 0x80 for those less 128
}

// Rows returns the number of rows packed.
func (p *BytesBlock) Rows() int { return p.rows }

// PackLeft lays out the rows index of a table, depth bytes each, as the left side of
// tiles. Row i is to be multiplied by factor[i]; nil stands for ones. It panics for
// more than MostBytes columns.
func (p *BytesBlock) PackLeft(table []uint8, depth int, index []int32, factor []float32) {
	p.begin(depth, index, factor, true)
	p.data, p.add = grow(p.data, p.padded*p.stride), grow(p.add, p.padded)
	clear(p.add)
	for r, i := range index {
		prefetchRow(table, depth, index, r+rowsAhead)
		row := table[int(i)*depth : (int(i)+1)*depth]
		out := p.data[r*p.stride : (r+1)*p.stride]
		if p.kern.width == 1 {
			clear(out[copy(out, row):])
		} else {
			for k, v := range row {
				out[2*k], out[2*k+1] = v, 0
			}
			clear(out[2*depth:])
		}
		if p.kern.flip != 0 {
			p.add[r] = int32(sumBytes(row) << 7)
		}
	}
	clear(p.data[p.rows*p.stride:])
}

// PackRight is [BytesBlock.PackLeft] for the right side.
func (p *BytesBlock) PackRight(table []uint8, depth int, index []int32, factor []float32) {
	p.begin(depth, index, factor, false)
	p.data = grow(p.data, p.padded*p.stride)
	nr, flip := p.kern.nr, uint32(p.kern.flip)*0x01010101
	for from := 0; from < p.padded; from += nr {
		panel := p.data[from*p.stride : (from+nr)*p.stride]
		if from+nr > p.rows {
			clear(panel)
		}
		for r := range min(nr, p.rows-from) {
			i := int(index[from+r])
			prefetchRow(table, depth, index, from+r+rowsAhead)
			row, at := table[i*depth:(i+1)*depth], 4*r
			step := 4 / p.kern.width
			for ; len(row) >= step; row = row[step:] {
				v := binary.LittleEndian.Uint16(row)
				word := uint32(v&0xff) | uint32(v>>8)<<16
				if step == 4 {
					word = binary.LittleEndian.Uint32(row) ^ flip
				}
				binary.LittleEndian.PutUint32(panel[at:], word)
				at += 4 * nr
			}
			if at >= len(panel) {
				continue
			}
			for k := range 4 { // what is left, and zeros, which meet zeros
				panel[at+k] = 0
			}
			for k, v := range row {
				panel[at+k*p.kern.width] = v ^ p.kern.flip
			}
			for at += 4 * nr; at < len(panel); at += 4 * nr {
				clear(panel[at : at+4])
			}
		}
	}
}

// rowsAhead is how many rows ahead of their packing they are fetched, as they may be
// anywhere in memory.
const rowsAhead = 4

// prefetchRow fetches the row index[r] of a table, if index is long enough.
func prefetchRow(table []uint8, depth int, index []int32, r int) {
	if r < len(index) && depth > 0 {
		i := int(index[r])
		Prefetch(table[i*depth : i*depth+min(depth, mostFetched)])
	}
}

// mostFetched is the most bytes of a row that are fetched: the rest follow by themselves.
const mostFetched = 2048

// begin makes a block ready for its rows.
func (p *BytesBlock) begin(depth int, index []int32, factor []float32, left bool) {
	if depth > MostBytes {
		panic("vec: rows of too many bytes for tiles")
	}
	p.kern, p.left, p.rows, p.depth = bytesPath(), left, len(index), depth
	w := p.kern.nr
	if left {
		w = p.kern.mr
	}
	p.padded, p.stride = roundUp(p.rows, w), roundUp(depth*p.kern.width, 8)
	p.factor = grow(p.factor, p.padded)
	for r := range p.factor {
		switch {
		case r >= p.rows:
			p.factor[r] = 0
		case factor == nil:
			p.factor[r] = 1
		default:
			p.factor[r] = factor[index[r]]
		}
	}
}

// TileBytes computes the inner products of two packed blocks of rows,
//
//	dst[i·ldd + j] = (left_i·right_j)·⟨x_i, y_j⟩,
//
// left and right being the factors and x and y rows of bytes: the sums are exact, and
// rounded to float32, as are both products. All paths give the same bits, for a pair on
// either side.
// Cost: rows·rows·depth multiply-adds, on AVX-512 with VNNI four times as fast as
// those of float32. It panics when the blocks were packed for other sides, depths or
// paths, or dst is too short.
func TileBytes(dst []float32, ldd int, left, right *BytesBlock) {
	m, n, k := readyBytes("TileBytes", len(dst), ldd, left, right)
	if left.depth == 0 {
		zeroRows(dst, ldd, m, n)
		return
	}
	var buf [mostTile]float32
	for j := 0; j < n; j += k.nr {
		b := right.data[j*right.stride : (j+k.nr)*right.stride]
		for i := 0; i < m; i += k.mr {
			whole := i+k.mr <= m && j+k.nr <= n
			out, stride := buf[:], k.nr
			if whole {
				out, stride = dst[i*ldd+j:], ldd
			}
			tileBytes(k.path, left.stride/4, left.data[i*left.stride:], left.stride, b, out, stride, left.add[i:], left.factor[i:i+k.mr], right.factor[j:])
			for r := i; !whole && r < min(i+k.mr, m); r++ {
				copy(dst[r*ldd+j:r*ldd+min(j+k.nr, n)], buf[(r-i)*k.nr:])
			}
		}
	}
}

// readyBytes panics on arguments that do not fit together, and returns the shape.
func readyBytes(fn string, length, ldd int, left, right *BytesBlock) (rows, cols int, k *byteKernel) {
	if !left.left || right.left || left.depth != right.depth || left.kern != right.kern {
		panic("vec: " + fn + " of blocks packed for other sides, depths or paths")
	}
	check(fn, "dst", left.rows, right.rows, length, ldd)
	return left.rows, right.rows, left.kern
}

// mostTile is the most values of a register tile.
const mostTile = 12 * 32

// goBytes is the register tile of the Go path.
var goBytes = byteKernel{path: pureGo, mr: 4, nr: 8, width: 1}

// sumBytes returns Σ x, of at most MostBytes bytes.
func sumBytes(x []uint8) int {
	const even = 0x00ff00ff00ff00ff
	total := 0
	for len(x) >= 8 {
		sums := uint64(0) // of pairs of bytes, 16 bits each
		some := x[:min(len(x)&^7, 8*128)]
		x = x[len(some):]
		for ; len(some) >= 8; some = some[8:] {
			v := binary.LittleEndian.Uint64(some)
			sums += v&even + v>>8&even
		}
		total += int(sums&0xffff + sums>>16&0xffff + sums>>32&0xffff + sums>>48)
	}
	for _, v := range x {
		total += int(v)
	}
	return total
}

func goTileBytes(steps int, a []uint8, lda int, b []uint8, dst []float32, ldd int, add []int32, rows, cols []float32) {
	for i, factor := range rows {
		for j, v := range goSums(a[i*lda:i*lda+4*steps], b) {
			dst[i*ldd+j] = float32(v+add[i]) * float32(factor*cols[j])
		}
	}
}

func goSumBytes(one bool, steps int, a []uint8, lda int, b []uint8, dst []int32, ldd int, add []int32) {
	for i := range goBytes.mr {
		for j, v := range goSums(a[i*lda:i*lda+4*steps], b) {
			dst[i*ldd+j] = v + add[i]
		}
		if one {
			return
		}
	}
}

// goSums returns the inner products of a row with the columns of a panel.
func goSums(row, panel []uint8) (sum [8]int32) {
	for k := 0; k < len(row); k += 4 {
		x0, x1, x2, x3 := int32(row[k]), int32(row[k+1]), int32(row[k+2]), int32(row[k+3])
		y := panel[8*k : 8*k+32]
		for j := range sum {
			sum[j] += x0*int32(y[4*j]) + x1*int32(y[4*j+1]) + x2*int32(y[4*j+2]) + x3*int32(y[4*j+3])
		}
	}
	return sum
}
