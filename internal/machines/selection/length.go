package selection

import (
	"context"
	"fmt"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// lengthErrors is by how many standard errors of the difference rows of unit length must
// have less loss.
const lengthErrors = 2

// ofUnitLength returns the recipe with rows of unit length, and the width of the same scale, where
// labels held out on the many points favour it. Until then points of one unit are compared
// unscaled. But their length may carry no information on the class, such as the brightness of an
// image or the length of a text.
func (f *far) ofUnitLength(ctx context.Context, d *dataset.Dataset, asked, r train.Recipe, run train.Run) (train.Recipe, error) {
	best := f.all[strongest(f.all)]
	if best.supervised || f.held == nil || f.late() || asked.Kernel != nil && !kernel.Open(asked.Kernel) {
		return r, nil
	}
	asked.Standardise = points.UnitNorm
	other, why, err := newComparison(ctx, d, asked, run, farPoints, farLandmarks)
	if err != nil || why != "" || other.nearest != f.nearest {
		return r, err
	}
	unit := &far{comparison: other, landmarks: make(map[int]*gram.Landmarks)}
	defer unit.close()
	if err := unit.measureAll(ctx, []candidate{best.candidate}); err != nil || len(unit.all) == 0 {
		return r, err
	}
	gain, standardError := paired(best.measurement.loss, unit.all[0].measurement.loss)
	if !(gain > lengthErrors*standardError) {
		return r, nil
	}
	before := r.Kernel.Parameters().Sigma
	r.Standardise, r.Kernel = points.UnitNorm, other.kernels[best.kernel]
	r.StandardiseReason = fmt.Sprintf("%s, and their lengths say nothing to %d held-out labels", r.StandardiseReason, best.labels)
	choice := *r.Choice
	choice.Sigma = r.Kernel.Parameters().Sigma
	choice.SupervisedSigma *= choice.Sigma / before
	r.Choice = &choice
	return r, nil
}
