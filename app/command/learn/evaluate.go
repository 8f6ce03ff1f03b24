package learn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/summary"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/system/machine"
)

// evaluateRequest holds the flags of evaluate.
type evaluateRequest struct {
	data            input.DataFlags
	training        input.TrainFlags
	output          cli.OutputFlags
	plan            selection.Plan
	test, page      string // files
	baseline, proba string
	set             float64 // level of sets; 0 for none
}

// Evaluate returns the command evaluate, which hides labels and counts the errors on them.
func Evaluate(p *cli.Program) *cobra.Command {
	var r evaluateRequest
	c := &cobra.Command{
		Use:   "evaluate DATA --labelled N",
		Short: "Hide all labels but a few, fit, and measure on the hidden ones",
		Long: `evaluate keeps N labels of DATA (or N per class), hides the other labels, trains,
and counts the errors on the hidden labels, in percent: on the unlabelled points
of the training, on validation points, and on test points that the training never
saw. Beside them it shows the errors of an SVM on the labelled points, and the
errors of always answering with the commonest class. Labels are kept at random,
at least one of every class. The encoding of a table is learnt from all rows of
DATA, without their labels.

DATA may be a pattern in quotes, such as 'shards/*.parquet', for files of the
same columns, whose rows follow one another.`,
		Example: `  lapsvm evaluate digits.svm --labelled 50 --repeats 12
  lapsvm evaluate digits.svm --labelled 50 --repeats 12 --report digits.html
  lapsvm evaluate digits.svm --labelled 50 --validation-size 50 --test-fraction 0.25 --repeats 12`,
		Annotations: map[string]string{cli.OnRanks: "yes"},
		Args:        cli.Arguments("DATA"),
		RunE:        func(c *cobra.Command, args []string) error { return runEvaluate(p, c, args, &r) },
	}
	c.Flags().SortFlags = false
	c.Flags().IntVar(&r.plan.Labelled, "labelled", 0, "number of labels to keep, at least one per class")
	c.Flags().IntVar(&r.plan.PerClass, "per-class", 0, "number of labels to keep of every class, in place of --labelled")
	c.Flags().IntVar(&r.plan.Validation, "validation-size", 0, "number of labelled points to set aside for validation")
	c.Flags().Float64Var(&r.plan.TestFraction, "test-fraction", 0, "share of the labelled rows to set aside for testing; 1/m makes m-fold cross-validation")
	c.Flags().StringVar(&r.test, "test", "", "file of test points, in place of --test-fraction")
	c.Flags().IntVar(&r.plan.Repeats, "repeats", 1, "number of random splits")
	cli.AddOneOf(c.Flags(), &r.baseline, "baseline", "on", "an SVM on the labelled points alone beside it: on or off", "on", "off")
	c.Flags().Float64Var(&r.set, "set", 0, "measure sets of classes too, that are to hold the right one with this probability, such as 0.9")
	c.Flags().StringVar(&r.page, "report", "", "HTML file to write a report to, on errors, classes, probabilities and choices")
	cli.AddOneOf(c.Flags(), &r.proba, "proba", "on", "learn probabilities too, as train does, to compare with the hidden labels and to tell whether the unlabelled points help: on or off", "on", "off")
	r.data.Register(c.Flags())
	r.data.RegisterColumns(c.Flags())
	r.data.RegisterLabels(c.Flags())
	r.data.RegisterEdges(c.Flags())
	c.Flags().AddFlagSet(r.training.Define())
	r.output.Register(p, c)
	cli.ForBeginners(c, "labelled", "per-class", "repeats", "test-fraction", "report", "label", "standardise", "kernel", "neighbours", "gamma-i", "json")
	return c
}

// check refuses a request that cannot be answered, before anything is computed.
func (r *evaluateRequest) check() error {
	if (r.plan.Labelled == 0) == (r.plan.PerClass == 0) {
		return cli.Usagef("say how many labels to keep, with --labelled N or with --per-class N of every class, not both")
	}
	if r.test != "" && r.plan.TestFraction > 0 {
		return cli.Usagef("give --test or --test-fraction, not both")
	}
	return checkReport(r.page)
}

// checkSet refuses sets that a recipe or so few labels cannot have.
func (r *evaluateRequest) checkSet(recipe lapsvm.Recipe, classes int) error {
	labels := max(r.plan.Labelled, r.plan.PerClass*classes)
	switch why := answer.KindOf(recipe.Kind).Refuses(answer.OfSets).Recipe; {
	case r.set == 0:
		return nil
	case why != "":
		return cli.Usagef(why, "--set")
	case !(r.set > 0) || !(r.set < 1):
		return cli.Usagef("--set takes a level between 0 and 1, such as 0.9, not %v", r.set)
	case labels < calibrate.LeastLabels(r.set):
		return cli.Usagef("sets of level %v take %d labels, of which %d are kept: keep more, or ask for less", r.set, calibrate.LeastLabels(r.set), labels)
	}
	return nil
}

