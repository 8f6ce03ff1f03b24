package command

import (
	"context"

	"lapsvm/dataset"
)

// ReadShare reads the data set called name. Ranks share it, and each has rows of its own.
func (f *DataFlags) ReadShare(ctx context.Context, p *Program, name string) (*dataset.Dataset, error) {
	own := *f
	own.ranks = p.Comm()
	d, err := own.Read(ctx, p, name)
	if err != nil {
		return nil, err
	}
	return d.Share(ctx, p.Comm())
}

// rowsOf returns how many rows the data set has that d was read of.
func rowsOf(d *dataset.Dataset) int { return max(d.Total, len(d.Y)) }

// withLabels returns what d is to show its labels: of ranks those of all.
func withLabels(ctx context.Context, d *dataset.Dataset) (*dataset.Dataset, error) {
	labels, err := d.AllLabels(ctx)
	all := *d
	all.Y = labels
	return &all, err
}
