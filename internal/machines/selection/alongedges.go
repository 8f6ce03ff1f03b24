package selection

import (
	"context"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
)

// edgesScore is by how much the log score for given edges alone must be larger: what is less tells nothing.
const edgesScore = 0.25

// chooseGraphs is [choose] on rows as d describes them. Where the recipe leaves that open, it also chooses between edges beside neighbours and edges alone. Neighbours may mislead, and a
// choice among graphs that all have them asks them how well classes fit. So the choice is made of the edges alone too, which need no factors of the columns. Labels without a part in
// either choice decide between the two, and given edges that no machine has. Both count as in a log score, and where no label can be held out the edges alone.
func chooseGraphs(ctx context.Context, rows, d *dataset.Dataset, asked, scaled train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, *nested, error) {
	both, told, err := choose(ctx, d, scaled, run)
	if err != nil || told == nil || !scaled.OpenEdgeWeight(d) || scaled.Graph.Neighbours > 0 || run.Validation != nil || told.of.kind().functions || told.of.kind().each {
		return d, both, told, err
	}
	byEdges, alone, of := d, scaled, (*nested)(nil)
	if alone.Graph.EdgesAlone = true; scaled.Describe == describe.Factors {
		asked.Graph.EdgesAlone = true
		byEdges, alone, of, err = fillOne(ctx, rows, asked, run)
	} else {
		alone, of, err = choose(ctx, d, alone, run)
	}
	if err != nil || of == nil || alone.Supervised || !slices.Equal(of.labels, told.labels) || !(of.over(told) > edgesScore) {
		return d, both, told, err
	}
	alone.Tell(func(c *train.Choice) { c.Reason += "; neighbours beside the given edges do harm" })
	return byEdges, alone, of, nil
}

// over returns the log score for a choice over another one: that of labels without a part in both, and of given edges that no machine has.
func (n *nested) over(other *nested) float64 {
	score := modularityScore(len(n.labels)) * (n.alongEdges - other.alongEdges)
	if len(n.labels) > 0 {
		score += other.loses(other.outputs) - n.loses(n.outputs)
	}
	return score
}
