package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// release is one run of the release program.
type release struct {
	root, out string // the checkout, and the folder for what is made
	targets   []target
	log       io.Writer
	commit    commit
	version   string // of the programs, without v: set by the first that is built
}

// commit is git's information on the released commit.
type commit struct {
	id     string
	time   time.Time
	author string // name and address
}

// command makes a command that runs in the checkout.
func (r *release) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = r.root
	return c
}

// output runs a command in the checkout and returns what it prints, without blanks at
// its ends.
func (r *release) output(ctx context.Context, name string, args ...string) (string, error) {
	return output(r.command(ctx, name, args...))
}

// output runs a command; on a failure the error has the command's own message.
func output(c *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, bytes.TrimSpace(append(stdout.Bytes(), stderr.Bytes()...)))
	}
	return strings.TrimSpace(stdout.String()), nil
}

// head asks git for the commit.
func (r *release) head(ctx context.Context) error {
	text, err := r.output(ctx, "git", "log", "-1", "--format=%H%n%ct%n%an <%ae>")
	if err != nil {
		return err
	}
	lines := strings.SplitN(text, "\n", 3)
	if len(lines) < 3 {
		return fmt.Errorf("git tells %q of the commit", text)
	}
	seconds, err := strconv.ParseInt(lines[1], 10, 64)
	r.commit = commit{lines[0], time.Unix(seconds, 0).UTC(), lines[2]}
	return err
}

// static is the tag of the program for Linux that needs no library of its system. It therefore
// knows no MPI.
const static = "static"

// build builds the program for a target into a folder, by a tag or none: without symbols, without
// names of folders of this machine, for the oldest processors of its kind. The program can be
// loaded at any address, as Debian wants of programs that may serve a network. The static program
// cannot, because Linux would then need a loader.
func (r *release) build(ctx context.Context, t target, tag, folder string) (program []byte, info *debug.BuildInfo, err error) {
	path := filepath.Join(folder, t.system+"_"+t.processor+tag, t.program())
	mode := "pie"
	if tag == static {
		mode = "exe"
	}
	c := r.command(ctx, "go", "build", "-buildmode="+mode, "-tags="+tag, "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", path, "./cmd/lapsvm")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off",
		"GOOS="+t.system, "GOARCH="+t.processor, "GOAMD64=v1", "GOARM64=v8.0")
	if _, err := output(c); err != nil {
		return nil, nil, err
	}
	if info, err = buildinfo.ReadFile(path); err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }) {
		return nil, nil, fmt.Errorf("the program does not know its commit, which Go looks for in clones alone: make it in one, and not in a worktree or in sources without git")
	}
	program, err = os.ReadFile(path)
	return program, info, err
}

// here is the target of this machine.
func here() target { return target{runtime.GOOS, runtime.GOARCH} }

// generated runs the program to write its manual pages and completions. It runs the program built
// for this machine or, where this machine is no target, one made by go build.
func (r *release) generated(ctx context.Context, folder string) ([]entry, error) {
	program := filepath.Join(folder, here().program())
	var err error
	if slices.Contains(r.targets, here()) {
		program = filepath.Join(folder, here().system+"_"+here().processor, here().program())
		_, _, err = r.build(ctx, here(), "", folder)
	} else {
		_, err = r.output(ctx, "go", "build", "-o", program, "./cmd/lapsvm")
	}
	if err != nil {
		return nil, err
	}
	pages := filepath.Join(folder, "man")
	if _, err := r.output(ctx, program, "man", pages); err != nil {
		return nil, err
	}
	entries, err := filesOf(pages, ".", "man")
	if err != nil {
		return nil, err
	}
	for _, shell := range []struct{ name, file string }{{"bash", "lapsvm.bash"}, {"zsh", "_lapsvm"}, {"fish", "lapsvm.fish"}, {"powershell", "lapsvm.ps1"}} {
		text, err := r.output(ctx, program, "completion", shell.name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{path: "completions/" + shell.file, data: []byte(text + "\n")})
	}
	return entries, nil
}
