package graph

import (
	"context"
	"math"
	"math/rand/v2"

	"lapsvm/internal/comm"
	"lapsvm/internal/neighbours"
	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
	"lapsvm/points"
)

// division cuts the space into parts, one for each rank: a point is in the part that most
// of the sampled points nearest to it are in, by their sketches.
type division struct {
	basis    *neighbours.Basis
	sketches []float32 // of the sampled points, part after part
	squares  []float32 // of their lengths
	part     []int     // of each
	parts    int
}

// votes is how many of the nearest sampled points say what part a point is in.
const votes = 5

// newDivision divides sampled points, the same on all ranks, so that parts have as
// many of them, and few of their neighbours are in other parts. Rank 0 decides.
func newDivision(ctx context.Context, c *comm.Comm, sample *points.Points, seed uint64) (*division, error) {
	d := &division{parts: c.Size(), squares: make([]float32, sample.Len())}
	var sketches []float32
	var err error
	if d.basis, sketches, err = neighbours.NewBasis(ctx, sample, seed); err != nil {
		return nil, err
	}
	b := &bisection{sketches: sketches, width: d.basis.Width, random: rand.New(rand.NewPCG(seed, 12))}
	if c.Rank() == 0 {
		if err := b.split(ctx, rowsFrom(0, sample.Len()), d.parts); err != nil {
			return nil, err
		}
	}
	decided, err := c.Broadcast(ctx, 0, comm.Bytes(append(b.start, b.order...)))
	if err != nil {
		return nil, err
	}
	start, order := comm.Of[int](decided)[:d.parts], comm.Of[int](decided)[d.parts:]
	part := -1
	for k, i := range order {
		for part+1 < d.parts && start[part+1] <= k {
			part++
		}
		sketch := sketches[i*b.width : (i+1)*b.width]
		d.sketches, d.part = append(d.sketches, sketch...), append(d.part, part)
		for _, v := range sketch {
			d.squares[k] += v * v
		}
	}
	return d, ctx.Err()
}

// rowsAtOnce is how many points are held against all sampled ones at once.
const rowsAtOnce = 64

// look calls do for points, with their squared distances to the sampled ones in
// the unit of sketches; for different points at the same time.
func (d *division) look(ctx context.Context, p *points.Points, do func(i int, far []float32)) error {
	sketches, err := d.basis.Sketches(ctx, p)
	if err != nil {
		return err
	}
	n, width, sampled := p.Len(), d.basis.Width, len(d.part)
	scratch, alone := make([][]float32, parallel.Threads(ctx)), parallel.WithLimit(ctx, 1)
	return parallel.Step(ctx, (n+rowsAtOnce-1)/rowsAtOnce, func(worker, piece int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]float32, rowsAtOnce*sampled)
		}
		from, to, far := piece*rowsAtOnce, min((piece+1)*rowsAtOnce, n), scratch[worker]
		if vec.Gemm(alone, false, true, to-from, sampled, width, -2, sketches[from*width:to*width], width, d.sketches, width, 0, far, sampled) != nil {
			return // ctx is done
		}
		for i := from; i < to; i++ {
			row := far[(i-from)*sampled : (i-from+1)*sampled]
			square := float32(0)
			for _, v := range sketches[i*width : (i+1)*width] {
				square += v * v
			}
			for j, v := range d.squares {
				row[j] += square + v
			}
			do(i, row)
		}
	})
}

// partsOf returns the part of every point. Cost: 8,192 distances of sketches a point.
func (d *division) partsOf(ctx context.Context, p *points.Points) ([]int, error) {
	parts := make([]int, p.Len())
	err := d.look(ctx, p, func(i int, far []float32) { parts[i] = d.vote(far) })
	return parts, err
}

// vote returns the part that most of the nearest are in; of several, that of the nearest.
func (d *division) vote(far []float32) int {
	var nearest [votes]float32
	var part [votes]int
	for a := range nearest {
		nearest[a], part[a] = math.MaxFloat32, -1
	}
	for j, v := range far {
		if !(v < nearest[votes-1]) {
			continue
		}
		a := votes - 1
		for ; a > 0 && v < nearest[a-1]; a-- {
			nearest[a], part[a] = nearest[a-1], part[a-1]
		}
		nearest[a], part[a] = v, d.part[j]
	}
	best, most := 0, 0
	for a, r := range part {
		count := 0
		for _, other := range part[a:] {
			if other == r && r >= 0 {
				count++
			}
		}
		if count > most {
			best, most = r, count
		}
	}
	return best
}

// beyond returns how far every point is from every part, parts numbers a point: by how
// much farther the nearest sampled point of the part is than that of all, in the unit
// of points.
func (d *division) beyond(ctx context.Context, p *points.Points) ([]float32, error) {
	all := make([]float32, p.Len()*d.parts)
	err := d.look(ctx, p, func(i int, far []float32) {
		to := all[i*d.parts : (i+1)*d.parts]
		for r := range to {
			to[r] = math.MaxFloat32
		}
		least := float32(math.MaxFloat32)
		for j, v := range far {
			to[d.part[j]], least = min(to[d.part[j]], v), min(least, v)
		}
		for r, v := range to {
			to[r] = float32((math.Sqrt(max(float64(v), 0)) - math.Sqrt(max(float64(least), 0))) / d.basis.Scale)
		}
	})
	return all, err
}
