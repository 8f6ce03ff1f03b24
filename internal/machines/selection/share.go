package selection

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/ranks/comm"
)

// FitShare chooses the open settings of a recipe and trains by it, as [Fill] and [train.Fit] do, on
// ranks that share a data set. What was fitted, and all rows, are on rank 0; others return nil.
// Where another solver than Landmarks is to be taken, rank 0 trains alone.
func FitShare(ctx context.Context, s *dataset.Share, r train.Recipe, run train.Run) (*train.Fitted, *dataset.Dataset, error) {
	r, err := FillShare(ctx, s, r, run)
	if err != nil {
		return nil, nil, err
	}
	rows, _, _, err := s.Labels(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !r.Supervised && r.SolverFor(s.Total, len(rows)) == train.Landmarks { // else the labelled rows are all there is
		return train.FitShare(ctx, s, r, run)
	}
	all, err := s.All(ctx)
	if err != nil || s.Ranks().Rank() != 0 {
		return nil, nil, err
	}
	f, err := train.Fit(ctx, all.Dataset, r, run)
	return f, all.Dataset, err
}

// shareRows is how many rows, drawn by the seed, ranks that share a data set choose on,
// beside the labelled ones.
const shareRows = 20000

// FillShare is [Fill] on ranks that share a data set. Rank 0 chooses and sends the recipe to the
// other ranks. It chooses on all rows up to 20,000, else on 20,000 drawn by the seed together with
// all labelled rows.
func FillShare(ctx context.Context, s *dataset.Share, r train.Recipe, run train.Run) (train.Recipe, error) {
	if !r.Open() {
		return r, nil
	}
	rows, _, _, err := s.Labels(ctx)
	if err != nil {
		return r, err
	}
	rows = append(rows, gram.DrawRows(s.Total, shareRows, r.Seed)...)
	slices.Sort(rows)
	sample, err := s.Gather(ctx, slices.Compact(rows), s.Ranks().Rank() == 0)
	if err != nil {
		return r, err
	}
	var told []byte
	if s.Ranks().Rank() == 0 {
		if r, err = Fill(ctx, sample.Dataset, r, run); err != nil {
			return r, err
		}
		if told, err = json.Marshal(r); err != nil {
			return r, err
		}
	}
	if told, err = s.Ranks().Broadcast(comm.Expect(ctx), 0, told); err != nil {
		return r, err
	}
	if err := json.Unmarshal(told, &r); err != nil {
		return r, errors.New("ranks cannot tell one another of a kernel of the program's own: give all parameters")
	}
	return r, nil
}
