package train

import (
	"cmp"
	"context"
	"errors"

	"lapsvm/dataset"
	"lapsvm/internal/points/graph"
)

// EdgesOf returns the graph of the edges that are given between rows of d, nil meaning all rows. It is
// nil where none are given.
func EdgesOf(d *dataset.Dataset, rows []int) *graph.Adjacency {
	if d.Edges == nil {
		return nil
	}
	e, n := d.Edges, d.Points.Len()
	if rows != nil {
		e, n = e.Among(rows), len(rows)
	}
	return graph.OfEdges(n, e)
}

// checkEdges reports edges that the rows of d cannot have, and neighbours of rows without a feature. It also reports a recipe that weighs edges
// where none are given.
func (r Recipe) checkEdges(d *dataset.Dataset) error {
	switch {
	case d.Featureless && !r.Graph.EdgesAlone && !r.Supervised:
		return OfKind(ErrParameter, errors.New("the rows have no feature, so none is near another: take the given edges alone (--neighbours 0)"))
	case d.Edges != nil:
		return OfKind(ErrData, d.Edges.Check(d.Points.Len()))
	case r.Supervised:
	case r.Graph.EdgesAlone:
		return OfKind(ErrParameter, errors.New("the graph has no neighbours, but no edges are given: give them (--edges FILE), or a number of neighbours"))
	case r.Graph.EdgeWeight > 0:
		return OfKind(ErrParameter, errors.New("given edges have a weight, but there are none: give them (--edges FILE), or leave the weight out"))
	}
	return nil
}

// weighEdges returns the recipe with the weight of the edges of d, where that is open.
func (r Recipe) weighEdges(d *dataset.Dataset) Recipe {
	if d.Edges != nil && !r.Supervised && !r.Graph.EdgesAlone && r.Graph.EdgeWeight == 0 {
		r.Graph.EdgeWeight = 1
	}
	return r
}

// EdgesWeigh is what given edges count beside those of neighbours in a training, and so in the decisions of new rows that edges join to the rows
// trained on.
type EdgesWeigh struct {
	Unit   float64 `json:"unit"`   // what an edge counts, for 1 of its given weight
	Beside float64 `json:"beside"` // mean sum of the weights of the edges of neighbours at a row; 0 with given edges alone
}

// edgesWeigh returns what given edges count in the graph of the leading member, nil where there are none.
func (p *Posed) edgesWeigh(ctx context.Context) (*EdgesWeigh, error) {
	if p.data.Edges == nil || p.Recipe.Supervised {
		return nil, nil
	}
	w := &EdgesWeigh{Unit: cmp.Or(p.Recipe.Graph.EdgeWeight, 1) / p.data.Edges.Unit()}
	if p.Recipe.Graph.EdgesAlone {
		return w, nil
	}
	var err error
	w.Beside, err = p.Geometry.MeanDegree(ctx, p.Recipe.Leading().Neighbours)
	return w, err
}
