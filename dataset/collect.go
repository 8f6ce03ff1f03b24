package dataset

import (
	"context"
	"encoding/json"
	"slices"

	"lapsvm/internal/ranks/comm"
)

// Collect returns on rank 0 width numbers for each of some rows of all, ascending, of a data set
// that ranks share. own holds the numbers of this rank's rows. Other ranks return nil. It fails when
// ctx is done. Cost: the bytes sent, which rank 0 holds twice for a while.
func Collect[T comm.Number](ctx context.Context, d *Dataset, rows []int, own []T, width int) ([]T, error) {
	var at []int // of the rows that are here, among the wanted
	var mine []T
	for k, row := range d.Column {
		if i, is := slices.BinarySearch(rows, row); is {
			at, mine = append(at, i), append(mine, own[k*width:(k+1)*width]...)
		}
	}
	places, err := d.ranks.Collect(ctx, comm.Bytes(at))
	if err != nil {
		return nil, err
	}
	parts, err := d.ranks.Collect(ctx, comm.Bytes(mine))
	if err != nil || parts == nil {
		return nil, err
	}
	all := make([]T, len(rows)*width)
	for r, part := range parts {
		numbers := comm.Numbers[T](part)
		for k, i := range comm.Numbers[int](places[r]) {
			copy(all[i*width:(i+1)*width], numbers[k*width:])
		}
	}
	return all, nil
}

// CollectKept returns on rank 0 the Kept of all rows, in their order, and none on other ranks.
func (d *Dataset) CollectKept(ctx context.Context) (Kept, error) {
	if d.Kept.None() || d.ranks == nil {
		return d.Kept, nil
	}
	text, err := json.Marshal(rowText{Rows: d.Column, Kept: d.Kept.Rows})
	if err != nil {
		return Kept{}, err
	}
	parts, err := d.ranks.Collect(ctx, text)
	if err != nil || parts == nil {
		return Kept{}, err
	}
	t, err := joined(parts)
	if err != nil {
		return Kept{}, err
	}
	all := Kept{Names: d.Kept.Names, Rows: make([][]string, d.Total)}
	for k, row := range t.Rows {
		all.Rows[row] = t.Kept[k]
	}
	return all, nil
}
