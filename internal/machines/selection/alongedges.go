package selection

import (
	"context"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// edgesScore is by how much the log score for given edges alone must be larger: what is less tells nothing.
const edgesScore = 0.25

// chooseGraphs is [choose], also between given edges beside neighbours and the edges alone, where the recipe leaves that open. Neighbours may mislead, and a
// choice among graphs that all have them asks them how well classes fit. So the choice is made of the edges alone too. Labels without a part in
// either choice decide between the two, and given edges that no machine has. Both count as in a log score.
func chooseGraphs(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, *nested, error) {
	both, told, err := choose(ctx, d, r, run)
	if err != nil || told == nil || both.Supervised || !r.OpenEdgeWeight(d) || r.Graph.Neighbours > 0 || told.of.held.validation != nil || told.of.kind().functions || told.of.kind().each {
		return both, told, err
	}
	asked := r
	asked.Graph.EdgesAlone = true
	alone, of, err := choose(ctx, d, asked, run)
	if err != nil || of == nil || alone.Supervised || !slices.Equal(of.labels, told.labels) {
		return both, told, err
	}
	gain := told.loses(told.outputs) - of.loses(of.outputs) + modularityScore(len(of.labels))*(of.alongEdges-told.alongEdges)
	if !(gain > edgesScore) {
		return both, told, nil
	}
	alone.Tell(func(c *train.Choice) { c.Reason += "; neighbours beside the given edges do harm" })
	return alone, of, nil
}
