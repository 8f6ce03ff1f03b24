//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lapsvm/internal/ranks/comm"
)

// A rank that is killed ends all, with an error, and leaves no process. LAPSVM_LONG=1
// tries 50 moments with each mpirun.
func TestAKilledRankEndsAll(t *testing.T) {
	moments := 1
	if os.Getenv("LAPSVM_LONG") != "" {
		moments = 50
	}
	random := rand.New(rand.NewPCG(20, 9))
	forLaunchers(t, func(t *testing.T, launcher string) {
		var slowest time.Duration
		for range moments {
			const ranks = 3
			c := mpirun(t, launcher, ranks, "killed")
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			var processes []int
			lines := bufio.NewScanner(out)
			for len(processes) < ranks && lines.Scan() {
				if id, found := strings.CutPrefix(lines.Text(), "process "); found {
					process, _ := strconv.Atoi(id)
					processes = append(processes, process)
				}
			}
			if len(processes) < ranks {
				t.Fatal("not all ranks began")
			}
			time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
			began := time.Now()
			if err := syscall.Kill(processes[random.IntN(ranks)], syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() { // until all have closed it
			}
			if err := c.Wait(); err == nil {
				t.Error("mpirun ended without an error")
			}
			slowest = max(slowest, time.Since(began))
			for _, process := range processes {
				for syscall.Kill(process, 0) == nil { // one that has ended is there until its parent looks
					if time.Since(began) > 10*time.Second {
						t.Fatalf("process %d is there still", process)
					}
					time.Sleep(time.Millisecond)
				}
			}
		}
		t.Logf("%d killed, all ended after %v at most", moments, slowest)
	})
}

func exchangesForever(ctx context.Context, t *Transport, c *comm.Comm) error {
	fmt.Println("process " + strconv.Itoa(os.Getpid()))
	x := make([]float64, 10_000)
	for {
		if err := c.Sum(ctx, x); err != nil {
			return err
		}
	}
}
