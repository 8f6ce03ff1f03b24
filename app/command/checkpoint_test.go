package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
	"lapsvm/internal/testing/detector"
)

// A second training with --checkpoint starts at the solver and makes the same model except
// for its times. For other points and settings the parts are computed again. A damaged part
// is refused with advice.
func TestCheckpointFlag(t *testing.T) {
	detector.Spare(t)
	folder := t.TempDir()
	data := moons(t, folder, 20000)
	kept := filepath.Join(folder, "kept")
	train := func(name, data string, flags ...string) (code int, text, stderr string) {
		args := append([]string{"train", data, "-o", filepath.Join(folder, name), "--checkpoint", kept, "--landmarks", "200", "--sigma", "0.3",
			"--neighbours", "6", "--laplacian-degree", "1", "--gamma-a", "1e-3", "--gamma-i", "1", "--standardise", "none"}, flags...)
		return lapsvmRun(t, t.Context(), "", args...)
	}
	told := func(name, data, want string, flags ...string) {
		t.Helper()
		if code, text, stderr := train(name, data, flags...); code != cli.ExitDone || !strings.Contains(text, "checkpoint "+kept+": "+want+"\n") {
			t.Errorf("%s: code %d, want %q in\n%s%s", name, code, want, text, stderr)
		}
	}
	told("first", data, "neighbours made; landmarks made")
	told("second", data, "neighbours as they were kept; landmarks as they were kept")
	info := func(name string) (values map[string]any) {
		_, text, _ := lapsvmRun(t, t.Context(), "", "info", "--json", filepath.Join(folder, name))
		if err := json.Unmarshal([]byte(text), &values); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"seconds", "checksum"} {
			delete(values, key)
		}
		return values
	}
	if first, second := info("first"), info("second"); !reflect.DeepEqual(first, second) {
		t.Errorf("the models differ:\n%v\n%v", first, second)
	}
	few := moons(t, t.TempDir(), 50)
	predict := func(name string) string {
		code, text, stderr := lapsvmRun(t, t.Context(), "", "predict", filepath.Join(folder, name), few, "--proba", "--scores")
		if code != cli.ExitDone {
			t.Fatal(stderr)
		}
		return text
	}
	if first, second := predict("first"), predict("second"); first != second || len(first) < 500 {
		t.Errorf("the models predict\n%s\nand\n%s", first, second)
	}
	told("sigma", data, "neighbours as they were kept; landmarks made anew, as those kept are by other settings", "--sigma", "0.31")
	told("scaled", data, "neighbours made anew, as those kept are of other points; landmarks made anew, as those kept are of other points", "--standardise", "zscore")
	told("again", data, "neighbours made anew, as those kept are of other points; landmarks made anew, as those kept are of other points")

	path := filepath.Join(kept, "landmarks.checkpoint")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := train("damaged", data)
	if code == cli.ExitDone || !strings.Contains(stderr, path) || !strings.Contains(stderr, "checksum") || !strings.Contains(stderr, "delete it") {
		t.Errorf("a damaged part: code %d, %s", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(folder, "damaged")); err == nil {
		t.Error("a damaged part: a model is written")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	told("mended", data, "neighbours as they were kept; landmarks made")
}
