package neighbours

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/tiles"
)

// A sketch is compared with those around the middle that is nearest to it: there are so many
// middles, and about so many sketches around each.
const (
	middles = 128
	around  = 1024
)

// Nearest finds, for each of some sketches, the k nearest of others, nearly always: their
// indices, k each, nearest first. It panics unless 1 ≤ k ≤ their number. Cost: 1,150 products
// of sketches for each, or one with every other where these are fewer. It fails when ctx is
// done.
func Nearest(ctx context.Context, sketches, others []float32, width, k int) ([]int32, error) {
	n, count := len(sketches)/width, len(others)/width
	if k < 1 || k > count {
		panic(fmt.Sprintf("neighbours: the %d nearest of %d sketches", k, count))
	}
	nearest := make([]int32, n*k)
	everyone, whole := spread(n, n), newReferences(others, width, spread(count, count))
	if count <= around {
		return nearest, whole.look(ctx, sketches, everyone, k, nearest)
	}
	in, some := make([]int32, n), spread(count, middles)
	if err := newReferences(others, width, some).look(ctx, sketches, everyone, 1, in); err != nil {
		return nil, err
	}
	members := make([][]int32, middles)
	for i, j := range in {
		m, _ := slices.BinarySearch(some, j)
		members[m] = append(members[m], int32(i))
	}
	for m, middle := range some {
		if err := newReferences(others, width, whole.near(int(middle), around)).look(ctx, sketches, members[m], k, nearest); err != nil {
			return nil, err
		}
	}
	return nearest, nil
}

// references are sketches that others are compared with.
type references struct {
	index   []int32
	width   int
	sketch  []float32
	squares []float32
	packed  []vec.Packed[float32]
}

// newReferences returns some of all sketches, by their indices.
func newReferences(all []float32, width int, some []int32) *references {
	ref := &references{index: some, width: width, sketch: make([]float32, 0, len(some)*width), squares: make([]float32, 0, len(some))}
	for _, j := range some {
		x := all[int(j)*width:][:width]
		ref.sketch, ref.squares = append(ref.sketch, x...), append(ref.squares, square(x))
	}
	for from, size := 0, firstTile; from < len(some); from, size = from+size, tiles.Size {
		var p vec.Packed[float32]
		p.PackRight(min(size, len(some)-from), width, ref.sketch[from*width:], width)
		ref.packed = append(ref.packed, p)
	}
	return ref
}

// firstTile is how many sketches the first tile has, in which every one is near.
const firstTile = 24

// every is of how many distances one is looked at, to learn how far many sketches are.
const every = 8

// near returns the sketches nearest to one of them, about as many as count.
func (ref *references) near(to, count int) (near []int32) {
	x := ref.sketch[to*ref.width:][:ref.width]
	distance := make([]float32, len(ref.index))
	var few []float32
	for j := range distance {
		distance[j] = apart(x, ref.sketch[j*ref.width:][:ref.width], math.MaxFloat32)
		if j%every == 0 {
			few = append(few, distance[j])
		}
	}
	slices.Sort(few)
	limit := few[min(count/every, len(few)-1)]
	for j, d := range distance {
		if d <= limit {
			near = append(near, ref.index[j])
		}
	}
	return near
}

// look writes the k nearest references of some sketches, nearest first, for sketch i from
// nearest[k·i] on. Where there are fewer than k, it repeats the last.
func (ref *references) look(ctx context.Context, sketches []float32, some []int32, k int, nearest []int32) error {
	type scratch struct {
		tileScratch
		rows, never []float32
		lists       *lists[int, int32]
	}
	all := make([]scratch, parallel.Threads(ctx))
	return parallel.Step(ctx, (len(some)+tiles.Size-1)/tiles.Size, func(worker, piece int) {
		w := &all[worker]
		if w.lists == nil {
			w.lists, w.never = newLists[int, int32](tiles.Size, k), make([]float32, tiles.Size)
			fill(w.never, float32(math.Inf(-1)))
		}
		w.lists.clear()
		members := some[piece*tiles.Size : min((piece+1)*tiles.Size, len(some))]
		w.rows, w.squares, w.limit = w.rows[:0], w.squares[:0], grown(w.limit, len(members))
		for _, i := range members {
			x := sketches[int(i)*ref.width:][:ref.width]
			w.rows, w.squares = append(w.rows, x...), append(w.squares, square(x))
		}
		fill(w.limit, float32(math.Inf(1)))
		w.left.PackLeft(len(members), ref.width, w.rows, ref.width)
		first := 0
		for b := range ref.packed {
			squares := ref.squares[first : first+ref.packed[b].Rows()]
			w.near = w.tile(&ref.packed[b], w.squares, squares, w.limit, w.never)
			for _, code := range w.near {
				r, column := int(code)/vec.NearColumns, int(code)%vec.NearColumns
				dot := w.dots[r*tiles.Size+column]
				w.limit[r] = float32(w.lists.offer(r, ref.index[first+column], float64(w.squares[r]+squares[column]-dot-dot)))
			}
			first += len(squares)
		}
		for r, i := range members {
			list := w.lists.append(w.near[:0], r)
			for c := range k {
				nearest[int(i)*k+c] = list[min(c, len(list)-1)]
			}
		}
	})
}
