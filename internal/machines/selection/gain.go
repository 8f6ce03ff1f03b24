package selection

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
)

// tellGain says in the choice of a training by how many points fewer it gets wrong than the supervised machine, of those without a label.
// The few labels that the two machines decide otherwise say little of that; the many points without a label say much.
//
// P and P' are the probabilities of the training and of the supervised machine, c and c' the classes that they predict. Each believes of the
// gain, in the mean over points without a label, that it is
//
//	g = mean(P(c|x) − P(c'|x)),   g' = mean(P'(c|x) − P'(c'|x))
//
// Held-out labels say which of the two to believe. With L and L' what they lose by the two, −log of the probability of their class, summed and
// L times the optimism, the training is right with the probability w, and
//
//	w = 1/(1 + exp(−½(L' − L))),   gain = w g + (1 − w) g',   standard error = √(w v + (1 − w) v' + w(1 − w)(g − g')²)
//
// v and v' are the variances of the two gains, as a point is of a class or is not: with few points a gain is a few of them.
// The half is [sampleSizePerLabel]. A gain beyond chance, of 1.96 standard errors, is one that helps. Harm is told by labels alone, before a training: see
// [comparison.harmed]. At most [somePoints] points are asked. Nothing is told of numbers and of several classes, on ranks, and
// where a training has no probabilities.
func tellGain(ctx context.Context, f *train.Fitted, run train.Run) error {
	open := false // whether the choice tells an error, and no harm
	f.Recipe.Tell(func(c *train.Choice) { open = c.Expected != nil && c.Verdict != train.Harms })
	if !open || f.Recipe.Supervised || f.Summary.HeldOut == nil || kindOf(f.Task.Kind).each || f.Data.Featureless || !f.Data.Ranks().Alone() {
		return nil
	}
	rows := f.Data.Unlabelled()
	if len(rows) == 0 {
		return nil
	}
	rows = of(rows, gram.DrawRows(len(rows), somePoints, f.Recipe.Seed))
	supervised, err := fitAlone(ctx, f, run)
	if err != nil || supervised.Summary.HeldOut == nil {
		return ctx.Err() // nothing can be told, and the training stands
	}
	with, err := beliefOf(ctx, f, rows)
	if err != nil {
		return err
	}
	without, err := beliefOf(ctx, supervised, rows)
	if err != nil {
		return err
	}
	w := 1 / (1 + math.Exp(-sampleSizePerLabel*(without.lost-max(1, f.Recipe.Optimism)*with.lost)))
	worst := f.Task.Known().Worst()
	f.Recipe.Tell(func(c *train.Choice) {
		e := *c.Expected
		tell := func(scale, worst float64) (gain, standardError float64) {
			g, v := gainBy(with.probabilities, with.classes, without.classes, worst)
			gAlone, vAlone := gainBy(without.probabilities, with.classes, without.classes, worst)
			return scale * (w*g + (1-w)*gAlone), scale * math.Sqrt(w*v+(1-w)*vAlone+w*(1-w)*(g-gAlone)*(g-gAlone))
		}
		e.Gain, e.GainError = tell(100, 1)
		gain, standardError := e.Gain, e.GainError
		if e.Ranks != nil {
			ranks := *e.Ranks
			ranks.Gain, ranks.GainError = tell(1, worst)
			e.Ranks, gain, standardError = &ranks, ranks.Gain, ranks.GainError
		}
		c.Expected = &e
		c.Verdict = verdict(gain, gain > normal()*standardError)
	})
	return nil
}

// belief is the probabilities and classes of some points by a training.
type belief struct {
	probabilities [][]float64
	classes       []int   // predicted: of ordered classes the median
	lost          float64 // by held-out labels
}

// beliefOf returns the belief of a training about some of its points.
func beliefOf(ctx context.Context, f *train.Fitted, rows []int) (b belief, err error) {
	p, held := f.Predictor(), f.Summary.HeldOut
	own := make([][]float64, len(held.Scores))
	for k, row := range held.Scores {
		own[k] = slices.Clone(row)
	}
	p.ToProbabilities(own)
	for k, row := range own {
		b.lost -= math.Log(max(row[held.Class[k]], train.LeastProbability))
	}
	if len(f.Summary.Scores) == f.Data.Len() {
		for _, i := range rows {
			b.probabilities = append(b.probabilities, slices.Clone(f.Summary.Scores[i]))
		}
	} else if b.probabilities, err = p.ScoresOf(ctx, f.Data.Subset(rows)); err != nil {
		return b, err
	}
	b.classes = p.Decide(b.probabilities)
	p.ToProbabilities(b.probabilities)
	return b, nil
}

// gainBy returns how much less wrong some classes are than other ones, in the mean over rows, if rows are as probabilities say, and the variance of
// that mean. A class is wrong by the distance of its rank, at most worst.
func gainBy(probabilities [][]float64, classes, other []int, worst float64) (gain, variance float64) {
	n := float64(len(probabilities))
	for i, row := range probabilities {
		ofRow, square := 0.0, 0.0
		for c, v := range row {
			g := min(math.Abs(float64(other[i]-c)), worst) - min(math.Abs(float64(classes[i]-c)), worst)
			ofRow, square = ofRow+v*g, square+v*g*g
		}
		gain, variance = gain+ofRow/n, variance+max(0, square-ofRow*ofRow)/(n*n)
	}
	return gain, variance
}
