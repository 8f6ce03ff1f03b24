package label

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// Odd is a label that is a number, with the probability that it is wrong.
type Odd struct {
	Point            int
	Given, Predicted float64 // the label, and what machines without it predict
	Suspicion        float64 // probability that the label is wrong, 0 to 1
	Neighbours       []int   // up to five labelled points, the nearest along the graph
	Why              string  // the reason in words
}

// AuditNumbers is [Labelling.Audit] of a regression. The residual of a label is its difference from what machines without it
// predict. These weigh down labels that are far from their own predictions. A residual r is taken for a draw of
//
//	(1 − π) N(0, s²) + π U(−R, R),   R = max(2, max |r|)
//
// in units of the labels' deviation: right labels are normal, wrong ones anywhere. The suspicion is the second part's share.
// π and s are found by expectation maximisation. Fewer than four labels, or equal ones, tell nothing: the result is empty.
// Cost: that of Audit.
func (l *Labelling) AuditNumbers(ctx context.Context) ([]Odd, error) {
	t, err := l.task(l.y)
	if err != nil || t == nil || t.Values == nil || len(t.Labelled) < 4 {
		return nil, err
	}
	predicted, err := l.judgeNumbers(ctx, t)
	if err != nil {
		return nil, err
	}
	residuals := make([]float64, len(predicted))
	for k, y := range t.Values {
		residuals[k] = y - predicted[k]
	}
	wrong, usual := oddness(residuals)
	var all []Odd
	for k, i := range t.Labelled {
		given, _ := strconv.ParseFloat(l.classes[l.y[i]], 64) // as the task has done
		one := Odd{Point: i, Given: given, Predicted: t.Unit.From(predicted[k]), Suspicion: wrong[k], Neighbours: l.labelledNear(i)}
		times, digits := math.Abs(residuals[k])/usual, 0
		if times < 10 {
			digits = 1
		}
		one.Why = fmt.Sprintf("labelled %.6g; without this label it is taken for %.4g, which is %.*f times as far off as is usual", one.Given, one.Predicted, digits, times)
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b Odd) int {
		return cmp.Or(cmp.Compare(b.Suspicion, a.Suspicion), cmp.Compare(math.Abs(b.Given-b.Predicted), math.Abs(a.Given-a.Predicted)))
	})
	return all, nil
}

// leastNumberTrust is the least weight of a label: with less the machines are lost in rounding.
const leastNumberTrust = 1e-4

// tails are the degrees of freedom of the Student distribution by which labels are trusted and machines weighed.
const tails = 3

// judgeNumbers returns what machines without a label predict for it. They are those of [Labelling.judge]. Their weights are the
// likelihood of the residuals r by Student's distribution of three degrees of freedom, as wide as the median of all |r|. A label
// of the residual r has the weight 1/(1 + r²/3s²) of one that is right.
func (l *Labelling) judgeNumbers(ctx context.Context, t *task.Task) ([]float64, error) {
	if l.trained() {
		return l.answer.left[0], nil
	}
	all, err := l.auditors(ctx, t)
	if err != nil {
		return nil, err
	}
	n, work := len(t.Labelled), l.judging(1)
	trust := slices.Repeat([]float64{1}, n)
	var mean []float64
	for range auditRounds {
		judged, losses := make([][]float64, len(all)), make([]float64, len(all))
		for k, a := range all {
			scores, err := a.without(ctx, t, trust)
			if err != nil {
				return nil, err
			}
			judged[k] = train.ValuesOf(scores)
			scale := width(t.Values, judged[k])
			for i, f := range judged[k] {
				r := (t.Values[i] - f) / scale
				losses[k] += math.Log(scale) + (tails+1)/2.*math.Log1p(r*r/tails)
			}
			if math.IsNaN(losses[k]) || math.IsInf(losses[k], 0) {
				return nil, errLost
			}
			work.add(1)
		}
		least, sum := slices.Min(losses), 0.0
		for k := range losses {
			losses[k] = math.Exp(least - losses[k])
			sum += losses[k]
		}
		mean = make([]float64, n)
		for k, f := range judged {
			for i, v := range f {
				mean[i] += losses[k] / sum * v
			}
		}
		scale := width(t.Values, mean)
		for i, f := range mean {
			r := (t.Values[i] - f) / scale
			trust[i] = max(1/(1+r*r/tails), leastNumberTrust)
		}
	}
	return mean, nil
}

// width returns the deviation of y − f, where it is normal, by the median of its magnitude.
func width(y, f []float64) float64 {
	far := make([]float64, len(y))
	for i, v := range y {
		far[i] = math.Abs(v - f[i])
	}
	slices.Sort(far)
	return max(1.4826*far[len(far)/2], 1e-9)
}

// oddness returns the probability that each residual is of a wrong label, and the deviation s of right ones.
func oddness(residuals []float64) (wrong []float64, s float64) {
	const rounds, most = 50, 0.5 // more than half of the labels cannot be wrong
	none := make([]float64, len(residuals))
	wrong, s = make([]float64, len(residuals)), width(residuals, none)
	share, within := 0.05, 2.0
	for _, r := range residuals {
		within = max(within, math.Abs(r))
	}
	for range rounds {
		square, right, bad := 0.0, 0.0, 0.0
		for k, r := range residuals {
			normal := (1 - share) / (s * math.Sqrt(2*math.Pi)) * math.Exp(-r*r/(2*s*s))
			anywhere := share / (2 * within)
			wrong[k] = anywhere / (anywhere + normal)
			square, right, bad = square+(1-wrong[k])*r*r, right+1-wrong[k], bad+wrong[k]
		}
		s = max(math.Sqrt(square/right), 1e-9)
		share = min(max((bad+0.5)/float64(len(residuals)+10), 1e-3), most) // as if of ten more labels half a one were wrong
	}
	return wrong, s
}
