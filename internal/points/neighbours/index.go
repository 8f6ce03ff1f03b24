package neighbours

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
	"lapsvm/points"
)

// Index finds the nearest of its points to new ones. The points are in cells, as in [Approximately]. A
// new point is compared with the points of those cells whose centres are nearest to it. The exported fields
// are plain data that can be kept; [Index.Attach] gives them their points back.
type Index struct {
	Basis  *Basis
	K      int       // most neighbours of a new point
	Rows   []int32   // the points, cell after cell
	Start  []int32   // of every cell in Rows, and the number of points
	Centre []float32 // of every cell
	Looks  float32   // into how many cells a new point looks that is as far from the nearest centre as the points of that cell
	Direct bool      // distances are those of points, not of sketches
	Turn   float32   // of the sieve
	// Recall is the mean share of the nearest that are found, for a sample of the points
	// themselves, each left out; Error its standard error.
	Recall, Error float64

	points *points.Points
	cosine bool
	sieve  sieve
	laid
}

// laid is what an index lays out for products.
type laid struct {
	packed        []vec.Packed[float32] // blocks of sketches, cell after cell
	blocks        []block
	first         []int32   // block of every cell, and their number
	squares       []float32 // by place, as estimates need them
	centres       []vec.Packed[float32]
	centreSquares []float32
	within        []float32 // mean squared distance of the points of every cell from its centre
}

// leastCompared is about how many points a new one is compared with, at least: fewer take no less time than the
// rest of a search. So many points are one cell, and their index is exact.
const leastCompared = 4096

// NewIndex makes an index that finds up to so many neighbours, at most. It learns into how many cells new points look
// from 384 of its points, each left out. They find the share asked of their a.K nearest.
// It fails when ctx is done. Cost: 384·n·d multiply-adds to know the nearest, and 2·n·√n products of sketches to make
// cells. Memory: up to 128 bytes a point, and as much again meanwhile.
func NewIndex(ctx context.Context, a Asked, most int) (*Index, error) {
	p, rng := a.Points, rand.New(rand.NewPCG(a.Seed, 11))
	const sketchedAt, cellsAt = 0.05, 0.5 // of the time, about
	x := &Index{K: max(most, a.K)}
	var err error
	if x.Basis, err = newBasis(parallel.Unwatched(ctx), nil, p, rng); err != nil {
		return nil, err
	}
	sketches, err := x.Basis.Sketches(parallel.Share(ctx, 0, sketchedAt), p)
	if err != nil {
		return nil, err
	}
	size := cellSize(p.Len())
	if p.Len() <= leastCompared {
		size = p.Len()
	}
	c, err := newCells(parallel.Share(ctx, sketchedAt, cellsAt), nil, x.Basis, sketches, size, rng.Uint64())
	if err != nil {
		return nil, err
	}
	x.Rows, x.Centre, x.Direct = c.rows, c.centre, !(a.Single || a.Bytes != nil) || x.Basis.Directions != nil || a.Cosine
	for _, at := range c.start {
		x.Start = append(x.Start, int32(at))
	}
	s, err := newSample(parallel.Unwatched(ctx), a, rng.Uint64())
	if err != nil {
		return nil, err
	}
	return x, x.learn(parallel.Unwatched(ctx), a, s, sketches)
}

// Attach returns an index of the same parts with its points: those that it was made of.
// It fails where they cannot be, and when ctx is done. Cost: one pass over the points.
func (x *Index) Attach(ctx context.Context, p *points.Points, cosine bool) (*Index, error) {
	if err := x.check(p); err != nil {
		return nil, err
	}
	sketches, err := x.Basis.Sketches(ctx, p)
	if err != nil {
		return nil, err
	}
	y := *x
	return &y, y.attach(ctx, p, cosine, sketches)
}

// check reports parts that do not fit together or do not belong to p.
func (x *Index) check(p *points.Points) error {
	n, d := p.Len(), p.Dim()
	b, rank := x.Basis, 0
	fits := b != nil && x.K > 0 && x.K <= n && x.Looks > 0 && !math.IsInf(float64(x.Looks), 1) && len(x.Rows) == n && len(x.Start) > 1 && x.Start[0] == 0 && int(x.Start[len(x.Start)-1]) == n && slices.IsSorted(x.Start)
	if fits && !p.Sparse() && d <= sketchWidth {
		fits = b.Width == d && len(b.Centre) == d && b.Directions == nil && b.Column == nil
	} else if fits {
		rank = sketchWidth - 1
		columns := d
		if p.Sparse() {
			columns = len(b.Column)
		}
		fits = b.Width == sketchWidth && len(b.Directions) == columns*rank && (p.Sparse() || len(b.Centre) == d)
		for _, j := range b.Column {
			fits = fits && j >= 0 && int(j) < d
		}
	}
	fits = fits && len(x.Centre) == x.cells()*b.rank()
	for _, v := range x.Centre {
		fits = fits && !math.IsNaN(float64(v))
	}
	met := make([]bool, n)
	for _, j := range x.Rows {
		fits = fits && j >= 0 && int(j) < n && !met[j]
		if fits {
			met[j] = true
		}
	}
	if !fits {
		return fmt.Errorf("the index does not belong to these %d points of %d columns: make it anew", n, d)
	}
	return nil
}

// cells returns the number of cells.
func (x *Index) cells() int { return len(x.Start) - 1 }

