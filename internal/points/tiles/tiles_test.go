package tiles_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/tiles"
	"lapsvm/internal/testing/drawn"
	"lapsvm/points"
)

// Tiles of the laid out sides are the inner products of the points less the
// origin, in both types, and sparse tables give theirs.
func TestTiles(t *testing.T) {
	for _, size := range []struct{ n, d int }{{1, 1}, {5, 3}, {191, 7}, {192, 300}, {400, 33}} {
		rng := rand.New(rand.NewPCG(5, uint64(size.n)))
		rows, other, origin := drawn.Rows(rng, size.n, size.d), drawn.Rows(rng, 3, size.d), drawn.Rows(rng, 1, size.d)[0]
		for _, o := range [][]float64{nil, origin} {
			testTiles[float32](t, drawn.Dense(rows, size.d), drawn.Dense(other, size.d), o, 1e-5)
			testTiles[float64](t, drawn.Dense(rows, size.d), drawn.Dense(other, size.d), o, 1e-13)
		}
		testTiles[float64](t, drawn.Sparse(rows, size.d), drawn.Sparse(other, size.d), nil, 1e-13)
		testTiles[float64](t, drawn.Dense(rows, size.d), drawn.Sparse(other, size.d), nil, 1e-13)
	}
}

func testTiles[T tiles.Float](t *testing.T, p, q *points.Points, origin []float64, tolerance float64) {
	t.Helper()
	less := func(p *points.Points, i int) []float64 {
		x := make([]float64, p.Dim())
		p.CopyRow(x, i)
		for j := range origin {
			x[j] -= origin[j]
		}
		return x
	}
	dot := func(x, y []float64) (sum, size float64) {
		for k := range x {
			sum += x[k] * y[k]
			size += math.Abs(x[k] * y[k])
		}
		return sum, size
	}
	left, right, err := tiles.Sides[T](t.Context(), p, origin)
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := tiles.Right[T](t.Context(), q, origin)
	if err != nil {
		t.Fatal(err)
	}
	if left.Len() != p.Len() || right.Blocks() != (p.Len()+tiles.Size-1)/tiles.Size {
		t.Fatalf("%d rows in %d blocks", left.Len(), right.Blocks())
	}
	largest := 0.0
	for i := range p.Len() {
		want, size := dot(less(p, i), less(p, i))
		if !(math.Abs(float64(left.Squares()[i])-want) <= tolerance*size) {
			t.Fatalf("‖x_%d‖² = %v, want %v", i, left.Squares()[i], want)
		}
		largest = max(largest, float64(left.Squares()[i]))
	}
	if left.Largest() != largest {
		t.Errorf("largest %v, want %v", left.Largest(), largest)
	}
	for _, side := range []struct {
		q     *points.Points
		right *tiles.Side[T]
	}{{p, right}, {q, narrow}} {
		dst := make([]T, tiles.Size*(tiles.Size+1))
		for bi := range left.Blocks() {
			for bj := range side.right.Blocks() {
				tiles.Tile(points.Products, dst, tiles.Size+1, left, bi, side.right, bj, bj+1)
				i0, i1 := left.Span(bi)
				j0, j1 := side.right.Span(bj)
				for i := i0; i < i1; i += 7 {
					for j := j0; j < j1; j++ {
						want, size := dot(less(p, i), less(side.q, j))
						if got := dst[(i-i0)*(tiles.Size+1)+j-j0]; !(math.Abs(float64(got)-want) <= tolerance*(size+1e-300)) {
							t.Fatalf("%T, ⟨x_%d, y_%d⟩ = %v, want %v", got, i, j, got, want)
						}
					}
				}
			}
		}
	}
}

func TestTilesPanic(t *testing.T) {
	s := drawn.Sparse([][]float64{{1, 0}}, 2)
	panics(t, "sparse in float32", func() { _, _, _ = tiles.Sides[float32](context.Background(), s, nil) })
	panics(t, "sparse with an origin", func() { _, _, _ = tiles.Sides[float64](context.Background(), s, []float64{1, 1}) })
	left, _ := tiles.Left[float64](context.Background(), s, nil)
	right, _ := tiles.Right[float64](context.Background(), drawn.Sparse([][]float64{{1}}, 1), nil)
	panics(t, "other columns", func() { tiles.Tile(points.Products, make([]float64, 1), 1, left, 0, right, 0, -1) })
}

