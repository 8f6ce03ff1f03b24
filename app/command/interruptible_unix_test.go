//go:build unix

package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lapsvm/app/command/cli"
)

// An interruption ends a command that opens a pipe nobody writes to.
func TestOpeningIsInterrupted(t *testing.T) {
	folder := t.TempDir()
	data, pipe, model := moons(t, folder, 40), filepath.Join(folder, "pipe.csv"), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(folder, "out")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "label", pipe); code != cli.ExitData || !strings.Contains(stderr, "pipe.csv is a pipe or a device") {
		t.Errorf("label of a pipe: %d %s", code, stderr)
	}
	for _, args := range []string{"graph " + pipe, "train " + pipe + " -o " + out, "info " + pipe, "predict " + pipe + " " + data, "predict " + model + " " + pipe,
		"train " + data + " -o " + out + " --recipe " + pipe, "train " + data + " -o " + out + " --config " + pipe, "export " + pipe + " " + out + ".onnx",
		"evaluate " + data + " --labelled 4 --test " + pipe, "tune " + data + " --validation " + pipe, "bench --against " + pipe, "label " + data + " --quiet --import " + pipe} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		interrupted(t, ctx, strings.NewReader(""), strings.Fields(args)...)
	}
}

// An interruption also ends a command that opens such a pipe for anything else, or opens a pipe
// without a reader for writing.
func TestOpeningAnythingIsInterrupted(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	data, model := moons(t, folder, 40), file("m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	for what, args := range map[string]string{"a model": "train " + data + " --quiet --neighbours 5 -o PIPE", "predictions": "predict " + model + " " + data + " --quiet -o PIPE",
		"labels":  "label " + data + " --quiet --store " + file("store") + " --import PIPE --address 127.0.0.1:0",
		"a token": "serve " + model + " --quiet --address 127.0.0.1:0 --token-file PIPE", "a certificate": "serve " + model + " --quiet --address 127.0.0.1:0 --tls-cert PIPE --tls-key PIPE"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe.csv")
			if err := syscall.Mkfifo(pipe, 0o666); err != nil {
				t.Skip(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(300*time.Millisecond, cancel)
			interrupted(t, ctx, strings.NewReader(""), strings.Fields(strings.ReplaceAll(args, "PIPE", pipe))...)
		})
	}
}

// A standard output that is closed loses no result in silence.
func TestClosedOutput(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0) // as Go's runtime opens it in place of one that is closed
	if err != nil {
		t.Skip(err)
	}
	defer null.Close()
	folder := t.TempDir()
	data, model := moons(t, folder, 40), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	for _, args := range []string{"predict " + model + " " + data, "predict --json " + model + " " + data, "convert " + data + " - --to csv"} {
		var stderr bytes.Buffer
		if code := Run(t.Context(), strings.Fields(args), strings.NewReader(""), null, &stderr); code != cli.ExitFailed || !strings.Contains(stderr.String(), "standard output is closed") {
			t.Errorf("lapsvm %s: code %d, %s", args, code, stderr.String())
		}
	}
}
