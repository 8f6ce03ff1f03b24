//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"lapsvm/internal/comm"
)

// TestMeasure logs what messages cost, with LAPSVM_LONG=1.
func TestMeasure(t *testing.T) {
	if os.Getenv("LAPSVM_LONG") == "" {
		t.Skip("LAPSVM_LONG=1 measures")
	}
	forLaunchers(t, func(t *testing.T, launcher string) {
		for _, ranks := range []int{2, 4} {
			out, err := mpirun(t, launcher, ranks, "measure").CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%d ranks: %s", ranks, out)
		}
	})
}

func measure(ctx context.Context, t *Transport, c *comm.Comm) error {
	const times, size = 5000, 64 << 20
	one := []float64{1}
	for range 100 {
		if err := c.Sum(ctx, one); err != nil {
			return err
		}
	}
	began := time.Now()
	for range times {
		if err := c.Sum(ctx, one); err != nil {
			return err
		}
	}
	latency := time.Since(began) / times
	send, receive := make([][]byte, c.Size()), make([][]byte, c.Size())
	for r := range send {
		send[r], receive[r] = make([]byte, size/(c.Size()-1)), make([]byte, size/(c.Size()-1))
	}
	var rate float64
	for range 8 {
		began := time.Now()
		if err := c.Exchange(ctx, receive, send); err != nil {
			return err
		}
		rate = max(rate, size/time.Since(began).Seconds())
	}
	if c.Rank() == 0 {
		fmt.Printf("a sum of 8 bytes takes %v, exchanges of 64 MB send %.2f GB/s a rank", latency, rate/1e9)
	}
	return nil
}
