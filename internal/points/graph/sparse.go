package graph

import (
	"context"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/ranks/comm"
)

// Sparse is the rows of a sparse matrix whose columns are the points. Of ranks that share the points each has a part of every row:
// elements at its own points, and at those of the halo after them.
type Sparse [][]Element

// Element is an element of a row of a [Sparse] matrix.
type Element struct {
	At int // the point
	By float64
}

// MulSparse computes x = xL, with the elements of a row in the order of the points. Ranks call it together, with as many rows. It
// fails when ctx is done.
func (l *Laplacian) MulSparse(ctx context.Context, x Sparse) error {
	if err := l.Home(ctx, x); err != nil {
		return err
	}
	return parallel.Step(ctx, len(x), func(_, row int) {
		var sums []Element
		for _, e := range x[row] {
			l.Entries(e.At, func(j int, v float64) { sums = append(sums, Element{j, e.By * v}) })
		}
		x[row] = joined(sums)
	})
}

// joined returns the sums of the elements at each point, in the order of the points.
func joined(elements []Element) []Element {
	slices.SortStableFunc(elements, func(a, b Element) int { return a.At - b.At })
	sums := elements[:0]
	for _, e := range elements {
		if k := len(sums) - 1; k >= 0 && sums[k].At == e.At {
			sums[k].By += e.By
		} else {
			sums = append(sums, e)
		}
	}
	return sums
}

// Home sends the elements at points of the halo to the ranks that have these points. A process alone has them all. It fails when ctx
// is done.
func (l *Laplacian) Home(ctx context.Context, x Sparse) error {
	h := l.w.halo
	if h == nil {
		return ctx.Err()
	}
	const numbers = 3 // row, place in the halo and value
	away := make([][]byte, h.c.Size())
	for row, elements := range x {
		x[row] = slices.DeleteFunc(elements, func(e Element) bool {
			if e.At < h.n {
				return false
			}
			r := comm.Partition(h.start).Owner(e.At - h.n)
			away[r] = append(away[r], comm.Bytes([]float64{float64(row), float64(e.At - h.n - h.start[r]), e.By})...)
			return true
		})
	}
	received, err := h.c.AllToAll(ctx, away)
	if err != nil {
		return err
	}
	came := make(map[int]bool)
	for r, bytes := range received {
		for e := range slices.Chunk(comm.Numbers[float64](bytes), numbers) {
			row := int(e[0])
			x[row] = append(x[row], Element{int(h.wanted[r][int(e[1])]), e[2]})
			came[row] = true
		}
	}
	for row := range came {
		x[row] = joined(x[row])
	}
	return ctx.Err()
}
