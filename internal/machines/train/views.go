package train

import (
	"context"
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// View is a machine beside that of a recipe. It sees the same rows in another way: by another description, scaling or kernel.
type View struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"` // in the mean; the machine of the recipe has what is left of 1
	Recipe Recipe  `json:"recipe"` // whole, of the same kind of label, without views of its own
}

// LeastProbability is the least that a view may give a class: one view alone rules no class out.
const LeastProbability = 1e-4

// Views returns how many machines the mean is of, 1 without views beside.
func (r Recipe) Views() int { return 1 + len(r.Beside) }

// ofView returns the recipe of a view as it is trained. Machines of a mean have double precision, as the logarithm of a probability magnifies rounding.
func (r Recipe) ofView(v View) Recipe {
	of := v.Recipe
	of.Kind, of.Criterion, of.ClassWeight, of.Seed, of.Precision, of.Calibrate, of.Beside, of.Pending.Unseen, of.Pending.Fewer = r.Kind, r.Criterion, r.ClassWeight, r.Seed, gram.Double, r.holdsOut(), nil, nil, 0
	return of
}

// holdsOut reports whether the views of a recipe learn from labels that are left out: of classes they need probabilities.
func (r Recipe) holdsOut() bool { return r.Calibrate || !r.kind().residuals }

// OneView fails for a mean of several views, which whoever needs one machine cannot take. why says what needs it.
func OneView(views int, why string) error {
	if views == 1 {
		return nil
	}
	return fault.Lacks.Errorf("the model is the mean of %d views, and %s: train it with %s", views, why, fault.Option{In: "Recipe", Name: "MostViews", Value: 1})
}

// checkViews reports views that no mean has.
func (r Recipe) checkViews() error {
	left := 1.0
	for _, v := range r.Beside {
		left -= v.Weight
		switch {
		case !(v.Weight > 0 && v.Weight < 1):
			return fault.Errorf("the view %q has the weight %v: weights are positive, and with that of the machine itself they sum to 1", v.Name, v.Weight)
		case len(v.Recipe.Beside) > 0:
			return fault.Errorf("the view %q has views of its own: give those of the recipe alone", v.Name)
		}
		if err := r.ofView(v).Validate(); err != nil {
			return fmt.Errorf("the view %q: %w", v.Name, err)
		}
	}
	switch {
	case len(r.Beside) == 0:
		return nil
	case !(left > 0):
		return fault.Errorf("the weights of the views leave nothing for the machine itself: they must sum to less than 1")
	case r.kind().alone:
		return fault.Errorf("a mean of views is of numbers, or of probabilities, which one class has not: leave the views out")
	case r.Prior != nil || r.LabelShares || r.MostPoints > 0:
		return fault.Errorf("a mean of views has no prior, no label shares, and all points: leave the views out")
	}
	return nil
}

// FittedView is a view that is trained.
type FittedView struct {
	Weight float64
	*Fitted
}

// fitViews trains the machine of a recipe and its views, one after the other, and makes them one.
func fitViews(ctx context.Context, d *dataset.Dataset, r Recipe, run Run) (*Fitted, error) {
	leading := r
	leading.Beside, leading.Calibrate, leading.Precision, leading.Pending.Fewer = nil, r.holdsOut(), gram.Double, 0
	f, err := Fit(ctx, d, leading, run)
	if err != nil {
		return nil, err
	}
	asRead := d
	if d.Described() {
		asRead = d.Only(func(*describe.Part) bool { return false })
	}
	for _, v := range r.Beside {
		of, err := Fit(ctx, asRead, r.ofView(v), run.Comparing())
		if err != nil {
			return nil, fmt.Errorf("the view %q: %w", v.Name, err)
		}
		of.Intervals = nil // the mean has its own
		if one, other := f.Summary.HeldOut, of.Summary.HeldOut; (one == nil) != (other == nil) || one != nil && !slices.Equal(one.Label, other.Label) {
			return nil, OfKind(ErrParameter, fault.Errorf("the view %q holds out other labels than the machine that it stands beside: give both one solver", v.Name))
		}
		f.Beside = append(f.Beside, FittedView{v.Weight, of})
		f.Recipe.Beside = append(f.Recipe.Beside, View{v.Name, v.Weight, of.Recipe})
		f.Summary.Seconds.add(of.Summary.Seconds)
	}
	return f, f.mean(ctx, asRead)
}

