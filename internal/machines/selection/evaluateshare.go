package selection

import (
	"context"
	"iter"
	"slices"
	"time"

	"lapsvm/dataset"
)

// RunShare is [Evaluation.Run] on ranks that share the data set and train together. splits are
// those that [Splits] makes of the labels y of all rows. Rank 0 returns the measurements: it
// gathers the rows of a training as [FitShare] does, and the rows measured on. Other ranks return
// the sizes alone.
func (e Evaluation) RunShare(ctx context.Context, s *dataset.Share, y []int, splits iter.Seq[Split]) ([]Result, error) {
	return e.repeats(splits, func(split Split) (Result, error) {
		sizes := Result{Labelled: len(split.Labelled), Hidden: len(split.Hidden)}
		own, err := trainingShare(ctx, s, split)
		if err != nil {
			return sizes, err
		}
		start := time.Now()
		choosing := e.With
		choosing.Validation = nil
		recipe, err := FillShare(ctx, own, e.Recipe, choosing)
		if err != nil {
			return sizes, err
		}
		fitted, all, err := FitShare(ctx, own, recipe, e.With)
		if err != nil {
			return sizes, err
		}
		took := time.Since(start)
		t, err := gatheredTrial(ctx, s, all, y, split, e)
		if err != nil || fitted == nil {
			return sizes, err
		}
		return e.measure(ctx, t, fitted, took)
	})
}

// trainingShare returns the rows that a split trains on, their labels hidden.
func trainingShare(ctx context.Context, s *dataset.Share, split Split) (*dataset.Share, error) {
	training := split.Training()
	var own, at []int // of the rows here, and of the training
	for k, row := range s.Rows {
		if i, is := slices.BinarySearch(training, row); is {
			own, at = append(own, k), append(at, i)
		}
	}
	d := s.Dataset.Subset(own)
	for k := range d.Y {
		if _, keep := slices.BinarySearch(split.Labelled, training[at[k]]); !keep {
			d.Y[k] = dataset.Unlabelled
		}
	}
	return dataset.NewShare(ctx, s.Ranks(), d, at)
}

// gatheredTrial returns, on rank 0, the data on which a split is measured. data holds the rows
// trained on: all of them, or some with all labelled ones. Other ranks return nil.
func gatheredTrial(ctx context.Context, s *dataset.Share, data *dataset.Dataset, y []int, split Split, e Evaluation) (*trial, error) {
	training := split.Training()
	lacks := []float64{0}
	if data != nil && len(data.Y) < len(training) {
		lacks[0] = 1
	}
	if err := s.Ranks().Max(ctx, lacks); err != nil {
		return nil, err
	}
	rows := slices.Concat(split.Validation, split.Test)
	if lacks[0] == 1 {
		rows = append(rows, split.Hidden...)
	}
	slices.Sort(rows)
	beside, err := s.Gather(ctx, rows, s.Ranks().Rank() == 0)
	if err != nil || data == nil {
		return nil, err
	}
	some := func(rows []int) *dataset.Dataset {
		at := make([]int, len(rows))
		for k, row := range rows {
			at[k], _ = slices.BinarySearch(beside.Rows, row)
		}
		return beside.Dataset.Subset(at)
	}
	t := &trial{classes: s.Classes, data: data, split: split, test: e.Test, run: e.With}
	if lacks[0] == 1 {
		t.hidden = some(split.Hidden)
	} else {
		var hidden []int
		for k, row := range training {
			t.truth = append(t.truth, y[row])
			if _, is := slices.BinarySearch(split.Hidden, row); is {
				hidden = append(hidden, k)
			}
		}
		t.hidden = data.Subset(hidden)
		t.hidden.Y = make([]int, len(hidden))
		for k, i := range hidden {
			t.hidden.Y[k] = t.truth[i]
		}
	}
	if len(split.Validation) > 0 {
		t.run.Validation = some(split.Validation)
	}
	if len(split.Test) > 0 {
		t.test = some(split.Test)
	}
	return t, nil
}
