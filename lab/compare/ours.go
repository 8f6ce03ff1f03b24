package compare

import (
	"context"
	"slices"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
)

// The methods of this program.
const (
	Default = "lapsvm" // the training with nothing said
	SVM     = "svm"    // on the labels alone, its parameters chosen in the same way and in the same run
)

func ownMethods() []string { return []string{Default, SVM} }

// ours is this program.
type ours struct {
	data  *dataset.Dataset
	seed  uint64
	run   train.Run
	limit time.Duration
}

func (*ours) methods() []string { return ownMethods() }

// measure trains both machines on a draw, as lapsvm evaluate does.
func (o *ours) measure(ctx context.Context, d draw, _ string) ([]outcome, error) {
	bounded, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	results, err := selection.Evaluation{Recipe: train.Recipe{Seed: o.seed}, With: o.run, Baseline: true}.Run(bounded, o.data, slices.Values([]selection.Split{d.split}))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		gap := late(err, o.limit)
		if gap == "" {
			gap = err.Error()
		}
		return []outcome{{method: Default, gap: gap}, {method: SVM, gap: gap}}, nil
	}
	r := results[0]
	return []outcome{{Default, r.Unlabelled, r.Seconds, ""}, {SVM, r.BaselineUnlabelled, r.BaselineSeconds, ""}}, nil
}
