package train

import (
	"context"
	"math"
	"sync"

	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// Predictor computes decision values of new points. The first call lays the basis
// out for products and keeps that, a copy of it in the precision of the training:
// so later calls with few points are fast. It is safe for concurrent use.
type Predictor struct {
	description describe.Description // nil for points that are the features
	scaling     points.Scaling
	expansion   gram.Expansion
	precision   gram.Precision
	coding      task.OutputCoding
	uncertainty Uncertainty

	// Of a mean of views. Description, scaling and expansion above are those of the leading machine, and the uncertainty is that of the mean.
	leading *Predictor
	beside  []weighted

	lock    sync.Mutex
	packed  *gram.Packed // nil before the first call
	without *gram.Packed // the machines of the intervals; nil before their first call
}

// NewPredictor returns the predictor of an expansion over points that are described, unless d is
// nil, and then scaled, for classes of a code.
func NewPredictor(d describe.Description, s points.Scaling, e gram.Expansion, precision gram.Precision, coding task.OutputCoding, u Uncertainty) *Predictor {
	return &Predictor{description: d, scaling: s, expansion: e, precision: precision, coding: coding, uncertainty: u}
}

// Predictor returns the predictor of the fitted machines.
func (f *Fitted) Predictor() *Predictor {
	p := NewPredictor(f.Description, f.Scaling, f.Expansion, f.Recipe.Precision, f.Task.Coding(), f.Uncertainty)
	if len(f.Beside) == 0 {
		return p
	}
	var others []*Predictor
	var weights []float64
	for _, v := range f.Beside {
		others, weights = append(others, v.Predictor()), append(weights, v.Weight)
	}
	return p.Beside(others, weights, *f.Mean)
}

// With returns the predictor with other knowledge of how sure it is. It shares what p keeps.
func (p *Predictor) With(u Uncertainty) *Predictor {
	other := NewPredictor(p.description, p.scaling, p.expansion, p.precision, p.coding, u)
	other.leading, other.beside = p.leading, p.beside
	return other
}

// Uncertainty returns how sure the predictor is.
func (p *Predictor) Uncertainty() Uncertainty { return p.uncertainty }

// Each returns how values of several classes become probabilities, nil where they do not.
func (p *Predictor) Each() *calibrate.Each { return p.uncertainty.Each }

// Has returns the classes that each row of decision values means, ascending: the one that is decided, if any, and of several classes at once
// those above their limit.
func (p *Predictor) Has(scores [][]float64) [][]int {
	limits, all := p.Limits(), make([][]int, len(scores))
	for i, class := range p.Decide(scores) {
		if all[i] = []int{}; class != dataset.Unlabelled {
			all[i] = append(all[i], class)
		}
		for class, limit := range limits {
			if scores[i][class] > limit {
				all[i] = append(all[i], class)
			}
		}
	}
	return all
}

// Limits returns the decision values above which a point has each of several classes at once: 0 without probabilities. Others have none.
func (p *Predictor) Limits() []float64 {
	switch {
	case p.uncertainty.Each != nil:
		return p.uncertainty.Each.Limits()
	case p.coding.Several():
		return make([]float64, p.coding.Columns())
	}
	return nil
}

// Intervals returns what intervals of numbers are made of, nil where they are not to be had.
func (p *Predictor) Intervals() *Intervals { return p.uncertainty.Intervals }

// Description returns what points are described by before they are scaled, nil for nothing.
func (p *Predictor) Description() describe.Description { return p.description }

// Dim returns the number of features of the points that the predictor takes.
func (p *Predictor) Dim() int {
	if p.description != nil {
		return p.description.Inputs()
	}
	return p.expansion.Basis.Dim()
}

// Scaling returns how described points are scaled.
func (p *Predictor) Scaling() points.Scaling { return p.scaling }

// Expansion returns the functions of scaled points.
func (p *Predictor) Expansion() gram.Expansion { return p.expansion }

// Coding returns the code of the classes.
func (p *Predictor) Coding() task.OutputCoding { return p.coding }

// Calibration returns how decision values become probabilities, nil where they do
// not.
func (p *Predictor) Calibration() *Calibration { return p.uncertainty.Calibration }

// pack returns the expansion with its basis laid out.
func (p *Predictor) pack(ctx context.Context) (*gram.Packed, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.packed == nil {
		packed, err := p.expansion.Pack(ctx, p.precision)
		if err != nil {
			return nil, err
		}
		p.packed = packed
	}
	return p.packed, nil
}

// Scores returns the decision values [point][class]; the largest of a row
// belongs to the predicted class. Two classes have −f and f of their machine; a
// single class has f, positive inside it. Sparse points may have fewer columns
// than the basis. It fails where the columns do not fit, for values and decision
// values that are not finite, and when ctx is done. Cost: one kernel value per point and basis point.
func (p *Predictor) Scores(ctx context.Context, x *points.Points) ([][]float64, error) {
	described, err := p.Describe(ctx, x)
	if err != nil {
		return nil, err
	}
	rows, err := p.ScoresNear(ctx, described, nil)
	if err != nil {
		return nil, err
	}
	return p.Mean(ctx, rows, x)
}

// Describe returns points of data as the description makes them, or without one as they are. It
// fails where their columns do not fit, for values that are not finite, and when ctx is done.
func (p *Predictor) Describe(ctx context.Context, x *points.Points) (*points.Points, error) {
	if p == nil {
		return nil, ErrNoModel
	}
	if x == nil {
		return nil, OfKind(ErrData, fault.Errorf("there are no points: make them by points.Dense or points.CSR, or read a file"))
	}
	dim := p.Dim()
	if x.Sparse() && x.Dim() < dim {
		x = x.Widen(dim)
	}
	if x.Dim() != dim {
		return nil, OfKind(ErrData, fault.Columns.Errorf("the points have %d features, the model was trained on %d: give the same columns in the same order", x.Dim(), dim))
	}
	if i, j, found := x.FirstNotFinite(); found {
		return nil, OfKind(ErrData, fault.Value.Errorf("row %d, feature %d is not a finite number: mend or drop the row", i+1, j+1))
	}
	if p.description == nil {
		return x, nil
	}
	described, err := p.description.Apply(ctx, x)
	if err != nil {
		return nil, ofDescription(ctx, err)
	}
	return described, nil
}

// described returns the points of a data set, described unless they are so already.
func (p *Predictor) described(ctx context.Context, d *dataset.Dataset) (*points.Points, error) {
	if d.Described() {
		return d.Points, nil
	}
	return p.Describe(ctx, d.Points)
}

// PointsOf returns the rows of a data set, described already or not, as the points that the expansion
// is over: described and scaled. It fails where [Predictor.Describe] does.
func (p *Predictor) PointsOf(ctx context.Context, d *dataset.Dataset) (*points.Points, error) {
	x, err := p.described(ctx, d)
	if err != nil {
		return nil, err
	}
	return p.scaling.Apply(x), nil
}

// ScoresOf is [Predictor.Scores] of the rows of a data set, described already or not.
func (p *Predictor) ScoresOf(ctx context.Context, d *dataset.Dataset) ([][]float64, error) {
	x, err := p.described(ctx, d)
	if err != nil {
		return nil, err
	}
	rows, err := p.ScoresNear(ctx, x, nil)
	if err != nil {
		return nil, err
	}
	return p.Mean(ctx, rows, d.AsRead())
}

// ScoresNear is [Predictor.Scores] of points that [Predictor.Describe] returned, by the leading machine alone: see [Predictor.Mean]. It also finds the
// distances of the scaled points to the basis, and writes them to near unless it is nil. It panics
// where [gram.Packed.ValuesNear] does.
func (p *Predictor) ScoresNear(ctx context.Context, x *points.Points, near *gram.Nearest) ([][]float64, error) {
	outputs, err := p.outputs(p.share(ctx, 0), p.scaling.Apply(x), near)
	if err != nil {
		return nil, err
	}
	for _, values := range outputs {
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				_, j, largest := x.Slice(i, i+1).LargestValue()
				return nil, OfKind(ErrData, fault.Value.Errorf("row %d has the decision value %v, because the kernel %v leaves the range of float64: the largest value of the row is %.3g in column %d; drop the row, or standardise the data and train anew", i+1, v, p.expansion.Kernel, largest, j+1))
			}
		}
	}
	return p.Coding().Scores(outputs), nil
}

