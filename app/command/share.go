package command

import (
	"context"
	"slices"

	"lapsvm/app/answer"
	"lapsvm/dataset"
)

// readShare reads the data set called name. Ranks share it, and each has rows of its own.
func (p *Program) readShare(ctx context.Context, data *DataFlags, name string) (*dataset.Dataset, error) {
	own := *data
	own.ranks = p.ranks.comm
	d, err := p.Read(ctx, &own, name)
	if err != nil {
		return nil, err
	}
	return d.Share(ctx, p.ranks.comm)
}

// rowsOf returns how many rows the data set has that d was read of.
func rowsOf(d *dataset.Dataset) int { return max(d.Total, len(d.Y)) }

// collect has the first rank have a result of all rows of d, in their order: what was asked for of
// it.
func (r *predictRequest) collect(ctx context.Context, d *dataset.Dataset, result *answer.Predictions) (err error) {
	if d.Ranks().Alone() {
		return nil
	}
	rows := d.AllRows()
	if result.Labels, err = dataset.Collect(ctx, d, rows, result.Labels, 1); err != nil {
		return err
	}
	if result.Kept, err = d.CollectKept(ctx); err != nil {
		return err
	}
	width := len(result.Classes)
	collected := func(own [][]float64) ([][]float64, error) {
		all, err := dataset.Collect(ctx, d, rows, slices.Concat(own...), width)
		return slices.Collect(slices.Chunk(all, width)), err
	}
	if r.scores {
		if result.Scores, err = collected(result.Scores); err != nil {
			return err
		}
	}
	if r.proba {
		result.Proba, err = collected(result.Proba)
	}
	return err
}

// withLabels returns what d is to show its labels: of ranks those of all.
func withLabels(ctx context.Context, d *dataset.Dataset) (*dataset.Dataset, error) {
	labels, err := d.AllLabels(ctx)
	all := *d
	all.Y = labels
	return &all, err
}
