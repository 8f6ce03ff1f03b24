//go:build !static && (linux || darwin) && (amd64 || arm64)

package mpi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatWasLookedForIsSaid(t *testing.T) {
	folder := t.TempDir()
	env := func(name string) string { return map[string]string{"MPI_HOME": folder}[name] }
	if err := notFound(Launch{By: "mpirun"}, names(openMPI), []string{folder}); !strings.Contains(err.Error(), names(openMPI)[0]) ||
		!strings.Contains(err.Error(), folder) || !strings.Contains(err.Error(), "install") {
		t.Errorf("error %v", err)
	}
	if _, err := load(Launch{}, filepath.Join(folder, "libmpi.so"), env); err == nil || !strings.Contains(err.Error(), "cannot be loaded") {
		t.Errorf("error %v of a library that is not there", err)
	}
	// A library beside the mpirun of the path comes first, and one that is none is named.
	for _, name := range names(openMPI) {
		if err := os.MkdirAll(filepath.Join(folder, "lib"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "lib", name), []byte("nothing"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	chosen, _ := folders(env)
	if len(chosen) == 0 || chosen[0] != filepath.Join(folder, "lib") {
		t.Errorf("looks in %v first", chosen)
	}
	if _, err := open(filepath.Join(folder, "lib", names(openMPI)[0])); err == nil || !strings.Contains(err.Error(), "cannot be loaded") {
		t.Errorf("error %v of a file that is no library", err)
	}
}

func TestNoticesAreReadAsWritten(t *testing.T) {
	for _, n := range []notice{{1, 3, true, "points.csv:17: bad"}, {2, 130, false, ""}, {1, 1, true, strings.Repeat("x", textSize)}} {
		if rank, got := decodeNotice(n.encode(70000)); rank != 70000 || got != n {
			t.Errorf("%+v became %+v of rank %d", n, got, rank)
		}
	}
}
