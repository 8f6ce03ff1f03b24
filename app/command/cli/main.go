// Package cli is what every command stands on: the program with its streams, ranks and progress,
// errors and exit codes, help and completion, and the manners of flags and results.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"lapsvm/internal/system/unfinished"
)

// Main runs a program with the arguments and streams of this process, and ends the process with the
// exit code. A signal cancels the context; a second one ends the process at once.
func Main(run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int) {
	prepareHeap()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop()
	}()
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	unfinished.RemoveAll()
	os.Exit(code)
}

// Program is the state shared by the commands.
type Program struct {
	Stdin    io.Reader
	Stdout   io.Writer // for results that another program reads, exact but at a terminal
	Text     io.Writer // the same for people
	stderr   people
	Progress *Progress // of the command that runs; nil for none
	Quiet    bool      // of the command that runs
	Planned  int64     // bytes that the latest training was to take
	json     bool      // the command that runs prints its result as JSON, and so its failure
	ranks    ranks
	left     *atomic.Bool // the command that runs has left something

	root  func(*Program) *cobra.Command // makes the commands
	asked string                        // the first argument, "" for none
	alone bool                          // it is a command, and no other was made
}

// NewProgram makes a program of its streams.
func NewProgram(stdin io.Reader, stdout, stderr io.Writer) *Program {
	if isTerminal(stdout) {
		stdout = people{stdout}
	}
	return &Program{Stdin: stdin, Stdout: stdout, Text: people{stdout}, stderr: people{stderr}, left: new(atomic.Bool)}
}

// Execute executes a command line of the program with the commands below root, which
// [Program.Root] makes. It returns the exit code. Results go to stdout, everything else to stderr.
func Execute(ctx context.Context, root func(*Program) *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	defer Collector()() // which a command may limit
	together := launchedRanks(args, os.Getenv, stderr)
	if together.launch.Rank > 0 {
		stdout, stderr = io.Discard, io.Discard
	}
	out := &results{w: stdout}
	p := NewProgram(stdin, out, stderr)
	p.ranks = together
	p.root = root
	if len(args) > 0 {
		p.asked = args[0]
	}
	all := root(p)
	all.SetArgs(args)
	err := p.execute(ctx, all.ExecuteContext)
	p.Progress.Done()
	text, code := outcome(err, out, p.left.Load())
	if p.ranks.several {
		return p.ranks.leave(ctx, code, text, err)
	}
	if text != "" {
		printError(p.stderr, all.Name(), text)
	}
	if p.json && (code == ExitFailed || code == ExitUsage || code == ExitData) && err != nil {
		_ = PrintJSON(p.Stdout, apart(err, code)) // standard error has it too
	}
	return code
}

// outcome returns the text to print for a command's error, or for an error of standard output, and
// the exit code. Left says that the command has left something.
func outcome(err error, out *results, left bool) (text string, code int) {
	unwritten := out.err
	switch told := (interruptedError{}); {
	case unread(unwritten):
		return "", ExitUnread
	case err == nil && unwritten == nil:
		return "", ExitDone
	case err == nil:
		return unwritten.Error(), ExitFailed
	case errors.Is(err, context.Canceled) && errors.As(err, &told):
		return told.text, ExitInterrupted
	case errors.Is(err, context.Canceled) && out.begun.Load():
		return "interrupted; what was printed is not all", ExitInterrupted
	case errors.Is(err, context.Canceled) && left:
		return "interrupted; what was written before stays", ExitInterrupted
	case errors.Is(err, context.Canceled):
		return "interrupted; nothing was written", ExitInterrupted
	}
	return strings.TrimSpace(InFlags(err)), exitCode(err)
}

// printError prints the text of a program's error. A name out of a file breaks no line: only lines
// that are indented are ones.
func printError(w io.Writer, program, text string) {
	lines := strings.Split(text, "\n  ")
	for k := range lines {
		lines[k] = strings.ReplaceAll(lines[k], "\n", `\n`)
	}
	fmt.Fprintln(w, program+": "+strings.Join(lines, "\n  "))
}

// Left says that the command that runs has left something: a file, answers, or a result to show. From
// now on an interruption waits until the command ends by itself.
func (p *Program) Left() { p.left.Store(true) }
