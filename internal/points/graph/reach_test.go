package graph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// Ranks that share points in any order find the components, degrees and edges of one process. A
// chain of points lies on all ranks, and leads from one to another and back.
func TestRanksReachAsOneProcess(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{12, 300} {
		for _, k := range []int{1, 2} {
			at := make([]float64, n)
			for i, j := range random.Perm(n) {
				at[i] = float64(j) + 100*float64(j/(n/4)) + 0.1*random.Float64()
			}
			p := points.Dense(n, 1, at)
			nb, err := FindNeighbours(t.Context(), p, k, Euclidean)
			if err != nil {
				t.Fatal(err)
			}
			w, _, err := Connect(t.Context(), nb, Binary, 0)
			if err != nil {
				t.Fatal(err)
			}
			y := make([]int, n)
			for i := range y {
				y[i] = random.IntN(3) - 1
			}
			want, err := NewHealth(t.Context(), w, p, y, 2)
			if err != nil || len(want.Components) < 4 {
				t.Fatalf("%+v, %v", want, err)
			}
			for _, size := range []int{2, 3, 5} {
				err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
					from, to := n*c.Rank()/size, n*(c.Rank()+1)/size
					partition, err := c.Partition(ctx, to-from)
					if err != nil {
						return err
					}
					own := &Neighbours{K: k, Index: nb.Index[from*k : to*k], Distance: nb.Distance[from*k : to*k], Ranks: c, Partition: partition}
					w, _, err := Connect(ctx, own, Binary, 0)
					if err != nil {
						return err
					}
					r, err := NewReach(ctx, w)
					if err != nil {
						return err
					}
					var all [2][][]byte
					for a, numbers := range [][]int32{r.Degree, r.Component} {
						if all[a], err = c.Gather(ctx, comm.Bytes(numbers)); err != nil {
							return err
						}
					}
					whole := &Reach{Loops: r.Loops}
					for r := range size {
						whole.Degree = append(whole.Degree, comm.Numbers[int32](all[0][r])...)
						whole.Component = append(whole.Component, comm.Numbers[int32](all[1][r])...)
					}
					got, err := whole.Health(ctx, p, y, 2)
					if err == nil && !reflect.DeepEqual(got, want) {
						err = fmt.Errorf("%+v, want %+v", got, want)
					}
					return err
				})
				if err != nil {
					t.Errorf("%d points, %d neighbours, %d ranks: %v", n, k, size, err)
				}
			}
		}
	}
}
