package nystrom

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
)

// Of every power some of the points make ΦᵀLᵖΦ within a factor of two, for every function.
func TestSampledCoarse(t *testing.T) {
	ctx := t.Context()
	for power := 1; power <= coarsePower; power++ {
		p, l := problem(t, 4000, power)
		k, err := gram.NewLandmarks(ctx, p, kernel.Gaussian{Sigma: 0.6}, 15, 1, gram.Double, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(ctx, k, l)
		if err != nil {
			t.Fatal(err)
		}
		if !s.samplesCoarse() {
			t.Fatalf("power %d: made of all points", power)
		}
		sampled := s.coarse
		if err := s.multiplyCoarse(ctx); err != nil {
			t.Fatal(err)
		}
		if err := aboutEqual(sampled, s.coarse); err != nil {
			t.Errorf("power %d: %v", power, err)
		}
	}
}

// aboutEqual fails where the squares of a function by two matrices differ by a factor of two.
func aboutEqual(a, b linalg.Matrix) error {
	rng := rand.New(rand.NewPCG(1, 1))
	square := func(a linalg.Matrix, w []float64) (sum float64) {
		for i := range w {
			sum += w[i] * vec.Dot(a.Row(i), w)
		}
		return sum
	}
	for range 50 {
		w := make([]float64, a.Rows)
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		if ratio := square(a, w) / square(b, w); !(ratio > 0.5 && ratio < 2) {
			return fmt.Errorf("%g times the square", ratio)
		}
	}
	return nil
}

// Ranks that share the points make ΦᵀLᵖΦ of the same points as one process, whoever has the neighbours.
func TestSampledCoarseOfRanks(t *testing.T) {
	const n = 4000
	for power := 1; power <= coarsePower; power++ {
		p, l := problem(t, n, power)
		nb, err := graph.FindNeighbours(t.Context(), p, 8, graph.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := gram.DrawLandmarks(t.Context(), p, kernel.Gaussian{Sigma: 0.6}, 15, 1, gram.Double)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := drawn.Transform(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := New(t.Context(), whole, l)
		if err != nil {
			t.Fatal(err)
		}
		partition := comm.Partition{0, n / 5, n / 2, n}
		err = comm.Goroutines(t.Context(), 3, func(ctx context.Context, c *comm.Comm) error {
			from, to := partition.Range(c.Rank())
			own, err := laplacianOf(ctx, c, nb, partition, power)
			if err != nil {
				return err
			}
			k, err := drawn.Transform(ctx, p.Slice(from, to), nil)
			if err != nil {
				return err
			}
			got, err := New(ctx, k, own)
			if err != nil {
				return err
			}
			if power%2 == 1 { // other edges of the same points
				return aboutEqual(got.coarse, want.coarse)
			}
			return apart("ΦᵀLᵖΦ", got.coarse.Data, want.coarse.Data)
		})
		if err != nil {
			t.Errorf("power %d: %v", power, err)
		}
	}
}
