package neighbours

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"lapsvm/internal/parallel"
	"lapsvm/internal/tiles"
	"lapsvm/points"
)

// Asked is what an approximate search is to find, and among which points.
type Asked struct {
	Points  *points.Points
	K       int
	Bytes   *tiles.Bytes // the points, where these are bytes whose products tell neighbours apart: [Scale.BytesResolve]; else nil
	Origin  []float64    // subtracted from other dense points before products; nil for none
	Single  bool         // products of these in float32 tell neighbours apart: [Scale.SingleResolves]
	Cosine  bool         // the points are rows of unit length; one of zeros is orthogonal to all
	Ranking Ranking      // as in [New]
	Recall  float64      // the share of the exact neighbours to be found
	Seed    uint64
}

// Reached is what an approximate search found, by a sample of points whose exact
// neighbours it knows.
type Reached struct {
	Recall       float64 // mean share of the exact neighbours that were found
	Error        float64 // its standard error
	Cells, Looks int
	Index        []int32   // as [Search.Ranked] returns them
	Distance     []float64 // likewise
	Order        []int32   // the points so that near ones are near to one another
}

// spare is how many more points than k a list holds whose distances are rounded.
const spare = 2

// The first look is as far as finds this share of the neighbours of the sample: it
// brings the lists near to what they will be, so that the next needs to look less far.
const firstLook = 0.6

// After goodLooks looks the sieve lets ever more pass, and after mostLooks one is so far
// that nothing can be missed.
const (
	goodLooks = 4
	mostLooks = 6
)

// finder searches approximately.
type finder struct {
	asked  Asked
	k      int
	basis  *Basis
	cells  *cells
	direct bool // distances are those of points, not of sketches
	sieve  sieve
	estimates
	limits []float32 // by place: what these may be, where distances are direct
	lists  *lists    // by place
	locks  []sync.Mutex
	looked []float32 // by place: how far it has looked beyond the planes between cells
	sample *sample
	looks  int
	pairs  float64 // looked at
}

// Approximately finds most of the k nearest neighbours of all points. The points are
// cut into cells by their sketches; a point is compared with those of its own, and with
// those of every other cell that it lies near to. A neighbour at the distance r can be
// in another cell only if the plane between the two is no farther than r, and if it is
// no farther than a part of r it mostly is not: how large a part is learnt from 384
// points whose exact neighbours are known, so that the recall is what is asked. It ends
// too where all that was done costs as much as exact search. It depends on points and
// seed alone. It fails when ctx is done.
//
// Cost: 384·n·d multiply-adds for the sample, n·√n products of sketches a look, and as
// many of these as there are pairs to compare. Memory: 200 bytes a point for sketches
// and about 12·k bytes for lists.
func Approximately(ctx context.Context, a Asked) (*Reached, error) {
	f, err := newFinder(ctx, a)
	if err != nil {
		return nil, err
	}
	r := &Reached{Order: f.cells.order, Cells: f.cells.count()}
	if err := f.search(ctx, r); err != nil {
		return nil, err
	}
	r.Looks = f.looks
	r.Index, r.Distance, err = f.ranked(ctx, a.Ranking)
	return r, err
}

// newFinder sketches the points, cuts them into cells and samples them.
func newFinder(ctx context.Context, a Asked) (*finder, error) {
	p, rng := a.Points, rand.New(rand.NewPCG(a.Seed, 7))
	f := &finder{asked: a, k: a.K}
	var err error
	if f.basis, err = newBasis(ctx, p, rng); err != nil {
		return nil, err
	}
	f.estimates = newEstimates(a, f.basis)
	f.direct = f.bytes == nil && (!a.Single || a.Cosine || f.basis.Directions != nil || p.Sparse())
	byRow, err := f.basis.Sketches(ctx, p)
	if err != nil {
		return nil, err
	}
	f.sieve = newSieve(f.basis, byRow)
	if f.cells, err = newCells(ctx, f.basis, byRow, rng.Uint64()); err != nil {
		return nil, err
	}
	n := p.Len()
	length := a.K
	if !f.direct {
		length = min(a.K+spare, n-1)
	}
	f.lists, f.locks, f.looked = newLists(n, length), make([]sync.Mutex, f.cells.count()), make([]float32, n)
	fill(f.looked, float32(math.Inf(-1)))
	if f.sample, err = newSample(ctx, a, rng.Uint64()); err != nil {
		return nil, err
	}
	if f.sample.find(f.cells.order); f.direct {
		f.limits = make([]float32, n)
	}
	if err = f.setSquares(ctx); err != nil {
		return nil, err
	}
	return f, f.begin(ctx)
}

