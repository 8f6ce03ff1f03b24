package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/summary"
	"lapsvm/selection"
	"lapsvm/solve"
)

func (p *program) train() *cobra.Command {
	var data dataFlags
	var training trainFlags
	var report reportFlags
	var out, proba, page string
	var labelShares bool
	c := &cobra.Command{
		Use:   "train DATA -o MODEL",
		Short: "Fit a model; rows without a label are the unlabelled ones",
		Example: `  lapsvm train points.csv -o model.lapsvm
  lapsvm train points.csv -o model.lapsvm --report training.html
  lapsvm train digits.svm.gz --select 3,8 --unlabelled 0 --sigma 9.4 -o model.lapsvm`,
		Args: arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			start := time.Now()
			if out == "" {
				return usagef("say where the model goes: lapsvm train %s -o MODEL", args[0])
			}
			if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
				return usagef("there is no folder %s for the model; make it first", filepath.Dir(out))
			}
			if err := checkReport(page); err != nil {
				return err
			}
			t, err := training.trainer(&data)
			if err != nil {
				return err
			}
			t.Calibrate, t.LabelShares = proba == "on", labelShares
			shown := p.watch(&report)
			d, err := data.read(p, args[0])
			shown.done()
			if err != nil {
				return err
			}
			p.showColumns(d, t.Standardise, &report)
			p.showLabels(d, &report)
			if t.Validation, err = training.readValidation(p, &data, d, &report); err != nil {
				return err
			}
			read := time.Since(start).Seconds()
			p.follow(&t, &report)
			asked := t.Recipe
			if t.Recipe, err = t.Choose(c.Context(), d); err != nil {
				return err
			}
			chosen := time.Since(start).Seconds() - read
			var path summary.Path
			if page != "" {
				show := t.Step
				t.Step = func(s *solve.Step) {
					if show != nil {
						show(s)
					}
					path.Step(s)
				}
			}
			p.announce(c.Context(), t, d, &report)
			m, err := t.Fit(c.Context(), d)
			shown.done()
			if err != nil {
				return err
			}
			if err := m.Save(out); err != nil {
				return err
			}
			result := newTrainResult(m, read, chosen, time.Since(start).Seconds())
			if page != "" {
				shown.begin("writing the report")
				of := summary.Training{Source: sourceName(args[0]), Selected: len(data.selected) > 0, Data: d, Model: m, Path: &path,
					Times: result.Seconds.parts(), PeakBytes: result.PeakBytes}
				if of.SVM, err = supervisedBeside(c.Context(), asked, m, t.Memory, d); err != nil {
					return reportLess(out, err)
				}
				if of.Command, err = repeating(c, args, m); err != nil {
					return err
				}
				if err := writeTrainingReport(c.Context(), page, of); err != nil {
					return reportLess(out, err)
				}
			}
			shown.done()
			if report.json {
				return printJSON(p.stdout, objects{m.Recipe(), newLeading(m.Recipe()), result})
			}
			if report.quiet {
				return nil
			}
			recipe, leading := m.Recipe(), m.Recipe().Leading()
			fmt.Fprintf(p.stdout, "%d points with %d features, %d labelled, %d classes\n", result.N, result.D, result.Labelled, len(result.Classes))
			fmt.Fprintf(p.stdout, "kernel %s; gamma-a %g, gamma-i %g\n", m.Kernel(), leading.GammaA, leading.GammaI)
			printChoice(p.stdout, m.Recipe())
			fmt.Fprintf(p.stdout, "Gram matrix: %s\n", result.Gram)
			fmt.Fprintf(p.stdout, "%s stopped after %.4g iterations: %s; objective %.6g, %s\n", recipe.Solver, result.Iterations, result.Status,
				result.Objective, count(result.ErrorVectors, "error vector", "error vectors"))
			fmt.Fprintf(p.stdout, "error on the labelled points %.4g %%\n", result.TrainingError)
			fmt.Fprintf(p.stdout, "model %s: %s, in %.3g s\n", out, count(m.Basis(), "basis point", "basis points"), result.Seconds.Total)
			if page != "" {
				fmt.Fprintf(p.stdout, "report %s\n", page)
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&out, "output", "o", "", "file to write the model to")
	choose(c.Flags(), &proba, "proba", "on", "learn probabilities for predict --proba, from machines without some of the labels: on or off; beyond 3,000 points it costs about as much as the training's iterations", "on", "off")
	c.Flags().BoolVar(&labelShares, "label-shares", false, "keep in the model what each label adds, for predict --explain; needs the solver deformed or dual")
	c.Flags().StringVar(&page, "report", "", "HTML file to write a report to, on data, graph, training and decisions; trains an SVM on the labels beside the model")
	data.register(c.Flags())
	data.registerColumns(c.Flags())
	training.register(c.Flags())
	report.register(c)
	return c
}

