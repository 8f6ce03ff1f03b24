package label

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
)

// classes is labels of one class each.
type classes struct{}

func (classes) few(_ *Labelling, count []int) bool { return repeated(count) < 2 }

func (classes) supervised() bool { return true }

func (classes) calibrated() bool { return true }

func (classes) take(ctx context.Context, _ *Labelling, a *Answer, d *train.Decided, _ []train.ReducedProblem) error {
	t := d.Task
	coding, n := t.Coding(), len(d.F[0])
	class := make([]int, len(t.Classes)) // class of the task → class of all
	for k, name := range t.Classes {
		class[k] = slices.Index(a.Classes, name)
	}
	a.Decided, a.Outputs = make([]int, n), make([][]float64, len(a.Classes))
	if d.Calibration != nil {
		a.calibration, a.calibrated = d.Calibration, class
		a.Slope, a.Probabilities = d.Calibration.Slope, make([][]float32, len(a.Classes))
	}
	for k, c := range class {
		a.Outputs[c] = coding.Score(d.F, k)
		if a.Probabilities != nil {
			a.Probabilities[c] = make([]float32, n)
		}
	}
	const rows = 4096
	parallel.Do(ctx, (n+rows-1)/rows, func(_, piece int) {
		row, p := make([]float64, len(class)), make([]float64, len(class))
		for i := piece * rows; i < min((piece+1)*rows, n); i++ {
			for k, c := range class {
				row[k] = a.Outputs[c][i]
			}
			if a.Decided[i] = coding.DecideCalibrated(row, d.Slope()); a.Decided[i] != dataset.Unlabelled {
				a.Decided[i] = class[a.Decided[i]]
			}
			if a.Probabilities == nil {
				continue
			}
			d.Calibration.Probabilities(p, row)
			for k, c := range class {
				a.Probabilities[c][i] = float32(p[k])
			}
		}
	})
	for k, row := range coding.Scores(d.LeaveOneOut) {
		a.LeftOut = append(a.LeftOut, a.leftOut(d, class, t.Labelled[k], row))
	}
	return nil
}

// leftOut returns the comparison of a label with a row of decision values made without it.
func (a *Answer) leftOut(d *train.Decided, class []int, point int, row []float64) LeftOut {
	one := LeftOut{Point: point, Class: a.Labels[point], Decided: d.Task.Coding().DecideCalibrated(row, d.Slope())}
	if one.Decided != dataset.Unlabelled {
		one.Decided = class[one.Decided]
	}
	one.Outputs = make([]float64, len(a.Classes))
	for k, c := range class {
		one.Outputs[c] = row[k]
	}
	if d.Calibration != nil {
		p := make([]float64, len(row))
		d.Calibration.Probabilities(p, row)
		one.Probabilities = make([]float64, len(a.Classes))
		for k, c := range class {
			one.Probabilities[c] = p[k]
		}
	}
	return one
}

func (classes) resolve(s *suggesting, rule Rule) {
	a, classes, unseen := s.l.answer, 0, ""
	for c, count := range a.Count {
		if s.l.retired[c] {
			continue
		}
		classes++
		if count == 0 && unseen == "" {
			unseen = s.l.classes[c]
		}
	}
	if s.rule = rule; rule == Auto {
		switch {
		case s.l.trained() && a.Probabilities != nil:
			s.rule = Uncertainty
		case a.Decided == nil || unseen != "" || len(a.LeftOut) < max(2*classes, firstByVariance):
			s.rule = VOpt
		default:
			s.rule = MCVOpt
		}
	}
	if (s.rule == MCVOpt || s.rule == Uncertainty) && a.Probabilities == nil {
		s.rule, s.why = VOpt, noDecisions
	}
	if unseen != "" && len(a.LeftOut) > 0 {
		s.why += fmt.Sprintf("; the class %q has no label yet", unseen)
	}
}

func (classes) unsure(_ context.Context, s *suggesting) {
	a := s.l.answer
	s.smallest(a.lead, func(i int, v float64) Suggestion { return Suggestion{i, s.l.kind().between(a, i) + s.why, v} })
}

func (classes) between(a *Answer, i int) string {
	top, second := a.likeliest(i)
	p, q := 100*a.Probabilities[top][i], 100*a.Probabilities[second][i]
	if p-q < 30 {
		return fmt.Sprintf("the decision between %s (%.0f %%) and %s (%.0f %%) is close", a.Classes[top], p, a.Classes[second], q)
	}
	return fmt.Sprintf("it is taken for %s with %.0f %%", a.Classes[top], p)
}

func (classes) audited() bool { return true }

func (classes) fits() bool { return true }

// repeated returns the number of classes with two labels or more.
func repeated(count []int) int {
	classes := 0
	for _, labels := range count {
		if labels >= 2 {
			classes++
		}
	}
	return classes
}

// doubt is the distance of the probabilities p of a point from those of its likeliest class as
// a label, the unit vector e: ‖p − e‖, between 0 and 1.
func (a *Answer) doubt(i int) float64 {
	sum, top := 0.0, 0.0
	for _, p := range a.Probabilities {
		if p != nil {
			v := float64(p[i])
			sum += v * v
			top = max(top, v)
		}
	}
	return math.Sqrt(math.Max(sum-top*top+(1-top)*(1-top), 0))
}

// lead is the difference of the two largest probabilities of a point.
func (a *Answer) lead(i int) float64 {
	top, second := a.likeliest(i)
	return float64(a.Probabilities[top][i] - a.Probabilities[second][i])
}

// likeliest returns the two classes of the largest probabilities.
func (a *Answer) likeliest(i int) (top, second int) {
	top, second = -1, -1
	for c, p := range a.Probabilities {
		switch {
		case p == nil:
		case top < 0 || p[i] > a.Probabilities[top][i]:
			top, second = c, top
		case second < 0 || p[i] > a.Probabilities[second][i]:
			second = c
		}
	}
	return top, second
}

// oneClass is labels of the only class.
type oneClass struct{ classes }

func (oneClass) calibrated() bool { return false }

func (oneClass) audited() bool { return false }

func (oneClass) fits() bool { return false }
