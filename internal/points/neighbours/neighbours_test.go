package neighbours_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// grid draws n points of whole coordinates, so that many distances and points are equal.
func grid(n, d int, seed uint64) *points.Points {
	rng := rand.New(rand.NewPCG(seed, 1))
	values := make([]float64, n*d)
	for k := range values {
		values[k] = float64(rng.IntN(4))
	}
	return points.Dense(n, d, values)
}

// search finds the k nearest neighbours of all points by tiles in T, in the order drawn
// by a seed.
func search[T tiles.Float](t *testing.T, p *points.Points, k int, seed uint64) ([]int32, []float64) {
	t.Helper()
	left, right, err := tiles.Sides[T](t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := neighbours.New(p, left.Squares(), k, nil)
	type tile struct{ i, j int }
	var all []tile
	for i := range left.Blocks() {
		for j := i; j < left.Blocks(); j++ {
			all = append(all, tile{i, j})
		}
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	var w neighbours.Scratch[T]
	dots := make([]T, tiles.Size*tiles.Size)
	for _, at := range all {
		tiles.Tile(points.Products, dots, tiles.Size, left, at.i, right, at.j, -1)
		i0, i1 := left.Span(at.i)
		j0, j1 := right.Span(at.j)
		s.Add(&w, dots, tiles.Size, i0, i1, j0, j1)
	}
	index, distance, err := s.Ranked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return index, distance
}

// The neighbours are those of a sort of all distances, ties by index, whatever the
// precision of the products and the order of the tiles.
func TestSearch(t *testing.T) {
	for _, n := range []int{7, tiles.Size, 2*tiles.Size + 31} {
		p, k := grid(n, 5, uint64(n)), 6
		var want []int32
		for i := range n {
			var others []int32
			for j := range n {
				if j != i {
					others = append(others, int32(j))
				}
			}
			slices.SortFunc(others, func(a, b int32) int {
				return cmp.Or(cmp.Compare(p.SquaredDistance(i, p, int(a)), p.SquaredDistance(i, p, int(b))), cmp.Compare(a, b))
			})
			want = append(want, others[:k]...)
		}
		for seed := range uint64(3) {
			index, distance := search[float64](t, p, k, seed)
			single, _ := search[float32](t, p, k, seed)
			if !slices.Equal(index, want) || !slices.Equal(single, want) {
				t.Fatalf("%d points, order %d: other neighbours", n, seed)
			}
			for at, j := range index {
				if squared := p.SquaredDistance(at/k, p, int(j)); distance[at] != math.Sqrt(squared) {
					t.Fatalf("%d points: distance %v of %d and %d, want %v", n, distance[at], at/k, j, math.Sqrt(squared))
				}
			}
		}
	}
}

// A point equally far from many others gets those of the least index, and takes little memory: a
// list of all the others for each point would be 600 MB here.
func TestSearchAmongEqualDistances(t *testing.T) {
	detector.Spare(t)
	const n, k = 12000, 6
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i % 4)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, distance := search[float32](t, points.Dense(n, 1, values), k, 1)
	runtime.ReadMemStats(&after)
	for i := range n {
		want := i % 4
		for c := range k {
			if want == i {
				want += 4
			}
			if int(got[i*k+c]) != want || distance[i*k+c] != 0 {
				t.Fatalf("point %d has the neighbour %d at %v, want %d at 0", i, got[i*k+c], distance[i*k+c], want)
			}
			want += 4
		}
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 250<<20 {
		t.Errorf("%d MB were allocated", grown>>20)
	}
}

// A search needs at least one neighbour and one point more than that.
func TestNewPanics(t *testing.T) {
	for _, k := range []int{0, 3} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %d neighbours of 3 points", k)
				}
			}()
			neighbours.New(points.Dense(3, 1, make([]float64, 3)), make([]float64, 3), k, nil)
		}()
	}
}

// Equal points come in groups, in the order of their second points.
func TestEqual(t *testing.T) {
	rows := []float64{1, 2, 0, 0, 1, 2, 3, 3, 0, 0, 1, 2}
	want := [][]int{{0, 2, 5}, {1, 4}}
	dense := points.Dense(6, 2, rows)
	sparse := points.CSR(2, []int{0, 2, 2, 4, 6, 6, 8}, []int32{0, 1, 0, 1, 0, 1, 0, 1}, []float64{1, 2, 1, 2, 3, 3, 1, 2})
	for _, p := range []*points.Points{dense, sparse} {
		if got, err := neighbours.Equal(t.Context(), p); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("sparse %v: %v, want %v", p.Sparse(), got, want)
		}
	}
	distinct := points.Dense(2, 1, []float64{0, 1})
	if got, err := neighbours.Equal(t.Context(), distinct); got != nil || err != nil {
		t.Errorf("%v are not equal", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := neighbours.Equal(ctx, distinct); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := neighbours.Centre(ctx, distinct); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// On a line of points with distance 1 the scale is known, and float32 resolves it unless
// the points are far from the origin.
func TestScale(t *testing.T) {
	const n = 500
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i)
	}
	s := neighbours.NewScale(points.Dense(n, 1, values), 2)
	// Inside the line two neighbours are at distance 1; at its end they are at 1 and 2.
	if s.Nearest != 1 || !(s.Mean > 1) || !(s.Mean < 1.2) {
		t.Errorf("%+v", s)
	}
	if !s.SingleResolves(1, 1) || s.SingleResolves(1e9, 1) {
		t.Error("float32 resolves distance 1 near the origin, and not far from it")
	}
}
