package learn

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/summary"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/system/atomicfile"
	"lapsvm/internal/system/machine"
)

// tuneRequest holds the flags of tune.
type tuneRequest struct {
	data                 input.DataFlags
	training             input.TrainFlags
	output               cli.OutputFlags
	grid                 lapsvm.Grid
	table, picture, page string // files
}

// Tune returns the command tune, which compares weights by held-out labels.
func Tune(p *cli.Program) *cobra.Command {
	var r tuneRequest
	c := &cobra.Command{
		Use:   "tune DATA",
		Short: "Try a grid of gamma-a and gamma-i, exactly, and show what held-out labels say",
		Long: `tune trains with every pair of weights of a grid, exactly: all pairs share one
factorization. It measures each pair on labels that it hides, one by one or in
folds, or on the labelled points of --validation. The table shows the error in
percent of these labels, or the root of the mean squared error of numbers. It
marks the best cell (*), the cells that so few labels cannot tell from the best
(+), and the smoothest of these cells, which tune recommends (!). A supervised SVM
tuned in the same way stands beside it. As these labels choose among the cells,
tune also chooses weights without blocks of labels, asks about them, and says what
error to expect and whether the unlabelled points help. Last comes the command
that trains with the recommended weights.

Kernel, graph and weight of given edges stay those of one machine. train compares
these too, and may take the mean of several views.

--gamma-a and --gamma-i fix one of the weights. Flags of train that change no
cell, such as --solver, are not taken: give them to the command at the end.

DATA may be a pattern in quotes, such as 'shards/*.parquet', for files of the
same columns, whose rows follow one another.`,
		Example: `  lapsvm tune points.csv
  lapsvm tune points.csv --report grid.html
  lapsvm tune points.csv --folds 5 --svg grid.svg --csv grid.csv`,
		Args:        cli.Arguments("DATA"),
		Annotations: map[string]string{cli.OnRanks: "yes"},
		RunE:        func(c *cobra.Command, args []string) error { return runTune(p, c, args, &r) },
	}
	c.Flags().SortFlags = false
	c.Flags().Float64SliceVar(&r.grid.GammaA, "grid-a", nil, "values of gamma-a to try (default 1e-6,1e-4,0.01,0.1,1,10,100)")
	c.Flags().Float64SliceVar(&r.grid.GammaI, "grid-i", nil, "values of gamma-i to try (default the same)")
	c.Flags().IntVar(&r.grid.Folds, "folds", 0, "hold labels out in so many folds (default: one by one)")
	c.Flags().StringVar(&r.table, "csv", "", "file to write the cells to")
	c.Flags().StringVar(&r.picture, "svg", "", "file to draw the grid into")
	c.Flags().StringVar(&r.page, "report", "", "HTML file to write a report to, on the weights tried and the recommended ones")
	r.data.Register(c.Flags())
	r.data.RegisterColumns(c.Flags())
	r.data.RegisterLabels(c.Flags())
	r.data.RegisterEdges(c.Flags())
	c.Flags().AddFlagSet(cli.Without(r.training.Define(), "solver", "stop", "check-every", "max-iter", "time", "tolerance", "precision", "prior", "seed", "checkpoint"))
	c.Flags().Lookup("validation").Usage = "file of labelled points to measure on, in place of held-out labels"
	r.output.Register(p, c)
	cli.ForBeginners(c, "grid-a", "grid-i", "folds", "report", "label", "unlabelled", "standardise", "kernel", "sigma", "neighbours", "json")
	return c
}

