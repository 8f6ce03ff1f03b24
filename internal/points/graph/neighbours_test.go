package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

func dense(rows [][]float64) *points.Points {
	var values []float64
	for _, row := range rows {
		values = append(values, row...)
	}
	return points.Dense(len(rows), len(rows[0]), values)
}

func sparse(rows [][]float64) *points.Points {
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for _, row := range rows {
		for j, v := range row {
			if v != 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(index))
	}
	return points.CSR(len(rows[0]), start, index, value)
}

// table makes n rows of d values by draw.
func table(n, d int, draw func() float64) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d)
		for j := range rows[i] {
			rows[i][j] = draw()
		}
	}
	return rows
}

// euclidean is ‖x − y‖, summed directly in column order, of differences that are
// scaled where their squares are beyond float64.
func euclidean(x, y []float64) float64 {
	s, unit := 0.0, 1.0
	for k := range x {
		switch d := math.Abs(x[k] - y[k]); {
		case d > 0x1p450:
			unit = 0x1p-600
		case d != 0 && d < 0x1p-450 && unit == 1:
			unit = 0x1p500
		}
	}
	for k := range x {
		s += (x[k] - y[k]) * unit * ((x[k] - y[k]) * unit)
	}
	return math.Sqrt(s) / unit
}

// cosine is 1 − ⟨x, y⟩/(‖x‖·‖y‖), and 1 where either is zero.
func cosine(x, y []float64) float64 {
	var xy, xx, yy float64
	for k := range x {
		xy, xx, yy = xy+x[k]*y[k], xx+x[k]*x[k], yy+y[k]*y[k]
	}
	if xx == 0 || yy == 0 {
		return 1
	}
	return 1 - xy/math.Sqrt(xx*yy)
}

// naive sorts all others by distance, then index, and takes the first k.
func naive(rows [][]float64, k int, distance func(x, y []float64) float64) *graph.Neighbours {
	n := len(rows)
	nb := &graph.Neighbours{K: k}
	from, others := make([]float64, n), make([]int32, 0, n)
	for i := range n {
		others = others[:0]
		for j := range n {
			if from[j] = distance(rows[i], rows[j]); j != i {
				others = append(others, int32(j))
			}
		}
		slices.SortFunc(others, func(a, b int32) int {
			switch {
			case from[a] < from[b]:
				return -1
			case from[a] > from[b]:
				return 1
			}
			return int(a - b)
		})
		for _, j := range others[:k] {
			nb.Index, nb.Distance = append(nb.Index, j), append(nb.Distance, from[j])
		}
	}
	return nb
}

// same checks that two neighbour relations are equal to the last bit.
func same(t *testing.T, name string, got, want *graph.Neighbours) {
	t.Helper()
	if got.K != want.K || got.Len() != want.Len() {
		t.Fatalf("%s: %d neighbours of %d points, want %d of %d", name, got.K, got.Len(), want.K, want.Len())
	}
	for i := range want.Len() {
		gi, gd := got.Row(i)
		wi, wd := want.Row(i)
		close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14*b } // the order of the sums may differ
		if !slices.Equal(gi, wi) || !slices.EqualFunc(gd, wd, close) {
			t.Fatalf("%s: point %d has the neighbours %v at %v, want %v at %v", name, i, gi, gd, wi, wd)
		}
	}
}

