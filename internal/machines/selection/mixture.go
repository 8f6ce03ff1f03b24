package selection

import (
	"cmp"
	"context"
	"math"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/train"
)

// How candidates are weighed. A weight is the exponential of evidence.
const (
	leastWeight = 1e-3 // of a machine in a mean, of the largest one
	// A unit of modularity counts as much as partitionEvidence, and with more labels
	// than partitionLabels in proportion less: they tell more than the graph.
	partitionEvidence = 30
	partitionLabels   = 30
	// doubt is the evidence against what is seldom better, the widest kernel and a
	// machine without the unlabelled points: few labels often flatter them.
	doubt = 3
	// surprise is how often a label is expected to be something else than all
	// machines say.
	surprise = 0.1
)

// belief is a way to weigh candidates.
type belief struct {
	of         []candidate
	modularity float64 // what a unit of it counts
	evidence   float64 // for the belief itself, before any label is held out
	supervised bool    // its candidates are machines without the unlabelled points
}

// supervisedBelief weighs machines without the unlabelled points by labels.
func (c *comparison) supervisedBelief() belief {
	return belief{of: c.alone, evidence: -doubt, supervised: true}
}

// beliefs lists the ways to weigh machines. One is by held-out labels together with the fit of the
// predicted classes to the graph, another by labels alone. Where the recipe allows a supervised
// machine, the third weighs supervised machines by labels.
func (c *comparison) beliefs() []belief {
	all := []belief{{of: c.measured, modularity: c.partition()}, {of: c.measured}}
	if c.held == nil {
		return all[:1]
	}
	if c.partition() == 0 {
		all = all[1:]
	}
	if c.mayBeSupervised() && c.geometry.Len() == c.points { // a part says too little of what further points bring
		all = append(all, c.supervisedBelief())
	}
	return all
}

// partition is what a unit of modularity counts in the comparison.
func (c *comparison) partition() float64 {
	switch {
	case c.reference == nil:
		return 0
	case c.held == nil:
		return graphEvidence(0)
	}
	return graphEvidence(len(c.held.count))
}

// graphEvidence returns the weight of a unit of modularity beside the given number of held-out
// labels.
func graphEvidence(labels int) float64 {
	return partitionEvidence * min(1, partitionLabels/float64(max(labels, 1)))
}

// mayBeSupervised reports whether nothing in the recipe asks for unlabelled points.
func (c *comparison) mayBeSupervised() bool {
	r := c.asked
	return !r.Supervised && r.GammaI == 0 && r.Graph.Neighbours == 0 && r.Graph.Degree == 0 && !r.LabelShares && r.Prior == nil
}

// partitionOf records what a candidate says of all points: how well these classes
// fit the graph, and how large its outputs are.
func (c *comparison) partitionOf(ctx context.Context, m *candidate, cell *deformed.Cell) error {
	outputs, err := cell.Outputs(ctx, m.at)
	if err == nil {
		c.fit(m, outputs)
	}
	return err
}

// fit is partitionOf of outputs [machine][point].
func (c *comparison) fit(m *candidate, outputs [][]float64) {
	class, row, square := make([]int, c.geometry.Len()), make([]float64, len(outputs)), 0.0
	for i := range class {
		for machine := range row {
			row[machine] = outputs[machine][i]
			square += row[machine] * row[machine]
		}
		class[i] = c.task.Coding().Decide(row)
	}
	m.scale = math.Sqrt(square / float64(len(class)*len(row)))
	m.modularity = c.reference.Modularity(class, len(c.task.Classes))
}

// weigh returns the weights of the candidates of a belief, which sum to 1,
//
//	w ∝ exp(−l (h − h_min)/(2 h_min) + β Q)
//
// with h the mean held-out loss of l labels, and Q the modularity. The first term is the likelihood
// of independent errors of variance h_min. Only candidates with the kernel of the largest sum have
// weight: a mean over several kernels is not an expansion in one. The label number without does not
// count, −1 meaning that all do.
func (c *comparison) weigh(b belief, without int) []float64 {
	evidence := c.evidence(b, without)
	most := slices.Max(evidence)
	weights, sums := make([]float64, len(evidence)), make([]float64, len(c.kernels))
	for i, e := range evidence {
		weights[i] = math.Exp(e - most)
		sums[b.of[i].kernel] += weights[i]
	}
	kernel := 0
	for k := range sums {
		if sums[k] > sums[kernel] {
			kernel = k
		}
	}
	for i := range weights {
		if weights[i] /= sums[kernel]; b.of[i].kernel != kernel {
			weights[i] = 0
		}
	}
	return weights
}

