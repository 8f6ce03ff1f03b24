package main

import (
	"context"
	"slices"

	"lapsvm"
	"lapsvm/dataset"
)

// readShare reads the data set called name: alone all of it, as one of several ranks the
// rows of this one, which share then tells; d has these rows.
func (p *program) readShare(ctx context.Context, data *dataFlags, name string) (d *dataset.Dataset, share *dataset.Share, err error) {
	c := p.ranks.comm
	if c == nil {
		d, err = p.read(ctx, data, name)
		return d, nil, err
	}
	own := *data
	own.share = dataset.Part{Rank: c.Rank(), Of: c.Size()}
	if d, err = p.read(ctx, &own, name); err != nil {
		return nil, nil, err
	}
	if share, err = dataset.NewShare(ctx, c, d, d.Rows()); err != nil {
		return nil, nil, err
	}
	return share.Dataset, share, nil
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

// chooseOn has a trainer choose on a data set, or on that which ranks share.
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
