package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError rewords an error of a command's flags like the other errors of the
// command line, with advice.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return Usagef("there is no flag -%s; see %s --help", unknown.GetSpecifiedName(), c.CommandPath())
	case errors.As(err, &unknown) && isForTrainOnly(c, unknown.GetSpecifiedName()):
		return Usagef("%s", forTrainOnly(unknown.GetSpecifiedName(), c.Name()))
	case errors.As(err, &unknown):
		return Usagef("there is no flag --%s%s; see %s --help", unknown.GetSpecifiedName(), nearestFlag(c.Flags(), unknown.GetSpecifiedName()), c.CommandPath())
	case errors.As(err, &missing):
		return Usagef("--%s needs a value; see %s --help", missing.GetFlag().Name, c.CommandPath())
	case errors.As(err, &invalid):
		return Usagef("--%s %w", invalid.GetFlag().Name, wrongValue(invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap()))
	}
	return Usagef("%w; see %s --help", err, c.CommandPath())
}

// wrongValue says which values a flag takes.
func wrongValue(f *pflag.Flag, value string, err error) error {
	what := ""
	if _, says := f.Value.(worded); says {
		return err
	}
	switch f.Value.Type() {
	case "int", "int64":
		what = "a whole number"
	case "uint64":
		what = "a whole number from 0 on"
	case "float64":
		what = "a number"
	case "intSlice":
		what = "whole numbers, separated by commas"
	case "duration":
		what = "a time such as 60s or 5m"
	case "float64Slice":
		what = "numbers, separated by commas"
	case "bool":
		what = "true or false"
	default:
		return fmt.Errorf("cannot be %q: %w", value, err)
	}
	return fmt.Errorf("takes %s, not %q", what, value)
}

// nearestFlag names the flag that is spelt most like a name, or nothing.
func nearestFlag(flags *pflag.FlagSet, name string) string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if best := nearest(name, names); best != "" {
		return ", did you mean --" + best
	}
	return ""
}

// isForTrainOnly reports whether a flag that tune does not have is one of train.
func isForTrainOnly(c *cobra.Command, name string) bool {
	if c.Name() != "tune" {
		return false
	}
	train, _, err := c.Root().Find([]string{"train"})
	return err == nil && train.Flags().Lookup(name) != nil
}

// forTrainOnly returns the advice on a flag of train alone.
func forTrainOnly(name, command string) string {
	return fmt.Sprintf("--%s does not change what %s computes: leave it out here, and add it to the lapsvm train command that %s ends with",
		name, command, command)
}
