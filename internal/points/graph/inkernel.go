package graph

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/points"
)

// pointsPerPiece is how many points one piece of work looks at.
const pointsPerPiece = 64

// inKernel finds the neighbours of points with given kernel values.
func inKernel(ctx context.Context, p *points.Points, k int) (*Neighbours, error) {
	n := p.Len()
	if n != p.Dim() {
		return nil, fmt.Errorf("neighbours by a kernel's values need a square table of them, not %d rows of %d", n, p.Dim())
	}
	if err := CheckNeighbours(p, k); err != nil {
		return nil, err
	}
	self, rows := make([]float64, n), make([][]float64, parallel.Threads(ctx))
	pieces := (n + pointsPerPiece - 1) / pointsPerPiece
	each := func(do func(i int, row []float64)) error {
		return parallel.Run(ctx, pieces, func(worker, piece int) {
			if rows[worker] == nil {
				rows[worker] = make([]float64, n)
			}
			for i := piece * pointsPerPiece; i < min((piece+1)*pointsPerPiece, n); i++ {
				p.CopyRow(rows[worker], i)
				do(i, rows[worker])
			}
		})
	}
	if err := each(func(i int, row []float64) { self[i] = row[i] }); err != nil {
		return nil, err
	}
	nb := &Neighbours{K: k, Index: make([]int32, n*k), Distance: make([]float64, n*k)}
	err := each(func(i int, row []float64) {
		index, squared := nb.Row(i)
		filled := 0
		for j, v := range row {
			d := max(self[i]+self[j]-2*v, 0)
			if j == i || filled == k && d >= squared[k-1] {
				continue
			}
			// Points come in the order of their indices: equal distances stay in it.
			at, _ := slices.BinarySearchFunc(squared[:filled], d, func(have, d float64) int {
				if have <= d {
					return -1
				}
				return 1
			})
			filled = min(filled+1, k)
			copy(index[at+1:filled], index[at:filled-1])
			copy(squared[at+1:filled], squared[at:filled-1])
			index[at], squared[at] = int32(j), d
		}
		for at, v := range squared {
			squared[at] = math.Sqrt(v)
		}
	})
	if err != nil {
		return nil, err
	}
	return nb, nil
}
