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

// inTable finds the neighbours of points with given kernel values or distances.
func inTable(ctx context.Context, p *points.Points, k int, metric Metric) (*Neighbours, error) {
	n := p.Len()
	if n != p.Dim() {
		return nil, fmt.Errorf("neighbours by given values need a square table of them, not %d rows of %d", n, p.Dim())
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
	// What is compared grows with the distance.
	compared, distance := func(i, j int, v float64) float64 { return max(self[i]+self[j]-2*v, 0) }, math.Sqrt
	if metric == Distances {
		compared, distance = func(_, _ int, v float64) float64 { return v }, func(v float64) float64 { return v }
	}
	if err := each(func(i int, row []float64) { self[i] = row[i] }); err != nil {
		return nil, err
	}
	nb := &Neighbours{K: k, Index: make([]int32, n*k), Distance: make([]float64, n*k)}
	err := each(func(i int, row []float64) {
		index, far := nb.Row(i)
		filled := 0
		for j, v := range row {
			d := compared(i, j, v)
			if j == i || filled == k && d >= far[k-1] {
				continue
			}
			// Points come in the order of their indices: equal distances stay in it.
			at, _ := slices.BinarySearchFunc(far[:filled], d, func(have, d float64) int {
				if have <= d {
					return -1
				}
				return 1
			})
			filled = min(filled+1, k)
			copy(index[at+1:filled], index[at:filled-1])
			copy(far[at+1:filled], far[at:filled-1])
			index[at], far[at] = int32(j), d
		}
		for at, v := range far {
			far[at] = distance(v)
		}
	})
	if err != nil {
		return nil, err
	}
	return nb, nil
}
