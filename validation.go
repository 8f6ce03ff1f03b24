package lapsvm

import (
	"context"
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/gram"
	"lapsvm/points"
)

// validation returns the function that counts the errors on the validation
// points.
func (f *fit) validation(ctx context.Context) (errors func(alpha [][]float64, b []float64) int, size int, err error) {
	points, class, err := f.validationPoints(f.t.Validation)
	if err != nil {
		return nil, 0, err
	}
	cross, err := gram.NewCross(ctx, points, f.p, f.kernel)
	if err != nil {
		return nil, 0, err
	}
	scores := make([]float64, f.machines())
	return func(alpha [][]float64, b []float64) int {
		wrong := 0
		for k := range class {
			for c := range scores {
				scores[c] = cross.Dot(k, alpha[c]) + b[c]
			}
			if decide(scores, f.t.OneClass) != class[k] {
				wrong++
			}
		}
		return wrong
	}, len(class), nil
}

// validationPoints returns the labelled points of a validation set, scaled, and
// the model's class of each, −1 where the model does not know it.
func (f *fit) validationPoints(v *dataset.Dataset) (p *points.Points, class []int, err error) {
	if v.Points.Dim() != f.d.Points.Dim() {
		return nil, nil, fmt.Errorf("the validation points have %d features, the training points %d", v.Points.Dim(), f.d.Points.Dim())
	}
	rows := v.Labelled()
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("no validation point is labelled")
	}
	class = make([]int, len(rows))
	for k, i := range rows {
		class[k] = slices.Index(f.classes, v.Classes[v.Y[i]])
	}
	return f.scaling.Apply(v.Points.Subset(rows)), class, nil
}

// decide returns the class index for the values of all machines at a point;
// for a one-class machine −1 outside the class.
func decide(scores []float64, oneClass bool) int {
	if len(scores) > 1 {
		best := 0
		for c, v := range scores {
			if v > scores[best] {
				best = c
			}
		}
		return best
	}
	positive, negative := 1, 0
	if oneClass {
		positive, negative = 0, dataset.Unlabelled
	}
	if scores[0] > 0 {
		return positive
	}
	return negative
}
