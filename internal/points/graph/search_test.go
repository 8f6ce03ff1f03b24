package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// drawn draws n points of d values, of which many are repeated or rows of zeros.
func drawn(n, d int, sparse bool) *points.Points {
	rng := rand.New(rand.NewPCG(4, 4))
	values := make([]float64, n*d)
	for i := range n {
		row := values[i*d : (i+1)*d]
		switch {
		case i > 100 && i%4 == 0:
			copy(row, values[d*rng.IntN(20):])
		case i%97 != 0:
			for j := range row {
				if !sparse || rng.IntN(4) == 0 {
					row[j] = rng.NormFloat64()/float64(1+j) + float64(i%5)
				}
			}
		}
	}
	if !sparse {
		return points.Dense(n, d, values)
	}
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for k, v := range values {
		if v != 0 {
			index, value = append(index, int32(k%d)), append(value, v)
		}
		if k%d == d-1 {
			start = append(start, len(index))
		}
	}
	return points.CSR(d, start, index, value)
}

// Few points are searched exactly whatever recall is asked, and so are those of which
// all are asked.
func TestFindIsExactForFewPoints(t *testing.T) {
	p := drawn(500, 4, false)
	want, err := FindNeighbours(t.Context(), p, 5, Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, recall := range []float64{0, 0.5, 1} {
		got, found, err := Find(t.Context(), p, 5, Euclidean, Search{Recall: recall})
		if err != nil || !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Distance, want.Distance) || found.Approximate || found.Recall != 1 || found.Reason == "" {
			t.Errorf("recall %v: %+v, %v", recall, found, err)
		}
	}
	for _, recall := range []float64{-1, 1.5, math.NaN()} {
		if _, _, err := Find(t.Context(), p, 5, Euclidean, Search{Recall: recall}); err == nil {
			t.Errorf("recall %v: no error", recall)
		}
	}
}

// Neighbours found approximately have the distances of exact search, but for rounding, and the
// recall asked. The cases are repeated points, rows of zeros, the cosine, and the ends of the range
// of numbers.
func TestApproximateNeighbours(t *testing.T) {
	detector.Spare(t)
	const n, k = 3000, 6
	huge := slices.Clone(drawn(n, 40, false).Rows(0, n, nil))
	for i := range huge {
		huge[i] *= 1e200
	}
	for name, c := range map[string]struct {
		p      *points.Points
		metric Metric
	}{
		"dense": {drawn(n, 40, false), Euclidean}, "cosine": {drawn(n, 40, false), Cosine}, "sparse": {drawn(n, 40, true), Euclidean},
		"sparse cosine": {drawn(n, 40, true), Cosine}, "huge": {points.Dense(n, 40, huge), Euclidean},
	} {
		want, err := FindNeighbours(t.Context(), c.p, k, c.metric)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSpace(t.Context(), c.p, k, c.metric)
		if err != nil {
			t.Fatal(err)
		}
		got, found, err := s.approximate(t.Context(), k, Search{Recall: 0.9, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		for i := range n {
			index, distance := got.Row(i)
			exact, far := want.Row(i)
			for a, j := range index {
				if distance[a] <= far[k-1]*(1+1e-9) {
					hits++
				}
				if b := slices.Index(exact, j); b >= 0 && !(math.Abs(distance[a]-far[b]) <= 1e-14*far[b]) {
					t.Fatalf("%s: distance %v of %d and %d, by exact search %v", name, distance[a], i, j, far[b])
				}
			}
		}
		if share := float64(hits) / (n * k); !(share >= 0.88) || !(found.Recall >= 0.9) || !found.Approximate {
			t.Errorf("%s: recall %v, %+v", name, share, found.Recall)
		}
		order := slices.Clone(found.Order)
		slices.Sort(order)
		for i, j := range order {
			if len(order) != n || int(j) != i {
				t.Fatalf("%s: the order is no permutation", name)
			}
		}
	}
}

// An index of points with repeats gives the first of equal ones, and the same again from
// its parts.
func TestIndexOfRepeats(t *testing.T) {
	const n, k = 2500, 4
	for _, metric := range []Metric{Euclidean, Cosine} {
		p, q := drawn(n, 12, false), drawn(60, 12, false)
		x, err := NewIndex(t.Context(), p, k, k, metric, Search{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Nearest(t.Context(), q, k)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 { // the rows of q are the first of p
			index, distance := got.Row(i)
			if p.Squares()[i] == 0 {
				continue
			}
			if !(distance[0] <= 1e-12) || metric == Euclidean && !p.EqualRows(i, int(index[0])) {
				t.Errorf("%s: row %d is nearest to %d at %v", metric, i, index[0], distance[0])
			}
		}
		y, err := OpenIndex(t.Context(), p, metric, x.Parts())
		if err != nil {
			t.Fatal(err)
		}
		if again, err := y.Nearest(t.Context(), q, k); err != nil || !slices.Equal(again.Index, got.Index) {
			t.Errorf("%s: other neighbours from the parts: %v", metric, err)
		}
		if _, err := x.Nearest(t.Context(), q, k+1); err == nil {
			t.Errorf("%s: more neighbours than the index has", metric)
		}
	}
	if _, err := NewIndex(t.Context(), drawn(50, 50, false), 1, 1, Kernel, Search{}); err == nil {
		t.Error("an index by a kernel's values")
	}
}

// Near points are near in the order: neighbours lie closer in it than points at random.
func TestOrder(t *testing.T) {
	const n = 3000
	p := drawn(n, 6, false)
	s, err := newSpace(t.Context(), p, 3, Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	_, found, err := s.approximate(t.Context(), 3, Search{Recall: 0.9, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	order := found.Order
	if len(order) != n {
		t.Fatalf("an order of %d points", len(order))
	}
	place := make([]int, n)
	for at := range place {
		place[at] = -1
	}
	for at, i := range order {
		place[i] = at
	}
	if slices.Contains(place, -1) {
		t.Fatal("the order is no permutation")
	}
	nb, err := FindNeighbours(t.Context(), p, 3, Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for e, j := range nb.Index {
		sum += math.Abs(float64(place[e/3] - place[j]))
	}
	if mean := sum / float64(len(nb.Index)); !(mean < n/10) { // n/3 at random
		t.Errorf("neighbours are %v places apart in the mean", mean)
	}
}
