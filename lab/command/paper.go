package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/lab/paper"
)

// mostSplits is the largest number of splits of a set; the paper has 12.
const mostSplits = 1000

func paperCommand(p *cli.Program) *cobra.Command {
	var output cli.OutputFlags
	var o paper.Options
	c := &cobra.Command{
		Use:   "paper --data DIR -o OUT",
		Short: "Run the published experiments, and report the paper's numbers beside ours",
		Long: `paper runs the experiments of Melacci and Belkin, "Laplacian Support Vector
Machines Trained in the Primal": four folds shuffled three times, few labels,
weights selected on validation points out of a grid, every method. It writes one
HTML page, every table as CSV and every figure as SVG. Finished splits are kept in
OUT/splits: the same command goes on where an interrupted one stopped.

DIR has a folder per data set: g50c, coil20, pcmac, uspst, mnist, facemit; what is
not there is skipped. Without DIR the sets that can be generated are run.`,
		Example: `  lapsvm-lab paper -o paper
  lapsvm-lab paper --data data --quick -o paper
  lapsvm-lab paper --data data --only "G50C,USPST(B)" -o paper`,
		Args: cli.Arguments(),
		RunE: func(c *cobra.Command, args []string) error {
			if o.Repeats < 0 || o.Repeats > mostSplits {
				return cli.Usagef("--repeats takes a number up to %d, not %d", mostSplits, o.Repeats)
			}
			progress := p.Watch(&output)
			o.Progress = func(now paper.Progress) {
				if now.Left > 0 {
					progress.Begin(fmt.Sprintf("%s, split %d of %d: %s; %d of %d parts done, about %v to go",
						now.Set, now.Split, now.Splits, now.Doing, now.Done, now.Total, now.Left.Round(time.Second)))
				}
			}
			if !output.Quiet {
				o.Skipped = func(text string) { fmt.Fprintln(p.Errors(), text) }
			}
			p.Left()
			r, err := paper.Run(c.Context(), o)
			progress.Done()
			switch {
			case errors.Is(err, context.Canceled):
				return cli.Interrupted(err, fmt.Sprintf("interrupted; the finished splits are kept in %s, and the same command goes on from there", filepath.Join(o.Out, "splits")))
			case err != nil:
				return err
			}
			if output.JSON {
				return cli.PrintJSON(p.Stdout, r.Summary())
			}
			return printPaper(p, r.Summary())
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.Data, "data", "", "folder of the data sets (default: generated sets)")
	c.Flags().StringVarP(&o.Out, "output", "o", "lapsvm-paper", "folder to write the report into")
	c.Flags().StringSliceVar(&o.Only, "only", nil, "names of the sets to run, separated by commas; variants too")
	c.Flags().BoolVar(&o.Quick, "quick", false, "3 splits of the small sets")
	c.Flags().IntVar(&o.Repeats, "repeats", 0, "number of splits (default 12, or 3 with --quick)")
	c.Flags().BoolVar(&o.Appendix, "appendix", false, "the weights of the paper's Appendix A in place of the grid")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of folds and labels")
	output.Register(p, c)
	return c
}

func printPaper(p *cli.Program, s paper.Summary) error {
	rows := [][]string{{"set", "splits", "numbers within two standard errors of the paper's", "seconds"}}
	for _, set := range s.Sets {
		rows = append(rows, []string{set.Name, fmt.Sprint(set.Splits), fmt.Sprintf("%d of %d", set.Agree, set.Compared), fmt.Sprintf("%.0f", set.Seconds)})
	}
	if err := cli.PrintTable(p.Text, rows); err != nil {
		return err
	}
	fmt.Fprintf(p.Text, "\nIn all %d of %d numbers agree. The report is %s\n", s.Agree, s.Compared, s.Page)
	return nil
}