// runEvaluate measures all repeats, and writes the report and the result.
func runEvaluate(p *cli.Program, c *cobra.Command, args []string, r *evaluateRequest) error {
	if err := r.check(); err != nil {
		return err
	}
	t, err := r.training.Trainer(c.Context(), &r.data)
	if err != nil {
		return err
	}
	progress := p.Watch(&r.output)
	d, err := r.data.ReadShare(c.Context(), p, args[0])
	progress.Done()
	if err != nil {
		return err
	}
	labels, err := input.WithLabels(c.Context(), d)
	if err != nil {
		return err
	}
	input.ShowColumns(p, d, t.Recipe, &r.output, false)
	input.ShowOtherLabels(p, labels, t.Recipe, &r.output)
	if t.Validation, err = r.training.ReadValidation(c.Context(), p, &r.data, d, &r.output); err != nil {
		return err
	}
	p.Follow(&t, &r.output)
	if err := r.checkSet(t.Recipe, len(d.Classes)); err != nil {
		return err
	}
	t.Recipe.Calibrate = !answer.KindOf(t.Recipe.Kind).Classes() || r.proba == "on"
	e := selection.Evaluation{Recipe: t.Recipe, With: t.Run, Baseline: r.baseline == "on", Set: r.set}
	if p.Comm().Rank() == 0 { // the first measures
		if e.Test, err = r.readTest(c.Context(), p, d); err != nil {
			return err
		}
	}
	r.plan.Seed, r.plan.Numbers, r.plan.Several = t.Recipe.Seed, !answer.KindOf(t.Recipe.Kind).Classes(), t.Recipe.Kind.Separator
	splits, err := selection.Splits(labels, r.plan)
	if err != nil {
		return cli.Usagef("%w", err)
	}
	for first := range splits {
		if r.test == "" && len(first.Hidden)+len(first.Validation)+len(first.Test) == 0 {
			return cli.Usagef("all %d labels are kept, and none is left to count errors by: keep fewer, or give --test", len(first.Labelled))
		}
		break
	}
	start := time.Now()
	if r.plan.Repeats > 1 {
		e.Progress = showRepeats(p, r.plan.Repeats)
	}
	results, err := e.Run(c.Context(), d, splits)
	progress.Done()
	if errors.Is(err, context.Canceled) && len(results) > 0 {
		return interruptedEvaluation(p, results, d.Classes, err, r)
	}
	if err != nil {
		return err
	}
	if r.page != "" { // which shows points
		if d, err = d.All(c.Context()); err != nil {
			return err
		}
	}
	if p.Comm().Rank() > 0 {
		return nil
	}
	if r.page != "" {
		page, err := summary.Evaluation{Source: input.SourceName(args[0]), Command: evaluationAgain(c, args), Data: d, Results: results,
			Seconds: time.Since(start).Seconds(), PeakBytes: machine.Peak()}.Page()
		if err != nil {
			return err
		}
		if err := writePage(r.page, page); err != nil {
			return err
		}
	}
	return writeEvaluation(p, results, d.Classes, &r.output)
}

// interruptedEvaluation writes the results until the interruption of an
// evaluation, and returns the error of the interruption.
func interruptedEvaluation(p *cli.Program, results []selection.Result, classes []string, interruption error, r *evaluateRequest) error {
	if err := writeEvaluation(p, results, classes, &r.output); err != nil {
		return err
	}
	text := fmt.Sprintf("interrupted; the result is that of %d of %d repeats", len(results), max(r.plan.Repeats, 1))
	if r.page != "" {
		text += ", and the report was not written"
	}
	return cli.Interrupted(interruption, text)
}

// writeEvaluation writes results as they were asked for.
func writeEvaluation(p *cli.Program, results []selection.Result, classes []string, output *cli.OutputFlags) error {
	if output.JSON {
		return cli.PrintJSON(p.Stdout, newEvaluateResult(results, classes))
	}
	return printEvaluation(p, results, classes)
}

// readTest reads the points of --test as those of the training, d, were read; nil
// without.
func (r *evaluateRequest) readTest(ctx context.Context, p *cli.Program, d *dataset.Dataset) (*dataset.Dataset, error) {
	if r.test == "" {
		return nil, nil
	}
	flags := r.data.Like(d)
	flags.Features = d.Points.Dim()
	test, err := flags.Read(ctx, p, r.test)
	if err != nil {
		return nil, err
	}
	input.WarnUnseen(p, test, &r.output)
	return test, nil
}

// showRepeats shows the number of the current repeat, and returns the function to
// call after each.
func showRepeats(p *cli.Program, of int) func(selection.Result) {
	start := time.Now()
	p.Progress.Within(fmt.Sprintf("repeat 1 of %d; ", of))
	return func(r selection.Result) {
		p.Left()
		left := time.Since(start) / time.Duration(r.Repeat) * time.Duration(of-r.Repeat)
		p.Progress.Within(fmt.Sprintf("repeat %d of %d (the last had %s), %s to go in all; ", min(r.Repeat+1, of), of, answer.KindOf(r.Recipe.Kind).Erred(r), cli.Roughly(left)))
	}
}
