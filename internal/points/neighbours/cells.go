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
// in the part whose centre is nearest to its sketch. Places count the points cell after cell, so
// that near ones are near in memory. Of ranks each cuts its local points, and knows the centres of
// all.
type cells struct {
	width  int       // of a sketch
	rank   int       // how many of its coordinates distances are taken of
	rows   []int32   // of every place
	start  []Place   // of every local cell, and the number of points
	sketch []float32 // by place
	blocks []block   // by local cell, those of cell c from first[c] on
	first  []int32
	// Of the cells of all ranks, rank after rank:
	centre    []float32      // rank values each
	members   []int32        // how many points each has
	before    int            // how many are of lower ranks
	partition comm.Partition // which are whose
}

// block is up to tiles.Size places of a cell.
type block struct{ from, to Place }

func (b block) len() int { return int(b.to - b.from) }

// leastCell is the least number of points that cells are meant to have.
const leastCell = 64

// recentred is how often centres move to the means of their cells.
const recentred = 2

// cellSize returns how many of n points a cell has, about.
func cellSize(n int) int { return max(int(math.Sqrt(float64(n))), leastCell) }

// newCells makes cells from the leaves of a projection tree, of so many points at most until
// they move. Cost: two distances of sketches for each local point and cell, or less.
func newCells(ctx context.Context, ranks *comm.Comm, b *Basis, sketches []float32, points int, seed uint64) (*cells, error) {
	c := &cells{width: b.Width, rank: b.rank()}
	n := len(sketches) / c.width
	t, err := newTree(ctx, sketches, c.width, points, seed)
	if err != nil {
		return nil, err
	}
	assigned := make([]int32, n)
	for leaf := range t.Leaves() {
		for _, i := range t.Leaf(leaf) {
			assigned[i] = int32(leaf)
		}
	}
	for range recentred {
		if err := c.means(ctx, assigned, t.Leaves(), sketches); err != nil {
			return nil, err
		}
		if err := c.assign(ctx, assigned, sketches); err != nil {
			return nil, err
		}
	}
	if err := c.layOut(ctx, assigned, sketches); err != nil {
		return nil, err
	}
	return c, c.share(ctx, ranks)
}

// share has ranks send one another the centres and sizes of their cells.
func (c *cells) share(ctx context.Context, ranks *comm.Comm) (err error) {
	for cell := range c.count() {
		from, to := c.span(cell)
		c.members = append(c.members, int32(to-from))
	}
	if c.partition, err = ranks.Partition(ctx, c.count()); err != nil || ranks.Alone() {
		return err
	}
	c.before, _ = c.partition.Range(ranks.Rank())
	centres, err := ranks.Gather(ctx, comm.Bytes(c.centre))
	if err != nil {
		return err
	}
	members, err := ranks.Gather(ctx, comm.Bytes(c.members))
	c.centre, c.members = comm.Numbers[float32](bytes.Join(centres, nil)), comm.Numbers[int32](bytes.Join(members, nil))
	return err
}

// means sets the centres to the means of the points of every cell, where each row is assigned to a
// cell.
func (c *cells) means(ctx context.Context, assigned []int32, count int, sketches []float32) error {
	sum, members := make([]float64, count*c.rank), make([]float64, count)
	for i, cell := range assigned {
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

// assign assigns every row to the cell whose centre is nearest, the first of equally near ones.
func (c *cells) assign(ctx context.Context, assigned []int32, sketches []float32) error {
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
	n := len(assigned)
	all := make([]tileScratch, parallel.Threads(ctx))
	return parallel.Step(ctx, (n+tiles.Size-1)/tiles.Size, func(worker, piece int) {
		w := &all[worker]
		from, to := piece*tiles.Size, min((piece+1)*tiles.Size, n)
		w.left.PackLeft(to-from, c.rank, sketches[from*c.width:], c.width)
		w.squares, w.limit = grown(w.squares, to-from), grown(w.limit, to-from)
		for i := from; i < to; i++ {
			x := sketches[i*c.width : i*c.width+c.rank]
			w.squares[i-from] = square(x)
			at := int(assigned[i]) * c.rank
			w.limit[i-from] = apart(x, c.centre[at:at+c.rank], math.MaxFloat32)
		}
		for b := range right {
			first := b * tiles.Size
			w.near = w.tile(&right[b], w.squares, squares[first:first+right[b].Rows()], w.limit, never)
			for _, code := range w.near {
				r, column := int(code)/vec.NearColumns, int(code)%vec.NearColumns
				at := (first + column) * c.rank
				distance := apart(sketches[(from+r)*c.width:(from+r)*c.width+c.rank], c.centre[at:at+c.rank], w.limit[r])
				if cell := int32(first + column); distance < w.limit[r] || distance == w.limit[r] && cell < assigned[from+r] {
					w.limit[r], assigned[from+r] = distance, cell
				}
			}
		}
	})
}

// layOut gives every row a place in its cell.
func (c *cells) layOut(ctx context.Context, assigned []int32, sketches []float32) error {
	n, count := len(assigned), len(c.centre)/c.rank
	c.start, c.rows, c.sketch = make([]Place, count+1), make([]int32, n), make([]float32, len(sketches))
	for _, cell := range assigned {
		c.start[cell+1]++
	}
	for k := range count {
		c.start[k+1] += c.start[k]
	}
	next := append([]Place(nil), c.start[:count]...)
	for i, cell := range assigned {
		c.rows[next[cell]] = int32(i)
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
			copy(c.sketchOf(place), sketches[int(c.rows[place])*c.width:])
		}
	})
}

// count returns the number of local cells.
func (c *cells) count() int { return len(c.start) - 1 }

// global returns which of all cells a local cell is.
func (c *cells) global(cell int) int { return c.before + cell }

// span returns the places of a local cell.
func (c *cells) span(cell int) (from, to Place) { return c.start[cell], c.start[cell+1] }

// blocksOf returns the blocks of a local cell.
func (c *cells) blocksOf(cell int) []block { return c.blocks[c.first[cell]:c.first[cell+1]] }

// sketchesFrom returns the sketches from a place on.
func (c *cells) sketchesFrom(place Place) []float32 { return c.sketch[int(place)*c.width:] }

// sketchOf returns the sketch of a place.
func (c *cells) sketchOf(place Place) []float32 { return c.sketchesFrom(place)[:c.width] }

// cellOf returns the local cell that holds a place.
func (c *cells) cellOf(place Place) int {
	low, high := 0, c.count()
	for high-low > 1 {
		if middle := (low + high) / 2; c.start[middle] <= place {
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

// centreOf returns the centre of a cell of all.
func (c *cells) centreOf(cell int) []float32 { return c.centre[cell*c.rank : (cell+1)*c.rank] }

// spacing returns the distance of the centre of a cell of all to the nearest of another, 0
// where there is none elsewhere.
func (c *cells) spacing(cell int) float64 {
	centre := c.centreOf(cell)
	least := float32(math.Inf(1))
	for b := range c.members {
		if b != cell {
			if squared := apart(centre, c.centreOf(b), least); squared > 0 {
				least = min(least, squared)
			}
		}
	}
	if math.IsInf(float64(least), 1) {
		return 0
	}
	return math.Sqrt(float64(least))
}
