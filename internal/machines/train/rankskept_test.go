package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Ranks that keep neighbours and landmarks train as without, to the bit. The second time each rank
// reads its own kept files. Where the file of one rank is missing, all ranks compute theirs anew.
// Another number of ranks and a file cut short are refused by name, and leave the files as they
// are.
func TestRanksStartAtTheSolver(t *testing.T) {
	d := corners(240, 2, 24)
	base := Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 2}, Solver: Landmarks, Landmarks: 60,
		Precision: 64, Standardise: points.AsIs, Calibrate: true, Seed: 3}
	folder := t.TempDir()
	fit := func(size int, r Recipe, folder string) (fitted *Fitted, err error) {
		err = asShares(t, d, size, func(ctx context.Context, s *dataset.Dataset) error {
			f, err := Fit(ctx, s, r, Run{Checkpoint: folder})
			if f != nil {
				fitted = f
			}
			return err
		})
		return fitted, err
	}
	want, err := fit(3, base, "")
	if err != nil {
		t.Fatal(err)
	}
	expect := func(what string, r Recipe, want *Fitted, told string) {
		t.Helper()
		got, err := fit(3, r, folder)
		if err != nil {
			t.Fatal(what, err)
		}
		if text := strings.Join(got.Summary.Checkpoint, "; "); text != told {
			t.Errorf("%s: told %q, want %q", what, text, told)
		}
		if want != nil {
			same(t, what, got, want)
		}
	}
	const kept = " as they were kept"
	expect("first", base, want, "neighbours made; landmarks made")
	expect("second", base, want, "neighbours"+kept+"; landmarks"+kept)
	file := func(name string) string { return filepath.Join(folder, name+".checkpoint") }
	if err := os.Remove(file("landmarks.2")); err != nil {
		t.Fatal(err)
	}
	expect("one missing", base, want, "neighbours"+kept+"; landmarks made anew, as those of some ranks are missing")
	other := base
	other.Kernel = kernel.Gaussian{Sigma: 0.6}
	expect("another kernel", other, nil, "neighbours"+kept+"; landmarks made anew, as those kept are by other settings")
	expect("again", base, want, "neighbours"+kept+"; landmarks made anew, as those kept are by other settings")

	whole := contents(t, folder)
	refused := func(what string, size int, says ...string) {
		t.Helper()
		_, err := fit(size, base, folder)
		for _, text := range says {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v, want %q", what, err, text)
			}
		}
	}
	refused("two ranks", 2, "neighbours", "is of 3 ranks", "a training of 2 ranks")
	if _, err := Fit(t.Context(), d, base, Run{Checkpoint: folder}); err == nil || !strings.Contains(err.Error(), "a training of one process") {
		t.Errorf("one process: %v", err)
	}
	if fmt.Sprint(contents(t, folder)) != fmt.Sprint(whole) {
		t.Error("refused trainings changed the files")
	}
	if err := os.WriteFile(file("neighbours.1"), whole["neighbours.1.checkpoint"][:1000], 0o666); err != nil {
		t.Fatal(err)
	}
	refused("cut short", 3, "rank 1", file("neighbours.1"), "delete it")
	if err := os.Remove(file("neighbours.1")); err != nil {
		t.Fatal(err)
	}
	d.Points = points.Scaling{Kind: points.UnitNorm}.Apply(d.Points)
	expect("other points", base, nil, "neighbours made anew, as those kept are of other points; landmarks made anew, as those kept are of other points")
}

// contents returns what the files of a folder hold.
func contents(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files, err := os.ReadDir(folder)
	all := make(map[string][]byte)
	for _, file := range files {
		content, err2 := os.ReadFile(filepath.Join(folder, file.Name()))
		all[file.Name()], err = content, errors.Join(err, err2)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}
