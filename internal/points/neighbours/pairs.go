package neighbours

import (
	"context"
	"math"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
)

// compared is a place of queries and a local one, and their squared distance.
type compared struct {
	i, j    Place
	at      int32   // of i, among the left of tiles
	limit   float32 // of the two, in estimates
	squared float64
}

// comparer is the memory that one goroutine needs to compare the points of cells. The
// zero value is ready.
type comparer struct {
	tileScratch
	lookers    []looker // into a cell
	queries    *queries // whose places are the left of tiles
	places     []Place
	sketches   []float32             // of these
	blocks     []block               // on the right side
	packed     []vec.Packed[float32] // they, of sketches
	leftRows   group[float32]        // or places and blocks of rows
	rightRows  group[float32]
	otherLimit []float32 // of the places of a block
	compared   []compared
	others     []Place
	rows       []int32
	distance   []float64
	nearest    *lists[Place, Place] // of a cell, by place in it, as sketches tell
}

// begin fills the lists with those points of the same cells whose sketches are
// nearest. It fails when ctx is done.
func (f *finder) begin(ctx context.Context) error {
	all := make([]comparer, parallel.Threads(ctx))
	for a := range f.cells.count() {
		from, to := f.cells.span(a)
		f.pairs += float64(to-from) * float64(to-from) / 2
	}
	return parallel.Run(ctx, f.cells.count(), func(worker, a int) {
		w := &all[worker]
		from, to := f.cells.span(a)
		if w.nearest == nil || len(w.nearest.entry) < int(to-from)*f.lists.length {
			w.nearest = newLists[Place, Place](int(to-from), f.lists.length)
		}
		w.nearest.clear()
		blocks := f.cells.blocksOf(a)
		for other, b := range blocks {
			f.right(w, blocks[other:other+1])
			for k := 0; k <= other && ctx.Err() == nil; k++ {
				w.others = w.others[:0]
				for place := blocks[k].from; place < blocks[k].to; place++ {
					w.others = append(w.others, place)
				}
				f.left(w, &f.queries, w.others)
				for r, place := range w.places {
					w.limit[r] = float32(w.nearest.limit(place - from))
				}
				for place := b.from; place < b.to; place++ {
					w.otherLimit[place-b.from] = float32(w.nearest.limit(place - from))
				}
				f.compare(w, 0)
				for _, m := range w.compared {
					w.nearest.offer(m.i-from, m.j, m.squared)
					if k != other {
						w.nearest.offer(m.j-from, m.i, m.squared)
					}
				}
			}
		}
		for place := from; place < to; place++ {
			w.others = w.nearest.append(w.others[:0], place-from)
			if f.direct {
				w.distance = grown(w.distance, len(w.others))
				f.asked.roughDistances(w.distance, f.points, int(f.rowOf(place)), w.rowsOf(&f.queries, w.others))
			} else {
				w.distance = grown(w.distance, len(w.others))
				for c := range w.others {
					w.distance[c] = f.squaredOf(w.nearest.distance[int(place-from)*f.lists.length+c])
				}
			}
			for c, j := range w.others {
				f.lists.offer(place, f.idOf(j), w.distance[c])
				f.lists.offer(j, f.idOf(place), w.distance[c])
			}
		}
	})
}

// squaredOf returns the squared distance of points whose estimate is the given one.
func (f *finder) squaredOf(sketches float64) float64 {
	return sketches / f.unit / f.unit
}

// look has every place look beyond its earlier looks, as far as within tells. Where that is into
// cells of other ranks, it visits these. It fails when ctx is done.
func (f *finder) look(ctx context.Context, within []float32) error {
	p, err := f.cells.probes(ctx, f.looked, within, f.direct)
	if err != nil {
		return err
	}
	f.looked = within
	f.looks++
	pairs := []float64{p.pairs(f.cells)}
	if err := f.ranks.Sum(ctx, pairs); err != nil {
		return err
	}
	f.pairs += pairs[0]
	into := p.into(f.cells.global(0), f.cells.global(f.cells.count()))
	err = f.compareAll(ctx, &f.queries, func(to []looker, b int) []looker {
		for _, a := range into[b] {
			for _, place := range p.looking(int(a), f.cells.global(b)) {
				to = append(to, looker{place, a})
			}
		}
		return to
	})
	for round := 1; round < f.ranks.Size() && err == nil; round++ {
		err = f.visit(ctx, p, round)
	}
	return err
}

