package selection

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/internal/machines/train"
)

// How candidates are weighed. A weight is the exponential of evidence.
const (
	// A unit of modularity counts as much as partitionEvidence, and with more labels
	// than partitionLabels in proportion less: they tell more than the graph.
	partitionEvidence = 30
	partitionLabels   = 30
	leastWeight       = 1e-3 // of a machine in a mean, of the largest one
	// surprise is how often a label is expected to be something else than a machine decides.
	surprise = 0.1
)

// evidence returns the logarithms of the weights of machines, but for what they share:
//
//	β Q − l (h − h_min)/(2 h_min),   β = 30·min(1, 30/l)
//
// with Q the modularity of the classes that a machine predicts for all points, in the graph of 10
// neighbours, and h its mean loss on l labels that it did not see. The second term is the likelihood of
// independent errors of variance h_min. Without labels, l = 0, it is left out.
func evidence(modularity, loss []float64, labels int) []float64 {
	evidence := make([]float64, len(modularity))
	for i, q := range modularity {
		evidence[i] = graphEvidence(labels) * q
	}
	if labels == 0 {
		return evidence
	}
	least := slices.Min(loss)
	for i, h := range loss {
		if h > least {
			evidence[i] -= float64(labels) * (h - least) / (2 * least)
		}
	}
	return evidence
}

// graphEvidence returns the weight β of a unit of modularity beside so many held-out labels.
func graphEvidence(labels int) float64 {
	return partitionEvidence * min(1, partitionLabels/float64(max(labels, 1)))
}

// Evidence is the evidence for a labelling by its share of wrong decisions on held-out labels, and by
// the modularity Q of its classes for all points in the graph of 10 neighbours:
//
//	β Q − l·wrong·ln 9,   β = 30·min(1, 30/l)
//
// The difference between two labellings is a log-likelihood ratio: every label differs from the right
// decision with the chance of a tenth.
func Evidence(labels int, wrong, modularity float64) float64 {
	return graphEvidence(labels)*modularity + float64(labels)*wrong*math.Log(surprise/(1-surprise))
}

// weighted is a machine with its weight in a mean of functions.
type weighted struct {
	*measured
	weight float64
}

// take returns the machines that are taken of some: those of largest weights, or a single one where
// the arena cannot average. Labels of the given block do not count, −1 meaning that all do.
func (a *arena) take(some []measured, block int) []weighted {
	labels := 0
	if a.held != nil {
		labels = len(a.held.counted(block))
	}
	modularity, loss := make([]float64, len(some)), make([]float64, len(some))
	for i := range some {
		m := &some[i]
		switch modularity[i] = m.modularity; {
		case labels == 0:
		case block < 0:
			loss[i] = m.loss()
		default:
			loss[i] = mean(m.unseen[block].losses)
		}
	}
	of := evidence(modularity, loss, labels)
	if a.recipe.Supervised || some[0].supervised() || !a.averages() {
		return []weighted{{a.single(some, of), 1}}
	}
	return a.members(some, of)
}

// averages reports whether the recipe may have members.
func (a *arena) averages() bool {
	return a.recipe.Solver == train.Auto && a.recipe.PrefersExact(a.points)
}

// closeEvidence is how much less than the most the evidence for a machine on some of the points may
// be to count as equal.
const closeEvidence = 0.5

// single returns the machine with the most evidence, the first of equal ones. On some of the points
// it is, of machines with nearly as much, the one with the largest weight of the graph: there
// conjugate gradient converges soonest.
func (a *arena) single(some []measured, evidence []float64) *measured {
	at := indexOfMax(evidence)
	if a.geometry.Len() < a.points {
		most := evidence[at]
		for i, e := range evidence {
			if e >= most-closeEvidence && cmp.Or(cmp.Compare(some[i].GammaI, some[at].GammaI), cmp.Compare(e, evidence[at])) > 0 {
				at = i
			}
		}
	}
	return &some[at]
}

// indexOfMax returns the index of the largest value, the first of equal ones.
func indexOfMax(values []float64) int {
	return slices.Index(values, slices.Max(values))
}

// members returns machines with their weights in a mean of functions, ∝ exp(evidence)/rms f, which
// sum to 1. They have the kernel with the largest sum: a mean over several kernels is no expansion in one.
// Left out are small weights, and graphs beyond [mostGraphs].
func (a *arena) members(some []measured, evidence []float64) []weighted {
	most := slices.Max(evidence)
	weights, sums := make([]float64, len(some)), make([]float64, len(a.kernels))
	for i, e := range evidence {
		weights[i] = math.Exp(e - most)
		sums[some[i].kernel] += weights[i]
	}
	kernel := indexOfMax(sums)
	largest := 0.0
	for i := range weights {
		if some[i].kernel != kernel {
			weights[i] = 0
		}
		largest = max(largest, weights[i])
	}
	graphs, sum := heaviest(some, weights, mostGraphs(a.points)), 0.0
	var members []weighted
	for i, w := range weights {
		if m := &some[i]; w >= leastWeight*largest && slices.Contains(graphs, graphOf(m.candidate)) {
			if m.scale > 0 {
				w /= m.scale
			}
			sum += w
			members = append(members, weighted{m, w})
		}
	}
	for i := range members {
		members[i].weight /= sum
	}
	return members
}

// mostGraphs bounds the number of graphs, with the powers of their Laplacians, in a mean on n
// points: each takes n² numbers and about 2n³ operations to train.
func mostGraphs(n int) int {
	const most, points = 3, 1200
	return max(1, min(most, most*points*points/(n*n)*points/n))
}

// graphOf returns the part of a candidate that tells its graph and power.
func graphOf(c candidate) train.Member {
	return train.Member{Neighbours: c.Neighbours, LaplacianDegree: c.LaplacianDegree}
}

// heaviest returns the graphs with the largest sums of weights, at most the given number; of equal
// ones the first.
func heaviest(of []measured, weights []float64, most int) []train.Member {
	sums := make(map[train.Member]float64)
	var graphs []train.Member
	for i := range of {
		g := graphOf(of[i].candidate)
		if _, known := sums[g]; !known {
			graphs = append(graphs, g)
		}
		sums[g] += weights[i]
	}
	slices.SortStableFunc(graphs, func(a, b train.Member) int { return cmp.Compare(sums[b], sums[a]) })
	return graphs[:min(len(graphs), most)]
}
