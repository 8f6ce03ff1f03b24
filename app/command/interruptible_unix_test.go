//go:build unix

package command

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An interruption ends a command that opens a pipe nobody writes to.
func TestOpeningIsInterrupted(t *testing.T) {
	folder := t.TempDir()
	data, pipe, model := moons(t, folder, 40), filepath.Join(folder, "pipe.csv"), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != exitDone {
		t.Fatal(stderr)
	}
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(folder, "out")
	for _, args := range []string{"graph " + pipe, "train " + pipe + " -o " + out, "info " + pipe, "predict " + pipe + " " + data, "predict " + model + " " + pipe,
		"train " + data + " -o " + out + " --recipe " + pipe, "train " + data + " -o " + out + " --config " + pipe, "export " + pipe + " " + out + ".onnx",
		"evaluate " + data + " --labelled 4 --test " + pipe, "tune " + data + " --validation " + pipe, "bench --against " + pipe} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		interrupted(t, ctx, strings.NewReader(""), strings.Fields(args)...)
	}
}
