package train

import (
	"context"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Solver names the algorithm that minimises the objective.
type Solver string

// The solvers. The empty Solver is Auto.
const (
	// Auto is Dual for the hinge. For smooth losses it is Newton for a supervised machine of up to
	// 4,000 labelled points. Up to 6,000 points it is Deformed for label shares, and for numbers and for parameters that were chosen by comparing
	// machines, if the squares of the labels are 32,000,000 at most in all machines together. For a kernel neither linear nor given
	// it is Landmarks beyond 15,000 points; for chosen parameters already beyond 6,000; and of rows without a feature always. In all other cases it is PCG. It is
	// never Deformed for a recipe with a tolerance, a limit of the iterations or a goal condition, nor Landmarks for one with a goal condition.
	Auto     Solver = "auto"
	PCG      Solver = "pcg"      // preconditioned conjugate gradient, O(n²) per iteration
	Newton   Solver = "newton"   // Newton's method, O(n³) per step
	Deformed Solver = "deformed" // exact, in the space of the labelled points, O(n³) once; in float64
	// Landmarks solves for the functions on the points by columns of an inverse, with a
	// Gram matrix made of a few points: O(n) per iteration.
	Landmarks Solver = "landmarks"
	Dual      Solver = "dual" // the original LapSVM: the same for losses with a kink, such as the hinge, its bias outside the intrinsic norm
)

// method is what is particular to a solver.
type method struct {
	name      Solver
	minimises func(objective.Loss) bool
	// reduced means that it solves in the space of the labelled points: it knows means of
	// members, and machines without some labels exactly.
	reduced bool
	exact   bool      // the same by a factor of K: of its rows, in float64; it knows what every label adds
	rows    bool      // needs the rows of K, not only products
	form    gram.Form // of K, the only one that it takes; "" for any
	outer   bool      // leaves the bias out of the intrinsic norm
	one     bool      // knows one-class machines
	// bytes estimates the memory beside the data, the Gram matrix and a few columns.
	bytes func(p Plan) int64
	// minimise solves the problem and fills in m.
	minimise func(ctx context.Context, p *Problem, m *minimum, v *Validation, run Run) error
	// without returns the outputs [fold][machine][label of the fold] of machines
	// that do not see the labels of the fold.
	without func(ctx context.Context, p *Problem, m *minimum, folds [][]int, run Run) ([][][]float64, error)
}

// methods is the table of solvers. To add one is a file with its row, and a line
// here.
func methods() []method {
	return []method{pcg(), newton(), deformedKernel(), dual(), onLandmarks()}
}

// SolverNames returns the names of all solvers, Auto first.
func SolverNames() []string {
	names := []string{string(Auto)}
	for _, m := range methods() {
		names = append(names, string(m.name))
	}
	return names
}

// methodOf returns the row of a solver that is not Auto.
func methodOf(s Solver) (method, bool) {
	all := methods()
	at := slices.IndexFunc(all, func(m method) bool { return m.name == s })
	if at < 0 {
		return method{}, false
	}
	return all[at], true
}

// losses returns the losses that the solver minimises, its default first.
func (m method) losses() []objective.Loss {
	return slices.DeleteFunc(objective.Losses(), func(l objective.Loss) bool { return !m.minimises(l) })
}

// solversOf returns the solvers that minimise a loss and satisfy a condition.
func solversOf(loss objective.Loss, condition func(method) bool) []Solver {
	var names []Solver
	for _, m := range methods() {
		if m.minimises(loss) && condition(m) {
			names = append(names, m.name)
		}
	}
	return names
}

// Exact returns the solver that minimises a known loss exactly, by a factor of K.
func Exact(loss objective.Loss) Solver {
	return solversOf(loss, func(m method) bool { return m.exact })[0]
}

// exactLimit is the number of points up to which Auto takes the exact solver, by which the
// parameters were chosen.
const exactLimit = 6000

// newtonLimit is the number of labelled points up to which Auto takes Newton's
// method for a supervised machine.
const newtonLimit = 4000

// resolveSolver returns the recipe with Auto resolved for n points, and with it the precision.
func (r Recipe) resolveSolver(n, labelled int, unlike bool) Recipe {
	if r.Solver != Auto {
		return r
	}
	switch r.Solver = PCG; {
	case r.Supervised && r.kind().residuals && labelled <= newtonLimit: // machines without a label are exact
		r.Solver, r.Precision = Deformed, gram.Double
	case r.Supervised && labelled <= newtonLimit:
		r.Solver = Newton
	case r.LabelShares && n <= exactLimit && !r.steered():
		r.Solver, r.Precision = Deformed, gram.Double
	case r.Landmarks > 0 || r.Compact || r.Gram == gram.FormLandmarks:
		r.Solver = Landmarks
	case unlike && r.AllowsLandmarks(unlike), n > LandmarkLimit && r.PrefersLandmarks(n):
		r.Solver = Landmarks
	case r.kind().residuals && r.Gram == "" && r.PrefersExact(n, labelled, 1):
		r.Solver, r.Precision = Deformed, gram.Double
	}
	return r
}

// LandmarkLimit is the number of points beyond which Auto takes landmarks, also for given
// parameters: PCG with the whole matrix takes longer there.
const LandmarkLimit = 15000

// PrefersLandmarks reports whether Auto takes landmarks for so many points and for
// parameters chosen by comparing machines. Landmarks solve for these parameters whatever their
// condition is, also to a tolerance, and within a limit of the iterations.
func (r Recipe) PrefersLandmarks(n int) bool { return n > exactLimit && r.AllowsLandmarks(false) }

// AllowsLandmarks reports whether landmarks can have what the recipe asks for. Their kernel has basis points, or the rows are [Recipe.Unlike].
func (r Recipe) AllowsLandmarks(unlike bool) bool {
	return r.Stop == "" && r.CheckEvery == 0 && !r.LabelShares && !r.Supervised && (unlike || r.Kernel.Kind().BasisPoints())
}

// MayGoByEdges reports whether [Recipe].ByEdges is open to a choice on d.
func (r Recipe) MayGoByEdges(d *dataset.Dataset) bool {
	return d.Edges.Given() && !r.Unlike(d) && r.goesByEdges()
}

// goesByEdges reports whether [Recipe].ByEdges counts: features have landmarks then, and the graph has no edges of neighbours.
func (r Recipe) goesByEdges() bool {
	return r.Graph.EdgesAlone && kernel.OfFeatures(r.Kernel) && (r.Solver == Auto || r.Solver == "" || r.Solver == Landmarks) && (r.Loss == "" || r.Loss.Smooth()) && r.AllowsLandmarks(true)
}

// Unlike reports whether no row of d is like another, so that the Gram matrix is the identity: rows without a feature are, and those that go by edges. A function's
// coefficients are then its values, and equations in these are of the graph alone, whatever the landmarks are.
func (r Recipe) Unlike(d *dataset.Dataset) bool {
	return r.ByEdges && r.goesByEdges() || d.Featureless && r.Kernel != nil && r.Kernel.Kind().Linear && r.Standardise == points.AsIs
}

// SolverFor returns the solver that trains by the recipe on so many points and labels.
func (r Recipe) SolverFor(n, labelled int) Solver {
	if r.Solver == "" {
		r.Solver = Auto
	}
	return r.resolveSolver(n, labelled, false).Solver
}

// exactLabels bounds the squares of the labels, summed over the machines, for the exact solver. It keeps a matrix of the labels
// for every machine, and more of them for means: about 5 GB at the bound.
const exactLabels = 32e6

// PrefersExact reports whether Auto takes the exact solver for n points, so many labels and machines, and parameters that were
// chosen by it.
func (r Recipe) PrefersExact(n, labelled, machines int) bool {
	return n <= exactLimit && float64(machines)*float64(labelled)*float64(labelled) <= exactLabels && !r.steered()
}

// steered reports whether the recipe asks for something that the exact solver has not: iterations and their end.
func (r Recipe) steered() bool {
	return r.Stop != "" || r.CheckEvery != 0 || r.MaxIterations != 0 || r.Tolerance != 0
}
