// Command lapsvm trains and applies classifiers from many points of which few
// are labelled. Run lapsvm help, or lapsvm demo.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the program at once
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// program is what the commands share.
type program struct {
	stdin    io.Reader
	stdout   io.Writer // for results that another program reads, exact but at a terminal
	text     people    // the same for people
	stderr   people
	progress *progress // of the command that runs; nil for none
	quiet    bool      // of the command that runs
	planned  int64     // bytes that the latest training was to take
}

// newProgram makes a program of its streams.
func newProgram(stdin io.Reader, stdout, stderr io.Writer) *program {
	if isTerminal(stdout) {
		stdout = people{stdout}
	}
	return &program{stdin: stdin, stdout: stdout, text: people{stdout}, stderr: people{stderr}}
}

// run executes the command line and returns the exit code. Results go to
// stdout, everything else to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // which a command may lower
	out := &results{w: stdout}
	p := newProgram(stdin, out, stderr)
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	p.progress.done()
	if unread(out.err) {
		return exitUnread
	}
	text, code := "", exitDone
	switch left := (interruptedError{}); {
	case err == nil && out.err == nil:
		return exitDone
	case err == nil:
		text, code = out.err.Error(), exitFailed
	case errors.Is(err, context.Canceled) && errors.As(err, &left):
		text, code = left.text, exitInterrupted
	case errors.Is(err, context.Canceled):
		text, code = "interrupted; nothing was written", exitInterrupted
	default:
		text, code = strings.TrimSpace(inFlags(err)), exitCode(err)
	}
	// A name out of a file breaks no line: only lines that are indented are ones.
	lines := strings.Split(text, "\n  ")
	for k := range lines {
		lines[k] = strings.ReplaceAll(lines[k], "\n", `\n`)
	}
	fmt.Fprintln(p.stderr, "lapsvm: "+strings.Join(lines, "\n  "))
	return code
}
