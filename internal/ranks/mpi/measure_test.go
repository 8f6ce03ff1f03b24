//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"lapsvm/internal/ranks/comm"
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
			t.Logf("%d ranks:\n%s", ranks, out)
		}
	})
}

// measure prints how long exchanges take in which every rank sends all others so many bytes
// together, and how much each sends a second.
func measure(ctx context.Context, t *Transport, c *comm.Comm) error {
	const largest = 64 << 20
	to, from := make([]byte, largest), make([]byte, largest)
	send, receive := make([][]byte, c.Size()), make([][]byte, c.Size())
	for size := 8; size <= largest; size *= 8 {
		each := size / (c.Size() - 1)
		for r := range send {
			if r != c.Rank() {
				at := (r + c.Size() - c.Rank() - 1) % c.Size() * each
				send[r], receive[r] = to[at:at+each], from[at:at+each]
			}
		}
		times := min(5000, max(8, (1<<28)/size))
		var began time.Time
		for k := -times / 4; k < times; k++ {
			if k == 0 {
				began = time.Now()
			}
			if err := c.Exchange(ctx, receive, send); err != nil {
				return err
			}
		}
		took := time.Since(began) / time.Duration(times)
		if c.Rank() == 0 {
			fmt.Printf("%9d bytes %10.1f µs %7.2f GB/s\n", size, float64(took.Nanoseconds())/1000, float64(size)/float64(took.Nanoseconds()))
		}
	}
	return nil
}

// TestLongMessages sends more than MPI counts in one message, with LAPSVM_LONG=1: 2.7 GB of memory.
func TestLongMessages(t *testing.T) {
	if os.Getenv("LAPSVM_LONG") == "" {
		t.Skip("LAPSVM_LONG=1 sends them")
	}
	forLaunchers(t, func(t *testing.T, launcher string) {
		if out, err := mpirun(t, launcher, 2, "long").CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

func long(ctx context.Context, _ *Transport, c *comm.Comm) error {
	const size = longest + longest/4 // from rank 0 to rank 1
	send, receive := make([][]byte, 2), make([][]byte, 2)
	at := func(i int) byte { return byte(i>>20 + i) }
	if c.Rank() == 0 {
		send[1] = make([]byte, size)
		for i := range send[1] {
			send[1][i] = at(i)
		}
	} else {
		receive[0] = make([]byte, size)
	}
	if err := c.Exchange(ctx, receive, send); err != nil {
		return err
	}
	for i, v := range receive[0] {
		if v != at(i) {
			return fmt.Errorf("byte %d is %d, want %d", i, v, at(i))
		}
	}
	return nil
}
