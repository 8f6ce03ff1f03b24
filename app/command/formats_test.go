package command

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// Options of reading are worded as flags that the shell and the flag take back.
func TestFlagOf(t *testing.T) {
	for _, c := range []struct {
		o    dataset.Option
		want string
	}{
		{dataset.Option{Name: "Label"}, "--label"},
		{dataset.Option{Name: "Label", Value: "größe"}, "--label 'größe'"},
		{dataset.Option{Name: "Label", Value: "a,b"}, "--label a,b"},
		{dataset.Option{Name: "Features", Value: 1}, "--features 1"},
		{dataset.Option{Name: "Image"}, "--image-size, --image-colour"},
		{dataset.Option{Name: "Ignore", Value: []string{"name", "it's", "a,b", "2"}}, `--ignore name,'it'\''s','"a,b"',2`},
	} {
		if got := flagOf(c.o); got != c.want {
			t.Errorf("%v: %s, want %s", c.o, got, c.want)
		}
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(DataFlags).Register(flags)
	new(DataFlags).RegisterColumns(flags)
	for _, name := range []string{"Format", "Header", "Label", "Unlabelled", "Features", "Columns", "Decimal", "Coordinates", "Text", "Category", "ID", "Ignore"} {
		if flag := strings.TrimPrefix(flagOf(dataset.Option{Name: name}), "--"); flags.Lookup(flag) == nil {
			t.Errorf("the option %s is worded as --%s, which is no flag", name, flag)
		}
	}
	err := fmt.Errorf("%w (the model takes 2 features)", &dataset.Error{File: "f", Msg: dataset.Messagef("give %s", dataset.Option{Name: "Label"})})
	if got := InFlags(err); got != "f: give --label (the model takes 2 features)" {
		t.Error(got)
	}
	if got := InFlags(errors.New("give Options.Label")); got != "give Options.Label" {
		t.Error(got)
	}
}

// The manual has every ending of a name that tells a format.
func TestManualHasFormats(t *testing.T) {
	page, err := os.ReadFile(manual + "/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files.Formats() {
		for _, ending := range f.Endings {
			if !strings.Contains(string(page), "`."+ending+"`") && f.Name != files.IDX {
				t.Errorf("the manual says nothing of .%s", ending)
			}
		}
	}
}
