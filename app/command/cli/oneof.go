package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"
)

// worded is the value of a flag that takes words. Its errors say which, and the shell completes
// the choices.
type worded interface {
	pflag.Value
	Choices() []string
}

// oneOf is the value of a flag that takes one of a few words. Its help, shell
// completion and errors list the words.
type oneOf struct {
	value  *string
	empty  bool // "" is its default
	values []string
}

// AddOneOf adds a flag that takes one of the values. Its default, value, may also be
// "", with the meaning given in the usage.
func AddOneOf(flags *pflag.FlagSet, p *string, name, value, usage string, values ...string) {
	*p = value
	flags.Var(&oneOf{p, value == "", values}, name, usage)
}

func (o *oneOf) String() string { return *o.value }

func (o *oneOf) Type() string { return "string" }

func (o *oneOf) Choices() []string { return o.values }

func (o *oneOf) Set(text string) error {
	word := Spelt(text)
	if !slices.Contains(o.values, word) && !(o.empty && word == "") {
		return fmt.Errorf("takes %s, not %q%s", Alternatives(o.values), text, DidYouMean(text, o.values))
	}
	*o.value = word
	return nil
}
