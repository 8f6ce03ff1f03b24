package command

import (
	"context"
	"slices"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/dataset"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// partOf returns the part of one of ranks of what each has read whole.
func partOf(d *dataset.Dataset, err error, ranks *comm.Comm) (*dataset.Dataset, error) {
	if err != nil || ranks.Alone() {
		return d, err
	}
	return d.Part(dataset.Part{Rank: ranks.Rank(), Of: ranks.Size()}), nil
}

// share has ranks share the data set of which d was read as the part of this one; nil alone.
func (p *Program) share(ctx context.Context, d *dataset.Dataset) (*dataset.Share, error) {
	if p.ranks.comm == nil {
		return nil, nil
	}
	return dataset.NewShare(ctx, p.ranks.comm, d, d.Rows())
}

// readShare reads the data set called name: alone all of it, as one of several ranks the
// rows of this one, which share then tells; d has these rows.
func (p *Program) readShare(ctx context.Context, data *DataFlags, name string) (d *dataset.Dataset, share *dataset.Share, err error) {
	own := *data
	own.ranks = p.ranks.comm
	if d, err = p.Read(ctx, &own, name); err != nil {
		return nil, nil, err
	}
	if share, err = p.share(ctx, d); share != nil {
		d = share.Dataset
	}
	return d, share, err
}

// allRows returns the data set of which d has the rows of this process, with all rows: of
// ranks on the first, and on others with none.
func allRows(ctx context.Context, d *dataset.Dataset, share *dataset.Share) (*dataset.Dataset, error) {
	if share == nil {
		return d, nil
	}
	all, err := share.All(ctx)
	if err != nil {
		return nil, err
	}
	return all.Dataset, nil
}

// rowsOf returns how many rows the data set has that d was read of.
func rowsOf(d *dataset.Dataset) int { return max(d.Total, len(d.Y)) }

// firstPoints returns the points of the first n rows, of ranks on the first.
func firstPoints(ctx context.Context, d *dataset.Dataset, share *dataset.Share, n int) (*points.Points, error) {
	if share == nil {
		return d.Points.Slice(0, min(n, d.Points.Len())), nil
	}
	rows := make([]int, min(n, share.Total))
	for i := range rows {
		rows[i] = i
	}
	first, err := share.Gather(ctx, rows, share.Ranks().Rank() == 0)
	if err != nil {
		return nil, err
	}
	return first.Points, nil
}

// collect has the first rank have a result of all rows, in their order: what was
// asked for of it.
func (r *predictRequest) collect(ctx context.Context, share *dataset.Share, result *answer.Predictions) (err error) {
	if result.Labels, err = dataset.Collect(ctx, share, result.Labels, 1); err != nil {
		return err
	}
	if result.Kept, err = share.CollectKept(ctx); err != nil {
		return err
	}
	width := len(result.Classes)
	collected := func(own [][]float64) ([][]float64, error) {
		all, err := dataset.Collect(ctx, share, slices.Concat(own...), width)
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

// labelsOf returns what d is to show its labels, of ranks those of all.
func labelsOf(ctx context.Context, d *dataset.Dataset, share *dataset.Share) (*dataset.Dataset, error) {
	if share == nil {
		return d, nil
	}
	rows, class, _, err := share.Labels(ctx)
	if err != nil {
		return nil, err
	}
	all := *d
	all.Y = slices.Repeat([]int{dataset.Unlabelled}, share.Total)
	for k, row := range rows {
		all.Y[row] = class[k]
	}
	return &all, nil
}

// chooseOn lets a trainer choose on a data set, or on the data set shared by ranks.
func chooseOn(ctx context.Context, t lapsvm.Trainer, d *dataset.Dataset, share *dataset.Share) (lapsvm.Recipe, error) {
	if share == nil {
		return t.Choose(ctx, d)
	}
	return t.ChooseShare(ctx, share)
}

// fitOn has a trainer train likewise. Of ranks the first has the model, and all rows.
func fitOn(ctx context.Context, t lapsvm.Trainer, d *dataset.Dataset, share *dataset.Share) (*lapsvm.Model, *dataset.Dataset, error) {
	if share == nil {
		m, err := t.Fit(ctx, d)
		return m, d, err
	}
	return t.FitShare(ctx, share)
}
