// Package command is the command line of lapsvm: a file for each command, and what the commands share. [Run]
// is all of it.
package command

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

// Main runs a program with the arguments and streams of this process, and ends the process with the
// exit code. A signal cancels the context; a second one ends the process at once.
func Main(run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop()
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
	ranks    ranks
}

// newProgram makes a program of its streams.
func newProgram(stdin io.Reader, stdout, stderr io.Writer) *program {
	if isTerminal(stdout) {
		stdout = people{stdout}
	}
	return &program{stdin: stdin, stdout: stdout, text: people{stdout}, stderr: people{stderr}}
}

// Run executes the command line and returns the exit code. Results go to
// stdout, everything else to stderr.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // which a command may lower
	together := launchedRanks(args, os.Getenv, stderr)
	if together.launch.Rank > 0 {
		stdout, stderr = io.Discard, io.Discard
	}
	out := &results{w: stdout}
	p := newProgram(stdin, out, stderr)
	p.ranks = together
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	p.progress.done()
	text, code := outcome(err, out.err)
	if p.ranks.several {
		return p.ranks.leave(ctx, code, text, err)
	}
	if text != "" {
		printError(p.stderr, text)
	}
	return code
}

// outcome returns what a command prints of its error, or of that of standard output, and
// the exit code.
func outcome(err, unwritten error) (text string, code int) {
	switch left := (interruptedError{}); {
	case unread(unwritten):
		return "", exitUnread
	case err == nil && unwritten == nil:
		return "", exitDone
	case err == nil:
		return unwritten.Error(), exitFailed
	case errors.Is(err, context.Canceled) && errors.As(err, &left):
		return left.text, exitInterrupted
	case errors.Is(err, context.Canceled):
		return "interrupted; nothing was written", exitInterrupted
	}
	return strings.TrimSpace(inFlags(err)), exitCode(err)
}

// printError prints the text of an error. A name out of a file breaks no line: only lines
// that are indented are ones.
func printError(w io.Writer, text string) {
	lines := strings.Split(text, "\n  ")
	for k := range lines {
		lines[k] = strings.ReplaceAll(lines[k], "\n", `\n`)
	}
	fmt.Fprintln(w, "lapsvm: "+strings.Join(lines, "\n  "))
}