func find(t *testing.T, p *points.Points, k int, metric graph.Metric, threads int) *graph.Neighbours {
	t.Helper()
	nb, err := graph.FindNeighbours(parallel.WithLimit(t.Context(), threads), p, k, metric)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// Euclidean neighbours are those of the naive search: on
// plain points, grids full of ties, duplicates and points far from the origin,
// dense and sparse, for sizes around the blocks of the search.
func TestNeighbours(t *testing.T) {
	for name, draw := range map[string]func(rng *rand.Rand) float64{
		"normal":     func(rng *rand.Rand) float64 { return rng.NormFloat64() },
		"grid":       func(rng *rand.Rand) float64 { return float64(rng.IntN(12)) },
		"duplicates": func(rng *rand.Rand) float64 { return float64(rng.IntN(2)) * 0.1 },
		"far":        func(rng *rand.Rand) float64 { return 1e8 + rng.Float64() },
		"far grid":   func(rng *rand.Rand) float64 { return 1e8 + float64(rng.IntN(12)) },
		"one place":  func(rng *rand.Rand) float64 { return 0.3 },
		"huge":       func(rng *rand.Rand) float64 { return 1e150 * rng.NormFloat64() },
		"tiny":       func(rng *rand.Rand) float64 { return 1e-160 * rng.NormFloat64() },
	} {
		for _, size := range []struct{ n, d, k int }{
			{2, 1, 1}, {3, 2, 2}, {17, 5, 16}, {63, 3, 6}, {64, 3, 63}, {65, 3, 1}, {129, 70, 6}, {511, 1, 6}, {512, 2, 3}, {513, 3, 20},
		} {
			if size.n > 200 && name != "grid" && name != "far" {
				continue // the rest differs in its points only
			}
			rng := rand.New(rand.NewPCG(41, uint64(size.n)))
			rows := table(size.n, size.d, func() float64 { return draw(rng) })
			what := fmt.Sprintf("%s, n = %d, d = %d, k = %d", name, size.n, size.d, size.k)
			want := naive(rows, size.k, euclidean)
			same(t, what+", dense", find(t, dense(rows), size.k, graph.Euclidean, 2), want)
			same(t, what+", sparse", find(t, sparse(rows), size.k, "", 2), want)
		}
	}
}

func TestNeighboursDoNotDependOnThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	rows := table(600, 4, func() float64 { return float64(rng.IntN(5)) })
	for _, metric := range []graph.Metric{graph.Euclidean, graph.Cosine} {
		for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
			want := find(t, p, 9, metric, 1)
			for threads := range 5 {
				same(t, fmt.Sprintf("%s, %s, %d threads", metric, name, threads), find(t, p, 9, metric, threads), want)
			}
		}
	}
}

// Neighbours of bytes are those of the same numbers in float64. The cases are
// arbitrary bytes, few different ones, often equally far, and bright ones close
// together.
func TestNeighboursOfBytes(t *testing.T) {
	for name, draw := range map[string]func(rng *rand.Rand) uint8{
		"any":    func(rng *rand.Rand) uint8 { return uint8(rng.IntN(256)) },
		"few":    func(rng *rand.Rand) uint8 { return uint8(rng.IntN(3)) },
		"bright": func(rng *rand.Rand) uint8 { return uint8(254 + rng.IntN(2)) },
		"equal":  func(*rand.Rand) uint8 { return 9 },
	} {
		for _, size := range []struct{ n, d, k int }{{2, 1, 1}, {65, 3, 1}, {193, 70, 6}, {400, 33, 10}, {300, 0, 2}} {
			rng := rand.New(rand.NewPCG(47, uint64(size.n)))
			values, wide := make([]uint8, size.n*size.d), make([]float64, size.n*size.d)
			for k := range values {
				if values[k] = draw(rng); k/max(size.d, 1) == 40 {
					values[k] = 0
				}
				wide[k] = float64(values[k])
			}
			p, q := points.DenseBytes(size.n, size.d, values), points.Dense(size.n, size.d, wide)
			for _, metric := range []graph.Metric{graph.Euclidean, graph.Cosine} {
				same(t, fmt.Sprintf("%s, %d×%d, %s", name, size.n, size.d, metric), find(t, p, size.k, metric, 2), find(t, q, size.k, metric, 1))
			}
			unit := points.Scaling{Kind: points.UnitNorm}
			same(t, name+" of unit length", find(t, unit.Apply(p), size.k, graph.Euclidean, 2), find(t, unit.Apply(q), size.k, graph.Euclidean, 1))
		}
	}
}

