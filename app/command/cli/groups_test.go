package cli

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A command line that names a command has that one made. The others are made where they are asked about.
func TestCommandsAreMadeWhereTheyAreNeeded(t *testing.T) {
	for _, c := range []struct {
		args, made, says string
	}{
		{"cut", "cut", ""},
		{"cut --far", "cut cut sew", "lapsvm: there is no flag --far, which is one of lapsvm sew; see lapsvm cut --help\n"},
		{"glue", "cut sew", "lapsvm: there is no command \"glue\"; see lapsvm help\n"},
		{"help sew", "cut sew", ""},
		{"", "cut sew", ""},
	} {
		var made []string
		command := func(name, flag string) Command {
			return Command{Name: name, Make: func(p *Program) *cobra.Command {
				made = append(made, name)
				c := &cobra.Command{Use: name, RunE: func(*cobra.Command, []string) error { return nil }}
				c.Flags().Bool(flag, false, "")
				return c
			}}
		}
		var stderr bytes.Buffer
		Execute(t.Context(), func(p *Program) *cobra.Command {
			return p.Root(&cobra.Command{Use: "lapsvm"}, Heading{"Learn", []Command{command("cut", "near"), command("sew", "far")}})
		}, strings.Fields(c.args), strings.NewReader(""), io.Discard, &stderr)
		if !slices.Equal(made, strings.Fields(c.made)) || stderr.String() != c.says {
			t.Errorf("%q made %v, want %s, and said %q, want %q", c.args, made, c.made, stderr.String(), c.says)
		}
	}
}