// evidence returns the logarithms of the weights of the candidates of a belief, but
// for what they share.
func (c *comparison) evidence(b belief, without int) []float64 {
	evidence, losses := make([]float64, len(b.of)), c.losses(b.of, without)
	least := 0.0
	if losses != nil {
		least = slices.Min(losses)
	}
	for i := range b.of {
		m := &b.of[i]
		if m.modularity != 0 {
			evidence[i] = b.modularity * m.modularity
		}
		if m.kernel == c.widest {
			evidence[i] -= doubt
		}
		if losses != nil && losses[i] > least {
			evidence[i] -= float64(len(m.loss)) * (losses[i] - least) / (2 * least)
		}
	}
	return evidence
}

// losses returns the mean loss of every candidate, or nil where no label is held out. On a part of
// the points it returns the loss expected on twice as many, at least half of the measured one.
func (c *comparison) losses(of []candidate, without int) []float64 {
	if c.held == nil {
		return nil
	}
	losses := make([]float64, len(of))
	for i := range of {
		m := &of[i]
		count := float64(len(m.loss))
		if losses[i] = m.total; without >= 0 {
			losses[i] = m.others(without)
			count--
		}
		if count > 0 {
			losses[i] /= count
		}
		if c.part {
			losses[i] = max(losses[i]-m.fall, losses[i]/2)
		}
	}
	return losses
}

// score holds the labels out once more: each is predicted by machines that did not see it, weighed
// by the other labels. It returns the logarithm of the probability of all labels, and the belief's
// own evidence.
func (c *comparison) score(b belief) float64 {
	score := b.evidence
	for k := range c.held.count {
		right := 0.0
		for i, w := range c.weigh(b, k) {
			if w > 0 {
				right += w * (1 - b.of[i].wrong[k])
			}
		}
		score += math.Log(surprise + (1-2*surprise)*right)
	}
	return score
}

// scaled is what outputs are divided by before they are averaged.
func (m *candidate) scaled() float64 {
	if m.scale > 0 {
		return m.scale
	}
	return 1
}

// members returns the machines of a belief with their weights in a mean of functions,
// w/rms f, which sum to 1. Small ones are left out, and those of graphs beyond
// [mostGraphs].
func (c *comparison) members(b belief) []candidate {
	weights := c.weigh(b, -1)
	most, sum, graphs := slices.Max(weights), 0.0, heaviest(b.of, weights, mostGraphs(c.points))
	var members []candidate
	for i, m := range b.of {
		if weights[i] >= leastWeight*most && slices.Contains(graphs, graphOf(m)) {
			m.Weight = weights[i] / m.scaled()
			sum += m.Weight
			members = append(members, m)
		}
	}
	for i := range members {
		members[i].Weight /= sum
	}
	return members
}

// mostGraphs bounds the number of graphs, with the powers of their Laplacians, in a mean on n
// points: each takes n² numbers and about 2n³ operations to train.
func mostGraphs(n int) int {
	const most, points = 6, 2000
	return max(1, min(most, most*points*points/(n*n)*points/n))
}

// graphOf returns the part of a member that tells its graph and power.
func graphOf(m candidate) train.Member {
	return train.Member{Neighbours: m.Neighbours, LaplacianDegree: m.LaplacianDegree}
}

// heaviest returns the graphs with the largest sums of weights, at most the given number; of equal
// ones the first.
func heaviest(of []candidate, weights []float64, most int) []train.Member {
	sums := make(map[train.Member]float64)
	var graphs []train.Member
	for i, m := range of {
		if _, known := sums[graphOf(m)]; !known {
			graphs = append(graphs, graphOf(m))
		}
		sums[graphOf(m)] += weights[i]
	}
	slices.SortStableFunc(graphs, func(a, b train.Member) int { return cmp.Compare(sums[b], sums[a]) })
	return graphs[:min(len(graphs), most)]
}
