package label

import (
	"context"
	"fmt"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
)

// inverse gives columns of Q⁻¹ = (γA K⁻¹ + γI Lᵖ)⁻¹ for one member of a recipe. The column of a
// point is the change of f at all points that a unit change of its coefficient makes.
type inverse interface {
	// prepare computes the columns of points, and those of likely points as far as that costs
	// nothing more.
	prepare(ctx context.Context, points, likely []int) error
	// problem returns the problem reduced to labelled points whose columns are prepared.
	problem(ctx context.Context, labelled []int) (train.ReducedProblem, error)
	// functions returns the functions, without bias, of solutions on a problem of labelled points:
	// coefficients [solution][point], or on landmarks weights [solution][landmark] with the
	// residuals of their values, [solution][point].
	functions(ctx context.Context, c train.ReducedProblem, labelled []int, at []*deformed.Solution) (coefficients, residual [][]float64, err error)
	// expansion returns the functions of such coefficients, with biases, at points of any kind.
	expansion(ctx context.Context, coefficients [][]float64, bias []float64) (gram.Expansion, error)
	close()
}

// whole is the inverse for few points, with all columns stored.
type whole struct {
	*deformed.Whole
	geometry *geometry.Geometry
	power    *graph.Laplacian // Lᵖ
	bias     objective.Bias
}

func (w whole) prepare(ctx context.Context, _, _ []int) error { return ctx.Err() }

func (w whole) problem(_ context.Context, labelled []int) (train.ReducedProblem, error) {
	return w.Whole.Problem(labelled), nil
}