// trainer returns the trainer and the grid described by the flags. Weights that
// are given are fixed in the grid.
func (r *tuneRequest) trainer(c *cobra.Command) (lapsvm.Trainer, lapsvm.Grid, error) {
	grid := r.grid
	t, err := r.training.Trainer(c.Context(), &r.data)
	if why := answer.KindOf(t.Recipe.Kind).Refuses(answer.OfValidation).Recipe; err == nil && why != "" && c.Flags().Changed("validation") {
		err = cli.Usagef(why, "--validation")
	}
	if err == nil && t.Recipe.Supervised {
		err = cli.Usagef("tune needs a positive --gamma-i, not 0; the supervised machine stands beside the table anyway")
	}
	if v := t.Recipe.GammaA; v > 0 {
		grid.GammaA = []float64{v}
	}
	if v := t.Recipe.GammaI; v > 0 {
		grid.GammaI = []float64{v}
	}
	return t, grid, err
}

// runTune tunes, and writes table, picture and result.
func runTune(p *cli.Program, c *cobra.Command, args []string, r *tuneRequest) error {
	if err := checkReport(r.page); err != nil {
		return err
	}
	t, grid, err := r.trainer(c)
	if err != nil {
		return err
	}
	progress := p.Watch(&r.output)
	p.Follow(&t, &r.output)
	d, err := r.data.ReadShare(c.Context(), p, args[0])
	progress.Done()
	if err != nil {
		return err
	}
	input.ShowColumns(p, d, t.Recipe, &r.output, false)
	if t.Validation, err = r.training.ReadValidation(c.Context(), p, &r.data, d, &r.output); err != nil {
		return err
	}
	if d, err = d.All(c.Context()); err != nil || p.Comm().Rank() > 0 { // the first tunes
		return err
	}
	defer t.WhileOthersWait(p.Comm())()
	input.ShowOtherLabels(p, d, t.Recipe, &r.output)
	start := time.Now()
	tuning, err := t.Tune(c.Context(), d, grid)
	progress.Done()
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	p.Left()
	if r.table != "" {
		if err := atomicfile.Write(r.table, func(w io.Writer) error { return writeCells(w, tuning) }); err != nil {
			return err
		}
	}
	if r.picture != "" {
		if err := atomicfile.Write(r.picture, summary.Grid(tuning).DrawSVG); err != nil {
			return err
		}
	}
	command, err := tunedCommand(p, c, args, tuning)
	if err != nil {
		return err
	}
	if r.page != "" {
		page := summary.Tuning{Source: input.SourceName(args[0]), Command: inLines(command), Data: d, Tuning: tuning, Seconds: seconds, PeakBytes: machine.Peak()}.Page()
		if err := writePage(r.page, page); err != nil {
			return err
		}
	}
	if r.output.JSON {
		return cli.PrintJSON(p.Stdout, newTuneResult(tuning, strings.Join(command, " "), seconds))
	}
	return printTuning(p, tuning, slices.Contains(d.Y, dataset.Unlabelled), inLines(command), seconds)
}

// tuneResult is the JSON of a tuning.
type tuneResult struct {
	Cells                   []selection.TunedCell `json:"cells"`
	Best                    selection.TunedCell   `json:"best"`
	Recommended             selection.TunedCell   `json:"recommended"`
	Supervised              selection.TunedCell   `json:"supervised"`
	*lapsvm.Expected                              // absent where the labels are too few, and of numbers
	*lapsvm.ExpectedNumbers                       // absent where the labels are too few, and of classes
	Verdict                 lapsvm.Verdict        `json:"verdict"` // on the unlabelled points
	HeldOut                 string                `json:"held_out"`
	Labels                  int                   `json:"labels"`
	Rank                    int                   `json:"rank"`
	Config                  lapsvm.Recipe         `json:"config"`
	Command                 string                `json:"command"` // trains with the recommended cell
	Seconds                 float64               `json:"seconds"`
}

func newTuneResult(t *lapsvm.Tuning, command string, seconds float64) tuneResult {
	return tuneResult{t.Cells, t.Cells[t.Best], t.Cells[t.Recommended], t.Supervised, t.Expected, t.Numbers, t.Verdict,
		t.HeldOut, t.Labels, t.Rank, t.Recipe, command, seconds}
}

