package label

import (
	"context"

	"lapsvm/internal/machines/selection"
	"lapsvm/internal/points/graph"
)

// Replaces reports whether the recipe of l is to take the place of that of a standing labelling with the same points and labels. It goes by the rule of every choice: how likely
// the labels are by machines without them, and how well the decisions fit the graph of 10 neighbours. Another scaling, and each part of a description that changes, needs labels that are seven times
// as likely. Labels count where two classes have two or more, and of several classes answers that another label gives too. Nothing speaks for
// a labelling without decisions, or of one class. Replaces fails when ctx is done. Cost: a pass over the edges of each graph; the first call also searches neighbours where a recipe has
// fewer.
func (l *Labelling) Replaces(ctx context.Context, standing *Labelling) (bool, error) {
	one, err := l.judged(ctx)
	if err != nil {
		return false, err
	}
	other, err := standing.judged(ctx)
	return err == nil && one.Replaces(other), err
}

// judged returns what speaks for the recipe.
func (l *Labelling) judged(ctx context.Context) (*selection.Judged, error) {
	a := l.answer
	if a.task == nil {
		return new(selection.Judged), ctx.Err()
	}
	if l.kind().fits() {
		if err := l.refer(ctx); err != nil {
			return nil, err
		}
	}
	return selection.Judge(l.ground.Recipe, a.task, a.left, l.reference, a.outputs), ctx.Err()
}

// refer makes the graph by which decisions are measured.
func (l *Labelling) refer(ctx context.Context) error {
	if l.reference != nil {
		return nil
	}
	g, o := l.ground.Geometry, l.ground.Recipe.Graph
	nb, most := g.Neighbours(), min(selection.ReferenceNeighbours, l.prepared()-1)
	if l.ground.Related() {
		most = min(most, nb.K) // those there are
	}
	var err error
	if many := o.Metric.Candidates(most, l.prepared()); nb == nil || nb.K < many {
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
