package label

import (
	"context"

	"lapsvm/internal/machines/selection"
	"lapsvm/internal/points/graph"
)

// referenceNeighbours is the number of neighbours in the graph that decisions are held
// against, whatever the recipe has.
const referenceNeighbours = 10

// Evidence is what speaks for the recipe, to be compared with that of another on the same
// points and labels: labels that are left out, exactly, and how well the decisions of all
// points fit the graph of 10 neighbours, as [selection.Evidence] weighs them. Labels count
// where two classes at least have two: of a single class they speak for whoever
// gives it to all. It is 0 where there are no decisions, and for one class. It fails when
// ctx is done. Cost: the edges of the graph, once; the first time, where the
// recipe has fewer neighbours, a search of neighbours.
func (l *Labelling) Evidence(ctx context.Context) (float64, error) {
	a := l.answer
	if a.Decided == nil || l.ground.Recipe.OneClass {
		return 0, ctx.Err()
	}
	if err := l.refer(ctx); err != nil {
		return 0, err
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
	return selection.Evidence(labels, wrong, l.reference.Modularity(a.Decided[:l.prepared()], len(a.Classes))), ctx.Err()
}

// repeated returns how many classes have two labels or more.
func repeated(count []int) int {
	classes := 0
	for _, labels := range count {
		if labels >= 2 {
			classes++
		}
	}
	return classes
}

// refer makes the graph that decisions are held against.
func (l *Labelling) refer(ctx context.Context) error {
	if l.reference != nil {
		return nil
	}
	g, o := l.ground.Geometry, l.ground.Recipe.Graph
	nb, most := g.Neighbours(), min(referenceNeighbours, l.prepared()-1)
	if nb.K < most && o.Metric != graph.Kernel { // whose neighbours are those there are
		var err error
		if nb, _, err = graph.Find(ctx, g.Points(), most, o.Metric, graph.Search{Recall: o.Recall, Seed: l.ground.Recipe.Seed}); err != nil {
			return err
		}
	}
	l.reference, _ = graph.Connect(nb.First(min(most, nb.K)), o.Weights, 0)
	return nil
}
