package graph

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/ranks/comm"
)

// Bytes estimates the memory of k neighbours of each of n points while [Connect] makes their
// graph. A neighbour takes 12 bytes. Its edge, there and back, takes twice 16 while edges are
// sorted, and twice 12 in the graph. A point takes 150.
func Bytes(n, k int) int64 { return int64(n) * (150 + (12+2*16+2*12)*int64(k)) }

// Connect makes the undirected graph of a neighbour relation: i and j are joined where either is a
// neighbour of the other, W = max(W, Wᵀ) of the directed weights. Both directions have the same
// distance, so the maximum never chooses between different weights. Edges of weight 0 are left out:
// duplicates by Distance, and by Heat edges longer than 38 widths, whose weight is below float64.
// width is the heat width used, 0 for the other rules. It fails when ctx is done.
//
// Of ranks that share the points each has the rows of its own points. Each sends the edges that
// lead to points of others, and the numbers of these.
func Connect(ctx context.Context, nb *Neighbours, rule Weights, heatWidth float64) (w *Adjacency, width float64, err error) {
	c, n := nb.Ranks, nb.Len()
	at := nb.columns()
	if rule == "" {
		rule = Heat
	}
	if rule == Heat {
		if width, err = widthOf(ctx, nb, heatWidth); err != nil {
			return nil, 0, err
		}
	}
	weight := func(distance float64) float64 {
		switch rule {
		case Binary:
			return 1
		case Distance:
			return distance
		}
		return heat(distance, width)
	}
	count := make([]int, n+1)
	away := make([][]neighbours.Number, c.Size()) // edges to points of others: theirs, mine
	weights := make([][]float64, c.Size())
	for i := range n {
		if i%listened == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		index, distance := nb.Row(i)
		count[i+1] += len(index)
		for k, j := range index {
			j := neighbours.Number(j)
			if at.own(j) {
				count[at.of(j)+1]++
				continue
			}
			r := nb.Partition.Owner(int(j))
			away[r], weights[r] = append(away[r], j, neighbours.Number(at.from+i)), append(weights[r], weight(distance[k]))
			at.beyond = append(at.beyond, j)
		}
	}
	arrived, theirWeights, err := exchangeEdges(ctx, c, away, weights)
	if err != nil {
		return nil, 0, err
	}
	for k := 0; k < len(arrived); k += 2 {
		count[at.of(arrived[k])+1]++
		at.beyond = append(at.beyond, arrived[k+1])
	}
	at.settle()
	for i := range n {
		count[i+1] += count[i]
	}
	entries, fill := make([]half, count[n]), slices.Clone(count)
	enter := func(i int, j neighbours.Number, v float64) {
		entries[fill[i]] = half{at.of(j), v}
		fill[i]++
	}
	// Each part of the rows goes through all edges, and enters those of its own rows.
	parts := min(1+n/enteredTogether, mostEntered)
	if err := parallel.Step(ctx, parts, func(_, part int) {
		from, to := part*n/parts, (part+1)*n/parts
		for i := range n {
			if i%listened == 0 && ctx.Err() != nil {
				return
			}
			index, distance := nb.Row(i)
			mine := from <= i && i < to
			for k, j := range index {
				j := neighbours.Number(j)
				other := -1
				if at.own(j) {
					other = int(at.of(j))
				}
				theirs := from <= other && other < to
				if !mine && !theirs {
					continue
				}
				v := weight(distance[k])
				if mine {
					enter(i, j, v)
				}
				if theirs {
					enter(other, neighbours.Number(at.from+i), v)
				}
			}
		}
	}); err != nil {
		return nil, 0, err
	}
	for k, v := range theirWeights {
		enter(int(at.of(arrived[2*k])), arrived[2*k+1], v)
	}
	w = &Adjacency{Start: make([]int, n+1)}
	inPieces(ctx, n, func(i0, i1 int) {
		for i := i0; i < i1; i++ {
			row := entries[count[i]:count[i+1]]
			slices.SortFunc(row, func(a, b half) int { return int(a.column - b.column) })
			w.Start[i+1] = distinct(row)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	for i := range n {
		w.Start[i+1] += w.Start[i]
	}
	w.Index, w.Weight = make([]int32, w.Start[n]), make([]float64, w.Start[n])
	inPieces(ctx, n, func(i0, i1 int) {
		for i := i0; i < i1; i++ {
			from := w.Start[i]
			for k, e := range entries[count[i]:][:w.Start[i+1]-from] {
				w.Index[from+k], w.Weight[from+k] = e.column, e.weight
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if c.Alone() {
		return w, width, nil
	}
	if w.halo, err = newHalo(ctx, c, nb.Partition, at); err != nil {
		return nil, 0, err
	}
	return w, width, w.halo.takeDegrees(ctx, w)
}

// Each part of enteredTogether rows has its edges entered by one goroutine. More parts than mostEntered would make the time grow faster than the edges.
const (
	enteredTogether = 1 << 17
	mostEntered     = 16
)

// listened is after how many rows a pass over all edges looks whether its context is done.
const listened = 1 << 14

// half is an edge as one of its points has it.
type half struct {
	column int32
	weight float64
}

// distinct moves the edges of a row that is sorted by column to its front: one of each column, without edges of weight 0. It returns
// their number.
func distinct(row []half) int {
	kept := row[:0]
	for _, e := range row {
		if e.weight != 0 && (len(kept) == 0 || kept[len(kept)-1].column != e.column) {
			kept = append(kept, e)
		}
	}
	return len(kept)
}

// exchangeEdges sends edges to the ranks of their other points, and returns the edges received from
// all.
func exchangeEdges(ctx context.Context, c *comm.Comm, edges [][]neighbours.Number, weights [][]float64) (arrived []neighbours.Number, theirs []float64, err error) {
	if c.Alone() {
		return nil, nil, nil
	}
	pairs, values := make([][]byte, c.Size()), make([][]byte, c.Size())
	for r := range pairs {
		pairs[r], values[r] = comm.Bytes(edges[r]), comm.Bytes(weights[r])
	}
	if pairs, err = c.AllToAll(ctx, pairs); err != nil {
		return nil, nil, err
	}
	if values, err = c.AllToAll(ctx, values); err != nil {
		return nil, nil, err
	}
	for r := range pairs {
		arrived, theirs = append(arrived, comm.Numbers[neighbours.Number](pairs[r])...), append(theirs, comm.Numbers[float64](values[r])...)
	}
	return arrived, theirs, nil
}

// widthOf returns the heat width: the one given, or the mean of the neighbour distances of
// all ranks that are not zero.
func widthOf(ctx context.Context, nb *Neighbours, width float64) (float64, error) {
	if width == 0 {
		var err error
		if width, err = nb.MeanDistance(ctx); err != nil {
			return 0, err
		}
	}
	if width == 0 { // every neighbour is a duplicate: any width gives weight 1
		width = 1
	}
	return width, nil
}

// heat returns exp(−distance²/(2·width²)), also where the squares are beyond float64.
func heat(distance, width float64) float64 {
	if square := 2 * width * width; square > 0x1p-1000 && square < 0x1p1000 && distance < 0x1p500 {
		return math.Exp(-distance * distance / square)
	}
	ratio := distance / width
	return math.Exp(-ratio * ratio / 2)
}
