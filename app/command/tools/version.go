package tools

import (
	"fmt"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
)

// Version returns the command version, which describes the build.
func Version(p *cli.Program) *cobra.Command {
	var json bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Show version, commit and build, and which kernels this processor gets",
		Args:  cli.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			b := cli.ThisBuild()
			if json {
				return cli.PrintJSON(p.Stdout, b)
			}
			for _, line := range buildLines(b) {
				fmt.Fprintf(p.Text, "%-9s%s\n", line[0], line[1])
			}
			return nil
		},
	}
	c.Flags().BoolVar(&json, "json", false, "print the result as one JSON object")
	return c
}

// buildLines are a build for people: names and values.
func buildLines(b cli.Build) [][2]string {
	lines := [][2]string{{"version", b.Version}}
	if b.Commit != "" {
		commit := b.Commit + " of " + b.Time
		if b.Modified {
			commit += ", with changes"
		}
		lines = append(lines, [2]string{"commit", commit})
	}
	built := fmt.Sprintf("%s for %s/%s", b.Go, b.System, b.Processor)
	if b.Tags != "" {
		built += ", tags " + b.Tags
	}
	return append(lines, [2]string{"built", "by " + built}, [2]string{"kernels", b.Kernels + ", the fastest that this program has for this processor"})
}