// mean replaces what the leading machine says of the training points by what the mean of all says. d is as it was read.
func (f *Fitted) mean(ctx context.Context, d *dataset.Dataset) error {
	fitted := append([]FittedView{{Fitted: f}}, f.Beside...)
	f.Mean = new(Uncertainty)
	all := f.Predictor().views()
	rowsOf := func(get func(*Summary) [][]float64) [][]float64 {
		var rows [][][]float64
		for _, of := range fitted {
			rows = append(rows, get(&of.Summary))
		}
		return meanOf(all, rows)
	}
	if f.Calibration != nil {
		f.Mean.Calibration = &Calibration{Slope: 1}
	}
	if f.Summary.HeldOut != nil {
		mean := *f.Summary.HeldOut
		mean.Scores = rowsOf(func(s *Summary) [][]float64 { return s.HeldOut.Scores })
		f.Summary.HeldOut = &mean
		var err error
		if *f.Mean, err = f.Recipe.kind().probable(f.Recipe, f.Task, &mean, true); err != nil {
			return err
		}
	}
	if f.Summary.LeftOut != nil {
		column := func(get func(*Summary) []float64) []float64 {
			return ValuesOf(rowsOf(func(s *Summary) [][]float64 { return rowsOfValues(get(s)) }))
		}
		f.Summary.LeftOut, f.Summary.LeftAsNew = column(func(s *Summary) []float64 { return s.LeftOut }), column(func(s *Summary) []float64 { return s.LeftAsNew })
		f.Intervals = &Intervals{Residual: f.residuals(f.Summary.LeftAsNew)}
		f.Mean.Intervals = f.Intervals
	}
	if slices.ContainsFunc(fitted, func(of FittedView) bool { return of.Summary.Scores == nil }) { // one is supervised
		f.Summary.Scores = nil
	} else {
		f.Summary.Scores = rowsOf(func(s *Summary) [][]float64 { return s.Scores })
	}
	scores, err := f.Predictor().Scores(ctx, d.Points.Subset(d.Labelled()))
	if err != nil {
		return err
	}
	labels, outputs := make([]int, len(scores)), make([][]float64, len(f.Expansion.Bias))
	for k, row := range scores {
		labels[k] = k
		if f.Recipe.kind().residuals {
			row = []float64{f.Task.Unit.To(row[0])}
		}
		for machine, v := range f.Task.Coding().Outputs(row) {
			outputs[machine] = append(outputs[machine], v)
		}
	}
	f.Summary.TrainingError, f.Summary.TrainingDistance, f.Summary.TrainingRMSE = 0, 0, 0
	f.Recipe.kind().trained(&f.Summary, f.Task.Known(), labels, outputs)
	return nil
}

// weighted is a machine of a mean.
type weighted struct {
	*Predictor
	weight float64
}

// views returns the machines of a mean, the leading one first; nil of one machine.
func (p *Predictor) views() []weighted {
	if p.beside == nil {
		return nil
	}
	left := 1.0
	for _, v := range p.beside {
		left -= v.weight
	}
	return append([]weighted{{p.Leading(), left}}, p.beside...)
}

// Leading returns the machine whose description, scaling and expansion those of the predictor are, without its views.
func (p *Predictor) Leading() *Predictor {
	if p.beside == nil {
		return p
	}
	return p.leading
}

// Others returns the machines beside the leading one, and their weights; none of one machine.
func (p *Predictor) Others() (others []*Predictor, weights []float64) {
	for _, v := range p.beside {
		others, weights = append(others, v.Predictor), append(weights, v.weight)
	}
	return others, weights
}

// Beside returns a predictor that is the mean of p, as the leading machine, and others with their weights. u is that of the mean.
func (p *Predictor) Beside(others []*Predictor, weights []float64, u Uncertainty) *Predictor {
	mean := p.With(u)
	mean.leading = p
	for k, other := range others {
		mean.beside = append(mean.beside, weighted{other, weights[k]})
	}
	return mean
}

// Mean adds what the views say of points to what the leading machine says, rows of decision values. Without views the rows stay. The values of
// the mean are, with the calibrated probabilities P_v of the views and their weights w_v,
//
//	f_c = Σ_v w_v log max(P_v(c|x), 1e-4)
//
// less their mean over the classes. Two classes so have −f and f. Of several classes at once each has the mean of log P_v/(1 − P_v), with P_v from 1e-4 to 1 − 1e-4. Numbers are Σ_v w_v f_v.
func (p *Predictor) Mean(ctx context.Context, rows [][]float64, x *points.Points) ([][]float64, error) {
	all := p.views()
	if all == nil {
		return rows, nil
	}
	scores := [][][]float64{rows}
	for k, v := range all[1:] {
		of, err := v.Scores(p.share(ctx, k+1), x)
		if err != nil {
			return nil, err
		}
		scores = append(scores, of)
	}
	return meanOf(all, scores), nil
}

// looked is about how many points an index looks at for the neighbours of one.
const looked = 1000

// share returns a context for the products of view k of a mean, which are that share of the products of all: of a predictor without views it is ctx.
func (p *Predictor) share(ctx context.Context, k int) context.Context {
	var before, own, sum float64
	for i, v := range p.views() {
		work := float64(v.expansion.Basis.Len()) * float64(v.expansion.Basis.Dim())
		if near := v.expansion.Local; near != nil {
			work += float64(min(near.Points.Len(), looked)) * float64(near.Points.Dim())
		}
		if i < k {
			before += work
		} else if i == k {
			own = work
		}
		sum += work
	}
	if sum == 0 {
		return ctx
	}
	return parallel.Share(ctx, before/sum, (before+own)/sum)
}

// meanOf is [MeanOf] of views.
func meanOf(all []weighted, scores [][][]float64) [][]float64 {
	var of []Probabilities
	var weights []float64
	for _, v := range all {
		of, weights = append(of, v.uncertainty.Probabilities()), append(weights, v.weight)
	}
	return MeanOf(of, weights, scores)
}

// MeanOf returns the decision values [row][class] of a mean by those of its machines, [machine][row][class], and their probabilities: see [Predictor.Mean]. Machines
// without these, nil, are of numbers. The weights need not sum to 1.
func MeanOf(of []Probabilities, weights []float64, scores [][][]float64) [][]float64 {
	all := 0.0
	for _, w := range weights {
		all += w
	}
	mean := make([][]float64, len(scores[0]))
	for i, row := range scores[0] {
		mean[i] = make([]float64, len(row))
		values := make([]float64, len(row))
		for k, p := range of {
			if p == nil {
				values = scores[k][i]
			} else {
				p.LogOdds(values, scores[k][i], LeastProbability)
			}
			vec.Axpy(weights[k]/all, values, mean[i])
		}
	}
	return mean
}
