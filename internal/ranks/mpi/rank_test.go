//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/ranks/commtest"
)

// The tests run this program itself under mpirun, where roleVariable says what to do.
const roleVariable = "LAPSVM_MPI_ROLE"

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	os.Exit(rank(role))
}

// rank is what a process under mpirun does.
func rank(role string) int {
	l, several, err := Launched(os.Getenv)
	if err != nil || !several && l.Size != 1 {
		fmt.Fprintln(os.Stderr, "not launched:", l, err)
		return 1
	}
	if role == "alone" {
		return joinsAlone(l)
	}
	t, ctx, err := Join(context.Background(), l, "", os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	c, ctx := comm.New(ctx, t)
	if err := roles[role](ctx, t, c); err != nil {
		fmt.Fprintf(os.Stderr, "rank %d: %v\n", c.Rank(), err)
		t.Abort(1)
	}
	if err := t.Finish(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

var roles = map[string]func(ctx context.Context, t *Transport, c *comm.Comm) error{
	"checks":  checks,
	"nil":     recovers,
	"fail":    fails,
	"alike":   failsAlike,
	"less":    func(ctx context.Context, t *Transport, c *comm.Comm) error { return unequal(ctx, t, c, 16) },
	"more":    func(ctx context.Context, t *Transport, c *comm.Comm) error { return unequal(ctx, t, c, 4) },
	"killed":  exchangesForever,
	"panics":  panics,
	"memory":  takesMemory,
	"measure": measure,
	"long":    long,
	"late":    late,
}

// launchers are the mpiruns that tests know.
var launchers = []string{"mpirun.openmpi", "mpirun.mpich"}

// mpirun returns a command that runs a role on the given number of ranks.
func mpirun(t *testing.T, launcher string, ranks int, role string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(launcher)
	if err != nil {
		t.Skipf("%s is not installed: apt install openmpi-bin mpich", launcher)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Launchers that start at the same time in one folder fail there; sockets in it want a short name.
	sessions, err := os.MkdirTemp("", "mpi")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sessions) })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, path, "-n", strconv.Itoa(ranks), own)
	c.Env = append(os.Environ(), roleVariable+"="+role, "OMPI_MCA_orte_tmpdir_base="+sessions, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_hwloc_base_binding_policy=none", "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe")
	return c
}

// forLaunchers runs a test with each launcher.
func forLaunchers(t *testing.T, do func(t *testing.T, launcher string)) {
	for _, launcher := range launchers {
		t.Run(launcher, func(t *testing.T) { do(t, launcher) })
	}
}

func TestTransport(t *testing.T) {
	forLaunchers(t, func(t *testing.T, launcher string) {
		for _, ranks := range []int{1, 2, 3, 4} {
			if out, err := mpirun(t, launcher, ranks, "checks").CombinedOutput(); err != nil || strings.Count(string(out), "checked") != ranks {
				t.Errorf("%d ranks: %v\n%s", ranks, err, out)
			}
		}
	})
}

func checks(ctx context.Context, t *Transport, c *comm.Comm) error {
	if l, _, err := Launched(os.Getenv); err != nil || l.Rank != c.Rank() || l.Size != c.Size() {
		return fmt.Errorf("the environment says %+v (%v), the library rank %d of %d", l, err, c.Rank(), c.Size())
	}
	for _, longest := range []int{longest, 1 << 16} {
		t.operations.longest = longest
		for name, check := range sorted(commtest.Checks) {
			if err := check(ctx, c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	fmt.Println("checked with", t.Library())
	return nil
}

// sorted goes through a map in the same order on all ranks.
func sorted[V any](m map[string]V) func(yield func(string, V) bool) {
	return func(yield func(string, V) bool) {
		var keys []string
		for key := range m {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}

// MPI libraries take the signals by which Go recovers from a nil pointer.
func TestNilPointersAreRecoveredBesideMPI(t *testing.T) {
	forLaunchers(t, func(t *testing.T, launcher string) {
		if out, err := mpirun(t, launcher, 2, "nil").CombinedOutput(); err != nil || strings.Count(string(out), "recovered") != 2 {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

func recovers(ctx context.Context, _ *Transport, c *comm.Comm) error {
	defer func() { fmt.Println("recovered", recover()) }()
	var nothing *[1 << 10]int
	fmt.Println(nothing[len(os.Args)])
	return errors.New("not reached")
}

// The rank that fails says why, the others end by its code without a word.
func TestARankThatFailsEndsAll(t *testing.T) {
	forLaunchers(t, func(t *testing.T, launcher string) {
		out, err := mpirun(t, launcher, 4, "fail").CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(string(out), "rank 2: bad data") || strings.Count(string(out), "bad data") != 1 {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

func fails(ctx context.Context, t *Transport, c *comm.Comm) error {
	var err error
	switch c.Rank() {
	case 2:
		leave(t, 3, "bad data")
	case 1:
		<-ctx.Done() // a rank that computes hears of it too
	default:
		err = c.Sum(ctx, []float64{1})
	}
	ended := new(Ended)
	if cause := context.Cause(ctx); !errors.As(cause, &ended) || ended.Code != 3 || c.Rank() != 1 && err == nil {
		return fmt.Errorf("an error %v, of the context %v", err, cause)
	}
	leave(t, ended.Code, "")
	return nil
}

// leave ends a rank as a program does.
func leave(t *Transport, code int, text string) {
	first, abort := t.Fail(code, text, 10*time.Second, func() { fmt.Fprintf(os.Stderr, "rank %d: %s\n", t.Rank(), text) })
	if !abort {
		time.Sleep(10 * time.Second) // until rank 0 ends all
	}
	t.Abort(first)
}

func TestAnErrorOfAllRanksIsSaidOnce(t *testing.T) {
	forLaunchers(t, func(t *testing.T, launcher string) {
		out, err := mpirun(t, launcher, 3, "alike").CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || strings.Count(string(out), "no such flag") != 1 || !strings.Contains(string(out), "rank 0: no such flag") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

func failsAlike(ctx context.Context, t *Transport, c *comm.Comm) error {
	leave(t, 2, "no such flag")
	return nil
}

// What comes with another length than expected is no data.
func TestUnequalLengthsAreNoticed(t *testing.T) {
	forLaunchers(t, func(t *testing.T, launcher string) {
		for role, said := range map[string]string{"less": "rank 0 sent 8 bytes to rank 1, which expected 16", "more": "rank 0 sent more bytes to rank 1, which expected 4"} {
			out, err := mpirun(t, launcher, 2, role).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(string(out), said) {
				t.Errorf("%s than expected: %v\n%s", role, err, out)
			}
		}
	})
}

// unequal has rank 1 expect another number of bytes than the 8 that rank 0 sends.
func unequal(ctx context.Context, t *Transport, c *comm.Comm, expects int) error {
	receive, send := make([][]byte, 2), make([][]byte, 2)
	send[1-c.Rank()], receive[1-c.Rank()] = make([]byte, 8), make([]byte, 8)
	if c.Rank() == 1 {
		receive[0] = make([]byte, expects)
	}
	err := c.Exchange(ctx, receive, send)
	if c.Rank() == 1 {
		if err == nil {
			return errors.New("no error")
		}
		leave(t, 3, err.Error())
	}
	<-ctx.Done()
	leave(t, 3, "")
	return nil
}

// A rank that others wait for is named, by one of them.
func TestARankThatIsWaitedForIsNamed(t *testing.T) {
	forLaunchers(t, func(t *testing.T, launcher string) {
		out, err := mpirun(t, launcher, 3, "late").CombinedOutput()
		for said, want := range map[string]bool{"0: rank 1 waits for [0]\n": true, "1: rank 0 waits for [2]\n": true, "2: rank": false} {
			if err != nil || strings.Contains(string(out), said) != want {
				t.Errorf("%v, %q is said: %v\n%s", err, said, !want, out)
			}
		}
	})
}

// late has rank 0 come late to an exchange, rank 2 to the next and rank 0 to the last, for
// which the others are to wait.
func late(ctx context.Context, t *Transport, c *comm.Comm) error {
	turn := 0
	t.TellWaiting(100*time.Millisecond, 100*time.Millisecond, func(ranks []int, _ time.Duration) {
		fmt.Printf("%d: rank %d waits for %v\n", turn, c.Rank(), ranks)
	})
	for number, last := range []int{0, 2, 0} {
		if turn = number; c.Rank() == last {
			time.Sleep(time.Second)
		}
		if err := c.Sum(ctx, []float64{1}); err != nil {
			return err
		}
		if last == 2 {
			ctx = comm.Expect(ctx)
		}
	}
	return nil
}
