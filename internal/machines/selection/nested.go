package selection

import (
	"context"
	"math"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/vec"
)

// block is labels that are left out all at once, of every class alike, so that the balance of the
// classes stays. The choice is made again without them, and then asked about them.
type block struct {
	labels []int // left out
	count  []int // of the others, those that a choice without the block counts; none where too few labels of a class are left
}

// divide sets the blocks of held-out labels.
func (h *heldOut) divide() {
	var parts [][]int
	if h.validation == nil {
		parts = h.task.Folds(FewestReported)
	} else {
		parts = make([][]int, min(FewestReported, h.Len()))
		for k := range h.Len() {
			parts[k%len(parts)] = append(parts[k%len(parts)], k)
		}
	}
	for _, part := range parts {
		h.blocks = append(h.blocks, h.without(part))
	}
}

// share returns the share of its labels that a machine without a block has.
func (h *heldOut) share() float64 {
	if h.validation != nil {
		return 1
	}
	return 1 - 1/float64(len(h.blocks))
}

// without returns the block of the given labels.
func (h *heldOut) without(labels []int) block {
	b := block{labels: labels}
	out := make([]bool, h.Len())
	for _, k := range labels {
		out[k] = true
	}
	for k := range h.Len() {
		if !out[k] {
			b.count = append(b.count, k)
		}
	}
	if h.validation == nil {
		others := &task.Task{Kind: h.task.Kind, Classes: h.task.Classes, Class: of(h.task.Class, b.count), Answers: h.task.Answers}
		b.count = of(b.count, others.Repeated())
	}
	return b
}

// heldOutEstimate is what is known of machines without a block of labels.
type heldOutEstimate struct {
	losses  []float64   // of the labels that count without the block
	outputs [][]float64 // [machine][label of the block], by machines trained without the block
}

// withoutBlocks returns what is known of machines of the squared loss without each block, nil where
// rounding leaves none. Machines that validation points ask have the same outputs
// [machine][label] without every block. The others are shifted as those with all labels are.
func (h *heldOut) withoutBlocks(ctx context.Context, squared *deformed.Smoother, outputs [][]float64, shift []float64) (all []heldOutEstimate) {
	for _, b := range h.blocks {
		if h.validation == nil {
			ok := squared != nil
			if ok {
				outputs, ok = squared.Without(ctx, b.labels)
				addShift(outputs, shift)
			}
			if !ok {
				return nil
			}
		}
		all = append(all, heldOutEstimate{h.losses(outputs, b.count), outputsAt(outputs, b.labels)})
	}
	return all
}

// counted returns the labels that count without a block, −1 for none.
func (h *heldOut) counted(block int) []int {
	if block < 0 {
		return h.count
	}
	return h.blocks[block].count
}

// nested is what the choices that are made without each block say of its labels, and the supervised machines chosen without it.
type nested struct {
	of                 *comparison
	labels             []int       // of all blocks
	outputs, baselines [][]float64 // [machine][at] at these
	left               [][]float64 // likewise, of machines without the block that all labels choose
	alongEdges         float64     // how well the predicted classes fit given edges that no candidate has
	averaged           bool        // outputs and left are means of views, and logarithms of probabilities
}

// nested asks about every block the choice that is made without it. It returns nil where none can be asked.
func (a *comparison) nested(machines, baselines []measured) *nested {
	if a.held == nil || len(machines) == 0 || len(baselines) == 0 {
		return nil
	}
	empty := func() [][]float64 { return make([][]float64, len(a.columns.Targets)) }
	n := &nested{of: a, outputs: empty(), baselines: empty(), left: empty()}
	taken := a.take(machines, baselines, -1)
	n.alongEdges = alongEdgesOf(taken)
	for at, b := range a.held.blocks {
		n.labels = append(n.labels, b.labels...)
		addUnseen(n.outputs, a.take(machines, baselines, at), at, len(b.labels))
		addUnseen(n.left, taken, at, len(b.labels))
		addUnseen(n.baselines, a.take(baselines, nil, at), at, len(b.labels))
	}
	return n
}

// alongEdgesOf returns how well the classes of the members of a mean fit given edges that none of them has.
func alongEdgesOf(members []weighted) (sum float64) {
	for _, m := range members {
		sum += m.weight * m.alongEdges
	}
	return sum
}