// mark returns the mark of a cell.
func mark(t *lapsvm.Tuning, k int) string {
	switch {
	case k == t.Recommended && k == t.Best:
		return "*!"
	case k == t.Recommended:
		return "!"
	case k == t.Best:
		return "*"
	case t.Cells[k].Close:
		return "+"
	}
	return ""
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

func printTuning(p *cli.Program, t *lapsvm.Tuning, unlabelled bool, command string, seconds float64) error {
	a, i := summary.Axes(t)
	said := answer.KindOf(t.Recipe.Kind).Tuned(t.Recipe)
	errorText := func(v float64) string { return fmt.Sprintf(said.Error, v) }
	fmt.Fprintf(p.Text, "%s of %s, by %s; %d cells and %d supervised machines in %.3g s\n\n",
		said.What, cli.Count(t.Labels, "held-out label", "held-out labels"), t.HeldOut, len(t.Cells), len(a), seconds)
	head := []string{"gamma-a \\ gamma-i"}
	for _, v := range i {
		head = append(head, short(v)+"  ")
	}
	rows := [][]string{head}
	for r, v := range a {
		row := []string{short(v)}
		for c := range i {
			k := r*len(i) + c
			row = append(row, fmt.Sprintf(said.Cell+"%-2s", t.Cells[k].Error, mark(t, k)))
		}
		rows = append(rows, row)
	}
	if err := cli.PrintTable(p.Text, rows); err != nil {
		return err
	}
	best, recommended := t.Cells[t.Best], t.Cells[t.Recommended]
	fmt.Fprintf(p.Text, "\n*  smallest %s on held-out labels: --gamma-a %g --gamma-i %g, %s\n", said.Criterion, best.GammaA, best.GammaI, errorText(best.Error))
	fmt.Fprintf(p.Text, "+  within a standard error of it\n")
	fmt.Fprintf(p.Text, "!  the smoothest of these, recommended: --gamma-a %g --gamma-i %g, %s, %.3g degrees of freedom\n",
		recommended.GammaA, recommended.GammaI, errorText(recommended.Error), recommended.Freedom)
	fmt.Fprintf(p.Text, "supervised %s tuned the same way: --gamma-a %g, %s\n", said.Machine, t.Supervised.GammaA, errorText(t.Supervised.Error))
	fmt.Fprintf(p.Text, "\nThese labels chose among the cells. With weights chosen again without each label:\n")
	verdict := t.Verdict
	if !unlabelled {
		verdict = ""
	}
	for _, text := range summary.Told(t.Recipe.Kind, t.Expected, t.Numbers, verdict, t.Labels) {
		fmt.Fprintf(p.Text, "  %s\n", text)
	}
	edges := fmt.Sprintf("%d neighbours", t.Recipe.Graph.Neighbours)
	if t.Recipe.Graph.EdgesAlone {
		edges = "given edges alone"
	}
	_, err := fmt.Fprintf(p.Text, "\n%s\nkernel %s; %s, degree %d. To train with the recommended weights:\n%s\n",
		ScalingText(t.Recipe), t.Recipe.Kernel, edges, t.Recipe.Graph.Degree, command)
	return err
}

func writeCells(w io.Writer, t *lapsvm.Tuning) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"gamma_a", "gamma_i", "error", "standard_error", "loss", "freedom", "close", "best", "recommended"}}
	for k, c := range t.Cells {
		rows = append(rows, []string{full(c.GammaA), full(c.GammaI), full(c.Error), full(c.StandardError), full(c.Loss), full(c.Freedom),
			strconv.FormatBool(c.Close), strconv.FormatBool(k == t.Best), strconv.FormatBool(k == t.Recommended)})
	}
	s := t.Supervised
	rows = append(rows, []string{full(s.GammaA), "0", full(s.Error), full(s.StandardError), full(s.Loss), full(s.Freedom), "false", "false", "false"})
	return out.WriteAll(rows)
}

func full(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