// attach lays out the sketches, which are by row.
func (x *Index) attach(ctx context.Context, p *points.Points, cosine bool, sketches []float32) error {
	x.points, x.cosine = p, cosine
	var err error
	if x.sieve, err = newSieve(ctx, nil, x.Basis, sketches); err != nil {
		return err
	}
	x.sieve.turn = x.Turn
	x.laid, err = x.layOut(ctx, sketches)
	return err
}

// learn learns the sieve and the number of looks from a sample. Where the sieve loses too many, it lets more pass.
func (x *Index) learn(ctx context.Context, a Asked, s *sample, sketches []float32) error {
	place := make([]Place, len(x.Rows)) // of every row
	for at, row := range x.Rows {
		place[row] = Place(at)
	}
	sketch := func(row int32) []float32 { return sketches[int(row)*x.Basis.Width:][:x.Basis.Width] }
	w := &newcomers{points: a.Points, rows: s.rows}
	for _, row := range s.rows {
		w.sketch, w.except = append(w.sketch, sketch(row)...), append(w.except, place[row])
	}
	lost, enough := mostLost, a.Recall+(1-a.Recall)/8
	for range mostLooks {
		if err := x.attach(ctx, a.Points, a.Cosine, sketches); err != nil {
			return err
		}
		if x.Direct && x.cells() > 1 {
			var all []float64
			for q, row := range s.rows {
				all = turns(&x.sieve, all, sketch(row), sketch, s.near[q*a.K:(q+1)*a.K], s.squared[q*a.K:(q+1)*a.K])
			}
			x.sieve.learn(all, lost)
			x.Turn = x.sieve.turn
			if err := x.attach(ctx, a.Points, a.Cosine, sketches); err != nil {
				return err
			}
		}
		x.Looks = 1
		if x.cells() > 1 {
			x.Looks = max(x.needed(w, a.K, s.near, place, enough), leastCompared*float32(x.cells())/float32(len(x.Rows)))
		}
		if err := x.seek(ctx, w, x.K); err != nil {
			return err
		}
		shares := make([]float64, len(s.rows))
		for q := range s.rows {
			found := 0
			for _, one := range x.ranked(w, q, x.K) {
				if one.distance <= x.distanceOf(s.limit[q])*(1+sameDistance) {
					found++
				}
			}
			shares[q] = float64(min(found, a.K)) / float64(a.K)
		}
		if x.Recall, x.Error = meanOf(shares); x.Recall >= a.Recall || !x.Direct {
			break
		}
		lost, enough = lost/4, 1-(1-enough)/2
	}
	return nil
}

// distanceOf returns the distance that is ranked by, of a squared one.
func (x *Index) distanceOf(squared float64) float64 {
	if x.cosine {
		return squared / 2
	}
	return math.Sqrt(squared)
}

// squareOf returns the square that turns products of a sketch into estimates of squared distances, as [finder.squareOf].
func (x *Index) squareOf(y []float32) float32 {
	rank := x.Basis.rank()
	sum := square(y[:rank])
	if x.Direct {
		sum -= slack * sum
	}
	for _, rest := range y[rank:] {
		sum += x.sieve.turn * rest * rest
	}
	return sum
}

// layOut lays out the sketches, which are by row, and the centres.
func (x *Index) layOut(ctx context.Context, sketches []float32) (laid, error) {
	width, rank, count := x.Basis.Width, x.Basis.rank(), x.cells()
	l := laid{squares: make([]float32, len(x.Rows))}
	for cell := range count {
		l.first = append(l.first, int32(len(l.blocks)))
		for from, to := Place(x.Start[cell]), Place(x.Start[cell+1]); from < to; from += tiles.Size {
			l.blocks = append(l.blocks, block{from, min(from+tiles.Size, to)})
		}
	}
	l.first, l.packed = append(l.first, int32(len(l.blocks))), make([]vec.Packed[float32], len(l.blocks))
	all := make([][]float32, parallel.Threads(ctx))
	err := parallel.Step(ctx, len(l.blocks), func(worker, k int) {
		b := l.blocks[k]
		all[worker] = grown(all[worker], b.len()*width)
		for place := b.from; place < b.to; place++ {
			y := sketches[int(x.Rows[place])*width:][:width]
			copy(all[worker][int(place-b.from)*width:], y)
			l.squares[place] = x.squareOf(y)
		}
		l.packed[k].PackRight(b.len(), rank, all[worker], width)
	})
	if err != nil {
		return l, err
	}
	for from := 0; from < count; from += tiles.Size {
		var p vec.Packed[float32]
		p.PackRight(min(tiles.Size, count-from), rank, x.Centre[from*rank:], rank)
		l.centres = append(l.centres, p)
	}
	centre := func(cell int) []float32 { return x.Centre[cell*rank:][:rank] }
	l.within = make([]float32, count)
	for cell := range count {
		l.centreSquares = append(l.centreSquares, square(centre(cell)))
	}
	return l, parallel.Step(ctx, count, func(_, cell int) {
		sum := 0.0
		for _, row := range x.Rows[x.Start[cell]:x.Start[cell+1]] {
			sum += float64(apart(sketches[int(row)*width:][:rank], centre(cell), math.MaxFloat32))
		}
		l.within[cell] = float32(sum / max(float64(x.Start[cell+1]-x.Start[cell]), 1))
	})
}
