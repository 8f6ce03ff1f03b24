package train

import (
	"cmp"
	"context"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
)

// onLandmarks is the row of the solver in function space, on landmarks.
func onLandmarks() method {
	return method{name: Landmarks, minimises: objective.Loss.Smooth, one: true, reduced: true, form: gram.FormLandmarks, bytes: landmarkBytes, minimise: minimiseOnLandmarks, without: withoutOnLandmarks}
}

// preciseTolerance is the tolerance below which products with Φ are formed in double precision:
// rounding to single would then exceed the error the solver leaves.
const preciseTolerance = 1e-4

// minimiseOnLandmarks solves the problem for every member of the recipe, and takes the
// mean, or for its one machine and the challenger, and takes the better.
func minimiseOnLandmarks(ctx context.Context, p *Problem, m *minimum, _ *Validation, run Run) error {
	landmarks := p.Geometry.Landmarks()
	var k nystrom.Landmarks = landmarks
	if p.Recipe.Tolerance > 0 && p.Recipe.Tolerance < preciseTolerance && k.Precision() == gram.Single {
		k = landmarks.Precise()
	}
	unlike := p.Recipe.Unlike(p.data)
	if unlike {
		var err error
		if k, err = DiagonalOf(ctx, p.Geometry, p.Recipe); err != nil {
			return err
		}
	}
	ctx = parallel.Unwatched(ctx) // shares of members are told, not their passes
	p.layOut(k)
	weights := p.startOnLandmarks(m, k)
	var err error
	switch {
	case p.all != nil && !p.data.Edges.Given() && p.Recipe.samples(p.all.Points, len(p.Task.Labelled), p.sampled):
		err = p.minimiseBySample(ctx, m, weights, k, run)
	case p.Recipe.Pending.Challenger != nil:
		weights, err = p.minimiseBest(ctx, m, weights, k, run)
	default:
		err = p.minimiseMean(ctx, m, weights, k, run)
	}
	if err != nil {
		return err
	}
	switch {
	case p.Recipe.ByEdges: // features follow in [Problem.byFeatures]
		for c := range weights {
			weights[c] = make([]float64, landmarks.Rank())
		}
	case unlike:
		m.residual = nil
		for c, f := range m.F {
			m.Alpha = append(m.Alpha, slices.Clone(f))
			addTo(m.Alpha[c:], []float64{-m.B[c]})
		}
		return nil
	}
	m.expansion, m.basis, err = landmarks.Expansion(ctx, weights, m.B)
	return err
}

// DiagonalOf returns the matrix that equations of rows without a feature have, which are [Recipe.Unlike]: by their degrees in the graph of a normalised Laplacian.
func DiagonalOf(ctx context.Context, g *geometry.Geometry, r Recipe) (*nystrom.Diagonal, error) {
	w, _, err := g.Graph(ctx, 0)
	if err != nil {
		return nil, err
	}
	if r.Graph.Unnormalised {
		return nystrom.NewDiagonal(slices.Repeat([]float64{1}, w.Len())), nil
	}
	return nystrom.NewDiagonal(w.InverseDegrees()), nil
}

// layOut lays the Laplacian out as the landmarks are, once for all that solve on them. The Laplacian in the order of the points is then free. So
// are the distances of neighbours, unless another graph needs them: that of another member, one beside given edges, or that of all ranks.
func (p *Problem) layOut(k nystrom.Landmarks) {
	if order := k.Order(); order != nil && p.laplacian != nil {
		p.laplacian = p.laplacian.Ordered(order)
		p.Problem.L = p.laplacian
	}
	if ranks, _ := p.Geometry.Shared(); ranks.Alone() && len(p.Recipe.Members) == 0 && !p.data.Edges.Given() {
		p.Geometry.ForgetDistances()
	}
}

