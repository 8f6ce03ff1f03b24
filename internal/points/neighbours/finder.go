package neighbours

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// Asked is the request for an approximate search, and its points. Ranks ask the same of their own
// points.
type Asked struct {
	Points  *points.Points
	Ranks   *comm.Comm // that share the points; nil for one process
	Numbers []Number   // of the points of a rank, ascending, below those of the next; nil for their rows
	K       int
	Bytes   *tiles.Bytes                 // the points, where these are bytes whose products tell neighbours apart: [Scale.BytesResolve]; else nil
	Origin  []float64                    // subtracted from other dense points before products; nil for none
	Single  bool                         // products of rows in float32 tell neighbours apart: [Scale.SingleResolves]
	Cosine  bool                         // the points are rows of unit length; one of zeros is orthogonal to all
	Ranking func(*points.Points) Ranking // as in [New], of rows of a table; nil as there
	Recall  float64                      // the share of the exact neighbours to be found
	Seed    uint64
}

// Reached is the result of an approximate search, measured on a sample of points with known exact
// neighbours.
type Reached struct {
	Recall       float64 // mean share of the exact neighbours that were found
	Error        float64 // its standard error
	Cells, Looks int
	Index        []int32   // as [Search.Ranked] returns them, by [Number]
	Distance     []float64 // likewise
	Order        []int32   // the rows so that near ones are near to one another
}

// numberOf returns the number of a row.
func (a *Asked) numberOf(row int32) Number {
	if a.Numbers == nil {
		return Number(row)
	}
	return a.Numbers[row]
}

// spare is how many more points than k a list holds whose distances are rounded.
const spare = 2

// The first look reaches as far as finds this share of the neighbours of the sample. It shortens
// the distances in the lists, so that the next look need not reach as far.
const firstLook = 0.6

// After goodLooks looks the sieve lets ever more pass, and after mostLooks one is so far
// that nothing can be missed.
const (
	goodLooks = 4
	mostLooks = 6
)

// finder searches approximately.
type finder struct {
	asked     Asked
	ranks     *comm.Comm
	partition comm.Partition // of the IDs
	stored    *points.Points // the local points without
	scaling   points.Scaling // this
	k         int
	basis     *Basis
	cells     *cells
	direct    bool // distances are those of points, not of sketches
	sieve     sieve
	estimates
	queries           // the local points, with a lock for every cell
	looked  []float32 // by place: how far it has looked beyond the planes between cells
	sample  *sample
	looks   int
	pairs   float64 // looked at by all ranks
}

// Approximately finds most of the k nearest neighbours of all points. The points are cut into cells
// by their sketches. A point is compared with the points of its cell, and of every other cell
// near to it. A neighbour at the distance r can be in another cell only if the plane between the
// cells is no farther than r. Mostly the plane is no farther than a part of r. That part is learnt
// from 384 points with known exact neighbours, so that the recall asked is reached. The search also
// ends when its work costs as much as exact search. The result depends on points and seed alone. It
// fails when ctx is done.
//
// Ranks cut their points into cells, and points near to cells of another rank visit it. So the
// same pairs are compared as in one process with the same cells, each once, on the rank that has
// the cell. All ranks reach the same recall.
//
// Cost: 384·n·d multiply-adds for the sample, n·√n products of sketches a look, and one for each
// pair compared. Memory: 200 bytes a point for sketches and about 12·k bytes for lists. Ranks also
// hold the rows, sketches and lists of the visitors from one other rank at a time. At the end they
// hold a copy of their rows and the rows of other ranks in their lists. Each look sends the
// rows of visitors, and their lists forth and back.
//
// Progress is told in shares of the whole.
func Approximately(ctx context.Context, a Asked) (*Reached, error) {
	f, err := newFinder(ctx, a)
	if err != nil {
		return nil, err
	}
	r := &Reached{Order: f.cells.rows, Cells: len(f.cells.members)}
	if err := f.search(ctx, r); err != nil {
		return nil, err
	}
	r.Looks = f.looks
	r.Index, r.Distance, err = f.ranked(parallel.Share(ctx, ranksAt, 1))
	return r, err
}

// About when, from 0 to 1, a search does what; measured with a million points in 20 dimensions.
const (
	cellsAt  = 0.02
	beginsAt = 0.13
	looksAt  = 0.33
	ranksAt  = 0.88
)

// newFinder sketches the points, cuts them into cells and samples them.
func newFinder(ctx context.Context, a Asked) (*finder, error) {
	p, rng := a.Points, rand.New(rand.NewPCG(a.Seed, 7))
	f := &finder{asked: a, ranks: a.Ranks, k: a.K}
	var err error
	if f.partition, err = f.ranks.Partition(ctx, p.Len()); err != nil {
		return nil, err
	}
	if f.basis, err = newBasis(parallel.Unwatched(ctx), f.ranks, p, rng); err != nil {
		return nil, err
	}
	f.stored, f.scaling = p.AsStored()
	f.estimates = newEstimates(a, f.basis)
	f.direct = a.Bytes == nil && !a.Single
	byRow, err := f.basis.Sketches(parallel.Share(ctx, 0, cellsAt), p)
	if err != nil {
		return nil, err
	}
	if f.sieve, err = newSieve(ctx, f.ranks, f.basis, byRow); err != nil {
		return nil, err
	}
	if f.cells, err = newCells(parallel.Share(ctx, cellsAt, beginsAt), f.ranks, f.basis, byRow, cellSize(f.partition.Len()), rng.Uint64()); err != nil {
		return nil, err
	}
	n := p.Len()
	length := a.K
	if !f.direct {
		length = min(a.K+spare, f.partition.Len()-1)
	}
	first, _ := f.partition.Range(f.ranks.Rank())
	f.queries = queries{points: p, table: &table[float32]{a}, rows: f.cells.rows, first: ID(first), width: f.basis.Width, sketch: f.cells.sketch,
		lists: newLists[Place, ID](n, length), locks: make([]sync.Mutex, f.cells.count())}
	f.looked = make([]float32, n)
	fill(f.looked, float32(math.Inf(-1)))
	if f.sample, err = newSample(parallel.Unwatched(ctx), a, rng.Uint64()); err != nil {
		return nil, err
	}
	if err = f.find(parallel.Unwatched(ctx)); err != nil {
		return nil, err
	}
	if f.direct {
		f.limits = make([]float32, n)
	}
	if err = f.setSquares(ctx, &f.queries); err != nil {
		return nil, err
	}
	return f, f.begin(parallel.Share(ctx, beginsAt, looksAt))
}

