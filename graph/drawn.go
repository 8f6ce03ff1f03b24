package graph

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
)

// votes is how many of the nearest drawn points are sought.
const votes = 5

// A point is held against the residents of a neighbourhood: the drawn points that are nearest to
// one of them, so many, which is the one of so many middles that is nearest to the point.
const (
	middles   = 128
	residents = 2048
)

// nearestOf returns, for each of some sketches, which of the drawn ones are nearest to it,
// nearly always, in ascending order of their distance. Cost: 2,200 distances of sketches each.
func nearestOf(ctx context.Context, sketches, drawn []float32, width int) ([][votes]int32, error) {
	n, count := len(sketches)/width, len(drawn)/width
	middle := []int{0}
	for k := 1; k < middles && count > residents; k++ {
		middle = append(middle, k*count/middles)
	}
	members := make([][]int, len(middle))
	in := make([]int32, n)
	err := newResidence(drawn, width, middle).look(ctx, sketches, rowsFrom(0, n), func(i int, far []float32) { in[i] = leastOf(far)[0] })
	if err != nil {
		return nil, err
	}
	for i, k := range in {
		members[k] = append(members[k], i)
	}
	nearest := make([][votes]int32, n)
	everywhere := newResidence(drawn, width, rowsFrom(0, count))
	for k := range middle {
		var around *residence
		err := everywhere.look(ctx, drawn, middle[k:k+1], func(_ int, far []float32) { around = newResidence(drawn, width, firstOf(far, residents)) })
		if err != nil {
			return nil, err
		}
		err = around.look(ctx, sketches, members[k], func(i int, far []float32) {
			for a, j := range leastOf(far) {
				nearest[i][a] = int32(around.rows[j])
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return nearest, nil
}

// residence is some of the drawn points, as others are held against them.
type residence struct {
	rows     []int
	width    int
	sketches []float32
	squares  []float32 // of their lengths
}

func newResidence(drawn []float32, width int, rows []int) *residence {
	r := &residence{rows: rows, width: width}
	for _, j := range rows {
		sketch := drawn[j*width : (j+1)*width]
		square := float32(0)
		for _, v := range sketch {
			square += v * v
		}
		r.sketches, r.squares = append(r.sketches, sketch...), append(r.squares, square)
	}
	return r
}

// rowsAtOnce is how many points are held against residents at once.
const rowsAtOnce = 64

// look calls do for some points x with what ranks the residents y by their distance, ‖y‖² − 2⟨x, y⟩; for
// different points at the same time.
func (r *residence) look(ctx context.Context, sketches []float32, points []int, do func(i int, far []float32)) error {
	n, width, count := len(points), r.width, len(r.rows)
	type scratch struct{ rows, far []float32 }
	all, alone := make([]scratch, parallel.Threads(ctx)), parallel.WithLimit(ctx, 1)
	return parallel.Step(ctx, (n+rowsAtOnce-1)/rowsAtOnce, func(worker, piece int) {
		w := &all[worker]
		some := points[piece*rowsAtOnce : min((piece+1)*rowsAtOnce, n)]
		w.rows, w.far = w.rows[:0], w.far[:0]
		for _, i := range some {
			w.rows, w.far = append(w.rows, sketches[i*width:(i+1)*width]...), append(w.far, r.squares...)
		}
		if vec.Gemm(alone, false, true, len(some), count, width, -2, w.rows, width, r.sketches, width, 1, w.far, count) != nil {
			return // ctx is done
		}
		for k, i := range some {
			do(i, w.far[k*count:(k+1)*count])
		}
	})
}

// firstOf returns where the least of some numbers are, so many of them and those equal to the
// last.
func firstOf(x []float32, count int) (at []int) {
	limit := slices.Sorted(slices.Values(x))[min(count, len(x))-1]
	for j, v := range x {
		if v <= limit {
			at = append(at, j)
		}
	}
	return at
}

// leastOf returns where the least numbers are, in ascending order; of fewer numbers the
// last of them over again.
func leastOf(x []float32) (at [votes]int32) {
	var least [votes]float32
	for a := range least {
		least[a] = math.MaxFloat32
	}
	for j, v := range x {
		if !(v < least[votes-1]) {
			continue
		}
		a := votes - 1
		for ; a > 0 && v < least[a-1]; a-- {
			least[a], at[a] = least[a-1], at[a-1]
		}
		least[a], at[a] = v, int32(j)
	}
	for a := len(x); a < votes; a++ {
		at[a] = at[len(x)-1]
	}
	return at
}
