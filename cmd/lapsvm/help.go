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
		GroupID: tools,
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
			found, _, err := root.Find(args)
			if err == nil && found == root {
				err = root.Args(root, args)
			}
			if err != nil {
				return err
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

// usage writes how a command is used: its commands by what they are for, and its
// flags under their headings, broken into lines where a terminal is.
func (p *program) usage(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	for _, group := range c.Groups() {
		fmt.Fprintf(&b, "\n%s:\n", group.Title)
		for _, sub := range members(c, group) {
			fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	for _, section := range flagSections(c) {
		fmt.Fprintf(&b, "\n%s:\n%s", section.Name(), section.FlagUsagesWrapped(width(p.stdout)))
	}
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help tells more about a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// members are the commands of a group.
func members(c *cobra.Command, group *cobra.Group) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(c.Commands()), func(sub *cobra.Command) bool { return sub.GroupID != group.ID || sub.Hidden })
}

// heading is the annotation of a flag that says under which heading of the help
// it stands.
const heading = "heading"

// under adds the flags that a function defines, under a heading of the help.
func under(flags *pflag.FlagSet, title string, define func(*pflag.FlagSet)) {
	section := newSection(title)
	define(section)
	section.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{heading: {title}} })
	flags.AddFlagSet(section)
}

// flagSections are the flags of a command by their headings, named by these. Those
// without one are a command's own, and come first.
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

func newSection(title string) *pflag.FlagSet {
	s := pflag.NewFlagSet(title, pflag.ContinueOnError)
	s.SortFlags = false
	return s
}
