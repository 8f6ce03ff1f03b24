package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"lapsvm/internal/comm/mpi"
)

// underMPI runs the command as two ranks, by each mpirun that is installed.
func underMPI(t *testing.T, args string, check func(t *testing.T, stdout, stderr string, code int)) {
	if !mpi.Supported {
		t.Skip("this build has no MPI")
	}
	for _, launcher := range []string{"mpirun.openmpi", "mpirun.mpich"} {
		t.Run(launcher, func(t *testing.T) {
			if _, err := exec.LookPath(launcher); err != nil {
				t.Skipf("%s is not installed: apt install openmpi-bin mpich", launcher)
			}
			var stdout, stderr bytes.Buffer
			c := exec.CommandContext(t.Context(), launcher, append([]string{"-n", "2", "lapsvm"}, strings.Fields(args)...)...)
			c.Stdout, c.Stderr = &stdout, &stderr
			c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
				"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_hwloc_base_binding_policy=none", "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe")
			_ = c.Run()
			check(t, stdout.String(), stderr.String(), c.ProcessState.ExitCode())
		})
	}
}

func TestBenchOfRanks(t *testing.T) {
	underMPI(t, "bench --ranks", func(t *testing.T, stdout, stderr string, code int) {
		if code != exitDone || strings.Count(stdout, "2 ranks by mpirun") != 1 || strings.Count(stdout, "a sum of 8 bytes") != 1 {
			t.Errorf("code %d: %s%s", code, stdout, stderr)
		}
	})
}

func TestACommandThatDoesNotWorkOnRanksSaysSoOnce(t *testing.T) {
	underMPI(t, "info model", func(t *testing.T, stdout, stderr string, code int) {
		if code != exitUsage || strings.Count(stderr, "lapsvm info works in one process") != 1 || strings.Contains(stderr, "rank 1") {
			t.Errorf("code %d: %s%s", code, stdout, stderr)
		}
	})
	underMPI(t, "info nowhere --mpi off", func(t *testing.T, stdout, stderr string, code int) {
		if code != exitData || !strings.Contains(stderr, "lapsvm: ") || strings.Contains(stderr, "one process") {
			t.Errorf("each for itself: code %d: %s%s", code, stdout, stderr)
		}
	})
	underMPI(t, "help info", func(t *testing.T, stdout, stderr string, code int) {
		if code != exitDone || strings.Count(stdout, "Usage:") != 1 {
			t.Errorf("help: code %d: %s%s", code, stdout, stderr)
		}
	})
}

func TestRanksAlone(t *testing.T) {
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "bench", "--ranks"); code != exitUsage || !strings.Contains(stderr, "mpirun -n 2") {
		t.Errorf("code %d: %s", code, stderr)
	}
	for args, want := range map[string]string{"bench --mpi lib": "lib", "bench --mpi=lib --ranks": "lib", "predict -- --mpi off": "", "train --mpi": ""} {
		if got := mpiArgument(strings.Fields(args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
