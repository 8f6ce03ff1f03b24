package tall

import (
	"context"
	"fmt"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// Inner returns the inner products XᵀY of the columns of two panels of as many rows, width×width. It has the same bits for any
// number of threads, and is undefined once ctx is done. Cost: 16·width multiply-adds a row.
func Inner(ctx context.Context, width int, x, y []float64) linalg.Matrix {
	checkPanels("Inner", width, x, y)
	n := len(x) / width
	blocks := (n + block - 1) / block
	parts := min(blocks, mostSums)
	sums := make([]float64, parts*block*wide)
	_ = parallel.Step(ctx, parts, func(_, part int) {
		sum, right := sums[part*block*wide:(part+1)*block*wide], make([]float64, block*wide)
		for b := part * blocks / parts; b < (part+1)*blocks/parts; b++ {
			from, to := b*block, min((b+1)*block, n)
			join(right, [][]float64{y}, width, from, to)
			vec.MulTileTransPanel(to-from, width, x[from*width:to*width], width, sum, right)
		}
	})
	out := linalg.New(width, width)
	for part := range parts {
		addParts([][]float64{out.Data}, width, 0, width, 1, sums[part*block*wide:])
	}
	return out
}

// Combine computes dst = Z + s·XM of panels of as many rows and a matrix M, width×width. dst may be Z or X. It is undefined
// once ctx is done. Cost: 16·width multiply-adds a row.
func Combine(ctx context.Context, width int, dst, z []float64, s float64, x []float64, m linalg.Matrix) {
	checkPanels("Combine", width, dst, z)
	checkPanels("Combine", width, dst, x)
	right := make([]float64, block*wide)
	join(right, [][]float64{m.Data}, width, 0, width)
	const rows = partBlocks * block
	n, length := len(dst)/width, vec.RowSumsLength(wide)
	scratch := make([]float64, parallel.Threads(ctx)*length)
	_ = parallel.Step(ctx, (n+rows-1)/rows, func(worker, part int) {
		sums := scratch[worker*length : (worker+1)*length]
		for from := part * rows; from < min((part+1)*rows, n); from += block {
			to := min(from+block, n)
			clear(sums)
			vec.MulTilePanel(wide, to-from, width, x[from*width:to*width], width, sums, right)
			copy(dst[from*width:to*width], z[from*width:to*width])
			addParts([][]float64{dst}, width, from, to, s, sums)
		}
	})
}

func checkPanels(fn string, width int, x, y []float64) {
	if width < 1 || wide%width != 0 || len(x) != len(y) || len(x)%width != 0 {
		panic(fmt.Sprintf("tall: %s of panels of %d and %d values, %d columns wide", fn, len(x), len(y), width))
	}
}
