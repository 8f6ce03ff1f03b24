package selection

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/internal/machines/train"
)

// leastWeight is the least weight of a machine or a view in a mean, beside the largest one. A weight is the exponential of a log score.
const leastWeight = 1e-3

// logScore returns the logarithms of the weights of machines, but for what they share:
//
//	β Q + (l + ν)/p ln((l + ν)h_min/(l h + ν h_min)),   β = 20·min(1, 10/l)
//
// Q is the modularity of the predicted classes of all points in the graph of 10 neighbours, see [evened]. h is the mean loss on l labels
// that the machine did not see, see [likelihoodRatio]. Without labels the log score is 20·Q.
func logScore(modularity, loss []float64, labels int, p float64) []float64 {
	logScores, l := make([]float64, len(modularity)), max(labels, 1)
	least := slices.Min(loss)
	for i, q := range modularity {
		logScores[i] = modularityScore(labels) * q
		if loss[i] > least {
			logScores[i] += likelihoodRatio(loss[i], least, l, p)
		}
	}
	return logScores
}

// modularityScore returns β of [logScore], beside so many labels. A tenth of modularity is [decisive]. Beside more labels
// than FewestReported it counts in proportion less: they tell more than the graph.
func modularityScore(labels int) float64 {
	return decisive * FewestReported * min(1, FewestReported/float64(max(labels, 1)))
}

// weighted is a machine with its weight in a mean of functions.
type weighted struct {
	*measured
	weight float64
}

// logScores returns that for some machines. Labels of the given block do not count, −1 meaning that all do.
func (a *comparison) logScores(some []measured, block int) []float64 {
	labels, power := 0, 2.0
	if a.held != nil {
		labels = len(a.held.counted(block))
		power = a.held.criterion.Power()
	}
	modularity, loss := make([]float64, len(some)), make([]float64, len(some))
	for i := range some {
		m := &some[i]
		if modularity[i] = m.modularity; labels > 0 {
			loss[i] = mean(m.lossesWithout(block)) * a.excess(m)
		}
	}
	return logScore(modularity, loss, labels, power)
}

// strongest returns the candidates by log score, the strongest first.
func (a *comparison) strongest(some []measured) []candidate {
	of := a.logScores(some, -1)
	order := make([]int, len(some))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(of[j], of[i]) })
	var those []candidate
	for _, i := range order {
		those = append(those, some[i].candidate)
	}
	return those
}

// take returns the machines that are taken of some, those of largest weights, and supervised ones of alone beside
// them. It is a single one where the recipe cannot have members. Labels of the given block do not count.
func (a *comparison) take(some, baselines []measured, block int) []weighted {
	of := a.logScores(some, block)
	if some[0].supervised() || !a.averages() {
		return []weighted{{single(some, of), 1}}
	}
	return a.mean(a.mixBaselines(a.members(some, of), baselines, block))
}

// mixBaselines returns members beside supervised machines of the same kernel. With k labels per class the odds of their share
// of the weights are
//
//	(k/10) min(1, e^s)
//
// with s the log score of held-out labels for the leading one of them over the leading member. So
// the share grows with the labels, as what they tell does. There are none where no label is held out, where a weight
// of the intrinsic norm is given, and in a regression.
func (a *comparison) mixBaselines(members []weighted, baselines []measured, block int) []weighted {
	if a.held == nil || len(a.held.counted(block)) == 0 || a.asked.GammaI > 0 || a.kind().functions {
		return members
	}
	var same []measured
	for _, m := range baselines {
		if m.kernel == members[0].kernel {
			same = append(same, m)
		}
	}
	if len(same) == 0 {
		return members
	}
	labels := len(a.task.Labelled)
	if a.held.validation == nil {
		labels = len(a.held.counted(block))
	}
	supervised := a.members(same, a.logScores(same, block))
	odds := float64(labels) / float64(a.classes()) / FewestReported
	alone, with := mean(heaviestOf(supervised).lossesWithout(block)), mean(heaviestOf(members).lossesWithout(block))
	odds *= math.Exp(min(0, likelihoodRatio(alone, with, len(a.held.counted(block)), a.held.criterion.Power())))
	if odds < leastWeight {
		return members
	}
	share := odds / (1 + odds)
	for i := range members {
		members[i].weight *= 1 - share
	}
	for _, m := range supervised {
		members = append(members, weighted{m.measured, share * m.weight})
	}
	return members
}

