package selection

import (
	"context"
	"fmt"
	"math"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
)

// Fit is [train.Fit]. Where the choice saw few of many labels, the others tell what to expect. They are at least as many as those that it saw are worth. Else [tellGain] says what the unlabelled
// points gain.
func Fit(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*train.Fitted, error) {
	f, err := train.Fit(ctx, d, r, run)
	if err != nil || f == nil {
		return f, err
	}
	return estimateHeldOut(ctx, f, r.Pending, run)
}

// estimateHeldOut says in the choice of a training what to expect by labels that had no part in the choice. The machines of the choice
// had few labels, and are worse than the training's. For its probabilities or intervals a training has machines of all points that lack
// a part of the labels. These are asked, and those of [fitAlone]. Where they say that the unlabelled points do harm, askUnseen returns
// the training without these, as [comparison.harmed] decides in a choice. It does nothing without probabilities or intervals, where the
// choice was made earlier, and on ranks.
func estimateHeldOut(ctx context.Context, f *train.Fitted, pending train.Pending, run train.Run) (*train.Fitted, error) {
	all, unseen := pending.Labels, pending.Unseen
	if len(unseen) == 0 || all != len(f.Task.Labelled) || float64(len(unseen)) < sampleSizePerLabel*float64(all-len(unseen)) {
		return f, tellGain(ctx, f, run)
	}
	wrong := wrongOf(f)
	if wrong == nil {
		return f, nil
	}
	supervised, err := fitAlone(ctx, f, run)
	if err != nil {
		f.Recipe.Tell(func(c *train.Choice) {
			c.Reason += fmt.Sprintf("; the others do not tell of the error, as no machine without the unlabelled points could be trained: %v", err)
		})
		return f, ctx.Err()
	}
	baselines := wrongOf(supervised)
	var errors, errorsAlone []float64
	var class []int
	groups := make([]int, f.Task.Groups())
	for _, group := range f.Task.Class {
		groups[group]++
	}
	for _, k := range unseen {
		if !math.IsNaN(wrong[k] + baselines[k]) {
			errors, errorsAlone, class = append(errors, wrong[k]), append(errorsAlone, baselines[k]), append(class, f.Task.Class[k])
		}
	}
	if len(errors) < FewestReported {
		return f, nil
	}
	why := fmt.Sprintf("; %d other labels tell of the error", len(errors))
	if f.Task.Groups() > 1 {
		why += ", each class by its share of all labels"
	}
	var expected *train.Expected
	var ofNumbers *train.ExpectedNumbers
	var verdict train.Verdict
	expect := func(wrong []float64) (*train.Expected, train.Verdict) {
		return Expect(f.Task.Known().Worst(), wrong, errorsAlone, balance(class, groups), 1-1/float64(f.Summary.HeldOut.Parts), 1)
	}
	if kindOf(f.Recipe.Kind).functions {
		ofNumbers, verdict = expectNumbers(errors, errorsAlone, f.Task.Unit, 1-1/float64(f.Summary.LeftParts))
	} else {
		expected, verdict = expect(errors)
	}
	if f.Recipe.Supervised {
		verdict = ""
	}
	f.Recipe.Tell(func(c *train.Choice) {
		c.Labels, c.Expected, c.Numbers, c.Verdict = len(errors), expected, ofNumbers, verdict
		c.Reason += why
	})
	if verdict != train.Harms || expected == nil || kindOf(f.Task.Kind).each || pending.KeepsAll {
		return f, nil
	}
	supervised.Recipe.Choice, supervised.Recipe.Baseline = f.Recipe.Choice, f.Recipe.Baseline
	supervised.Recipe.Tell(func(c *train.Choice) {
		c.Neighbours, c.LaplacianDegree, c.GammaA, c.GammaI = 0, 0, supervised.Recipe.GammaA, 0
		of, _ := expect(errorsAlone)
		withoutThem(c, of)
	})
	return supervised, nil
}

// fitAlone trains the machine of [Baseline] for the points of a training, or returns the training where it has no other part of
// them.
func fitAlone(ctx context.Context, f *train.Fitted, run train.Run) (*train.Fitted, error) {
	if f.Recipe.Supervised {
		return f, nil
	}
	svm := Baseline(f.Recipe, f.Recipe)
	svm.Calibrate, svm.Solver = true, train.PCG
	if len(f.Task.Labelled) > train.LandmarkLimit && svm.Kernel.Kind().BasisPoints() {
		svm.Solver = train.Landmarks
	}
	if !svm.Loss.Smooth() {
		svm.Loss = objective.SquaredHinge
	}
	beside := train.Run{Memory: run.Memory, HoldsAll: run.HoldsAll}
	if run.Progress != nil {
		beside.Progress = func(part string, done, of int) {
			run.Progress(part+" of a machine without the unlabelled points", done, of)
		}
	}
	start := time.Now()
	supervised, err := train.Fit(ctx, f.Data, svm, beside)
	f.Summary.Seconds.Compare = time.Since(start).Seconds()
	return supervised, err
}

// wrongOf returns what [heldOut.wrong] does for every label, by the machines that a training has without it; NaN where it has
// none. It returns nil if the training has none at all.
func wrongOf(f *train.Fitted) []float64 {
	if f.Summary.HeldOut == nil && f.Summary.LeftOut == nil {
		return nil
	}
	wrong, known := make([]float64, len(f.Task.Labelled)), f.Task.Known()
	for k := range wrong {
		wrong[k] = math.NaN()
	}
	for k, value := range f.Summary.LeftOut {
		wrong[k] = known.Wrong(k, []float64{f.Task.Unit.To(value)})
	}
	if h := f.Summary.HeldOut; h != nil {
		for at, k := range h.Label {
			wrong[k] = known.Wrong(k, f.Task.Coding().Outputs(h.Scores[at]))
		}
	}
	return wrong
}
