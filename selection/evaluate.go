package selection

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"lapsvm"
	"lapsvm/calibrate"
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
	// Confusion counts the hidden labels, [class][predicted class], in the order
	// of the classes of the data; one column more counts points outside of the
	// class of a one-class machine. BaselineConfusion is nil without a baseline.
	Confusion, BaselineConfusion [][]int
	Reliability                  []calibrate.Bin // of the probabilities on the hidden labels; nil without
	Training                     lapsvm.Training
	Seconds                      float64 // of the training, without measuring
}

// Commonest returns the error on the unlabelled points, in percent, of answering
// always the class that is the commonest among them; NaN where there are none. A
// classifier that is no better has learnt nothing.
func (r Result) Commonest() float64 {
	most, count := 0, 0
	for _, row := range r.Confusion {
		n := 0
		for _, k := range row {
			n += k
		}
		most, count = max(most, n), count+n
	}
	return 100 * float64(count-most) / float64(count)
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
	scores, y := m.Training().Scores, []int(nil)
	if scores != nil {
		var ofHidden [][]float64
		for k := range rows {
			if train.Y[k] == dataset.Unlabelled && truth[k] != dataset.Unlabelled {
				ofHidden, y = append(ofHidden, scores[k]), append(y, truth[k])
			}
		}
		scores = ofHidden
	} else if len(hidden.Y) > 0 {
		if scores, err = m.Scores(ctx, hidden.Points); err != nil {
			return Result{}, err
		}
		y = hidden.Y
	}
	r.Confusion = confusion(m, d.Classes, m.Decide(scores), y)
	r.Unlabelled = errorOf(r.Confusion)
	r.Reliability = reliability(m, d.Classes, scores, y)
	r.Training.Scores, r.Training.HeldOut = nil, nil // results are kept for all repeats
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
		baseline, err := Baseline(e.Trainer, m).Fit(ctx, train)
		if err != nil {
			return Result{}, fmt.Errorf("baseline: %w", err)
		}
		if r.BaselineConfusion, err = confusionOn(ctx, baseline, hidden); err != nil {
			return Result{}, err
		}
		r.BaselineUnlabelled = errorOf(r.BaselineConfusion)
		if r.BaselineTest, err = errorOn(ctx, baseline, test); err != nil {
			return Result{}, err
		}
	}
	return r, nil
}

// Baseline returns the trainer of an SVM on the labelled points alone, to
// compare a model of t with: with the parameters chosen for it in the same way
// as for the model, else with the same kernel and the same weight of the
// ambient norm.
func Baseline(t lapsvm.Trainer, model *lapsvm.Model) lapsvm.Trainer {
	t.Kernel, t.GammaI, t.Validation, t.Solver, t.Solve = model.Kernel(), 0, nil, lapsvm.Auto, solve.Options{}
	if c := model.Training().Choice; c != nil && c.Candidates > 0 {
		t.GammaA = c.SupervisedGamma
		if c.SupervisedSigma > 0 {
			t.Kernel = kernel.WithWidth(t.Kernel, c.SupervisedSigma)
		}
	}
	t.Prior, t.Shares, t.Calibrate = lapsvm.NoPrior, nil, false
	return t
}

// errorOn returns the error of m on the labelled rows of d in percent, NaN
// where there are none.
func errorOn(ctx context.Context, m *lapsvm.Model, d *dataset.Dataset) (float64, error) {
	if d == nil {
		return math.NaN(), nil
	}
	counts, err := confusionOn(ctx, m, d)
	return errorOf(counts), err
}

// confusionOn is the confusion of m on the labelled rows of d.
func confusionOn(ctx context.Context, m *lapsvm.Model, d *dataset.Dataset) ([][]int, error) {
	var predicted []int
	if len(d.Y) > 0 {
		var err error
		if predicted, err = m.Predict(ctx, d.Points); err != nil {
			return nil, err
		}
	}
	return confusion(m, d.Classes, predicted, d.Y), nil
}

// confusion counts the predictions, class indices of m, for every true class,
// an index into classes: [truth][predicted], in the order of classes and with
// one column more for predictions that are none of them. Rows without a label
// do not count.
func confusion(m *lapsvm.Model, classes []string, predicted, truth []int) [][]int {
	at := make([]int, len(m.Classes())) // of the model's classes in classes
	for c, name := range m.Classes() {
		if at[c] = slices.Index(classes, name); at[c] < 0 {
			at[c] = len(classes)
		}
	}
	counts := make([][]int, len(classes))
	for c := range counts {
		counts[c] = make([]int, len(classes)+1)
	}
	for i, y := range truth {
		switch {
		case y == dataset.Unlabelled:
		case predicted[i] == dataset.Unlabelled:
			counts[y][len(classes)]++
		default:
			counts[y][at[predicted[i]]]++
		}
	}
	return counts
}

// errorOf returns the share of a confusion off its diagonal in percent, NaN
// where it is empty.
func errorOf(confusion [][]int) float64 {
	wrong, count := 0, 0
	for truth, row := range confusion {
		for predicted, n := range row {
			count += n
			if predicted != truth {
				wrong += n
			}
		}
	}
	if count == 0 {
		return math.NaN()
	}
	return 100 * float64(wrong) / float64(count)
}

// reliability is that of the model's probabilities for rows of decision values,
// nil where it has none.
func reliability(m *lapsvm.Model, classes []string, scores [][]float64, truth []int) []calibrate.Bin {
	c := m.Calibration()
	if c == nil {
		return nil
	}
	var proba [][]float64
	var y []int
	for i, row := range scores {
		if truth[i] == dataset.Unlabelled {
			continue
		}
		p := make([]float64, len(row))
		c.Probabilities(p, row)
		proba, y = append(proba, p), append(y, slices.Index(m.Classes(), classes[truth[i]]))
	}
	return calibrate.Reliability(proba, y)
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
