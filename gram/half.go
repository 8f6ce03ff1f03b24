// Package gram makes the Gram matrix of a kernel on a set of points available
// as an operator, and evaluates kernel expansions.
package gram

import (
	"context"
	"fmt"
	"math"

	"lapsvm/internal/parallel"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Precision is the storage of Gram entries. Sums are always float64.
type Precision int

// The precisions. The zero Precision is Single.
const (
	Single Precision = 32 // float32
	Double Precision = 64 // float64
)

// tileSize is the number of rows and columns of a full tile.
const tileSize = 192

// strips is the number of parts into which a product with the matrix is cut.
// Each has its own sums, which are added in a fixed order: the result does not
// depend on the number of threads.
const strips = 16

// Half is a symmetric Gram matrix stored as the tiles of its upper triangle:
// about 2n² bytes in Single precision, 4n² in Double.
type Half struct {
	n       int
	blocks  int // of rows, and of columns
	single  []float32
	double  []float64 // one of the two is nil
	threads int
	sums    [][][]float64 // [strip][column][n] scratch of Mul
}

// HalfBytes returns the memory in bytes that a Half of n points takes.
func HalfBytes(n int, precision Precision) int64 {
	blocks := int64(n+tileSize-1) / tileSize
	return blocks * (blocks + 1) / 2 * tileSize * tileSize * int64(width(precision))
}

func width(precision Precision) int {
	if precision == Double {
		return 8
	}
	return 4
}

// NewHalf computes K_ij = k(x_i, x_j) for the upper triangle of tiles. Points
// of a radial kernel are centred first. Products use at most threads
// goroutines, 0 meaning all processors. It fails when ctx is done, and where
// k(x_i, x_i), which bounds its row, is not finite in the given precision.
// Cost: n²·d/2 multiply-adds and n²/2 kernel maps.
func NewHalf(ctx context.Context, p *points.Points, k kernel.Kernel, precision Precision, threads int) (*Half, error) {
	n := p.Len()
	h := &Half{n: n, blocks: (n + tileSize - 1) / tileSize, threads: threads}
	count := h.blocks * (h.blocks + 1) / 2
	if precision == Double {
		h.double = make([]float64, count*tileSize*tileSize)
	} else {
		h.single = make([]float32, count*tileSize*tileSize)
	}
	p, _ = centred(p, nil, k)
	scratch := make([][]float64, parallel.Threads(threads))
	err := parallel.Run(ctx, count, threads, func(worker, tile int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]float64, tileSize*tileSize)
		}
		h.fill(scratch[worker], tile, p, k)
	})
	if err != nil {
		return nil, err
	}
	for i := range n {
		b, r := i/tileSize, i%tileSize
		v := h.at(h.number(b, b)*tileSize*tileSize + r*tileSize + r)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the kernel (%v) of point %d with itself is %v in %d bits: scale the points, or choose another kernel", k, i+1, v, 8*width(precision))
		}
	}
	return h, nil
}

// fill computes one tile.
func (h *Half) fill(dots []float64, tile int, p *points.Points, k kernel.Kernel) {
	bi, bj := h.position(tile)
	i0, i1 := h.span(bi)
	j0, j1 := h.span(bj)
	p.Dots(dots, tileSize, i0, i1, p, j0, j1)
	squares := p.Squares()
	for i := i0; i < i1; i++ {
		row := dots[(i-i0)*tileSize : (i-i0)*tileSize+j1-j0]
		if bi == bj {
			row[i-i0] = squares[i] // exactly, so that a Gaussian has K_ii = 1
		}
		k.Map(row, squares[i], squares[j0:j1])
	}
	// The products of a diagonal tile are symmetric up to rounding at best.
	if bi == bj {
		for i := range i1 - i0 {
			for j := range i {
				dots[i*tileSize+j] = dots[j*tileSize+i]
			}
		}
	}
	at := tile * tileSize * tileSize
	if h.double != nil {
		copy(h.double[at:at+tileSize*tileSize], dots)
		return
	}
	out := h.single[at : at+tileSize*tileSize]
	for i, v := range dots {
		out[i] = float32(v)
	}
}

// span returns the rows of block b.
func (h *Half) span(b int) (from, to int) { return b * tileSize, min((b+1)*tileSize, h.n) }

// position returns the block row and block column of a tile; tiles are
// numbered along the rows of the upper triangle.
func (h *Half) position(tile int) (bi, bj int) {
	for tile >= h.blocks-bi {
		tile -= h.blocks - bi
		bi++
	}
	return bi, bi + tile
}

