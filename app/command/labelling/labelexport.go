package labelling

import (
	"context"
	"io"

	"lapsvm"
	"lapsvm/app/command/input"
	"lapsvm/app/labelpage"
	"lapsvm/app/summary"
	"lapsvm/dataset"
)

// exportsOf makes models and reports of the labels of a page, as train does: what the recipe leaves open is chosen by all labels, and the model may be a mean of
// views. The machine that the page learns by is one, made for fast answers.
func exportsOf(t lapsvm.Trainer, data string) labelpage.Exports {
	fit := func(ctx context.Context, labelled *dataset.Dataset, progress func(part string, done, of int)) (*lapsvm.Model, error) {
		t := t
		t.Recipe.Calibrate, t.Progress = true, progress
		return t.Fit(ctx, labelled)
	}
	return labelpage.Exports{
		Model: func(ctx context.Context, labelled *dataset.Dataset, progress func(part string, done, of int), w io.Writer) error {
			m, err := fit(ctx, labelled, progress)
			if err != nil {
				return err
			}
			return m.Write(w)
		},
		Report: func(ctx context.Context, labelled *dataset.Dataset, progress func(part string, done, of int), w io.Writer) error {
			m, err := fit(ctx, labelled, progress)
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
