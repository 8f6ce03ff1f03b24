package points_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"lapsvm/internal/parallel"
	"lapsvm/points"
)

// Tiles of the laid out sides are the inner products of the points less the
// origin, in both types, and sparse tables give theirs.
func TestTiles(t *testing.T) {
	for _, size := range []struct{ n, d int }{{1, 1}, {5, 3}, {191, 7}, {192, 300}, {400, 33}} {
		rng := rand.New(rand.NewPCG(5, uint64(size.n)))
		rows, other, origin := draw(rng, size.n, size.d), draw(rng, 3, size.d), draw(rng, 1, size.d)[0]
		for _, o := range [][]float64{nil, origin} {
			testTiles[float32](t, dense(rows, size.d), dense(other, size.d), o, 1e-5)
			testTiles[float64](t, dense(rows, size.d), dense(other, size.d), o, 1e-13)
		}
		testTiles[float64](t, sparse(rows, size.d), sparse(other, size.d), nil, 1e-13)
		testTiles[float64](t, dense(rows, size.d), sparse(other, size.d), nil, 1e-13)
	}
}

func testTiles[T points.Float](t *testing.T, p, q *points.Points, origin []float64, tolerance float64) {
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
	left, right, err := points.Sides[T](t.Context(), p, origin)
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := points.RightSide[T](t.Context(), q, origin)
	if err != nil {
		t.Fatal(err)
	}
	if left.Len() != p.Len() || right.Blocks() != (p.Len()+points.TileSize-1)/points.TileSize {
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
		right *points.Side[T]
	}{{p, right}, {q, narrow}} {
		dst := make([]T, points.TileSize*(points.TileSize+1))
		for bi := range left.Blocks() {
			for bj := range side.right.Blocks() {
				points.Tile(points.Products, dst, points.TileSize+1, left, bi, side.right, bj, bj+1)
				i0, i1 := left.Span(bi)
				j0, j1 := side.right.Span(bj)
				for i := i0; i < i1; i += 7 {
					for j := j0; j < j1; j++ {
						want, size := dot(less(p, i), less(side.q, j))
						if got := dst[(i-i0)*(points.TileSize+1)+j-j0]; !(math.Abs(float64(got)-want) <= tolerance*(size+1e-300)) {
							t.Fatalf("%T, ⟨x_%d, y_%d⟩ = %v, want %v", got, i, j, got, want)
						}
					}
				}
			}
		}
	}
}

func TestTilesPanic(t *testing.T) {
	s := sparse([][]float64{{1, 0}}, 2)
	panics(t, "sparse in float32", func() { _, _, _ = points.Sides[float32](context.Background(), s, nil) })
	panics(t, "sparse with an origin", func() { _, _, _ = points.Sides[float64](context.Background(), s, []float64{1, 1}) })
	left, _ := points.LeftSide[float64](context.Background(), s, nil)
	right, _ := points.RightSide[float64](context.Background(), sparse([][]float64{{1}}, 1), nil)
	panics(t, "other columns", func() { points.Tile(points.Products, make([]float64, 1), 1, left, 0, right, 0, -1) })
}

// Every tile of the upper triangle comes once, and next names the tile that
// follows in its row.
func TestEachTile(t *testing.T) {
	for _, blocks := range []int{1, 2, 3, 9, 20} {
		for _, threads := range []int{1, 3} {
			var lock sync.Mutex
			seen := make(map[int]string)
			err := points.EachTile(parallel.WithLimit(t.Context(), threads), blocks, func(worker, tile, bi, bj, next int) {
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
				if bi, bj := points.TilePosition(tile, blocks); fmt.Sprint(bi, bj) != at {
					t.Errorf("%d blocks: tile %d is at %s, its position is %d %d", blocks, tile, at, bi, bj)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := points.EachTile(ctx, 5, func(int, int, int, int, int) { t.Error("a tile after the end") }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCombinations(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	const n, d = 20, 9
	rows, w := draw(rng, n, d), draw(rng, 1, d)[0]
	for name, p := range both(rows, d) {
		dots, sum := make([]float64, n), make([]float64, d)
		p.DotsWith(dots, 0, n, w)
		p.AddCombination(sum, 3, 15, dots[3:15])
		squared := make([]float64, n)
		all := make([]int32, n)
		for j := range all {
			all[j] = int32(j)
		}
		p.SquaredDistances(squared, 4, all)
		want := make([]float64, d)
		for i := range n {
			s, q := 0.0, 0.0
			for j := range d {
				s += rows[i][j] * w[j]
				q += (rows[i][j] - rows[4][j]) * (rows[i][j] - rows[4][j])
			}
			if !(math.Abs(dots[i]-s) <= 1e-13) || !(math.Abs(squared[i]-q) <= 1e-13) {
				t.Errorf("%s: row %d has the product %v and the distance %v, want %v and %v", name, i, dots[i], squared[i], s, q)
			}
			for j := range d {
				if i >= 3 && i < 15 {
					want[j] += dots[i] * rows[i][j]
				}
			}
			for j := range n {
				if p.EqualRows(i, j) != (i == j) {
					t.Errorf("%s: rows %d and %d equal: %v", name, i, j, p.EqualRows(i, j))
				}
			}
		}
		for j := range d {
			if !(math.Abs(sum[j]-want[j]) <= 1e-12) {
				t.Errorf("%s: combination %v in column %d, want %v", name, sum[j], j, want[j])
			}
		}
		part := p.Slice(5, 9)
		for i := range 4 {
			got, want := make([]float64, d), make([]float64, d)
			part.CopyRow(got, i)
			p.CopyRow(want, 5+i)
			if fmt.Sprint(got) != fmt.Sprint(want) || part.Squares()[i] != p.Squares()[5+i] {
				t.Errorf("%s: row %d of the slice is %v, want %v", name, i, got, want)
			}
		}
	}
}
