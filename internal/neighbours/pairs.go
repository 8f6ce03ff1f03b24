package neighbours

import (
	"context"
	"math"

	"lapsvm/internal/parallel"
	"lapsvm/internal/tiles"
	"lapsvm/internal/vec"
)

// met is two places that are compared, and their squared distance.
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
	places     []int32   // on the left side of tiles
	rows       []float32 // their sketches
	bytes      vec.BytesBlock
	own        []float32             // their squares, as estimates need them
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
				f.left(w, w.others)
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
				f.distances(w, place, f.asked.roughDistances)
			} else {
				w.distance = grown(w.distance, len(w.others))
				for c := range w.others {
					w.distance[c] = f.squaredOf(w.nearest.distance[(place-from)*f.lists.length+c])
				}
			}
			for c, j := range w.others {
				f.lists.offer(place, j, w.distance[c])
				f.lists.offer(int(j), int32(place), w.distance[c])
			}
		}
	})
}

// squaredOf returns the squared distance of points whose estimate is the given one.
func (f *finder) squaredOf(sketches float64) float64 {
	return sketches / f.unit / f.unit
}

// distances computes those of a place to the others of w, as one of [Asked] does.
func (f *finder) distances(w *comparer, place int, by func(to []float64, i int, others []int32)) {
	w.distance = grown(w.distance, len(w.others))
	by(w.distance, int(f.cells.order[place]), f.rowsOf(w, w.others))
}

// look has every place look as far as it is told, by place, beyond what it has looked.
// All that look into a cell are compared with it together, so that it stays in the cache.
// It fails when ctx is done.
func (f *finder) look(ctx context.Context, far []float32) error {
	p, err := f.cells.probes(ctx, f.looked, far, f.direct)
	if err != nil {
		return err
	}
	f.looked = far
	f.looks++
	f.pairs += p.pairs(f.cells)
	into := p.into()
	all := make([]comparer, parallel.Threads(ctx))
	return parallel.Run(ctx, f.cells.count(), func(worker, b int) {
		w := &all[worker]
		w.lookers = w.lookers[:0]
		for _, a := range into[b] {
			for _, place := range p.of(int(a), b) {
				w.lookers = append(w.lookers, looker{place, a})
			}
		}
		blocks := f.cells.blocks[f.cells.first[b]:f.cells.first[b+1]]
		for len(blocks) > 0 {
			some := blocks[:min(f.together, len(blocks))]
			blocks = blocks[len(some):]
			f.right(w, some)
			for from := 0; from < len(w.lookers) && ctx.Err() == nil; from += tiles.Size {
				f.lookInto(w, w.lookers[from:min(from+tiles.Size, len(w.lookers))], b)
			}
		}
	})
}

// looker is a place that looks into a cell, and its own.
type looker struct{ place, cell int32 }

// lookInto compares places, at most tiles.Size, with the right blocks, which are of cell
// b. Lists of a cell are read and written under its lock; as they are the same in whatever
// order points are offered, so is what is found.
func (f *finder) lookInto(w *comparer, lookers []looker, b int) {
	w.others = w.others[:0]
	for _, l := range lookers {
		w.others = append(w.others, l.place)
	}
	f.left(w, w.others)
	for k, to := range w.blocks {
		f.eachCell(len(lookers), func(r int) int32 { return lookers[r].cell }, func(r int) {
			w.limit[r] = f.limit(int(lookers[r].place))
		})
		f.locks[b].Lock()
		for place := to.from; place < to.to; place++ {
			w.otherLimit[place-to.from] = f.limit(place)
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
		f.eachCell(len(w.met), w.cellOf(lookers), func(c int) {
			m := &w.met[c]
			f.lists.offer(int(m.i), m.j, m.squared)
		})
		f.locks[b].Lock()
		for _, m := range w.met {
			f.lists.offer(int(m.j), m.i, m.squared)
		}
		f.locks[b].Unlock()
	}
}

// cellOf returns the cell of the left place of a pair.
func (w *comparer) cellOf(lookers []looker) func(int) int32 {
	return func(c int) int32 { return lookers[w.met[c].row].cell }
}

// eachCell calls do for 0 ≤ k < count, under the locks of the cells that of names.
func (f *finder) eachCell(count int, of func(k int) int32, do func(k int)) {
	held := int32(-1)
	for k := range count {
		if cell := of(k); cell != held {
			if held >= 0 {
				f.locks[held].Unlock()
			}
			f.locks[cell].Lock()
			held = cell
		}
		do(k)
	}
	if held >= 0 {
		f.locks[held].Unlock()
	}
}

// measure keeps the pairs that the sieve lets pass and whose distance is not known yet,
// and computes it.
func (f *finder) measure(w *comparer, lookers []looker) {
	kept := w.met[:0]
	for _, m := range w.met {
		if f.sieve.passes(f.cells.of(int(m.i)), f.cells.of(int(m.j)), m.limit) {
			kept = append(kept, m)
		}
	}
	w.met, kept = kept, kept[:0]
	f.eachCell(len(w.met), w.cellOf(lookers), func(c int) {
		if m := w.met[c]; !f.lists.has(int(m.i), m.j) {
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
		f.distances(w, int(w.met[from].i), f.asked.roughDistances)
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
