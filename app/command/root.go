package command

import (
	"strings"

	"github.com/spf13/cobra"
)

// toolsGroup is the group of the commands that need no model.
const toolsGroup = "Tools"

// root returns the command lapsvm with all of its commands, in the groups that its
// help shows.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:     "lapsvm",
		Version: thisBuild().String(),
		Short:   "Classify many points from few labels",
		Long: `lapsvm trains a classifier from many points of which few are labelled, by
manifold regularization: Laplacian support vector machines trained in the primal.

Start with    lapsvm demo
Then          lapsvm train points.csv -o model.lapsvm
              lapsvm predict model.lapsvm more.csv

The shell completes flags, their values and files after
              source <(lapsvm completion bash)
See lapsvm completion --help for zsh, fish and PowerShell.`,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(p.usage)
	root.SetHelpCommand(p.help())
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error { return p.checkRanks(c) }
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Learn", []*cobra.Command{p.demo(), p.train(), p.tune(), p.evaluate()}},
		{"Label", []*cobra.Command{p.label(), p.suggest(), p.audit()}},
		{"Use", []*cobra.Command{p.predict(), p.serve(), p.export()}},
		{"Look", []*cobra.Command{p.graph(), p.info()}},
		{toolsGroup, []*cobra.Command{p.convert(), p.generate(), p.bench(), p.benchmark(), p.paper(), p.version(), p.man()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			root.AddCommand(c)
		}
	}
	root.InitDefaultHelpCmd()
	addCompletion(root)
	takesCommands(root)
	p.addRanks(root)
	addHelpAll(root)
	return root
}

// takesCommands lets a command that only has commands refuse other words, and show
// its help without any.
func takesCommands(c *cobra.Command) {
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		seeHelp := "lapsvm help" + strings.TrimPrefix(c.CommandPath(), "lapsvm")
		return usagef("there is no command %q%s; see %s", args[0], didYouMean(args[0], names), seeHelp)
	}
	c.RunE = func(c *cobra.Command, args []string) error { return c.Help() }
}

// arguments asks for the named arguments, no fewer and no more; of the last one, where
// its name ends in dots, at least one.
func arguments(names ...string) cobra.PositionalArgs {
	several := len(names) > 0 && strings.HasSuffix(names[len(names)-1], "...")
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s is missing; the use is %s", strings.TrimSuffix(names[len(args)], "..."), c.UseLine())
		case len(args) > len(names) && !several:
			return usagef("%q is one argument too many; the use is %s", args[len(names)], c.UseLine())
		}
		return nil
	}
}
