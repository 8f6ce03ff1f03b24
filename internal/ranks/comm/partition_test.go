package comm_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"lapsvm/internal/ranks/comm"
)

// ranks runs a test as several ranks.
func ranks(t *testing.T, do func(ctx context.Context, c *comm.Comm) error) {
	for _, size := range []int{1, 2, 3, 5} {
		if err := comm.Goroutines(t.Context(), size, do); err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

func TestMedianIsThatOfAllNumbers(t *testing.T) {
	for _, x := range [][]float64{{3}, {2, 1}, {0, 0, 0}, {-1.5, 7, 1e-300, -2, 1e300, 5, 5}, {math.Inf(1), -4, math.Inf(-1), 0}} {
		want := slices.Sorted(slices.Values(x))[len(x)/2]
		ranks(t, func(ctx context.Context, c *comm.Comm) error {
			partition := make(comm.Partition, c.Size()+1)
			for r := range partition {
				partition[r] = r * len(x) / c.Size()
			}
			from, to := partition.Range(c.Rank())
			got, err := c.Median(ctx, x[from:to])
			if got != want {
				return fmt.Errorf("the middle of %v is %v, want %v", x, got, want)
			}
			return err
		})
	}
}

func TestPartitionTellsWhoHasAPoint(t *testing.T) {
	ranks(t, func(ctx context.Context, c *comm.Comm) error {
		n := 3 * (c.Rank() % 2) // ranks 0, 2, 4 have none
		partition, err := c.Partition(ctx, n)
		for i := range partition.Len() {
			if owner := partition.Owner(i); owner != 1+i/3*2 {
				return fmt.Errorf("point %d is of rank %d of %v", i, owner, partition)
			}
		}
		return err
	})
}

func TestSpreadIsEvenlyOverAll(t *testing.T) {
	partition := comm.Partition{0, 3, 3, 40, 100}
	for count, want := range map[int]int{1: 1, 7: 7, 50: 50, 100: 100, 300: 100} {
		var all []int
		for r := range 4 {
			from, to := partition.Range(r)
			for _, i := range partition.Spread(r, count) {
				if i < 0 || i >= to-from {
					t.Fatalf("rank %d has no point %d", r, i)
				}
				all = append(all, from+i)
			}
		}
		if len(all) != want {
			t.Errorf("%d of %d points", len(all), want)
		}
		for k := 1; k < len(all); k++ {
			if gap := all[k] - all[k-1]; gap < 1 || !(float64(gap) <= 100/float64(count)+1) {
				t.Errorf("of %d, %d is followed by %d", count, all[k-1], all[k])
			}
		}
	}
}

func TestNthIsThatOfAllNumbers(t *testing.T) {
	x := [][]float64{{3, -1, 0, math.Copysign(0, -1), 7, 7, -1e300}, {5}, {2, 2, 1}}
	ranks(t, func(ctx context.Context, c *comm.Comm) error {
		for n := range 7 {
			var own [][]float64
			var at []int
			var want []float64
			for k, all := range x {
				var mine []float64
				for i, v := range all {
					if i%c.Size() == c.Rank() {
						mine = append(mine, v)
					}
				}
				own, at = append(own, slices.Sorted(slices.Values(mine))), append(at, (n+k)%len(all))
				want = append(want, slices.Sorted(slices.Values(all))[at[k]])
			}
			if got, err := c.Nth(ctx, own, at); err != nil || !slices.Equal(got, want) {
				return fmt.Errorf("elements %v of %v are %v, want %v: %v", at, x, got, want, err)
			}
		}
		return nil
	})
}
