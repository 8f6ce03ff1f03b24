package lapsvm_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
	"lapsvm/points"
)

// extreme is a random training whose numbers lie anywhere in the range of float64.
type extreme struct {
	data   *dataset.Dataset
	recipe lapsvm.Recipe
}

// pick returns one of a few.
func pick[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// magnitude is a number near 1, or now and then anywhere in the range of float64.
func magnitude(rng *rand.Rand, extreme bool) float64 {
	if !extreme {
		return math.Exp(rng.NormFloat64())
	}
	return pick(rng, 5e-324, 1e-310, math.Exp(690*(2*rng.Float64()-1)), math.Exp(690*(2*rng.Float64()-1)), math.Exp(100*(2*rng.Float64()-1)), 1e308, math.MaxFloat64)
}

// newExtreme makes the training of a seed: of every four one has moderate numbers,
// one extreme points, one extreme parameters, and one both.
func newExtreme(seed uint64) extreme {
	rng := rand.New(rand.NewPCG(seed, 1))
	wide, steep := seed%2 == 1, seed/2%2 == 1
	n, d, classes := 2+rng.IntN(39), 1+rng.IntN(5), 1+rng.IntN(4)
	values := make([]float64, n*d)
	overall := magnitude(rng, wide && rng.IntN(2) == 0)
	for j := range d {
		scale, shift := overall, 0.0
		if wide && rng.IntN(2) == 0 {
			scale = magnitude(rng, true)
		}
		if rng.IntN(4) == 0 {
			shift = scale * 100 * rng.NormFloat64()
		}
		for i := range n {
			v := min(max(shift+scale*rng.NormFloat64(), -math.MaxFloat64), math.MaxFloat64)
			if !math.IsNaN(v) && rng.IntN(20) > 0 {
				values[i*d+j] = v
			}
		}
	}
	if wide && rng.IntN(4) == 0 {
		values[rng.IntN(len(values))] = magnitude(rng, true)
	}
	if rng.IntN(4) == 0 { // two equal points
		copy(values[rng.IntN(n)*d:][:d], values[:d])
	}
	e := extreme{data: &dataset.Dataset{Points: points.Dense(n, d, values), Y: make([]int, n)}, recipe: randomRecipe(rng, steep)}
	r := &e.recipe
	if r.Standardise != points.ZScore && r.Standardise != points.MinMax && rng.IntN(4) == 0 {
		e.data.Points = sparseOf(n, d, values)
	}
	for c := range classes {
		e.data.Classes = append(e.data.Classes, string(rune('a'+c)))
	}
	for j := range d {
		e.data.Features = append(e.data.Features, fmt.Sprintf("x%d", j+1))
	}
	for i := range e.data.Y {
		e.data.Y[i] = dataset.Unlabelled
		if i < classes || rng.IntN(3) == 0 {
			e.data.Y[i] = i % classes
		}
	}
	if rng.IntN(6) == 0 {
		e.data.Weights = make([]float64, n)
		for i := range n {
			e.data.Weights[i] = magnitude(rng, false)
		}
		if steep {
			e.data.Weights[0] = magnitude(rng, true)
		}
	}
	if classes == 1 {
		r.Kind = task.OneClass()
		r.Bias = pick(rng, objective.BiasInNorm, objective.BiasOutside)
		if r.Solver == lapsvm.Dual {
			r.Solver = lapsvm.Auto
		}
	} else if rng.IntN(6) == 0 && !r.Supervised {
		r.Prior = pick(rng, lapsvm.BalancedPrior, lapsvm.LabelledPrior)
	}
	r.Graph.Neighbours = min(max(n-1, 1), 1+rng.IntN(6))
	if len(r.Members) > 0 {
		for k := range r.Members {
			r.Members[k].Neighbours = r.Graph.Neighbours
		}
		r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 0, 0, 0, 0
	}
	return e
}

// sparseOf makes a sparse table of the values that are not 0.
func sparseOf(n, d int, values []float64) *points.Points {
	start, index, value := []int{0}, []int32{}, []float64{}
	for i := range n {
		for j, v := range values[i*d : (i+1)*d] {
			if v != 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(value))
	}
	return points.CSR(d, start, index, value)
}

// randomRecipe has random words for all that has words, and random numbers.
func randomRecipe(rng *rand.Rand, steep bool) lapsvm.Recipe {
	of := func() float64 { return magnitude(rng, steep && rng.IntN(6) == 0) }
	width := pick(rng, 0, 0, of())
	r := lapsvm.Recipe{
		Kernel: pick[kernel.Kernel](rng, nil, kernel.Gaussian{Sigma: width}, kernel.Gaussian{Sigma: width}, kernel.Laplacian{Sigma: width}, kernel.Linear{},
			kernel.Polynomial{Degree: 1 + rng.IntN(4), Gamma: pick(rng, 0, of()), Coef0: pick(rng, 0, of())}),
		GammaA: 1e-2 * of(), GammaI: 1e-1 * of(), Solver: pick(rng, lapsvm.Auto, lapsvm.PCG, lapsvm.Newton, lapsvm.Deformed, lapsvm.Dual, lapsvm.Landmarks),
		Loss: pick(rng, objective.SquaredHinge, objective.Squared), Bias: pick(rng, objective.BiasInNorm, objective.BiasOutside, objective.NoBias),
		Standardise: pick(rng, points.AsIs, points.AsIs, points.UnitNorm, points.ZScore, points.MinMax),
		Stop:        pick(rng, solve.Condition(""), "", solve.Stability, solve.Gradient, solve.Preconditioned, solve.Product, solve.Objective, "none"),
		BiasWeight:  pick(rng, 0, 0, of()), LineSearch: rng.IntN(2) == 0, Calibrate: rng.IntN(3) > 0, LabelShares: rng.IntN(10) == 0,
		Precision: pick(rng, 0, gram.Single, gram.Double), Gram: pick(rng, gram.Form(""), "", "", gram.FormStreamed), RulesOfThumb: rng.IntN(60) > 0,
	}
	r.Graph = graph.Options{Degree: 1 + rng.IntN(5), Metric: pick(rng, "", graph.Euclidean, graph.Cosine), Weights: pick(rng, "", graph.Heat, graph.Binary, graph.Distance),
		HeatWidth: pick(rng, 0, 0, of()), Unnormalised: rng.IntN(3) == 0}
	if r.Solver != lapsvm.PCG && r.Solver != lapsvm.Auto {
		r.Gram = ""
	}
	if _, linear := r.Kernel.(kernel.Linear); linear || r.Solver != lapsvm.Deformed && r.Solver != lapsvm.Dual {
		r.LabelShares = false
	}
	if r.Stop != "" && rng.IntN(3) == 0 {
		r.Tolerance = of()
	}
	if r.Solver == lapsvm.Dual {
		r.Loss = ""
	}
	if steep && rng.IntN(20) == 0 {
		r.Graph.Degree = pick(rng, 30, 1000, math.MaxInt)
	}
	if p, poly := r.Kernel.(kernel.Polynomial); poly && steep && rng.IntN(4) == 0 {
		p.Degree = pick(rng, 9, 100, 1023)
		r.Kernel = p
	}
	switch {
	case rng.IntN(6) == 0:
		r.Supervised, r.GammaI = true, 0
	case rng.IntN(10) == 0 && (r.Solver == lapsvm.Deformed || r.Solver == lapsvm.Dual):
		r.Members = []lapsvm.Member{{LaplacianDegree: r.Graph.Degree, GammaA: r.GammaA, GammaI: r.GammaI, Weight: 0.25}, {LaplacianDegree: 1, GammaA: of(), GammaI: of(), Weight: 0.75}}
	}
	return r
}

// finite reports whether there is no NaN and no infinity among the values.
func finite(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// fit trains, and reports the outcome of training: a class of its errors, or what a
// model that was made does wrong.
func (e extreme) fit(t *testing.T) (m *lapsvm.Model, outcome string, wrong error) {
	m, err := lapsvm.Trainer{Recipe: e.recipe}.Fit(t.Context(), e.data)
	if err != nil {
		if !errors.Is(err, lapsvm.ErrData) && !errors.Is(err, lapsvm.ErrParameter) {
			return nil, "", fmt.Errorf("an error of no kind: %w", err)
		}
		return nil, regexp.MustCompile(`[-+]?[0-9][0-9.e+-]*|\+Inf|NaN`).ReplaceAllString(err.Error(), "#"), nil
	}
	c, err := m.Contents()
	if err != nil {
		return m, "", fmt.Errorf("a model that cannot be written: %w", err)
	}
	all := slices.Concat(c.Bias, c.Scaling.Shift, c.Scaling.Factor)
	for _, values := range slices.Concat(c.Coefficients, c.LabelShares) {
		all = append(all, values...)
	}
	if !finite(all...) {
		return m, "", fmt.Errorf("a model of numbers that are not finite")
	}
	scores, err := m.Scores(t.Context(), e.data.Points)
	if err != nil {
		return m, "", fmt.Errorf("no decision values of the training points: %w", err)
	}
	if !finite(slices.Concat(scores...)...) {
		return m, "", fmt.Errorf("decision values that are not finite")
	}
	largest := 1.0
	for _, v := range slices.Concat(m.Training().Scores...) {
		largest = max(largest, math.Abs(v))
	}
	for i, row := range m.Training().Scores {
		for c, v := range row {
			if e.recipe.Solver != lapsvm.Landmarks && !(math.Abs(scores[i][c]-v) <= 0.2*largest) {
				return m, "", fmt.Errorf("row %d has the decision value %v, and had %v in training", i, scores[i][c], v)
			}
		}
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		return m, "", err
	}
	again, err := lapsvm.Read(&b)
	if err != nil {
		return m, "", fmt.Errorf("a model that cannot be read: %w", err)
	}
	if same, err := again.Scores(t.Context(), e.data.Points); err != nil || !slices.EqualFunc(scores, same, slices.Equal[[]float64]) {
		return m, "", fmt.Errorf("other decision values of the model that was read, error %w", err)
	}
	return m, "model", nil
}

// longFits is how many trainings TestFitExtremes makes where LAPSVM_LONG is set.
const longFits = 40000

// A training of any numbers gives a model of finite numbers, or an error that says
// which are at fault; of moderate numbers a model.
func TestFitExtremes(t *testing.T) {
	detector.Spare(t)
	fits := 3000
	if os.Getenv("LAPSVM_LONG") != "" {
		fits = longFits
	}
	outcomes, example, moderate := map[string]int{}, map[string]uint64{}, map[string]int{}
	for seed := range uint64(fits) {
		_, outcome, wrong := newExtreme(seed).fit(t)
		if wrong != nil {
			t.Errorf("seed %d: %v", seed, wrong)
			outcome = "WRONG"
		}
		outcomes[outcome]++
		if _, seen := example[outcome]; !seen || seed%4 == 0 {
			example[outcome] = seed
		}
		if seed%4 == 0 {
			moderate[outcome]++
		}
	}
	for _, outcome := range slices.SortedFunc(maps.Keys(outcomes), func(a, b string) int { return cmp.Or(outcomes[b]-outcomes[a], cmp.Compare(a, b)) }) {
		t.Logf("%6d, %6d of them of moderate numbers, seed %d: %s", outcomes[outcome], moderate[outcome], example[outcome], outcome)
	}
}

// FuzzFitExtremes is TestFitExtremes for seeds that a fuzzer thinks of.
func FuzzFitExtremes(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) {
		if _, _, wrong := newExtreme(seed).fit(t); wrong != nil {
			t.Error(wrong)
		}
	})
}

