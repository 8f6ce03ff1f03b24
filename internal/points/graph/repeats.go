package graph

import (
	"context"

	"lapsvm/internal/points/neighbours"
	"lapsvm/points"
)

// HasRepeats reports whether more than k + 1 points of p are equal to one another.
// [FindNeighbours] then has less to do than all pairs of points. Cost: n·d
// multiply-adds. It fails when ctx is done.
func HasRepeats(ctx context.Context, p *points.Points, k int) (bool, error) {
	like, err := repeats(ctx, p, k)
	return len(like) > 0, err
}

// thinned is a table without the points that are no one's neighbours, as there are
// enough equal points before them.
type thinned struct {
	points *points.Points
	kept   []int // their rows in the table of all, ascending; nil where all are kept
	row    []int // per point of all, the row here that has its neighbours
}

// withoutRepeats keeps the first k + 1 points of every group of equal points. The others are among
// no point's k nearest: the first k are as near, and have lower indices, also where the group
// includes the point itself. By the same argument the last kept point is not among the k nearest of
// the others of its group: they have its neighbours.
func withoutRepeats(ctx context.Context, p *points.Points, k int) (thinned, error) {
	like, err := repeats(ctx, p, k)
	if len(like) == 0 || err != nil {
		return thinned{points: p}, err
	}
	t := thinned{row: make([]int, p.Len())}
	for i := range p.Len() {
		if last, repeated := like[i]; repeated {
			t.row[i] = t.row[last]
			continue
		}
		t.row[i] = len(t.kept)
		t.kept = append(t.kept, i)
	}
	t.points = p.Subset(t.kept)
	return t, nil
}

// repeats returns, for every point left out, the last kept point of its group.
func repeats(ctx context.Context, p *points.Points, k int) (map[int]int, error) {
	groups, err := neighbours.Equal(ctx, p)
	like := make(map[int]int)
	for _, group := range groups {
		for _, i := range group[min(k+1, len(group)):] {
			like[i] = group[k]
		}
	}
	return like, err
}

// subset returns the points that are kept, of another table of all.
func (t thinned) subset(p *points.Points) *points.Points {
	if t.kept == nil {
		return p
	}
	return p.Subset(t.kept)
}

// rowOf returns the row of all of a point that is kept.
func (t thinned) rowOf(row int) int {
	if t.kept == nil {
		return row
	}
	return t.kept[row]
}

// ofAll returns the neighbours of all points, from those of the points that are
// kept; nil from nil.
func (t thinned) ofAll(nb *Neighbours) *Neighbours {
	if nb == nil || t.kept == nil {
		return nb
	}
	for a, j := range nb.Index {
		nb.Index[a] = int32(t.kept[j])
	}
	return t.toAll(nb)
}

// toAll returns the neighbours of all points, from those of the points that are kept by the
// numbers of all.
func (t thinned) toAll(nb *Neighbours) *Neighbours {
	if t.kept == nil {
		return nb
	}
	k, n := nb.K, len(t.row)
	all := &Neighbours{K: k, Index: make([]int32, n*k), Distance: make([]float64, n*k)}
	for i, row := range t.row {
		copy(all.Index[i*k:(i+1)*k], nb.Index[row*k:])
		copy(all.Distance[i*k:(i+1)*k], nb.Distance[row*k:])
	}
	return all
}

// orderOfAll extends an order of the kept points to all points: each of the others follows the
// equal kept point with its neighbours.
func (t thinned) orderOfAll(order []int32) []int32 {
	if t.kept == nil {
		return order
	}
	count := make([]int32, len(t.kept))
	for _, row := range t.row {
		count[row]++
	}
	place := make([]int32, len(t.kept)) // of the first point of every row
	next := int32(0)
	for _, row := range order {
		place[row] = next
		next += count[row]
	}
	all := make([]int32, len(t.row))
	for i, row := range t.row {
		all[place[row]] = int32(i)
		place[row]++
	}
	return all
}
