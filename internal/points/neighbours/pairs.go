package neighbours

import (
	"context"
	"math"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
)

// met is a place of a side and an own one that are compared, and their squared distance.
type met struct {
	i, j    int32
	row     int32   // of i, on the left side
	limit   float32 // of the two, in estimates
	squared float64
}

// comparer is the memory that one goroutine needs to compare the points of cells. The
// zero value is ready.
type comparer struct {
	tileScratch
	lookers    []looker  // into a cell
	side       *side     // whose places are on the left of tiles
	places     []int32   // they
	rows       []float32 // their sketches
	bytes      vec.BytesBlock
	own        []float32             // the squares of places, as estimates need them
	blocks     []block               // on the right side
	packed     []vec.Packed[float32] // they, of sketches
	rightBytes []vec.BytesBlock      // or of bytes
	otherLimit []float32             // of the places of a block; limit is of the left ones
	met        []met
	others     []int32
	rowsOf     []int32
	distance   []float64
	nearest    *lists // of a cell, by sketches
}

// begin fills the lists with those points of their own cells whose sketches are
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
		if w.nearest == nil || len(w.nearest.entry) < (to-from)*f.lists.length {
			w.nearest = newLists(to-from, f.lists.length)
		}
		w.nearest.clear()
		first := int(f.cells.first[a])
		blocks := f.cells.blocks[first:f.cells.first[a+1]]
		for other, b := range blocks {
			f.right(w, blocks[other:other+1])
			for k := 0; k <= other && ctx.Err() == nil; k++ {
				w.others = w.others[:0]
				for place := blocks[k].from; place < blocks[k].to; place++ {
					w.others = append(w.others, int32(place))
				}
				f.left(w, &f.side, w.others)
				for r, place := range w.places {
					w.limit[r] = float32(w.nearest.limit(int(place) - from))
				}
				for place := b.from; place < b.to; place++ {
					w.otherLimit[place-b.from] = float32(w.nearest.limit(place - from))
				}
				f.compare(w, 0)
				for _, m := range w.met {
					w.nearest.offer(int(m.i)-from, m.j, m.squared)
					if k != other {
						w.nearest.offer(int(m.j)-from, m.i, m.squared)
					}
				}
			}
		}
		for place := from; place < to; place++ {
			w.others = w.nearest.points(w.others[:0], place-from)
			if f.direct {
				w.distance = grown(w.distance, len(w.others))
				f.asked.roughDistances(w.distance, f.points, int(f.row[place]), w.rowsIn(&f.side, w.others))
			} else {
				w.distance = grown(w.distance, len(w.others))
				for c := range w.others {
					w.distance[c] = f.squaredOf(w.nearest.distance[(place-from)*f.lists.length+c])
				}
			}
			for c, j := range w.others {
				f.lists.offer(place, f.nameOf(j), w.distance[c])
				f.lists.offer(int(j), f.nameOf(int32(place)), w.distance[c])
			}
		}
	})
}

// squaredOf returns the squared distance of points whose estimate is the given one.
func (f *finder) squaredOf(sketches float64) float64 {
	return sketches / f.unit / f.unit
}

