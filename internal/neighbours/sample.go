package neighbours

import (
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

// sample is points with their exact neighbours and the squared distances to the k-th.
type sample struct {
	rows   []int32
	limit  []float64
	near   []int32 // their k nearest
	places []int32 // of the rows, in the order of a search
}

// segments is the number of parts of a table that an exact search of a sample goes
// through on its own.
const segments = 64

// newSample draws points and finds their neighbours. Cost: 384·n·d multiply-adds.
func newSample(ctx context.Context, a Asked, seed uint64) (*sample, error) {
	if a.Bytes != nil || a.Single && !a.Points.Sparse() {
		return sampleIn[float32](ctx, &table[float32]{a}, seed)
	}
	return sampleIn[float64](ctx, &table[float64]{a}, seed)
}

// sampleIn is [newSample] by products in T.
func sampleIn[T tiles.Float](ctx context.Context, t *table[T], seed uint64) (*sample, error) {
	n, k := t.Points.Len(), t.K
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
	parts := make([]*lists, segments)
	blocks := (n + tiles.Size - 1) / tiles.Size
	err := parallel.Run(ctx, segments, func(worker, segment int) {
		w := &all[worker]
		w.dots = grown(w.dots, tiles.Size*tiles.Size)
		w.limit, w.never = grown(w.limit, len(s.rows)), grown(w.never, tiles.Size)
		fill(w.limit, T(math.Inf(1)))
		fill(w.never, T(math.Inf(-1)))
		mine := newLists(len(s.rows), keep)
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
						w.limit[i] = T(mine.offer(i, j, float64(max(of.squares[i]+w.group.squares[c]-dot-dot, 0))))
					}
				}
			}
		}
		parts[segment] = mine
	})
	if err != nil {
		return nil, err
	}
	s.limit, s.near = make([]float64, len(s.rows)), make([]int32, len(s.rows)*k)
	err = parallel.Step(ctx, len(s.rows), func(_, q int) {
		nearest := newLists(1, keep)
		for _, part := range parts {
			for c := q * keep; c < (q+1)*keep && part.entry[c] != none; c++ {
				nearest.offer(0, int32(part.entry[c]), part.distance[c])
			}
		}
		near := nearest.points(nil, 0)
		direct := make([]float64, len(near))
		t.squaredDistances(direct, int(s.rows[q]), near)
		nearest.clear()
		for c, j := range near {
			nearest.offer(0, j, direct[c])
		}
		s.limit[q] = nearest.distance[k-1]
		copy(s.near[q*k:(q+1)*k], nearest.points(nil, 0))
	})
	return s, err
}

// recall returns the mean share of the k exact neighbours of the sampled points that
// the lists hold, equally distant ones being as good, and its standard error.
func (f *finder) recall() (mean, deviation float64) {
	shares := make([]float64, len(f.sample.rows))
	var w comparer
	for q := range shares {
		place := int(f.sample.places[q])
		w.others = f.lists.points(w.others[:0], place)
		f.distances(&w, place, f.asked.squaredDistances)
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

// find looks for the places of the rows and of their neighbours in an order.
func (s *sample) find(order []int32) {
	place := make([]int32, len(order))
	for at, row := range order {
		place[row] = int32(at)
	}
	s.places = make([]int32, len(s.rows))
	for q, row := range s.rows {
		s.places[q] = place[row]
	}
	for c, row := range s.near {
		s.near[c] = place[row]
	}
}

func fill[T any](s []T, v T) {
	for k := range s {
		s[k] = v
	}
}
