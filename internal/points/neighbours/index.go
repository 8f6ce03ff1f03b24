package neighbours

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// indexTrees is the number of trees in which a walk begins, in each at so many points.
const (
	indexTrees = 2
	entrances  = 16
	indexLeaf  = 1000 // points in a leaf, at most
)

// Index finds the nearest of its points to new ones. It starts from the points with the nearest
// sketches in a leaf of each tree. From there it walks to neighbours of found points as long as
// nearer points turn up. The exported fields are plain data that can be kept; [Index.Attach] gives
// them their points back.
type Index struct {
	Basis *Basis
	Trees []*Tree
	K     int     // most neighbours of a new point
	Links []int32 // K neighbours of every point
	Turn  float32 // of the sieve
	Beam  int     // how many of the nearest found are walked from
	// Recall is the mean share of the K nearest that walks find, for a sample of the
	// points themselves, each left out; Error its standard error.
	Recall, Error float64

	points   *points.Points
	cosine   bool
	rows     []int32   // of every place; places count points leaf after leaf of the first tree, so that near ones are near in memory
	places   []int32   // of every row
	leaves   [][]int32 // of every tree: the places in its order
	sketches []float32 // by place
	near     *adjacency
	sieve    sieve
}

// NewIndex makes the index of points whose k nearest neighbours, links, are known.
// Beams are widened until the recall is what is asked or they hold 16·k points. It
// fails when ctx is done. Cost: 384·n·d multiply-adds to know the exact neighbours of a
// sample, and little else. Memory: 128 bytes a point for sketches, 12·k for links.
func NewIndex(ctx context.Context, a Asked, links []int32) (*Index, error) {
	p, rng := a.Points, rand.New(rand.NewPCG(a.Seed, 11))
	x := &Index{K: a.K, Links: links}
	var err error
	if x.Basis, err = newBasis(parallel.Unwatched(ctx), nil, p, rng); err != nil {
		return nil, err
	}
	const treesAt, joinAt = 0.05, 0.8 // of the time, about
	sketches, err := x.Basis.Sketches(parallel.Share(ctx, 0, treesAt), p)
	if err != nil {
		return nil, err
	}
	for number := range indexTrees {
		growing := parallel.Share(parallel.Share(ctx, treesAt, joinAt), float64(number)/indexTrees, float64(number+1)/indexTrees)
		t, err := newTree(growing, sketches, x.Basis.Width, indexLeaf, rng.Uint64())
		if err != nil {
			return nil, err
		}
		x.Trees = append(x.Trees, t)
	}
	if err := x.attach(ctx, p, a.Cosine, sketches); err != nil {
		return nil, err
	}
	return x, x.measure(parallel.Unwatched(ctx), a, rng.Uint64())
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
	y := &Index{Basis: x.Basis, Trees: x.Trees, K: x.K, Links: x.Links, Turn: x.Turn, Beam: x.Beam, Recall: x.Recall, Error: x.Error}
	return y, y.attach(ctx, p, cosine, sketches)
}

// check reports parts that do not fit together or do not belong to p.
func (x *Index) check(p *points.Points) error {
	n, d := p.Len(), p.Dim()
	b, rank := x.Basis, 0
	fits := b != nil && x.K > 0 && len(x.Links) == n*x.K && x.Beam >= x.K && len(x.Trees) > 0
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
	for _, j := range x.Links {
		fits = fits && j >= 0 && int(j) < n
	}
	for _, t := range x.Trees {
		fits = fits && t.fits(n, b.Width)
	}
	if !fits {
		return fmt.Errorf("the index does not belong to these %d points of %d columns: make it anew", n, d)
	}
	return nil
}

func (x *Index) attach(ctx context.Context, p *points.Points, cosine bool, byRow []float32) error {
	x.points, x.cosine = p, cosine
	x.order(x.Trees[0].Order)
	x.sketches, x.leaves = make([]float32, len(byRow)), nil
	links := make([]int32, len(x.Links))
	err := parallel.Step(ctx, (len(x.rows)+perStep-1)/perStep, func(_, piece int) {
		for place := piece * perStep; place < min((piece+1)*perStep, len(x.rows)); place++ {
			row := int(x.rows[place])
			copy(x.sketch(int32(place)), byRow[row*x.Basis.Width:])
			x.placesOf(links[place*x.K:place*x.K], x.Links[row*x.K:(row+1)*x.K])
		}
	})
	if err != nil {
		return err
	}
	for _, t := range x.Trees {
		x.leaves = append(x.leaves, x.placesOf(make([]int32, 0, p.Len()), t.Order))
	}
	if x.sieve, err = newSieve(ctx, nil, x.Basis, x.sketches); err != nil {
		return err
	}
	x.sieve.turn = x.Turn
	x.near, err = join(ctx, links, x.K)
	return err
}

