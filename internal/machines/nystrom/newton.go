package nystrom

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/linesearch"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/vec"
)

// Training is machines to be trained on a space: their columns, of which a target of 0
// leaves the label of a point out.
type Training struct {
	deformed.Gammas
	deformed.Columns
	Labelled []int
	Bias     objective.Bias
}

// Minimum is where the objective of a machine is least.
type Minimum struct {
	Function
	Objective    float64
	ErrorVectors int
	Iterations   int // of conjugate gradient, in all steps
	Converged    bool
}

// maxNewtonSteps bounds the steps of Newton's method, which takes a handful.
const maxNewtonSteps = 40

// firstTolerance is that of the first step's equations. It becomes a tenth from step to
// step: the pieces of the loss change most in the first, whatever the functions are.
const firstTolerance = 0.1

// Minimise trains machines with so many labels that one column for each, as [Space.Problem] needs,
// would cost too much. It trains 16 machines at a time by Newton's method with exact line search.
// Each labelled point is on a piece of the loss, where the derivative of ½c_i V in f_i is
// D_i f_i − t_i. With the bias eliminated, a step solves
//
//	(Q + D − vvᵀ/κ) f = t + …
//
// by conjugate gradient, where v = γA K̂⁻¹1 and κ = 1ᵀv with the bias in the norm, v = D1 and
// κ = 1ᵀD1 with the bias outside, and v = 0 without a bias. A loss with a kink is left to package
// deformed. Where κ is 0 the step minimises J + ½γA(b − b_old)².
//
// The first equations are solved roughly, because the pieces still change. Minimise ends
// when a step solved to the tolerance lowers no objective by more than the tolerance. Cost: some
// ten steps for 16 machines, each of some 40 iterations like those of Problem where labels weigh much
// more than the norms.
func (s *Space) Minimise(ctx context.Context, p Training, o Options) ([]Minimum, error) {
	o = o.withDefaults(1e-3)
	p.Labelled = s.rows(p.Labelled)
	a, err := s.withLabels(ctx, p)
	if err != nil {
		return nil, err
	}
	var all []Minimum
	for targets := range slices.Chunk(p.Targets, vec.MaxPanel) {
		n := &newton{withLabels: a, targets: targets, o: o}
		some, err := n.minimise(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// newton is Newton's method for the machines of a panel.
type newton struct {
	*withLabels
	targets [][]float64 // of every machine
	o       Options
	f, qf   []float64          // the functions without a bias outside, and Q times these
	at      []float64          // f at the labelled points
	pieces  []*objective.Piece // of the loss there; nil where a column leaves the label out
	b       scalars
	done    int // iterations
}

func (n *newton) minimise(ctx context.Context) ([]Minimum, error) {
	n.fit(len(n.targets))
	size, labels := n.k.Len()*n.width, len(n.p.Labelled)*n.width
	n.in, n.pull = make([]float64, labels), make([]float64, labels)
	n.f, n.qf, n.at = make([]float64, size), make([]float64, size), make([]float64, labels)
	n.pieces = make([]*objective.Piece, labels)
	next, right, moved := make([]float64, size), make([]float64, size), make([]float64, size)
	all := make([]Minimum, len(n.targets))
	converged, o := false, n.o
	o.Tolerance = max(firstTolerance, n.o.Tolerance)
	n.divide(true)
	before := n.objectives(ctx)
	for step := 0; step < maxNewtonSteps && !converged; step++ {
		n.rightSide(ctx, right)
		copy(next, n.f)
		whole := n.squares()
		answer, err := solve(ctx, n, next, right, start(ctx, n, next, right), &whole, o, func(quarters, _ int) {
			if n.o.Progress != nil {
				n.o.Progress(4*n.done+quarters, max(4*60, 4*(n.done+12)+quarters))
			}
		})
		if err != nil {
			return nil, err
		}
		n.done += answer.iterations
		for c := range all {
			all[c].Iterations += answer.iterations
		}
		b := n.newBias(ctx, next)
		vec.Axpy(-1, n.f, next) // the direction
		n.operator.mul(ctx, moved, next)
		n.move(ctx, next, moved, b)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n.divide(false)
		now := n.objectives(ctx)
		converged = o.Tolerance == n.o.Tolerance
		for c, value := range now {
			converged = converged && before[c]-value <= max(n.o.Tolerance, 1e-15)*math.Abs(value)
		}
		before, o.Tolerance = now, max(o.Tolerance/10, n.o.Tolerance)
	}
	return all, n.describe(ctx, all, converged)
}

// divide sets the pieces of the loss of the present functions, or those to begin on, with D and t.
func (n *newton) divide(begin bool) {
	clear(n.in)
	clear(n.pull)
	width := n.width
	pieces := n.p.Loss.Pieces()
	for c, targets := range n.targets {
		for k, y := range targets {
			q, at := pieces.PieceAt(y, n.output(k, c)), k*width+c
			if begin && q != nil {
				q = &pieces[pieces.Begin(y)]
			}
			if n.pieces[at] = q; q != nil {
				n.in[at], n.pull[at] = n.p.Weights.At(k)*q.Square, n.p.Weights.At(k)*pieces.Pull(q, y)
			}
		}
	}
	if n.p.Bias == objective.BiasOutside {
		n.kappa = scalars{}
		for at, d := range n.in {
			n.kappa[at%width] += d
		}
	}
}

// output returns that of labelled point k.
func (n *newton) output(k, c int) float64 {
	if n.p.Bias == objective.BiasOutside {
		return n.at[k*n.width+c] + n.b[c]
	}
	return n.at[k*n.width+c]
}

// omega is the derivative of the one-class term.
func (n *newton) omega() float64 {
	if n.p.OneClass {
		return 0.5
	}
	return 0
}

// rightSide computes what the functions of a step solve for: with the bias in the norm
// t − ωv/κ, with the bias outside t − D1(1ᵀt − ω)/κ, without one t.
func (n *newton) rightSide(ctx context.Context, right []float64) {
	clear(right)
	width := n.width
	var shift scalars
	for c := range n.targets {
		switch n.p.Bias {
		case objective.BiasInNorm:
			shift[c] = -n.omega() / n.kappa[c]
		case objective.BiasOutside:
			shift[c] = -n.meanTarget(c)
		}
	}
	n.addBias(ctx, right, 1, &shift)
	for k, i := range n.p.Labelled {
		if i == elsewhere {
			continue
		}
		for c := range n.targets {
			right[i*width+c] += n.pull[k*width+c]
		}
	}
}

// squares returns twice the objective of a step at zero functions, for which every point keeps its
// piece of the loss.
func (n *newton) squares() (whole scalars) {
	for k := range n.p.Labelled {
		for c, targets := range n.targets {
			b := 0.0
			if n.p.Bias == objective.BiasOutside {
				b = n.meanTarget(c)
			}
			if q := n.pieces[k*n.width+c]; q != nil {
				whole[c] += q.Cost(n.p.Weights.At(k), n.p.Loss.Pieces().Shortfall(targets[k], b))
			}
		}
	}
	return whole
}

// meanTarget returns (1ᵀt − ω)/κ, the bias of a step at zero functions.
func (n *newton) meanTarget(c int) float64 {
	sum := -n.omega()
	for k := range n.p.Labelled {
		sum += n.pull[k*n.width+c]
	}
	if n.kappa[c] == 0 {
		return n.b[c] + sum/n.p.A
	}
	return sum / n.kappa[c]
}

// newBias returns the bias that belongs to functions.
func (n *newton) newBias(ctx context.Context, f []float64) (b scalars) {
	if n.p.Bias == objective.NoBias {
		return b
	}
	b = n.bias(ctx, f)
	for c := range n.targets {
		if n.p.Bias == objective.BiasInNorm {
			b[c] -= n.omega() / n.kappa[c]
		} else {
			b[c] = n.meanTarget(c) - b[c]
		}
	}
	return b
}

// move moves functions and biases to the minimum along a direction d, with Qd and
// the biases at its end.
func (n *newton) move(ctx context.Context, d, qd []float64, end scalars) {
	at0, slope := n.dots(ctx, d, n.qf), n.dots(ctx, d, qd)
	var vf, vd scalars
	if n.p.Bias == objective.BiasInNorm {
		vf, vd = n.weighted(ctx, n.f, n.v), n.weighted(ctx, d, n.v)
	}
	search, l, width := linesearch.Search{}, len(n.p.Labelled), n.width
	f, rate, along := make([]float64, l), make([]float64, l), n.gather(ctx, d, n.p.Labelled)
	var steps scalars
	for c, targets := range n.targets {
		db := end[c] - n.b[c]
		shift := 0.0
		switch n.p.Bias {
		case objective.BiasInNorm:
			at0[c] += -n.b[c]*vd[c] - db*vf[c] + n.b[c]*db*n.kappa[c]
			slope[c] += -2*db*vd[c] + db*db*n.kappa[c]
		case objective.BiasOutside:
			shift = db
		}
		for k := range n.p.Labelled {
			f[k], rate[k] = n.output(k, c), along[k*width+c]+shift
		}
		steps[c], _ = search.Minimise(n.p.Loss, targets, n.p.Weights, f, rate, at0[c]+n.omega()*db, slope[c])
		n.b[c] += steps[c] * db
	}
	n.each(ctx, func(_, from, to int) {
		for i := from * width; i < to*width; i += width {
			for c, by := range steps[:width] {
				n.f[i+c] += by * d[i+c]
				n.qf[i+c] += by * qd[i+c]
			}
		}
	})
	n.at = n.gather(ctx, n.f, n.p.Labelled)
}

// objectives returns those of the present functions, with their pieces of the loss.
func (n *newton) objectives(ctx context.Context) (all scalars) {
	quadratic := n.dots(ctx, n.f, n.qf)
	var vf scalars
	if n.p.Bias == objective.BiasInNorm {
		vf = n.weighted(ctx, n.f, n.v)
	}
	for c, targets := range n.targets {
		all[c] = quadratic[c]/2 + n.omega()*n.b[c]
		if n.p.Bias == objective.BiasInNorm {
			all[c] += -n.b[c]*vf[c] + n.b[c]*n.b[c]*n.kappa[c]/2
		}
		for k := range n.p.Labelled {
			if q := n.pieces[k*n.width+c]; q != nil {
				all[c] += q.Cost(n.p.Weights.At(k), n.p.Loss.Pieces().Shortfall(targets[k], n.output(k, c))) / 2
			}
		}
	}
	return all
}

// describe tells of the minima.
func (n *newton) describe(ctx context.Context, all []Minimum, converged bool) error {
	objectives := n.objectives(ctx)
	for c := range all {
		m := &all[c]
		m.Converged, m.Bias, m.Values, m.Objective = converged, n.b[c], n.values(n.f, c), objectives[c]
		for k := range n.p.Labelled {
			if q := n.pieces[k*n.width+c]; q != nil && !q.Flat() {
				m.ErrorVectors++
			}
		}
		if n.p.Bias == objective.BiasOutside {
			for i := range m.Values {
				m.Values[i] += n.b[c]
			}
		}
	}
	if n.p.Bias == objective.BiasInNorm {
		n.subtract(ctx, n.f, &n.b)
	}
	n.explain(ctx, n.qf, n.f) // which are not needed any more
	for c := range all {
		all[c].Residual, all[c].Weights = n.values(n.qf, c), n.column(n.weights, c)
	}
	return ctx.Err()
}
