package neighbours

import (
	"context"
	"math"
	"math/rand/v2"

	"lapsvm/internal/parallel"
	"lapsvm/internal/tiles"
	"lapsvm/points"
)

// Asked is what an approximate search is to find, and among which points.
type Asked struct {
	Points  *points.Points
	K       int
	Origin  []float64 // subtracted from dense points before products; nil for none
	Cosine  bool      // the points are rows of unit length; one of zeros is orthogonal to all
	Ranking Ranking   // as in [New]
	Recall  float64   // the share of the exact neighbours to be found
	Seed    uint64
}

// Reached is what an approximate search found, by a sample of points whose exact
// neighbours it knows.
type Reached struct {
	Recall        float64 // mean share of the exact neighbours that were found
	Error         float64 // its standard error
	Trees, Rounds int
	Index         []int32   // as [Search.Ranked] returns them
	Distance      []float64 // likewise
	Order         []int32   // the points so that near ones are near to one another
}

// Trees are grown until they find this share of the neighbours, or there are so many;
// rounds follow, and where these no longer help so many trees more.
const (
	treesAlone = 0.85
	firstTrees = 12
	moreTrees  = 2
)

// A leaf has at most about as many points as make its products take as long as the
// rest of its search does, and between these bounds.
const (
	leafProducts = 200000
	leastLeaf    = 1000
	mostLeaf     = 8000
	beside       = 16 // what reading a product costs, in multiply-adds
)

// spare is how many more points than k a list holds.
const spare = 2

// A round is followed by another while that may lead to the recall that is asked in so
// many more.
const patience = 4

// A candidate of a round takes about as long as so many pairs of a leaf.
const pairsPerCandidate = 8

// finder searches approximately. Points are numbered by their places in the order of
// the first tree, so that near ones are near in memory.
type finder[T tiles.Float] struct {
	table    table[T]
	k        int
	leaf     int
	basis    *Basis
	order    []int32   // place → row
	sketches []float32 // by place
	sieve    sieve
	lists    *lists[T]
	sample   *sample
	rng      *rand.Rand
	trees    int
	rounds   int
	pairs    float64 // looked at, candidates counted as pairsPerCandidate
}

// Approximately finds most of the k nearest neighbours of all points: projection trees
// whose leaves are searched exactly by products in T, then rounds in which every point
// meets the neighbours of its neighbours, until the recall of a sample of 384 points is
// what is asked, or all that was done costs as much as exact search. It depends on
// points and seed alone. It fails when ctx is done.
//
// Cost: 384·n·d multiply-adds for the sample, 500·n·d for a tree, some 100 distances
// per point for the first round and fewer for those that follow. Memory: 128 bytes a
// point for sketches and about 20·k bytes for lists.
//
// The rounds are those of NN-descent: Dong, Charikar and Li, Efficient k-nearest
// neighbor graph construction for generic similarity measures, WWW 2011.
func Approximately[T tiles.Float](ctx context.Context, a Asked) (*Reached, error) {
	f, err := newFinder[T](ctx, a)
	if err != nil {
		return nil, err
	}
	r := &Reached{Order: f.order}
	if err := f.search(ctx, a.Recall, r); err != nil {
		return nil, err
	}
	r.Trees, r.Rounds = f.trees, f.rounds
	f.sketches = nil
	r.Index, r.Distance, err = f.ranked(ctx, a.Ranking)
	return r, err
}

// newFinder sketches the points, orders them by a tree, and samples them.
func newFinder[T tiles.Float](ctx context.Context, a Asked) (*finder[T], error) {
	p := a.Points
	n := p.Len()
	f := &finder[T]{table: table[T]{p, a.Origin, a.Cosine}, k: a.K, rng: rand.New(rand.NewPCG(a.Seed, 7))}
	length := min(a.K+spare, n-1)
	f.leaf = max(min(max(leafProducts/(p.Dim()+beside), leastLeaf), mostLeaf), 4*length)
	var err error
	if f.basis, err = newBasis(ctx, p, f.rng); err != nil {
		return nil, err
	}
	byRow, err := f.basis.sketches(ctx, p)
	if err != nil {
		return nil, err
	}
	first, err := newTree(ctx, byRow, f.basis.Width, f.leaf, f.rng.Uint64())
	if err != nil {
		return nil, err
	}
	f.order, f.sketches = first.Order, make([]float32, len(byRow))
	for place, row := range f.order {
		copy(f.sketch(place), byRow[int(row)*f.basis.Width:])
	}
	f.sieve = newSieve(f.basis, f.sketches)
	f.lists = newLists[T](n, length)
	if f.sample, err = newSample(ctx, &f.table, a.K, f.rng.Uint64()); err != nil {
		return nil, err
	}
	f.sample.find(f.order)
	f.trees = 1
	return f, f.searchLeaves(ctx, first.inOrder())
}

// sketch returns that of a place.
func (f *finder[T]) sketch(place int) []float32 {
	return f.sketches[place*f.basis.Width:][:f.basis.Width]
}

// search adds trees and rounds until the recall is what is asked.
func (f *finder[T]) search(ctx context.Context, asked float64, r *Reached) error {
	n := float64(len(f.order))
	for most := firstTrees; ; most = f.trees + moreTrees {
		for ; f.trees < most; f.trees++ {
			if r.Recall, _ = f.recall(); r.Recall >= treesAlone && f.rounds == 0 {
				break
			}
			t, err := newTree(ctx, f.sketches, f.basis.Width, f.leaf, f.rng.Uint64())
			if err == nil {
				err = f.searchLeaves(ctx, t)
			}
			if err != nil {
				return err
			}
		}
		for again := true; again; {
			before, _ := f.recall()
			if before < asked {
				if err := f.round(ctx); err != nil {
					return err
				}
			}
			r.Recall, r.Error = f.recall()
			if r.Recall >= asked || f.pairs > n*n/2 {
				return nil
			}
			again = r.Recall+patience*(r.Recall-before) >= asked
		}
	}
}

// ranked returns the k nearest of every list, by row.
func (f *finder[T]) ranked(ctx context.Context, of Ranking) (index []int32, distance []float64, err error) {
	n, k := len(f.order), f.k
	if of == nil {
		of = func(_, _ int, squared float64) float64 { return math.Sqrt(squared) }
	}
	index, distance = make([]int32, n*k), make([]float64, n*k)
	all := make([]ranker, parallel.Threads(ctx))
	err = parallel.Run(ctx, (n+placesPerPiece-1)/placesPerPiece, func(worker, piece int) {
		w := &all[worker]
		for place := piece * placesPerPiece; place < min((piece+1)*placesPerPiece, n); place++ {
			others := w.index[:0]
			for _, e := range f.lists.of(place) {
				if e != none {
					others = append(others, f.order[e>>1])
				}
			}
			row := int(f.order[place])
			for c, one := range w.rank(f.table.points, of, k, row, others) {
				index[row*k+c], distance[row*k+c] = one.index, one.distance
			}
		}
	})
	return index, distance, err
}