// scaled returns the training with all lengths multiplied by 2^exponent.
func (e extreme) scaled(exponent int) extreme {
	p := e.data.Points
	values := make([]float64, 0, p.Len()*p.Dim())
	for i := range p.Len() {
		for _, v := range p.DenseRow(i) {
			values = append(values, math.Ldexp(v, exponent))
		}
	}
	data := *e.data
	data.Points = points.Dense(p.Len(), p.Dim(), values)
	e.data = &data
	k := e.recipe.Kernel
	if parameters := k.Parameters(); e.recipe.Standardise == points.AsIs {
		e.recipe.Kernel = kernel.WithWidth(k, math.Ldexp(parameters.Sigma, exponent))
		if e.recipe.Graph.Metric != graph.Cosine {
			e.recipe.Graph.HeatWidth = math.Ldexp(e.recipe.Graph.HeatWidth, exponent)
		}
	}
	return e
}

// A machine does not depend on the unit of the points, where its widths are in it.
func TestFitScales(t *testing.T) {
	detector.Spare(t)
	compared, values := 0, 0
	for seed := range uint64(4 * 500) {
		rng := rand.New(rand.NewPCG(seed, 2))
		e := newExtreme(4 * seed) // moderate
		if e.recipe.Kernel == nil || !e.recipe.Kernel.Kind().Shift || e.data.Points.Sparse() || e.recipe.Graph.Unnormalised && e.recipe.Graph.Weights == graph.Distance {
			continue
		}
		if e.recipe.Solver != lapsvm.Newton && e.recipe.Solver != lapsvm.Dual { // exact, so that rounding does not say where it stops
			e.recipe.Solver, e.recipe.Gram = lapsvm.Deformed, ""
		}
		e.recipe.Stop, e.recipe.Tolerance = "", 1e-8
		want, err := lapsvm.Trainer{Recipe: e.recipe}.Fit(t.Context(), e.data)
		if err != nil {
			continue
		}
		exponent := pick(rng, -960, -600, -300, -70, -1, 1, 70, 300, 600, 960)
		scaled := e.scaled(exponent)
		got, err := lapsvm.Trainer{Recipe: scaled.recipe}.Fit(t.Context(), scaled.data)
		if err != nil {
			t.Errorf("seed %d, 2^%d: %v", seed, exponent, err)
			continue
		}
		a, err := want.Scores(t.Context(), e.data.Points)
		if err != nil {
			t.Fatal(err)
		}
		b, err := got.Scores(t.Context(), scaled.data.Points)
		if err != nil {
			t.Fatal(err)
		}
		compared++
		for i := range a {
			for c := range a[i] {
				values++
				if !(math.Abs(a[i][c]-b[i][c]) <= 2e-3*(1+math.Abs(a[i][c]))) {
					t.Fatalf("seed %d, 2^%d: row %d has the decision values %v, want %v (%+v)", seed, exponent, i, b[i], a[i], e.recipe)
				}
			}
		}
	}
	t.Logf("%d trainings, %d decision values", compared, values)
}
