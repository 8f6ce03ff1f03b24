package learn

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/command/cli"
)

// unrepeated are the flags that change no result. They concern the output and the
// speed.
var unrepeated = [...]string{"json", "quiet", "progress", "config", "threads", "report", "transduction", "to", "help", cli.HelpAll}

// autoFlags are the flags of what may be left open.
var autoFlags = [...]string{"standardise", "kernel", "sigma", "neighbours", "laplacian-degree", "metric", "gamma-a", "gamma-i"}

// trainingAgain returns the command line that repeats the training of model m by the
// present command, c. For one machine the parameters are written out. For a mean the
// line uses the recipe in the model's file, and after a training by --recipe the same
// recipe again.
func trainingAgain(c *cobra.Command, args []string, m *lapsvm.Model) (string, error) {
	resolved := map[string]string{}
	switch recipe := m.Recipe(); {
	case c.Flags().Changed("recipe"): // it stays as it was set
	case len(recipe.Members) > 1 || recipe.Views() > 1:
		model := valueOf(c, "output")
		again := filepath.Join(filepath.Dir(model), "again-"+filepath.Base(model))
		return inLines(commandLine(c, cli.Without(c.Flags(), recipeFlags()...), args, map[string]string{"recipe": model, "output": again})), nil
	default:
		resolved = recipe.Flags()
		resolved["seed"], resolved["proba"] = valueOf(c, "seed"), valueOf(c, "proba")
	}
	return inLines(commandLine(c, c.Flags(), args, resolved)), nil
}

// evaluationAgain returns the command line that gives the result of the present
// command, c, again.
func evaluationAgain(c *cobra.Command, args []string) string {
	return inLines(commandLine(c, c.Flags(), args, map[string]string{"seed": valueOf(c, "seed"), "proba": valueOf(c, "proba")}))
}

func valueOf(c *cobra.Command, flag string) string { return c.Flags().Lookup(flag).Value.String() }

// tunedCommand returns the command line for training with the recommendation of a
// tuning by the present command, c. It leaves the validation points out, because they
// have served.
func tunedCommand(p *cli.Program, c *cobra.Command, args []string, t *lapsvm.Tuning) ([]string, error) {
	train, _, err := p.Whole(c).Find([]string{"train"})
	if err != nil {
		return nil, err
	}
	resolved := t.Recipe.Flags()
	maps.DeleteFunc(resolved, func(name, _ string) bool { return !slices.Contains(autoFlags[:], name) })
	resolved["output"] = "model.lapsvm"
	return commandLine(train, cli.Without(c.Flags(), "validation"), args, resolved), nil
}

// commandLine returns a command in words: its arguments and its flags. A flag has its
// value in resolved, else the value set in flags. Other flags are left out.
func commandLine(command *cobra.Command, flags *pflag.FlagSet, args []string, resolved map[string]string) []string {
	words := []string{"lapsvm " + command.Name()}
	for _, arg := range args {
		words = append(words, cli.Quoted(arg))
	}
	command.Flags().VisitAll(func(f *pflag.Flag) {
		value, known := resolved[f.Name]
		set := flags.Lookup(f.Name)
		if slices.Contains(unrepeated[:], f.Name) || !known && (set == nil || !set.Changed) {
			return
		}
		values := []string{value}
		if !known {
			values = []string{set.Value.String()}
			if list, ok := set.Value.(pflag.SliceValue); ok {
				values = list.GetSlice()
				if f.Value.Type() == "stringSlice" {
					values = []string{strings.Join(values, ",")}
				}
			}
		}
		for _, value := range values {
			equals := " "
			if f.Value.Type() == "bool" {
				equals = "="
			}
			words = append(words, "--"+f.Name+equals+cli.Quoted(value))
		}
	})
	return words
}

// inLines joins words to a command, on continued lines where one line would be too
// long.
func inLines(words []string) string {
	const width = 76
	var b strings.Builder
	used := 0
	for k, word := range words {
		switch length := utf8.RuneCountInString(word); {
		case k == 0:
			used = length
		case used+1+length > width:
			b.WriteString(" \\\n    ")
			used = 4 + length
		default:
			b.WriteString(" ")
			used += 1 + length
		}
		b.WriteString(word)
	}
	return b.String()
}
