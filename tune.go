package lapsvm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"lapsvm/dataset"
	"lapsvm/deformed"
	"lapsvm/gram"
	"lapsvm/internal/parallel"
	"lapsvm/objective"
)

// Grid says which weights of the two norms [Trainer.Tune] tries, and how it
// measures them.
type Grid struct {
	GammaA, GammaI []float64 // default [DefaultGrid] each
	Folds          int       // hold out the labels in so many folds; 0 means one by one
}

// DefaultGrid returns the paper's grid, 1e-6, 1e-4, 0.01, 0.1, 1, 10 and 100.
func DefaultGrid() []float64 { return []float64{1e-6, 1e-4, 1e-2, 1e-1, 1, 10, 100} }

// TunedCell is what [Trainer.Tune] found out about one pair of weights, from
// labels that the training did not see.
type TunedCell struct {
	GammaA  float64 `json:"gamma_a"`
	GammaI  float64 `json:"gamma_i"`
	Error   float64 `json:"error"`   // percent of the held-out labels
	Loss    float64 `json:"loss"`    // squared hinge per held-out label, summed over the machines
	Freedom float64 `json:"freedom"` // effective degrees of freedom, tr S(S + I)⁻¹: small is smooth
	Close   bool    `json:"close"`   // its loss exceeds the best by no more than a standard error of the difference
}

// Tuning is the result of [Trainer.Tune].
type Tuning struct {
	Cells       []TunedCell // γA by γA, each with every γI
	Best        int         // the cell of the smallest loss
	Recommended int         // the smoothest of the close ones
	Supervised  TunedCell   // the best supervised machine, γI = 0, over the same γA
	// Gain is by how many percent points fewer held-out labels the best cell
	// gets wrong than the supervised machine, and GainError the standard error
	// of that difference. Both are chosen by the same labels.
	Gain, GainError float64
	HeldOut         string // how labels were held out
	Labels          int    // how many
	Rank            int    // of the Gram matrix
	Config          Config // of the training with the recommended weights
}

// Tune trains on d with every pair of weights of the grid, exactly, and
// measures each by labels that it held out: those of t.Validation where there
// is one, else each of d's in turn, or in folds; the points stay, unlabelled.
// One factorization serves all cells, so that they cost little more than a few
// trainings by Newton's method. t.GammaA, t.GammaI and t.Solver do not matter. A
// label that is the only one of its class is not held out. It fails where
// [Trainer.Fit] does; memory and time are those of the solver [Deformed].
func (t Trainer) Tune(ctx context.Context, d *dataset.Dataset, g Grid) (*Tuning, error) {
	if g.GammaA == nil {
		g.GammaA = DefaultGrid()
	}
	if g.GammaI == nil {
		g.GammaI = DefaultGrid()
	}
	var cells []deformed.Gammas
	for _, a := range g.GammaA {
		for _, i := range g.GammaI {
			if !(a > 0) || !(i > 0) || math.IsInf(a, 1) || math.IsInf(i, 1) {
				return nil, ofKind(ErrParameter, fmt.Errorf("the grid has the weights %v and %v: they must be positive", a, i))
			}
			cells = append(cells, deformed.Gammas{A: a, I: i})
		}
	}
	if len(cells) == 0 || g.Folds < 0 || g.Folds == 1 {
		return nil, ofKind(ErrParameter, fmt.Errorf("the grid has %d cells, and labels are held out in %d folds: give at least one cell, and 0 or at least 2 folds", len(cells), g.Folds))
	}
	validation := t.Validation
	t.Solver, t.GammaI, t.Validation = Deformed, cells[0].I, nil
	if t.Loss == objective.Hinge {
		t.Solver = Dual
	}
	f, err := t.begin(ctx, d)
	if err != nil {
		return nil, err
	}
	defer f.close()
	h, err := f.holdOut(ctx, validation, g.Folds)
	if err != nil {
		return nil, err
	}
	factor, view, err := f.view(ctx)
	if err != nil {
		return nil, err
	}
	grid := len(cells)
	for _, a := range g.GammaA {
		cells = append(cells, deformed.Gammas{A: a})
	}
	measured := make([]measurement, len(cells))
	if err := view.Each(ctx, cells, func(i int, c *deformed.Cell) error {
		var err error
		if measured[i], _, err = h.measure(ctx, f, c, math.Inf(1)); err != nil {
			return err
		}
		if f.t.Compared != nil {
			f.t.Compared(i+1, len(cells))
		}
		return ctx.Err()
	}); err != nil {
		return nil, ofKind(ErrParameter, err)
	}
	tuning := &Tuning{HeldOut: h.name, Labels: len(h.count), Rank: factor.Rank()}
	tuning.judge(cells, measured, grid)
	recommended := tuning.Cells[tuning.Recommended]
	f.t.GammaA, f.t.GammaI = recommended.GammaA, recommended.GammaI
	f.resolve()
	tuning.Config = f.config
	return tuning, nil
}

