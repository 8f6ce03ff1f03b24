package selection

import (
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// ChosenBy is the recipe of Fill, and compares machines where nothing is open too.
func ChosenBy(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, error) {
	d, r, err := Describe(ctx, d, r, run)
	if err != nil {
		return r, err
	}
	scaled, err := Scale(ctx, d, r, run)
	if err != nil {
		return scaled, err
	}
	_, r, _, err = chooseGraphs(ctx, d, d, scaled, scaled, run)
	return r, err
}
