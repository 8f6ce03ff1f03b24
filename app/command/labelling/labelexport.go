package labelling

import (
	"context"
	"io"

	"lapsvm"
	"lapsvm/app/command/input"
	"lapsvm/app/labelpage"
	"lapsvm/app/summary"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// exportsOf makes models and reports of the labels of a page, as train would by the recipe
// that the page learns by; before there is one, and of numbers, it is chosen.
func exportsOf(t lapsvm.Trainer, data string) labelpage.Exports {
	fit := func(ctx context.Context, labelled *dataset.Dataset, by *train.Recipe, progress func(part string, done, of int)) (*lapsvm.Model, error) {
		t := t
		t.Recipe = of(t.Recipe.Kind).export(t.Recipe, by)
		t.Recipe.Calibrate, t.Progress = true, progress
		return t.Fit(ctx, labelled)
	}
	return labelpage.Exports{
		Model: func(ctx context.Context, labelled *dataset.Dataset, by *train.Recipe, progress func(part string, done, of int), w io.Writer) error {
			m, err := fit(ctx, labelled, by, progress)
			if err != nil {
				return err
			}
			return m.Write(w)
		},
		Report: func(ctx context.Context, labelled *dataset.Dataset, by *train.Recipe, progress func(part string, done, of int), w io.Writer) error {
			m, err := fit(ctx, labelled, by, progress)
			if err != nil {
				return err
			}
			page := summary.Training{Source: input.SourceName(data), Data: labelled, Model: m, Path: new(summary.Path)}
			if err := page.Compare(ctx, t.Recipe, t.Memory); err != nil {
				return err
			}
			made, err := page.Page(ctx)
			if err != nil {
				return err
			}
			return made.WriteHTML(w)
		},
	}
}