// begin runs the steps of [Trainer.Fit] up to the statement of the problem.
func (t Trainer) begin(ctx context.Context, d *dataset.Dataset) (*fit, error) {
	t, err := t.withDefaults()
	if err != nil {
		return nil, ofKind(ErrParameter, err)
	}
	f := &fit{t: t, d: d}
	if err := f.run(ctx, f.setUp()); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// judge ranks the measured cells, of which the first grid have an intrinsic
// norm and the others none.
func (t *Tuning) judge(cells []deformed.Gammas, measured []measurement, grid int) {
	all := make([]TunedCell, len(cells))
	for i, m := range measured {
		all[i] = TunedCell{GammaA: cells[i].A, GammaI: cells[i].I, Error: 100 * mean(m.wrong), Loss: mean(m.loss), Freedom: m.freedom}
	}
	better := func(i, j int) bool {
		return all[i].Loss < all[j].Loss || all[i].Loss == all[j].Loss && all[i].Freedom < all[j].Freedom
	}
	supervised := grid
	for i := range all {
		switch {
		case i < grid && better(i, t.Best):
			t.Best = i
		case i > grid && better(i, supervised):
			supervised = i
		}
	}
	t.Recommended = t.Best
	for i := range grid {
		difference, standardError := paired(measured[i].loss, measured[t.Best].loss)
		all[i].Close = difference <= standardError
		if all[i].Close && all[i].Freedom < all[t.Recommended].Freedom {
			t.Recommended = i
		}
	}
	t.Cells, t.Supervised = all[:grid], all[supervised]
	t.Gain, t.GainError = paired(measured[supervised].wrong, measured[t.Best].wrong)
	t.Gain, t.GainError = 100*t.Gain, 100*t.GainError
}

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

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// measurement is that of one cell: errors and losses per held-out label.
type measurement struct {
	wrong, loss []float64
	freedom     float64
}

// holdOut holds labels out.
type holdOut struct {
	name  string
	count []int       // the labels that count
	y     []int       // classes of the held-out labels, −1 for one that the model does not know
	cross *gram.Cross // kernel values of validation points; nil without
	folds [][]int     // of labelled points; nil means one by one
}

func (f *fit) holdOut(ctx context.Context, validation *dataset.Dataset, folds int) (*holdOut, error) {
	if validation != nil {
		v, y, err := f.validationPoints(validation)
		if err != nil {
			return nil, ofKind(ErrData, err)
		}
		cross, err := gram.NewCross(ctx, v, f.p, f.kernel)
		h := &holdOut{name: "validation points", y: y, cross: cross}
		for k := range y {
			h.count = append(h.count, k)
		}
		return h, err
	}
	count := f.repeated()
	if len(count) == 0 {
		return nil, ofKind(ErrData, fmt.Errorf("every class has a single label, which cannot be held out: label more points, or give validation points"))
	}
	h := &holdOut{name: "leave-one-out", y: f.y, count: count}
	if folds > 0 && folds < len(count) {
		h.name, h.folds = fmt.Sprintf("%d folds", folds), deal(f.y, len(f.classes), folds)
	}
	return h, nil
}

// repeated returns the labelled points of classes with more than one: the
// others leave no trace of their class when they are held out.
func (f *fit) repeated() []int {
	size := make([]int, len(f.classes))
	for _, y := range f.y {
		size[y]++
	}
	var repeated []int
	for k, y := range f.y {
		if size[y] > 1 {
			repeated = append(repeated, k)
		}
	}
	return repeated
}

// measure trains all machines of a cell. Once the losses of labels that are left
// out one by one come to more than most it gives up, and is not ok: then most
// labels need no training.
func (h *holdOut) measure(ctx context.Context, f *fit, c *deformed.Cell, most float64) (out measurement, ok bool, err error) {
	p := f.target
	values := make([][]float64, len(p.Targets))
	counts := make([]bool, len(h.y))
	for _, k := range h.count {
		counts[k] = true
	}
	sum := tally{most: most}
	errs := make([]error, len(p.Targets))
	parallel.Do(ctx, len(p.Targets), func(_, machine int) {
		m := f.machine(c, machine)
		at := m.Solve(ctx, nil)
		switch {
		case h.cross != nil:
			alpha, _, err := c.Expansion(ctx, at.A, at.B)
			if err != nil {
				errs[machine] = err
				return
			}
			for i := range h.y {
				values[machine] = append(values[machine], h.cross.Dot(i, alpha)+at.B)
			}
		case h.folds != nil:
			values[machine] = make([]float64, len(h.y))
			for _, fold := range h.folds {
				for i, v := range m.HeldOut(ctx, at, fold) {
					values[machine][fold[i]] = v
				}
			}
		default:
			values[machine] = make([]float64, len(h.y))
			for k, v := range m.LeftOut(ctx, at) {
				values[machine][k] = v
				if counts[k] && !sum.add(f.loss(machine, h.y[k], v)) {
					return
				}
			}
		}
	})
	if err := errors.Join(errs...); err != nil || sum.over() {
		return measurement{}, false, err
	}
	out.freedom = c.Freedom(ctx)
	out.judge(f, values, h)
	return out, true, nil
}

// loss is the squared hinge of an output for a point of a class.
func (f *fit) loss(machine, class int, value float64) float64 {
	e := math.Max(0, 1-f.sign(machine, class)*value)
	return e * e
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

// judge compares outputs [machine][label] with classes.
func (o *measurement) judge(f *fit, values [][]float64, h *holdOut) {
	o.wrong, o.loss = make([]float64, len(h.count)), make([]float64, len(h.count))
	row := make([]float64, len(values))
	for at, k := range h.count {
		class := h.y[k]
		for c := range values {
			row[c] = values[c][k]
			o.loss[at] += f.loss(c, class, row[c])
		}
		if decide(row, f.t.OneClass) != class {
			o.wrong[at] = 1
		}
	}
}
