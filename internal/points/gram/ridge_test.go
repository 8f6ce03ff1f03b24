package gram_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Ridge regression has the weights of its normal equations. The values of left-out points are those
// of a regression without them, for any division of the points into parts and any number of
// threads.
func TestRidge(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(17, 80))
	const n, d, m, machines, scale = 300, 4, 20, 18, 1e-3
	values := make([]float64, n*d)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	p := points.Dense(n, d, values)
	y := make([][]float64, machines)
	for c := range y {
		for range n {
			y[c] = append(y[c], rng.NormFloat64())
		}
	}
	l, err := gram.DrawLandmarks(ctx, p, kernel.Gaussian{Sigma: 1.5}, m, 3, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	fit := func(ctx context.Context, without int, cuts ...int) (w, leftOut [][]float64) {
		ridge := gram.NewRidge(l.Rank(), machines)
		from := 0
		for _, to := range append(cuts, n) {
			var rows []int
			part := make([][]float64, machines)
			for i := from; i < to; i++ {
				if i != without {
					rows = append(rows, i)
					for c := range part {
						part[c] = append(part[c], y[c][i])
					}
				}
			}
			from = to
			of, err := l.Transform(ctx, p.Subset(rows), nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := ridge.Add(ctx, of, part); err != nil {
				t.Fatal(err)
			}
		}
		some, err := l.Transform(ctx, p.Slice(0, 5), nil)
		if err != nil {
			t.Fatal(err)
		}
		w, leftOut, err = ridge.Fit(ctx, scale, some, y)
		if err != nil || w == nil {
			t.Fatalf("no fit: %v", err)
		}
		return w, leftOut
	}
	w, leftOut := fit(ctx, -1, 100, 101)
	alone, _ := fit(parallel.WithLimit(ctx, 1), -1, 100, 101)
	if !reflect.DeepEqual(w, alone) {
		t.Error("the weights depend on the number of threads")
	}
	// ΦᵀΦw + λw = Φᵀy, with features whose products are the kernel's approximation.
	all, err := l.Transform(ctx, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	phi := make([][]float64, n) // of every point
	for i := range phi {
		phi[i] = make([]float64, l.Rank())
	}
	panel := make([]float64, n*vec.MaxPanel)
	for from := 0; from < l.Rank(); from += vec.MaxPanel {
		all.Columns(ctx, vec.MaxPanel, panel, from)
		for i := range phi {
			copy(phi[i][from:], panel[i*vec.MaxPanel:(i+1)*vec.MaxPanel])
		}
	}
	trace := 0.0
	for i := range phi {
		for _, v := range phi[i] {
			trace += v * v
		}
	}
	for c := range w {
		for j := range w[c] {
			left, right := scale*trace/float64(l.Rank())*w[c][j], 0.0
			for i := range phi {
				f := 0.0
				for k, v := range phi[i] {
					f += v * w[c][k]
				}
				left, right = left+phi[i][j]*f, right+phi[i][j]*y[c][i]
			}
			if !(math.Abs(left-right) <= 1e-9*(1+math.Abs(right))) {
				t.Errorf("machine %d: %v in place of %v at landmark %d", c, left, right, j)
			}
		}
	}
	// λ is a part of the trace, which a point adds to: by so little values differ.
	for i := range 5 {
		without, _ := fit(ctx, i)
		for c := range without {
			f := 0.0
			for k, v := range phi[i] {
				f += v * without[c][k]
			}
			if !(math.Abs(f-leftOut[c][i]) <= 1e-3) {
				t.Errorf("machine %d at point %d: %v in place of %v", c, i, leftOut[c][i], f)
			}
		}
	}
}
