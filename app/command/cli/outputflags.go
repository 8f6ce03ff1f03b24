package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// OutputFlags say what to print.
type OutputFlags struct {
	JSON, Quiet bool
	Progress    string
	// Beside returns the ends of the names of files that a command line may write beside OUT; nil for
	// a command that writes none.
	Beside func(args []string) []string

	config string
}

// Register adds the flags to a command. Before it runs, a config file sets whatever
// the command line does not, ranks join, and its files are looked at.
func (f *OutputFlags) Register(p *Program, c *cobra.Command) {
	AddSection(c.Flags(), "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.JSON, "json", false, "print the result, or what is wrong, as one JSON object")
		flags.BoolVar(&f.Quiet, "quiet", false, "print nothing but the result and errors")
		AddOneOf(flags, &f.Progress, "progress", "auto", "progress on standard error: auto, plain or off",
			"auto", "plain", "off")
		flags.StringVar(&f.config, "config", "", "TOML file with values for these flags, by the same names")
	})
	c.PreRunE = func(c *cobra.Command, args []string) error {
		p.json = f.JSON
		if f.config != "" {
			if err := p.applyConfig(c, f.config); err != nil {
				return err
			}
		}
		if err := p.join(c, args); err != nil {
			return err
		}
		var beside []string
		if f.Beside != nil {
			beside = f.Beside(args)
		}
		if err := p.checkFiles(c, args, beside); err != nil {
			return err
		}
		if err := limitMemory(c); err != nil {
			return err
		}
		return p.limitThreads(c)
	}
}