// supervisedBeside trains the SVM on the labelled points that a report shows beside
// a model; nil where the model is one itself.
func supervisedBeside(ctx context.Context, asked lapsvm.Recipe, m *lapsvm.Model, memory int64, d *dataset.Dataset) (*lapsvm.Model, error) {
	if m.Recipe().Supervised {
		return nil, nil
	}
	svm, err := lapsvm.Trainer{Recipe: selection.Baseline(asked, m.Recipe()), Run: lapsvm.Run{Memory: memory}}.Fit(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("supervised machine beside the model: %w", err)
	}
	return svm, nil
}

// reportLess is an error in making the report of a model that is written.
func reportLess(model string, err error) error {
	return interruptedError{fmt.Errorf("the model %s is written, but not its report: %w", model, err), "interrupted; the model is written, but not its report"}
}

func writeTrainingReport(ctx context.Context, path string, t summary.Training) error {
	page, err := t.Page(ctx)
	if err != nil {
		return err
	}
	return writePage(path, page)
}

// printChoice says how the open part of a recipe was chosen.
func printChoice(w io.Writer, r lapsvm.Recipe) {
	c := r.Choice
	if c == nil {
		return
	}
	fmt.Fprintf(w, "parameters by %s\n", c.Reason)
	if c.Candidates == 0 {
		return
	}
	if c.GammaI == 0 {
		fmt.Fprintf(w, "  %.3g %% of the held-out labels wrong\n", c.Error)
		return
	}
	fmt.Fprintf(w, "  %d neighbours, degree %d: %.3g %% of the held-out labels wrong; supervised SVM chosen the same way %.3g %%\n",
		c.Neighbours, c.LaplacianDegree, c.Error, c.SupervisedError)
	fmt.Fprintf(w, "  %s\n", summary.Verdict(c.Gain, c.GainError))
	if len(r.Members) > 1 {
		fmt.Fprintf(w, "  the model is the weighted mean of %d machines that so few labels cannot tell apart\n", len(r.Members))
	}
}

// trainResult is the JSON of a training, beside its recipe.
type trainResult struct {
	lapsvm.Training
	Classes   []string     `json:"classes"`
	PeakBytes int64        `json:"peak_bytes"`
	Seconds   trainSeconds `json:"seconds"`
}

// leading is the JSON of the member that counts most in a recipe.
type leading struct {
	GammaA          float64 `json:"gamma_a"`
	GammaI          float64 `json:"gamma_i"`
	Neighbours      int     `json:"neighbours,omitempty"`
	LaplacianDegree int     `json:"laplacian_degree,omitempty"`
}

func newLeading(r lapsvm.Recipe) leading {
	m := r.Leading()
	return leading{m.GammaA, m.GammaI, m.Neighbours, m.LaplacianDegree}
}

type trainSeconds struct {
	Read      float64 `json:"read"`
	Auto      float64 `json:"auto"` // choosing parameters
	Graph     float64 `json:"graph"`
	Gram      float64 `json:"gram"`
	Solve     float64 `json:"solve"`
	Calibrate float64 `json:"calibrate"`
	Total     float64 `json:"total"`
}

// parts are the times for people.
func (s trainSeconds) parts() []summary.Time {
	return []summary.Time{{Part: "reading", Seconds: s.Read}, {Part: "choosing parameters", Seconds: s.Auto}, {Part: "graph", Seconds: s.Graph},
		{Part: "Gram matrix", Seconds: s.Gram}, {Part: "solving", Seconds: s.Solve}, {Part: "probabilities", Seconds: s.Calibrate}}
}

func newTrainResult(m *lapsvm.Model, read, chosen, total float64) trainResult {
	t := m.Training()
	return trainResult{
		Training: t, Classes: m.Classes(), PeakBytes: peakBytes(),
		Seconds: trainSeconds{read, chosen, t.Seconds.Graph, t.Seconds.Gram, t.Seconds.Solve, t.Seconds.Calibrate, total},
	}
}
