package command

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// interrupted runs a command until it ends by the end of ctx.
func interrupted(t *testing.T, ctx context.Context, stdin io.Reader, args ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := Run(ctx, args, stdin, &stdout, &stderr); code != cli.ExitInterrupted || stderr.String() != "lapsvm: interrupted; nothing was written\n" {
		t.Errorf("lapsvm %q: code %d, %s%s", args, code, stdout.String(), stderr.String())
	}
}

// askedFor is a standard input that nobody writes to; it calls cancel once the
// command waits for it.
type askedFor struct {
	*io.PipeReader
	cancel context.CancelFunc
}

func (a askedFor) Read(b []byte) (int, error) {
	a.cancel()
	return a.PipeReader.Read(b)
}

// An interruption ends a command that waits for its standard input, and also a
// running export.
func TestReadingIsInterrupted(t *testing.T) {
	folder := t.TempDir()
	data, model := moons(t, folder, 40), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	for _, args := range []string{"train - --format csv -o " + filepath.Join(folder, "n"), "graph - --format csv", "tune - --format csv", "convert - " + filepath.Join(folder, "n.csv") + " --format csv",
		"predict " + model + " - --format csv", "evaluate - --format csv --labelled 4"} {
		ctx, cancel := context.WithCancel(t.Context())
		nothing, end := io.Pipe()
		interrupted(t, ctx, askedFor{nothing, cancel}, strings.Fields(args)...)
		end.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, form := range []string{"libsvm", "json", "onnx", "lapsvm"} {
		interrupted(t, ctx, strings.NewReader(""), "export", model, filepath.Join(folder, "out"), "--format", form)
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
		if code, _, stderr := lapsvmRun(t, t.Context(), "", strings.Fields(args)...); code != cli.ExitData {
			t.Errorf("lapsvm %s: code %d, %s", args, code, stderr)
		}
	}
}
