package neighbours

import (
	"bytes"
	"context"
	"math"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/ranks/comm"
)

// cells are points cut into as many parts as each has points, roughly: every point is
// in the part whose centre is nearest to its sketch. Points are numbered by their
// places, cell after cell, so that near ones are near in memory. Of ranks each cuts its own
// points, and knows the centres of all.
type cells struct {
	width  int       // of a sketch
	rank   int       // how many of its coordinates distances are taken of
	order  []int32   // place → row
	start  []int32   // of every cell, and the number of points
	sketch []float32 // by place
	blocks []block   // by cell, those of cell c from first[c] on
	first  []int32
	// Of the cells of all ranks, rank after rank:
	centre  []float32   // rank values each
	members []int32     // how many points each has
	own     int         // which the first of this rank is
	shares  comm.Shares // which are whose
}

// block is up to tiles.Size places of a cell.
type block struct{ from, to int }

// leastCell is the least number of points that cells are meant to have.
const leastCell = 64

// recentred is how often centres move to the means of their cells.
const recentred = 2

// newCells makes cells from the leaves of a projection tree, √N of the N points of all
// ranks. Cost: 2·n·√N distances of sketches or less, of n own points.
func newCells(ctx context.Context, ranks *comm.Comm, b *Basis, sketches []float32, all int, seed uint64) (*cells, error) {
	c := &cells{width: b.Width, rank: b.rank()}
	n := len(sketches) / c.width
	t, err := newTree(ctx, sketches, c.width, max(int(math.Sqrt(float64(all))), leastCell), seed)
	if err != nil {
		return nil, err
	}
	of := make([]int32, n)
	for leaf := range t.Leaves() {
		for _, i := range t.Leaf(leaf) {
			of[i] = int32(leaf)
		}
	}
	for range recentred {
		if err := c.means(ctx, of, t.Leaves(), sketches); err != nil {
			return nil, err
		}
		if err := c.assign(ctx, of, sketches); err != nil {
			return nil, err
		}
	}
	if err := c.layOut(ctx, of, sketches); err != nil {
		return nil, err
	}
	return c, c.tell(ctx, ranks)
}

// tell has ranks tell one another their cells.
func (c *cells) tell(ctx context.Context, ranks *comm.Comm) (err error) {
	for cell := range c.count() {
		c.members = append(c.members, c.start[cell+1]-c.start[cell])
	}
	if c.shares, err = ranks.Shares(ctx, c.count()); err != nil || ranks.Alone() {
		return err
	}
	c.own, _ = c.shares.Range(ranks.Rank())
	centres, err := ranks.Gather(ctx, comm.Bytes(c.centre))
	if err != nil {
		return err
	}
	members, err := ranks.Gather(ctx, comm.Bytes(c.members))
	c.centre, c.members = comm.Numbers[float32](bytes.Join(centres, nil)), comm.Numbers[int32](bytes.Join(members, nil))
	return err
}

// means sets the centres to the means of the points of every cell.
func (c *cells) means(ctx context.Context, of []int32, count int, sketches []float32) error {
	sum, members := make([]float64, count*c.rank), make([]float64, count)
	for i, cell := range of {
		if i%perStep == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		vec.AddWide(sum[int(cell)*c.rank:(int(cell)+1)*c.rank], sketches[i*c.width:i*c.width+c.rank])
		members[cell]++
	}
	before := c.centre
	c.centre = make([]float32, len(sum))
	for k, v := range sum {
		if m := members[k/c.rank]; m > 0 {
			c.centre[k] = float32(v / m)
		} else { // an empty cell stays where it was
			c.centre[k] = before[k]
		}
	}
	return nil
}

