package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// ToolsGroup is the group of the commands that need no model.
const ToolsGroup = "Tools"

// Heading is a heading of the help with the commands below it.
type Heading struct {
	Title    string
	Commands []Command
}

// Command is a command by its name. Its flags take milliseconds to define, and so it is made when it is needed.
type Command struct {
	Name string
	Make func(p *Program) *cobra.Command
}

// Group is commands under a heading of the help.
type Group struct {
	Title    string
	Commands []*cobra.Command
}

// Root puts commands below the root of a program, and adds the features common to all programs: help,
// completion, errors in the same words. Where the command line names a command, that one alone is there.
func (p *Program) Root(root *cobra.Command, headings ...Heading) *cobra.Command {
	root.Version = ThisBuild().String()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(p.Stdout)
	root.SetErr(p.stderr)
	root.SetFlagErrorFunc(p.flagError)
	root.SetUsageFunc(p.usage)
	root.SetHelpCommand(p.help())
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error { return p.checkRanks(c) }
	p.alone = slices.ContainsFunc(headings, func(h Heading) bool {
		return slices.ContainsFunc(h.Commands, func(c Command) bool { return c.Name == p.asked })
	})
	for _, h := range headings {
		root.AddGroup(&cobra.Group{ID: h.Title, Title: h.Title})
		for _, command := range h.Commands {
			if p.alone && command.Name != p.asked {
				continue
			}
			c := command.Make(p)
			if c.Name() != command.Name {
				panic("lapsvm: the command " + command.Name + " calls itself " + c.Name())
			}
			c.GroupID = h.Title
			root.AddCommand(c)
		}
	}
	if !root.ContainsGroup(ToolsGroup) {
		root.AddGroup(&cobra.Group{ID: ToolsGroup, Title: ToolsGroup}) // of help and completion
	}
	root.InitDefaultHelpCmd()
	addCompletion(root)
	takesCommands(root)
	p.addRanks(root)
	addHelpAll(root)
	root.SetGlobalNormalizationFunc(spellFlags)
	return root
}

// Whole returns the root of a command with all commands of the program.
func (p *Program) Whole(c *cobra.Command) *cobra.Command {
	if !p.alone {
		return c.Root()
	}
	return p.root(NewProgram(p.Stdin, io.Discard, io.Discard))
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
		program := c.Root().Name()
		seeHelp := program + " help" + strings.TrimPrefix(c.CommandPath(), program)
		return Usagef("there is no command %q%s; see %s", args[0], DidYouMean(args[0], names), seeHelp)
	}
	c.RunE = func(c *cobra.Command, args []string) error { return c.Help() }
}

// Arguments asks for the named arguments, no fewer and no more; of the last one, where
// its name ends in dots, at least one.
func Arguments(names ...string) cobra.PositionalArgs {
	several := len(names) > 0 && strings.HasSuffix(names[len(names)-1], "...")
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return Usagef("%s is missing; the use is %s", strings.TrimSuffix(names[len(args)], "..."), c.UseLine())
		case len(args) > len(names) && !several:
			return Usagef("%q is one argument too many; the use is %s", args[len(names)], c.UseLine())
		}
		return nil
	}
}

// GroupsOf returns the commands of a command that its help shows, by group;
// those without a group come last.
func GroupsOf(c *cobra.Command) []Group {
	var groups []Group
	for _, group := range append(slices.Clone(c.Groups()), &cobra.Group{Title: "Commands"}) {
		g := Group{Title: group.Title}
		for _, sub := range c.Commands() {
			if sub.GroupID == group.ID && !sub.Hidden {
				g.Commands = append(g.Commands, sub)
			}
		}
		if g.Commands != nil {
			groups = append(groups, g)
		}
	}
	return groups
}
