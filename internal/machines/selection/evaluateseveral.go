package selection

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// SeveralResult is what one repeat measured on hidden labels that list several classes. It is from 0 to 1, and NaN
// where there was nothing to measure on. What is not known of a row counts for nothing.
type SeveralResult struct {
	MicroF1 float64 // 2·TP/(2·TP + FP + FN) of all classes together
	MacroF1 float64 // the mean of this over the classes; one that is neither hidden nor predicted is left out
	Subset  float64 // share of the rows of which all classes are right
	Ranking float64 // mean over rows, and over the classes that a row has, of the share of these among the classes that are no less probable
}

// severalOf measures decisions and scores, [row][class of the machine], by the answers [class][row]. It also returns how many
// of the known answers are wrong, in percent. own has the place of every class among those of the machine. It is −1 for a class
// that the machine does not know, and no row is taken to have it.
func severalOf(answers [][]float64, own []int, decided [][]int, scores [][]float64) (wrong float64, r SeveralResult) {
	right, count, all, classes := 0.0, 0.0, [3]float64{}, 0.0
	subset, rows, ranked := 0.0, float64(len(decided)), 0.0
	score := func(i, class int) float64 {
		if own[class] < 0 {
			return math.Inf(-1)
		}
		return scores[i][own[class]]
	}
	ok := make([]bool, len(decided))
	for i := range ok {
		ok[i] = true
	}
	for class, of := range answers {
		var counts [3]float64 // TP, FP, FN
		for i, answer := range of {
			has := own[class] >= 0 && slices.Contains(decided[i], own[class])
			switch {
			case math.IsNaN(answer):
				continue
			case has && answer > 0:
				counts[0]++
			case has:
				counts[1]++
			case answer > 0:
				counts[2]++
			}
			if count++; has == (answer > 0) {
				right++
			} else {
				ok[i] = false
			}
		}
		for k := range all {
			all[k] += counts[k]
		}
		if counts[0]+counts[1]+counts[2] > 0 {
			r.MacroF1 += f1(counts)
			classes++
		}
	}
	for i := range decided {
		if ok[i] {
			subset++
		}
		share, has := 0.0, 0.0
		for class := range answers {
			if !(answers[class][i] > 0) {
				continue
			}
			among, of := 0.0, 0.0
			for other := range answers {
				if score(i, other) >= score(i, class) {
					if among++; answers[other][i] > 0 {
						of++
					}
				}
			}
			share, has = share+of/among, has+1
		}
		if has > 0 {
			r.Ranking, ranked = r.Ranking+share/has, ranked+1
		}
	}
	return 100 * (1 - right/count), SeveralResult{f1(all), r.MacroF1 / classes, subset / rows, r.Ranking / ranked}
}

// f1 returns 2·TP/(2·TP + FP + FN) of the counts TP, FP and FN.
func f1(counts [3]float64) float64 { return 2 * counts[0] / (2*counts[0] + counts[1] + counts[2]) }

// measureSeveral is measure of several classes at once. Beside the machines stand the same without the unlabelled points.
func (e Evaluation) measureSeveral(ctx context.Context, t *trial, fitted *train.Fitted, r *Result) error {
	for _, v := range []*float64{&r.Unlabelled, &r.Validation, &r.Test, &r.BaselineUnlabelled, &r.BaselineTest, &r.AUC} {
		*v = math.NaN()
	}
	r.Sets = SetsResult{math.NaN(), math.NaN(), math.NaN()}
	all, err := dataset.SeveralOf(t.classes, fitted.Recipe.MultiLabel)
	if err != nil {
		return train.OfKind(train.ErrData, err)
	}
	measure := func(f *train.Fitted, d *dataset.Dataset) (wrong float64, s SeveralResult, err error) {
		labelled := d.Subset(d.Labelled())
		if len(labelled.Y) == 0 {
			return math.NaN(), SeveralResult{math.NaN(), math.NaN(), math.NaN(), math.NaN()}, nil
		}
		classes, err := all, error(nil)
		if !slices.Equal(d.Classes, t.classes) {
			if classes, err = dataset.SeveralOf(d.Classes, fitted.Recipe.MultiLabel); err != nil {
				return 0, s, train.OfKind(train.ErrData, err)
			}
		}
		p := f.Predictor()
		scores, err := p.ScoresOf(ctx, labelled)
		if err != nil {
			return 0, s, err
		}
		decided, own := p.DecideSeveral(scores), make([]int, len(classes.Classes))
		if p.Each() != nil {
			p.ToProbabilities(scores)
		}
		answers := make([][]float64, len(classes.Classes))
		for class, name := range classes.Classes {
			own[class] = slices.Index(f.Task.Classes, name)
			for _, y := range labelled.Y {
				answers[class] = append(answers[class], classes.Answers[class][y])
			}
		}
		wrong, s = severalOf(answers, own, decided, scores)
		return wrong, s, nil
	}
	r.Several = new(SeveralResult)
	if r.Unlabelled, *r.Several, err = measure(fitted, t.hidden); err != nil {
		return err
	}
	if t.test != nil {
		r.Tested = len(t.test.Labelled())
		if r.Test, _, err = measure(fitted, t.test); err != nil {
			return err
		}
	}
	if !e.Baseline {
		return nil
	}
	start := time.Now()
	baseline := Baseline(e.Recipe, fitted.Recipe)
	baseline.Calibrate = true // which sets the thresholds
	svm, err := train.Fit(ctx, t.data, baseline, train.Run{Memory: t.run.Memory, Observer: t.run.Observer})
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	r.BaselineSeconds = time.Since(start).Seconds()
	r.BaselineSeveral = new(SeveralResult)
	r.BaselineUnlabelled, *r.BaselineSeveral, err = measure(svm, t.hidden)
	return err
}
