package graph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// Two bands side by side: a plane across the direction of the largest variance would cut both.
func TestDealCutsWhereNeighboursAreFew(t *testing.T) {
	const n = 1200
	random := rand.New(rand.NewPCG(4, 0))
	values := make([]float64, 0, 2*n)
	for i := range n {
		values = append(values, 2*random.Float64(), float64(i%2)+0.1*random.NormFloat64())
	}
	p := points.Dense(n, 2, values)
	for _, size := range []int{2, 3, 4} {
		err := dealt(t, p, size, func(_ context.Context, c *comm.Comm, own *points.Points, rows []int) error {
			if share := float64(len(rows)) * float64(size) / n; !(math.Abs(share-1) <= 0.05) {
				return fmt.Errorf("a rank has %d of %d points", len(rows), n)
			}
			odd := 0
			for _, row := range rows {
				odd += row % 2
			}
			if size != 3 && odd != 0 && odd != len(rows) {
				return fmt.Errorf("a rank has %d points of one band and %d of the other", odd, len(rows)-odd)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

// The power of I − L/2 by Chebyshev polynomials is that by products.
func TestSmoothingCoefficients(t *testing.T) {
	for _, x := range []float64{0, 0.003, 0.01, 0.05, 0.4, 2} {
		sum := 0.0
		for k, a := range smoothingCoefficients() {
			sum += a * math.Cos(float64(k)*math.Acos(x-1))
		}
		if want := math.Pow(1-x/2, smoothing); !(math.Abs(sum-want) <= 1e-4) {
			t.Errorf("at %v it is %v, want %v", x, sum, want)
		}
	}
}

// Points whose sketches have no distances stay in place: all points are too large to be squared, or
// one is far from the drawn points.
func TestPointsTooLargeForSketchesStay(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	for _, n := range []int{60, dealtRows + 100} {
		values := make([]float64, 2*n)
		for i := range values {
			values[i] = random.NormFloat64()
			if n == 60 {
				values[i] *= 0x1p600
			}
		}
		if n > 60 {
			values[2*(n/2-1)] = 0x1p200
		}
		p := points.Dense(n, 2, values)
		err := comm.Goroutines(t.Context(), 2, func(ctx context.Context, c *comm.Comm) error {
			own := p.Subset(rowsFrom(c.Rank()*n/2, (c.Rank()+1)*n/2))
			to, err := Deal(ctx, c, own, 1)
			if err == nil && len(to[c.Rank()]) != own.Len() {
				err = fmt.Errorf("%d of %d points stay", len(to[c.Rank()]), own.Len())
			}
			return err
		})
		if err != nil {
			t.Errorf("%d points: %v", n, err)
		}
	}
}

// Of parts with equally many of the nearest drawn points a point goes to that of the nearest one.
func TestElected(t *testing.T) {
	part := []int{2, 0, 0, 2, 1}
	for _, c := range []struct {
		near []int32
		want int
	}{{[]int32{0, 1, 2, 3, 4}, 2}, {[]int32{1, 0, 3, 2, 4}, 0}, {[]int32{4, 0, 1, 2}, 0}, {[]int32{4, 0, 1}, 1}} {
		if got := elected(part, c.near); got != c.want {
			t.Errorf("of the nearest %v it is %d, want %d", c.near, got, c.want)
		}
	}
}
