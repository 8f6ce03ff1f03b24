package selection

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// SeveralResult is what one repeat measured on hidden labels that list several classes. It is from 0 to 1, and NaN
// where there was nothing to measure on. What is not known of a row counts for nothing.
type SeveralResult struct {
	MicroF1 float64     // 2·TP/(2·TP + FP + FN) of all classes together
	MacroF1 float64     // the mean of this over the classes; one that is neither hidden nor predicted is left out
	Subset  float64     // share of the rows of which all classes are right
	Ranking float64     // mean over rows, and over the classes that a row has, of the share of these among the classes that are no less probable
	Sets    []SetCounts // of every class of the data that the machine knows; nil where no sets were asked for
}

// SetCounts counts what sets of classes say of one of them.
type SetCounts struct {
	Class        string
	Has, Lacks   int // hidden labels with the class, and without it
	Held, Spared int // of Has those whose set holds the class, and of Lacks those that are not told to have it
	Told         int // of both those of which it is told whether they have the class
}

// Plus returns the counts of both, called by the class of o.
func (n SetCounts) Plus(o SetCounts) SetCounts {
	return SetCounts{o.Class, n.Has + o.Has, n.Lacks + o.Lacks, n.Held + o.Held, n.Spared + o.Spared, n.Told + o.Told}
}

// countSets counts the sets of a level for a class, own among those of the machine, by what is known of the rows.
func countSets(name string, own int, answers []float64, may, sure [][]int) SetCounts {
	n := SetCounts{Class: name}
	for i, answer := range answers {
		in, told := slices.Contains(may[i], own), slices.Contains(sure[i], own)
		switch {
		case math.IsNaN(answer):
			continue
		case answer > 0:
			n.Has++
			if in {
				n.Held++
			}
		default:
			n.Lacks++
			if !told {
				n.Spared++
			}
		}
		if !in || told {
			n.Told++
		}
	}
	return n
}

// setsOf measures the sets of a level by probabilities, [row][class of the machine].
func (s *SeveralResult) setsOf(each *calibrate.Each, names []string, own []int, answers, probabilities [][]float64, level float64) (r SetsResult, err error) {
	may, sure, err := each.Sets(probabilities, level)
	if err != nil {
		return r, train.OfKind(train.ErrParameter, err)
	}
	right, told, known := 0, 0, 0
	for class, name := range names {
		if own[class] < 0 {
			continue
		}
		n := countSets(name, own[class], answers[class], may, sure)
		s.Sets = append(s.Sets, n)
		right, told, known = right+n.Held+n.Spared, told+n.Told, known+n.Has+n.Lacks
	}
	rows := float64(len(may))
	r = SetsResult{Coverage: float64(right) / float64(known), Told: float64(told) / float64(known)}
	for i := range may {
		r.Size, r.Sure = r.Size+float64(len(may[i]))/rows, r.Sure+float64(len(sure[i]))/rows
	}
	return r, nil
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
	return 100 * (1 - right/count), SeveralResult{MicroF1: f1(all), MacroF1: r.MacroF1 / classes, Subset: subset / rows, Ranking: r.Ranking / ranked}
}

// f1 returns 2·TP/(2·TP + FP + FN) of the counts TP, FP and FN.
func f1(counts [3]float64) float64 { return 2 * counts[0] / (2*counts[0] + counts[1] + counts[2]) }

// measureSeveral is measure of several classes at once. Beside the machines stand the same without the unlabelled points.
func (e Evaluation) measureSeveral(ctx context.Context, t *trial, fitted *train.Fitted, r *Result) error {
	for _, v := range []*float64{&r.Unlabelled, &r.Validation, &r.Test, &r.BaselineUnlabelled, &r.BaselineTest, &r.AUC} {
		*v = math.NaN()
	}
	r.Sets = noSets()
	all, err := dataset.SeveralOf(t.classes, fitted.Recipe.Kind.Separator)
	if err != nil {
		return train.OfKind(train.ErrData, err)
	}
	measure := func(f *train.Fitted, d *dataset.Dataset, level float64) (wrong float64, s SeveralResult, sets SetsResult, err error) {
		sets = noSets()
		labelled := d.Subset(d.Labelled())
		if len(labelled.Y) == 0 {
			return math.NaN(), SeveralResult{MicroF1: math.NaN(), MacroF1: math.NaN(), Subset: math.NaN(), Ranking: math.NaN()}, sets, nil
		}
		classes, err := all, error(nil)
		if !slices.Equal(d.Classes, t.classes) {
			if classes, err = dataset.SeveralOf(d.Classes, fitted.Recipe.Kind.Separator); err != nil {
				return 0, s, sets, train.OfKind(train.ErrData, err)
			}
		}
		p := f.Predictor()
		scores, err := p.ScoresOf(ctx, labelled)
		if err != nil {
			return 0, s, sets, err
		}
		decided, own := p.Has(scores), make([]int, len(classes.Classes))
		if p.Each() != nil {
			p.ToProbabilities(scores)
		}
		answers := make([][]float64, len(classes.Classes))
		for class, name := range classes.Classes {
			own[class] = dataset.FindClass(f.Task.Classes, name)
			for _, y := range labelled.Y {
				answers[class] = append(answers[class], classes.Answers[class][y])
			}
		}
		if wrong, s = severalOf(answers, own, decided, scores); level > 0 {
			sets, err = s.setsOf(p.Each(), classes.Classes, own, answers, scores, level)
		}
		return wrong, s, sets, err
	}
	r.Several = new(SeveralResult)
	if r.Unlabelled, *r.Several, r.Sets, err = measure(fitted, t.hidden, t.level); err != nil {
		return err
	}
	if t.test != nil {
		r.Tested = len(t.test.Labelled())
		if r.Test, _, _, err = measure(fitted, t.test, 0); err != nil {
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
	r.BaselineUnlabelled, *r.BaselineSeveral, _, err = measure(svm, t.hidden, 0)
	return err
}
