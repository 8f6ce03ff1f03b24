package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/lab/compare"
)

// benchmarkRequest holds the flags of benchmark.
type benchmarkRequest struct {
	data          input.DataFlags
	output        cli.OutputFlags
	plan          compare.Plan
	table, python string
}

func benchmark(p *cli.Program) *cobra.Command {
	var r benchmarkRequest
	c := &cobra.Command{
		Use:   "benchmark DIR",
		Short: "Measure this program and its rivals over a folder of data sets",
		Long: `benchmark takes every file in DIR and below it that reads as labelled data, and
every folder of images with a sub-folder for each class. It hides all labels but a
few per class, and counts the errors on the hidden labels, for these methods:
lapsvm (this program without flags), svm (the SVM on the labels beside it) and, if
python3 has scikit-learn, its classifiers. These are SVC with the Gaussian kernel,
logistic regression, nearest neighbours, and label spreading on nearest
neighbours and on a Gaussian kernel, on plain columns and on z-scores (-z). The
first three choose parameters and scaling by cross-validation if every class has
two labels. All methods see the same points and the same draws of labels, which
depend on --seed alone. A method that fails, or takes longer than --time-limit,
leaves a gap, and the gap is stated.`,
		Example: `  lapsvm-lab benchmark sets -o table.md
  lapsvm-lab benchmark sets --per-class 1,3,10 --repeats 3 --max-rows 1500 --json
  lapsvm-lab benchmark sets --methods lapsvm,svm,svc --python /usr/bin/python3`,
		Args: cli.Arguments("DIR"),
		RunE: func(c *cobra.Command, args []string) error { return runBenchmark(p, c, args[0], &r) },
	}
	c.Flags().SortFlags = false
	c.Flags().IntSliceVar(&r.plan.PerClass, "per-class", []int{1, 3, 10}, "numbers of labels to keep of every class, separated by commas")
	c.Flags().IntVar(&r.plan.Repeats, "repeats", 10, "draws of each number of labels")
	c.Flags().IntVar(&r.plan.MaxRows, "max-rows", 3000, "most rows of a set; of a larger one so many are drawn, every class among them")
	c.Flags().DurationVar(&r.plan.Limit, "time-limit", 5*time.Minute, "most time for one method on one draw, such as 60s")
	c.Flags().StringSliceVar(&r.plan.Methods, "methods", nil, "methods to measure, separated by commas (default: all, "+strings.Join(compare.Methods(), ", ")+")")
	c.Flags().StringVar(&r.python, "python", "python3", "interpreter that has scikit-learn; off for none")
	c.Flags().StringVarP(&r.table, "output", "o", "", "file for the table, .md (Markdown) or .csv (a line for every set, number of labels and method)")
	c.Flags().Uint64Var(&r.plan.Seed, "seed", 1, "seed of rows and draws")
	c.Flags().Int("threads", 0, "threads of this program (default: all processors)")
	r.data.Register(c.Flags())
	r.data.RegisterColumns(c.Flags())
	r.output.Register(p, c)
	cli.ForBeginners(c, "per-class", "repeats", "max-rows", "time-limit", "methods", "python", "output", "label", "json")
	return c
}

// check refuses a request that cannot be answered, before anything is computed.
func (r *benchmarkRequest) check() error {
	for _, n := range r.plan.PerClass {
		if n < 1 {
			return cli.Usagef("--per-class takes numbers from 1 on, not %d", n)
		}
	}
	for _, m := range r.plan.Methods {
		if !slices.Contains(compare.Methods(), m) {
			return cli.Usagef("--methods takes %s, not %q%s", strings.Join(compare.Methods(), ", "), m, cli.DidYouMean(m, compare.Methods()))
		}
	}
	switch ext := strings.ToLower(filepath.Ext(r.table)); {
	case len(r.plan.PerClass) == 0:
		return cli.Usagef("say how many labels to keep of every class, such as --per-class 1,3,10")
	case r.plan.Repeats < 1 || r.plan.Repeats > mostSplits:
		return cli.Usagef("--repeats takes a number from 1 to %d, not %d", mostSplits, r.plan.Repeats)
	case r.plan.MaxRows < 10:
		return cli.Usagef("--max-rows takes a number from 10 on, not %d", r.plan.MaxRows)
	case r.plan.Limit <= 0:
		return cli.Usagef("--time-limit takes a time such as 60s, not %v", r.plan.Limit)
	case r.table != "" && ext != ".md" && ext != ".csv":
		return cli.Usagef("the table is written as .md or .csv, not as %q", r.table)
	}
	return nil
}

