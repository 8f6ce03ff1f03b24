package tiles_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/points/tiles"
	"lapsvm/points"
)

// Tiles of bytes are the exact products, rounded to float32 once, and those of rows of
// unit length within four roundings.
func TestBytes(t *testing.T) {
	const n, d = 400, 57
	rng := rand.New(rand.NewPCG(21, 1))
	values := make([]uint8, n*d)
	for k := range values {
		values[k] = uint8(rng.IntN(256))
	}
	clear(values[3*d : 4*d])
	plain := points.DenseBytes(n, d, values)
	for name, p := range map[string]*points.Points{"plain": plain, "unit": points.Scaling{Kind: points.UnitNorm}.Apply(plain)} {
		b := tiles.NewBytes(p)
		if b == nil {
			t.Fatalf("%s: no products of bytes", name)
		}
		left, right, err := b.Sides(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 0.0
		if name == "unit" {
			tolerance = 0x1p-22
		}
		dst, want := make([]float32, tiles.Size*tiles.Size), make([]float64, n*n)
		p.Dots(want, n, 0, n, p, 0, n)
		for i := range left.Blocks() {
			for j := range right.Blocks() {
				tiles.Tile(points.Products, dst, tiles.Size, left, i, right, j, -1)
				i0, i1 := left.Span(i)
				j0, j1 := right.Span(j)
				for r := i0; r < i1; r++ {
					for c := j0; c < j1; c++ {
						got := dst[(r-i0)*tiles.Size+c-j0]
						if !(math.Abs(float64(got)-float64(float32(want[r*n+c]))) <= tolerance) {
							t.Fatalf("%s: ⟨x_%d, x_%d⟩ is %v, want %v", name, r, c, got, want[r*n+c])
						}
					}
				}
			}
		}
		for i, v := range left.Squares() {
			if v != float32(p.Squares()[i]) {
				t.Fatalf("%s: ‖x_%d‖² is %v, want %v", name, i, v, p.Squares()[i])
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := b.Sides(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

// Products of rows that are scaled column by column, or are no bytes, do not follow from
// those of bytes.
func TestNoBytes(t *testing.T) {
	plain := points.DenseBytes(2, 2, []uint8{1, 2, 3, 5})
	scaling, err := points.FitScaling(t.Context(), points.ZScore, plain)
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*points.Points{
		"scaled by columns": scaling.Apply(plain),
		"float32":           points.Dense32(1, 1, []float32{1}),
		"float64":           points.Dense(1, 1, []float64{1}),
		"sparse":            points.CSR(1, []int{0}, nil, nil),
		"too wide":          points.DenseBytes(1, 1<<15+1, make([]uint8, 1<<15+1)),
	} {
		if tiles.NewBytes(p) != nil {
			t.Errorf("%s: products of bytes", name)
		}
	}
}
