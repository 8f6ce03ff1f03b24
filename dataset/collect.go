package dataset

import (
	"context"
	"encoding/json"

	"lapsvm/internal/ranks/comm"
)

// Collect returns on rank 0 width numbers for every row of a shared data set, in the order of all
// rows. own holds the numbers of this rank's rows. Other ranks return nil. It fails when ctx is
// done. Cost: the bytes sent, which rank 0 holds twice for a while.
func Collect[T comm.Number](ctx context.Context, s *Share, own []T, width int) ([]T, error) {
	rows, err := s.ranks.Collect(ctx, comm.Bytes(s.Rows))
	if err != nil {
		return nil, err
	}
	parts, err := s.ranks.Collect(ctx, comm.Bytes(own))
	if err != nil || parts == nil {
		return nil, err
	}
	all := make([]T, s.Total*width)
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
func (s *Share) CollectKept(ctx context.Context) (*Kept, error) {
	if s.Kept == nil {
		return nil, nil
	}
	text, err := json.Marshal(rowText{Rows: s.Rows, Kept: s.Kept.Rows})
	if err != nil {
		return nil, err
	}
	parts, err := s.ranks.Collect(ctx, text)
	if err != nil || parts == nil {
		return nil, err
	}
	all := &Kept{Names: s.Kept.Names, Rows: make([][]string, s.Total)}
	for _, part := range parts {
		var t rowText
		if err := json.Unmarshal(part, &t); err != nil {
			return nil, err
		}
		for k, row := range t.Rows {
			all.Rows[row] = t.Kept[k]
		}
	}
	return all, nil
}
