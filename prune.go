package lapsvm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Prune returns a model with fewer basis points and nearly the same decision values. At all
// basis points of m the decision values differ from those of m by at most allowed. change
// is the largest difference, measured in float64. Decision values have the margin 1, so an
// allowed change of 1e-3 is a thousandth of the margin. Those of a regression are in the unit of the labels. At points outside
// the basis the difference has no bound, and may be several times larger.
//
// Prune chooses the basis points that stay one at a time. It takes the point at which the
// expansion of the points chosen so far is most wrong, and interpolates the decision values
// of m at all points chosen. So the coefficients are not those of m. (Greedy interpolation
// in the Newton basis; Müller and Schaback, 2009.)
//
// Prune returns m itself where no smaller expansion was found, and for a linear model, whose
// expansion is one point per machine already. The new model keeps the bias and the
// calibration, and loses what every label adds (Recipe.LabelShares). The machines that intervals are made of are pruned
// with the others, within the same bound, so that a regression keeps [Model.Intervals].
//
// Prune fails with [ErrParameter] for an allowed change that is not positive, with [ErrData]
// for a model with a [Model.Local] or with given distances, and when ctx is done. Cost, with n points of which s
// stay: n·s kernel values, n·s² multiply-adds, two evaluations of m at its basis, and memory
// for n·s values.
func (m *Model) Prune(ctx context.Context, allowed float64) (pruned *Model, change float64, err error) {
	if !(allowed > 0) {
		return nil, 0, train.OfKind(ErrParameter, fmt.Errorf("the allowed change of decision values is %v: it must be positive", allowed))
	}
	if err := train.OneView(m.Views(), "basis points are left out of one machine"); err != nil {
		return nil, 0, train.OfKind(ErrData, err)
	}
	if m.Local() != nil {
		return nil, 0, train.OfKind(ErrData, fault.Lacks.Errorf("the model corrects its decisions by the nearest of its %d training points, so no basis point can be left out: train it with %s", m.Local().Points.Len(), fault.Option{In: "Recipe", Name: "Compact", Value: true}))
	}
	switch kind := m.Kernel().Kind(); {
	case kind.Linear:
		return m, 0, nil
	case !kind.BasisPoints():
		return nil, 0, train.OfKind(ErrData, fault.Lacks.Errorf("the model does not know the distances between its basis points, so none can be left out"))
	}
	e := m.expansion()
	all := e.Coefficients
	if v := m.predictor.Intervals(); v != nil {
		all = slices.Concat(all, v.Coefficients)
	}
	unpruned, err := m.expansions(ctx, e.Basis, all)
	if err != nil {
		return nil, 0, err
	}
	coding := m.predictor.Coding()
	unpruned = byClass(coding, unpruned)
	s := newInterpolant(m, unpruned)
	for target := allowed; ; { // rounding may need another turn
		switch found, err := s.extend(ctx, target); {
		case err != nil:
			return nil, 0, err
		case !found:
			return m, 0, nil
		}
		rows, coefficients := s.expansion()
		basis := e.Basis.Subset(rows)
		coefficients = byMachine(coding, coefficients)
		got, err := m.expansions(ctx, basis, coefficients)
		if err != nil {
			return nil, 0, err
		}
		got = byClass(coding, got)
		change = largestApart(got[:len(got)-len(all)+m.Machines()], unpruned)
		if largestApart(got, unpruned) <= allowed {
			m, err = m.with(ctx, basis, coefficients, rows)
			return m, change, err
		}
		largest := s.largest()
		if !(largest > 0) { // no further point changes anything
			return m, 0, nil
		}
		for target >= largest { // so that every turn takes a point more
			target /= 2
		}
	}
}

// byClass turns functions of the machines of a coding into the decision values of more classes than machines. It leaves others as they are: of two
// classes the machine has the values of one.
func byClass(c task.OutputCoding, f [][]float64) [][]float64 {
	if c.Machines() == 1 || c.Machines() == c.Columns() {
		return f
	}
	values := make([][]float64, c.Columns())
	for class := range values {
		values[class] = c.Score(f, class)
	}
	return values
}

// byMachine undoes byClass.
func byMachine(c task.OutputCoding, values [][]float64) [][]float64 {
	if c.Machines() == 1 || c.Machines() == c.Columns() {
		return values
	}
	f, row := make([][]float64, c.Machines()), make([]float64, len(values))
	for i := range values[0] {
		for class := range row {
			row[class] = values[class][i]
		}
		for machine, v := range c.Outputs(row) {
			f[machine] = append(f[machine], v)
		}
	}
	return f
}

// largestApart returns the largest difference of values of the machines in a.
func largestApart(a, b [][]float64) (most float64) {
	for c := range a {
		for i, v := range a[c] {
			most = max(most, math.Abs(v-b[c][i]))
		}
	}
	return most
}

// with returns the model with another expansion in some of its basis points: coefficients are those of its machines and then of
// those without labels, which intervals are made of. It fails when ctx is done.
func (m *Model) with(ctx context.Context, basis *points.Points, coefficients [][]float64, rows []int) (*Model, error) {
	other, e, p := *m, m.expansion(), m.predictor
	e.Basis, e.Coefficients = basis, coefficients[:m.Machines()]
	u := p.Uncertainty()
	if u.Intervals != nil && len(u.Intervals.Coefficients) > 0 {
		without := *u.Intervals
		without.Coefficients, u.Intervals = coefficients[m.Machines():], &without
	}
	other.predictor = train.NewPredictor(p.Description(), p.Scaling(), e, m.recipe.Precision, p.Coding(), u)
	other.origin, other.labelShares = m.origin.Subset(rows), nil
	var err error
	other.profile, err = other.profileOf(ctx, m.expansion().Basis, rows)
	return &other, err
}

