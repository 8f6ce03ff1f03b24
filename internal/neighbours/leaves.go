package neighbours

import (
	"context"

	"lapsvm/internal/parallel"
	"lapsvm/internal/tiles"
	"lapsvm/internal/vec"
)

// leafScratch is the memory that the search of one leaf takes.
type leafScratch[T tiles.Float] struct {
	group group[T]
	rows  []int32
	limit []T
	dots  []T
	near  []int32
}

// searchLeaves offers the points of every leaf of a tree of places to one another.
func (f *finder[T]) searchLeaves(ctx context.Context, t *Tree) error {
	all := make([]leafScratch[T], parallel.Threads(ctx))
	n := float64(len(f.order))
	f.pairs += n * n / 2 / float64(t.Leaves())
	return parallel.Run(ctx, t.Leaves(), func(worker, leaf int) { f.searchLeaf(&all[worker], t.Leaf(leaf)) })
}

// searchLeaf looks at all pairs of some places, which are in no other leaf.
func (f *finder[T]) searchLeaf(w *leafScratch[T], places []int32) {
	w.rows, w.limit = w.rows[:0], w.limit[:0]
	for _, at := range places {
		w.rows, w.limit = append(w.rows, f.order[at]), append(w.limit, f.lists.limit(int(at)))
	}
	w.dots = grown(w.dots, tiles.Size*tiles.Size)
	g := &w.group
	f.table.gather(g, w.rows, true, true)
	look := func(bi, bj int) {
		tile(w.dots, g, bi, g, bj)
		i0, i1 := g.span(bi)
		j0, j1 := g.span(bj)
		w.near = vec.AppendNear(w.near[:0], i1-i0, j1-j0, w.dots, tiles.Size, g.squares[i0:i1], g.squares[j0:j1], w.limit[i0:i1], w.limit[j0:j1])
		for _, code := range w.near {
			r, c := int(code)/vec.NearColumns, int(code)%vec.NearColumns
			i, j := i0+r, j0+c
			if i == j {
				continue
			}
			dot := w.dots[r*tiles.Size+c]
			distance := max(g.squares[i]+g.squares[j]-dot-dot, 0)
			if distance <= w.limit[i] {
				w.limit[i] = f.lists.offer(int(places[i]), places[j], distance)
			}
			if bi != bj && distance <= w.limit[j] {
				w.limit[j] = f.lists.offer(int(places[j]), places[i], distance)
			}
		}
	}
	for b := range g.blocks() {
		look(b, b)
	}
	for bi := range g.blocks() {
		for bj := bi + 1; bj < g.blocks(); bj++ {
			look(bi, bj)
		}
	}
}
