package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lapsvm/app/command/cli"
)

// broken is a standard output that takes the first bytes and fails then.
type broken struct {
	left int
	err  error
}

func (b *broken) Write(p []byte) (int, error) {
	if len(p) > b.left {
		n := b.left
		b.left = 0
		return n, &os.PathError{Op: "write", Path: "/dev/stdout", Err: b.err}
	}
	b.left -= len(p)
	return len(p), nil
}

// commandsThatPrint are the command lines of tests of standard output.
func commandsThatPrint(t *testing.T) []string {
	folder := t.TempDir()
	data, model := moons(t, folder, 40), filepath.Join(folder, "m.lapsvm")
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "train", data, "-o", model, "--neighbours", "5", "--quiet"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	return []string{"--help", "--version", "help train", "train --help-all", "completion bash", "info " + model, "info " + model + " --json", "graph " + data, "graph " + data + " --json",
		"train " + data + " --neighbours 5 -o " + filepath.Join(folder, "n.lapsvm"), "predict " + model + " " + data, "predict " + model + " " + data + " --explain 1",
		"convert " + data + " - --to csv", "tune " + data + " --neighbours 5", "export " + model + " " + filepath.Join(folder, "m.json")}
}

// A full disk behind standard output is a failure, with a line that says so,
// wherever it begins.
func TestStandardOutputFails(t *testing.T) {
	for _, args := range commandsThatPrint(t) {
		for _, room := range []int{0, 7} {
			var stderr bytes.Buffer
			code := Run(t.Context(), strings.Fields(args), strings.NewReader(""), &broken{room, syscall.ENOSPC}, &stderr)
			if code != cli.ExitFailed || strings.Count(stderr.String(), "standard output cannot be written (no space left on device)") != 1 {
				t.Errorf("lapsvm %s with room for %d bytes: code %d, %s", args, room, code, stderr.String())
			}
		}
	}
}

// The same on the device that is always full.
func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	var stderr bytes.Buffer
	if code := Run(t.Context(), []string{"help"}, strings.NewReader(""), full, &stderr); code != cli.ExitFailed || !strings.Contains(stderr.String(), "standard output") {
		t.Errorf("code %d, %s", code, stderr.String())
	}
}

// A program that reads no further, such as head, is no failure to talk about.
func TestNobodyReads(t *testing.T) {
	for _, args := range commandsThatPrint(t) {
		var stderr bytes.Buffer
		code := Run(t.Context(), strings.Fields(args), strings.NewReader(""), &broken{7, syscall.EPIPE}, &stderr)
		if code != cli.ExitUnread || strings.Contains(stderr.String(), "lapsvm:") {
			t.Errorf("lapsvm %s: code %d, %s", args, code, stderr.String())
		}
	}
}

// Names out of a file do not reach a terminal or a log as they are, wherever they are
// shown to people. JSON and CSV have them exactly.
func TestNamesDoNotSteerTerminals(t *testing.T) {
	folder := t.TempDir()
	class, column := "\x1b]0;owned\x07", "\x1b[2Jwide\u009b"
	var table strings.Builder
	table.WriteString(column + ",b,id,\x1b[1mlabel\n")
	for k, x := range []string{"0", "0.1", "0.2", "0.3", "5", "5.1", "5.2", "5.3"} {
		name := class
		if k >= 4 {
			name = "two\nlines\x1b[5m"
		}
		if k%2 == 1 {
			name = ""
		}
		table.WriteString(x + "," + x + ",\x1b[7m" + x + ",\"" + name + "\"\n")
	}
	data, model := file(t, folder, "\x1b[31mdata.csv", table.String()), filepath.Join(folder, "\x1b[32mm.lapsvm")
	for _, args := range [][]string{
		{"train", data, "-o", model, "--neighbours", "3", "--id", "id", "--progress", "plain", "--report", filepath.Join(folder, "page.html")},
		{"info", model},
		{"graph", data, "--neighbours", "3", "--id", "id"},
		{"tune", data, "--neighbours", "3", "--id", "id"},
		{"predict", model, data, "--explain", "8"},
		{"convert", data, filepath.Join(folder, "\x1b[33m.svm")},
		{"export", model, filepath.Join(folder, "\x1b[34m.libsvm")},
		{"predict", model + "\nlapsvm: all is well\x1b[0m", data},
		{"train", data, "-o", "\x1b[35m/m"},
		{"\x1b[36m"},
		{"train", "--\x1b[36m"},
	} {
		_, stdout, stderr := lapsvmRun(t, t.Context(), "", args...)
		if at := strings.IndexAny(stdout+stderr, "\x1b\x07\u009b"); at >= 0 {
			t.Errorf("lapsvm %q prints %.60q", args, (stdout + stderr)[at:])
		}
		if strings.Contains(stdout+stderr, "two\n") || strings.Contains(stderr, "\nlapsvm: all") {
			t.Errorf("lapsvm %q breaks a line within a name: %s%s", args, stdout, stderr)
		}
	}
	_, stdout, _ := lapsvmRun(t, t.Context(), "", "predict", model, data, "--json")
	var result struct{ Classes []string }
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || len(result.Classes) != 2 || result.Classes[0] != class {
		t.Errorf("JSON has the classes %q, %v", result.Classes, err)
	}
	_, stdout, _ = lapsvmRun(t, t.Context(), "", "predict", model, data)
	if rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll(); err != nil || rows[1][1] != class {
		t.Errorf("CSV has %q, %v", rows, err)
	}
}
