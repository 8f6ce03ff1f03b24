package tiles_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/points/tiles"
	"lapsvm/internal/testing/detector"
	"lapsvm/internal/testing/drawn"
	"lapsvm/points"
)

// storages returns the same bytes in everything that a table is stored in, and those
// scaled as they are read.
func storages(t *testing.T, rng *rand.Rand, n, d int) (plain, others []*points.Points) {
	t.Helper()
	bytes, single, double := make([]uint8, n*d), make([]float32, n*d), make([]float64, n*d)
	for k := range bytes {
		bytes[k] = uint8(rng.IntN(256))
		single[k], double[k] = float32(bytes[k]), float64(bytes[k])
	}
	p := points.Dense(n, d, double)
	for _, q := range []*points.Points{points.DenseBytes(n, d, bytes), points.Dense32(n, d, single)} {
		plain, others = append(plain, p), append(others, q)
		for _, kind := range []points.Standardise{points.UnitNorm, points.ZScore} {
			s, err := points.FitScaling(t.Context(), kind, p)
			if err != nil {
				t.Fatal(err)
			}
			plain, others = append(plain, s.Apply(p)), append(others, s.Apply(q))
		}
	}
	return plain, others
}

// Tiles have the same bits whatever the points are stored in.
func TestTilesOfStorages(t *testing.T) {
	for _, size := range []struct{ n, d int }{{1, 1}, {200, 33}, {400, 5}} {
		rng := rand.New(rand.NewPCG(9, uint64(size.n)))
		plain, others := storages(t, rng, size.n, size.d)
		for k := range plain {
			for _, origin := range [][]float64{nil, plain[k].Mean()} {
				sameTiles[float32](t, plain[k], others[k], origin)
				sameTiles[float64](t, plain[k], others[k], origin)
			}
		}
	}
}

func sameTiles[T tiles.Float](t *testing.T, p, q *points.Points, origin []float64) {
	t.Helper()
	if got, want := allTiles(sides[T](t, q, origin)), allTiles(sides[T](t, p, origin)); !slices.Equal(got, want) {
		t.Fatalf("%T, %d×%d, storage %d: the tiles differ", got[0], p.Len(), p.Dim(), q.Storage())
	}
}

func sides[T tiles.Float](t *testing.T, p *points.Points, origin []float64) (left, right *tiles.Side[T]) {
	t.Helper()
	left, right, err := tiles.Sides[T](t.Context(), p, origin)
	if err != nil {
		t.Fatal(err)
	}
	return left, right
}

// allTiles returns the values of all tiles and the squares.
func allTiles[T tiles.Float](left, right *tiles.Side[T]) []T {
	all, tile := slices.Concat(left.Squares(), right.Squares()), make([]T, tiles.Size*tiles.Size)
	for i := range left.Blocks() {
		for j := range right.Blocks() {
			for _, s := range []points.Statistic{points.Products, points.L1} {
				clear(tile)
				tiles.Tile(s, tile, tiles.Size, left, i, right, j, -1)
				all = append(all, tile...)
			}
		}
	}
	return all
}

// A part has the tiles of a table of its rows, whatever was laid out before.
func TestPart(t *testing.T) {
	detector.Spare(t)
	rng := rand.New(rand.NewPCG(10, 0))
	const n, d = 250, 9
	_, tables := storages(t, rng, n, d)
	tables = append(tables, drawn.Dense(drawn.Rows(rng, n, d), d))
	var double tiles.Part[float64]
	var single tiles.Part[float32]
	for _, count := range []int{3, 240, 192, 1, 0, 200} {
		rows, named := make([]int32, count), make([]int, count)
		for k := range rows {
			rows[k] = int32(rng.IntN(n))
			named[k] = int(rows[k])
		}
		for k, p := range tables {
			for _, origin := range [][]float64{nil, p.Mean()} {
				what := fmt.Sprintf("table %d, %d rows, moved: %v", k, count, origin != nil)
				samePart(t, what, &double, p, p.Subset(named), rows, origin)
				samePart(t, what, &single, p, p.Subset(named), rows, origin)
				samePart(t, what, &single, p, p, nil, origin)
			}
		}
		p := drawn.Sparse(drawn.Rows(rng, n, d), d)
		samePart(t, "sparse", &double, p, p.Subset(named), rows, nil)
		samePart(t, "sparse", &double, p, p, nil, nil)
	}
	panics(t, "a sparse part in float32", func() { single.Sides(drawn.Sparse(drawn.Rows(rng, 2, 2), 2), []int32{1}, nil) })
}

func samePart[T tiles.Float](t *testing.T, what string, part *tiles.Part[T], p, q *points.Points, rows []int32, origin []float64) {
	t.Helper()
	left, right := part.Sides(p, rows, origin)
	if got, want := allTiles(left, right), allTiles(sides[T](t, q, origin)); left.Len() != q.Len() || !slices.Equal(got, want) {
		t.Fatalf("%s: the part of %d rows differs from a table of them", what, left.Len())
	}
}
