package selection

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
)

// NumbersResult is what one repeat measured of a regression. What there was nothing to measure on is NaN.
type NumbersResult struct {
	Hidden, Validation, Test NumberErrors
	Supervised, Ridge, Mean  NumberErrors // on the hidden labels: the machine without the unlabelled points, ridge regression, the mean of the labels
	Coverage, Width          float64      // of intervals of the level CoverageLevel on the hidden labels: the share, from 0 to 1, that hold the label, and their mean width
	True, Predicted          []float64    // of the hidden labels
}

// CoverageLevel is the level of the intervals that are measured.
const CoverageLevel = 0.9

// NumberErrors are the errors of predicted numbers.
type NumberErrors struct {
	RMSE float64 // root of the mean squared error
	MAE  float64 // mean absolute error
	R2   float64 // 1 − Σ(y − f)²/Σ(y − ȳ)²
}

// ErrorsOf returns the errors of predictions f of numbers y, NaN for none.
func ErrorsOf(y, f []float64) NumberErrors {
	square, spread, absolute, centre := 0.0, 0.0, 0.0, mean(y)
	for i, v := range y {
		square += (v - f[i]) * (v - f[i])
		absolute += math.Abs(v - f[i])
		spread += (v - centre) * (v - centre)
	}
	n := float64(len(y))
	return NumberErrors{math.Sqrt(square / n), absolute / n, 1 - square/spread}
}

// numbersOf returns the rows of d that have a label, with the labels as numbers.
func numbersOf(d *dataset.Dataset) (*dataset.Dataset, []float64, error) {
	if d == nil {
		return nil, nil, nil
	}
	labelled := d.Subset(d.Labelled())
	y, err := labelled.Numbers()
	return labelled, y, err
}

// errorsOn returns the errors of predictions on the labelled rows of d.
func errorsOn(ctx context.Context, p *train.Predictor, d *dataset.Dataset) (NumberErrors, error) {
	labelled, y, err := numbersOf(d)
	if err != nil || len(y) == 0 {
		return ErrorsOf(nil, nil), err
	}
	scores, err := p.Scores(ctx, labelled.Points)
	if err != nil {
		return NumberErrors{}, err
	}
	return ErrorsOf(y, train.ValuesOf(scores)), nil
}

// measureNumbers is measure of a regression. Beside the machines stand the same without the unlabelled points,
// ridge regression with its weight by labels that are left out, and the mean of the labels.
func (e Evaluation) measureNumbers(ctx context.Context, t *trial, fitted *train.Fitted, r *Result) error {
	for _, v := range []*float64{&r.Unlabelled, &r.Validation, &r.Test, &r.BaselineUnlabelled, &r.BaselineTest, &r.AUC} {
		*v = math.NaN()
	}
	r.Numbers = new(NumbersResult)
	scores, labels, _, err := t.ofHidden(ctx, fitted.Predictor(), fitted.Summary.Scores)
	if err != nil {
		return err
	}
	r.Numbers.Predicted = train.ValuesOf(scores)
	for _, label := range labels {
		value, _ := strconv.ParseFloat(t.classes[label], 64) // as the training has done
		r.Numbers.True = append(r.Numbers.True, value)
	}
	hidden, y, err := numbersOf(t.hidden)
	if err != nil {
		return err
	}
	r.Numbers.Hidden = ErrorsOf(r.Numbers.True, r.Numbers.Predicted)
	for _, other := range []struct {
		d    *dataset.Dataset
		into *NumberErrors
		size *int
	}{{t.run.Validation, &r.Numbers.Validation, &r.ValidationSize}, {t.test, &r.Numbers.Test, &r.Tested}} {
		if *other.into, err = errorsOn(ctx, fitted.Predictor(), other.d); err != nil {
			return err
		}
		if other.d != nil {
			*other.size = len(other.d.Labelled())
		}
	}
	p := fitted.Predictor()
	if fitted.Summary.Scores != nil { // hidden rows are trained on
		p = p.With(train.Uncertainty{Intervals: fitted.IntervalsAmong()})
	}
	if err := r.Numbers.cover(ctx, p, hidden, y); err != nil {
		return err
	}
	return e.measureBeside(ctx, t, fitted, r)
}

// cover measures intervals at points whose numbers are y.
func (r *NumbersResult) cover(ctx context.Context, p *train.Predictor, d *dataset.Dataset, y []float64) error {
	r.Coverage, r.Width = math.NaN(), math.NaN()
	if v := p.Intervals(); v == nil || v.CheckLevel(CoverageLevel) != nil || len(y) == 0 {
		return nil
	}
	scores, err := p.Scores(ctx, d.Points)
	if err != nil {
		return err
	}
	x, err := p.Describe(ctx, d.Points)
	if err != nil {
		return err
	}
	low, high, err := p.IntervalsAt(ctx, x, train.ValuesOf(scores), CoverageLevel)
	if err != nil {
		return err
	}
	r.Coverage, r.Width = 0, 0
	for i, v := range y {
		if low[i] <= v && v <= high[i] {
			r.Coverage += 1 / float64(len(y))
		}
		r.Width += (high[i] - low[i]) / float64(len(y))
	}
	return nil
}

// measureBeside measures what stands beside a regression.
func (e Evaluation) measureBeside(ctx context.Context, t *trial, fitted *train.Fitted, r *Result) error {
	none := ErrorsOf(nil, nil)
	r.Numbers.Supervised, r.Numbers.Ridge, r.Numbers.Mean = none, none, none
	if !e.Baseline || len(r.Numbers.True) == 0 {
		return nil
	}
	constant := make([]float64, len(r.Numbers.True))
	for i := range constant {
		constant[i] = fitted.Task.Unit.Centre
	}
	r.Numbers.Mean = ErrorsOf(r.Numbers.True, constant)
	start := time.Now()
	run := train.Run{Memory: t.run.Memory}
	for _, other := range []struct {
		name   string
		recipe train.Recipe
		into   *NumberErrors
	}{
		{"the machine without the unlabelled points", Baseline(e.Recipe, fitted.Recipe), &r.Numbers.Supervised},
		{"ridge regression", train.Recipe{Kernel: kernel.Linear{}, Supervised: true, Kind: task.Numbers(), Criterion: e.Recipe.Criterion,
			Describe: fitted.Recipe.Describe, Standardise: fitted.Recipe.Standardise, Seed: e.Recipe.Seed}, &r.Numbers.Ridge},
	} {
		if !kernel.OfFeatures(fitted.Recipe.Kernel) && other.recipe.Kernel == (kernel.Linear{}) {
			continue // there are no points
		}
		d, recipe, err := Fill(ctx, t.data, other.recipe, run)
		if err != nil {
			return fmt.Errorf("%s: %w", other.name, err)
		}
		f, err := train.Fit(ctx, d, recipe, run)
		if err != nil {
			return fmt.Errorf("%s: %w", other.name, err)
		}
		if *other.into, err = errorsOn(ctx, f.Predictor(), t.hidden); err != nil {
			return err
		}
	}
	r.BaselineSeconds = time.Since(start).Seconds()
	return nil
}
