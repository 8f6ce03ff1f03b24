package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// outputFlags say what to print.
type outputFlags struct {
	json, quiet      bool
	progress, config string
}

// register adds the flags to a command, and lets a config file set whatever
// the command line does not.
func (f *outputFlags) register(c *cobra.Command) {
	under(c.Flags(), "Output", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
		flags.BoolVar(&f.quiet, "quiet", false, "print nothing but the result and errors")
		addOneOf(flags, &f.progress, "progress", "auto", "progress on standard error: auto, plain or off",
			"auto", "plain", "off")
		flags.StringVar(&f.config, "config", "", "TOML file with values for these flags, by the same names")
	})
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if f.config != "" {
			if err := applyConfig(c, f.config); err != nil {
				return err
			}
		}
		if err := limitMemory(c); err != nil {
			return err
		}
		return limitThreads(c)
	}
}
