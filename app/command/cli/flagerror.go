package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm/internal/system/fault"
)

// flagError rewords an error of a command's flags like the other errors of the
// command line, with advice.
func (p *Program) flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return Usagef("there is no flag -%s%s; see %s --help", unknown.GetSpecifiedName(), p.elsewhere(c, unknown.GetSpecifiedName()), c.CommandPath())
	case errors.As(err, &unknown) && p.isForTrainOnly(c, unknown.GetSpecifiedName()):
		return Usagef("%s", forTrainOnly(unknown.GetSpecifiedName(), c.Name()))
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return Usagef("there is no flag --%s%s; see %s --help", name, cmp.Or(p.elsewhere(c, name), nearestFlag(c.Flags(), name)), c.CommandPath())
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
	if best := fault.Nearest(name, names); best != "" {
		return ", did you mean --" + best
	}
	return ""
}

// isForTrainOnly reports whether a flag that tune does not have is one of train.
func (p *Program) isForTrainOnly(c *cobra.Command, name string) bool {
	if c.Name() != "tune" {
		return false
	}
	train, _, err := p.Whole(c).Find([]string{"train"})
	return err == nil && train.Flags().Lookup(name) != nil
}

// forTrainOnly returns the advice on a flag of train alone.
func forTrainOnly(name, command string) string {
	return fmt.Sprintf("--%s does not change what %s computes: leave it out here, and add it to the lapsvm train command that %s ends with",
		name, command, command)
}

// elsewhere advises on a flag of another program or command. It is "" where nothing is known.
func (p *Program) elsewhere(c *cobra.Command, name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	if c.Flags().Lookup(name) != nil { // in another spelling
		return ""
	}
	for _, other := range others() {
		for _, flag := range strings.Fields(other.names) {
			if flag == name && (other.has == "" || c.Flags().Lookup(other.has) != nil || slices.Contains(strings.Fields(c.Use), other.has)) {
				return "; " + other.says
			}
		}
	}
	var has []string
	for _, command := range p.Whole(c).Commands() {
		if command.Flags().Lookup(name) != nil && !command.Hidden {
			has = append(has, "lapsvm "+command.Name())
		}
	}
	if len(has) == 0 || len(has) > 3 {
		return ""
	}
	return ", which is one of " + Alternatives(has)
}

// other is advice on flags of other programs, for commands that have one of ours, or an argument; "" is for all commands.
type other struct{ names, has, says string }

// others lists the names of scikit-learn and other programs.
func others() []other {
	return []other{
		{"target target-column label-column class y", "label", "take --label"},
		{"c cost", "gamma-a", "--gamma-a takes 1/(2C)"},
		{"alpha lambda reg regularization", "gamma-a", "take --gamma-a, the weight of the norm"},
		{"cv folds n-splits", "repeats", "take --repeats: labels are held out again and again"},
		{"cv folds n-splits", "", "labels are held out without a flag, to choose what is open; lapsvm evaluate counts errors"},
		{"threshold cutoff", "", "lapsvm predict --proba writes the probabilities to compare with it"},
		{"port host bind listen", "address", "give --address HOST:PORT"},
		{"port host bind listen", "", "lapsvm serve and lapsvm label take --address HOST:PORT"},
		{"random-state random-seed", "seed", "take --seed"},
		{"n-jobs jobs workers", "threads", "take --threads"},
		{"tol eps epsilon", "tolerance", "take --tolerance"},
		{"test-size test-split", "test-fraction", "take --test-fraction"},
		{"test-size test-split", "", "lapsvm evaluate takes --test-fraction"},
		{"k n-neighbors neighbors", "neighbours", "take --neighbours"},
		{"probability", "proba", "take --proba"},
		{"epochs iterations n-iter", "max-iter", "take --max-iter"},
		{"out save model-path output-dir", "output", "take --output, or -o"},
		{"o output out save model-path output-dir", "OUT", "give OUT as the last argument, without a flag"},
		{"scaling scaler normalize normalise", "standardise", "take --standardise"},
	}
}
