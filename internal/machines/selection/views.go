package selection

import (
	"context"
	"errors"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/vec"
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

// laplacian has the Laplacian kernel.
func laplacian(asked, leading train.Recipe) train.Recipe {
	asked.Describe, asked.Standardise, asked.Kernel = leading.Describe, leading.Standardise, kernel.Laplacian{}
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
//	numbers     the Laplacian kernel, the linear kernel; weighed by [byErrors]
//
// Rows of ten numbers or more in one unit may be directions, as vectors of a network, spectra and sensors are. What is described otherwise, as pictures and
// texts are, has one view.
func viewsOf(d *dataset.Dataset, leading train.Recipe) (views []view, weight float64) {
	tables := []view{{"width of the supervised machine", 1, supervisedWidth}, {"linear", 1, linear}}
	switch described := leading.Describe != train.Undescribed && leading.Describe != describe.Factors; {
	case d.Points.Sparse() || !d.Image.None() || described:
		return nil, 1
	case kindOf(leading.Kind).functions:
		return []view{{"Laplacian", 1, laplacian}, {"linear", 1, linear}}, 1
	case d.Points.Dim() < fewestColumns:
		return nil, 1
	case leading.Describe == describe.Factors:
		return append(tables, view{"columns", 1, undescribed}), 1
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
	return d.Ranks().Alone() && !d.Edges.Given() && !d.Featureless && d.Points.Len() <= mostWhole && kindOf(asked.Kind).cannot == ""
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
		if errors.Is(err, train.ErrData) || errors.Is(err, train.ErrParameter) { // such as vectors that are all equal, or columns too far from 0 for products
			continue
		}
		if err != nil {
			return leading, nil, err
		}
		leading.Beside = append(leading.Beside, train.View{Name: v.name, Recipe: chosen})
		all, weights = append(all, n), append(weights, v.weight)
	}
	if kindOf(asked.Kind).functions {
		leading.Beside, all, weights = byErrors(leading.Beside, all)
	}
	if len(all) == 1 {
		return leading, told, nil
	}
	for k := range leading.Beside {
		leading.Beside[k].Weight = weights[k+1] / sum(weights)
	}
	n := meanOf(all, weights)
	switch {
	case kindOf(asked.Kind).functions:
		leading.Optimism *= weights[0] / sum(weights)
		for _, v := range leading.Beside {
			leading.Optimism += v.Weight * v.Recipe.Optimism
		}
		leading.Optimism = max(leading.Optimism, n.optimismOfNumbers())
		graphs := !leading.Supervised || slices.ContainsFunc(leading.Beside, func(v train.View) bool { return !v.Recipe.Supervised })
		leading.Tell(func(c *train.Choice) { c.Numbers = n.expectNumbers(c.Numbers, graphs) })
	default:
		leading.Optimism = n.optimism()
		if n != nil && len(n.labels) >= FewestReported {
			leading.Tell(func(c *train.Choice) { c.Expected, c.Verdict = n.of.expect(n.wrong()) })
		}
	}
	return leading, n, nil
}

// byErrors returns the views of numbers that have a weight, what labels say of them and of the machine itself, and the weights. A number tells more than a class: where
// one machine is far better, the mean is that machine. With the mean loss h of l labels that had no part in the choice the weight is
//
//	((l + ν)h_min/(l h + ν h_min))^(4/p)
//
// with ν and p of [likelihoodRatio]: about 1/h². Labels that say nothing leave one machine.
func byErrors(views []train.View, all []*nested) (those []train.View, of []*nested, weights []float64) {
	losses, least := make([]float64, len(all)), math.Inf(1)
	for k, n := range all {
		if n == nil {
			return nil, all[:1], []float64{1}
		}
		errors, _ := n.wrong()
		for _, e := range errors {
			losses[k] += n.of.held.criterion.CostOf(e) / float64(len(errors))
		}
		least = min(least, losses[k])
	}
	for k, n := range all {
		p := n.of.held.criterion.Power()
		weight := math.Exp(4 / float64(len(n.labels)+lostAlike) * likelihoodRatio(losses[k], least, len(n.labels), p))
		if k > 0 && weight < leastWeight {
			continue
		}
		if of, weights = append(of, n), append(weights, weight); k > 0 {
			those = append(those, views[k-1])
		}
	}
	return those, of, weights
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
	if n.of.kind().functions {
		mean := make([]float64, len(n.labels))
		for k, one := range all {
			vec.Axpy(weights[k]/sum(weights), get(one)[0], mean)
		}
		return [][]float64{mean}
	}
	var scores [][][]float64
	var probable []train.Probabilities
	for _, one := range all {
		rows := coding.Scores(get(one))
		p, err := train.ProbabilitiesBy(n.of.task, rows, n.labels)
		if err != nil {
			return nil
		}
		scores, probable = append(scores, rows), append(probable, p)
	}
	mean := make([][]float64, len(n.outputs))
	for _, row := range train.MeanOf(probable, weights, scores) {
		for machine, v := range coding.Outputs(row) {
			mean[machine] = append(mean[machine], v)
		}
	}
	return mean
}