// order gives the rows their places. A tree that is made up may not have all of them; then places are rows.
func (x *Index) order(rows []int32) {
	x.rows, x.places = rows, make([]int32, len(rows))
	fill(x.places, none)
	for place, row := range rows {
		x.places[row] = int32(place)
	}
	if slices.Contains(x.places, none) {
		x.rows = make([]int32, len(rows))
		for row := range rows {
			x.rows[row], x.places[row] = int32(row), int32(row)
		}
	}
}

// placesOf appends the places of rows.
func (x *Index) placesOf(to, rows []int32) []int32 {
	for _, row := range rows {
		to = append(to, x.places[row])
	}
	return to
}

// measure learns the sieve and finds how wide the beam has to be.
func (x *Index) measure(ctx context.Context, a Asked, seed uint64) error {
	s, err := newSample(ctx, a, seed)
	if err != nil {
		return err
	}
	var all []float64
	for _, row := range s.rows {
		links := x.Links[int(row)*x.K : (int(row)+1)*x.K]
		all = turns(&x.sieve, all, x.sketch(x.places[row]), x.sketch, x.placesOf(nil, links), x.distances(nil, x.points, int(row), links))
	}
	x.sieve.learn(all, mostLost)
	x.Turn = x.sieve.turn
	for x.Beam = x.K + x.K/2 + 4; ; x.Beam += x.Beam / 3 {
		shares := make([]float64, len(s.rows))
		all := make([]walker, parallel.Threads(ctx))
		err := parallel.Step(ctx, len(s.rows), func(worker, q int) {
			w, row := &all[worker], s.rows[q]
			x.walk(w, x.points, int(row), x.sketch(x.places[row]), x.places[row])
			found := 0
			for _, c := range w.found.distance[:x.K] {
				if c <= s.limit[q]*(1+sameDistance) {
					found++
				}
			}
			shares[q] = float64(found) / float64(x.K)
		})
		if err != nil {
			return err
		}
		x.Recall, x.Error = meanOf(shares)
		if x.Recall >= a.Recall || x.Beam >= 16*x.K {
			return nil
		}
	}
}

// sketch returns that of a place.
func (x *Index) sketch(j int32) []float32 { return x.sketches[int(j)*x.Basis.Width:][:x.Basis.Width] }

// distances returns squared distances from row i of a table to points of the index, good
// enough for lists.
func (x *Index) distances(to []float64, from *points.Points, i int, others []int32) []float64 {
	to = grown(to, len(others))
	from.RoughDistancesTo(to, i, x.points, others)
	if x.cosine {
		for c, j := range others {
			if from.Squares()[i] == 0 || x.points.Squares()[j] == 0 {
				to[c] = 2
			}
		}
	}
	return to
}

// walker is the memory that one goroutine needs for walks. The zero value is ready.
type walker struct {
	seen      []uint32 // by place, the number of the last walk that met it
	walks     uint32
	found     lists[int, step]  // one list of what was found
	entrances lists[int, int32] // one list: those of a leaf whose sketches are nearest
	places    []int32
	rows      []int32
	distance  []float64
}

// step is twice a place of the index, and 1 more until it was walked from.
type step int32

func newStep(place int32) step { return step(place<<1 | 1) }

// place returns the place, of up to 31 bits.
func (s step) place() int32 { return int32(uint32(s) >> 1) }

// ahead reports whether the place was not walked from.
func (s step) ahead() bool { return s != none && s&1 == 1 }

// sketchesAhead is how many points before it is looked at a sketch is fetched, as it may
// be anywhere in memory.
const sketchesAhead = 8

