package neighbours_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/testing/detector"
	"lapsvm/points"
)

// An index finds the neighbours of new points, the same on any number of threads, alone and together, and after it was written down.
func TestIndex(t *testing.T) {
	detector.Spare(t)
	const k = 6
	for name, all := range map[string]*points.Points{"40": clusters(9300, 40, 1), "10": clusters(9300, 10, 1), "sparse": sparseOf(clusters(9300, 40, 1)),
		"bytes": bytesOf(clusters(9300, 40, 1), false), "scaled": bytesOf(clusters(9300, 40, 1), true), "cosine": points.Scaling{Kind: points.UnitNorm}.Apply(clusters(9300, 40, 1))} {
		p, q := all.Slice(0, 9000), all.Slice(9000, 9300)
		a := neighbours.Asked{Points: p, K: k - 1, Recall: 0.97, Seed: 3, Single: name == "10", Cosine: name == "cosine"}
		if !p.Sparse() {
			a.Origin, a.Bytes = centre(t, p), tiles.NewBytes(p)
		}
		x, err := neighbours.NewIndex(t.Context(), a, k)
		if err != nil {
			t.Fatal(err)
		}
		index, distance, err := x.Nearest(parallel.WithLimit(t.Context(), 1), q, k)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i := range q.Len() {
			var exact []float64
			for j := range p.Len() {
				exact = append(exact, distanceOf(a, q.SquaredDistance(i, p, j)))
			}
			slices.Sort(exact)
			for c := i * k; c < (i+1)*k; c++ {
				if distance[c] != distanceOf(a, q.SquaredDistance(i, p, int(index[c]))) || c%k > 0 && distance[c] < distance[c-1] {
					t.Fatalf("%s: another distance of %d and %d", name, i, index[c])
				}
				if c%k < k-1 && distance[c] <= exact[k-2] {
					found++
				}
			}
		}
		if got := float64(found) / float64(q.Len()*(k-1)); !(got >= 0.95) || !(x.Recall >= 0.97) || !(math.Abs(got-x.Recall) <= 5*x.Error+0.02) {
			t.Errorf("%s: recall %v of new points, of its own %v (%v)", name, got, x.Recall, x.Error)
		}
		if share := float64(x.Looks) / float64(len(x.Start)-1); !(share <= 0.8) {
			t.Errorf("%s: looks into %v of the cells", name, share)
		}
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var kept neighbours.Index
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
		again, err := kept.Attach(parallel.WithLimit(t.Context(), 3), p, a.Cosine)
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []int{1, 7, 300} {
			for from := 0; from < q.Len(); from += rows {
				to := min(from+rows, q.Len())
				got, far, err := again.Nearest(parallel.WithLimit(t.Context(), 3), q.Slice(from, to), k)
				if err != nil || !slices.Equal(got, index[from*k:to*k]) || !slices.Equal(far, distance[from*k:to*k]) {
					t.Fatalf("%s: other neighbours of the rows from %d to %d: %v", name, from, to, err)
				}
			}
		}
		if few, _, err := again.Nearest(t.Context(), q, 2); err != nil || few[2] != index[k] || few[3] != index[k+1] {
			t.Errorf("%s: others where fewer are asked: %v", name, err)
		}
		if _, err := kept.Attach(t.Context(), q, false); err == nil {
			t.Error("the index takes other points")
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		if _, _, err := again.Nearest(stopped, q, k); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: interrupted: %v", name, err)
		}
	}
}

// distanceOf returns the distance that is ranked by, of a squared one.
func distanceOf(a neighbours.Asked, squared float64) float64 {
	if a.Cosine {
		return squared / 2
	}
	return math.Sqrt(squared)
}

// A new point finds as many neighbours as are asked, also where the cells that it looks into hold too few.
func TestIndexOfFew(t *testing.T) {
	const k = 8
	all := clusters(5020, 6, 2)
	p, q := all.Slice(0, 5000), all.Slice(5000, 5020)
	x, err := neighbours.NewIndex(t.Context(), neighbours.Asked{Points: p, K: k, Recall: 0.9, Seed: 3, Origin: centre(t, p)}, k)
	if err != nil {
		t.Fatal(err)
	}
	if small, err := neighbours.NewIndex(t.Context(), neighbours.Asked{Points: q, K: k, Recall: 0.9, Seed: 3}, k); err != nil || len(small.Start) != 2 || small.Recall != 1 {
		t.Errorf("few points are not one cell: %v", err)
	}
	last := len(x.Start) - 1
	for cell := 1; cell < last; cell++ { // of one point each, but for the last
		x.Start[cell] = int32(cell)
	}
	x.Looks = 0.25
	few, err := x.Attach(t.Context(), p, false)
	if err != nil {
		t.Fatal(err)
	}
	_, distance, err := few.Nearest(t.Context(), q, k)
	if err != nil {
		t.Fatal(err)
	}
	exactly := 0
	for i := range q.Len() {
		var exact []float64
		for j := range p.Len() {
			exact = append(exact, math.Sqrt(q.SquaredDistance(i, p, j)))
		}
		slices.Sort(exact)
		if slices.Equal(distance[i*k:(i+1)*k], exact[:k]) {
			exactly++
		}
	}
	if exactly < q.Len()/2 {
		t.Errorf("%d of %d rows have their nearest", exactly, q.Len())
	}
	huge := points.Dense(2, 6, []float64{1e60, -1e60, 3, 4, 5, 6, 1e25, 0, 0, 0, 0, 0})
	index, _, err := few.Nearest(t.Context(), huge, k)
	if err != nil {
		t.Fatal(err)
	}
	for i := range huge.Len() {
		least := math.Inf(1)
		for j := range p.Len() {
			least = min(least, huge.SquaredDistance(i, p, j))
		}
		if got := huge.SquaredDistance(i, p, int(index[i*k])); !(got == least) {
			t.Errorf("the squared distance %v of the nearest to row %d, want %v", got, i, least)
		}
	}
	x.Rows[0] = x.Rows[1]
	if _, err := x.Attach(t.Context(), p, false); err == nil {
		t.Error("an index with a point twice is taken")
	}
}

// New rows among 100,000 points of 20 columns, by how many come together.
func BenchmarkIndex(b *testing.B) {
	all := clusters(104096, 20, 1)
	p, q := all.Slice(0, 100000), all.Slice(100000, 104096)
	x, err := neighbours.NewIndex(b.Context(), neighbours.Asked{Points: p, K: 5, Recall: 0.97, Seed: 3, Single: true}, 10)
	if err != nil {
		b.Fatal(err)
	}
	for _, rows := range []int{1, 64, 4096} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for from := 0; b.Loop(); from = (from + rows) % q.Len() {
				if _, _, err := x.Nearest(b.Context(), q.Slice(from, from+rows), 5); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
		})
	}
}
