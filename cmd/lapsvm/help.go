package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// help shows the help of a command, and refuses what is none.
func (p *program) help() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		GroupID: toolsGroup,
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) (names []string, _ cobra.ShellCompDirective) {
			for _, sub := range c.Root().Commands() {
				if len(args) == 0 && sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
					names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			command, _, err := root.Find(args)
			if err == nil && command == root {
				err = root.Args(root, args)
			}
			if err != nil {
				return err
			}
			command.InitDefaultHelpFlag()
			command.InitDefaultVersionFlag()
			return command.Help()
		},
	}
}

// usage writes how a command is used: its commands by what they are for, and its
// flags, broken into lines where a terminal is. With --help-all these are all flags
// under their headings, else those for beginners, and a line says how many more
// there are.
func (p *program) usage(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	for _, group := range commandGroups(c) {
		fmt.Fprintf(&b, "\n%s:\n", group.title)
		for _, sub := range group.commands {
			fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	sections, more := flagSections(c), 0
	if !c.Flags().Changed(helpAll) {
		sections, more = beginnerFlags(sections)
	}
	for _, section := range sections {
		fmt.Fprintf(&b, "\n%s:\n%s", section.Name(), section.FlagUsagesWrapped(width(p.stdout)))
	}
	if more > 0 {
		fmt.Fprintf(&b, "\n%s --%s shows %d more flags.\n", c.CommandPath(), helpAll, more)
	}
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help tells more about a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// commandGroup is commands under a heading.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// commandGroups returns the commands of a command that its help shows, by group;
// those without a group come last.
func commandGroups(c *cobra.Command) []commandGroup {
	var groups []commandGroup
	for _, group := range append(slices.Clone(c.Groups()), &cobra.Group{Title: "Commands"}) {
		g := commandGroup{title: group.Title}
		for _, sub := range c.Commands() {
			if sub.GroupID == group.ID && !sub.Hidden {
				g.commands = append(g.commands, sub)
			}
		}
		if g.commands != nil {
			groups = append(groups, g)
		}
	}
	return groups
}

// The annotations of flags.
const (
	heading  = "heading"  // the heading of the help that the flag stands under
	beginner = "beginner" // the flag is one that a new user needs
)

// under adds the flags that a function defines, under a heading of the help.
func under(flags *pflag.FlagSet, title string, define func(*pflag.FlagSet)) {
	section := newSection(title)
	define(section)
	section.VisitAll(func(f *pflag.Flag) { annotate(section, f.Name, heading, title) })
	flags.AddFlagSet(section)
}

// forBeginners marks the flags of a command that --help shows. Where none is
// marked, it shows all.
func forBeginners(c *cobra.Command, names ...string) {
	c.InitDefaultHelpFlag()
	for _, name := range append(names, "help") {
		annotate(c.Flags(), name, beginner, "true")
	}
}

// annotate sets an annotation of a flag, which is there.
func annotate(flags *pflag.FlagSet, name, key, value string) {
	if err := flags.SetAnnotation(name, key, []string{value}); err != nil {
		panic("lapsvm: " + err.Error())
	}
}

// flagSections returns the flags of a command by their headings, which name the
// sections. Those without a heading are a command's own, and come first.
func flagSections(c *cobra.Command) []*pflag.FlagSet {
	all := []*pflag.FlagSet{newSection("Flags")}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		at := 0
		if title := f.Annotations[heading]; title != nil {
			if at = slices.IndexFunc(all, func(s *pflag.FlagSet) bool { return s.Name() == title[0] }); at < 0 {
				at, all = len(all), append(all, newSection(title[0]))
			}
		}
		all[at].AddFlag(f)
	})
	return all
}

// beginnerFlags returns the flags for beginners among all, without headings, and
// how many more there are. Where none is for beginners, all are.
func beginnerFlags(all []*pflag.FlagSet) (sections []*pflag.FlagSet, more int) {
	few := newSection("Flags")
	for _, section := range all {
		section.VisitAll(func(f *pflag.Flag) {
			if f.Annotations[beginner] == nil {
				more++
			} else {
				few.AddFlag(f)
			}
		})
	}
	if !few.HasFlags() {
		return all, 0
	}
	return []*pflag.FlagSet{few}, more
}

func newSection(title string) *pflag.FlagSet {
	s := pflag.NewFlagSet(title, pflag.ContinueOnError)
	s.SortFlags = false
	return s
}

// helpAll is the name of the flag that shows all flags.
const helpAll = "help-all"

// addHelpAll adds --help-all to a command and to all below it. It sets --help too,
// and usage looks which of the two was given. Where --help shows all flags, it is
// taken but not listed.
func addHelpAll(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	_, more := beginnerFlags(flagSections(c))
	c.Flags().BoolFunc(helpAll, "show all flags", func(text string) error { return c.Flags().Set("help", text) })
	c.Flags().Lookup(helpAll).Hidden = more == 0
	for _, sub := range c.Commands() {
		addHelpAll(sub)
	}
}
