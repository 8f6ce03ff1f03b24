package neighbours

import (
	"context"
	"math/rand/v2"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
)

// Tree is a projection tree: every node splits its points into halves by their projections on a
// direction, until so few are left that they are a leaf. All nodes of a level are split, and halves
// differ by one point at most. Points with the same projection are told apart by their numbers, so
// any points make a tree. It is plain data.
type Tree struct {
	Depth     int       // 2^Depth leaves
	Order     []int32   // the points, leaf after leaf
	Direction []float32 // of node 0, of its halves 1 and 2, of theirs 3 to 6 …, as wide as a sketch each
	Threshold []float32 // of every node: projections below belong to the first half
}

// Leaf returns the points of a leaf. It must not be changed.
func (t *Tree) Leaf(leaf int) []int32 {
	from, to := t.span(leaf, t.Depth)
	return t.Order[from:to]
}

// Leaves returns the number of leaves.
func (t *Tree) Leaves() int { return 1 << t.Depth }

// span returns the places in Order of a node, numbered from 0 within its level.
func (t *Tree) span(node, level int) (from, to int) {
	n := len(t.Order)
	from, to = 0, n
	for bit := level - 1; bit >= 0; bit-- {
		if middle := (from + to) / 2; node>>bit&1 == 0 {
			to = middle
		} else {
			from = middle
		}
	}
	return from, to
}

// projected is a point with its projection.
type projected struct {
	value float32
	index int32
}

func (a projected) less(b projected) bool {
	return a.value < b.value || a.value == b.value && a.index < b.index
}

// perStep is how many points one piece of work projects.
const perStep = 4096

// newTree grows a tree over n sketches, with at most leaf points in a leaf. Directions
// are differences of two points of the node. It depends on the sketches and the seed
// alone. Cost: n·width multiply-adds a level.
func newTree(ctx context.Context, sketches []float32, width, leaf int, seed uint64) (*Tree, error) {
	n := len(sketches) / max(width, 1)
	t := &Tree{Order: make([]int32, n)}
	for (n-1)>>t.Depth+1 > leaf {
		t.Depth++
	}
	t.Direction, t.Threshold = make([]float32, (t.Leaves()-1)*width), make([]float32, t.Leaves()-1)
	at := make([]projected, n)
	for i := range at {
		at[i].index = int32(i)
	}
	for level := range t.Depth {
		nodes := 1 << level
		for node := range nodes {
			from, to := t.span(node, level)
			t.direct(nodes-1+node, at[from:to], sketches, width, rand.New(rand.NewPCG(seed, uint64(nodes+node))))
		}
		pieces := (n + perStep - 1) / perStep
		err := parallel.Run(parallel.Part(ctx, level*pieces, t.Depth*pieces), pieces, func(_, piece int) {
			node, end := 0, 0
			for i := piece * perStep; i < min((piece+1)*perStep, n); i++ {
				for i >= end {
					node, end = t.holding(i, level)
				}
				if i+sketchesAhead < n {
					vec.Prefetch(sketches[int(at[i+sketchesAhead].index)*width:][:width])
				}
				x := sketches[int(at[i].index)*width:][:width]
				at[i].value = project(x, t.Direction[(nodes-1+node)*width:][:width])
			}
		})
		if err != nil {
			return nil, err
		}
		err = parallel.Step(ctx, nodes, func(_, node int) {
			from, to := t.span(node, level)
			middle := (from + to) / 2
			halve(at[from:to], middle-from)
			t.Threshold[nodes-1+node] = at[middle].value
		})
		if err != nil {
			return nil, err
		}
	}
	for i, one := range at {
		t.Order[i] = one.index
	}
	return t, nil
}

// holding returns the node of a level that holds a place of Order, and its end.
func (t *Tree) holding(place, level int) (node, end int) {
	from, to := 0, len(t.Order)
	for range level {
		node *= 2
		if middle := (from + to) / 2; place < middle {
			to = middle
		} else {
			from = middle
			node++
		}
	}
	return node, to
}

// tries is how many pairs of points are looked at for one that differs.
const tries = 8

// direct chooses the direction of a node: the difference of two of its points, or 0 where all
// points tried are equal.
func (t *Tree) direct(node int, members []projected, sketches []float32, width int, rng *rand.Rand) {
	direction := t.Direction[node*width:][:width]
	for range tries {
		x := sketches[int(members[rng.IntN(len(members))].index)*width:][:width]
		y := sketches[int(members[rng.IntN(len(members))].index)*width:][:width]
		differ := false
		for c := range direction {
			direction[c] = x[c] - y[c]
			differ = differ || direction[c] != 0
		}
		if differ {
			// Products with what is small beside the largest point stay in range.
			largest := float32(0)
			for _, v := range direction {
				largest = max(largest, v, -v)
			}
			for c := range direction {
				direction[c] /= largest
			}
			return
		}
	}
}

// project returns an inner product.
func project(x, y []float32) float32 {
	y = y[:len(x)]
	var a, b, c, d float32
	for len(x) >= 4 {
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for k, v := range x {
		a += v * y[k]
	}
	return a + b + c + d
}

// halve reorders all so that the first count are the least.
func halve(all []projected, count int) {
	from, to := 0, len(all)
	for to-from > 1 {
		// The median of three of them, far apart, is the pivot.
		a, b, c := all[from], all[(from+to)/2], all[to-1]
		if b.less(a) {
			a, b = b, a
		}
		if c.less(b) {
			b = c
			if b.less(a) {
				b = a
			}
		}
		i, j := from, to-1
		for i <= j {
			for all[i].less(b) {
				i++
			}
			for b.less(all[j]) {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case count <= j:
			to = j + 1
		case count >= i:
			from = i
		default:
			return
		}
	}
}

// sketchesAhead is how many points before it is looked at a sketch is fetched, as it may
// be anywhere in memory.
const sketchesAhead = 8
