package main

import (
	"context"
	"io"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/labelpage"
	"lapsvm/internal/summary"
	"lapsvm/selection"
)

// exportsOf makes models and reports of the labels of a page, as train would of the data
// with these labels.
func exportsOf(d *dataset.Dataset, t lapsvm.Trainer, data string) labelpage.Exports {
	t.Calibrate = true
	return labelpage.Exports{
		Model: func(ctx context.Context, labelled *dataset.Dataset, w io.Writer) error {
			m, err := t.Fit(ctx, labelled)
			if err != nil {
				return err
			}
			return m.Write(w)
		},
		Report: func(ctx context.Context, labelled *dataset.Dataset, w io.Writer) error {
			m, err := t.Fit(ctx, labelled)
			if err != nil {
				return err
			}
			page := summary.Training{Source: sourceName(data), Data: labelled, Model: m, Path: new(summary.Path)}
			if recipe := m.Recipe(); !recipe.Supervised {
				beside := lapsvm.Trainer{Recipe: selection.Baseline(t.Recipe, recipe), Run: lapsvm.Run{Memory: t.Memory}}
				if page.SVM, err = beside.Fit(ctx, labelled); err != nil {
					return err
				}
			}
			made, err := page.Page(ctx)
			if err != nil {
				return err
			}
			return made.WriteHTML(w)
		},
	}
}
