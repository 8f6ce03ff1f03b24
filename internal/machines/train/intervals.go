package train

import (
	"cmp"
	"context"
	"math"
	"time"

	"lapsvm/calibrate"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Intervals is what intervals for the numbers of new points are made of.
type Intervals = calibrate.Intervals

// The most parts that the labels of a regression are left out in. With as many as labels each machine lacks one.
const (
	mostWithout   = 100 // by a solver in the space of the labelled points
	mostRetrained = 10  // by one that trains anew
)

// foldsOfNumbers returns the parts that the labels of a regression are left out in, nil where no intervals are
// asked for.
func (p *Problem) foldsOfNumbers() [][]int {
	if !p.Recipe.kind().residuals || !p.Recipe.Calibrate {
		return nil
	}
	most := mostRetrained
	if m, _ := methodOf(p.Recipe.Solver); m.reduced && len(p.Task.Labelled) <= mostColumns {
		most = mostWithout
	}
	return p.Task.Folds(most)
}

// keepsWithout reports whether a model is to keep machines without labels. A kernel of weight vectors has a
// basis of its own for every machine, and landmarks have residuals at all points: their models keep how far
// such machines are from the labels alone.
func (p *Problem) keepsWithout() bool {
	return p.Recipe.kind().residuals && p.Recipe.Calibrate && p.Recipe.Kernel.Kind().BasisPoints() && p.Recipe.Solver != Landmarks
}

// addWithout adds the machines of a member without each fold to the mean of these.
func (p *Problem) addWithout(ctx context.Context, m *minimum, s solvedMember) error {
	machine := p.Columns().Machine(s.cell, 0)
	var without []*deformed.Solution
	for _, fold := range m.folds {
		without = append(without, machine.Without(ctx, s.at[0], fold))
	}
	alpha, f, err := s.cell.Expansions(ctx, without)
	if err != nil {
		return err
	}
	for k, at := range without {
		vec.Axpy(s.Weight, alpha[k], m.without.alpha[k])
		vec.Axpy(s.Weight, f[k], m.without.f[k])
		m.without.b[k] += s.Weight * at.B
	}
	return ctx.Err()
}

// holdNumbersOut returns outputs of labelled points by machines trained without their labels.
func (p *Problem) holdNumbersOut(ctx context.Context, m *minimum, run Run) (*outOfFold, error) {
	start := time.Now()
	ctx = parallel.Successive(run.Watch(ctx, "leaving labels out"))
	outputs, err := m.method.without(ctx, p, m, m.folds, run)
	return &outOfFold{folds: m.folds, outputs: outputs, seconds: time.Since(start).Seconds()}, err
}

// numbers returns what machines without it say of each of so many labels, in the unit of the table.
func (out *outOfFold) numbers(labels int, u task.Unit) []float64 {
	left := make([]float64, labels)
	for k, fold := range out.folds {
		for i, label := range fold {
			left[label] = u.From(out.outputs[k][0][i])
		}
	}
	return left
}

// learnIntervals returns what intervals are made of.
func (p *Problem) learnIntervals(ctx context.Context, m *minimum, out *outOfFold, _ []float64) (u Uncertainty, _ *HeldOut, err error) {
	u.Intervals, err = p.intervalsOf(ctx, m, out)
	return u, nil, err
}

// intervalsOf returns how far machines without a label are from it, times the optimism: as at a new row, where the training knows that
// ([Problem.outOfSample]). Their coefficients follow once all are expansions.
func (p *Problem) intervalsOf(ctx context.Context, m *minimum, out *outOfFold) (*Intervals, error) {
	l := len(p.Task.Labelled)
	v := &Intervals{Residual: make([]float64, l)}
	out.asNew = make([]float64, l)
	if len(m.without.f) > 0 {
		v.Machine = make([]int, l)
	}
	beyond, err := p.outOfSample(ctx, m)
	if err != nil {
		return nil, err
	}
	for k, fold := range out.folds {
		for i, label := range fold {
			at := out.outputs[k][0][i]
			if beyond != nil {
				at = beyond[label]
			}
			out.asNew[label] = p.Task.Unit.From(at)
			v.Residual[label] = cmp.Or(p.Recipe.Optimism, 1) * math.Abs(p.Task.Values[label]-at)
			if v.Machine != nil {
				v.Machine[label] = k
			}
		}
	}
	return v, nil
}

// outOfSample returns what machines without a label would say of its row, were it a new one. A row that is trained on has a place in the graph
// and a basis point of its own, and a new row has neither: a narrow kernel falls to the bias between rows. So row i gets what its machine is there by its values
// at all other rows, see [OutOfSample]. It is nil for supervised machines, whose rows are the labelled ones, and where the solver has no rows of
// the Gram matrix.
func (p *Problem) outOfSample(ctx context.Context, m *minimum) ([]float64, error) {
	if len(m.without.f) == 0 || p.Recipe.Supervised || !m.method.rows {
		return nil, nil
	}
	without := make([]Left, len(m.folds))
	for k, fold := range m.folds {
		without[k] = Left{fold, m.without.f[k], m.without.b[k]}
	}
	return OutOfSample(ctx, p.Geometry.Len(), p.Geometry.Gram().(objective.Rows).Row, p.Task.Labelled, without)
}

// Left is a machine that lacks some labels.
type Left struct {
	Labels []int     // by their places among the labelled points
	F      []float64 // its outputs at all points
	B      float64   // its bias
}

// OutOfSample returns what machines would say of the rows of the labels that they lack, were these new rows:
//
//	b + h_i − (K⁻¹h)_i / (K⁻¹)_ii,   h = f − b
//
// which is kernel interpolation of h without row i. row writes a row of the n×n matrix K. Cost: n³/3 flops and n² values, and n² flops a label
// and a machine.
func OutOfSample(ctx context.Context, n int, row func(dst []float64, i int), labelled []int, without []Left) ([]float64, error) {
	u, err := definite(ctx, n, row)
	if err != nil {
		return nil, err
	}
	labels, functions := linalg.New(n, len(labelled)), linalg.New(n, len(without))
	for label, i := range labelled {
		labels.Row(i)[label] = 1
	}
	for k, left := range without {
		for i, f := range left.F {
			functions.Row(i)[k] = f - left.B
		}
	}
	for _, right := range []linalg.Matrix{labels, functions} { // U⁻ᵀ of them, K = UᵀU
		if err := linalg.SolveUpper(ctx, u.T(), right); err != nil {
			return nil, err
		}
	}
	values := make([]float64, len(labelled))
	for k, left := range without {
		for _, label := range left.Labels {
			along, own := 0.0, 0.0
			for i := range n {
				v := labels.Row(i)[label]
				along, own = along+v*functions.Row(i)[k], own+v*v
			}
			values[label] = left.F[labelled[label]] - along/own
		}
	}
	return values, nil
}

// IntervalsAmong returns what intervals of rows trained on are made of. Residuals are those that machines without a label leave at its row, which
// the graph has. It is nil where Intervals is.
func (f *Fitted) IntervalsAmong() *Intervals {
	if f.Intervals == nil {
		return nil
	}
	v := *f.Intervals
	v.Residual = f.residuals(f.Summary.LeftOut)
	return &v
}

// residuals returns how far what machines without it say of each label is from it, times the optimism.
func (f *Fitted) residuals(left []float64) []float64 {
	of := make([]float64, len(left))
	for label, at := range left {
		of[label] = cmp.Or(f.Recipe.Optimism, 1) * math.Abs(f.Task.Unit.From(f.Task.Values[label])-at)
	}
	return of
}

// intervalRows is how many rows get their intervals at once.
const intervalRows = 4096

// IntervalsAt returns intervals of a level, such as 0.9, for points that [Predictor.Describe] returned, where the
// model's values are those given. It fails without what intervals are made of, and for a level that the labels
// are too few for. Cost: one kernel value per point and basis point, and for each machine without labels a
// multiply-add.
func (p *Predictor) IntervalsAt(ctx context.Context, x *points.Points, values []float64, level float64) (low, high []float64, err error) {
	v := p.uncertainty.Intervals
	if v == nil {
		return nil, nil, OfKind(ErrParameter, fault.Lacks.Errorf("the model keeps nothing for intervals: train a regression with Calibrate"))
	}
	if err := v.CheckLevel(level); err != nil {
		return nil, nil, OfKind(ErrParameter, err)
	}
	packed, err := p.packWithout(ctx)
	if err != nil {
		return nil, nil, err
	}
	low, high = make([]float64, len(values)), make([]float64, len(values))
	outputs := make([][]float64, len(v.Bias))
	for from := 0; from < len(values); from += intervalRows {
		to := min(from+intervalRows, len(values))
		for k := range outputs {
			outputs[k] = make([]float64, to-from)
		}
		if packed != nil {
			if err := packed.ValuesNear(ctx, outputs, p.scaling.Apply(x.Slice(from, to)), nil); err != nil {
				return nil, nil, err
			}
		}
		parallel.Do(ctx, to-from, func(_, i int) {
			machines := make([]float64, len(outputs))
			for k := range outputs {
				machines[k] = outputs[k][i]
			}
			low[from+i], high[from+i] = v.Of(values[from+i], machines, level)
		})
	}
	return low, high, ctx.Err()
}

// packWithout returns the machines without labels with their basis laid out, nil where there are none.
func (p *Predictor) packWithout(ctx context.Context) (*gram.Packed, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.without != nil || len(p.uncertainty.Intervals.Bias) == 0 {
		return p.without, nil
	}
	e := gram.Expansion{Kernel: p.expansion.Kernel, Basis: p.expansion.Basis, Coefficients: p.uncertainty.Intervals.Coefficients, Bias: p.uncertainty.Intervals.Bias}
	var err error
	p.without, err = e.Pack(ctx, p.precision)
	return p.without, err
}