// look has every place look beyond its earlier looks, as far as its element of far. Where that is
// into cells of other ranks, it visits these. It fails when ctx is done.
func (f *finder) look(ctx context.Context, far []float32) error {
	p, err := f.cells.probes(ctx, f.looked, far, f.direct)
	if err != nil {
		return err
	}
	f.looked = far
	f.looks++
	pairs := []float64{p.pairs(f.cells)}
	if err := f.ranks.Sum(ctx, pairs); err != nil {
		return err
	}
	f.pairs += pairs[0]
	own := f.cells.own
	into := p.into(own, own+f.cells.count())
	err = f.meet(ctx, &f.side, func(to []looker, b int) []looker {
		for _, a := range into[b] {
			for _, place := range p.of(int(a), own+b) {
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

// meet compares the local cells with the places of a side that look into each cell, which lookers
// appends. All places that look into a cell are compared with it together, so that it stays in the
// cache. It fails when ctx is done.
func (f *finder) meet(ctx context.Context, s *side, lookers func(to []looker, b int) []looker) error {
	all := make([]comparer, parallel.Threads(ctx))
	return parallel.Run(ctx, f.cells.count(), func(worker, b int) {
		w := &all[worker]
		w.lookers = lookers(w.lookers[:0], b)
		if len(w.lookers) == 0 {
			return
		}
		blocks := f.cells.blocks[f.cells.first[b]:f.cells.first[b+1]]
		for len(blocks) > 0 {
			some := blocks[:min(f.together, len(blocks))]
			blocks = blocks[len(some):]
			f.right(w, some)
			for from := 0; from < len(w.lookers) && ctx.Err() == nil; from += tiles.Size {
				f.lookInto(w, s, w.lookers[from:min(from+tiles.Size, len(w.lookers))], b)
			}
		}
	})
}

// looker is a place that looks into a cell, with the lock of its list.
type looker struct{ place, lock int32 }

// lookInto compares places of a side, at most tiles.Size, with the right blocks, which are
// of cell b. Lists of a cell are read and written under its lock; as they are the same in
// whatever order points are offered, so is what is found.
func (f *finder) lookInto(w *comparer, s *side, lookers []looker, b int) {
	w.others = w.others[:0]
	for _, l := range lookers {
		w.others = append(w.others, l.place)
	}
	f.left(w, s, w.others)
	for k, to := range w.blocks {
		s.eachLocked(len(lookers), func(r int) int32 { return lookers[r].lock }, func(r int) {
			w.limit[r] = f.limit(s, int(lookers[r].place))
		})
		f.locks[b].Lock()
		for place := to.from; place < to.to; place++ {
			w.otherLimit[place-to.from] = f.limit(&f.side, place)
		}
		f.locks[b].Unlock()
		if f.compare(w, k); len(w.met) == 0 {
			continue
		}
		if f.direct {
			f.measure(w, lookers)
		} else {
			for c := range w.met {
				w.met[c].squared = f.squaredOf(w.met[c].squared)
			}
		}
		s.eachLocked(len(w.met), w.lockOf(lookers), func(c int) {
			m := &w.met[c]
			s.lists.offer(int(m.i), f.nameOf(m.j), m.squared)
		})
		f.locks[b].Lock()
		for _, m := range w.met {
			f.lists.offer(int(m.j), s.nameOf(m.i), m.squared)
		}
		f.locks[b].Unlock()
	}
}

// lockOf returns the lock of the left place of a pair.
func (w *comparer) lockOf(lookers []looker) func(int) int32 {
	return func(c int) int32 { return lookers[w.met[c].row].lock }
}

// measure keeps the pairs that pass the sieve and have no known distance yet, and computes their
// distance.
func (f *finder) measure(w *comparer, lookers []looker) {
	kept := w.met[:0]
	for _, m := range w.met {
		if f.sieve.passes(w.side.sketchOf(int(m.i)), f.cells.of(int(m.j)), m.limit) {
			kept = append(kept, m)
		}
	}
	w.met, kept = kept, kept[:0]
	w.side.eachLocked(len(w.met), w.lockOf(lookers), func(c int) {
		if m := w.met[c]; !w.side.lists.has(int(m.i), f.nameOf(m.j)) {
			kept = append(kept, m)
		}
	})
	w.met = kept
	for from := 0; from < len(w.met); {
		end := from
		w.others = w.others[:0]
		for ; end < len(w.met) && w.met[end].i == w.met[from].i; end++ {
			w.others = append(w.others, w.met[end].j)
		}
		w.distance = grown(w.distance, len(w.others))
		f.asked.roughDistances(w.distance, w.side.points, int(w.side.row[w.met[from].i]), w.rowsIn(&f.side, w.others))
		for c := range w.others {
			w.met[from+c].squared = w.distance[c]
		}
		from = end
	}
}

// reach returns how far a place looks for its k nearest in the unit of sketches: the
// distance of the k-th so far.
func (f *finder) reach(place int) float64 {
	return math.Sqrt(f.lists.distance[place*f.lists.length+f.k-1]) * f.basis.Scale
}