// expansions evaluates expansions without bias at the basis points of m, in
// float64: [machine][point].
func (m *Model) expansions(ctx context.Context, basis *points.Points, coefficients [][]float64) ([][]float64, error) {
	f := make([][]float64, len(coefficients))
	for c := range f {
		f[c] = make([]float64, m.expansion().Basis.Len())
	}
	err := gram.Expansion{Kernel: m.Kernel(), Basis: basis, Coefficients: coefficients, Bias: make([]float64, len(f))}.Values(ctx, f, m.expansion().Basis, gram.Double)
	return f, err
}

// interpolant holds one expansion per machine in the chosen points p_0, p_1, … that has
// given values at these points:
//
//	Σ_k weights[c][k]·newton[k],   newton[k] = Σ_{i ≤ k} (…)·k(p_i, ·),   newton[k](p_i) = 0 for i < k
//
// where the Newton basis is orthonormal in the function space of the kernel.
// Functions are known by their values at all points.
type interpolant struct {
	kernel   kernel.Kernel
	points   *points.Points // centred if the kernel does not change by it
	self     []float64      // k(x, x) of every point
	power    []float64      // k(x, x) less the squares of the Newton basis at x
	residual [][]float64    // of every machine: the values, less the interpolant
	chosen   []int
	newton   [][]float64
	weights  [][]float64
}

func newInterpolant(m *Model, values [][]float64) *interpolant {
	s := &interpolant{kernel: m.Kernel(), points: m.expansion().Basis, self: make([]float64, m.expansion().Basis.Len()), power: make([]float64, m.expansion().Basis.Len()), weights: make([][]float64, len(values))}
	if m.Kernel().Kind().Shift && !m.expansion().Basis.Sparse() {
		ones := make([]float64, m.expansion().Basis.Dim())
		for j := range ones {
			ones[j] = 1
		}
		s.points = points.Scaling{Kind: points.ZScore, Shift: m.expansion().Basis.Mean(), Factor: ones}.Apply(m.expansion().Basis)
	}
	for i, square := range s.points.Squares() {
		s.self[i] = points.Self(m.Kernel().Kind().Statistic, square)
		s.kernel.Map(s.self[i:i+1], square, s.points.Squares()[i:i+1])
	}
	copy(s.power, s.self)
	for _, v := range values {
		s.residual = append(s.residual, append([]float64(nil), v...))
	}
	return s
}

// least is the smallest share of k(x, x) outside the span of the chosen points by which a
// point still differs from them numerically.
const least = 1e-12

// extend chooses points until all residuals are at most target. It reports false where all
// points would be needed, or no remaining point differs enough from the chosen points.
func (s *interpolant) extend(ctx context.Context, target float64) (found bool, err error) {
	n := s.points.Len()
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		next, worst, largest := -1, 0.0, 0.0
		for i := range n {
			wrong := 0.0
			for _, r := range s.residual {
				wrong = max(wrong, math.Abs(r[i]))
			}
			largest = max(largest, wrong)
			if wrong > worst && s.power[i] > least*s.self[i] {
				next, worst = i, wrong
			}
		}
		switch {
		case largest <= target && len(s.chosen) > 0: // a model needs a basis point
			return true, nil
		case next < 0 || len(s.chosen) == n-1:
			return false, nil
		}
		s.choose(next)
	}
}

// largest returns the largest residual.
func (s *interpolant) largest() float64 {
	largest := 0.0
	for _, r := range s.residual {
		for _, v := range r {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// choose adds point p and its part of the Newton basis, or rules p out where rounding leaves
// nothing of it.
func (s *interpolant) choose(p int) {
	n := s.points.Len()
	v := make([]float64, n)
	s.points.Pairs(s.kernel.Kind().Statistic, v, n, p, p+1, s.points, 0, n)
	s.kernel.Map(v, s.points.Squares()[p], s.points.Squares())
	for _, u := range s.newton {
		vec.Axpy(-u[p], u, v)
	}
	square := v[p]
	if !(square > 0) { // by rounding
		s.power[p] = 0
		return
	}
	for i := range v {
		v[i] /= math.Sqrt(square)
		s.power[i] -= v[i] * v[i]
	}
	s.power[p] = 0
	for c, r := range s.residual {
		w := r[p] / v[p]
		s.weights[c] = append(s.weights[c], w)
		vec.Axpy(-w, v, r)
	}
	s.chosen, s.newton = append(s.chosen, p), append(s.newton, v)
}

// expansion returns the interpolant in the kernel itself: the chosen points,
// ascending, and their coefficients, which solve Lᵀβ = weights with
// L_ik = newton[k](p_i), lower triangular in the order of choice.
func (s *interpolant) expansion() (rows []int, beta [][]float64) {
	order := make([]int, len(s.chosen))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return s.chosen[a] - s.chosen[b] })
	for _, k := range order {
		rows = append(rows, s.chosen[k])
	}
	beta = make([][]float64, len(s.weights))
	for c, w := range s.weights {
		b := make([]float64, len(w))
		for k := len(w) - 1; k >= 0; k-- {
			sum := w[k]
			for i := k + 1; i < len(w); i++ {
				sum -= s.newton[k][s.chosen[i]] * b[i]
			}
			b[k] = sum / s.newton[k][s.chosen[k]]
		}
		for _, k := range order {
			beta[c] = append(beta[c], b[k])
		}
	}
	return rows, beta
}