// assign gives every point to the cell whose centre is nearest, the first of equally
// near ones.
func (c *cells) assign(ctx context.Context, of []int32, sketches []float32) error {
	count := len(c.centre) / c.rank
	right := make([]vec.Packed[float32], (count+tiles.Size-1)/tiles.Size)
	squares, never := make([]float32, count), make([]float32, tiles.Size)
	for k := range squares {
		squares[k] = square(c.centre[k*c.rank : (k+1)*c.rank])
	}
	fill(never, float32(math.Inf(-1)))
	for b := range right {
		from, to := b*tiles.Size, min((b+1)*tiles.Size, count)
		right[b].PackRight(to-from, c.rank, c.centre[from*c.rank:], c.rank)
	}
	n := len(of)
	all := make([]tileScratch, parallel.Threads(ctx))
	return parallel.Step(ctx, (n+tiles.Size-1)/tiles.Size, func(worker, piece int) {
		w := &all[worker]
		from, to := piece*tiles.Size, min((piece+1)*tiles.Size, n)
		w.left.PackLeft(to-from, c.rank, sketches[from*c.width:], c.width)
		w.squares, w.limit = grown(w.squares, to-from), grown(w.limit, to-from)
		for i := from; i < to; i++ {
			x := sketches[i*c.width : i*c.width+c.rank]
			w.squares[i-from] = square(x)
			at := int(of[i]) * c.rank
			w.limit[i-from] = apart(x, c.centre[at:at+c.rank], math.MaxFloat32)
		}
		for b := range right {
			first := b * tiles.Size
			w.near = w.tile(&right[b], w.squares, squares[first:first+right[b].Rows()], w.limit, never)
			for _, code := range w.near {
				r, column := int(code)/vec.NearColumns, int(code)%vec.NearColumns
				at := (first + column) * c.rank
				distance := apart(sketches[(from+r)*c.width:(from+r)*c.width+c.rank], c.centre[at:at+c.rank], w.limit[r])
				if cell := int32(first + column); distance < w.limit[r] || distance == w.limit[r] && cell < of[from+r] {
					w.limit[r], of[from+r] = distance, cell
				}
			}
		}
	})
}

// layOut numbers the points by their cells.
func (c *cells) layOut(ctx context.Context, of []int32, sketches []float32) error {
	n, count := len(of), len(c.centre)/c.rank
	c.start, c.order, c.sketch = make([]int32, count+1), make([]int32, n), make([]float32, len(sketches))
	for _, cell := range of {
		c.start[cell+1]++
	}
	for k := range count {
		c.start[k+1] += c.start[k]
	}
	next := append([]int32(nil), c.start[:count]...)
	for i, cell := range of {
		c.order[next[cell]] = int32(i)
		next[cell]++
	}
	c.first = make([]int32, count+1)
	for cell := range count {
		from, to := c.span(cell)
		for ; from < to; from += tiles.Size {
			c.blocks = append(c.blocks, block{from: from, to: min(from+tiles.Size, to)})
		}
		c.first[cell+1] = int32(len(c.blocks))
	}
	return parallel.Step(ctx, len(c.blocks), func(_, k int) {
		b := c.blocks[k]
		for place := b.from; place < b.to; place++ {
			copy(c.of(place), sketches[int(c.order[place])*c.width:])
		}
	})
}

// count returns the number of own cells.
func (c *cells) count() int { return len(c.start) - 1 }

// span returns the places of an own cell.
func (c *cells) span(cell int) (from, to int) { return int(c.start[cell]), int(c.start[cell+1]) }

// of returns the sketch of a place.
func (c *cells) of(place int) []float32 { return c.sketch[place*c.width:][:c.width] }

// cellOf returns the own cell that holds a place.
func (c *cells) cellOf(place int) int {
	low, high := 0, c.count()
	for high-low > 1 {
		if middle := (low + high) / 2; int(c.start[middle]) <= place {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// square returns ‖x‖².
func square(x []float32) float32 { return project(x, x) }

// tileScratch is the memory that a tile of products of sketches takes.
type tileScratch struct {
	left           vec.Packed[float32]
	dots           []float32
	squares, limit []float32
	near           []int32
}

// tile multiplies the rows of left with those of right, and returns the codes of the
// pairs that [vec.AppendNear] finds.
func (w *tileScratch) tile(right *vec.Packed[float32], xx, yy, xlimit, ylimit []float32) []int32 {
	w.dots = grown(w.dots, tiles.Size*tiles.Size)
	vec.Tile(w.dots, tiles.Size, &w.left, right, nil)
	return w.nearIn(xx, yy, xlimit, ylimit)
}

// nearIn returns the codes of the pairs of a tile that [vec.AppendNear] finds.
func (w *tileScratch) nearIn(xx, yy, xlimit, ylimit []float32) []int32 {
	return vec.AppendNear(w.near[:0], len(xx), len(yy), w.dots, tiles.Size, xx, yy, xlimit, ylimit)
}

// spacing returns the distance of the centre of a cell of all to the nearest of another, 0
// where there is none elsewhere.
func (c *cells) spacing(cell int) float64 {
	own := c.centre[cell*c.rank : (cell+1)*c.rank]
	least := float32(math.Inf(1))
	for b := range c.members {
		if b != cell {
			if squared := apart(own, c.centre[b*c.rank:(b+1)*c.rank], least); squared > 0 {
				least = min(least, squared)
			}
		}
	}
	if math.IsInf(float64(least), 1) {
		return 0
	}
	return math.Sqrt(float64(least))
}
