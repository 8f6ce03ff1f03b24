package tiles_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/tiles"
	"lapsvm/points"
)

// Tiles of multiples are exact sums rounded to float32 once: products, or halves of squared
// distances. Squared distances of a table to itself are 0 on the diagonal. Neither other rows nor
// the memory of a part change them.
func TestMultiples(t *testing.T) {
	const n, d = 260, 57
	rng := rand.New(rand.NewPCG(22, 1))
	values, others := make([]float64, n*d), map[int]bool{5: true, 200: true}
	for k := range values {
		values[k] = float64(rng.IntN(256)) / 255
		if others[k/d] {
			values[k] = rng.NormFloat64()
		}
	}
	p := points.Dense(n, d, values)
	whole := p.Slice(6, 200)
	var part tiles.Part[float32]
	part.Sides(p, nil, nil) // so that its memory is not new
	for _, differences := range []bool{false, true} {
		left, is, err := tiles.Multiples[float32](t.Context(), p, true, differences)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range is {
			if v == others[i] {
				t.Fatalf("row %d is taken for multiples: %v", i, v)
			}
		}
		right, err := tiles.AllMultiples[float32](parallel.WithLimit(t.Context(), 1), whole, false, differences)
		if err != nil || right == nil {
			t.Fatalf("a table of multiples is none: %v", err)
		}
		if none, err := tiles.AllMultiples[float32](t.Context(), p, false, differences); none != nil || err != nil {
			t.Errorf("a table with other rows is one of multiples: %v", err)
		}
		again, also := part.Multiples(p, differences)
		if !slices.Equal(is, also) || !slices.Equal(left.Squares(), again.Squares()) {
			t.Error("a part tells other rows, or other squares")
		}
		if right.Bytes() != whole.Len()*d {
			t.Errorf("%d bytes for %d×%d", right.Bytes(), whole.Len(), d)
		}
		dst, same := make([]float32, tiles.Size*tiles.Size), make([]float32, tiles.Size*tiles.Size)
		for i := range left.Blocks() {
			for j := range right.Blocks() {
				tiles.Tile(points.Products, dst, tiles.Size, left, i, right, j, -1)
				tiles.Tile(points.Products, same, tiles.Size, again, i, right, j, -1)
				i0, i1 := left.Span(i)
				j0, j1 := right.Span(j)
				for r := i0; r < i1; r++ {
					for c := j0; c < j1 && is[r]; c++ {
						got := float64(dst[(r-i0)*tiles.Size+c-j0])
						var want [1]float64
						if p.Dots(want[:], 1, r, r+1, whole, c, c+1); differences {
							want[0] = -p.SquaredDistance(r, whole, c) / 2
						}
						if !(math.Abs(got-want[0]) <= 0x1p-24*math.Abs(want[0])*1.001) || got != float64(same[(r-i0)*tiles.Size+c-j0]) {
							t.Fatalf("differences %v: (%d, %d) is %v, want %v", differences, r, c, got, want[0])
						}
					}
				}
			}
		}
		for i, v := range left.Squares() {
			if want := p.Squares()[i]; is[i] && (differences && v != 0 || !differences && !(math.Abs(float64(v)-want) <= 0x1p-23*want)) {
				t.Fatalf("differences %v: ‖x_%d‖² is %v, want %v", differences, i, v, want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := tiles.Multiples[float32](ctx, p, true, true); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if side, err := tiles.AllMultiples[float32](t.Context(), points.CSR(3, []int{0, 0}, nil, nil), false, true); side != nil || err != nil {
		t.Errorf("a sparse table is one of multiples: %v", err)
	}
}