// wrong returns which of the labels the choices get wrong, and the supervised machines; nil where none was asked.
func (n *nested) wrong() (wrong, baselines []float64) {
	if n == nil {
		return nil, nil
	}
	return n.of.held.wrong(n.outputs, n.labels), n.of.held.wrong(n.baselines, n.labels)
}

// learnt returns how many times as large the error of a supervised machine is with all labels as without a block of them. With k labels of a class it
// falls as 1 + 1/k. The choice among machines with graphs has a bias the other way, of about that size: what is compared, and
// the graphs' fit to predicted classes, have seen all labels. So theirs stays. It is 1 of numbers and of several classes, and by validation points.
func (a *comparison) learnt() float64 {
	if a.kind().functions || a.kind().each {
		return 1
	}
	each := float64(len(a.task.Labelled)) / float64(a.classes())
	return (1 + 1/each) / (1 + 1/(a.held.share()*each))
}

// optimism returns by how much labels think too well of the machines that they choose: how many times as much they lose, by the
// probability of their class, once they have no part in the choice. It is from 1 to mostOptimism, or 0 of few labels and where labels have no such probability.
func (n *nested) optimism() float64 {
	if n == nil || n.of.kind().functions || n.of.kind().each || n.of.held.validation != nil || len(n.labels) < FewestReported {
		return 0
	}
	ratio := n.loses(n.outputs) / n.loses(n.left)
	if math.IsNaN(ratio) {
		return 0
	}
	return min(max(1, ratio), mostOptimism)
}

// loses returns what the labels lose by outputs [machine][at]: −log of the probability of their class, summed. It is NaN where there are no probabilities.
func (n *nested) loses(outputs [][]float64) (sum float64) {
	y, rows := of(n.of.task.Class, n.labels), n.of.task.Coding().Scores(outputs)
	c, err := calibrate.WithSlope(1, rows, y)
	if err == nil && !n.averaged {
		c, err = calibrate.Fit(rows, y)
	}
	if err != nil {
		return math.NaN()
	}
	p := make([]float64, len(rows[0]))
	for k, row := range rows {
		c.Probabilities(p, row)
		sum -= math.Log(max(p[y[k]], train.LeastProbability))
	}
	return sum
}

// alone reports whether machines for numbers, or for several classes at once, go without the unlabelled points. They do unless the labels are likelier by machines with graphs. Neither
// stands: the labels had no part in the choice on either side. Of several classes the share of wrong answers counts, as squared losses that are nearly 0 have ratios without a meaning. The labels at
// from ≤ k < to do not count. A weight of the intrinsic norm that is given stands.
func (n *nested) alone(from, to int) bool {
	if n == nil || n.of.asked.GammaI > 0 {
		return false
	}
	h := n.of.held
	loss := func(outputs [][]float64) float64 {
		if n.of.kind().each {
			wrong := h.wrong(outputs, n.labels)
			return mean(slices.Concat(wrong[:from], wrong[to:]))
		}
		sum := 0.0
		for at, k := range n.labels {
			if at < from || at >= to {
				sum += h.loss(0, k, outputs[0][at])
			}
		}
		return sum / float64(len(n.labels)-(to-from))
	}
	return !(likelihoodRatio(loss(n.outputs), loss(n.baselines), len(n.labels)-(to-from), h.criterion.Power()) > 0)
}

// addUnseen appends to outputs what the mean of machines without a block says of its labels.
func addUnseen(outputs [][]float64, machines []weighted, block, labels int) {
	for machine := range outputs {
		mean := make([]float64, labels)
		for _, m := range machines {
			vec.Axpy(m.weight, m.unseen[block].outputs[machine], mean)
		}
		outputs[machine] = append(outputs[machine], mean...)
	}
}

// balanced returns a weight for every label in the order of [nested], nil for equal ones. With these the classes have the shares that they
// have among all labels.
func (a *comparison) balanced() []float64 {
	if a.counts == nil {
		return nil
	}
	var class []int
	for _, b := range a.held.blocks {
		class = append(class, of(a.task.Class, b.labels)...)
	}
	return balance(class, a.counts)
}

// balance returns weights of labels of the given classes, by which each class weighs as many labels as it has in all.
func balance(class, all []int) []float64 {
	some := make([]int, len(all))
	for _, c := range class {
		some[c]++
	}
	weights := make([]float64, len(class))
	for k, c := range class {
		weights[k] = float64(all[c]) / float64(some[c])
	}
	return weights
}
