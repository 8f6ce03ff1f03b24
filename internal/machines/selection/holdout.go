package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
)

// holdOut measures the machines of a cell by labels that they do not see.
type holdOut struct {
	name    string
	task    *task.Task
	columns deformed.Columns
	count   []int       // the labels that count
	class   []int       // of the held-out labels, −1 for one that the task does not know
	cross   *gram.Cross // kernel values of validation points; nil without
	folds   [][]int     // of labelled points; nil means one by one
}

// newHoldOut holds out the labels of the task in the given number of folds, 0 meaning one by one.
// It fails where none can be held out.
func newHoldOut(t *task.Task, c deformed.Columns, folds int) (*holdOut, error) {
	h := &holdOut{name: "leave-one-out", task: t, columns: c, class: t.Class, count: t.Repeated()}
	if len(h.count) == 0 {
		return nil, train.OfKind(train.ErrData, errors.New("fewer than two classes have two labels, so that none can be held out: label more points, or give validation points"))
	}
	if folds > 0 && folds < len(h.count) {
		h.name, h.folds = fmt.Sprintf("%d folds", folds), t.Deal(folds)
	}
	return h, nil
}

// newHoldOutOf holds out validation points, of which it needs the kernel values
// with the points of a geometry.
func newHoldOutOf(ctx context.Context, v *train.Validation, g *geometry.Geometry, t *task.Task, c deformed.Columns) (*holdOut, error) {
	cross, err := gram.NewCross(ctx, v.Points, g.Points(), g.Kernel())
	if err != nil {
		return nil, err
	}
	h := &holdOut{name: "validation points", task: t, columns: c, class: v.Class, cross: cross}
	for k := range v.Class {
		h.count = append(h.count, k)
	}
	return h, nil
}

// measurement holds the results of one cell: its machines, trained by all labels, and the outputs
// at held-out labels of machines trained without them.
type measurement struct {
	at          []*deformed.Point // of every machine
	outputs     [][]float64       // [machine][held-out label that counts]
	wrong, loss []float64         // of each of these
	total       float64           // of the losses
}

// measure trains all machines of a cell. Once the losses of labels that are left
// out one by one come to more than most it gives up, and is not ok: then most
// labels need no training.
func (h *holdOut) measure(ctx context.Context, c *deformed.Cell, most float64) (m measurement, ok bool, err error) {
	m.at = make([]*deformed.Point, len(h.columns.Targets))
	outputs := make([][]float64, len(h.columns.Targets))
	counts := make([]bool, len(h.class))
	for _, k := range h.count {
		counts[k] = true
	}
	sum := tally{most: most}
	errs := make([]error, len(outputs))
	parallel.Do(ctx, len(outputs), func(_, column int) {
		machine := h.columns.Machine(c, column)
		at := machine.Solve(ctx, nil)
		m.at[column] = at
		values := make([]float64, len(h.class))
		outputs[column] = values
		switch {
		case h.cross != nil:
			alpha, _, err := c.Expansion(ctx, at.A, at.B)
			if err != nil {
				errs[column] = err
				return
			}
			for i := range values {
				values[i] = h.cross.Dot(i, alpha) + at.B
			}
		case h.folds != nil:
			for _, fold := range h.folds {
				for i, v := range machine.HeldOut(ctx, at, fold) {
					values[fold[i]] = v
				}
			}
		default:
			for k, v := range machine.LeftOut(ctx, at) {
				values[k] = v
				if counts[k] && !sum.add(h.loss(column, k, v)) {
					return
				}
			}
		}
	})
	if err := errors.Join(errs...); err != nil || sum.over() {
		return measurement{}, false, err
	}
	h.compare(&m, outputs)
	return m, true, nil
}

// loss is the squared hinge of an output for held-out label k, times its weight.
func (h *holdOut) loss(machine, k int, output float64) float64 {
	e := math.Max(0, 1-h.task.Coding().Target(machine, h.class[k])*output)
	return h.weight(k) * e * e
}

// weight is the weight of held-out label k beside the mean of all: what an error costs
// there counts in the choice as it does in the training. Validation points have none.
func (h *holdOut) weight(k int) float64 {
	if h.cross != nil || len(h.task.Weights) == 0 {
		return 1
	}
	return h.task.Weights[k] / mean(h.task.Weights)
}

// compare compares outputs [machine][label] with classes.
func (h *holdOut) compare(m *measurement, outputs [][]float64) {
	m.wrong, m.loss = make([]float64, len(h.count)), make([]float64, len(h.count))
	for machine, values := range outputs {
		m.outputs = append(m.outputs, make([]float64, len(h.count)))
		for at, k := range h.count {
			m.outputs[machine][at] = values[k]
			m.loss[at] += h.loss(machine, k, values[k])
		}
	}
	row := make([]float64, len(outputs))
	for at := range h.count {
		for machine := range outputs {
			row[machine] = m.outputs[machine][at]
		}
		m.wrong[at] = h.wrong(at, row)
	}
	m.total = sum(m.loss)
}

// wrong is 1 where the outputs of all machines decide for another class than the held-out label,
// else 0.
func (h *holdOut) wrong(at int, outputs []float64) float64 {
	if h.task.Coding().Decide(outputs) != h.class[h.count[at]] {
		return 1
	}
	return 0
}

// others returns the sum of all losses but number k.
func (m *measurement) others(k int) float64 {
	if rest := m.total - m.loss[k]; rest > 1e-6*m.total {
		return rest
	}
	return sum(m.loss[:k]) + sum(m.loss[k+1:]) // nothing is left but rounding, or little more
}

// tally adds up losses from several goroutines.
type tally struct {
	most float64
	lock sync.Mutex
	sum  float64
}

// add reports whether the sum is still within what is wanted.
func (t *tally) add(loss float64) bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.sum += loss
	return !(t.sum > t.most)
}

func (t *tally) over() bool { return t.sum > t.most }

// paired returns the mean of x − y and its standard error.
func paired(x, y []float64) (difference, standardError float64) {
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	difference = mean(d)
	if len(d) < 2 {
		return difference, 0
	}
	for _, v := range d {
		standardError += (v - difference) * (v - difference)
	}
	n := float64(len(d))
	return difference, math.Sqrt(standardError / (n - 1) / n)
}

func sum(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}

func mean(x []float64) float64 { return sum(x) / float64(len(x)) }
