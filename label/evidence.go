package label

import (
	"context"
	"math"

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
// modularity is the mean of that of every class. An answer counts where another label has the same. Of ordered classes a label counts by the
// ranks that it is off. Evidence is 0 where
// there are no decisions, and for one class. A regression with l labels has −l/2·ln(mean r²). That is the normal likelihood of
// the residuals r that labels have without them. By the criterion of absolute errors it has −l·ln(mean |r|), by Laplace's distribution. Evidence fails when ctx
// is done. Cost: a pass over the edges of the graph; the first call also searches neighbours
// where the recipe has fewer.
func (l *Labelling) Evidence(ctx context.Context) (float64, error) { return l.kind().evidence(ctx, l) }

// evidence is that of decisions by how wrong each of l labels is without itself, such as 1 for another class, and by their
// modularity Q:
//
//	β Q − ln 9·Σ wrong,   β = 30·min(1, 30/l)
//
// The difference between two recipes is a log-likelihood ratio: every label differs from the right
// decision with the chance of a tenth.
func evidence(wrong []float64, modularity float64) float64 {
	sum := 0.0
	for _, v := range wrong {
		sum += v
	}
	l := float64(len(wrong))
	return 30*min(1, 30/max(l, 1))*modularity - sum*math.Log(9)
}

// leftOf returns the outputs [machine][label] of some labels by machines without the label.
func (a *Answer) leftOf(labels []int) [][]float64 {
	some := make([][]float64, len(a.left))
	for machine, f := range a.left {
		for _, k := range labels {
			some[machine] = append(some[machine], f[k])
		}
	}
	return some
}

// wrong returns how wrong some labels are without themselves, see [task.Known].
func (a *Answer) wrong(labels []int) []float64 {
	return task.Errors(a.task.Known(), labels, a.leftOf(labels))
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