// compareAll compares the local cells with the places of queries that look into each cell, which
// lookers appends. All places that look into a cell are compared with it together, so that it stays
// in the cache. It fails when ctx is done.
func (f *finder) compareAll(ctx context.Context, q *queries, lookers func(to []looker, b int) []looker) error {
	all := make([]comparer, parallel.Threads(ctx))
	return parallel.Run(ctx, f.cells.count(), func(worker, b int) {
		w := &all[worker]
		w.lookers = lookers(w.lookers[:0], b)
		if len(w.lookers) == 0 {
			return
		}
		blocks := f.cells.blocksOf(b)
		for len(blocks) > 0 {
			some := blocks[:min(f.together, len(blocks))]
			blocks = blocks[len(some):]
			f.right(w, some)
			for from := 0; from < len(w.lookers) && ctx.Err() == nil; from += tiles.Size {
				f.lookInto(w, q, w.lookers[from:min(from+tiles.Size, len(w.lookers))], b)
			}
		}
	})
}

// looker is a place that looks into a cell, with the lock of its list.
type looker struct {
	place Place
	lock  int32
}

// lookInto compares places of queries, at most tiles.Size, with the right blocks, which are
// of cell b. Lists of a cell are read and written under its lock; as they are the same in
// whatever order points are offered, so is what is found.
func (f *finder) lookInto(w *comparer, q *queries, lookers []looker, b int) {
	w.others = w.others[:0]
	for _, l := range lookers {
		w.others = append(w.others, l.place)
	}
	f.left(w, q, w.others)
	for k, to := range w.blocks {
		q.eachLocked(len(lookers), func(r int) int32 { return lookers[r].lock }, func(r int) {
			w.limit[r] = f.limit(q, lookers[r].place)
		})
		f.locks[b].Lock()
		for place := to.from; place < to.to; place++ {
			w.otherLimit[place-to.from] = f.limit(&f.queries, place)
		}
		f.locks[b].Unlock()
		if f.compare(w, k); len(w.compared) == 0 {
			continue
		}
		if f.direct {
			f.measure(w, lookers)
		} else {
			for c := range w.compared {
				w.compared[c].squared = f.squaredOf(w.compared[c].squared)
			}
		}
		q.eachLocked(len(w.compared), w.lockOf(lookers), func(c int) {
			m := &w.compared[c]
			q.lists.offer(m.i, f.idOf(m.j), m.squared)
		})
		f.locks[b].Lock()
		for _, m := range w.compared {
			f.lists.offer(m.j, q.idOf(m.i), m.squared)
		}
		f.locks[b].Unlock()
	}
}

// lockOf returns the lock of the left place of a pair.
func (w *comparer) lockOf(lookers []looker) func(int) int32 {
	return func(c int) int32 { return lookers[w.compared[c].at].lock }
}

// measure keeps the pairs that pass the sieve and have no known distance yet, and computes their
// distance.
func (f *finder) measure(w *comparer, lookers []looker) {
	kept := w.compared[:0]
	for _, m := range w.compared {
		if f.sieve.passes(w.queries.sketchOf(m.i), f.cells.sketchOf(m.j), m.limit) {
			kept = append(kept, m)
		}
	}
	w.compared, kept = kept, kept[:0]
	w.queries.eachLocked(len(w.compared), w.lockOf(lookers), func(c int) {
		if m := w.compared[c]; !w.queries.lists.has(m.i, f.idOf(m.j)) {
			kept = append(kept, m)
		}
	})
	w.compared = kept
	for from := 0; from < len(w.compared); {
		end := from
		w.others = w.others[:0]
		for ; end < len(w.compared) && w.compared[end].i == w.compared[from].i; end++ {
			w.others = append(w.others, w.compared[end].j)
		}
		w.distance = grown(w.distance, len(w.others))
		f.asked.roughDistances(w.distance, w.queries.points, int(w.queries.rowOf(w.compared[from].i)), w.rowsOf(&f.queries, w.others))
		for c := range w.others {
			w.compared[from+c].squared = w.distance[c]
		}
		from = end
	}
}

// reach returns how far a place looks for its k nearest in the unit of sketches: the
// distance of the k-th so far.
func (f *finder) reach(place Place) float64 {
	return math.Sqrt(f.lists.distance[int(place)*f.lists.length+f.k-1]) * f.basis.Scale
}
