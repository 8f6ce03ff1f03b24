package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// interrupted runs a command that waits for its input, and interrupts it.
func interrupted(t *testing.T, stdin io.Reader, args ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout, stderr bytes.Buffer
	ended := make(chan int)
	go func() { ended <- run(ctx, args, stdin, &stdout, &stderr) }()
	cancel()
	if code := <-ended; code != exitInterrupted || stderr.String() != "lapsvm: interrupted; nothing was written\n" {
		t.Errorf("lapsvm %q: code %d, %s%s", args, code, stdout.String(), stderr.String())
	}
}

// An interruption ends a command that waits for its standard input.
func TestReadingIsInterrupted(t *testing.T) {
	folder := t.TempDir()
	data, model := moons(t, folder, 40), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != exitDone {
		t.Fatal(stderr)
	}
	for _, args := range []string{"train - --format csv -o " + filepath.Join(folder, "n"), "graph - --format csv", "tune - --format csv", "convert - " + filepath.Join(folder, "n.csv") + " --format csv",
		"predict " + model + " - --format csv", "evaluate - --format csv --labelled 4"} {
		nothing, end := io.Pipe() // nobody writes to it
		interrupted(t, nothing, strings.Fields(args)...)
		end.Close()
	}
	for _, form := range []string{"libsvm", "json", "onnx", "lapsvm"} {
		interrupted(t, strings.NewReader(""), "export", model, filepath.Join(folder, "out"), "--format", form)
	}
	if left, _ := os.ReadDir(folder); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}

// Files of settings that have no end are refused.
func TestEndlessSettings(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	data := moons(t, folder, 40)
	for _, args := range []string{"train " + data + " -o " + filepath.Join(folder, "m") + " --config /dev/zero", "train " + data + " -o " + filepath.Join(folder, "m") + " --recipe /dev/zero",
		"bench --against /dev/zero", "info /dev/zero"} {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(args)...); code != exitData {
			t.Errorf("lapsvm %s: code %d, %s", args, code, stderr)
		}
	}
}
