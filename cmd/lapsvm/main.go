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
	stdin          io.Reader
	stdout, stderr io.Writer
	progress       *progress // of the command that runs; nil for none
}

// run executes the command line and returns the exit code. Results go to
// stdout, everything else to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // which a command may lower
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr}
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	p.progress.done()
	if err == nil {
		return exitDone
	}
	if errors.Is(err, context.Canceled) {
		text := "interrupted; nothing was written"
		if left := (interruptedError{}); errors.As(err, &left) {
			text = left.text
		}
		fmt.Fprintln(stderr, "lapsvm: "+text)
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "lapsvm: %s\n", strings.TrimSpace(inFlags(err)))
	return exitCode(err)
}
