package dataset

import (
	"context"
	"encoding/json"

	"lapsvm/internal/ranks/comm"
)

// Collect returns, on rank 0, width numbers of every row of a data set that ranks share, in
// the order of the rows; each rank gives those of its own. Others return nil. It fails when
// ctx is done. Cost: what is sent, on rank 0 twice for a while.
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

// CollectKept returns likewise what is kept of the text of the rows, nil where nothing is.
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
