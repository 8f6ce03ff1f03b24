package input

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
)

// Every option of reading that messages name is a flag.
func TestOptionsAreFlags(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(DataFlags).Register(flags)
	new(DataFlags).RegisterColumns(flags)
	for _, name := range []string{"Format", "Header", "Label", "Unlabelled", "Features", "Columns", "Decimal", "Coordinates", "Text", "Category", "ID", "Ignore"} {
		if flag := strings.TrimPrefix(cli.FlagOf(dataset.Option{Name: name}), "--"); flags.Lookup(flag) == nil {
			t.Errorf("the option %s is worded as --%s, which is no flag", name, flag)
		}
	}
}
