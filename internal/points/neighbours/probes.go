package neighbours

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
)

// probes lists, for each pair of a local cell a and any cell b, the places of a that are to be
// compared with every point of b.
type probes struct {
	cell  [][]int32 // of a: the cells b, ascending
	start [][]int32 // of a: where the places for each b begin, and their number
	place [][]Place
}

// looking returns the places of cell a that look into cell b.
func (p *probes) looking(a, b int) []Place {
	k, found := slices.BinarySearch(p.cell[a], int32(b))
	if !found {
		return nil
	}
	return p.place[a][p.start[a][k]:p.start[a][k+1]]
}

// among returns the range of cells first ≤ b < last among the cells that points of a look into.
func (p *probes) among(a, first, last int) (from, to int) {
	from, _ = slices.BinarySearch(p.cell[a], int32(first))
	to, _ = slices.BinarySearch(p.cell[a], int32(last))
	return from, to
}

// into returns, for every cell first ≤ b < last, those whose points look into it, ascending.
func (p *probes) into(first, last int) [][]int32 {
	into := make([][]int32, last-first)
	for a, cells := range p.cell {
		from, to := p.among(a, first, last)
		for _, b := range cells[from:to] {
			into[int(b)-first] = append(into[int(b)-first], int32(a))
		}
	}
	return into
}

// beyond returns how far a sketch of cell a of all lies on its side of the plane between the
// centres of a and b; 0 where these are the same.
func (c *cells) beyond(x []float32, a, b int) float64 {
	if a == b {
		return 0
	}
	from, to := c.centreOf(a), c.centreOf(b)
	var fromA, fromB, between float64
	for k, v := range x[:c.rank] {
		p, q := float64(from[k]), float64(to[k])
		fromA += (float64(v) - p) * (float64(v) - p)
		fromB += (float64(v) - q) * (float64(v) - q)
		between += (p - q) * (p - q)
	}
	if between == 0 {
		return 0
	}
	return (fromB - fromA) / (2 * math.Sqrt(between))
}

// probes finds the cells that every point looks into now: cells whose plane is farther than it has
// looked before, and within its present look. Both are by place; the cell that holds a point is one of them if
// itself is true. Cost: n·√n products of sketches. It fails when ctx is done.
func (c *cells) probes(ctx context.Context, looked, look []float32, itself bool) (*probes, error) {
	local, count := c.count(), len(c.members)
	p := &probes{make([][]int32, local), make([][]int32, local), make([][]Place, local)}
	type scratch struct {
		tileScratch
		planes  []float32
		offsets []float32
		never   []float32
		packed  []vec.Packed[float32]
		found   [][]Place
	}
	all := make([]scratch, parallel.Threads(ctx))
	err := parallel.Step(ctx, local, func(worker, a int) {
		w := &all[worker]
		w.planes, w.offsets, w.never = grown(w.planes, count*c.rank), grown(w.offsets, count), grown(w.never, tiles.Size)
		w.packed, w.found = grown(w.packed, (count+tiles.Size-1)/tiles.Size), grown(w.found, count)
		fill(w.never, float32(math.Inf(-1)))
		// x is beyond the plane by D/2 − ⟨x − c_a, u⟩, with u = (c_b − c_a)/D.
		centre := c.centreOf(c.global(a))
		for b := range count {
			plane, other := w.planes[b*c.rank:(b+1)*c.rank], c.centreOf(b)
			between := float32(math.Sqrt(float64(apart(centre, other, math.MaxFloat32))))
			for k, v := range other {
				if plane[k] = 0; between > 0 {
					plane[k] = (v - centre[k]) / between
				}
			}
			w.offsets[b] = between + 2*project(centre, plane)
			w.found[b] = w.found[b][:0]
		}
		for k := range w.packed {
			from, to := k*tiles.Size, min((k+1)*tiles.Size, count)
			w.packed[k].PackRight(to-from, c.rank, w.planes[from*c.rank:], c.rank)
		}
		total := 0
		for _, block := range c.blocksOf(a) {
			rows := block.len()
			w.left.PackLeft(rows, c.rank, c.sketchesFrom(block.from), c.width)
			w.squares, w.limit = grown(w.squares, rows), grown(w.limit, rows)
			clear(w.squares)
			for r := range rows {
				w.limit[r] = 2 * look[block.from+Place(r)]
			}
			for k := range w.packed {
				first := k * tiles.Size
				w.near = w.tile(&w.packed[k], w.squares, w.offsets[first:first+w.packed[k].Rows()], w.limit, w.never)
				for _, code := range w.near {
					r, column := int(code)/vec.NearColumns, int(code)%vec.NearColumns
					b, place := first+column, block.from+Place(r)
					dot := w.dots[r*tiles.Size+column]
					if b == c.global(a) && !itself || w.offsets[b]-dot-dot <= 2*looked[place] {
						continue
					}
					w.found[b] = append(w.found[b], place)
					total++
				}
			}
		}
		places := make([]Place, 0, total)
		for b, found := range w.found {
			if len(found) > 0 {
				p.cell[a], p.start[a] = append(p.cell[a], int32(b)), append(p.start[a], int32(len(places)))
				places = append(places, found...)
			}
		}
		p.place[a], p.start[a] = places, append(p.start[a], int32(len(places)))
	})
	return p, err
}

// pairs returns how many pairs of points the probes compare, at most.
func (p *probes) pairs(c *cells) float64 {
	sum := 0.0
	for a, cells := range p.cell {
		for k, b := range cells {
			sum += float64(p.start[a][k+1]-p.start[a][k]) * float64(c.members[b])
		}
	}
	return sum
}
