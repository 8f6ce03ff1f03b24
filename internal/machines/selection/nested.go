package selection

import (
	"context"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/vec"
)

// mostBlocks is the most parts that the labels are divided into for the announced error.
const mostBlocks = 10

// block is labels that are left out all at once, of every class alike, so that the balance of the
// classes stays. The choice is made again without them, and then asked about them.
type block struct {
	labels []int // left out
	count  []int // of the others, those that a choice without the block counts
	alone  bool  // the graph alone chooses without the block, as too few labels of a class are left
}

// divide sets the blocks of the labels of a comparison.
func (c *comparison) divide() {
	var parts [][]int
	if c.validation == nil {
		parts = c.task.Folds(mostBlocks)
	} else {
		parts = make([][]int, min(mostBlocks, len(c.validation.Class)))
		for k := range c.validation.Class {
			parts[k%len(parts)] = append(parts[k%len(parts)], k)
		}
	}
	for _, part := range parts {
		c.blocks = append(c.blocks, c.without(part))
	}
}

// without returns the block of the given labels.
func (c *comparison) without(labels []int) block {
	class := c.task.Class
	if c.validation != nil {
		class = c.validation.Class
	}
	b := block{labels: labels}
	out := make([]bool, len(class))
	for _, k := range labels {
		out[k] = true
	}
	for k := range class {
		if !out[k] {
			b.count = append(b.count, k)
		}
	}
	if c.validation == nil {
		others := &task.Task{Classes: c.task.Classes, Class: of(class, b.count)}
		repeated := others.Repeated()
		if b.alone = len(repeated) == 0; !b.alone {
			b.count = of(b.count, repeated)
		}
	}
	return b
}

// measureUnseen measures the machines of a cell without each block: those of the squared loss, whose
// outputs have a closed form. The outputs [machine][label] of validation points are the same for all
// blocks. A cell without a result in double precision has none.
func (c *comparison) measureUnseen(ctx context.Context, cell *deformed.Cell, outputs [][]float64) []measurement {
	var all []measurement
	var squared *deformed.Smoother
	if c.validation == nil {
		if squared = cell.Smoother(ctx, c.columns); squared == nil {
			return nil
		}
	}
	for _, b := range c.blocks {
		if squared != nil {
			var ok bool
			if outputs, ok = squared.Without(ctx, b.labels); !ok {
				return nil
			}
		}
		all = append(all, c.held.without(b, outputs))
	}
	return all
}

// without measures, by outputs [machine][label] without a block, the labels that count there. It keeps
// the outputs at the block.
func (h *holdOut) without(b block, outputs [][]float64) (m measurement) {
	others := *h
	others.count = b.count
	others.compare(&m, outputs)
	for machine, values := range outputs {
		m.outputs[machine] = of(values, b.labels)
	}
	return m
}

// again returns the comparison as it is without block number at: the outputs of its candidates are
// those at the block.
func (c *comparison) again(at int) *comparison {
	again, b := *c, c.blocks[at]
	if again.held = nil; !b.alone {
		held := *c.held
		held.count = b.count
		again.held = &held
	}
	candidates := func(all []candidate) (those []candidate) {
		for _, m := range all {
			if m.unseen != nil {
				m.measurement = m.unseen[at]
				those = append(those, m)
			}
		}
		return those
	}
	again.measured, again.alone = candidates(c.measured), candidates(c.alone)
	return &again
}

// ask asks about every block the choice that is made without it, and the supervised machine chosen
// without it. It returns which of the labels they get wrong, or nil where no candidate can be asked.
func (c *comparison) ask() (wrong, alone []float64) {
	if c.held == nil {
		return nil, nil
	}
	for at, b := range c.blocks {
		again := c.again(at)
		if len(again.alone) == 0 || !c.recipe.Supervised && len(again.measured) == 0 {
			return nil, nil
		}
		wrong = append(wrong, again.decide(b, again.machinesOf(again.preferred()))...)
		alone = append(alone, again.decide(b, again.machinesOf(again.supervisedBelief()))...)
	}
	return wrong, alone
}

// decide returns which labels of a block the mean of machines gets wrong.
func (c *comparison) decide(b block, machines []candidate) []float64 {
	mean := make([][]float64, len(c.columns.Targets))
	for machine := range mean {
		mean[machine] = make([]float64, len(b.labels))
		for _, m := range machines {
			vec.Axpy(m.Weight, m.outputs[machine], mean[machine])
		}
	}
	h := holdOut{task: c.task, class: c.task.Class, count: b.labels}
	if c.validation != nil {
		h.class = c.validation.Class
	}
	wrong, row := make([]float64, len(b.labels)), make([]float64, len(mean))
	for i := range wrong {
		for machine := range row {
			row[machine] = mean[machine][i]
		}
		wrong[i] = h.wrong(i, row)
	}
	return wrong
}
