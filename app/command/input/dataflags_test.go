package input

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
)

// Every option of reading that messages name is a flag. The sources have the messages.
func TestOptionsAreFlags(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(DataFlags).Register(flags)
	new(DataFlags).RegisterColumns(flags)
	flags.Bool("regression", false, "of the training")
	flags.String("multi-label", "", "likewise")
	option, named := regexp.MustCompile(`(?:Option\{(?:Name: )?|\boption\(|\boption: )"(\w+)"`), make(map[string]bool)
	err := filepath.WalkDir("../../../dataset", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range option.FindAllSubmatch(text, -1) {
			named[string(found[1])] = true
		}
		return err
	})
	if err != nil || !named["Label"] || !named["Quoting"] || !named["ID"] {
		t.Fatalf("the options named are %v, error %v", named, err)
	}
	for name := range named {
		for _, flag := range strings.Split(cli.FlagOf(dataset.Option{Name: name}), ", ") {
			if flags.Lookup(strings.TrimPrefix(flag, "--")) == nil {
				t.Errorf("the option %s is worded as %s, which is no flag", name, flag)
			}
		}
	}
}