// heaviestOf returns the member of the largest weight.
func heaviestOf(members []weighted) weighted {
	return slices.MaxFunc(members, func(m, o weighted) int { return cmp.Compare(m.weight, o.weight) })
}

// lossesWithout returns the losses of the labels that count without a block, −1 for none.
func (m *measured) lossesWithout(block int) []float64 {
	if block < 0 {
		return m.losses
	}
	return m.unseen[block].losses
}

// mean returns members with their weights in a mean of functions, ∝ w/rms f, and of numbers ∝ w, which sum to 1.
func (a *comparison) mean(members []weighted) []weighted {
	sum := 0.0
	for i, m := range members {
		if m.scale > 0 && !a.kind().functions { // functions of numbers have one unit
			members[i].weight /= m.scale
		}
		sum += members[i].weight
	}
	for i := range members {
		members[i].weight /= sum
	}
	return members
}

// averages reports whether the recipe may have members. The exact solver trains them. A small part
// has none, as its graph says little about that of all, and machines on landmarks are trained one by one.
func (a *comparison) averages() bool {
	exact := a.recipe.Solver == train.Deformed || a.recipe.Solver == train.Auto && a.recipe.PrefersExact(a.points, a.labels(), a.outputs)
	return exact && !a.isPart() && a.landmarks == 0
}

// single returns the machine with the highest log score, the first of equal ones.
func single(some []measured, logScores []float64) *measured {
	return &some[slices.Index(logScores, slices.Max(logScores))]
}

// members returns machines with their weights, ∝ exp(log score), which sum to 1.
// They have the kernel with the largest sum: a mean over several kernels is no expansion in one.
// Left out are small weights, and graphs beyond those that hill climbing goes on from. Each takes n² numbers and about 2n³ operations to train on n points, so that there is
// one of more points than are compared.
func (a *comparison) members(some []measured, logScores []float64) []weighted {
	most, weights := climbers, weightsOf(logScores)
	if a.points > somePoints {
		most = 1
	}
	best, largest := leadingGround(some, weights), 0.0
	for i := range weights {
		if some[i].ground() != best {
			weights[i] = 0
		}
		largest = max(largest, weights[i])
	}
	graphs, sum := heaviest(some, weights, most), 0.0
	var members []weighted
	for i, w := range weights {
		if m := &some[i]; w >= leastWeight*largest && slices.Contains(graphs, m.graph()) {
			sum += w
			members = append(members, weighted{m, w})
		}
	}
	for i := range members {
		members[i].weight /= sum
	}
	return members
}

// weightsOf returns weights by log scores, of which the largest is 1.
func weightsOf(logScores []float64) []float64 {
	weights, most := make([]float64, len(logScores)), slices.Max(logScores)
	for i, e := range logScores {
		weights[i] = math.Exp(e - most)
	}
	return weights
}

// leadingGround returns the ground whose machines have the largest sum of weights.
func leadingGround(some []measured, weights []float64) ground {
	sums := make(map[ground]float64)
	for i := range some {
		sums[some[i].ground()] += weights[i]
	}
	best := some[0].ground()
	for i := range some {
		if g := some[i].ground(); sums[g] > sums[best] {
			best = g
		}
	}
	return best
}

// heaviest returns the graphs with the largest sums of weights, at most the given number; of equal
// ones the first.
func heaviest(of []measured, weights []float64, most int) []candidate {
	sums := make(map[candidate]float64)
	var graphs []candidate
	for i := range of {
		g := of[i].graph()
		if _, known := sums[g]; !known {
			graphs = append(graphs, g)
		}
		sums[g] += weights[i]
	}
	slices.SortStableFunc(graphs, func(c, o candidate) int { return cmp.Compare(sums[o], sums[c]) })
	return graphs[:min(len(graphs), most)]
}
