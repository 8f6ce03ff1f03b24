package dataset

import (
	"context"
	"encoding/json"

	"lapsvm/internal/ranks/comm"
)

// Collect returns on rank 0 width numbers for every row of a data set, in the order of all rows.
// own holds the numbers of this rank's rows; a process alone gets them back. Other ranks return
// nil. It fails when ctx is done. Cost: the bytes sent, which rank 0 holds twice for a while.
func Collect[T comm.Number](ctx context.Context, d *Dataset, own []T, width int) ([]T, error) {
	if d.ranks == nil {
		return own, ctx.Err()
	}
	rows, err := d.ranks.Collect(ctx, comm.Bytes(d.Column))
	if err != nil {
		return nil, err
	}
	parts, err := d.ranks.Collect(ctx, comm.Bytes(own))
	if err != nil || parts == nil {
		return nil, err
	}
	all := make([]T, d.Total*width)
	for r, part := range parts {
		numbers := comm.Of[T](part)
		for k, row := range comm.Of[int](rows[r]) {
			copy(all[row*width:(row+1)*width], numbers[k*width:])
		}
	}
	return all, nil
}

// CollectKept returns on rank 0 the Kept of all rows, in their order. It is nil on other ranks, and
// where nothing is kept.
func (d *Dataset) CollectKept(ctx context.Context) (*Kept, error) {
	if d.Kept == nil || d.ranks == nil {
		return d.Kept, nil
	}
	text, err := json.Marshal(rowText{Rows: d.Column, Kept: d.Kept.Rows})
	if err != nil {
		return nil, err
	}
	parts, err := d.ranks.Collect(ctx, text)
	if err != nil || parts == nil {
		return nil, err
	}
	t, err := joined(parts)
	if err != nil {
		return nil, err
	}
	all := &Kept{Names: d.Kept.Names, Rows: make([][]string, d.Total)}
	for k, row := range t.Rows {
		all.Rows[row] = t.Kept[k]
	}
	return all, nil
}
