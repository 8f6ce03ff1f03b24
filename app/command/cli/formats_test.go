package cli

import (
	"errors"
	"fmt"
	"testing"

	"lapsvm/dataset"
)

// Options of reading are worded as flags that the shell and the flag take back.
func TestFlagOf(t *testing.T) {
	for _, c := range []struct {
		o    dataset.Option
		want string
	}{
		{dataset.Option{Name: "Label"}, "--label"},
		{dataset.Option{Name: "Label", Value: "größe"}, "--label 'größe'"},
		{dataset.Option{Name: "Label", Value: "a,b"}, `--label '"a,b"'`},
		{dataset.Option{Name: "Label", Value: []string{"a,b", "c", "3-4"}}, `--label '"a,b"',c,3-4`},
		{dataset.Option{Name: "Features", Value: 1}, "--features 1"},
		{dataset.Option{Name: "Image"}, "--image-size, --image-colour"},
		{dataset.Option{Name: "Image.Colour"}, "--image-colour"},
		{dataset.Option{Name: "MostViews", Value: 1}, "--views 1"},
		{dataset.Option{Name: "Ignore", Value: []string{"name", "it's", "a,b", "2"}}, `--ignore name,'it'\''s','"a,b"',2`},
	} {
		if got := FlagOf(c.o); got != c.want {
			t.Errorf("%v: %s, want %s", c.o, got, c.want)
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
