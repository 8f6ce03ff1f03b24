package neighbours

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/parallel"
	"lapsvm/internal/tiles"
	"lapsvm/internal/vec"
)

// sampleSize is the number of points whose exact neighbours measure the recall.
const sampleSize = 2 * tiles.Size

// sample is points with the squared distances to their exact k-th neighbours.
type sample struct {
	rows   []int32
	places []int32 // of the rows in the order of a search
	limit  []float64
}

// segments is the number of parts of a table that an exact search of a sample goes
// through on its own.
const segments = 64

// newSample draws points and finds how far their k-th neighbours are. Cost:
// 384·n·d multiply-adds.
func newSample[T tiles.Float](ctx context.Context, t *table[T], k int, seed uint64) (*sample, error) {
	n := t.points.Len()
	rng := rand.New(rand.NewPCG(seed, 3))
	s := &sample{}
	for _, i := range rng.Perm(n)[:min(n, sampleSize)] {
		s.rows = append(s.rows, int32(i))
	}
	slices.Sort(s.rows)
	var of group[T]
	t.gather(&of, s.rows, true, false)
	// A few more than k, for distances that the products cannot tell apart.
	keep := min(n-1, k+8)
	type scratch struct {
		group group[T]
		rows  []int32
		dots  []T
		near  []int32
		limit []T
		never []T
	}
	all := make([]scratch, parallel.Threads(ctx))
	parts := make([]*lists[T], segments)
	blocks := (n + tiles.Size - 1) / tiles.Size
	err := parallel.Run(ctx, segments, func(worker, segment int) {
		w := &all[worker]
		w.dots = grown(w.dots, tiles.Size*tiles.Size)
		w.limit, w.never = grown(w.limit, len(s.rows)), grown(w.never, tiles.Size)
		fill(w.limit, T(math.Inf(1)))
		fill(w.never, T(math.Inf(-1)))
		mine := newLists[T](len(s.rows), keep)
		for block := segment * blocks / segments; block < (segment+1)*blocks/segments && ctx.Err() == nil; block++ {
			w.rows = w.rows[:0]
			for i := block * tiles.Size; i < min((block+1)*tiles.Size, n); i++ {
				w.rows = append(w.rows, int32(i))
			}
			t.gather(&w.group, w.rows, false, true)
			for b := range of.blocks() {
				tile(w.dots, &of, b, &w.group, 0)
				i0, i1 := of.span(b)
				w.near = vec.AppendNear(w.near[:0], i1-i0, len(w.rows), w.dots, tiles.Size, of.squares[i0:i1], w.group.squares, w.limit[i0:i1], w.never)
				for _, code := range w.near {
					r, c := int(code)/vec.NearColumns, int(code)%vec.NearColumns
					if i, j := i0+r, w.rows[c]; s.rows[i] != j {
						dot := w.dots[r*tiles.Size+c]
						w.limit[i] = mine.offer(i, j, max(of.squares[i]+w.group.squares[c]-dot-dot, 0))
					}
				}
			}
		}
		parts[segment] = mine
	})
	if err != nil {
		return nil, err
	}
	s.limit = make([]float64, len(s.rows))
	err = parallel.Step(ctx, len(s.rows), func(_, q int) {
		var found []candidate[T]
		for _, part := range parts {
			for c := q * keep; c < (q+1)*keep && part.entry[c] != none; c++ {
				found = append(found, candidate[T]{part.distance[c], int32(part.entry[c] >> 1)})
			}
		}
		slices.SortFunc(found, func(a, b candidate[T]) int {
			return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.index, b.index))
		})
		found = found[:min(len(found), keep)]
		direct := make([]float64, len(found))
		t.squaredDistances(direct, int(s.rows[q]), indices(nil, found))
		slices.Sort(direct)
		s.limit[q] = direct[k-1]
	})
	return s, err
}

// recall returns the mean share of the k exact neighbours of the sampled points that
// the lists hold, equally distant ones being as good, and its standard error.
func (f *finder[T]) recall() (mean, deviation float64) {
	shares := make([]float64, len(f.sample.rows))
	var w roundScratch
	for q, row := range f.sample.rows {
		w.places = f.lists.places(w.places[:0], int(f.sample.places[q]))
		f.distances(&w, int(row))
		found := 0
		for _, squared := range w.distance {
			if squared <= f.sample.limit[q]*(1+sameDistance) {
				found++
			}
		}
		shares[q] = float64(min(found, f.k)) / float64(f.k)
	}
	return meanOf(shares)
}

// meanOf returns a mean and its standard error.
func meanOf(values []float64) (mean, deviation float64) {
	var sum, squares float64
	for _, v := range values {
		sum += v
		squares += v * v
	}
	n := float64(len(values))
	mean = sum / n
	return mean, math.Sqrt(max(squares/n-mean*mean, 0) / max(n-1, 1))
}

// find looks for the places of the rows in an order.
func (s *sample) find(order []int32) {
	s.places = make([]int32, len(s.rows))
	for place, row := range order {
		if q, found := slices.BinarySearch(s.rows, row); found {
			s.places[q] = int32(place)
		}
	}
}

func fill[T any](s []T, v T) {
	for k := range s {
		s[k] = v
	}
}
