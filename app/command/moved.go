package command

import (
	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
)

// moved returns commands that lapsvm had and lapsvm-lab has. They say where they went.
func moved() []cli.Command {
	var all []cli.Command
	for _, name := range []string{"paper", "benchmark", "generate"} {
		all = append(all, cli.Command{Name: name, Make: func(*cli.Program) *cobra.Command {
			return &cobra.Command{
				Use:                name,
				Short:              "Moved to lapsvm-lab " + name,
				Hidden:             true,
				FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
				RunE: func(*cobra.Command, []string) error {
					return cli.Usagef("%s is a command of lapsvm-lab now: run lapsvm-lab %s, which go install ./cmd/lapsvm-lab builds", name, name)
				},
			}
		}})
	}
	return all
}
