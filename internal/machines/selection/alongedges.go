package selection

import (
	"context"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/train"
)

// chooseGraphs is [choose] on rows as d describes them. Where the recipe leaves that open, it also chooses between given edges beside neighbours and edges alone, see [train.Recipe].ByEdges.
// Neighbours may mislead, and so may features by their norm. A choice among machines that all have them asks them how well classes fit. So the choice is made without them too, which needs no
// factors of the columns. Labels without a part in either choice decide between the two, and given edges that no machine has. Both count as in a log score, and where no label can be held out the
// edges alone. Where nothing tells, neighbours stay, but features yield where edges alone are asked for.
func chooseGraphs(ctx context.Context, rows, d *dataset.Dataset, asked, scaled train.Recipe, run train.Run) (*dataset.Dataset, train.Recipe, *nested, error) {
	stands, told, err := choose(ctx, d, scaled, run)
	alone, kind := scaled.MayGoByEdges(d), kindOf(scaled.Kind)
	beside := scaled.OpenEdgeWeight(d) && scaled.Graph.Neighbours == 0 && told != nil
	if err != nil || !alone && !beside || run.Validation != nil || kind.functions || kind.each {
		return d, stands, told, err
	}
	byEdges, freer, of := d, scaled, (*nested)(nil)
	freer.Graph.EdgesAlone = true
	freer.ByEdges = freer.MayGoByEdges(d)
	if scaled.Describe == describe.Factors {
		asked.Graph.EdgesAlone, asked.ByEdges = true, freer.ByEdges
		byEdges, freer, of, err = fillOne(ctx, rows, asked, run)
	} else {
		freer, of, err = choose(ctx, d, freer, run)
	}
	if err != nil || of == nil || freer.Supervised || told != nil && !of.replaces(told, alone) {
		return d, stands, told, err
	}
	reason := "; neighbours beside the given edges do harm"
	if alone {
		reason = "; the features tell no more than the given edges"
	}
	freer.Tell(func(c *train.Choice) { c.Reason += reason })
	return byEdges, freer, of, nil
}

// replaces reports whether a choice takes the place of another. One that yields gives way where nothing tells.
func (n *nested) replaces(other *nested, yields bool) bool {
	if !slices.Equal(n.labels, other.labels) {
		return false
	}
	score := n.over(other)
	return score > 0 || score == 0 && yields
}

// over returns the log score for a choice over another one: that of labels without a part in both, and of given edges that no machine has. The modularity of any classes in m edges is about
// ½/√m by chance. So that much says nothing for either.
func (n *nested) over(other *nested) (score float64) {
	if m := len(n.of.hidden.Index) / 2; m > 0 {
		chance := 0.5 / math.Sqrt(float64(m))
		score = modularityScore(len(n.labels)) * (max(n.alongEdges, chance) - max(other.alongEdges, chance))
	}
	if len(n.labels) > 0 {
		score += other.loses(other.outputs) - n.loses(n.outputs)
	}
	return score
}
