package vec

import (
	"fmt"
	"unsafe"
)

// kc is the depth of a packed block: a panel of nr columns takes 32 KB, so
// that it stays in the first-level cache while panels of rows pass by.
const kc = 256

// depthStep cuts a product of the given depth into equal steps of at most kc,
// rounded up to whole transpositions. A short last step would cost as much in
// reading and writing C as a long one.
func depthStep(depth int) int {
	steps := max(1, (depth+kc-1)/kc)
	return min(kc, max(4, roundUp((depth+steps-1)/steps, 4)))
}

// matrix is a view of r×c numbers: element (i, j) is data[i·rs + j·cs].
type matrix[T Float] struct {
	data   []T
	rs, cs int
}

// view returns the row-major matrix a or its transpose.
func view[T Float](a []T, lda int, trans bool) matrix[T] {
	if trans {
		return matrix[T]{a, 1, lda}
	}
	return matrix[T]{a, lda, 1}
}

func (m matrix[T]) t() matrix[T] { return matrix[T]{m.data, m.cs, m.rs} }

// from returns the view that starts at row i and column j.
func (m matrix[T]) from(i, j int) matrix[T] {
	return matrix[T]{m.data[i*m.rs+j*m.cs:], m.rs, m.cs}
}

// pack copies count rows and depth columns of m into panels of w rows, the
// last one filled up with zeros:
//
//	dst[q·w·depth + p·w + r] = m(q·w + r, p)
func (k *micro[T]) pack(dst []T, w, count, depth int, m matrix[T]) {
	for i := 0; i < count; i += w {
		rows := min(w, count-i)
		panel := dst[:w*depth]
		dst = dst[w*depth:]
		if rows < w {
			clear(panel)
		}
		src := m.data[i*m.rs:]
		if m.rs == 1 {
			if rows == k.nr && w == rows && k.copyRows != nil {
				k.copyRows(depth, src, m.cs, panel)
				continue
			}
			for p := range depth {
				to, from := panel[p*w:p*w+rows], src[p*m.cs:p*m.cs+rows]
				r := 0
				for ; r+4 <= rows; r += 4 { // a few numbers, as a rule 12, are sooner copied without a call
					x, y := (*[4]T)(from[r:]), (*[4]T)(to[r:])
					y[0], y[1], y[2], y[3] = x[0], x[1], x[2], x[3]
				}
				for ; r < rows; r++ {
					to[r] = from[r]
				}
			}
			continue
		}
		if m.cs == 1 {
			k.transpose(rows, depth, src, m.rs, panel, w)
			continue
		}
		for r := range rows {
			row := src[r*m.rs:]
			for p := range depth {
				panel[p*w+r] = row[p*m.cs]
			}
		}
	}
}

// Transpose sets dst[p·ldd + r] = src[r·ld + p] for r < rows and p < cols; they must not
// overlap, but may lie between one another. It panics when one is too short.
func Transpose[T Float](rows, cols int, src []T, ld int, dst []T, ldd int) {
	check("Transpose", "src", rows, cols, len(src), ld)
	check("Transpose", "dst", cols, rows, len(dst), ldd)
	if rows == 0 {
		return
	}
	const side = 32 // columns at a time, whose lines in dst stay in the first-level cache
	for p0 := 0; p0 < cols; p0 += side {
		count := min(side, cols-p0)
		kernels[T]().transpose(rows, count, src[p0:], ld, dst[p0*ldd:], ldd)
	}
}

// transpose is [Transpose] of a few columns.
func (k *micro[T]) transpose(rows, cols int, src []T, ld int, dst []T, ldd int) {
	r, whole := 0, 0
	if k.transpose4 != nil {
		whole = cols &^ 3
	}
	if whole > 0 {
		for ; r+4 <= rows; r += 4 {
			k.transpose4(whole, src[r*ld:], ld, dst[r:], ldd)
			for p := whole; p < cols; p++ {
				for q := r; q < r+4; q++ {
					dst[p*ldd+q] = src[q*ld+p]
				}
			}
		}
	}
	for ; r < rows; r++ {
		row := src[r*ld:]
		for p := range cols {
			dst[p*ldd+r] = row[p]
		}
	}
}

// Packed is a block of points, rows × depth, laid out for one side of a
// product by PackLeft or PackRight. It is reusable and, between packings,
// safe for concurrent use. The zero value is an empty block.
type Packed[T Float] struct {
	rows, depth int
	w, padded   int // rows per panel, rows rounded up to panels
	kern        *micro[T]
	left        bool
	data        []T
}

// Rows returns the number of points packed.
func (p *Packed[T]) Rows() int { return p.rows }

// PackLeft lays out rows points of depth coordinates, a[i·lda + p], as the
// left side of Tile and TileL1, copying them. The block's memory is reused. It panics
// when a is too short.
func (p *Packed[T]) PackLeft(rows, depth int, a []T, lda int) {
	k := kernels[T]()
	p.pack(rows, depth, a, lda, k, k.mr, true)
}

// PackRight lays out rows points of depth coordinates, a[i·lda + p], as the
// right side of Tile and TileL1, copying them. The block's memory is reused. It panics when a is too short.
func (p *Packed[T]) PackRight(rows, depth int, a []T, lda int) {
	k := kernels[T]()
	p.pack(rows, depth, a, lda, k, k.nr, false)
}

