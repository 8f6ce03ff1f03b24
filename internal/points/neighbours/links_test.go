package neighbours_test

import (
	"math"
	"slices"
	"testing"

	"lapsvm/internal/points/neighbours"
)

// An index of links and trees that lead to too few points, as made up ones do, looks through all of its points.
func TestIndexThatLeadsNowhere(t *testing.T) {
	const n, k = 64, 5
	all := clusters(n+20, 6, 2)
	p, q := all.Slice(0, n), all.Slice(n, n+20)
	r := approximately(t, t.Context(), p, k, 1, false)
	x, err := neighbours.NewIndex(t.Context(), neighbours.Asked{Points: p, K: k, Recall: 0.97, Seed: 3, Origin: centre(t, p)}, r.Index)
	if err != nil {
		t.Fatal(err)
	}
	for few := range k + 2 { // a walk meets so many points
		if few == 0 {
			continue
		}
		for _, tree := range x.Trees { // of one leaf, with the same points again and again
			for c := range tree.Order {
				tree.Order[c] = int32(c % few)
			}
		}
		for c := range x.Links { // from these to each other, from others to the last
			if x.Links[c] = n - 1; c < few*k {
				x.Links[c] = int32(c % few)
			}
		}
		damaged, err := x.Attach(t.Context(), p, false)
		if err != nil {
			t.Fatal(err)
		}
		index, distance, err := damaged.Nearest(t.Context(), q, k)
		if err != nil {
			t.Fatal(err)
		}
		for i := range q.Len() {
			var exact []float64
			for j := range n {
				if few < k || j < few {
					exact = append(exact, math.Sqrt(q.SquaredDistance(i, p, j)))
				}
			}
			slices.Sort(exact)
			if got := distance[i*k : (i+1)*k]; !slices.Equal(got, exact[:k]) {
				t.Fatalf("of %d points that are met: %v from row %d, want %v", few, got, i, exact[:k])
			}
			for c := i * k; c < (i+1)*k; c++ {
				if distance[c] != math.Sqrt(q.SquaredDistance(i, p, int(index[c]))) {
					t.Fatalf("row %d: another distance of %d", i, index[c])
				}
			}
		}
	}
}
