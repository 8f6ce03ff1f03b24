package label

import (
	"cmp"
	"context"
	"math"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/system/fault"
)

// The most parts that the labels of a regression are left out in for intervals. With many points or labels they are fewer, but no fewer
// than leastWithout.
const (
	mostWithout  = 100
	leastWithout = 10
	mostOutputs  = 1 << 24   // at all points, of machines without a part
	mostSquares  = 4_000_000 // of the number of labels, for each part: each takes a factorization
	atOnce       = 16        // outputs of machines, as package nystrom makes them
)

// intervals is what the intervals of an answer are made of, in the unit of the labels.
type intervals struct {
	of      calibrate.Intervals // without coefficients
	without [][]float32         // [machine][point of the geometry]
}

// intervals leaves parts of the labels out of the machines that d holds. Residuals are multiplied by Recipe.Optimism.
func (l *Labelling) intervals(ctx context.Context, d *train.Decided, problems []train.ReducedProblem) (*intervals, error) {
	t, r := d.Task, l.ground.Recipe
	labels := len(t.Labelled)
	folds := t.Folds(max(leastWithout, min(mostWithout, mostOutputs/l.prepared(), mostSquares/(labels*labels))))
	v := &intervals{of: calibrate.Intervals{Residual: make([]float64, labels), Machine: make([]int, labels), Bias: make([]float64, len(folds))}}
	columns := deformed.Columns{Targets: t.Targets(), Weights: t.Weights, Loss: r.Loss, Tolerance: r.Tolerance}
	for from := 0; from < len(folds); from += atOnce {
		some := folds[from:min(from+atOnce, len(folds))]
		var sums [][]float64 // of the members
		for k, member := range r.Machines() {
			machine := columns.Machine(problems[k].Reduced(), 0)
			without := make([]*deformed.Solution, len(some))
			parallel.Do(ctx, len(some), func(_, i int) { without[i] = machine.Without(ctx, d.Solutions[k][0], some[i]) })
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			outputs, err := problems[k].Outputs(ctx, without)
			if err != nil {
				return nil, err
			}
			sums = addWeighted(sums, member.Weight, outputs)
		}
		for i, f := range sums {
			for _, label := range some[i] {
				v.of.Machine[label] = from + i
				v.of.Residual[label] = cmp.Or(r.Optimism, 1) * t.Unit.Scale * math.Abs(t.Values[label]-f[t.Labelled[label]])
			}
			of := make([]float32, len(f))
			for j, y := range f {
				of[j] = float32(t.Unit.From(y))
			}
			v.without = append(v.without, of)
		}
	}
	return v, ctx.Err()
}

// Interval returns the interval that the number of a point lies in with a probability of about level, such as 0.9. It is that of
// lapsvm.Model.Intervals, which is jackknife+ by machines without parts of the labels. Points that [Labelling.Grow] added have one by the
// residuals alone. Interval fails for a level that the labels are too few for, before there are numbers, and without
// Options.Shown. Cost: l·log l.
func (a *Answer) Interval(point int, level float64) (low, high float64, err error) {
	if a.intervals == nil {
		return 0, 0, train.OfKind(train.ErrData, fault.FewLabels.Errorf("there is nothing for intervals yet: label two points with numbers that differ"))
	}
	of := a.intervals.of
	if err := of.CheckLevel(level); err != nil {
		return 0, 0, train.OfKind(train.ErrParameter, err)
	}
	var machines []float64
	if point < len(a.intervals.without[0]) {
		for _, f := range a.intervals.without {
			machines = append(machines, float64(f[point]))
		}
	} else {
		of.Machine = nil
	}
	low, high = of.Of(a.Values[point], machines, level)
	return low, high, nil
}
