package neighbours

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
)

// sampleSize is the number of points whose exact neighbours measure the recall.
const sampleSize = 2 * tiles.Size

// sample is points of all ranks with their exact neighbours and the squared distances to
// the k-th.
type sample struct {
	rows    []int32 // of those of this rank
	first   int     // where these begin among those of all
	limit   []float64
	near    []int32   // the rows of the k nearest to each on this rank
	squared []float64 // their squared distances; in a search those of ids
	// In a search:
	places []Place // of rows
	ids    []ID    // of the k nearest to each on all ranks
	cell   []int32 // of the points, among those of all ranks
	cells  []int32 // of ids likewise
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
	partition, err := t.Ranks.Partition(ctx, n)
	if err != nil {
		return nil, err
	}
	from, to := partition.Range(t.Ranks.Rank())
	size := min(partition.Len(), sampleSize)
	s := &sample{first: size * from / partition.Len(), limit: make([]float64, size), near: make([]int32, size*k), squared: make([]float64, size*k)}
	for _, i := range rng.Perm(n)[:size*to/partition.Len()-s.first] {
		s.rows = append(s.rows, int32(i))
	}
	slices.Sort(s.rows)
	drawn, rows, err := t.drawn(ctx, s.rows)
	if err != nil {
		return nil, err
	}
	var left group[T]
	drawn.gather(&left, rows, true, false)
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
	parts := make([]*lists[int, int32], segments)
	blocks := (n + tiles.Size - 1) / tiles.Size
	err = parallel.Run(ctx, segments, func(worker, segment int) {
		w := &all[worker]
		w.dots = grown(w.dots, tiles.Size*tiles.Size)
		w.limit, w.never = grown(w.limit, size), grown(w.never, tiles.Size)
		fill(w.limit, T(math.Inf(1)))
		fill(w.never, T(math.Inf(-1)))
		mine := newLists[int, int32](size, keep)
		for block := segment * blocks / segments; block < (segment+1)*blocks/segments && ctx.Err() == nil; block++ {
			w.rows = w.rows[:0]
			for i := block * tiles.Size; i < min((block+1)*tiles.Size, n); i++ {
				w.rows = append(w.rows, int32(i))
			}
			t.gather(&w.group, w.rows, false, true)
			for b := range left.blocks() {
				tile(w.dots, &left, b, &w.group, 0)
				i0, i1 := left.span(b)
				w.near = vec.AppendNear(w.near[:0], i1-i0, len(w.rows), w.dots, tiles.Size, left.squares[i0:i1], w.group.squares, w.limit[i0:i1], w.never)
				for _, code := range w.near {
					r, c := int(code)/vec.NearColumns, int(code)%vec.NearColumns
					if i, j := i0+r, w.rows[c]; s.row(i) != j {
						dot := w.dots[r*tiles.Size+c]
						w.limit[i] = T(mine.offer(i, j, float64(max(left.squares[i]+w.group.squares[c]-dot-dot, 0))))
					}
				}
			}
		}
		parts[segment] = mine
	})
	if err != nil {
		return nil, err
	}
	err = parallel.Step(ctx, size, func(_, q int) {
		var nearest lists[int, int32]
		nearest.reset(keep)
		for _, part := range parts {
			for c := q * keep; c < (q+1)*keep && part.entry[c] != none; c++ {
				nearest.offer(0, part.entry[c], part.distance[c])
			}
		}
		near := nearest.append(nil, 0)
		direct := make([]float64, len(near))
		t.squaredDistances(direct, drawn.Points, int(rows[q]), near)
		nearest.clear()
		for c, j := range near {
			nearest.offer(0, j, direct[c])
		}
		s.limit[q] = nearest.distance[k-1]
		copy(s.near[q*k:(q+1)*k], nearest.append(nil, 0))
		copy(s.squared[q*k:(q+1)*k], nearest.distance)
	})
	return s, err
}

// row returns that of a sampled point, -1 of one of another rank.
func (s *sample) row(q int) int32 {
	if q -= s.first; q < 0 || q >= len(s.rows) {
		return -1
	}
	return s.rows[q]
}

// drawn returns the points of all ranks that are drawn, as rows of a table.
func (t *table[T]) drawn(ctx context.Context, rows []int32) (*table[T], []int32, error) {
	if t.Ranks.Alone() {
		return t, rows, ctx.Err()
	}
	local := make([]int, len(rows))
	for q, row := range rows {
		local[q] = int(row)
	}
	p, err := Gathered(ctx, t.Ranks, t.Points, local)
	if err != nil {
		return nil, nil, err
	}
	all := make([]int32, p.Len())
	for q := range all {
		all[q] = int32(q)
	}
	return t.of(p), all, nil
}

// meanOf returns a mean and its standard error.
func meanOf(values []float64) (mean, deviation float64) { return momentsOf(values).mean() }

// moments is the sum of numbers, that of their squares, and how many there are.
type moments [3]float64

func momentsOf(values []float64) (m moments) {
	for _, v := range values {
		m[0] += v
		m[1] += v * v
	}
	m[2] = float64(len(values))
	return m
}

// mean returns that of the numbers and its standard error.
func (m moments) mean() (mean, deviation float64) {
	sum, squares, n := m[0], m[1], m[2]
	mean = sum / n
	return mean, math.Sqrt(max(squares/n-mean*mean, 0) / max(n-1, 1))
}

func fill[T any](s []T, v T) {
	for k := range s {
		s[k] = v
	}
}