// outputs returns the values of the machines [machine][point] at scaled points.
func (p *Predictor) outputs(ctx context.Context, scaled *points.Points, near *gram.Nearest) ([][]float64, error) {
	packed, err := p.pack(ctx)
	if err != nil {
		return nil, err
	}
	outputs := zeroOutputs(len(p.expansion.Bias), scaled.Len())
	return outputs, packed.ValuesNear(ctx, outputs, scaled, near)
}

// zeroOutputs returns outputs [machine][point] that are 0.
func zeroOutputs(machines, points int) [][]float64 {
	outputs := make([][]float64, machines)
	for machine := range outputs {
		outputs[machine] = make([]float64, points)
	}
	return outputs
}

// Near finds the distances of points that are scaled already to the basis. It panics
// where [gram.Packed.ValuesNear] does.
func (p *Predictor) Near(ctx context.Context, scaled *points.Points, near *gram.Nearest) error {
	_, err := p.outputs(ctx, scaled, near)
	return err
}

// Predict returns the class index of every point; dataset.Unlabelled outside of a
// single class. It fails where [Predictor.Scores] does.
func (p *Predictor) Predict(ctx context.Context, x *points.Points) ([]int, error) {
	rows, err := p.Scores(ctx, x)
	if err != nil {
		return nil, err
	}
	return p.Decide(rows), nil
}

