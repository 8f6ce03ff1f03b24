package train

import (
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
