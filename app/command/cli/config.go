package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm/internal/system/fault"
)

// applyConfig sets the flags of a command that the command line left alone from a
// file.
func (p *Program) applyConfig(c *cobra.Command, path string) error {
	flags := c.Flags()
	text, err := ReadText(c.Context(), path, 1<<20)
	if err != nil {
		return dataError{fmt.Errorf("config file %w", err)}
	}
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		return dataError{fmt.Errorf("config file %s: %w", path, err)}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name]
		flag := flags.Lookup(name)
		if flag == nil || name == "config" || name == "mpi" {
			if p.isForTrainOnly(c, name) {
				return dataError{fmt.Errorf("config file %s: %s", path, forTrainOnly(name, c.Name()))}
			}
			return dataError{fault.Errorf("config file %s: there is no flag %q here%s; see --help", path, name, nearestFlag(flags, name))}
		}
		if flag.Changed {
			continue
		}
		texts := []any{value}
		if list, ok := value.([]any); ok {
			texts = list
		}
		for _, text := range texts {
			if err := flags.Set(name, fmt.Sprint(text)); err != nil {
				var invalid *pflag.InvalidValueError
				if errors.As(err, &invalid) {
					err = wrongValue(flag, invalid.GetValue(), invalid.Unwrap())
				}
				return dataError{fmt.Errorf("config file %s: %s %w", path, name, err)}
			}
		}
	}
	return nil
}
