package label

import (
	"context"
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
)

// referenceNeighbours is the number of neighbours in the graph by which decisions are
// measured, whatever the recipe has.
const referenceNeighbours = 10

// Evidence returns a number by which recipes compare on the same points and labels: the larger
// is the better recipe. It weighs the exact leave-one-out loss of the labels, and the
// modularity of the decisions in the graph of 10 neighbours. The labels count where two classes
// have two or more; labels of a single class would favour a recipe that decides everything for
// this class. Of several classes a label counts by the share of its answers that are wrong, and the
// modularity is the mean of that of every class. An answer counts where another label has the same. Evidence is 0 where
// there are no decisions, and for one class. A regression with l labels has −l/2·ln(mean r²). That is the normal likelihood of
// the residuals r that labels have without them. By the criterion of absolute errors it has −l·ln(mean |r|), by Laplace's distribution. Evidence fails when ctx
// is done. Cost: a pass over the edges of the graph; the first call also searches neighbours
// where the recipe has fewer.
func (l *Labelling) Evidence(ctx context.Context) (float64, error) {
	a := l.answer
	if a.Values != nil {
		return l.evidenceOfNumbers(), ctx.Err()
	}
	if a.Decided == nil && a.Several == nil || l.ground.Recipe.Kind.Is(task.OfOneClass) {
		return 0, ctx.Err()
	}
	if err := l.refer(ctx); err != nil {
		return 0, err
	}
	if a.Several != nil {
		return l.evidenceOfSeveral(), ctx.Err()
	}
	labels, wrong := 0, 0.0
	for _, one := range a.LeftOut {
		if a.Count[one.Class] < 2 || repeated(a.Count) < 2 {
			continue
		}
		if labels++; one.Decided != one.Class {
			wrong++
		}
	}
	if labels > 0 {
		wrong /= float64(labels)
	}
	modularity, _ := l.reference.Modularity(a.Decided[:l.prepared()], len(a.Classes))
	return evidence(labels, wrong, modularity), ctx.Err()
}

// evidence is that of decisions by their share of errors on l labels that were left out, and by their
// modularity Q:
//
//	β Q − l·wrong·ln 9,   β = 30·min(1, 30/l)
//
// The difference between two recipes is a log-likelihood ratio: every label differs from the right
// decision with the chance of a tenth.
func evidence(labels int, wrong, modularity float64) float64 {
	l := float64(labels)
	return 30*min(1, 30/max(l, 1))*modularity - l*wrong*math.Log(9)
}

// evidenceOfNumbers is the evidence of a regression.
func (l *Labelling) evidenceOfNumbers() float64 {
	by, cost, labels := l.ground.Recipe.Criterion, 0.0, float64(len(l.answer.LeftOut))
	for _, one := range l.answer.LeftOut {
		given, _ := dataset.LabelNumber(l.classes[one.Class]) // as the task has done
		cost += by.CostOf(one.Value-given) / labels
	}
	return -labels / by.Power() * math.Log(max(cost, math.SmallestNonzeroFloat64))
}

// evidenceOfSeveral is the evidence of labels that list classes.
func (l *Labelling) evidenceOfSeveral() float64 {
	s := l.answer.Several
	labels, wrong, modularity := 0, 0.0, 0.0
	for _, one := range l.answer.LeftOut {
		if !math.IsNaN(one.Wrong) {
			labels, wrong = labels+1, wrong+one.Wrong
		}
	}
	has := make([]int, l.prepared())
	for c, outputs := range s.Outputs {
		for i := range has {
			if has[i] = 0; outputs[i] > s.Limits[c] {
				has[i] = 1
			}
		}
		q, _ := l.reference.Modularity(has, 2)
		modularity += q / float64(len(s.Outputs))
	}
	return evidence(labels, wrong/float64(max(labels, 1)), modularity)
}

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

// refer makes the graph by which decisions are measured.
func (l *Labelling) refer(ctx context.Context) error {
	if l.reference != nil {
		return nil
	}
	g, o := l.ground.Geometry, l.ground.Recipe.Graph
	nb, most := g.Neighbours(), min(referenceNeighbours, l.prepared()-1)
	if l.ground.Related() {
		most = min(most, nb.K) // those there are
	}
	var err error
	if many := o.Metric.Candidates(most, l.prepared()); nb.K < many {
		if nb, _, err = graph.Find(ctx, g.Points(), many, o.Metric.Sought(), graph.Search{Recall: o.Recall, Seed: l.ground.Recipe.Seed}); err != nil {
			return err
		}
	}
	if nb, err = o.Metric.Nearest(ctx, nb, most); err != nil {
		return err
	}
	l.reference, _, err = graph.Connect(ctx, nb, o.Weights, 0)
	return err
}
