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
		cli.Heading{Title: "Learn", Commands: []cli.Command{
			{Name: "demo", Make: demo}, {Name: "train", Make: learn.Train}, {Name: "tune", Make: learn.Tune}, {Name: "evaluate", Make: learn.Evaluate}}},
		cli.Heading{Title: "Label", Commands: []cli.Command{
			{Name: "label", Make: labelling.Label}, {Name: "suggest", Make: labelling.Suggest}, {Name: "audit", Make: labelling.Audit}}},
		cli.Heading{Title: "Use", Commands: []cli.Command{
			{Name: "predict", Make: use.Predict}, {Name: "serve", Make: use.Serve}, {Name: "export", Make: use.Export}, {Name: "encode", Make: use.Encode}}},
		cli.Heading{Title: "Look", Commands: []cli.Command{{Name: "graph", Make: look.Graph}, {Name: "info", Make: look.Info}}},
		cli.Heading{Title: cli.ToolsGroup, Commands: append([]cli.Command{
			{Name: "convert", Make: tools.Convert}, {Name: "bench", Make: tools.Bench}, {Name: "version", Make: tools.Version}, {Name: "man", Make: tools.Man}}, moved()...)},
	)
}

// demo returns the command demo, whose tour runs other commands.
func demo(p *cli.Program) *cobra.Command { return learn.Demo(p, root) }
