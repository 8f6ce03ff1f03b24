package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/internal/testing/detector"
)

// Numbers that are far too large are errors or count as the largest sensible value. Memory may be
// given as a share.
func TestHugeNumbers(t *testing.T) {
	const most = "9223372036854775807"
	folder := t.TempDir()
	data, model := moons(t, folder, 40), filepath.Join(folder, "m")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"train DATA -o OUT --neighbours 5 --threads 1000000000", cli.ExitDone, ""},
		{"train DATA -o OUT --neighbours 5 --max-iter " + most + " --solver pcg", cli.ExitDone, ""},
		{"train DATA -o OUT --neighbours 5 --check-every " + most + " --solver pcg", cli.ExitDone, ""},
		{"train DATA -o OUT --neighbours 5 --memory 50%", cli.ExitDone, ""},
		{"train DATA -o OUT --memory 101%", cli.ExitUsage, "a share of what is free such as 40%"},
		{"train DATA -o OUT --neighbours " + most, cli.ExitUsage, "--neighbours must be from 0 to 2147483647"},
		{"train DATA -o OUT --laplacian-degree 1000000000", cli.ExitUsage, "--laplacian-degree must be from 1 to 100"},
		{"predict OUT DATA --explain " + most, cli.ExitDone, ""},
		{"tune DATA --neighbours 5 --folds " + most, cli.ExitDone, ""},
		{"evaluate DATA --labelled 4 --validation-size " + most, cli.ExitUsage, "ask for fewer"},
		{"evaluate DATA --labelled " + most + " --validation-size " + most, cli.ExitUsage, "ask for fewer"},
		{"evaluate DATA --per-class " + most, cli.ExitUsage, "ask for fewer"},
		{"convert DATA " + model + ".npy --image-size 100000x100000", cli.ExitUsage, "--image-size takes"},
		{"convert DATA " + model + ".svm --features " + most, cli.ExitData, "are expected"},
	} {
		args := strings.Fields(strings.NewReplacer("DATA", data, "OUT", model).Replace(c.args))
		code, _, stderr := lapsvmRun(t, t.Context(), "", args...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("lapsvm %s: code %d, %s", c.args, code, stderr)
		}
	}
}

// interruptAfter is a standard error that interrupts the command once it has read a
// word.
type interruptAfter struct {
	bytes.Buffer
	word   string
	cancel context.CancelFunc
}

func (w *interruptAfter) Write(b []byte) (int, error) {
	n, err := w.Buffer.Write(b)
	if strings.Contains(w.String(), w.word) {
		w.cancel()
	}
	return n, err
}

// An evaluation of very many repeats can be interrupted, and prints its results so far.
func TestInterruptedEvaluationIsKept(t *testing.T) {
	detector.Spare(t)
	data := moons(t, t.TempDir(), 40)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout bytes.Buffer
	stderr := &interruptAfter{word: "repeat 2", cancel: cancel}
	code := Run(ctx, []string{"evaluate", data, "--labelled", "4", "--neighbours", "5", "--sigma", "0.4", "--repeats", "1000000000", "--json", "--progress", "plain"}, strings.NewReader(""), &stdout, stderr)
	var result struct{ Repeats []map[string]float64 }
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil || code != cli.ExitInterrupted || len(result.Repeats) == 0 {
		t.Errorf("code %d, %v, %d repeats, %s", code, err, len(result.Repeats), stderr)
	}
	if !regexp.MustCompile(`interrupted; the result is that of \d+ of 1000000000 repeats\n$`).MatchString(stderr.String()) {
		t.Error(stderr.String())
	}
}

// A report names its model file with the checksum that info shows.
func TestReportNamesItsModel(t *testing.T) {
	folder := t.TempDir()
	data, model, page := moons(t, folder, 40), filepath.Join(folder, "m.lapsvm"), filepath.Join(folder, "page.html")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--report", page, "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	_, stdout, _ := lapsvmRun(t, t.Context(), "", "info", model)
	shown := regexp.MustCompile(`(?m)^checksum +([0-9a-f]{12}) `).FindStringSubmatch(stdout)
	text, err := os.ReadFile(page)
	if err != nil || shown == nil || !strings.Contains(string(text), "m.lapsvm, checksum "+shown[1]) {
		t.Errorf("%v, info shows %v", err, shown)
	}
	_, stdout, _ = lapsvmRun(t, t.Context(), "", "info", model, "--json")
	if shown != nil && !strings.Contains(stdout, `"checksum":"`+shown[1]+`"`) {
		t.Error(stdout)
	}
}
