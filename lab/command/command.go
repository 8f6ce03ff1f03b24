// Package command is the command line of lapsvm-lab, for research on lapsvm rather than for its
// users.
package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
)

// Run executes a command line of lapsvm-lab and returns the exit code. Results go to stdout,
// everything else to stderr.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Execute(ctx, root, args, stdin, stdout, stderr)
}

func root(p *cli.Program) *cobra.Command {
	return p.Root(&cobra.Command{
		Use:   "lapsvm-lab",
		Short: "Repeat the published experiments, and compare lapsvm with its rivals",
	}, cli.Heading{Title: "Measure", Commands: []cli.Command{{Name: "paper", Make: paperCommand}, {Name: "benchmark", Make: benchmark}, {Name: "generate", Make: generate}}})
}
