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
	limit   float32 // of the two, in estimates
	squared float64
}

// comparer is the memory that one goroutine needs to compare the points of cells. The
// zero value is ready.
type comparer struct {
	tileScratch
	places     []int32   // on the left side of tiles
	rows       []float32 // their sketches
	own        []float32 // their squares, as estimates need them
	otherLimit []float32 // of the places of a block; limit is of the left ones
	met        []met
	others     []int32
	rowsOf     []int32
	distance   []float64
	nearest    *lists // of a cell, by sketches
}

// slack is how much less than it is a squared distance of two sketches by products is
// taken to be, as a share of their squares: rounding cannot make it larger.
const slack = 0x1p-19

// setSquares computes what products of sketches become estimates of squared distances
// with, for all places: their squares, and where distances are direct what the sieve
// adds for the rest.
func (f *finder) setSquares(ctx context.Context) error {
	n := len(f.cells.order)
	f.squares = grown(f.squares, n)
	return parallel.Step(ctx, (n+perStep-1)/perStep, func(_, piece int) {
		for place := piece * perStep; place < min((piece+1)*perStep, n); place++ {
			x := f.cells.of(place)
			own := square(x[:f.cells.rank])
			if f.direct {
				own -= slack * own
			}
			for _, rest := range x[f.cells.rank:] {
				own += f.sieve.turn * rest * rest
			}
			f.squares[place] = own
		}
	})
}

// limit returns what the estimate for a place may be, to be offered to it. Where a sieve
// drops some that are near enough, it must not depend on what other goroutines found.
func (f *finder) limit(place int) float32 {
	if f.direct {
		return f.limits[place]
	}
	return float32(f.lists.limit(place) * f.basis.Scale * f.basis.Scale)
}

// left lays out places, at most tiles.Size, as the left side of tiles.
func (f *finder) left(w *comparer, places []int32) {
	rank := f.cells.rank
	w.places = places
	w.rows, w.own = grown(w.rows, len(places)*rank), grown(w.own, len(places))
	w.limit, w.otherLimit = grown(w.limit, tiles.Size), grown(w.otherLimit, tiles.Size)
	for r, place := range places {
		copy(w.rows[r*rank:(r+1)*rank], f.cells.of(int(place)))
		w.own[r] = f.squares[place]
	}
	w.tileScratch.left.PackLeft(len(places), rank, w.rows, rank)
}

// compare gathers the pairs of the left places and those of a block whose estimates are
// within the limit of one of the two.
func (f *finder) compare(w *comparer, b *block) {
	squares := f.squares[b.from:b.to]
	w.near = w.tile(&b.packed, w.own, squares, w.limit[:len(w.places)], w.otherLimit[:b.to-b.from])
	w.met = w.met[:0]
	for _, code := range w.near {
		r, column := int(code)/vec.NearColumns, int(code)%vec.NearColumns
		i, j := w.places[r], int32(b.from+column)
		if i != j {
			dot := w.dots[r*tiles.Size+column]
			w.met = append(w.met, met{i, j, max(w.limit[r], w.otherLimit[column]), float64(max(w.own[r]+squares[column]-dot-dot, 0))})
		}
	}
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
		blocks := f.cells.blocks[f.cells.first[a]:f.cells.first[a+1]]
		for k := range blocks {
			w.others = w.others[:0]
			for place := blocks[k].from; place < blocks[k].to; place++ {
				w.others = append(w.others, int32(place))
			}
			f.left(w, w.others)
			for other := k; other < len(blocks) && ctx.Err() == nil; other++ {
				b := &blocks[other]
				for r, place := range w.places {
					w.limit[r] = float32(w.nearest.limit(int(place) - from))
				}
				for place := b.from; place < b.to; place++ {
					w.otherLimit[place-b.from] = float32(w.nearest.limit(place - from))
				}
				f.compare(w, b)
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

// squaredOf returns the squared distance of points whose sketches have the given one.
func (f *finder) squaredOf(sketches float64) float64 {
	return sketches / f.basis.Scale / f.basis.Scale
}

// distances computes those of a place to the others of w, as one of [Asked] does.
func (f *finder) distances(w *comparer, place int, by func(to []float64, i int, others []int32)) {
	w.rowsOf = w.rowsOf[:0]
	for _, at := range w.others {
		w.rowsOf = append(w.rowsOf, f.cells.order[at])
	}
	w.distance = grown(w.distance, len(w.rowsOf))
	by(w.distance, int(f.cells.order[place]), w.rowsOf)
}

// look has every place look as far as it is told, by place, beyond what it has looked.
// Each two cells are compared from the first of them. It fails when ctx is done.
func (f *finder) look(ctx context.Context, far []float32) error {
	p, err := f.cells.probes(ctx, f.looked, far, f.direct)
	if err != nil {
		return err
	}
	f.looked = far
	f.looks++
	f.pairs += p.pairs(f.cells)
	all := make([]comparer, parallel.Threads(ctx))
	return parallel.Run(ctx, f.cells.count(), func(worker, a int) {
		w := &all[worker]
		for b := a; b < f.cells.count() && ctx.Err() == nil; b++ {
			f.lookInto(w, p.of(a, b), a, b)
			if a != b {
				f.lookInto(w, p.of(b, a), b, a)
			}
		}
	})
}

// lookInto compares places of cell a with all of cell b. Lists of a cell are read and
// written under its lock; as they are the same in whatever order points are offered,
// so is what is found.
func (f *finder) lookInto(w *comparer, places []int32, a, b int) {
	for len(places) > 0 {
		some := places[:min(tiles.Size, len(places))]
		places = places[len(some):]
		f.left(w, some)
		for k := f.cells.first[b]; k < f.cells.first[b+1]; k++ {
			to := &f.cells.blocks[k]
			f.locks[a].Lock()
			for r, place := range some {
				w.limit[r] = f.limit(int(place))
			}
			f.locks[a].Unlock()
			f.locks[b].Lock()
			for place := to.from; place < to.to; place++ {
				w.otherLimit[place-to.from] = f.limit(place)
			}
			f.locks[b].Unlock()
			f.compare(w, to)
			if len(w.met) == 0 {
				continue
			}
			if f.direct {
				f.measure(w, a)
			} else {
				for c := range w.met {
					w.met[c].squared = f.squaredOf(w.met[c].squared)
				}
			}
			f.locks[a].Lock()
			for _, m := range w.met {
				f.lists.offer(int(m.i), m.j, m.squared)
			}
			f.locks[a].Unlock()
			f.locks[b].Lock()
			for _, m := range w.met {
				f.lists.offer(int(m.j), m.i, m.squared)
			}
			f.locks[b].Unlock()
		}
	}
}

// measure keeps the pairs that the sieve lets pass and whose distance is not known yet,
// and computes it.
func (f *finder) measure(w *comparer, a int) {
	kept := w.met[:0]
	for _, m := range w.met {
		if f.sieve.passes(f.cells.of(int(m.i)), f.cells.of(int(m.j)), m.limit) {
			kept = append(kept, m)
		}
	}
	w.met, kept = kept, kept[:0]
	f.locks[a].Lock()
	for _, m := range w.met {
		if !f.lists.has(int(m.i), m.j) {
			kept = append(kept, m)
		}
	}
	f.locks[a].Unlock()
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