// functions are α = (J_Lᵀa − γI Lᵖh)/γA, as [deformed.Problem.Expansions] has them.
func (w whole) functions(ctx context.Context, c train.ReducedProblem, labelled []int, at []*deformed.Solution) (coefficients, residual [][]float64, err error) {
	h, err := c.Outputs(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	for k, p := range at {
		coefficients = append(coefficients, make([]float64, len(h[k])))
		if w.bias == objective.BiasOutside {
			for i := range h[k] {
				h[k][i] -= p.B
			}
		}
	}
	if err := w.power.Mul(ctx, coefficients, h); err != nil {
		return nil, nil, err
	}
	for k, p := range at {
		for i := range coefficients[k] {
			coefficients[k][i] *= -w.I / w.A
		}
		for j, i := range labelled {
			coefficients[k][i] += p.A[j] / w.A
		}
	}
	return coefficients, nil, nil
}

func (w whole) expansion(_ context.Context, coefficients [][]float64, bias []float64) (gram.Expansion, error) {
	return gram.Expansion{Kernel: w.geometry.Kernel(), Basis: w.geometry.Points(), Coefficients: coefficients, Bias: bias}, nil
}

func (w whole) close() {}

// alone is the inverse of a supervised machine, K/γA: the column of a point has its kernel values.
type alone struct {
	geometry *geometry.Geometry
	gammaA   float64
	bias     objective.Bias
}

func (q alone) prepare(ctx context.Context, _, _ []int) error { return ctx.Err() }

// among returns the inverse for some of the points, with all columns stored.
func (q alone) among(ctx context.Context, points []int) (*deformed.Whole, error) {
	k, err := gram.NewHalf(ctx, q.geometry.Points().Subset(points), q.geometry.Kernel(), gram.Double)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	return deformed.Alone(ctx, k, q.gammaA, q.bias)
}

func (q alone) problem(ctx context.Context, labelled []int) (train.ReducedProblem, error) {
	w, err := q.among(ctx, labelled)
	if err != nil {
		return nil, err
	}
	return aloneProblem{w.Problem(indices(len(labelled))).Problem, q, labelled}, nil
}

// aloneProblem is the problem of labelled points of a supervised machine, with the outputs of the others.
type aloneProblem struct {
	*deformed.Problem
	of       alone
	labelled []int
}

func (c aloneProblem) Outputs(ctx context.Context, at []*deformed.Solution) ([][]float64, error) {
	x := c.of.geometry.Points()
	e := gram.Expansion{Kernel: c.of.geometry.Kernel(), Basis: x.Subset(c.labelled)}
	f := make([][]float64, len(at))
	for k, p := range at {
		alpha := make([]float64, len(p.A))
		vec.Axpy(1/c.of.gammaA, p.A, alpha)
		f[k], e.Coefficients, e.Bias = make([]float64, x.Len()), append(e.Coefficients, alpha), append(e.Bias, p.B)
	}
	return f, e.Values(ctx, f, x, gram.Double)
}

func (q alone) functions(_ context.Context, _ train.ReducedProblem, labelled []int, at []*deformed.Solution) (coefficients, residual [][]float64, err error) {
	for _, p := range at {
		alpha := make([]float64, q.geometry.Len())
		for j, i := range labelled {
			alpha[i] = p.A[j] / q.gammaA
		}
		coefficients = append(coefficients, alpha)
	}
	return coefficients, nil, nil
}

func (q alone) expansion(_ context.Context, coefficients [][]float64, bias []float64) (gram.Expansion, error) {
	return gram.Expansion{Kernel: q.geometry.Kernel(), Basis: q.geometry.Points(), Coefficients: coefficients, Bias: bias}, nil
}

func (q alone) close() {}

// growing is the inverse for many points, with some columns stored.
type growing struct {
	*nystrom.Columns
	landmarks *gram.Landmarks
}

func (g growing) prepare(ctx context.Context, points, likely []int) error {
	var missing []int
	for _, i := range points {
		if !g.Has(i) {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return ctx.Err()
	}
	seen := make(map[int]bool)
	for _, i := range missing {
		seen[i] = true
	}
	for _, i := range likely { // a panel takes as long whether it is full or not
		if len(missing)%vec.MaxPanel == 0 {
			break
		}
		if !g.Has(i) && !seen[i] {
			seen[i] = true
			missing = append(missing, i)
		}
	}
	return g.Add(ctx, missing)
}

func (g growing) problem(ctx context.Context, labelled []int) (train.ReducedProblem, error) {
	return g.Columns.Problem(ctx, labelled)
}

func (g growing) functions(ctx context.Context, c train.ReducedProblem, _ []int, at []*deformed.Solution) (coefficients, residual [][]float64, err error) {
	all, err := c.(*nystrom.Problem).Functions(ctx, at)
	for _, f := range all {
		if len(f.Weights) < g.landmarks.Rank() { // of edges alone, on no landmark
			f.Weights = make([]float64, g.landmarks.Rank())
		}
		coefficients, residual = append(coefficients, f.Weights), append(residual, f.Residual)
	}
	return coefficients, residual, err
}

func (g growing) expansion(ctx context.Context, weights [][]float64, bias []float64) (gram.Expansion, error) {
	e, _, err := g.landmarks.Expansion(ctx, weights, bias)
	return e, err
}

func (g growing) close() { g.Columns.Close() }

// invert makes the inverse of every member on the ground g.
func (l *Labelling) invert(ctx context.Context, g *train.Ground, members []train.Member) ([]inverse, error) {
	if l.alone != nil {
		return []inverse{alone{g.Geometry, members[0].GammaA, g.Recipe.Bias}}, nil
	}
	ctx = l.o.Run.Watch(ctx, "preparing for labels")
	if g.Geometry.Landmarks() != nil {
		return l.invertOnLandmarks(ctx, g, members)
	}
	var all []inverse
	for k, m := range members {
		w, err := invertWhole(parallel.Share(ctx, float64(k)/float64(len(members)), float64(k+1)/float64(len(members))), g.Geometry, m, g.Recipe.Bias)
		if err != nil {
			return nil, err
		}
		l, err := laplacian(ctx, g, graphOf{m.Neighbours, m.LaplacianDegree})
		if err != nil {
			return nil, err
		}
		all = append(all, whole{w, g.Geometry, l, g.Recipe.Bias})
	}
	return all, nil
}

// invertWhole makes the whole inverse of a member on a geometry. The shares of its parts are measured, of 1,500 points.
func invertWhole(ctx context.Context, g *geometry.Geometry, m train.Member, bias objective.Bias) (*deformed.Whole, error) {
	if _, err := g.Factor(parallel.Successive(parallel.Share(ctx, 0, 0.3))); err != nil {
		return nil, err
	}
	powers, err := g.Powers(parallel.Successive(parallel.Share(ctx, 0.3, 0.35)), m.Neighbours)
	if err != nil {
		return nil, err
	}
	return powers.Whole(parallel.Successive(parallel.Share(ctx, 0.35, 1)), m.LaplacianDegree, deformed.Gammas{A: m.GammaA, I: m.GammaI}, bias)
}

// graphOf names a graph and the power of its Laplacian.
type graphOf struct{ neighbours, degree int }

func (l *Labelling) invertOnLandmarks(ctx context.Context, g *train.Ground, members []train.Member) (all []inverse, err error) {
	landmarks, spaces := g.Geometry.Landmarks(), make(map[graphOf]*nystrom.Space)
	var k nystrom.Landmarks = landmarks
	if g.Recipe.ByEdges {
		if k, err = train.DiagonalOf(ctx, g.Geometry, g.Recipe); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			closeAll(all)
		}
	}()
	for number, m := range members {
		key := graphOf{m.Neighbours, m.LaplacianDegree}
		if spaces[key] == nil {
			power, err := laplacian(ctx, g, key)
			if err != nil {
				return nil, err
			}
			if spaces[key], err = nystrom.New(ctx, k, power); err != nil {
				return all, err
			}
		}
		o := nystrom.Options{Tolerance: g.Recipe.Tolerance, MaxIterations: g.Recipe.MaxIterations, Progress: func(done, of int) { l.learns(number, len(members), done, of) }}
		if l.o.Audited && o.Tolerance == 0 {
			o.Tolerance = train.RoughTolerance
		}
		columns, err := spaces[key].Columns(ctx, deformed.Gammas{A: m.GammaA, I: m.GammaI}, g.Recipe.Bias, g.Recipe.Precision, o)
		if err != nil {
			return all, fmt.Errorf("labels of many points: %w", err)
		}
		all = append(all, growing{columns, landmarks})
	}
	return all, nil
}

func laplacian(ctx context.Context, g *train.Ground, form graphOf) (*graph.Laplacian, error) {
	w, _, err := g.Geometry.Graph(ctx, form.neighbours)
	if err != nil {
		return nil, err
	}
	return g.Geometry.Laplacian(w, form.degree), nil
}

func closeAll(all []inverse) {
	for _, q := range all {
		q.close()
	}
}
