package tools

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
	"lapsvm/internal/system/atomicfile"
)

// Man returns the command man, which writes the manual pages.
func Man(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write manual pages for man into a folder",
		Example: `  lapsvm man /usr/local/share/man/man1`,
		Args:    cli.Arguments("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			return writeManuals(args[0], p.Whole(c))
		},
		Hidden: true, // for those who package the program
	}
}

// writeManuals writes the pages of a command and of all below it that help lists.
func writeManuals(folder string, c *cobra.Command) error {
	if c.Hidden || c.Name() == "help" {
		return nil
	}
	path := filepath.Join(folder, pageName(c)+".1")
	if err := atomicfile.Write(path, func(w io.Writer) error { return writeManual(w, c) }); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if err := writeManuals(folder, sub); err != nil {
			return err
		}
	}
	return nil
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// writeManual writes a command's help as a manual page: name, synopsis,
// description, commands or options, examples, exit codes.
func writeManual(w io.Writer, c *cobra.Command) error {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" lapsvm \"User Commands\"\n", strings.ToUpper(roff(pageName(c))))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	if c.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", paragraphs(c.Long))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, group := range cli.GroupsOf(c) {
			fmt.Fprintf(&b, ".SS %s\n", roff(group.Title))
			for _, sub := range group.Commands {
				if sub.Name() != "help" {
					fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(pageName(sub)), roff(sub.Short))
				}
			}
		}
	}
	b.WriteString(".SH OPTIONS\n")
	for _, section := range cli.Sections(c) {
		if section.Name() != "Flags" {
			fmt.Fprintf(&b, ".SS %s\n", roff(section.Name()))
		}
		section.VisitAll(func(f *pflag.Flag) { writeFlag(&b, f) })
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	fmt.Fprintf(&b, ".SH EXIT STATUS\n%d for success, %d for a failure, %d for a wrong command line, %d for bad data, %d when interrupted, %d when nobody reads the output any more.\n",
		cli.ExitDone, cli.ExitFailed, cli.ExitUsage, cli.ExitData, cli.ExitInterrupted, cli.ExitUnread)
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(pageName(c.Parent())))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeFlag(b *strings.Builder, f *pflag.Flag) {
	names := "--" + f.Name
	if f.Shorthand != "" {
		names = "-" + f.Shorthand + ", " + names
	}
	kind, usage := pflag.UnquoteUsage(f)
	fmt.Fprintf(b, ".TP\n\\fB%s\\fR", roff(names))
	if kind != "" {
		fmt.Fprintf(b, " \\fI%s\\fR", roff(kind))
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && !strings.Contains(usage, "(default") {
		usage += " (default " + f.DefValue + ")"
	}
	fmt.Fprintf(b, "\n%s\n", roff(usage))
}

// paragraphs writes text whose paragraphs are divided by empty lines; one with
// indented lines keeps its lines.
func paragraphs(text string) string {
	var b strings.Builder
	for k, paragraph := range strings.Split(text, "\n\n") {
		if k > 0 {
			b.WriteString(".PP\n")
		}
		if strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") {
			fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(paragraph))
		} else {
			b.WriteString(roff(paragraph) + "\n")
		}
	}
	return b.String()
}

// roff writes text so that roff takes none of it for a request or an escape.
func roff(text string) string {
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		lines[k] = line
	}
	return strings.Join(lines, "\n")
}
