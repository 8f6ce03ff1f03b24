package selection

import (
	"context"
	"errors"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
)

// view is a row of the views of one kind of rows: what a machine beside the leading one has otherwise. Its graph is like that of the leading machine, and its
// width and weights are chosen for it.
type view struct {
	name   string
	weight float64
	set    func(asked, leading train.Recipe) train.Recipe
}

const (
	fewestDirections = 10 // columns of rows that may be directions
	fewestColumns    = 4  // in a plane or in space the graph sees shapes that no other view does
)

// unitLength has rows of unit length.
func unitLength(asked, _ train.Recipe) train.Recipe {
	asked.Describe, asked.Standardise = train.Undescribed, points.UnitNorm
	return asked
}

// halfWhitened has half-whitened rows of unit length.
func halfWhitened(asked, _ train.Recipe) train.Recipe {
	asked.Describe, asked.Standardise = describe.HalfWhitened, points.UnitNorm
	return asked
}

// undescribed has the columns as they are.
func undescribed(asked, _ train.Recipe) train.Recipe {
	asked.Describe = train.Undescribed
	return asked
}

// linear has the linear kernel.
func linear(asked, leading train.Recipe) train.Recipe {
	asked.Describe, asked.Standardise, asked.Kernel = leading.Describe, leading.Standardise, kernel.Linear{}
	return asked
}

// supervisedWidth has the width of the supervised machine.
func supervisedWidth(asked, leading train.Recipe) train.Recipe {
	asked.Describe, asked.Standardise, asked.Kernel = leading.Describe, leading.Standardise, Baseline(asked, leading).Kernel
	return asked
}

// viewsOf returns the views beside the machine of a recipe, by what the rows are, and the weight of that machine. It looks at the values of the
// rows, and at how the machine describes and scales them, in which labels have a say.
//
//	directions  rows of unit length, half-whitened rows of unit length
//	tables      the width of the supervised machine, the linear kernel; the machine itself has the weight 2, or where its factors describe it 1 beside the columns
//
// Rows of ten numbers or more in one unit may be directions, as vectors of a network, spectra and sensors are. What is described otherwise, as pictures and
// texts are, has one view.
func viewsOf(d *dataset.Dataset, leading train.Recipe) (views []view, weight float64) {
	tables := []view{{"width of the supervised machine", 1, supervisedWidth}, {"linear", 1, linear}}
	switch {
	case d.Points.Sparse() || !d.Image.None() || d.Points.Dim() < fewestColumns:
		return nil, 1
	case leading.Describe == describe.Factors:
		return append(tables, view{"columns", 1, undescribed}), 1
	case leading.Describe != train.Undescribed:
		return nil, 1
	case !d.Encoding.NumbersAlone() || d.Points.Dim() < fewestDirections:
		return tables, 2
	case ofOneLength(d.Points):
		return []view{{describe.HalfWhitened, 1, halfWhitened}}, 2
	case leading.Standardise == points.Columns:
		return tables, 2
	}
	return []view{{"unit length", 1, unitLength}, {describe.HalfWhitened, 1, halfWhitened}}, 1
}

// averaged reports whether a recipe that was asked for leaves room for several views of d.
func averaged(d *dataset.Dataset, asked train.Recipe, run train.Run) bool {
	switch {
	case run.Validation != nil: // which may lack classes that a view is calibrated by
		return false
	case asked.MostViews == 1 || len(asked.Beside) > 0 || !open(asked) || asked.Kernel != nil || asked.Describe != "" || asked.RulesOfThumb || asked.Supervised:
		return false
	case asked.Prior != nil || asked.LabelShares || asked.MostPoints > 0 || asked.Solver != train.Auto && asked.Solver != "":
		return false
	}
	return d.Ranks().Alone() && !d.Edges.Given() && !d.Featureless && d.Points.Len() <= mostWhole && averagedKind(asked)
}

// withViews returns the recipe of a choice with the views of d beside it. What to expect is that of the mean.
func withViews(ctx context.Context, d *dataset.Dataset, asked, leading train.Recipe, told *nested, run train.Run) (train.Recipe, *nested, error) {
	views, weight := viewsOf(d, leading)
	if asked.MostViews > 0 {
		views = views[:min(len(views), asked.MostViews-1)]
	}
	all, weights := []*nested{told}, []float64{weight}
	for _, v := range views {
		one := v.set(asked, leading)
		if leader := leading.Leading(); !leading.Supervised {
			one.Graph.Neighbours, one.Graph.Degree, one.Graph.Metric = leader.Neighbours, leader.LaplacianDegree, leading.Graph.Metric
		}
		_, chosen, n, err := fillOne(ctx, d, one, run)
		if errors.Is(err, train.ErrData) { // such as vectors that are all equal
			continue
		}
		if err != nil {
			return leading, nil, err
		}
		leading.Beside = append(leading.Beside, train.View{Name: v.name, Recipe: chosen})
		all, weights = append(all, n), append(weights, v.weight)
	}
	for k := range leading.Beside {
		leading.Beside[k].Weight = weights[k+1] / sum(weights)
	}
	if len(all) == 1 {
		return leading, told, nil
	}
	n := meanOf(all, weights)
	leading.Optimism = n.optimism()
	if n != nil && len(n.labels) >= FewestReported {
		leading.Tell(func(c *train.Choice) { c.Expected, c.Verdict = n.of.expect(n.wrong()) })
	}
	return leading, n, nil
}

// meanOf returns what the mean of views says of labels that had no part in their choices. It is nil where views have different ones.
func meanOf(all []*nested, weights []float64) *nested {
	told := all[0]
	if told == nil {
		return nil
	}
	for _, n := range all {
		if n == nil || !slices.Equal(n.labels, told.labels) {
			return nil
		}
	}
	mean := *told
	mean.averaged = true
	mean.outputs = told.mean(all, weights, func(n *nested) [][]float64 { return n.outputs })
	mean.left = told.mean(all, weights, func(n *nested) [][]float64 { return n.left })
	if mean.outputs == nil || mean.left == nil {
		return nil
	}
	return &mean
}

// mean returns the mean of some outputs of views.
func (n *nested) mean(all []*nested, weights []float64, get func(*nested) [][]float64) [][]float64 {
	coding := n.of.task.Coding()
	var scores [][][]float64
	var calibrations []*calibrate.Calibration
	for _, one := range all {
		rows := coding.Scores(get(one))
		c, err := calibrate.Fit(rows, of(n.of.task.Class, n.labels))
		if err != nil {
			return nil
		}
		scores, calibrations = append(scores, rows), append(calibrations, c)
	}
	mean := make([][]float64, len(n.outputs))
	for _, row := range train.MeanOf(calibrations, weights, scores) {
		for machine, v := range coding.Outputs(row) {
			mean[machine] = append(mean[machine], v)
		}
	}
	return mean
}

// averagedKind reports whether labels are of one class a row, of which views have probabilities.
func averagedKind(asked train.Recipe) bool {
	kind := kindOf(asked.Kind)
	return kind.cannot == "" && !kind.functions && !kind.each
}
