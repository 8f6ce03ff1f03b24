// Package command is the command line of lapsvm. [Run] is all of it. The commands are in folders,
// by the headings of lapsvm help: learn, labelling, use, look and tools. They stand on cli, and on
// input where they read data.
package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/labelling"
	"lapsvm/app/command/learn"
	"lapsvm/app/command/look"
	"lapsvm/app/command/tools"
	"lapsvm/app/command/use"
)

// Run executes a command line of lapsvm and returns the exit code. Results go to
// stdout, everything else to stderr.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Execute(ctx, root, args, stdin, stdout, stderr)
}

// root returns the command lapsvm with all of its commands.
func root(p *cli.Program) *cobra.Command {
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
		cli.Group{Title: "Learn", Commands: []*cobra.Command{learn.Demo(p, root), learn.Train(p), learn.Tune(p), learn.Evaluate(p)}},
		cli.Group{Title: "Label", Commands: []*cobra.Command{labelling.Label(p), labelling.Suggest(p), labelling.Audit(p)}},
		cli.Group{Title: "Use", Commands: []*cobra.Command{use.Predict(p), use.Serve(p), use.Export(p), use.Encode(p)}},
		cli.Group{Title: "Look", Commands: []*cobra.Command{look.Graph(p), look.Info(p)}},
		cli.Group{Title: cli.ToolsGroup, Commands: append([]*cobra.Command{tools.Convert(p), tools.Bench(p), tools.Version(p), tools.Man(p)}, moved()...)},
	)
}
