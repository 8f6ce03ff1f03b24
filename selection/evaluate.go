package selection

import (
	"context"
	"fmt"
	"math"
	"time"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/kernel"
	"lapsvm/solve"
)

// Evaluation says what to measure.
type Evaluation struct {
	Trainer lapsvm.Trainer
	// Choose lets every repeat choose what the trainer leaves open, see
	// [lapsvm.Trainer.Choose], and Supervised keeps GammaI at 0 then.
	Choose, Supervised bool
	Test               *dataset.Dataset // a fixed test set for splits without a test part
	Baseline           bool             // train an SVM on the labelled points alone beside it
	Progress           func(Result)     // called after every repeat, if not nil
}

// Result is what one repeat measured. Errors are in percent, and NaN where
// there was nothing to measure on.
type Result struct {
	Repeat                                   int
	Unlabelled, Validation, Test             float64
	BaselineUnlabelled, BaselineTest         float64
	Labelled, Hidden, ValidationSize, Tested int // sizes
	Training                                 lapsvm.Training
	Seconds                                  float64 // of the training, without measuring
}

// Run measures the splits of d in turn. It fails where a training fails, and
// with the results so far when ctx is done.
func (e Evaluation) Run(ctx context.Context, d *dataset.Dataset, splits []Split) ([]Result, error) {
	var results []Result
	for k, split := range splits {
		r, err := e.repeat(ctx, d, split)
		if err != nil {
			return results, err
		}
		r.Repeat = k + 1
		results = append(results, r)
		if e.Progress != nil {
			e.Progress(r)
		}
	}
	return results, nil
}

func (e Evaluation) repeat(ctx context.Context, d *dataset.Dataset, split Split) (Result, error) {
	rows := split.Training()
	train := d.Subset(rows)
	truth := train.Y
	train.Y = make([]int, len(rows))
	keep := make(map[int]bool)
	for _, i := range split.Labelled {
		keep[i] = true
	}
	for k, i := range rows {
		train.Y[k] = dataset.Unlabelled
		if keep[i] {
			train.Y[k] = truth[k]
		}
	}
	t := e.Trainer
	validation := t.Validation
	if len(split.Validation) > 0 {
		validation = d.Subset(split.Validation)
	}
	t.Validation = validation
	test := e.Test
	if len(split.Test) > 0 {
		test = d.Subset(split.Test)
	}
	start := time.Now()
	var err error
	if e.Choose {
		t.Validation = nil // validation points are for measuring and stopping
		if t, err = t.Choose(ctx, train, e.Supervised); err != nil {
			return Result{}, err
		}
		t.Validation = validation
	}
	m, err := t.Fit(ctx, train)
	if err != nil {
		return Result{}, err
	}
	r := Result{Labelled: len(split.Labelled), Hidden: len(split.Hidden), Training: m.Training(), Seconds: time.Since(start).Seconds()}

	hidden := d.Subset(split.Hidden)
	if scores := m.Training().Scores; scores != nil {
		predicted := m.Decide(scores)
		r.Unlabelled = errorOf(m, d.Classes, func(measure func(predicted, truth int)) {
			for k := range rows {
				if train.Y[k] == dataset.Unlabelled && truth[k] != dataset.Unlabelled {
					measure(predicted[k], truth[k])
				}
			}
		})
	} else if r.Unlabelled, err = errorOn(ctx, m, hidden); err != nil {
		return Result{}, err
	}
	r.Training.Scores = nil // results are kept for all repeats
	if r.Validation, err = errorOn(ctx, m, validation); err != nil {
		return Result{}, err
	}
	if r.Test, err = errorOn(ctx, m, test); err != nil {
		return Result{}, err
	}
	if validation != nil {
		r.ValidationSize = len(validation.Labelled())
	}
	if test != nil {
		r.Tested = len(test.Labelled())
	}
	r.BaselineUnlabelled, r.BaselineTest = math.NaN(), math.NaN()
	if e.Baseline {
		if r.BaselineUnlabelled, r.BaselineTest, err = e.baseline(ctx, m, train, hidden, test); err != nil {
			return Result{}, err
		}
	}
	return r, nil
}

// baseline trains an SVM on the labelled points with the parameters chosen for
// it in the same way as for the model, else with the same kernel and the same
// weight of the ambient norm.
func (e Evaluation) baseline(ctx context.Context, model *lapsvm.Model, train, hidden, test *dataset.Dataset) (onHidden, onTest float64, err error) {
	t := e.Trainer
	t.Kernel, t.GammaI, t.Validation, t.Solver, t.Solve = model.Kernel(), 0, nil, lapsvm.Auto, solve.Options{}
	if c := model.Training().Choice; c != nil && c.Candidates > 0 {
		t.GammaA = c.SupervisedGamma
		if c.SupervisedSigma > 0 {
			t.Kernel = kernel.Gaussian{Sigma: c.SupervisedSigma}
		}
	}
	t.Prior, t.Shares, t.Calibrate = lapsvm.NoPrior, nil, false
	m, err := t.Fit(ctx, train)
	if err != nil {
		return 0, 0, fmt.Errorf("baseline: %w", err)
	}
	if onHidden, err = errorOn(ctx, m, hidden); err != nil {
		return 0, 0, err
	}
	onTest, err = errorOn(ctx, m, test)
	return onHidden, onTest, err
}

// errorOn returns the error of m on the labelled rows of d in percent, NaN
// where there are none.
func errorOn(ctx context.Context, m *lapsvm.Model, d *dataset.Dataset) (float64, error) {
	if d == nil || d.Points.Len() == 0 {
		return math.NaN(), nil
	}
	predicted, err := m.Predict(ctx, d.Points)
	if err != nil {
		return 0, err
	}
	return errorOf(m, d.Classes, func(measure func(predicted, truth int)) {
		for i, y := range d.Y {
			if y != dataset.Unlabelled {
				measure(predicted[i], y)
			}
		}
	}), nil
}

// errorOf returns the share in percent of the predictions, class indices of m,
// that name another class than the truth, an index into classes.
func errorOf(m *lapsvm.Model, classes []string, each func(measure func(predicted, truth int))) float64 {
	wrong, count := 0, 0
	each(func(predicted, truth int) {
		count++
		if predicted == dataset.Unlabelled || m.Classes()[predicted] != classes[truth] {
			wrong++
		}
	})
	if count == 0 {
		return math.NaN()
	}
	return 100 * float64(wrong) / float64(count)
}

// MeanSD returns the mean and the standard deviation, with divisor n − 1, of
// what get returns for the items; NaN where it is NaN, and a deviation of 0 for
// a single item.
func MeanSD[T any](items []T, get func(T) float64) (mean, sd float64) {
	n := float64(len(items))
	for _, item := range items {
		mean += get(item) / n
	}
	for _, item := range items {
		sd += (get(item) - mean) * (get(item) - mean)
	}
	return mean, math.Sqrt(sd / math.Max(1, n-1))
}

// Gain returns by how many percent points fewer unlabelled points the results
// get wrong than their baselines, and the standard error of that over the
// repeats; NaN where there is no baseline, and an error of NaN for a single
// repeat.
func Gain(results []Result) (gain, standardError float64) {
	difference := func(r Result) float64 { return r.BaselineUnlabelled - r.Unlabelled }
	gain, sd := MeanSD(results, difference)
	if len(results) < 2 {
		return gain, math.NaN()
	}
	return gain, sd / math.Sqrt(float64(len(results)))
}