// search looks into other cells until the recall is what is asked.
func (f *finder) search(ctx context.Context, r *Reached) error {
	n := float64(f.partition.Len())
	ctx = parallel.Successive(parallel.Share(ctx, looksAt, ranksAt))
	for {
		sampled, err := f.sampled(parallel.Unwatched(ctx))
		if err != nil {
			return err
		}
		if r.Recall, r.Error, err = f.recall(parallel.Unwatched(ctx), sampled); err != nil {
			return err
		}
		if r.Recall >= f.asked.Recall || f.pairs > n*n/2 || f.looks > mostLooks {
			return f.fill(ctx)
		}
		part := 1.0
		if f.looks < mostLooks {
			if part, err = f.needed(ctx, f.share()); err != nil {
				return err
			}
			part = min(part, 1)
		}
		if err := f.sift(ctx, part, sampled); err != nil {
			return err
		}
		if err := f.lookFor(ctx, part); err != nil {
			return err
		}
	}
}

// share returns which share of the neighbours a look is to find.
func (f *finder) share() float64 {
	left := 1 - f.asked.Recall
	enough := f.asked.Recall + left/4
	if f.direct { // the sieve loses some
		enough = f.asked.Recall + left/2
	}
	switch {
	case f.looks == 0:
		return min(firstLook, enough)
	case f.looks == 1 && f.direct:
		return firstLook + 0.75*(enough-firstLook)
	case f.looks == 1, f.looks == 2 && f.direct:
		return enough
	}
	return 1 - math.Ldexp(1-enough, 2-f.looks)
}

// sift sets the sieve for a look. After the good looks it lets ever more pairs pass, also of those
// seen before.
func (f *finder) sift(ctx context.Context, part float64, sampled []listed) error {
	if !f.direct {
		return nil
	}
	lost := mostLost
	if f.looks >= goodLooks {
		fill(f.looked, float32(math.Inf(-1)))
		lost = math.Ldexp(mostLost, -2*f.looks)
	}
	if err := f.learnSieve(ctx, sampled, lost); err != nil {
		return err
	}
	if part == 1 {
		f.sieve.turn = 0
	}
	f.setLimits(&f.queries)
	return f.setSquares(ctx, &f.queries)
}

// setLimits sets what estimates may be by the lists as they are.
func (f *finder) setLimits(q *queries) {
	for place := range Place(q.count()) {
		q.limits[place] = f.sieve.limit(q.lists.limit(place))
	}
}

// lookFor has every place with k points in its list look as far as a part of its reach.
func (f *finder) lookFor(ctx context.Context, part float64) error {
	within := slices.Clone(f.looked)
	for place := range Place(f.count()) {
		if reach := f.reach(place); !math.IsInf(reach, 1) {
			within[place] = max(within[place], float32(part*reach))
		}
	}
	return f.look(ctx, within)
}

// fill has the places whose lists hold fewer than k points look ever farther until they
// do: at last into all cells.
func (f *finder) fill(ctx context.Context) error {
	for times := 1.0; ; times *= 4 {
		within, short := slices.Clone(f.looked), []float64{0}
		for cell := range f.cells.count() {
			from, to := f.cells.span(cell)
			for place := from; place < to; place++ {
				if !math.IsInf(f.reach(place), 1) {
					continue
				}
				if short[0] = 1; times > 64 {
					within[place] = float32(math.Inf(1))
				} else {
					within[place] = max(within[place], float32(times*f.cells.spacing(f.cells.global(cell))))
				}
			}
		}
		if err := f.ranks.Max(ctx, short); err != nil || short[0] == 0 {
			return err
		}
		if err := f.look(ctx, within); err != nil {
			return err
		}
	}
}

// ranked returns the k nearest of every list by number, row after row.
func (f *finder) ranked(ctx context.Context) (index []int32, distance []float64, err error) {
	t, err := f.rankTable(ctx)
	if err != nil {
		return nil, nil, err
	}
	ranking := byRoot
	if f.asked.Ranking != nil {
		ranking = f.asked.Ranking(t.points)
	}
	type scratch struct {
		ranker
		ids []ID
	}
	n, k := f.count(), f.k
	index, distance = make([]int32, n*k), make([]float64, n*k)
	all := make([]scratch, parallel.Threads(ctx))
	err = parallel.Run(ctx, (n+perRank-1)/perRank, func(worker, piece int) {
		w := &all[worker]
		for place := Place(piece * perRank); place < Place(min((piece+1)*perRank, n)); place++ {
			w.ids = f.lists.append(w.ids[:0], place)
			others := w.index[:0]
			for _, id := range w.ids {
				others = append(others, t.rowOf(id))
			}
			row := int(f.rowOf(place))
			for c, one := range w.rank(t.points, ranking, k, t.before+row, others) {
				index[row*k+c], distance[row*k+c] = int32(t.numberOf(one.index)), one.distance
			}
		}
	})
	return index, distance, err
}

// perRank is how many lists one piece of work ranks.
const perRank = 256
