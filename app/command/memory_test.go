package command

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// Memory that the system refuses is an error with advice, not a trace.
func TestOutOfMemory(t *testing.T) {
	dir := t.TempDir()
	limited := func(kilobytes, command string) (stderr string, code int) {
		c := exec.CommandContext(t.Context(), "sh", "-c", "ulimit -v "+kilobytes+" && exec "+command)
		var text bytes.Buffer
		c.Dir, c.Stderr = dir, &text
		_ = c.Run()
		return text.String(), c.ProcessState.ExitCode()
	}
	const kilobytes = "3000000"
	if text, code := limited(kilobytes, "lapsvm --version"); code != 0 {
		t.Skipf("no limit of the address space can be set here: %s", text)
	}
	rng, table := rand.New(rand.NewPCG(1, 1)), []byte("x,label\n")
	for i := range 45000 { // half of the matrix takes 4 GB
		table = fmt.Appendf(table, "%.4f,%s\n", rng.Float64(), []string{"a", "b", "", ""}[min(i, 3)])
	}
	if err := os.WriteFile(filepath.Join(dir, "points.csv"), table, 0o600); err != nil {
		t.Fatal(err)
	}
	text, code := limited(kilobytes, "lapsvm train points.csv -o m.lapsvm --solver pcg --memory 9GB --sigma 1 --neighbours 2 --laplacian-degree 1 --gamma-a 1 --gamma-i 1 --proba off")
	if code != cli.ExitFailed || !strings.Contains(text, "out of memory: ") || !strings.Contains(text, "--memory") || strings.Contains(text, "goroutine") {
		t.Errorf("exit code %d: %s", code, text)
	}
}

// Results that have no place beside their rows are refused before they are computed. Of 6,000 rows of two columns the rows with their lengths are
// 141 KB, their scaled copy as many, and the results of two classes 88 bytes a row.
func TestPredictBeyondTheMemory(t *testing.T) {
	folder := t.TempDir()
	data, model := moons(t, folder, 6000), filepath.Join(folder, "m")
	few := filepath.Join(t.TempDir(), "few.csv")
	all, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(few, []byte(strings.Join(strings.SplitAfter(string(all), "\n")[:200], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "train", few, "-o", model, "--sigma", "0.4", "--neighbours", "5", "--gamma-a", "0.01", "--gamma-i", "1", "--standardise", "zscore", "--views", "1")
	for memory, want := range map[string]int{"600kB": cli.ExitData, "900kB": cli.ExitDone} {
		code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, data, "--memory", memory, "--quiet")
		if code != want || want == cli.ExitData && !strings.Contains(stderr, "predicting takes more than the 600 KB of memory that may be used, about 797 KB for 6000 rows; take fewer rows") {
			t.Errorf("%s: code %d, %s", memory, code, stderr)
		}
	}
}

// A graph that the memory allowed has no room for is refused before it is made.
func TestGraphBeyondTheMemory(t *testing.T) {
	data := moons(t, t.TempDir(), 3000)
	for memory, want := range map[string]int{"2MB": cli.ExitUsage, "20MB": cli.ExitDone} {
		code, _, stderr := lapsvmRun(t, t.Context(), "", "graph", data, "--memory", memory, "--quiet")
		if code != want || want == cli.ExitUsage && !strings.Contains(stderr, "the graph of 3000 points with 10 neighbours takes about 2.") {
			t.Errorf("%s: code %d, %s", memory, code, stderr)
		}
	}
}
