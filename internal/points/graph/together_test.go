package graph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// Ranks that have points dealt one by one find the neighbours and the equal points of one
// process, by their rows.
func TestRanksFindTogether(t *testing.T) {
	const n, k = 301, 5
	random := rand.New(rand.NewPCG(3, 3))
	values := make([]float64, 2*n)
	for i := range values {
		values[i] = random.NormFloat64()
	}
	for i := range 20 {
		copy(values[4*i:4*i+2], values[600-6*i:602-6*i])
	}
	values[80], values[90], values[81], values[91] = 0, math.Copysign(0, -1), 1, 1
	p := points.Dense(n, 2, values)
	want, _, err := Find(t.Context(), p, k, Euclidean, Search{})
	if err != nil {
		t.Fatal(err)
	}
	equal, err := neighbours.Equal(t.Context(), p)
	if err != nil || len(equal) != 21 {
		t.Fatalf("%d groups, %v", len(equal), err)
	}
	for _, size := range []int{1, 2, 3} {
		err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
			var rows []int
			for i := c.Rank(); i < n; i += size {
				rows = append(rows, i)
			}
			own := p.Subset(rows)
			nb, _, err := FindTogether(ctx, c, own, rows, k, Euclidean, Search{})
			if err != nil {
				return err
			}
			groups, err := EqualTogether(ctx, c, own, rows)
			if err != nil || c.Rank() > 0 {
				return err
			}
			if err := near(nb.Distance, want.Distance, 1e-12); err != nil {
				return err
			}
			if !slices.Equal(nb.Index, want.Index) {
				return fmt.Errorf("other neighbours")
			}
			if !reflect.DeepEqual(groups, equal) {
				return fmt.Errorf("equal are %v, want %v", groups, equal)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

// Ranks that have no equal points send a number for each of their own, and no points.
func TestPointsThatDifferStayWhereTheyAre(t *testing.T) {
	const n, d, size = 400, 30, 2
	p := tables(n, d)["float32"]
	err := comm.Goroutines(t.Context(), size, func(ctx context.Context, c *comm.Comm) error {
		rows := rowsFrom(n*c.Rank()/size, n*(c.Rank()+1)/size)
		groups, err := EqualTogether(ctx, c, p.Subset(rows), rows)
		if err != nil {
			return err
		}
		if most := int64(len(rows) * 10); len(groups) > 0 || c.Sent() > most {
			return fmt.Errorf("groups %v, %d bytes were sent, at most %d", groups, c.Sent(), most)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
