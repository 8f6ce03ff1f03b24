package graph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// Among many equal points the neighbours are those of the naive search, with ties by index. The
// groups have every size, and include unequal points so near that their distance is 0.
func TestNeighboursOfRepeats(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(61, seed))
		n, d, places := 30+rng.IntN(200), 1+rng.IntN(4), 1+rng.IntN(12)
		scale := []float64{1, 0.1, 1e-170, 1e100}[seed%4]
		place := table(places, d, func() float64 { return scale * float64(rng.IntN(5)-2) })
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = place[int(float64(places)*rng.Float64()*rng.Float64())]
			if rng.IntN(4) == 0 {
				rows[i] = table(1, d, func() float64 { return scale * rng.NormFloat64() })[0]
			}
		}
		k := 1 + rng.IntN(12)
		what := fmt.Sprintf("seed %d, n = %d, d = %d, k = %d", seed, n, d, k)
		want := naive(rows, k, euclidean)
		same(t, what+", dense", find(t, dense(rows), k, graph.Euclidean, 2), want)
		same(t, what+", sparse", find(t, sparse(rows), k, graph.Euclidean, 2), want)
	}
}

// Rows of zeros are at distance 1 from all by cosine, and each other's neighbours
// only by their index.
func TestRepeatedZerosByCosine(t *testing.T) {
	rows := table(40, 2, func() float64 { return 0 })
	for i := 3; i < len(rows); i += 7 {
		rows[i] = []float64{float64(i), 1}
	}
	nb := find(t, dense(rows), 2, graph.Cosine, 2)
	for i, row := range rows {
		index, distance := nb.Row(i)
		if row[0] != 0 {
			continue
		}
		want := [][2]int32{{1, 2}, {0, 2}, {0, 1}}[min(i, 2)]
		if i > 2 {
			want = [2]int32{0, 1}
		}
		if [2]int32(index) != want || distance[0] != 1 || distance[1] != 1 {
			t.Errorf("row %d of zeros has the neighbours %v at %v, want %v at 1", i, index, distance, want)
		}
	}
}

// A report on a great many equal points takes memory in proportion to them.
func TestReportOnEqualPoints(t *testing.T) {
	const n, k = 200_000, 6
	values, y := make([]float64, n), make([]int, n)
	for i := range values {
		values[i], y[i] = 0.3, -1
	}
	p := points.Dense(n, 1, values)
	nb := find(t, p, k, graph.Euclidean, 2)
	for _, i := range []int{0, k, k + 1, n - 1} {
		index, distance := nb.Row(i)
		for c, j := range index {
			want := int32(c)
			if c >= i {
				want++ // not its own neighbour
			}
			if j != want || distance[c] != 0 {
				t.Fatalf("neighbour %d of point %d is %d at %v, want %d at 0", c, i, j, distance[c], want)
			}
		}
	}
	w, _, _ := graph.Connect(t.Context(), nb, graph.Binary, 0)
	r := health(t, w, p, y, 1)
	if len(r.Duplicates) != 1 || len(r.Duplicates[0]) != n || len(r.Components) != 1 {
		t.Errorf("%d groups and %d components, want one of all", len(r.Duplicates), len(r.Components))
	}
}
