// Command lapsvm trains and applies classifiers from many points of which few
// are labelled. Run lapsvm help, or lapsvm demo.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/dataset"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitData        = 3
	exitInterrupted = 130
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
	shown          *progress // of the command; nil for none
}

// run executes the command line and returns the exit code. Results go to
// stdout, everything else to stderr.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr}
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	p.shown.done()
	if err == nil {
		return exitDone
	}
	if errors.Is(err, context.Canceled) {
		text := "interrupted; nothing was written"
		if kept := (interruptedError{}); errors.As(err, &kept) {
			text = kept.text
		}
		fmt.Fprintln(stderr, "lapsvm: "+text)
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "lapsvm: %s\n", strings.TrimSpace(inFlags(err)))
	return exitCode(err)
}

// usageError is a wrong use of the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// dataError is something wrong with a file.
type dataError struct{ error }

func (e dataError) Unwrap() error { return e.error }

// interruptedError is an interruption that something is left of.
type interruptedError struct {
	error
	text string
}

func (e interruptedError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func exitCode(err error) int {
	var usage usageError
	var data dataError
	var file *dataset.Error
	switch {
	case errors.As(err, &usage), errors.Is(err, lapsvm.ErrParameter):
		return exitUsage
	case errors.As(err, &data), errors.As(err, &file), errors.Is(err, lapsvm.ErrData), errors.Is(err, fs.ErrNotExist):
		return exitData
	}
	return exitFailed
}

// tools is the group of commands that neither make nor use a model.
const tools = "Tools"

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:     "lapsvm",
		Version: version(),
		Short:   "Classify many points from few labels",
		Long: `lapsvm trains a classifier from many points of which few are labelled, by
manifold regularization: Laplacian support vector machines trained in the primal.

Start with    lapsvm demo
Then          lapsvm train points.csv -o model.lapsvm
              lapsvm predict model.lapsvm more.csv

The shell completes flags, their values and files after
              source <(lapsvm completion bash)
See lapsvm completion --help for zsh and fish.`,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(p.usage)
	root.SetHelpCommand(p.help())
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Learn", []*cobra.Command{p.demo(), p.train(), p.tune(), p.evaluate()}},
		{"Use", []*cobra.Command{p.predict(), p.export()}},
		{"Look", []*cobra.Command{p.graph(), p.info()}},
		{tools, []*cobra.Command{p.convert(), p.bench(), p.paper(), p.completion(), p.man()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			root.AddCommand(c)
		}
	}
	completeArguments(root)
	// An unknown command reaches the root as an argument.
	root.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		return usagef("there is no command %q%s; see lapsvm help", args[0], didYouMean(args[0], names))
	}
	root.RunE = func(c *cobra.Command, args []string) error { return c.Help() }
	return root
}

// version is that of the module, and the commit where the program was built from
// a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown origin"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(text, s.Value[:min(12, len(s.Value))]) {
			text += " " + s.Value
		}
	}
	return text + " " + info.GoVersion
}

// arguments asks for the named arguments, no fewer and no more.
func arguments(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s is missing; the use is %s", names[len(args)], c.UseLine())
		case len(args) > len(names):
			return usagef("%q is one argument too many; the use is %s", args[len(names)], c.UseLine())
		}
		return nil
	}
}