// number returns the tile in block row bi and block column bj ≥ bi.
func (h *Half) number(bi, bj int) int { return bi*h.blocks - bi*(bi-1)/2 + bj - bi }

// Len returns n.
func (h *Half) Len() int { return h.n }

// Precision returns how the entries are stored.
func (h *Half) Precision() Precision {
	if h.double != nil {
		return Double
	}
	return Single
}

// Row writes row i of the matrix into dst, n values.
func (h *Half) Row(dst []float64, i int) {
	if len(dst) != h.n || i < 0 || i >= h.n {
		panic(fmt.Sprintf("gram: Row %d of %d into %d elements", i, h.n, len(dst)))
	}
	b, r := i/tileSize, i%tileSize
	for other := range h.blocks {
		from, to := h.span(other)
		if other >= b {
			at := h.number(b, other)*tileSize*tileSize + r*tileSize
			for j := from; j < to; j++ {
				dst[j] = h.at(at + j - from)
			}
			continue
		}
		at := h.number(other, b)*tileSize*tileSize + r
		for j := from; j < to; j++ {
			dst[j] = h.at(at + (j-from)*tileSize)
		}
	}
}

func (h *Half) at(k int) float64 {
	if h.double != nil {
		return h.double[k]
	}
	return float64(h.single[k])
}

// Mul computes dst[c] = K·src[c] for all columns in one pass over K, with
// float64 sums. It uses scratch memory of the operator, so it is not safe for
// concurrent use. It panics when the numbers or lengths of the columns differ.
func (h *Half) Mul(dst, src [][]float64) {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("gram: Mul of %d columns into %d", len(src), len(dst)))
	}
	for c := range src {
		if len(src[c]) != h.n || len(dst[c]) != h.n {
			panic(fmt.Sprintf("gram: Mul of columns of length %d and %d, want %d", len(src[c]), len(dst[c]), h.n))
		}
	}
	tiles := h.blocks * (h.blocks + 1) / 2
	parts := min(strips, tiles)
	for len(h.sums) < parts {
		h.sums = append(h.sums, nil)
	}
	for part := range parts {
		for len(h.sums[part]) < len(src) {
			h.sums[part] = append(h.sums[part], make([]float64, h.n))
		}
	}
	_ = parallel.Run(context.Background(), parts, h.threads, func(_, part int) {
		sums := h.sums[part][:len(src)]
		for c := range sums {
			clear(sums[c])
		}
		first, last := part*tiles/parts, (part+1)*tiles/parts
		bi, bj := h.position(first)
		for tile := first; tile < last; tile++ {
			for c := range src {
				h.mulTile(sums[c], src[c], tile, bi, bj)
			}
			if bj++; bj == h.blocks {
				bi++
				bj = bi
			}
		}
	})
	for c := range dst {
		clear(dst[c])
		for part := range parts {
			for i, v := range h.sums[part][c] {
				dst[c][i] += v
			}
		}
	}
}

// mulTile adds the tile's share of K·x to y.
func (h *Half) mulTile(y, x []float64, tile, bi, bj int) {
	i0, i1 := h.span(bi)
	j0, j1 := h.span(bj)
	at := tile * tileSize * tileSize
	if h.double != nil {
		mulTile(y[i0:i1], y[j0:j1], x[i0:i1], x[j0:j1], h.double[at:], bi == bj)
	} else {
		mulTile(y[i0:i1], y[j0:j1], x[i0:i1], x[j0:j1], h.single[at:], bi == bj)
	}
}

// mulTile adds T·xj to yi and, off the diagonal, Tᵀ·xi to yj.
func mulTile[F float32 | float64](yi, yj, xi, xj []float64, tile []F, diagonal bool) {
	for r := range yi {
		row := tile[r*tileSize : r*tileSize+len(xj)]
		var s float64
		if diagonal {
			for c, v := range row {
				s += float64(v) * xj[c]
			}
		} else {
			x := xi[r]
			for c, v := range row {
				s += float64(v) * xj[c]
				yj[c] += float64(v) * x
			}
		}
		yi[r] += s
	}
}

// centred moves p and q by the mean of p where the kernel depends on
// differences alone and the tables are dense: inner products of centred points
// lose less to cancellation. q may be nil.
func centred(p, q *points.Points, k kernel.Kernel) (*points.Points, *points.Points) {
	if !kernel.Radial(k) || p.Sparse() || q != nil && q.Sparse() {
		return p, q
	}
	mean := p.Mean()
	if q != nil {
		q = q.Shifted(mean)
	}
	return p.Shifted(mean), q
}