// startOnLandmarks makes a mean of no members yet, and returns its weights of landmarks.
func (p *Problem) startOnLandmarks(m *minimum, k nystrom.Landmarks) (weights [][]float64) {
	machines := len(p.Problem.Targets)
	m.Solution = &solve.Solution{B: make([]float64, machines), Objective: make([]float64, machines), ErrorVectors: make([]int, machines),
		Iterations: make([]int, machines), LineSearchSteps: make([]int, machines), Status: make([]solve.Status, machines)}
	m.F, m.residual = make([][]float64, machines), make([][]float64, machines)
	for c := range machines {
		m.Status[c] = solve.Converged
		weights = append(weights, make([]float64, k.Rank()))
	}
	return weights
}

// minimiseMean solves for every member of the recipe. Members of one graph and degree
// share its space.
func (p *Problem) minimiseMean(ctx context.Context, m *minimum, weights [][]float64, k nystrom.Landmarks, run Run) error {
	members := p.Recipe.Machines()
	for same := range groups(members, func(m Member) Member { return Member{Neighbours: m.Neighbours, LaplacianDegree: m.LaplacianDegree} }) {
		l := p.laplacian
		switch {
		case p.Recipe.Supervised:
			l = graph.NewLaplacian(&graph.Adjacency{Start: make([]int, k.Len()+1)}, false, 1) // of no edges
		case len(members) > 1:
			w, _, err := p.Geometry.Graph(ctx, same[0].Neighbours)
			if err != nil {
				return err
			}
			l = p.Geometry.Laplacian(w, same[0].LaplacianDegree)
		}
		space, err := nystrom.New(run.Watch(ctx, "products with the Laplacian"), k, l)
		if err != nil {
			return err
		}
		for number, member := range same {
			progress := run.share("solving", float64(number)/float64(len(same)), float64(number+1)/float64(len(same)))
			if err := p.solveInSpace(ctx, m, weights, space, member, progress); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostColumns is the most labelled points whose columns are solved for. Beyond, Newton's
// method on the machines takes less time and memory, but trains anew without labels.
const mostColumns = 1000

// solveByNewton is solveInSpace for many labels.
func (p *Problem) solveByNewton(ctx context.Context, m *minimum, weights [][]float64, space *nystrom.Space, member Member, o nystrom.Options) error {
	problem := nystrom.Training{Gammas: deformed.Gammas{A: member.GammaA, I: member.GammaI}, Columns: p.Columns(), Labelled: p.Task.Labelled, Bias: p.Problem.Bias}
	minima, err := space.Minimise(ctx, problem, o)
	if err != nil {
		return err
	}
	for c, f := range minima {
		m.take(c, member.Weight, f.Function, weights)
		m.B[c] += member.Weight * f.Bias
		m.Objective[c] += member.Weight * f.Objective
		m.Iterations[c], m.ErrorVectors[c] = max(m.Iterations[c], f.Iterations), f.ErrorVectors
		if !f.Converged {
			m.Status[c] = solve.IterationLimit
		}
	}
	if m.sample == nil {
		m.spaces = append(m.spaces, solvedSpace{member.Weight, problem, space, o})
	}
	return nil
}

// take adds a function to the mean. The only one is taken as it is.
func (m *minimum) take(c int, weight float64, f nystrom.Function, weights [][]float64) {
	vec.Axpy(weight, f.Weights, weights[c])
	if weight == 1 && m.F[c] == nil {
		m.F[c], m.residual[c] = f.Values, f.Residual
		return
	}
	if m.F[c] == nil {
		m.F[c], m.residual[c] = make([]float64, len(f.Values)), make([]float64, len(f.Values))
	}
	vec.Axpy(weight, f.Values, m.F[c])
	vec.Axpy(weight, f.Residual, m.residual[c])
}

// solvedSpace is a member that Newton's method solved.
type solvedSpace struct {
	weight  float64
	problem nystrom.Training
	space   *nystrom.Space
	options nystrom.Options
}

// withoutOnLandmarks returns the outputs of machines without the labels of a fold. They are exact
// where there are columns; else the machines are trained anew.
func withoutOnLandmarks(ctx context.Context, p *Problem, m *minimum, folds [][]int, run Run) ([][][]float64, error) {
	if m.sample != nil {
		return m.sample.without(ctx, p, m, folds, run)
	}
	if len(m.spaces) == 0 {
		return withoutExactly(ctx, p, m, folds, run)
	}
	ctx = parallel.Unwatched(ctx)
	return p.masked(ctx, m, folds, func(masked *objective.Problem) (*solve.Solution, error) {
		s := &solve.Solution{}
		for range masked.Targets {
			s.F = append(s.F, make([]float64, p.Geometry.Len()))
		}
		for number, one := range m.spaces {
			one.problem.Targets = masked.Targets
			one.options.Progress = run.share("learning probabilities", float64(number)/float64(len(m.spaces)), float64(number+1)/float64(len(m.spaces)))
			minima, err := one.space.Minimise(ctx, one.problem, one.options)
			if err != nil {
				return nil, err
			}
			for c, f := range minima {
				vec.Axpy(one.weight, f.Values, s.F[c])
			}
		}
		return s, nil
	})
}

// solveInSpace solves a member and adds it to the mean.
func (p *Problem) solveInSpace(ctx context.Context, m *minimum, weights [][]float64, space *nystrom.Space, member Member, progress func(done, total int)) error {
	o := nystrom.Options{Tolerance: p.Recipe.Tolerance, MaxIterations: p.Recipe.MaxIterations, Progress: progress}
	if len(p.Task.Labelled) > mostColumns {
		return p.solveByNewton(ctx, m, weights, space, member, o)
	}
	o.Tolerance = cmp.Or(o.Tolerance, p.rough)
	one, err := p.solveReduced(ctx, space, member, o)
	if err != nil {
		return err
	}
	return p.addReduced(ctx, m, weights, one)
}

// onColumns is a member solved on columns.
type onColumns struct {
	solvedMember
	columns *nystrom.Problem
}

// solveReduced solves a member on the columns of its labelled points, which the caller gives back.
func (p *Problem) solveReduced(ctx context.Context, space *nystrom.Space, member Member, o nystrom.Options) (*onColumns, error) {
	reduced, err := space.Problem(ctx, deformed.Gammas{A: member.GammaA, I: member.GammaI}, p.Task.Labelled, p.Problem.Bias, p.Recipe.Precision, o)
	if err != nil {
		return nil, err
	}
	return p.onReduced(ctx, reduced, member), nil
}

// onReduced solves the machines of a member on a cell.
func (p *Problem) onReduced(ctx context.Context, reduced *nystrom.Problem, member Member) *onColumns {
	p.sentPerIteration = reduced.SentPerIteration()
	one := &onColumns{solvedMember{Member: member, cell: reduced.Problem}, reduced}
	for c := range p.Problem.Targets {
		one.at = append(one.at, p.Columns().Machine(reduced.Problem, c).Solve(ctx, nil))
	}
	return one
}

// addReduced adds a solved member to the mean, and gives its columns back.
func (p *Problem) addReduced(ctx context.Context, m *minimum, weights [][]float64, one *onColumns) error {
	reduced, s := one.columns, one.solvedMember
	defer reduced.Close()
	functions, err := reduced.Functions(ctx, s.at)
	if err != nil {
		return err
	}
	for c, f := range functions {
		m.take(c, s.Weight, f, weights)
	}
	p.addMachines(m, s)
	if !reduced.Converged {
		for c := range m.Status {
			m.Status[c] = solve.IterationLimit
		}
	}
	for c := range m.Iterations {
		m.Iterations[c] = max(m.Iterations[c], reduced.Iterations)
	}
	m.members = append(m.members, s)
	return ctx.Err()
}
