package comm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

// ranks runs a test as several ranks.
func ranks(t *testing.T, do func(ctx context.Context, c *Comm) error) {
	for _, size := range []int{1, 2, 3, 5} {
		if err := Goroutines(t.Context(), size, do); err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

func TestSumsAreThoseOfAllRanks(t *testing.T) {
	ranks(t, func(ctx context.Context, c *Comm) error {
		for _, length := range []int{1, 7, small, small + 1, 4 * small} {
			x, y := make([]float64, length), make([]float64, length)
			for i := range x {
				x[i], y[i] = float64(i*(c.Rank()+1)), float64(c.Rank()-i)
			}
			if err := c.Sum(ctx, x); err != nil {
				return err
			}
			if err := c.Max(ctx, y); err != nil {
				return err
			}
			for i := range x {
				if sum := float64(i * c.Size() * (c.Size() + 1) / 2); x[i] != sum || y[i] != float64(c.Size()-1-i) {
					return fmt.Errorf("element %d of %d is %v, want %v, and the largest %v", i, length, x[i], sum, y[i])
				}
			}
		}
		return nil
	})
}

func TestAllToAllOfVaryingSizes(t *testing.T) {
	ranks(t, func(ctx context.Context, c *Comm) error {
		send := make([][]byte, c.Size())
		for r := range send {
			send[r] = slices.Repeat([]byte{byte(10*c.Rank() + r)}, r)
		}
		got, err := c.AllToAll(ctx, send)
		for r, bytes := range got {
			if want := slices.Repeat([]byte{byte(10*r + c.Rank())}, c.Rank()); !slices.Equal(bytes, want) {
				return fmt.Errorf("from rank %d came %v, want %v", r, bytes, want)
			}
		}
		return err
	})
}

func TestBroadcastAndGather(t *testing.T) {
	ranks(t, func(ctx context.Context, c *Comm) error {
		root := c.Size() - 1
		got, err := c.Broadcast(ctx, root, Bytes([]int32{int32(c.Rank()), 7}))
		if err != nil || !slices.Equal(Of[int32](got), []int32{int32(root), 7}) {
			return fmt.Errorf("broadcast %v, %v", Of[int32](got), err)
		}
		all, err := c.Gather(ctx, Bytes(make([]float64, c.Rank())))
		for r, bytes := range all {
			if len(bytes) != 8*r {
				return fmt.Errorf("rank %d gave %d bytes", r, len(bytes))
			}
		}
		return err
	})
}

func TestARankThatFailsEndsAll(t *testing.T) {
	bad := errors.New("bad data")
	err := Goroutines(t.Context(), 3, func(ctx context.Context, c *Comm) error {
		if c.Rank() == 1 {
			return bad
		}
		err := c.Sum(ctx, make([]float64, 1))
		if ctx.Err() == nil {
			t.Error("the context of a rank is not done when a call failed")
		}
		return err
	})
	if !errors.Is(err, bad) {
		t.Errorf("error %v, want that of the rank", err)
	}
}

func TestNilIsAlone(t *testing.T) {
	var c *Comm
	x := []float64{1, 2}
	if err := c.Sum(t.Context(), x); err != nil || x[1] != 2 || !c.Alone() || c.Rank() != 0 || c.Sent() != 0 {
		t.Errorf("alone: %v %v", x, err)
	}
	if got, err := c.Broadcast(t.Context(), 0, []byte("x")); err != nil || string(got) != "x" {
		t.Errorf("broadcast %q, %v", got, err)
	}
}

func TestMiddleIsThatOfAllNumbers(t *testing.T) {
	for _, x := range [][]float64{{3}, {2, 1}, {0, 0, 0}, {-1.5, 7, 1e-300, -2, 1e300, 5, 5}, {math.Inf(1), -4, math.Inf(-1), 0}} {
		want := slices.Sorted(slices.Values(x))[len(x)/2]
		ranks(t, func(ctx context.Context, c *Comm) error {
			shares := make(Shares, c.Size()+1)
			for r := range shares {
				shares[r] = r * len(x) / c.Size()
			}
			from, to := shares.Of(c.Rank())
			got, err := c.Middle(ctx, x[from:to])
			if got != want {
				return fmt.Errorf("the middle of %v is %v, want %v", x, got, want)
			}
			return err
		})
	}
}

func TestSharesTellWhoHasAPoint(t *testing.T) {
	ranks(t, func(ctx context.Context, c *Comm) error {
		n := 3 * (c.Rank() % 2) // ranks 0, 2, 4 have none
		shares, err := c.Shares(ctx, n)
		for i := range shares.Len() {
			if owner := shares.Owner(i); owner != 1+i/3*2 {
				return fmt.Errorf("point %d is of rank %d of %v", i, owner, shares)
			}
		}
		return err
	})
}