// Cosine neighbours: the right distances, ascending, each point once. Which of
// several equally distant points are taken may differ from the naive search by
// its rounding, except among exact duplicates.
func TestNeighboursByCosine(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(43, seed))
		n, d := 60+rng.IntN(12), 1+rng.IntN(40)
		rows := table(n, d, func() float64 { return rng.NormFloat64() })
		copy(rows[7], rows[50])
		clear(rows[3])
		clear(rows[20])
		for j := range d { // the length does not matter, even if its square is beyond float64
			rows[11][j] *= 1e-180
			rows[12][j] *= 1e180
		}
		direction := slices.Clone(rows)
		for _, i := range []int{11, 12} {
			direction[i] = slices.Clone(rows[i])
			for j := range d {
				direction[i][j] *= map[int]float64{11: 1e180, 12: 1e-180}[i]
			}
		}
		for _, k := range []int{1, 5, n - 1} {
			want := naive(direction, k, cosine)
			for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
				got := find(t, p, k, graph.Cosine, 2)
				for i := range n {
					index, distance := got.Row(i)
					_, expected := want.Row(i)
					seen := map[int32]bool{int32(i): true}
					for c, j := range index {
						if seen[j] {
							t.Fatalf("seed %d, %s: point %d is listed twice for %d, or for itself", seed, name, j, i)
						}
						seen[j] = true
						if !(math.Abs(distance[c]-expected[c]) <= 1e-13) || !(math.Abs(distance[c]-cosine(direction[i], direction[j])) <= 1e-13) {
							t.Errorf("seed %d, %s: neighbour %d of %d at %v, naively %v and %v", seed, name, c, i, distance[c], expected[c], cosine(direction[i], direction[j]))
						}
						if c > 0 && (distance[c] < distance[c-1] || distance[c] == distance[c-1] && j < index[c-1]) {
							t.Errorf("seed %d, %s: neighbours %v of %d at %v are out of order", seed, name, index, i, distance)
						}
					}
				}
				if index, distance := got.Row(7); d > 1 && (index[0] != 50 || distance[0] != 0) {
					t.Errorf("seed %d, %s: the nearest of a duplicate is %d at %v, want the other at 0", seed, name, index[0], distance[0])
				}
			}
		}
	}
}

func TestMeanDistance(t *testing.T) {
	for _, c := range []struct {
		distance []float64
		want     float64
	}{{[]float64{0, 1, 2, 0, 6, 0}, 3}, {[]float64{0, 0}, 0}, {nil, 0}} {
		nb := &graph.Neighbours{K: 1, Index: make([]int32, len(c.distance)), Distance: c.distance}
		if got, err := nb.MeanDistance(t.Context()); err != nil || got != c.want {
			t.Errorf("mean of the non-zero of %v is %v, want %v", c.distance, got, c.want)
		}
	}
}

func TestNeighboursErrors(t *testing.T) {
	good := table(5, 2, func() float64 { return 1 })
	spoilt := func(v float64) *points.Points {
		rows := table(5, 2, func() float64 { return 1 })
		rows[3][1] = v
		return dense(rows)
	}
	for name, c := range map[string]struct {
		p      *points.Points
		k      int
		metric graph.Metric
	}{
		"k = 0":            {dense(good), 0, graph.Euclidean},
		"k < 0":            {dense(good), -1, graph.Euclidean},
		"k = n":            {dense(good), 5, graph.Euclidean},
		"one point":        {dense(good[:1]), 1, graph.Euclidean},
		"no points":        {points.Dense(0, 2, nil), 1, graph.Euclidean},
		"NaN":              {spoilt(math.NaN()), 2, graph.Euclidean},
		"infinite":         {spoilt(math.Inf(1)), 2, graph.Euclidean},
		"too large":        {spoilt(1e305), 2, graph.Euclidean},
		"NaN, cosine":      {spoilt(math.NaN()), 2, graph.Cosine},
		"infinite, cosine": {spoilt(math.Inf(-1)), 2, graph.Cosine},
		"NaN, sparse":      {points.CSR(1, []int{0, 1, 1}, []int32{0}, []float64{math.NaN()}), 1, graph.Euclidean},
		"infinite, sparse": {points.CSR(1, []int{0, 1, 1}, []int32{0}, []float64{math.Inf(1)}), 1, graph.Cosine},
		"k far beyond n":   {dense(good), 1 << 40, graph.Euclidean},
	} {
		if nb, err := graph.FindNeighbours(t.Context(), c.p, c.k, c.metric); err == nil || nb != nil {
			t.Errorf("%s: error %v and neighbours %v, want an error alone", name, err, nb)
		}
	}
}

func TestNeighboursCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, threads := range []int{1, 3} {
		nb, err := graph.FindNeighbours(parallel.WithLimit(ctx, threads), dense(table(100, 2, func() float64 { return 0 })), 3, graph.Euclidean)
		if !errors.Is(err, context.Canceled) || nb != nil {
			t.Errorf("%d threads: error %v and neighbours %v, want context.Canceled alone", threads, err, nb)
		}
	}
}