// runBenchmark measures set after set, and writes the table.
func runBenchmark(p *cli.Program, c *cobra.Command, folder string, r *benchmarkRequest) error {
	if err := r.check(); err != nil {
		return err
	}
	sources, err := compare.Sources(folder)
	if err != nil {
		return cli.BadData(err)
	}
	if len(sources) == 0 {
		return cli.BadData(fmt.Errorf("%s holds no data sets: give a folder of files whose names tell their format, such as .csv", folder))
	}
	memory, err := cli.MemoryBudget(r.data.Memory)
	if err != nil {
		return err
	}
	progress := p.Watch(&r.output)
	rivals, err := findRivals(p, c.Context(), r)
	if err != nil {
		return err
	}
	result := benchmarkResult{Repeats: r.plan.Repeats, MaxRows: r.plan.MaxRows, Seed: r.plan.Seed}
	if rivals != nil {
		defer rivals.Close()
		result.Rivals = rivals.Version
	}
	r.plan.Run = train.Run{Memory: memory}
	for k, s := range sources {
		r.plan.Progress = func(labelled, draw int, method string) {
			progress.Begin(fmt.Sprintf("%s (%d of %d), %d labels, draw %d of %d: %s", s.Name, k+1, len(sources), labelled, draw, r.plan.Repeats, method))
		}
		results, err := benchmarkSet(p, c.Context(), s, r, rivals)
		if result.Results = append(result.Results, results...); len(result.Results) > 0 {
			p.Left()
		}
		if errors.Is(err, context.Canceled) {
			progress.Done()
			return interruptedBenchmark(p, result, err, r)
		}
		if err != nil {
			result.LeftOut = append(result.LeftOut, leftOut{s.Name, cli.InFlags(err)})
			if !r.output.Quiet {
				fmt.Fprintf(p.Errors(), "%s is left out: %s\n", s.Name, cli.InFlags(err))
			}
		}
	}
	progress.Done()
	if len(result.Results) == 0 {
		return cli.BadData(fmt.Errorf("%s holds no labelled data that could be measured on", folder))
	}
	if r.table != "" {
		if err := writeComparison(r.table, result.Comparison); err != nil {
			return err
		}
	}
	return writeBenchmark(p, result, &r.output)
}

// findRivals returns the rivals, nil and a word about it where there are none.
func findRivals(p *cli.Program, ctx context.Context, r *benchmarkRequest) (*compare.Rivals, error) {
	if r.python == "off" {
		return nil, nil
	}
	rivals, err := compare.FindRivals(ctx, r.python)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && !r.output.Quiet {
		fmt.Fprintf(p.Errors(), "without rivals of scikit-learn: %v; name an interpreter that has it by --python\n", err)
	}
	return rivals, nil
}

// benchmarkSet reads and measures one set.
func benchmarkSet(p *cli.Program, ctx context.Context, s compare.Source, r *benchmarkRequest, rivals *compare.Rivals) ([]compare.Result, error) {
	d, err := r.data.Read(ctx, p, s.Path)
	if err != nil {
		return nil, err
	}
	return r.plan.Set(ctx, s.Name, d, rivals)
}

// writeComparison writes the table as the name of the file asks.
func writeComparison(path string, c compare.Comparison) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(path), ".csv") {
			return c.WriteCSV(w)
		}
		return c.WriteMarkdown(w)
	})
}

// interruptedBenchmark writes the results until an interruption, and returns the
// error of the interruption.
func interruptedBenchmark(p *cli.Program, result benchmarkResult, interruption error, r *benchmarkRequest) error {
	if len(result.Results) == 0 {
		return interruption
	}
	text := "interrupted; the result is that of what was measured until then"
	if r.table != "" {
		if err := writeComparison(r.table, result.Comparison); err != nil {
			return err
		}
		text += ", and so is " + r.table
	}
	if err := writeBenchmark(p, result, &r.output); err != nil {
		return err
	}
	return cli.Interrupted(interruption, text)
}
