package neighbours

import (
	"context"
	"slices"

	"lapsvm/internal/parallel"
)

// adjacency is, for every point, the points in its list and those in whose lists it is.
type adjacency struct {
	start []int
	entry []uint32 // as in lists
}

// of returns the entries of point i.
func (a *adjacency) of(i int) []uint32 { return a.entry[a.start[i]:a.start[i+1]] }

// join makes the adjacency of the first width of every list, and of as many of the
// points that have i in theirs: those that have it nearest to the front. All entries of
// the lists count as known from then on. It fails when ctx is done.
func (l *lists[T]) join(ctx context.Context, n, width int) (*adjacency, error) {
	count := make([]int32, n)
	for c := range width {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for i := range n {
			if e := l.entry[i*l.length+c]; e != none && int(count[e>>1]) < width {
				count[e>>1]++
			}
		}
	}
	a := &adjacency{start: make([]int, n+1)}
	for i := range n {
		own := width
		for own > 0 && l.entry[i*l.length+own-1] == none {
			own--
		}
		a.start[i+1] = a.start[i] + own + int(count[i])
	}
	a.entry = make([]uint32, a.start[n])
	next := make([]int, n)
	for i := range n {
		next[i] = a.start[i] + copy(a.of(i), l.entry[i*l.length:i*l.length+a.start[i+1]-a.start[i]-int(count[i])])
	}
	for c := range width {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for i := range n {
			e := l.entry[i*l.length+c]
			if e == none || next[e>>1] == a.start[e>>1+1] {
				continue
			}
			a.entry[next[e>>1]] = uint32(i)<<1 | e&1
			next[e>>1]++
		}
	}
	for k, e := range l.entry {
		if e != none {
			l.entry[k] = e &^ 1
		}
	}
	return a, ctx.Err()
}

// placesPerPiece is how many points one piece of work of a round looks at.
const placesPerPiece = 256

// roundScratch is the memory that one goroutine needs for a round.
type roundScratch struct {
	seen     []uint32 // per point, 1 + the last point that met it
	places   []int32
	rows     []int32
	distance []float64
}

// round offers to every point the neighbours of its neighbours, where one of the two
// steps is new.
func (f *finder[T]) round(ctx context.Context) error {
	n := len(f.order)
	f.learnSieve()
	near, err := f.lists.join(ctx, n, f.k)
	if err != nil {
		return err
	}
	all := make([]roundScratch, parallel.Threads(ctx))
	counts := make([]int64, (n+placesPerPiece-1)/placesPerPiece)
	err = parallel.Run(ctx, len(counts), func(worker, piece int) {
		w := &all[worker]
		if w.seen == nil {
			w.seen = make([]uint32, n)
		}
		for i := piece * placesPerPiece; i < min((piece+1)*placesPerPiece, n); i++ {
			f.candidates(w, near, i)
			counts[piece] += int64(len(w.places))
			f.offerAll(w, i)
		}
	})
	for _, c := range counts {
		f.pairs += pairsPerCandidate * float64(c)
	}
	f.rounds++
	return err
}

// candidates gathers the places that are two steps from i, one of them new, and that
// the sieve lets pass.
func (f *finder[T]) candidates(w *roundScratch, near *adjacency, i int) {
	mark := uint32(i) + 1
	w.seen[i] = mark
	for _, e := range f.lists.of(i) {
		if e != none {
			w.seen[e>>1] = mark
		}
	}
	w.places = w.places[:0]
	own, limit := f.sketch(i), f.sieve.limit(float64(f.lists.limit(i)))
	for _, e := range near.of(i) {
		fresh := e & 1
		for _, other := range near.of(int(e >> 1)) {
			j := other >> 1
			if fresh|other&1 == 0 || w.seen[j] == mark {
				continue
			}
			w.seen[j] = mark
			if f.sieve.passes(own, f.sketch(int(j)), limit) {
				w.places = append(w.places, int32(j))
			}
		}
	}
}

// offerAll offers the candidates to point i by their direct distances.
func (f *finder[T]) offerAll(w *roundScratch, i int) {
	f.distances(w, int(f.order[i]))
	for c, j := range w.places {
		f.lists.offer(i, j, T(w.distance[c]))
	}
}

// distances computes those of a row to the points at the places of w.
func (f *finder[T]) distances(w *roundScratch, row int) {
	w.rows = w.rows[:0]
	for _, at := range w.places {
		w.rows = append(w.rows, f.order[at])
	}
	w.distance = slices.Grow(w.distance[:0], len(w.rows))[:len(w.rows)]
	f.table.squaredDistances(w.distance, row, w.rows)
}
