package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// help shows the help of a command, and refuses unknown commands.
func (p *Program) help() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		GroupID: ToolsGroup,
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

// usage writes the usage of a command: its commands by purpose, and its flags,
// wrapped on a terminal. With --help-all it lists all flags under their headings.
// Otherwise it lists the flags for beginners and the number of further flags.
func (p *Program) usage(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	for _, group := range GroupsOf(c) {
		fmt.Fprintf(&b, "\n%s:\n", group.Title)
		for _, sub := range group.Commands {
			fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	sections, more := Sections(c), 0
	if !c.Flags().Changed(HelpAll) {
		sections, more = beginnerFlags(sections)
	}
	for _, section := range sections {
		fmt.Fprintf(&b, "\n%s:\n%s", section.Name(), section.FlagUsagesWrapped(width(p.Stdout)))
	}
	if more > 0 {
		fmt.Fprintf(&b, "\n%s --%s shows %d more flags.\n", c.CommandPath(), HelpAll, more)
	}
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help tells more about a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// HelpAll is the name of the flag that shows all flags.
const HelpAll = "help-all"

// addHelpAll adds --help-all to a command and to all below it. It sets --help too,
// and usage looks which of the two was given. Where --help shows all flags, it is
// taken but not listed.
func addHelpAll(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	_, more := beginnerFlags(Sections(c))
	c.Flags().BoolFunc(HelpAll, "show all flags", func(text string) error { return c.Flags().Set("help", text) })
	c.Flags().Lookup(HelpAll).Hidden = more == 0
	for _, sub := range c.Commands() {
		addHelpAll(sub)
	}
}
