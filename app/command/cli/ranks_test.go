package cli

import (
	"strings"
	"testing"
)

func TestMPIArgument(t *testing.T) {
	for args, want := range map[string]string{"bench --mpi lib": "lib", "bench --mpi=lib --ranks": "lib", "predict -- --mpi off": "", "train --mpi": ""} {
		if got := mpiArgument(strings.Fields(args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
