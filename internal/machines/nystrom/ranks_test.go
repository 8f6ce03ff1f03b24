package nystrom

import (
	"context"
	"fmt"
	"math"
	"testing"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
)

// laplacianOf returns the power of a Laplacian of which a rank has the rows of its points.
func laplacianOf(ctx context.Context, c *comm.Comm, nb *graph.Neighbours, partition comm.Partition, degree int) (*graph.Laplacian, error) {
	from, to := partition.Range(c.Rank())
	own := &graph.Neighbours{K: nb.K, Index: nb.Index[from*nb.K : to*nb.K], Distance: nb.Distance[from*nb.K : to*nb.K], Ranks: c, Partition: partition}
	w, _, err := graph.Connect(ctx, own, graph.Heat, 0)
	if err != nil {
		return nil, err
	}
	return graph.NewLaplacian(w, false, degree), nil
}

// Ranks that share the points find the problems and functions of one process, by columns and by
// Newton's method, for every bias.
func TestRanksAreOneProcess(t *testing.T) {
	const n = 400
	p, l := problem(t, n, 2)
	nb, err := graph.FindNeighbours(t.Context(), p, 8, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := gram.DrawLandmarks(t.Context(), p, kernel.Gaussian{Sigma: 0.7}, 60, 1, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	labelled, targets := []int(nil), make([][]float64, 3)
	for i := 0; i < n; i += 17 {
		labelled = append(labelled, i)
		for c := range targets {
			y := -1.0
			if i%4 == c {
				y = 1
			}
			targets[c] = append(targets[c], y)
		}
	}
	columns := deformed.Columns{Targets: targets}
	g, o := deformed.Gammas{A: 1e-2, I: 0.1}, Options{Tolerance: 1e-18}
	type found struct {
		problem *Problem
		values  []Function
		minima  []Minimum
		further *deformed.Problem // with columns that came later
	}
	find := func(ctx context.Context, k *gram.Landmarks, l *graph.Laplacian, bias objective.Bias) (found, error) {
		var f found
		s, err := New(ctx, k, l)
		if err != nil {
			return f, err
		}
		if f.problem, err = s.Problem(ctx, g, labelled, bias, gram.Double, o); err != nil {
			return f, err
		}
		var at []*deformed.Solution
		for c := range targets {
			at = append(at, columns.Machine(f.problem.Problem, c).Solve(ctx, nil))
		}
		if f.values, err = f.problem.Functions(ctx, at); err != nil {
			return f, err
		}
		later, err := s.Columns(ctx, g, bias, gram.Double, o)
		if err != nil {
			return f, err
		}
		if err = later.Add(ctx, labelled[:5]); err == nil {
			err = later.Add(ctx, labelled[5:])
		}
		if err != nil {
			return f, err
		}
		all, err := later.Problem(ctx, labelled)
		if err != nil {
			return f, err
		}
		f.further = all.Problem
		f.minima, err = s.Minimise(ctx, Training{Gammas: g, Columns: columns, Labelled: labelled, Bias: bias}, o)
		return f, err
	}
	whole, err := drawn.Transform(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bias := range []objective.Bias{objective.BiasInNorm, objective.BiasOutside, objective.NoBias} {
		want, err := find(t.Context(), whole, l, bias)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{2, 3} {
			err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
				partition := make(comm.Partition, size+1)
				for r := range partition {
					partition[r] = n * r * r / size / size
				}
				from, to := partition.Range(c.Rank())
				own, err := laplacianOf(ctx, c, nb, partition, 2)
				if err != nil {
					return err
				}
				k, err := drawn.Transform(ctx, p.Slice(from, to), shuffled(to-from))
				if err != nil {
					return err
				}
				got, err := find(ctx, k, own, bias)
				if err != nil {
					return err
				}
				if err := apart("S", got.problem.Kernel, want.problem.Kernel); err != nil {
					return err
				}
				if err := apart("S of columns that grew", got.further.Kernel, want.further.Kernel); err != nil {
					return err
				}
				for c := range targets {
					for what, pair := range map[string][2]Function{"by columns": {got.values[c], want.values[c]}, "by Newton's method": {got.minima[c].Function, want.minima[c].Function}} {
						for _, err := range []error{
							apart("f "+what, pair[0].Values, pair[1].Values[from:to]),
							apart("e "+what, pair[0].Residual, pair[1].Residual[from:to]),
							apart("w "+what, pair[0].Weights, pair[1].Weights),
							apart("b "+what, []float64{pair[0].Bias, 1}, []float64{pair[1].Bias, 1}),
						} {
							if err != nil {
								return err
							}
						}
					}
					if err := apart("J", []float64{got.minima[c].Objective}, []float64{want.minima[c].Objective}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Errorf("bias %d, %d ranks: %v", bias, size, err)
			}
		}
	}
}

// apart reports numbers that differ by more than rounding.
func apart(what string, got, want []float64) error {
	largest := 0.0
	for _, v := range want {
		largest = max(largest, math.Abs(v))
	}
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= 1e-6*largest) {
			return fmt.Errorf("%s: element %d is %v, want %v", what, i, got[i], v)
		}
	}
	return nil
}

// An iteration sends what it is said to send.
func TestWhatAnIterationSends(t *testing.T) {
	const n = 300
	p, _ := problem(t, n, 2)
	nb, err := graph.FindNeighbours(t.Context(), p, 8, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := gram.DrawLandmarks(t.Context(), p, kernel.Gaussian{Sigma: 0.7}, 40, 1, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	err = comm.Goroutines(t.Context(), 3, func(ctx context.Context, c *comm.Comm) error {
		partition := comm.Partition{0, 90, 200, n}
		from, to := partition.Range(c.Rank())
		l, err := laplacianOf(ctx, c, nb, partition, 2)
		if err != nil {
			return err
		}
		k, err := drawn.Transform(ctx, p.Slice(from, to), nil)
		if err != nil {
			return err
		}
		s, err := New(ctx, k, l)
		if err != nil {
			return err
		}
		var sent [2]int64
		var said int64
		for a, iterations := range []int{3, 8} {
			columns, err := s.Columns(ctx, deformed.Gammas{A: 1e-2, I: 0.1}, objective.NoBias, gram.Double, Options{Tolerance: 1e-30, MaxIterations: iterations})
			if err != nil {
				return err
			}
			before := c.Sent()
			if err := columns.Add(ctx, []int{5, 120, 250}); err != nil {
				return err
			}
			sent[a], said = c.Sent()-before, columns.SentPerIteration(3)
			columns.Close()
		}
		if got := float64(sent[1]-sent[0]) / 5; !(math.Abs(got-float64(said)) <= 0.01*got) {
			return fmt.Errorf("an iteration sends %.0f bytes, said are %d", got, said)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
