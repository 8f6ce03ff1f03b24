package points

import (
	"context"
	"fmt"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
)

// TileSize is the number of rows of a full block, and so of the rows and
// columns of a full tile of inner products.
const TileSize = 192

// TilePosition returns the block row and block column of a tile of the upper
// triangle of blocks×blocks tiles, numbered along its rows.
func TilePosition(tile, blocks int) (bi, bj int) {
	for tile >= blocks-bi {
		tile -= blocks - bi
		bi++
	}
	return bi, bi + tile
}

// Float is the type in which products are computed.
type Float = vec.Float

// Side is a table cut into blocks of [TileSize] rows and laid out for one side
// of [Tile]: in T, and for dense tables in the order in which the product
// reads it. It is immutable and safe to share.
type Side[T Float] struct {
	p       *Points
	packed  []vec.Packed[T] // one per block; nil for a sparse table
	squares []T
}

// LeftSide lays out p for the left side of [Tile] on up to threads goroutines.
// Cost: one pass over p and n·d values of memory. A sparse table is kept as it
// is and needs T = float64; it panics otherwise. It fails when ctx is done.
func LeftSide[T Float](ctx context.Context, p *Points, threads int) (*Side[T], error) {
	return newSide(ctx, p, threads, (*vec.Packed[T]).PackLeft)
}

// RightSide lays out p for the right side of [Tile]; see [LeftSide].
func RightSide[T Float](ctx context.Context, p *Points, threads int) (*Side[T], error) {
	return newSide(ctx, p, threads, (*vec.Packed[T]).PackRight)
}

func newSide[T Float](ctx context.Context, p *Points, threads int, pack func(to *vec.Packed[T], rows, depth int, a []T, lda int)) (*Side[T], error) {
	s := &Side[T]{p: p, squares: make([]T, p.n)}
	if p.Sparse() {
		squares, ok := any(s.squares).([]float64)
		if !ok {
			panic("points: products of a sparse table need float64")
		}
		copy(squares, p.square)
		return s, ctx.Err()
	}
	s.packed = make([]vec.Packed[T], s.Blocks())
	scratch := make([][]T, parallel.Threads(threads))
	err := parallel.Run(ctx, s.Blocks(), threads, func(worker, block int) {
		i0, i1 := s.Span(block)
		rows := inType(&scratch[worker], p.dense[i0*p.d:i1*p.d])
		for i := i0; i < i1; i++ {
			// The squares belong to the coordinates as they are in T.
			var sum float64
			for _, v := range rows[(i-i0)*p.d : (i-i0+1)*p.d] {
				sum += float64(v) * float64(v)
			}
			s.squares[i] = T(sum)
		}
		pack(&s.packed[block], i1-i0, p.d, rows, max(p.d, 1))
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// inType returns values as T, in scratch where they have to be converted.
func inType[T Float](scratch *[]T, values []float64) []T {
	if same, ok := any(values).([]T); ok {
		return same
	}
	if cap(*scratch) < len(values) {
		*scratch = make([]T, len(values))
	}
	out := (*scratch)[:len(values)]
	vec.Narrow(any(out).([]float32), values)
	return out
}

// Len returns the number of rows.
func (s *Side[T]) Len() int { return s.p.n }

// Blocks returns the number of blocks.
func (s *Side[T]) Blocks() int { return (s.p.n + TileSize - 1) / TileSize }

// Span returns the rows from ≤ i < to of a block.
func (s *Side[T]) Span(block int) (from, to int) {
	return block * TileSize, min((block+1)*TileSize, s.p.n)
}

// Squares returns ‖x_i‖² for every row, as it is in T. It must not be changed.
func (s *Side[T]) Squares() []T { return s.squares }

// Tile computes the inner products of block i of left and block j of right,
//
//	dst[a·stride + b] = ⟨left_a, right_b⟩,
//
// rows and columns counted from the beginnings of the blocks. The bits of a
// product depend on its two points alone. Tile is safe for concurrent use. It
// panics when the numbers of columns differ or dst is too short.
func Tile[T Float](dst []T, stride int, left *Side[T], i int, right *Side[T], j int) {
	if left.p.d != right.p.d {
		panic(fmt.Sprintf("points: Tile of %d columns with %d columns", left.p.d, right.p.d))
	}
	if left.packed != nil && right.packed != nil {
		vec.Tile(dst, stride, &left.packed[i], &right.packed[j])
		return
	}
	i0, i1 := left.Span(i)
	j0, j1 := right.Span(j)
	left.p.Dots(any(dst).([]float64), stride, i0, i1, right.p, j0, j1)
}
