package graph

import (
	"context"
	"math"
	"math/rand/v2"

	"lapsvm/comm"
	"lapsvm/internal/neighbours"
	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
	"lapsvm/points"
)

// division cuts the space into parts, one for each rank: a point is in the part that most
// of the sampled points nearest to it are in, by their sketches.
type division struct {
	basis    *neighbours.Basis
	sketches []float32 // of the sampled points
	squares  []float32 // of their lengths
	part     []int     // of each
	parts    int
}

// votes is how many of the nearest sampled points say what part a point is in.
const votes = 5

// newDivision divides the space by sampled points, the same on all ranks, so that parts
// have about as many of the points p of all ranks, and few of the neighbours of the sampled ones
// are in other parts. It returns the parts of p too. Cost: a distance of sketches for every point
// and sampled one.
func newDivision(ctx context.Context, c *comm.Comm, sample, p *points.Points, seed uint64) (*division, []int, error) {
	d := &division{parts: c.Size(), part: make([]int, sample.Len())}
	var err error
	if d.basis, d.sketches, err = neighbours.NewBasis(ctx, sample, seed); err != nil {
		return nil, nil, err
	}
	width := d.basis.Width
	for i := range sample.Len() {
		d.squares = append(d.squares, squareOf(d.sketches[i*width:(i+1)*width]))
	}
	nearest := make([][votes]int32, p.Len())
	if err := d.look(ctx, p, func(i int, far []float32, _ float32) { nearest[i] = leastOf(far) }); err != nil {
		return nil, nil, err
	}
	b := &bisection{sketches: d.sketches, width: width, weight: make([]float64, sample.Len()), random: rand.New(rand.NewPCG(seed, 12)), part: d.part}
	for _, near := range nearest {
		for _, j := range near {
			b.weight[j]++
		}
	}
	if err := c.Sum(ctx, b.weight); err != nil {
		return nil, nil, err
	}
	if c.Rank() == 0 { // who decides, since processors may round in different ways
		if err := b.split(ctx, rowsFrom(0, sample.Len()), 0, d.parts); err != nil {
			return nil, nil, err
		}
	}
	decided, err := c.Broadcast(ctx, 0, comm.Bytes(d.part))
	if err != nil {
		return nil, nil, err
	}
	d.part = comm.Of[int](decided)
	parts := make([]int, p.Len())
	for i, near := range nearest {
		parts[i] = d.elected(near)
	}
	return d, parts, nil
}

func squareOf(x []float32) (sum float32) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

// rowsAtOnce is how many points are held against all sampled ones at once.
const rowsAtOnce = 64

// look calls do for points x, each with what ranks the sampled ones y by their distance, ‖y‖² − 2⟨x, y⟩,
// and with ‖x‖², of sketches; for different points at the same time.
func (d *division) look(ctx context.Context, p *points.Points, do func(i int, far []float32, square float32)) error {
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
		for i := range to - from {
			copy(far[i*sampled:(i+1)*sampled], d.squares)
		}
		if vec.Gemm(alone, false, true, to-from, sampled, width, -2, sketches[from*width:to*width], width, d.sketches, width, 1, far, sampled) != nil {
			return // ctx is done
		}
		for i := from; i < to; i++ {
			row := far[(i-from)*sampled : (i-from+1)*sampled]
			do(i, row, squareOf(sketches[i*width:(i+1)*width]))
		}
	})
}

// leastOf returns where the least numbers are, in ascending order; of fewer numbers the
// last of them over again.
func leastOf(x []float32) (at [votes]int32) {
	var least [votes]float32
	for a := range least {
		least[a] = math.MaxFloat32
	}
	for j, v := range x {
		if !(v < least[votes-1]) {
			continue
		}
		a := votes - 1
		for ; a > 0 && v < least[a-1]; a-- {
			least[a], at[a] = least[a-1], at[a-1]
		}
		least[a], at[a] = v, int32(j)
	}
	for a := len(x); a < votes; a++ {
		at[a] = at[len(x)-1]
	}
	return at
}

// elected returns the part that most of some sampled points are in; of several, that of the
// first.
func (d *division) elected(near [votes]int32) int {
	best, most := 0, 0
	for a, j := range near {
		count := 0
		for _, other := range near[a:] {
			if d.part[other] == d.part[j] {
				count++
			}
		}
		if count > most {
			best, most = d.part[j], count
		}
	}
	return best
}

// beyond returns how far every point is from every part, parts numbers a point: by how
// much farther the nearest sampled point of the part is than that of all, in the unit
// of points.
func (d *division) beyond(ctx context.Context, p *points.Points) ([]float32, error) {
	all := make([]float32, p.Len()*d.parts)
	err := d.look(ctx, p, func(i int, far []float32, square float32) {
		to := all[i*d.parts : (i+1)*d.parts]
		for r := range to {
			to[r] = math.MaxFloat32
		}
		least := float32(math.MaxFloat32)
		for j, v := range far {
			to[d.part[j]], least = min(to[d.part[j]], v), min(least, v)
		}
		distance := func(v float32) float64 { return math.Sqrt(float64(max(v+square, 0))) / d.basis.Scale }
		for r, v := range to {
			to[r] = float32(distance(v) - distance(least))
		}
	})
	return all, err
}
