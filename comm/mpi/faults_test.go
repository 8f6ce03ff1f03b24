//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

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