// Every tile of the upper triangle comes once, and next names the tile that
// follows in its row.
func TestEach(t *testing.T) {
	for _, blocks := range []int{1, 2, 3, 9, 20} {
		for _, threads := range []int{1, 3} {
			var lock sync.Mutex
			seen := make(map[int]string)
			err := tiles.Each(parallel.WithLimit(t.Context(), threads), blocks, func(worker, tile, bi, bj, next int) {
				lock.Lock()
				defer lock.Unlock()
				if _, twice := seen[tile]; twice {
					t.Errorf("%d blocks: tile %d comes twice", blocks, tile)
				}
				seen[tile] = fmt.Sprint(bi, bj)
				if next != -1 && (next != bj+1 || next >= blocks) {
					t.Errorf("%d blocks: %d follows tile (%d, %d)", blocks, next, bi, bj)
				}
			})
			if err != nil || len(seen) != blocks*(blocks+1)/2 {
				t.Fatalf("%d blocks: %d tiles, %v", blocks, len(seen), err)
			}
			for tile, at := range seen {
				var bi, bj int
				fmt.Sscan(at, &bi, &bj)
				if number := bi*blocks - bi*(bi-1)/2 + bj - bi; number != tile || bj < bi || bj >= blocks {
					t.Errorf("%d blocks: tile %d is at %s, the number of which is %d", blocks, tile, at, number)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tiles.Each(ctx, 5, func(int, int, int, int, int) { t.Error("a tile after the end") }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// L1 tiles of dense and sparse tables, at the edges of blocks and of registers.
func TestL1Tiles(t *testing.T) {
	for _, d := range []int{1, 5, 64, 300} {
		rng := rand.New(rand.NewPCG(8, uint64(d)))
		a, b := drawn.Rows(rng, 30, d), drawn.Rows(rng, 17, d)
		for _, p := range drawn.Both(a, d) {
			for _, q := range drawn.Both(b, d) {
				testL1Tiles[float64](t, p, q, a, b, 0x1p-53)
				if !p.Sparse() && !q.Sparse() {
					testL1Tiles[float32](t, p, q, a, b, 0x1p-24)
				}
			}
		}
	}
}

// testL1Tiles holds tiles to the stated bound, the rounding of coordinates apart.
func testL1Tiles[T tiles.Float](t *testing.T, p, q *points.Points, a, b [][]float64, unit float64) {
	t.Helper()
	left, err := tiles.Left[T](t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	right, err := tiles.Right[T](t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	tile := make([]T, tiles.Size*tiles.Size)
	for bi := range left.Blocks() {
		tiles.Tile(points.L1, tile, tiles.Size, left, bi, right, 0, -1)
		i0, i1 := left.Span(bi)
		for i := i0; i < i1; i++ {
			size := l1(a[i], make([]float64, p.Dim()))
			for j := range q.Len() {
				want, d := l1(a[i], b[j]), p.Dim()
				bound := unit * (float64(min(d, 256)+d/256+2)*want + size + l1(b[j], make([]float64, d)))
				if got := float64(tile[(i-i0)*tiles.Size+j]); !(math.Abs(got-want) <= bound) {
					t.Fatalf("%T, %d columns: ‖x_%d − y_%d‖₁ = %v, want %v", tile[0], d, i, j, got, want)
				}
			}
		}
	}
}

// panics checks that call panics with a message of this package.
func panics(t *testing.T, name string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		if text, ok := r.(string); !ok || !strings.HasPrefix(text, "tiles: ") {
			t.Errorf("%s: panicked with %v, want a message of the package", name, r)
		}
	}()
	call()
}

func l1(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += math.Abs(x[k] - y[k])
	}
	return s
}
