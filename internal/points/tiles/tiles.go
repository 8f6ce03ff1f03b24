// Package tiles goes through pairs of points in tiles: a table is laid out once
// for either side of a pair, and a tile is a statistic of two blocks of rows.
package tiles

import (
	"context"
	"fmt"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// Size is the number of rows of a full block, and so of the rows and
// columns of a full tile of pairs of points.
const Size = 192

// position returns the block row and block column of a tile of the upper
// triangle of blocks×blocks tiles, numbered along its rows.
func position(tile, blocks int) (bi, bj int) {
	for tile >= blocks-bi {
		tile -= blocks - bi
		bi++
	}
	return bi, bi + tile
}

// perPiece is how many tiles a goroutine takes at a time: it knows then
// which comes next.
const perPiece = 8

// Each calls do for every tile of the upper triangle of blocks×blocks tiles,
// numbered along its rows, on several goroutines. Tiles of the diagonal come
// first: in them every point finds its first neighbours. The others follow row
// after row. next is the block column of the next tile in the same block row on
// the same goroutine, −1 if there is none. It fails when ctx is done.
func Each(ctx context.Context, blocks int, do func(worker, tile, bi, bj, next int)) error {
	number := func(bi, bj int) int { return bi*blocks - bi*(bi-1)/2 + bj - bi }
	// The tiles off the diagonal are those of the triangle of blocks − 1.
	off := blocks * (blocks - 1) / 2
	pieces := (off + perPiece - 1) / perPiece
	return parallel.Run(ctx, blocks+pieces, func(worker, piece int) {
		if piece < blocks {
			do(worker, number(piece, piece), piece, piece, -1)
			return
		}
		first := (piece - blocks) * perPiece
		last := min(first+perPiece, off)
		bi, bj := position(first, blocks-1)
		for bj++; first < last; first++ {
			next := bj + 1
			if first+1 == last || next == blocks {
				next = -1
			}
			do(worker, number(bi, bj), bi, bj, next)
			if bj++; bj == blocks {
				bi++
				bj = bi + 1
			}
		}
	})
}

// EachBetween calls do for the tiles of the upper triangle with pairs of a
// point below first and another point, of n.
func EachBetween(ctx context.Context, first, n int, do func(worker, bi, bj int)) error {
	if first < 1 || first >= n {
		return ctx.Err()
	}
	left, from := (first-1)/Size+1, first/Size
	right := (n-1)/Size + 1 - from
	return parallel.Run(ctx, left*right, func(worker, piece int) {
		if bi, bj := piece/right, from+piece%right; bi <= bj {
			do(worker, bi, bj)
		}
	})
}

// Float is the type in which products are computed.
type Float = vec.Float

// Tile computes a statistic of block i of left and block j of right,
//
//	dst[a·stride + b] = s(left_a, right_b),
//
// rows and columns counted from the beginnings of the blocks. Where the next
// call has the same i, its block of right is next and is fetched meanwhile; −1
// is none. The bits of a value depend on its two points alone. L1 distances have
// a relative error of at most (min(d, 256) + d/256 + 2)·u, u = 2⁻²⁴ in float32,
// beside that of the coordinates as they are in T: nothing cancels. Tile is safe
// for concurrent use. It panics when the numbers of columns differ or dst is too
// short.
func Tile[T Float](s points.Statistic, dst []T, stride int, left *Side[T], i int, right *Side[T], j, next int) {
	if left.d != right.d {
		panic(fmt.Sprintf("tiles: Tile of %d columns with %d columns", left.d, right.d))
	}
	if left.multiples != nil && right.multiples != nil {
		i0, i1 := left.Span(i)
		j0, j1 := right.Span(j)
		vec.TileMultiples(dst, stride, &left.bytes[i], &right.bytes[j], left.multiples[i0:i1], right.multiples[j0:j1])
		return
	}
	if left.bytes != nil && right.bytes != nil {
		vec.TileBytes(any(dst).([]float32), stride, &left.bytes[i], &right.bytes[j])
		return
	}
	if left.packed == nil || right.packed == nil { // sparse
		i0, i1 := left.Span(i)
		j0, j1 := right.Span(j)
		left.p.Pairs(s, any(dst).([]float64), stride, i0, i1, right.p, j0, j1)
		return
	}
	var ahead *vec.Packed[T]
	if next >= 0 && next < len(right.packed) {
		ahead = &right.packed[next]
	}
	if s != points.L1 {
		vec.Tile(dst, stride, &left.packed[i], &right.packed[j], ahead)
	} else {
		vec.TileL1(dst, stride, &left.packed[i], &right.packed[j], ahead)
	}
}
