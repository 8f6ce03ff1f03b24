package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// Run executes a command line of lapsvm and returns the exit code. Results go to
// stdout, everything else to stderr.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return Execute(ctx, root, args, stdin, stdout, stderr)
}

// root returns the command lapsvm with all of its commands.
func root(p *Program) *cobra.Command {
	return p.Root(&cobra.Command{
		Use:   "lapsvm",
		Short: "Classify many points from few labels",
		Long: `lapsvm trains a classifier from many points of which few are labelled, by
manifold regularization: Laplacian support vector machines trained in the primal.

Start with    lapsvm demo
Then          lapsvm train points.csv -o model.lapsvm
              lapsvm predict model.lapsvm more.csv

The shell completes flags, their values and files after
              source <(lapsvm completion bash)
See lapsvm completion --help for zsh, fish and PowerShell.`,
	},
		Group{"Learn", []*cobra.Command{p.demo(root), p.train(), p.tune(), p.evaluate()}},
		Group{"Label", []*cobra.Command{p.label(), p.suggest(), p.audit()}},
		Group{"Use", []*cobra.Command{p.predict(), p.serve(), p.export()}},
		Group{"Look", []*cobra.Command{p.graph(), p.info()}},
		Group{toolsGroup, append([]*cobra.Command{p.convert(), p.bench(), p.version(), p.man()}, moved()...)},
	)
}
