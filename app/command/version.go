package command

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (p *Program) version() *cobra.Command {
	var json bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Show version, commit and build, and which kernels this processor gets",
		Args:  Arguments(),
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if json {
				return PrintJSON(p.Stdout, b)
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
func buildLines(b build) [][2]string {
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
