package linalg

import (
	"context"
	"math"

	"lapsvm/internal/numbers/parallel"
)

// pivotedWidth is the number of rows of a block of [PivotedCholesky].
const pivotedWidth = 64

// PivotedCholesky factors a symmetric positive semi-definite matrix with
// complete pivoting, PᵀAP = UᵀU: place i of the factor belongs to row order[i]
// of A. It reads the upper half of a and overwrites its first rank rows by
// those of U. The rest of that half is undefined; the lower half stays. It ends
// before the first pivot not larger than tolerance. That pivot is the largest
// diagonal element of the remaining Schur complement. Among equal pivots the
// first counts. Cost: n·rank² − ⅔·rank³ flops.
//
// Within a block, rows are made one by one, with the pivots from the diagonal
// less the squares of these rows. Then the block is subtracted from the
// remaining matrix at once.
func PivotedCholesky(ctx context.Context, a Matrix, tolerance float64) (order []int, rank int, err error) {
	a.mustBeSquare("PivotedCholesky")
	n := a.Rows
	p := &pivoted{a: a, order: make([]int, n), diagonal: make([]float64, n), squares: make([]float64, n), sums: make([]float64, n)}
	for i := range p.order {
		p.order[i] = i
	}
	for first := 0; first < n; first += pivotedWidth {
		end := min(first+pivotedWidth, n)
		rank := p.block(ctx, first, end, tolerance)
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if rank < end {
			return p.order, rank, nil
		}
		if err := Syrk(ctx, -1, a.Block(first, end-first, end, n-end).T(), 1, a.Block(end, n-end, end, n-end)); err != nil {
			return nil, 0, err
		}
	}
	return p.order, n, nil
}

type pivoted struct {
	a        Matrix
	order    []int
	diagonal []float64 // at the beginning of the block
	squares  []float64 // of the block's rows, to be taken out of it
	sums     []float64 // scratch
}

// block makes the rows first ≤ j < end, and returns where it had to stop.
func (p *pivoted) block(ctx context.Context, first, end int, tolerance float64) int {
	a, n := p.a, p.a.Rows
	for i := first; i < n; i++ {
		p.diagonal[i], p.squares[i] = a.Data[i*a.Stride+i], 0
	}
	var column [pivotedWidth]float64
	var partners [pivotedWidth]int // of first, first + 1, …
	j := first
	for ; j < end; j++ {
		best, at := math.Inf(-1), j
		for i := j; i < n; i++ {
			if left := p.diagonal[i] - p.squares[i]; left > best {
				best, at = left, i
			}
		}
		if !(best > tolerance) {
			break
		}
		partners[j-first] = at
		p.exchange(first, j, at)
		root := math.Sqrt(best)
		row := a.Row(j)
		row[j] = root
		above := a.Block(first, j-first, j, n-j)
		for i := range j - first {
			column[i] = above.Data[i*a.Stride]
		}
		rest, sums := row[j+1:], p.sums[:n-j-1]
		if j > first && len(rest) > 0 {
			MulVec(ctx, sums, a.Block(first, j-first, j+1, n-j-1).T(), column[:j-first])
			for i, v := range sums {
				rest[i] -= v
			}
		}
		scale(rest, 1/root)
		for i, v := range rest {
			p.squares[j+1+i] += v * v
		}
	}
	// Rows above the block follow its exchanges one by one, while they are in the
	// cache.
	const rows = 32
	parallel.Do(ctx, (first+rows-1)/rows, func(_, piece int) {
		for i := piece * rows; i < min((piece+1)*rows, first); i++ {
			row := a.Row(i)
			for k, at := range partners[:j-first] {
				row[first+k], row[at] = row[at], row[first+k]
			}
		}
	})
	return j
}

// exchange swaps j and k ≥ j in the rows of a block from first on, and in the
// remaining matrix.
func (p *pivoted) exchange(first, j, k int) {
	if j == k {
		return
	}
	a := p.a
	p.order[j], p.order[k] = p.order[k], p.order[j]
	p.diagonal[k], p.squares[k] = p.diagonal[j], p.squares[j]
	rowJ, rowK := a.Row(j), a.Row(k)
	rowK[k] = rowJ[j]
	for i := first; i < j; i++ {
		row := a.Row(i)
		row[j], row[k] = row[k], row[j]
	}
	for i := j + 1; i < k; i++ { // from row j to column k
		other := &a.Data[i*a.Stride+k]
		rowJ[i], *other = *other, rowJ[i]
	}
	for c := k + 1; c < a.Cols; c++ {
		rowJ[c], rowK[c] = rowK[c], rowJ[c]
	}
}
