package input

import (
	"context"

	"lapsvm/app/command/cli"
	"lapsvm/dataset"
)

// ReadShare reads the data set called name. Ranks share it, and each has rows of its own.
func (f *DataFlags) ReadShare(ctx context.Context, p *cli.Program, name string) (*dataset.Dataset, error) {
	own := *f
	own.ranks = p.Comm()
	d, err := own.Read(ctx, p, name)
	if err != nil {
		return nil, err
	}
	if d, err = d.Share(ctx, p.Comm()); err != nil {
		return nil, err
	}
	return f.kind.Arranged(d), nil
}

// WithLabels returns what d is to show its labels: of ranks those of all.
func WithLabels(ctx context.Context, d *dataset.Dataset) (*dataset.Dataset, error) {
	labels, err := d.AllLabels(ctx)
	all := *d
	all.Y = labels
	return &all, err
}