func (p *Packed[T]) pack(rows, depth int, a []T, lda int, k *micro[T], w int, left bool) {
	check("Pack", "a", rows, depth, len(a), lda)
	p.rows, p.depth, p.w, p.kern, p.left = rows, depth, w, k, left
	p.padded = roundUp(rows, w)
	p.data = grow(p.data, p.padded*depth)
	if rows == 0 || depth == 0 {
		return
	}
	m := view(a, lda, false)
	step := depthStep(depth)
	for p0 := 0; p0 < depth; p0 += step {
		k.pack(p.data[p.padded*p0:], w, rows, min(step, depth-p0), m.from(0, p0))
	}
}

// Tile computes the inner products of two packed blocks of points,
//
//	dst[i·ldd + j] = Σ_p left(i,p)·right(j,p)
//
// for i < left.Rows() and j < right.Rows(), on the calling goroutine. Its bits
// equal those of Gemm. next is the next right block for the same left block, to
// be fetched meanwhile, or nil. Cost: rows·rows·depth multiply-adds. It panics
// when the blocks were packed for other sides, depths or paths, or dst is too
// short.
func Tile[T Float](dst []T, ldd int, left, right, next *Packed[T]) {
	if ready("Tile", dst, ldd, left, right) {
		pairs(left.kern.products, dst, ldd, left, right, next)
	}
}

// TileL1 is [Tile] for distances,
//
//	dst[i·ldd + j] = Σ_p |left(i,p) − right(j,p)|,
//
// each a chain of at most 256 roundings a step, its relative error at most
// (min(depth, 256) + depth/256 + 2)·u with u = 2⁻²⁴ or 2⁻⁵³. Cost: a
// subtraction, a bit operation and an addition per coordinate and pair.
func TileL1[T Float](dst []T, ldd int, left, right, next *Packed[T]) {
	if ready("TileL1", dst, ldd, left, right) {
		pairs(left.kern.l1, dst, ldd, left, right, next)
	}
}

// ready panics on arguments that do not fit together, and reports whether there
// is anything to sum up. Without terms it sets dst itself.
func ready[T Float](fn string, dst []T, ldd int, left, right *Packed[T]) bool {
	if !left.left || right.left || left.depth != right.depth || left.kern != right.kern {
		panic("vec: " + fn + " of blocks packed for other sides, depths or paths")
	}
	check(fn, "dst", left.rows, right.rows, len(dst), ldd)
	if left.rows == 0 || right.rows == 0 {
		return false
	}
	if left.depth == 0 {
		zeroRows(dst, ldd, left.rows, right.rows)
		return false
	}
	return true
}

// pairs goes through the register tiles of two packed blocks.
func pairs[T Float](sum tiles[T], dst []T, ldd int, left, right, next *Packed[T]) {
	m, n := left.rows, right.rows
	ws := getSpace[T]()
	defer putSpace(ws)
	step := depthStep(left.depth)
	b := block[T]{kern: left.kern, tiles: sum, alpha: 1, c: dst, ldc: ldd, buf: ws.tile[:]}
	few := sum.forRows(min(m, left.w)).rows < left.w
	tiles := tasks(m, left.w) * tasks(n, right.w)
	for p0 := 0; p0 < left.depth; p0 += step {
		b.depth, b.add = min(step, left.depth-p0), p0 > 0
		b.left = panels[T]{data: left.data[left.padded*p0:], s: 1, sk: left.w, step: left.w * b.depth}
		b.right = panels[T]{data: right.data[right.padded*p0:], s: 1, sk: right.w, step: right.w * b.depth}
		if p1 := p0 + step; few {
			// The kernel fetches the right block by itself.
		} else if p1 < left.depth {
			b.fetch(tiles, left.part(p1, step), right.part(p1, step))
		} else if next != nil {
			b.fetch(tiles, left.part(0, step), next.part(0, step))
		}
		b.run(m, n)
	}
}

// cached is the size in bytes from which a left block, usually four parts, does
// not stay in the second-level cache beside the data that passes by.
const cached = 1 << 20

// part returns the panels of depth step from p0 on.
func (p *Packed[T]) part(p0, step int) []T {
	return p.data[p.padded*p0 : p.padded*min(p0+step, p.depth)]
}

// fetch makes the block bring parts of the left and the right matrix into the
// second-level cache while it computes its tiles.
func (b *block[T]) fetch(tiles int, left, right []T) {
	var t T
	if len(left)*int(unsafe.Sizeof(t)) < cached/4 {
		left = nil // it is still there
	}
	b.ahead = [2][]T{right, left}
	b.portion = tasks(len(right), tiles)
}

// check panics unless length numbers hold a rows×cols matrix of this stride.
func check(fn, name string, rows, cols, length, ld int) {
	if rows < 0 || cols < 0 || ld < max(1, cols) || rows > 0 && cols > 0 && length < (rows-1)*ld+cols {
		panic(fmt.Sprintf("vec: %s: %s has %d elements for %d×%d with stride %d", fn, name, length, rows, cols, ld))
	}
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// grow returns s with length n, its contents arbitrary.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func zeroRows[T Float](c []T, ldc, m, n int) {
	for i := range m {
		clear(c[i*ldc : i*ldc+n])
	}
}
