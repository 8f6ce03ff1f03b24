package geometry

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
	"lapsvm/points"
)

// onRanks calls do on ranks that share points, every row by its number on another one.
func onRanks(t *testing.T, p *points.Points, size int, o Options, do func(c *comm.Comm, g *Geometry, rows []int, err error) error) {
	t.Helper()
	if err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
		own := o
		own.Ranks = c
		for row := c.Rank(); row < p.Len(); row += size {
			own.Rows = append(own.Rows, row)
		}
		g, err := New(ctx, p.Subset(own.Rows), own)
		if err == nil {
			defer g.Close()
		}
		return do(c, g, own.Rows, err)
	}); err != nil {
		t.Errorf("%d ranks: %v", size, err)
	}
}

// Ranks share the width of the kernel, the landmarks and the neighbours of a process alone.
func TestRanksMakeTheGeometryOfOneProcess(t *testing.T) {
	p := dataset.TwoMoons(60, 0.1, 1).Points
	o := Options{Kernel: kernel.Gaussian{}, Precision: gram.Double, Form: gram.FormLandmarks, Landmarks: 12, Graph: graph.Options{Neighbours: 5}, Seed: 3}
	want := made(t, p, o)
	for size := 2; size <= 3; size++ {
		onRanks(t, p, size, o, func(c *comm.Comm, g *Geometry, rows []int, err error) error {
			if err != nil {
				return err
			}
			width, alone := g.Kernel().(kernel.Gaussian).Sigma, want.Kernel().(kernel.Gaussian).Sigma
			if !(math.Abs(width-alone) <= 1e-12) || g.Landmarks().Rank() != want.Landmarks().Rank() {
				return fmt.Errorf("%d landmarks, the width %v; a process alone has %d and %v", g.Landmarks().Rank(), width, want.Landmarks().Rank(), alone)
			}
			_, partition := g.Shared()
			numbered := make([]int, p.Len()) // row of every number
			for r := range size {
				from, to := partition.Range(r)
				for i := from; i < to; i++ {
					numbered[i] = (i-from)*size + r
				}
			}
			for i, row := range rows {
				near, far := g.Neighbours().Row(i)
				index, distance := want.Neighbours().Row(row)
				for k := range near {
					if numbered[near[k]] != int(index[k]) || !(math.Abs(float64(far[k]-distance[k])) <= 1e-12) {
						return fmt.Errorf("row %d has the neighbours %v, alone %v", row, near, index)
					}
				}
			}
			return nil
		})
	}
}

// Where all neighbours are equal an open width is an error on all ranks.
func TestRanksOfEqualPoints(t *testing.T) {
	o := Options{Kernel: kernel.Gaussian{}, Landmarks: 3, Graph: graph.Options{Neighbours: 2}, Seed: 1}
	onRanks(t, points.Dense(12, 2, make([]float64, 24)), 2, o, func(_ *comm.Comm, _ *Geometry, _ []int, err error) error {
		if !errors.Is(err, gram.ErrNoWidth) {
			return fmt.Errorf("error %v, want %v", err, gram.ErrNoWidth)
		}
		return nil
	})
}

// Ranks have the graph of one process by SelfTuning, and its width.
func TestRanksTuneAGraph(t *testing.T) {
	p := dataset.TwoMoons(240, 0.1, 1).Points
	o := Options{Kernel: kernel.Gaussian{}, Precision: gram.Double, Form: gram.FormLandmarks, Landmarks: 12, Graph: graph.Options{Neighbours: 5, Metric: graph.SelfTuning}, Seed: 3}
	alone := made(t, p, o)
	want, width, err := alone.Graph(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	sigma := alone.Kernel().(kernel.Gaussian).Sigma
	for size := 2; size <= 3; size++ {
		onRanks(t, p, size, o, func(c *comm.Comm, g *Geometry, rows []int, err error) error {
			if err != nil {
				return err
			}
			if got := g.Kernel().(kernel.Gaussian).Sigma; !(math.Abs(got-sigma) <= 1e-12) {
				return fmt.Errorf("the kernel has the width %v, alone %v", got, sigma)
			}
			w, got, err := g.Graph(t.Context(), 5)
			if err != nil || !(math.Abs(got-width) <= 1e-9) {
				return fmt.Errorf("heat width %v, alone %v: %w", got, width, err)
			}
			for i, row := range rows {
				if d := w.Degree(i); !(math.Abs(d-want.Degree(row)) <= 1e-9) {
					return fmt.Errorf("row %d has the degree %v, alone %v", row, d, want.Degree(row))
				}
			}
			return nil
		})
	}
}