// walk fills the list of found points with the nearest to row i of a table, except for
// that of one place; −1 is none.
func (x *Index) walk(w *walker, from *points.Points, i int, sketch []float32, except int32) {
	if w.seen == nil {
		w.seen = make([]uint32, x.points.Len())
	}
	if w.walks++; w.walks == 0 { // the numbers are used up
		clear(w.seen)
		w.walks = 1
	}
	mark := func(j int32) (first bool) {
		first = w.seen[j] != w.walks
		w.seen[j] = w.walks
		return first
	}
	if except >= 0 {
		mark(except)
	}
	length := min(x.Beam, x.points.Len()-int(min(except+1, 1)))
	w.found.reset(length)
	look := func() {
		w.rows = w.rows[:0]
		for _, j := range w.places {
			w.rows = append(w.rows, x.rows[j])
		}
		w.distance = x.distances(w.distance, from, i, w.rows)
		for c, j := range w.places {
			w.found.offerNew(0, newStep(j), w.distance[c])
		}
		w.places = w.places[:0]
	}
	w.places = w.places[:0]
	for number, t := range x.Trees {
		w.entrances.reset(max(entrances, x.K))
		limit := float32(math.MaxFloat32)
		first, end := t.span(t.find(sketch), t.Depth)
		leaf := x.leaves[number][first:end]
		for c, j := range leaf {
			if c+sketchesAhead < len(leaf) {
				vec.Prefetch(x.sketch(leaf[c+sketchesAhead]))
			}
			if v := apart(sketch, x.sketch(j), limit); v <= limit {
				limit = float32(min(w.entrances.offerNew(0, j, float64(v)), math.MaxFloat32))
			}
		}
		for _, e := range w.entrances.entry {
			if e != none && mark(e) {
				w.places = append(w.places, e)
			}
		}
	}
	look()
	for {
		// The nearest that is new is walked from.
		at := slices.IndexFunc(w.found.entry, step.ahead)
		if at < 0 {
			return
		}
		w.found.entry[at] &^= 1
		for _, j := range x.near.adjacent(int(w.found.entry[at].place())) {
			if mark(j) {
				vec.Prefetch(x.sketch(j))
				w.places = append(w.places, j)
			}
		}
		limit := x.sieve.limit(w.found.limit(0))
		if x.sieve.whole && !x.cosine { // then sketches tell distances
			for _, j := range w.places {
				if v := apart(sketch, x.sketch(j), limit); v <= limit {
					limit = min(limit, x.sieve.limit(w.found.offerNew(0, newStep(j), float64(v)/(x.sieve.scale*x.sieve.scale))))
				}
			}
			w.places = w.places[:0]
			continue
		}
		passed := w.places[:0]
		for _, j := range w.places {
			if x.sieve.passes(sketch, x.sketch(j), limit) {
				passed = append(passed, j)
			}
		}
		w.places = passed
		look()
	}
}

// perWalk is how many new points one piece of work looks for.
const perWalk = 16

// Nearest returns the k nearest points of the index to every row of q, as
// [Search.Ranked] does, k being at most K. It fails when ctx is done. Cost: some hundred
// distances a row.
//
// Rows of one leaf of the first tree follow each other, as they meet the same points. What is found for a row does not depend on the others.
func (x *Index) Nearest(ctx context.Context, q *points.Points, k int) (index []int32, distance []float64, err error) {
	n := q.Len()
	index, distance = make([]int32, n*k), make([]float64, n*k)
	sketches, err := x.Basis.Sketches(parallel.Unwatched(ctx), q)
	if err != nil {
		return nil, nil, err
	}
	sketch := func(i int32) []float32 { return sketches[int(i)*x.Basis.Width:][:x.Basis.Width] }
	rows, leaf := make([]int32, n), make([]int32, n)
	for i := range rows {
		rows[i], leaf[i] = int32(i), int32(x.Trees[0].find(sketch(int32(i))))
	}
	slices.SortFunc(rows, func(i, j int32) int { return cmp.Or(cmp.Compare(leaf[i], leaf[j]), cmp.Compare(i, j)) })
	all := make([]walker, parallel.Threads(ctx))
	err = parallel.Run(ctx, (n+perWalk-1)/perWalk, func(worker, piece int) {
		w := &all[worker]
		for _, row := range rows[piece*perWalk : min((piece+1)*perWalk, n)] {
			i := int(row)
			x.walk(w, q, i, sketch(row), -1)
			x.rank(w, q, i, index[i*k:(i+1)*k], distance[i*k:(i+1)*k])
		}
	})
	return index, distance, err
}

// rank writes the nearest of the found points, by distances summed in the documented order. It
// ranks all points where too few were found, which happens only with made-up links.
func (x *Index) rank(w *walker, q *points.Points, i int, index []int32, distance []float64) {
	w.rows = w.rows[:0]
	k := len(index)
	for c, e := range w.found.entry {
		if e == none {
			continue
		}
		j := x.rows[e.place()]
		if c >= k && w.found.distance[c]-w.found.distance[k-1] > sameDistance*(w.found.distance[c]+q.Squares()[i]+x.points.Squares()[j]) {
			break // farther than k others, whatever is rounded
		}
		w.rows = append(w.rows, j)
	}
	if len(w.rows) < len(index) {
		w.rows = w.rows[:0]
		for j := range x.points.Len() {
			w.rows = append(w.rows, int32(j))
		}
	}
	list := make([]candidate[float64], 0, len(w.rows))
	for _, j := range w.rows {
		squared := q.SquaredDistance(i, x.points, int(j))
		switch {
		case x.cosine && (q.Squares()[i] == 0 || x.points.Squares()[j] == 0):
			squared = 1
		case x.cosine:
			squared /= 2
		default:
			squared = math.Sqrt(squared)
		}
		list = append(list, candidate[float64]{squared, j})
	}
	slices.SortFunc(list, nearer)
	for c := range index {
		index[c], distance[c] = list[c].index, list[c].distance
	}
}
