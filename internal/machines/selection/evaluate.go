package selection

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
)

// Evaluation says what to measure.
type Evaluation struct {
	Recipe   train.Recipe     // what it leaves open every repeat chooses, see [Fill]
	With     train.Run        // its validation points are for splits without a validation part
	Test     *dataset.Dataset // a fixed test set for splits without a test part
	Baseline bool             // train an SVM on the labelled points alone beside it
	Set      float64          // level of the sets of classes to measure, for which the training calibrates; 0 for none
	Progress func(Result)     // called after every repeat, if not nil
}

// Result is what one repeat measured. Errors are in percent, and NaN where
// there was nothing to measure on.
type Result struct {
	Repeat                                   int
	Unlabelled, Validation, Test             float64
	BaselineUnlabelled, BaselineTest         float64
	AUC                                      float64 // area under the ROC curve on the hidden labels, mean over the classes, from 0 to 1
	Labelled, Hidden, ValidationSize, Tested int     // sizes
	// Confusion counts the hidden labels, [class][predicted class], in the order
	// of the classes of the data; one column more counts points outside of the
	// class of a one-class machine. BaselineConfusion is nil without a baseline.
	Confusion, BaselineConfusion [][]int
	// Gains are of the rows with a hidden label of which the baseline is more wrong than the machine, or less: 1 or −1, of ordered classes in ranks.
	Gains       map[int]float64
	Ranks       RanksResult     // distances of ordered classes
	Reliability []calibrate.Bin // of the probabilities on the hidden labels; nil without
	Sets        SetsResult      // on the hidden labels; NaN where none were asked for
	Decisions   []Decision      // on hidden labels, of the smallest lead first
	Numbers     *NumbersResult  // of a regression; all of the above but sizes is then NaN or nil
	// Several is of labels that list several classes, and BaselineSeveral of the baseline. Of the above there are then sizes and
	// errors, which are the wrong ones of all answers whether a row has a class.
	Several, BaselineSeveral *SeveralResult
	Recipe                   train.Recipe // of the training, whole
	Training                 train.Summary
	Seconds, BaselineSeconds float64 // of the training, without measuring; the choice of its parameters counts for both machines in Seconds
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
// with the results so far when ctx is done. Ranks that share d train together, as [train.Fit] does.
// Rank 0 returns the measurements, and gathers the rows that it measures on; other ranks return the
// sizes alone.
func (e Evaluation) Run(ctx context.Context, d *dataset.Dataset, splits iter.Seq[Split]) ([]Result, error) {
	if err := e.With.Check(d); err != nil {
		return nil, err
	}
	labels, err := d.AllLabels(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkOrder(e.Recipe.Kind, d, labels); err != nil {
		return nil, err
	}
	var results []Result
	for split := range splits {
		r, err := e.repeat(ctx, d, labels, split)
		if err != nil {
			return results, err
		}
		r.Repeat = len(results) + 1
		results = append(results, r)
		if e.Progress != nil {
			e.Progress(r)
		}
	}
	return results, nil
}

// repeat trains and measures on a split of d, whose rows have labels.
func (e Evaluation) repeat(ctx context.Context, d *dataset.Dataset, labels []int, split Split) (Result, error) {
	sizes := Result{Labelled: len(split.Labelled), Hidden: len(split.Hidden)}
	data, err := trainingOf(ctx, d, split)
	if err != nil {
		return sizes, err
	}
	run := e.With
	run.Work = new(train.Work)
	if len(split.Validation) > 0 {
		if run.Validation, err = d.Gather(ctx, split.Validation, true); err != nil {
			return sizes, err
		}
	}
	start := time.Now()
	choosing := run
	choosing.Validation = nil // validation points are for measuring and stopping
	asked := e.Recipe
	asked.Calibrate = asked.Calibrate || e.Set > 0 || kindOf(asked.Kind).each
	data, recipe, err := Fill(ctx, data, asked, choosing)
	if err != nil {
		return sizes, err
	}
	recipe.Calibrate = recipe.Calibrate || len(recipe.Pending.Unseen) > 0
	fitted, err := Fit(ctx, data, recipe, run)
	if err != nil {
		return sizes, err
	}
	took := time.Since(start)
	first := d.Ranks().Rank() == 0
	hidden, err := d.Gather(ctx, split.Hidden, first)
	if err != nil {
		return sizes, err
	}
	test := e.Test
	if len(split.Test) > 0 {
		if test, err = d.Gather(ctx, split.Test, first); err != nil {
			return sizes, err
		}
	}
	if !first {
		return sizes, nil
	}
	defer run.WhileOthersWait(d.Ranks())()
	t := &trial{classes: d.Classes, data: fitted.Data, labels: labels, split: split, hidden: hidden, test: test, run: run, level: e.Set}
	return e.measure(ctx, t, fitted, took)
}

// trainingOf returns the rows that a split trains on, their other labels hidden.
func trainingOf(ctx context.Context, d *dataset.Dataset, split Split) (*dataset.Dataset, error) {
	rows := split.Training()
	data, err := d.Among(ctx, rows)
	if err != nil {
		return nil, err
	}
	own := data.Own()
	for k := range data.Y {
		i := k
		if own != nil {
			i = own[k]
		}
		if _, keep := slices.BinarySearch(split.Labelled, rows[i]); !keep {
			data.Y[k] = dataset.Unlabelled
		}
	}
	return data, nil
}

// measure measures the fitted machines on a split, and the SVM beside them.
func (e Evaluation) measure(ctx context.Context, t *trial, fitted *train.Fitted, took time.Duration) (Result, error) {
	r := Result{Labelled: len(t.split.Labelled), Hidden: len(t.split.Hidden), Recipe: fitted.Recipe, Training: fitted.Summary, Seconds: took.Seconds()}
	r.Training.Scores, r.Training.HeldOut = nil, nil // results are kept for all repeats
	err := kindOf(fitted.Recipe.Kind).measure(e, ctx, t, fitted, &r)
	return r, err
}

// measureClasses is measure where a row has a class.
func (e Evaluation) measureClasses(ctx context.Context, t *trial, fitted *train.Fitted, r *Result) error {
	if err := t.measure(ctx, fitted, r); err != nil {
		return err
	}
	r.BaselineUnlabelled, r.BaselineTest = math.NaN(), math.NaN()
	r.Ranks.BaselineUnlabelled, r.Ranks.BaselineTest = math.NaN(), math.NaN()
	if !e.Baseline {
		return nil
	}
	start := time.Now()
	svm, err := train.Fit(ctx, t.data, Baseline(e.Recipe, fitted.Recipe), train.Run{Memory: t.run.Memory, Observer: t.run.Observer})
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	r.BaselineSeconds = time.Since(start).Seconds()
	return t.measureBaseline(ctx, svm, r)
}

// trial is one split of a data set, with what is trained on and measured on.
type trial struct {
	classes []string         // of the data
	data    *dataset.Dataset // trained on: labels are hidden
	labels  []int            // of all rows
	split   Split
	hidden  *dataset.Dataset // the rows whose labels are hidden
	test    *dataset.Dataset // nil without
	run     train.Run        // with the validation points
	level   float64          // of the sets of classes; 0 for none
	wrong   map[int]float64  // how wrong the machine measured first is at a row with a hidden label
}

// measure compares the fitted machines with the hidden labels, and with those of validation and
// test points.
func (t *trial) measure(ctx context.Context, fitted *train.Fitted, r *Result) error {
	m := machine{fitted.Predictor(), fitted.Task, t.classes}
	scores, y, rows, err := t.ofHidden(ctx, m.Predictor, fitted.Summary.Scores)
	if err != nil {
		return err
	}
	decided := m.Decide(scores)
	r.Confusion = m.confusion(decided, y)
	wrong, err := m.wrong(decided, t.hidden, y)
	if err != nil {
		return err
	}
	t.wrong = make(map[int]float64)
	for k, row := range rows {
		t.wrong[row] = wrong[k]
	}
	r.Unlabelled, r.Ranks.Unlabelled = errorOf(r.Confusion), m.distance(wrong)
	r.AUC = m.auc(scores, y)
	r.Reliability = m.reliability(scores, y)
	if r.Sets, err = m.sets(scores, y, t.level); err != nil {
		return train.OfKind(train.ErrParameter, err)
	}
	r.Decisions = m.decisions(scores, y, rows)
	if r.Validation, r.Ranks.Validation, err = m.errorOn(ctx, t.run.Validation); err != nil {
		return err
	}
	if t.run.Validation != nil {
		r.ValidationSize = len(t.run.Validation.Labelled())
	}
	if r.Test, r.Ranks.Test, err = m.errorOn(ctx, t.test); err != nil {
		return err
	}
	if t.test != nil {
		r.Tested = len(t.test.Labelled())
	}
	return nil
}

// ofHidden returns, for the rows with hidden labels, their decision values, their labels and their
// numbers in the data. The values come from trained, the values of all training points, or are
// computed where trained is nil.
func (t *trial) ofHidden(ctx context.Context, p *train.Predictor, trained [][]float64) (scores [][]float64, y, rows []int, err error) {
	if trained == nil {
		if len(t.hidden.Y) > 0 {
			scores, err = p.Scores(ctx, t.hidden.Points)
		}
		return scores, t.hidden.Y, t.split.Hidden, err
	}
	for k, row := range t.split.Training() {
		if t.data.Y[k] == dataset.Unlabelled && t.labels[row] != dataset.Unlabelled {
			scores, y, rows = append(scores, trained[k]), append(y, t.labels[row]), append(rows, row)
		}
	}
	return scores, y, rows, nil
}

// measureBaseline is measure for the SVM beside.
func (t *trial) measureBaseline(ctx context.Context, svm *train.Fitted, r *Result) error {
	m := machine{svm.Predictor(), svm.Task, t.classes}
	scores, y, rows, err := t.ofHidden(ctx, m.Predictor, nil)
	if err != nil {
		return err
	}
	decided := m.Decide(scores)
	wrong, err := m.wrong(decided, t.hidden, y)
	if err != nil {
		return err
	}
	r.BaselineConfusion, r.Gains = m.confusion(decided, y), make(map[int]float64)
	for k, row := range rows {
		if gain := wrong[k] - t.wrong[row]; gain != 0 {
			r.Gains[row] = gain
		}
	}
	r.BaselineUnlabelled, r.Ranks.BaselineUnlabelled = errorOf(r.BaselineConfusion), m.distance(wrong)
	r.BaselineTest, r.Ranks.BaselineTest, err = m.errorOn(ctx, t.test)
	return err
}

// Baseline returns the recipe of an SVM on the labelled points alone, to compare with a training.
// asked is the recipe asked for, whole the recipe with nothing open. The SVM has the parameters
// chosen for it in the same comparison, else the kernel and the ambient weight of whole.
func Baseline(asked, whole train.Recipe) train.Recipe {
	svm := train.Recipe{Kernel: whole.Kernel, GammaA: whole.Leading().GammaA, Supervised: true, Loss: asked.Loss, Bias: asked.Bias,
		Kind: asked.Kind, Criterion: asked.Criterion, ClassWeight: asked.ClassWeight, Describe: whole.Describe, Standardise: whole.Standardise, Precision: asked.Precision, Seed: asked.Seed}
	chosen := whole.Baseline
	svm.GammaA = cmp.Or(chosen.SupervisedGamma, svm.GammaA)
	if chosen.SupervisedLinear {
		svm.Kernel = kernel.Linear{}
	} else if chosen.SupervisedSigma > 0 {
		svm.Kernel = kernel.WithWidth(svm.Kernel, chosen.SupervisedSigma)
	}
	return svm
}

// machine predicts by its own classes, and is measured by those of a data set.
type machine struct {
	*train.Predictor
	task    *task.Task
	classes []string
}

// confusion counts the predictions, class indices of the machine, for every true
// class of the data: [truth][predicted], with one column more for predictions that
// are none of them. Rows without a label do not count.
func (m machine) confusion(predicted, truth []int) [][]int {
	at := make([]int, len(m.task.Classes)) // of the machine's classes in the data's
	for c, name := range m.task.Classes {
		if at[c] = dataset.FindClass(m.classes, name); at[c] < 0 {
			at[c] = len(m.classes)
		}
	}
	counts := make([][]int, len(m.classes))
	for c := range counts {
		counts[c] = make([]int, len(m.classes)+1)
	}
	for i, y := range truth {
		switch {
		case y == dataset.Unlabelled:
		case predicted[i] == dataset.Unlabelled:
			counts[y][len(m.classes)]++
		default:
			counts[y][at[predicted[i]]]++
		}
	}
	return counts
}

// right reports whether a prediction, a class of the machine, is the class truth of the data.
func (m machine) right(predicted, truth int) bool {
	return predicted != dataset.Unlabelled && m.task.Classes[predicted] == m.classes[truth]
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
