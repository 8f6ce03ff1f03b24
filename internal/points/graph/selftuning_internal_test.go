package graph

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"lapsvm/internal/ranks/comm"
)

// Ranks have the neighbours of one process by SelfTuning, by the units of points of others too.
func TestRanksTuneNeighbours(t *testing.T) {
	const n, k = 300, 6
	for name, p := range tables(n, 4) {
		for size := 1; size <= 3; size++ {
			err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
				first, last := n*c.Rank()/size, n*(c.Rank()+1)/size
				partition, err := c.Partition(ctx, last-first)
				if err != nil {
					return err
				}
				found, _, err := Find(ctx, p.Slice(first, last), SelfTuning.Candidates(k, n), SelfTuning.Sought(), Search{Ranks: c, Partition: partition})
				if err != nil {
					return err
				}
				got, err := SelfTuning.Nearest(ctx, found, k)
				if err != nil {
					return err
				}
				alone, err := FindNeighbours(ctx, p, SelfTuning.Candidates(k, n), SelfTuning.Sought())
				if err != nil {
					return err
				}
				want, err := SelfTuning.Nearest(ctx, alone, k)
				if err != nil {
					return err
				}
				for i := range last - first {
					index, distance := got.Row(i)
					wantIndex, wantDistance := want.Row(first + i)
					if !slices.Equal(index, wantIndex) || near(distance, wantDistance, 1e-12) != nil {
						return fmt.Errorf("neighbours of point %d are %v %v, want %v %v", first+i, index, distance, wantIndex, wantDistance)
					}
				}
				w, _, err := Connect(ctx, got, Heat, 0)
				if err == nil && w.Len() != last-first {
					err = fmt.Errorf("a graph of %d points", w.Len())
				}
				return err
			})
			if err != nil {
				t.Errorf("%s, %d ranks: %v", name, size, err)
			}
		}
	}
}

// Candidates of an approximate search have most of the neighbours by SelfTuning.
func TestSelfTuningOfApproximateNeighbours(t *testing.T) {
	const n, k = 2000, 8
	p := tables(n, 12)["float32"]
	many := SelfTuning.Candidates(k, n)
	near, found, err := Find(t.Context(), p, many, SelfTuning.Sought(), Search{most: 1})
	if err != nil || !found.Approximate {
		t.Fatalf("%+v, %v", found, err)
	}
	all, err := FindNeighbours(t.Context(), p, many, Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	got, err := SelfTuning.Nearest(t.Context(), near, k)
	if err != nil {
		t.Fatal(err)
	}
	want, err := SelfTuning.Nearest(t.Context(), all, k)
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	for i := range n {
		index, _ := got.Row(i)
		exact, _ := want.Row(i)
		for _, j := range index {
			if slices.Contains(exact, j) {
				hits++
			}
		}
	}
	if recall := float64(hits) / (n * k); !(recall >= 0.95) {
		t.Errorf("%.3f of the neighbours are found, and %.3f of the candidates", recall, found.Recall)
	}
}
