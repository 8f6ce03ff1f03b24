package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm/app/bench"
	"lapsvm/app/command/cli"
)

// Bench returns the command bench, which measures speed.
func Bench(p *cli.Program) *cobra.Command {
	var output cli.OutputFlags
	var quick, together bool
	var against string
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure the speed against this machine's limits",
		Long: `bench measures the limits of this machine, the operations that training is made
of, each as a rate and as a share of its limit, and whole trainings on generated
points of MNIST's shape. Run it on a quiet machine. With --json the result names
the processor and the path of the kernels, so that it can be sent and compared.
Under mpirun or srun, --ranks shows which ranks work together, and how fast they
exchange data.`,
		Example:     `  mpirun -n 4 lapsvm bench --ranks`,
		Annotations: map[string]string{cli.OnRanks: "with --ranks"},
		Args:        cli.Arguments(),
		RunE: func(c *cobra.Command, args []string) error {
			if together {
				return benchRanks(c.Context(), p, output.JSON)
			}
			if p.Launcher() != "" {
				return cli.Usagef("bench measures one machine: add --ranks to measure how fast ranks exchange data")
			}
			var earlier *bench.Result
			if against != "" {
				text, err := cli.ReadText(c.Context(), against, 1<<24)
				if err != nil {
					return cli.BadData(err)
				}
				if err := json.Unmarshal(text, &earlier); err != nil {
					return cli.BadData(fmt.Errorf("%s is not a result of lapsvm bench --json: %w", against, err))
				}
			}
			plan := bench.Full()
			if quick {
				plan = bench.Quick()
			}
			if !output.Quiet && output.Progress != "off" {
				plan.Report = func(name string) { fmt.Fprintf(p.Errors(), "%s …\n", name) }
			}
			r, err := bench.Run(c.Context(), plan)
			if err != nil {
				return err
			}
			r.Processor = processorName()
			if output.JSON {
				return cli.PrintJSON(p.Stdout, r)
			}
			return printBench(p, r, earlier)
		},
	}
	c.Flags().BoolVar(&quick, "quick", false, "smaller sizes, by this machine's speed: about half a minute")
	c.Flags().BoolVar(&together, "ranks", false, "measure the processes of mpirun or srun together")
	c.Flags().StringVar(&against, "against", "", "an earlier result (lapsvm bench --json) to compare with")
	c.Flags().Int("threads", 0, "most threads (default: all processors)")
	output.Register(p, c)
	return c
}

func printBench(p *cli.Program, r, earlier *bench.Result) error {
	processor := ""
	if r.Processor != "" {
		processor = r.Processor + ", "
	}
	fmt.Fprintf(p.Text, "%s%s, kernels %s, %s, n = %d, d = %d\n\n", processor, r.System, r.Path, cli.Count(r.Threads, "thread", "threads"), r.N, r.D)
	rows := [][]string{{"limit", "G/s"}}
	for _, name := range slices.Sorted(maps.Keys(r.Limits)) {
		rows = append(rows, []string{name, fmt.Sprintf("%.1f", r.Limits[name]/1e9)})
	}
	if err := cli.PrintTable(p.Text, rows); err != nil {
		return err
	}
	fmt.Fprintln(p.Text)
	rows = [][]string{{"operation", "seconds", "G/s", "share"}}
	if earlier != nil {
		rows[0] = append(rows[0], "time against earlier")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Rates)) {
		row := []string{name, fmt.Sprintf("%.4g", r.Seconds[name]), fmt.Sprintf("%.1f", r.Rates[name]/1e9), fmt.Sprintf("%.0f %%", 100*r.Shares[name])}
		if earlier != nil && earlier.Rates[name] > 0 {
			row = append(row, fmt.Sprintf("%.2f ×", earlier.Rates[name]/r.Rates[name]))
		}
		rows = append(rows, row)
	}
	if err := cli.PrintTable(p.Text, rows); err != nil {
		return err
	}
	fmt.Fprintln(p.Text)
	rows = [][]string{{"ratio", ""}}
	for _, name := range slices.Sorted(maps.Keys(r.Ratios)) {
		rows = append(rows, []string{strings.ReplaceAll(name, "_", " "), fmt.Sprintf("%.2f", r.Ratios[name])})
	}
	if err := cli.PrintTable(p.Text, rows); err != nil {
		return err
	}
	fmt.Fprintln(p.Text)
	rows = [][]string{{"training, n", "products s", "solve s", "iterations", "all s", "over limit"}}
	for _, t := range r.Training {
		rows = append(rows, []string{fmt.Sprint(t.N), fmt.Sprintf("%.3f", t.Products), fmt.Sprintf("%.3f", t.Solve), fmt.Sprintf("%.0f", t.Iterations),
			fmt.Sprintf("%.3f", t.Seconds), fmt.Sprintf("%.2f ×", (t.Products+t.Solve)/t.Limit)})
	}
	if err := cli.PrintTable(p.Text, rows); err != nil {
		return err
	}
	fmt.Fprintf(p.Text, "seconds grow as n^%.2f\n", r.Exponent)
	return nil
}
