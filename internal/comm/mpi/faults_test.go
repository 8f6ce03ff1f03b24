//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"lapsvm/internal/comm"
)

// A rank that panics ends all, with what Go says of it.
func TestARankThatPanicsEndsAll(t *testing.T) {
	forLaunchers(t, func(t *testing.T, launcher string) {
		out, err := mpirun(t, launcher, 2, "panics").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "panic: on rank 1") {
			t.Errorf("%v\n%s", err, out)
		}
		ended(t, string(out))
	})
}

// ended waits until the processes that an output names are gone.
func ended(t *testing.T, out string) {
	t.Helper()
	began, named := time.Now(), 0
	for line := range strings.Lines(out) {
		var process int
		if n, _ := fmt.Sscanf(line, "process %d", &process); n == 0 {
			continue
		}
		for named++; syscall.Kill(process, 0) == nil; time.Sleep(time.Millisecond) {
			if time.Since(began) > 10*time.Second {
				t.Fatalf("process %d is there still", process)
			}
		}
	}
	if named == 0 {
		t.Errorf("no process began:\n%s", out)
	}
}

func panics(ctx context.Context, t *Transport, c *comm.Comm) error {
	if c.Rank() == 0 {
		return exchangesForever(ctx, t, c)
	}
	go panic("on rank 1")
	return c.Sum(ctx, make([]float64, 1))
}

// A rank whose others never join ends when its context does.
func TestJoiningCanBeInterrupted(t *testing.T) {
	forLaunchers(t, func(t *testing.T, launcher string) {
		c := mpirun(t, launcher, 1, "alone")
		c.Args = append(c.Args, ":", "-n", "1", "sleep", "5")
		if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), ErrNotJoined.Error()) {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// joinsAlone is the role of a rank that waits a quarter of a second for the others.
func joinsAlone(l Launch) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second/4)
	defer cancel()
	_, _, err := Join(ctx, l, "", os.Getenv)
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, ErrNotJoined) && errors.Is(err, context.DeadlineExceeded) {
		return 3
	}
	return 0
}
