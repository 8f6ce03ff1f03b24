package lapsvm

import (
	"cmp"
	"context"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// ShareOptions limits the lists of an explanation. Its sums are always over all shares.
type ShareOptions struct {
	Shares  int // length of ShareExplanation.Shares; default 5
	Nearest int // length of ShareExplanation.Nearest and of NearLabels; default 3
}

// ShareExplanation splits the decision value of a point into the shares of the basis points x_j,
// which are training points:
//
//	f(x) = Σ_j α_j·k(x_j, x) + b
//
// A share α_j·k(x_j, x) is positive where x_j speaks for the class. The decision value is
// that of the predicted class, or the number; a one-class model has only one, also for points outside. With
// the linear kernel, which has no basis points, f(x) = Σ_j w_j·x_j + b over the features.
//
// Of several classes at once there is an explanation for every class of a point. Its labelled points are known to
// have the class or to lack it, and are [Having] or [Lacking].
type ShareExplanation struct {
	Point int     // the point explained, from 0
	Class int     // index of the class that Value belongs to; 0 of numbers
	Limit float64 // of several classes at once: the point has the class where Value is above it
	Value float64 // f(x): Bias + ΣLabelled + Unlabelled, or Bias + ΣFeatures, up to rounding
	Bias  float64 // b

	Labelled   []float64 // [class] sum of the shares of its labelled points, of numbers all of them; of several classes at once [Lacking, Having]; nil with the linear kernel
	Unlabelled float64   // sum of the shares of the unlabelled points
	Shares     []Share   // the largest shares by magnitude, largest first
	Nearest    []Share   // shares of the nearest basis points, nearest first
	NearLabels []Share   // shares of the nearest labelled basis points, nearest first
	// Labels is what each label adds, a_i·s(x, x_i), the largest in magnitude first. s is
	// the deformed kernel, and a_i is −½c_i times the derivative of the loss in f(x_i). For the
	// squared losses that is c_i·(y_i − f(x_i)). Labels and
	// Rest add up to Value, where Rest is what the bias adds with all its effects. For a
	// machine without an intrinsic norm Labels are the Shares of labelled points. For others
	// they are nil unless Recipe.LabelShares was set in the training.
	Labels []Share
	Rest   float64
	// Magnitude is |b| + Σ_j |α_j·k(x_j, x)|. Where it is many times |Value|, the shares
	// nearly cancel, and a single share says little. A small γA has this effect, because it
	// leaves the coefficients free.
	Magnitude float64
	Features  []Feature // all features whose share is not 0, the largest in magnitude first; nil without the linear kernel
}

// Share is what a basis point adds to a decision value.
type Share struct {
	Row      int     // row of the training data, from 0
	Class    int     // class index of its label; of several classes at once Having or Lacking the one explained; dataset.Unlabelled without a label
	Distance float64 // Euclidean distance to the explained point, both scaled
	Value    float64
}

// What labelled points are in the explanation of one of several classes at once.
const (
	Lacking = iota // labelled, without the class
	Having         // labelled with the class
)

// Feature is what a feature adds to the decision value of a linear machine.
type Feature struct {
	Column int // index of the feature, from 0
	Value  float64
}

// ExplainShares splits the decision value of every point into shares, see [ShareExplanation]. Values
// are computed in float64, so they may differ from [Model.Scores] by the rounding of
// float32. The class is always that of [Model.Predict]. Of several classes at once it explains every class of a point, in their order, before
// the next point.
//
// A share says how f is written down. It does not say what f would be without the point,
// because a training without it would find other coefficients for all points. Labels are
// closer to causes: the effect of a label through unlabelled points counts as that label's.
//
// With a [Model.Local], each of the k nearest training points also has the share e_i/k of
// its residual e_i, and the lists of the nearest range over all training points.
//
// ExplainShares fails where [Model.Scores] does. It fails with [ErrData] for a mean of views, for a linear model with a
// Local, and for parts beyond float64. It also fails for the model of an older program, whose file does not
// name its basis points or their several classes. Cost: one kernel value and one distance per point and basis point.
func (m *Model) ExplainShares(ctx context.Context, p *points.Points, o ShareOptions) ([]ShareExplanation, error) {
	if o.Shares == 0 {
		o.Shares = 5
	}
	if o.Nearest == 0 {
		o.Nearest = 3
	}
	if m.Views() > 1 {
		return nil, train.OfKind(ErrData, train.OneView(m.Views(), "its decision values are no sums over training points"))
	}
	linear := m.Kernel().Kind().Linear
	if (m.origin == nil || m.kind().each && m.origin.Answers == nil && len(m.origin.Labelled()) > 0) && !linear {
		return nil, train.OfKind(ErrData, fault.Lacks.Errorf("the model does not say which training points it consists of: train it again with this program"))
	}
	if linear && m.Local() != nil {
		return nil, train.OfKind(ErrData, fault.Lacks.Errorf("the decision values are not sums over the features alone, because the nearest training points correct them: train with %s", fault.Option{In: "Recipe", Name: "Compact", Value: true}))
	}
	if linear && m.predictor.Description() != nil {
		return nil, train.OfKind(ErrData, fault.Lacks.Errorf("the decision values of a linear kernel are sums over the numbers of a description (%s), which have no names: train without it (%s)", m.recipe.Describe, fault.Option{In: "Recipe", Name: "Describe", Value: "none"}))
	}
	p, err := m.predictor.Describe(ctx, p)
	if err != nil {
		return nil, err
	}
	rows, err := m.predictor.ScoresNear(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	scaled := m.predictor.Scaling().Apply(p)
	var all []ShareExplanation
	for _, e := range m.toExplain(rows) {
		all = append(all, ShareExplanation{Point: e.point, Class: e.class, Limit: e.limit})
	}
	each := len(all) / max(1, p.Len()) // explanations of a point
	// So many rows of kernel values are stored at a time.
	const piece = 64
	for first := 0; first < p.Len(); first += piece {
		part := scaled.Slice(first, min(first+piece, p.Len()))
		if linear {
			for k := range each * part.Len() {
				m.explainLinear(&all[each*first+k], part, k/each)
			}
			continue
		}
		cross, err := gram.NewCross(ctx, part, m.expansion().Basis, m.Kernel())
		if err != nil {
			return nil, err
		}
		near, err := m.nearest(ctx, part, o.Nearest)
		if err != nil {
			return nil, err
		}
		for k := range each * part.Len() {
			i := k / each
			m.explain(&all[each*first+k], part, i, cross.Row(i), near(i), o)
		}
	}
	for i := range all {
		if !all[i].finite() {
			return nil, train.OfKind(ErrData, fault.Value.Errorf("the decision value of row %d cannot be taken apart: its parts are beyond float64; drop the row, or standardise the data and train anew", all[i].Point+1))
		}
	}
	return all, ctx.Err()
}

// explained is a point and a class to explain, and where the point has it.
type explained struct {
	point, class int
	limit        float64
}

// toExplain returns the points and classes to explain, by rows of decision values.
func (m *Model) toExplain(scores [][]float64) (all []explained) {
	limits := m.predictor.Limits()
	for i, has := range m.predictor.Has(scores) {
		for _, class := range m.about(has) {
			e := explained{point: i, class: class}
			if limits != nil {
				e.limit = limits[class]
			}
			all = append(all, e)
		}
	}
	return all
}

// labelOf returns what training points are in an explanation: of which class, Having or Lacking it, or dataset.Unlabelled.
func labelOf(o *modelfile.Origin, j, class int) int {
	if o.Answers == nil || o.Answers[j] == "" {
		return o.Class[j]
	}
	switch o.Answers[j][class] {
	case task.Has:
		return Having
	case task.Lacks:
		return Lacking
	}
	return dataset.Unlabelled
}

// finite reports whether all parts of an explanation are.
func (e *ShareExplanation) finite() bool {
	parts := []float64{e.Value, e.Magnitude, e.Rest}
	for _, s := range slices.Concat(e.Shares, e.Nearest, e.NearLabels, e.Labels) {
		parts = append(parts, s.Value, s.Distance)
	}
	return !slices.ContainsFunc(parts, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// explain fills in e for row i of p. k are its kernel values with the basis, and near its
// nearest training points where the model has a Local.
func (m *Model) explain(e *ShareExplanation, p *points.Points, i int, k []float64, near []int32, o ShareOptions) {
	terms := m.predictor.Coding().Terms(e.Class)
	e.Bias = ofClass(terms, func(machine int) float64 { return m.expansion().Bias[machine] })
	e.Labelled, e.Magnitude = make([]float64, m.predictor.Coding().Columns()), math.Abs(e.Bias)
	if m.kind().each {
		e.Labelled = make([]float64, Having+1)
	}
	shares, distance := make([]Share, len(k)), m.Kernel().Kind().Distance
	for j := range shares {
		alpha := ofClass(terms, func(machine int) float64 { return m.expansion().Coefficients[machine][j] })
		shares[j] = Share{
			Row: m.origin.Rows[j], Class: labelOf(m.origin, j, e.Class),
			Distance: distance(p, i, m.expansion().Basis, j), Value: alpha * k[j],
		}
	}
	if m.Local() != nil {
		shares = m.addLocal(shares, e.Class, p, i, near)
	}
	for _, s := range shares {
		if s.Class == dataset.Unlabelled {
			e.Unlabelled += s.Value
		} else {
			e.Labelled[s.Class] += s.Value
		}
		e.Magnitude += math.Abs(s.Value)
	}
	e.Value = e.Bias + e.Unlabelled
	for _, v := range e.Labelled {
		e.Value += v
	}
	e.Labels, e.Rest = m.labels(terms, k, shares), e.Bias
	if m.labelShares != nil {
		e.Rest = e.Value
		for _, s := range e.Labels {
			e.Rest -= s.Value
		}
	}
	first := func(n int, order func(a, b Share) int) []Share {
		slices.SortFunc(shares, func(a, b Share) int { return cmp.Or(order(a, b), cmp.Compare(a.Row, b.Row)) })
		return slices.Clone(shares[:min(max(n, 0), len(shares))])
	}
	nearer := func(a, b Share) int { return cmp.Compare(a.Distance, b.Distance) }
	e.Shares = first(o.Shares, larger)
	e.Nearest = first(o.Nearest, nearer)
	shares = slices.DeleteFunc(shares, func(s Share) bool { return s.Class == dataset.Unlabelled })
	e.NearLabels = first(o.Nearest, nearer)
}

// ofClass returns what machines give to the decision value of a class.
func ofClass(terms []task.Term, of func(machine int) float64) float64 {
	sum := terms[0].Sign * of(terms[0].Machine)
	for _, t := range terms[1:] {
		sum += t.Sign * of(t.Machine)
	}
	return sum
}

// labels returns what each label adds to a decision value, as one Share per
// labelled basis point. Without an intrinsic norm that is the share of the point itself. It
// returns nil for an intrinsic norm where the training kept nothing of its labels.
func (m *Model) labels(terms []task.Term, k []float64, shares []Share) []Share {
	if m.labelShares == nil && !m.recipe.Supervised {
		return nil
	}
	var labels []Share
	kept := 0 // labels that shares are kept of
	for j, s := range shares {
		if m.labelShares != nil && m.origin.Class[j] != dataset.Unlabelled {
			s.Value = ofClass(terms, func(machine int) float64 { return vec.Dot(k, m.labelShares[machine][kept*len(k):(kept+1)*len(k)]) }) + 0 // no −0
			kept++
		}
		if s.Class != dataset.Unlabelled {
			labels = append(labels, s)
		}
	}
	slices.SortFunc(labels, larger)
	return labels
}

// larger orders shares by magnitude, the largest first.
func larger(a, b Share) int {
	return cmp.Or(cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)), cmp.Compare(a.Row, b.Row))
}

// explainLinear fills in e for row i of p from the weight vector of its machine,
// Σ_j α_j·basis_j: most often a basis point with the coefficient 1.
func (m *Model) explainLinear(e *ShareExplanation, p *points.Points, i int) {
	terms := m.predictor.Coding().Terms(e.Class)
	e.Bias = ofClass(terms, func(machine int) float64 { return m.expansion().Bias[machine] })
	e.Value, e.Magnitude = e.Bias, math.Abs(e.Bias)
	x, w := make([]float64, m.Dim()), make([]float64, m.Dim())
	p.CopyRow(x, i)
	for j := range m.expansion().Basis.Len() {
		if a := ofClass(terms, func(machine int) float64 { return m.expansion().Coefficients[machine][j] }); a != 0 {
			m.expansion().Basis.AddCombination(w, j, j+1, []float64{a})
		}
	}
	for j := range x {
		if v := w[j] * x[j]; v != 0 {
			e.Features = append(e.Features, Feature{j, v})
			e.Value += v
			e.Magnitude += math.Abs(v)
		}
	}
	slices.SortFunc(e.Features, func(a, b Feature) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)), cmp.Compare(a.Column, b.Column))
	})
}