// Decide returns the class index that each row of decision values means: of ordered classes the median by probabilities.
func (p *Predictor) Decide(scores [][]float64) []int {
	classes := make([]int, len(scores))
	slope := p.uncertainty.Slope()
	for i, row := range scores {
		classes[i] = p.Coding().DecideCalibrated(row, slope)
	}
	return classes
}

// Sets returns the sets of classes of rows of probabilities, see [calibrate.Calibration.Sets] and [task.OutputCoding.Range]. There must be a calibration.
func (p *Predictor) Sets(probabilities [][]float64, level float64) ([][]int, error) {
	sets, err := p.uncertainty.Calibration.Sets(probabilities, level)
	for i, set := range sets {
		sets[i] = p.coding.Range(set, probabilities[i])
	}
	return sets, err
}

// ToProbabilities turns rows of decision values into probabilities where they lie. There must be probabilities.
func (p *Predictor) ToProbabilities(scores [][]float64) {
	of := p.uncertainty.Probabilities()
	for _, row := range scores {
		of.Probabilities(row, row)
	}
}

// Probabilities returns the probability of every class at every point,
// [point][class]: exp(s·f_c) over its sum, with the decision values f of
// [Predictor.Scores] and the slope s of the calibration. Each row sums to 1. The
// predicted class has the first largest entry, and of ordered classes it is the median. It fails where there is
// no calibration, and where Scores does.
func (p *Predictor) Probabilities(ctx context.Context, x *points.Points) ([][]float64, error) {
	if p != nil && p.uncertainty.Probabilities() == nil { // Scores reports none
		return nil, OfKind(ErrData, fault.Lacks.Errorf("the model has no calibration: train it again with %s; one class has no probabilities", fault.Option{In: "Recipe", Name: "Calibrate", Value: true}))
	}
	rows, err := p.Scores(ctx, x)
	if err != nil {
		return nil, err
	}
	p.ToProbabilities(rows)
	return rows, nil
}
