package comm_test

import (
	"context"
	"errors"
	"testing"

	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/ranks/commtest"
)

func TestGoroutines(t *testing.T) {
	for name, check := range commtest.Checks {
		for _, size := range []int{1, 2, 3, 5} {
			if err := comm.Goroutines(t.Context(), size, check); err != nil {
				t.Errorf("%s, %d ranks: %v", name, size, err)
			}
		}
	}
}

func TestARankThatFailsEndsAll(t *testing.T) {
	bad := errors.New("bad data")
	err := comm.Goroutines(t.Context(), 3, func(ctx context.Context, c *comm.Comm) error {
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
	var c *comm.Comm
	x := []float64{1, 2}
	if err := c.Sum(t.Context(), x); err != nil || x[1] != 2 || !c.Alone() || c.Rank() != 0 || c.Sent() != 0 {
		t.Errorf("alone: %v %v", x, err)
	}
	if got, err := c.Broadcast(t.Context(), 0, []byte("x")); err != nil || string(got) != "x" {
		t.Errorf("broadcast %q, %v", got, err)
	}
}

func TestUnequalLengthsAreNoticed(t *testing.T) {
	err := comm.Goroutines(t.Context(), 2, func(ctx context.Context, c *comm.Comm) error {
		send, receive := make([][]byte, 2), make([][]byte, 2)
		send[1-c.Rank()], receive[1-c.Rank()] = make([]byte, 8), make([]byte, 8*(c.Rank()+1))
		return c.Exchange(ctx, receive, send)
	})
	var unequal *comm.LengthError
	if !errors.As(err, &unequal) || *unequal != (comm.LengthError{From: 0, To: 1, Sent: 8, Expected: 16}) {
		t.Errorf("error %v, want that of the lengths", err)
	}
}
