//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"lapsvm/internal/ranks/comm"
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

// A rank that crashes, as it panics or has no memory, ends all, and says so.
func TestARankThatCrashesEndsAll(t *testing.T) {
	for role, says := range map[string]string{"panics": "panic: on rank 1", "memory": "fatal error: |SIGSEGV: "} { // Go's collector may be what finds no memory
		if role == "memory" && runtime.GOOS != "linux" {
			continue // there is no /proc
		}
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			forLaunchers(t, func(t *testing.T, launcher string) {
				c, mark := mpirun(t, launcher, 2, role), t.TempDir()
				c.Args = append(c.Args, mark)
				out, err := c.CombinedOutput()
				if err == nil || !regexp.MustCompile(says).Match(out) {
					t.Errorf("%v\n%s", err, out)
				}
				ended(t, mark)
			})
		})
	}
}

// ended waits until the processes with an argument are gone, where the system tells.
func ended(t *testing.T, argument string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for _, path := range all {
		for {
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text), argument+"\x00") {
				break
			}
			if time.Since(began) > 10*time.Second {
				t.Fatalf("%s is there still", path)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// panics has rank 1 panic in the same exchange as rank 0. Exchanges of different lengths would have
// the library write over memory.
func panics(ctx context.Context, t *Transport, c *comm.Comm) error {
	if c.Rank() == 0 {
		return exchangesForever(ctx, t, c)
	}
	go panic("on rank 1")
	return exchangesForever(ctx, t, c)
}

// takesMemory has rank 1 take more memory than there is.
func takesMemory(ctx context.Context, t *Transport, c *comm.Comm) error {
	if c.Rank() == 0 {
		return exchangesForever(ctx, t, c)
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return err
	}
	limit := pages*uint64(os.Getpagesize()) + 64<<20
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
	var all [][]float64
	for len(all) < 1<<20 {
		all = append(all, make([]float64, 1<<20))
	}
	return fmt.Errorf("%d MB of memory are there", 8*len(all))
}
