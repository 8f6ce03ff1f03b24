package main

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/internal/summary"
	"lapsvm/selection"
)

func (p *program) evaluate() *cobra.Command {
	var data dataFlags
	var training trainFlags
	var report reportFlags
	var plan selection.Plan
	var testFile, baseline, proba, page string
	c := &cobra.Command{
		Use:   "evaluate DATA --labelled N",
		Short: "Hide all labels but a few, fit, and measure on the hidden ones",
		Long: `evaluate keeps N labels of DATA (or N per class), hides the others, trains, and
counts the errors on what was hidden, in percent: on the unlabelled points of
the training, on validation points, and on test points that the training never
saw. Beside it stand an SVM on the labelled points and what would be wrong if the
answer were always the commonest class. Labels are kept at random, at least one
of every class. What the columns of a table are is learnt from all rows of DATA,
without their labels.`,
		Example: `  lapsvm evaluate digits.svm --labelled 50 --repeats 12
  lapsvm evaluate digits.svm --labelled 50 --repeats 12 --report digits.html
  lapsvm evaluate digits.svm --labelled 50 --validation-size 50 --test-fraction 0.25 --repeats 12`,
		Args: arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			if (plan.Labelled == 0) == (plan.PerClass == 0) {
				return usagef("say how many labels to keep, with --labelled N or with --per-class N of every class, not both")
			}
			if err := checkReport(page); err != nil {
				return err
			}
			t, err := training.trainer(&data)
			if err != nil {
				return err
			}
			shown := p.watch(&report)
			d, err := data.read(p, args[0])
			shown.done()
			if err != nil {
				return err
			}
			p.showColumns(d, t.Standardise, &report)
			if t.Validation, err = training.readValidation(p, &data, d, &report); err != nil {
				return err
			}
			p.follow(&t, &report)
			t.Calibrate = proba == "on" && page != ""
			e := selection.Evaluation{Recipe: t.Recipe, With: t.Run, Baseline: baseline == "on"}
			if testFile != "" {
				if plan.TestFraction > 0 {
					return usagef("give --test or --test-fraction, not both")
				}
				test := data.like(d)
				test.features = d.Points.Dim()
				if e.Test, err = test.read(p, testFile); err != nil {
					return err
				}
				p.warnUnseen(e.Test, &report)
			}
			start := time.Now()
			if plan.Repeats > 1 {
				shown.within(fmt.Sprintf("repeat 1 of %d; ", plan.Repeats))
				e.Progress = func(r selection.Result) {
					left := time.Since(start) / time.Duration(r.Repeat) * time.Duration(plan.Repeats-r.Repeat)
					shown.within(fmt.Sprintf("repeat %d of %d (the last had %.3g %% wrong), %s to go in all; ", min(r.Repeat+1, plan.Repeats), plan.Repeats,
						r.Unlabelled, roughly(left)))
				}
			}
			plan.Seed = training.seed
			splits, err := selection.Splits(d, plan)
			if err != nil {
				return usageError{err}
			}
			results, err := e.Run(c.Context(), d, splits)
			shown.done()
			if err != nil {
				return err
			}
			if page != "" {
				of := summary.Evaluation{Source: sourceName(args[0]), Data: d, Results: results, Seconds: time.Since(start).Seconds(), PeakBytes: peakBytes()}
				if of.Command, err = repeating(c, args, nil); err != nil {
					return err
				}
				written, err := of.Page()
				if err != nil {
					return err
				}
				if err := writePage(page, written); err != nil {
					return err
				}
			}
			if report.json {
				return printJSON(p.stdout, newEvaluateResult(results))
			}
			return p.printEvaluation(results)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().IntVar(&plan.Labelled, "labelled", 0, "number of labels to keep, at least one per class")
	c.Flags().IntVar(&plan.PerClass, "per-class", 0, "number of labels to keep of every class, in place of --labelled")
	c.Flags().IntVar(&plan.Validation, "validation-size", 0, "number of labelled points to set aside for validation")
	c.Flags().Float64Var(&plan.TestFraction, "test-fraction", 0, "share of the labelled rows to set aside for testing; 1/m makes m-fold cross-validation")
	c.Flags().StringVar(&testFile, "test", "", "file of test points, in place of --test-fraction")
	c.Flags().IntVar(&plan.Repeats, "repeats", 1, "number of random splits")
	choose(c.Flags(), &baseline, "baseline", "on", "an SVM on the labelled points alone beside it: on or off", "on", "off")
	c.Flags().StringVar(&page, "report", "", "HTML file to write a report to, on errors, classes, probabilities and choices")
	choose(c.Flags(), &proba, "proba", "on", "with --report: learn probabilities too, to compare with the hidden labels: on or off", "on", "off")
	data.register(c.Flags())
	data.registerColumns(c.Flags())
	training.register(c.Flags())
	report.register(c)
	return c
}

// measure is one column of an evaluation.
type measure struct {
	name, title string
	get         func(selection.Result) float64
}

func measures() []measure {
	return []measure{
		{"error_unlabelled", "unlabelled", func(r selection.Result) float64 { return r.Unlabelled }},
		{"error_validation", "validation", func(r selection.Result) float64 { return r.Validation }},
		{"error_test", "test", func(r selection.Result) float64 { return r.Test }},
		{"error_baseline_unlabelled", "SVM: unlabelled", func(r selection.Result) float64 { return r.BaselineUnlabelled }},
		{"error_baseline_test", "SVM: test", func(r selection.Result) float64 { return r.BaselineTest }},
		{"error_commonest_unlabelled", "commonest class: unlabelled", selection.Result.Commonest},
		{"iterations", "iterations", func(r selection.Result) float64 { return r.Training.Iterations }},
		{"line_search_steps", "line searches", func(r selection.Result) float64 { return r.Training.LineSearchSteps }},
		{"seconds_solve", "solve s", func(r selection.Result) float64 { return r.Training.Seconds.Solve }},
		{"seconds", "seconds", func(r selection.Result) float64 { return r.Seconds }},
	}
}

// evaluateResult is the JSON of an evaluation.
type evaluateResult struct {
	Labelled       int                 `json:"labelled"`
	Unlabelled     int                 `json:"unlabelled"`
	ValidationSize int                 `json:"validation_size"`
	TestSize       int                 `json:"test_size"`
	Repeats        []map[string]number `json:"repeats"`
	Mean           map[string]number   `json:"mean"`
	SD             map[string]number   `json:"sd"`
	Gain           number              `json:"gain"`              // percent points fewer errors than the baseline on unlabelled points
	GainError      number              `json:"gain_error"`        // its standard error over the repeats
	Choices        []*lapsvm.Choice    `json:"choices,omitempty"` // of the repeats, where parameters were chosen
}

func newEvaluateResult(results []selection.Result) evaluateResult {
	first := results[0]
	out := evaluateResult{Labelled: first.Labelled, Unlabelled: first.Hidden, ValidationSize: first.ValidationSize, TestSize: first.Tested,
		Mean: make(map[string]number), SD: make(map[string]number)}
	for _, r := range results {
		row := make(map[string]number)
		for _, m := range measures() {
			row[m.name] = number(m.get(r))
		}
		if r.Recipe.Choice != nil {
			out.Choices = append(out.Choices, r.Recipe.Choice)
		}
		out.Repeats = append(out.Repeats, row)
	}
	gain, standardError := selection.Gain(results)
	out.Gain, out.GainError = number(gain), number(standardError)
	for _, m := range measures() {
		mean, sd := selection.MeanSD(results, m.get)
		out.Mean[m.name], out.SD[m.name] = number(mean), number(sd)
	}
	return out
}

func (p *program) printEvaluation(results []selection.Result) error {
	first := results[0]
	fmt.Fprintf(p.stdout, "%d labelled, %d with a hidden label, %d for validation, %d for testing; %s\n\n",
		first.Labelled, first.Hidden, first.ValidationSize, first.Tested, count(len(results), "repeat", "repeats"))
	once := len(results) == 1
	rows := [][]string{{"", "mean", "sd"}}
	if once {
		rows = [][]string{{"", "value"}}
	}
	for _, m := range measures() {
		mean, sd := selection.MeanSD(results, m.get)
		if math.IsNaN(mean) {
			continue
		}
		title := m.title
		if m.name[:5] == "error" {
			title += ", % wrong"
		}
		row := []string{title, fmt.Sprintf("%.4g", mean), fmt.Sprintf("%.3g", sd)}
		if once {
			row = row[:2]
		}
		rows = append(rows, row)
	}
	if err := printTable(p.stdout, rows); err != nil {
		return err
	}
	gain, standardError := selection.Gain(results)
	switch {
	case math.IsNaN(gain):
	case math.IsNaN(standardError):
		fmt.Fprintf(p.stdout, "\nOne repeat cannot tell how much of this is luck, or whether the unlabelled points help: give more, such as --repeats 10.\n")
	default:
		fmt.Fprintf(p.stdout, "\nAgainst the SVM, repeat by repeat: %s\n", summary.Verdict(gain, standardError))
	}
	return nil
}