// search looks into other cells until the recall is what is asked.
func (f *finder) search(ctx context.Context, r *Reached) error {
	n := float64(len(f.cells.order))
	for {
		r.Recall, r.Error = f.recall()
		if r.Recall >= f.asked.Recall || f.pairs > n*n/2 || f.looks > mostLooks {
			return f.fill(ctx)
		}
		part := 1.0
		if f.looks < mostLooks {
			part = min(f.needed(f.share()), 1)
		}
		if err := f.sift(ctx, part); err != nil {
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

// sift sets the sieve for a look: where good ones did not do, it lets ever more pass, of
// what was seen before too.
func (f *finder) sift(ctx context.Context, part float64) error {
	if !f.direct {
		return nil
	}
	lost := mostLost
	if f.looks >= goodLooks {
		fill(f.looked, float32(math.Inf(-1)))
		lost = math.Ldexp(mostLost, -2*f.looks)
	}
	if f.learnSieve(lost); part == 1 {
		f.sieve.turn = 0
	}
	if err := f.setSquares(ctx); err != nil {
		return err
	}
	for place := range f.limits {
		f.limits[place] = f.sieve.limit(f.lists.limit(place))
	}
	return nil
}

// lookFor has every place with k points in its list look as far as a part of its reach.
func (f *finder) lookFor(ctx context.Context, part float64) error {
	far := slices.Clone(f.looked)
	for place := range far {
		if reach := f.reach(place); !math.IsInf(reach, 1) {
			far[place] = max(far[place], float32(part*reach))
		}
	}
	return f.look(ctx, far)
}

// fill has the places whose lists hold fewer than k points look ever farther until they
// do: at last into all cells.
func (f *finder) fill(ctx context.Context) error {
	for times := 1.0; ; times *= 4 {
		far, short := slices.Clone(f.looked), false
		for cell := range f.cells.count() {
			from, to := f.cells.span(cell)
			for place := from; place < to; place++ {
				if !math.IsInf(f.reach(place), 1) {
					continue
				}
				if short = true; times > 64 {
					far[place] = float32(math.Inf(1))
				} else {
					far[place] = max(far[place], float32(times*f.cells.spacing(cell)))
				}
			}
		}
		if !short {
			return nil
		}
		if err := f.look(ctx, far); err != nil {
			return err
		}
	}
}

// needed returns which part of their reach points have to look, to find a share of the
// neighbours of the sample.
func (f *finder) needed(share float64) float64 {
	var parts []float64
	for q := range f.sample.rows {
		i := int(f.sample.places[q])
		a := f.cells.cellOf(i)
		for _, place := range f.sample.near[q*f.k : (q+1)*f.k] {
			j := int(place)
			b := f.cells.cellOf(j)
			parts = append(parts, min(f.cells.beyond(f.cells.of(i), a, b)/f.reach(i), f.cells.beyond(f.cells.of(j), b, a)/f.reach(j)))
		}
	}
	for k, v := range parts {
		if !(v >= 0) { // 0/0: of equal points
			parts[k] = 0
		}
	}
	slices.Sort(parts)
	return parts[min(int(share*float64(len(parts))), len(parts)-1)] * (1 + 1e-6)
}

// ranked returns the k nearest of every list, by row.
func (f *finder) ranked(ctx context.Context, of Ranking) (index []int32, distance []float64, err error) {
	n, k := len(f.cells.order), f.k
	if of == nil {
		of = func(_, _ int, squared float64) float64 { return math.Sqrt(squared) }
	}
	index, distance = make([]int32, n*k), make([]float64, n*k)
	all := make([]ranker, parallel.Threads(ctx))
	err = parallel.Run(ctx, (n+perRank-1)/perRank, func(worker, piece int) {
		w := &all[worker]
		for place := piece * perRank; place < min((piece+1)*perRank, n); place++ {
			others := f.lists.points(w.index[:0], place)
			for c, at := range others {
				others[c] = f.cells.order[at]
			}
			row := int(f.cells.order[place])
			for c, one := range w.rank(f.asked.Points, of, k, row, others) {
				index[row*k+c], distance[row*k+c] = one.index, one.distance
			}
		}
	})
	return index, distance, err
}

// perRank is how many lists one piece of work ranks.
const perRank = 256
