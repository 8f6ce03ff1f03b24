package lapsvm_test

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"

	"lapsvm"
	"lapsvm/dataset/files"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
)

// A program that imports the library gets the bits of the command: nothing is
// registered in one of them.
func TestLibraryIsTheCommand(t *testing.T) {
	detector.Spare(t)
	folder := t.TempDir()
	command, table := filepath.Join(folder, "lapsvm"), filepath.Join(folder, "moons.csv")
	build := []string{"build", "-o", command}
	if info, ok := debug.ReadBuildInfo(); ok { // with the tags of this test
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				build = append(build, "-tags", s.Value)
			}
		}
	}
	if out, err := exec.Command("go", append(build, "./cmd/lapsvm")...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), command, args...).CombinedOutput(); err != nil {
			t.Fatalf("lapsvm %v: %v: %s", args, err, out)
		}
	}
	drawn, _ := moons(500, 20, 3)
	if err := files.WriteFile(t.Context(), table, drawn, files.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	d, err := files.ReadFile(table, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []lapsvm.Solver{lapsvm.Deformed, lapsvm.Newton} {
		model, values := filepath.Join(folder, "model"), filepath.Join(folder, "values.csv")
		run("train", table, "-o", model, "--solver", string(solver), "--sigma", "0.3", "--neighbours", "6", "--laplacian-degree", "2",
			"--gamma-a", "1e-5", "--gamma-i", "0.01", "--proba", "off")
		run("predict", model, table, "--scores", "-o", values)
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Solver: solver, Kernel: kernel.Gaussian{Sigma: 0.3}, Graph: graph.Options{Neighbours: 6, Degree: 2}, GammaA: 1e-5, GammaI: 0.01}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := m.Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(values)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		if err != nil || len(rows) != len(scores)+1 {
			t.Fatalf("%s: %d rows, error %v", solver, len(rows), err)
		}
		for i, row := range rows[1:] {
			if got, err := strconv.ParseFloat(row[len(row)-1], 64); err != nil || got != scores[i][1] {
				t.Fatalf("%s, row %d: the command gives %s, the library %v", solver, i+1, row[len(row)-1], scores[i][1])
			}
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
