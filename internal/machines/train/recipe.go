// Package train makes classifiers by manifold regularization. A [geometry.Geometry] holds what
// follows from the points, a [task.Task] what follows from the labels, and a [Recipe] all other
// settings of a training. [Pose] and [Problem.Solve] put the three together. [Fit] begins at a data set. Most
// programs use neither, but a lapsvm.Trainer.
package train

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// DefaultGammaA is the weight of the ambient norm by rule of thumb, and
// DefaultGammaI that of the intrinsic norm.
const (
	DefaultGammaA = 1e-4
	DefaultGammaI = 1e-2
)

// Recipe is all that a training is made by, beside points and labels. It is plain
// data: nothing else steers the result.
//
// The zero value of Kernel, its width, GammaA, GammaI, Graph.Neighbours,
// Graph.Degree, Describe and Standardise means that they are open: lapsvm.Trainer then chooses
// them, and an empty Graph.Metric beside them. Where nothing else is open, that is
// Euclidean. A recipe without anything open is whole, and a model keeps the one it was
// trained by. Training by that again, on the same data, gives the same bits.
type Recipe struct {
	// What is wished of labels and points.

	Kind        task.Kind          // of the labels; default classes, of which a point has one
	Criterion   Criterion          // what counts of numbers, or of several classes; default MeanSquared, MeanF1
	ClassWeight ClassWeight        // costs of errors by class, which multiply the weights of rows; default nil, equal costs
	Prior       Prior              // class shares that the predictions on unlabelled points follow; default nil, none
	Describe    Descriptions       // what pictures are described by before all else, kept in the model; package train takes Undescribed where it is open
	Standardise points.Standardise // preprocessing, kept in the model; package train takes AsIs where it is open
	Kernel      kernel.Kernel      // default Gaussian, its width open; Linear for a table with text
	GammaA      float64            // weight of the ambient norm, from 1e-30 to 1e30
	GammaI      float64            // weight of the intrinsic norm, likewise
	Supervised  bool               // no intrinsic norm: an SVM or RLSC, which leaves the unlabelled points out
	Graph       graph.Options      // neighbour graph and Laplacian
	// Members, if any, are trained in place of the one machine of GammaA, GammaI, Graph.Neighbours
	// and Graph.Degree, which are then 0; the model is their mean. They take the solver Deformed.
	Members []Member
	Beside  []View         // machines whose mean with this one the model is; none is one machine
	Loss    objective.Loss // default the first that the solver minimises: SquaredHinge, and Hinge for Dual; Squared gives LapRLSC and RLSC
	Bias    objective.Bias // default BiasInNorm
	Centred bool           // every machine has the mean 0 over all points, before a prior is followed: see [Centre]
	ByEdges bool           // of Graph.EdgesAlone: the edges decide rows that they join to a label, and the kernel all others, see [Recipe.Unlike]
	// MostPoints is how many points take part, beside the labelled ones: they are drawn by the seed. The rest are decided as new points. 0 is
	// all. With given edges, and where ranks share the points and more than 20,000 would take part, all do, and the recipe of the model has 0.
	MostPoints  int
	MostViews   int  // 1 for a machine alone; 0 leaves it to the choice, which takes as many as the rows have
	Calibrate   bool // learn probabilities too, from machines without some of the labels
	LabelShares bool // keep what every label adds to a decision value; Deformed and Dual only
	// Optimism multiplies the residuals that intervals are made of, and −log of the probabilities that sets of classes are made of. Labels that have
	// chosen parameters have smaller errors than new points, by about this factor. 0 is 1.
	Optimism float64

	// By which machinery.

	Solver        Solver          // default Auto
	Stop          solve.Condition // goal condition of PCG, and so the next four: see [solve.Options]
	CheckEvery    int             // iterations between its checks
	MaxIterations int             // of PCG and Newton
	Tolerance     float64         // threshold of the condition; of Dual the violation at which it stops; of Landmarks the squared error of functions, by default 1e-2: where given all points take part in everything, and below 1e-4 sums are precise
	BiasWeight    float64         // of the bias in the preconditioner
	LineSearch    bool            // Newton: take the exact minimum along the step
	Precision     gram.Precision  // storage of the Gram matrix; default Single; Deformed and Dual always have Double
	Gram          gram.Form       // of the Gram matrix, the only one that will do; default by the memory allowed
	Landmarks     int             // points that the Gram matrix is made of with the solver Landmarks, at most; 0 means those of Pending, or DefaultLandmarks, or as many as fit
	Compact       bool            // with the solver Landmarks: a model of landmarks alone, at least 3,000, fitted to what the training found; else it keeps all points where they decide better of new ones
	RulesOfThumb  bool            // set what is open by rules of thumb, without comparing machines
	Seed          uint64          // of the points that machines are compared on
	Pending       Pending         // what a choice leaves for the training to decide; a whole recipe has none
	Baseline      Baseline        // the supervised machine that was chosen beside, for what compares with it

	// How it came about, which steers no result.

	StandardiseReason string  // why Standardise was chosen, where it was open
	Choice            *Choice // how what was open was chosen: see [Recipe.Tell]
}

// Member is one of several machines of one kernel whose mean is a model. Where GammaI is 0 it is that of the labels
// alone.
type Member struct {
	Neighbours      int     `json:"neighbours"`
	LaplacianDegree int     `json:"laplacian_degree"`
	GammaA          float64 `json:"gamma_a"`
	GammaI          float64 `json:"gamma_i"`
	Weight          float64 `json:"weight"` // all sum to 1
}

// Machines returns the members of the mean, or the one machine of the recipe as
// the only one. A supervised machine has no graph.
func (r Recipe) Machines() []Member {
	switch {
	case len(r.Members) > 0:
		return r.Members
	case r.Supervised:
		return []Member{{GammaA: r.GammaA, Weight: 1}}
	}
	return []Member{{r.Graph.Neighbours, r.Graph.Degree, r.GammaA, r.GammaI, 1}}
}

// Leading returns the member with the largest weight, the first of equal ones, of those with an intrinsic norm where
// there are any.
func (r Recipe) Leading() Member {
	all := r.Machines()
	leading := all[0]
	for _, m := range all {
		if with, has := m.GammaI > 0, leading.GammaI > 0; with && !has || with == has && m.Weight > leading.Weight {
			leading = m
		}
	}
	return leading
}

// Open reports whether anything is left to be chosen.
func (r Recipe) Open() bool {
	switch {
	case r.Kernel == nil || kernel.Open(r.Kernel) || r.Standardise == "":
		return true
	case len(r.Members) > 0:
		return false
	case r.Supervised:
		return r.GammaA == 0
	}
	return r.GammaA == 0 || r.GammaI == 0 || r.Graph.Neighbours == 0 && !r.Graph.EdgesAlone || r.Graph.Degree == 0
}

// WithDefaults returns the recipe with the defaults filled in that do not depend
// on the data. What is open stays so. It fails for values outside their range, and
// for those that exclude each other.
func (r Recipe) WithDefaults() (Recipe, error) {
	if r.Kernel == nil {
		r.Kernel = kernel.Gaussian{}
	}
	if r.Loss == "" && r.kind().residuals {
		r.Loss = objective.Squared
	}
	if r.Loss == "" {
		r.Loss = objective.Losses()[0]
		if solver, found := methodOf(r.Solver); found {
			r.Loss = solver.losses()[0]
		}
	}
	if r.Standardise == "" {
		r.Standardise = points.AsIs
	}
	if r.Describe == "" {
		r.Describe = Undescribed
	}
	if own := graph.MetricOf(r.Kernel); own != "" && (r.Graph.Metric == "" || r.Graph.Metric == graph.Euclidean) {
		r.Graph.Metric = own
	}
	r.ByEdges = r.ByEdges && r.goesByEdges()
	if r.Solver == "" {
		r.Solver = Auto
	}
	if several := len(r.Members) > 1; r.Solver == Auto && r.Loss.Valid() && (several || !r.Loss.Smooth()) {
		r.Solver = solversOf(r.Loss, func(m method) bool { return m.reduced || !several })[0]
	}
	if r.Precision == 0 {
		r.Precision = gram.Single
	}
	if err := r.validate(); err != nil {
		return r, err
	}
	if err := r.checkExclusions(); err != nil {
		return r, err
	}
	solver, _ := methodOf(r.Solver)
	if solver.exact {
		r.Precision = gram.Double // its factorization needs it
	}
	if solver.outer && r.Bias == objective.BiasInNorm {
		r.Bias = objective.BiasOutside
	}
	if !kernel.Open(r.Kernel) {
		if err := r.Kernel.Validate(); err != nil {
			return r, err
		}
	}
	return r, nil
}

// unfit returns the error of a criterion that labels of the kind do not have.
func (r Recipe) unfit(c Criterion) error {
	switch {
	case slices.Contains(kindOf(task.Numbers()).criteria, c):
		return fault.Errorf("the criterion %s is for numbers, which are the labels of a regression: leave it out, or choose the regression", c)
	case slices.Contains(kindOf(task.Several("")).criteria, c):
		return fault.Errorf("the criterion %s is for rows of several classes: leave it out, or say that rows have several", c)
	}
	return fmt.Errorf("unknown criterion %q: there are %s", c, words(criteria()))
}

// validate reports fields that no training can have.
func (r Recipe) validate() error {
	if err := r.Kind.Validate(); err != nil {
		return err
	}
	_, known := methodOf(r.Solver)
	switch {
	case !known && r.Solver != Auto:
		return fmt.Errorf("unknown solver %q: there are %s", r.Solver, strings.Join(SolverNames(), ", "))
	case !r.Loss.Valid():
		return fmt.Errorf("unknown loss %q: there are %s", r.Loss, words(objective.Losses()))
	case r.Loss.OfResiduals() && r.Loss != objective.Squared && !r.kind().residuals:
		return fault.Errorf("the loss %s is for numbers, which are the labels of a regression: choose another loss, or the regression", r.Loss)
	case !(r.Optimism >= 0) || r.Optimism > 1e6:
		return fmt.Errorf("the optimism is %v: it is a factor, or 0 where it is unknown", r.Optimism)
	case r.Criterion != "" && !slices.Contains(r.kind().criteria, r.Criterion):
		return r.unfit(r.Criterion)
	case r.Landmarks < 0:
		return fault.Errorf("%d landmarks: give how many at most, or 0 for up to %d", r.Landmarks, DefaultLandmarks)
	case r.Precision != gram.Single && r.Precision != gram.Double:
		return fault.Errorf("unknown precision %d: choose 32 or 64", r.Precision)
	case !(r.GammaA >= 0) || !(r.GammaI >= 0) || !objective.InRange(r.GammaA) || !objective.InRange(r.GammaI):
		return fmt.Errorf("gamma-a is %v and gamma-i %v: they must not be negative, and between %g and %g; 0 leaves them open", r.GammaA, r.GammaI, objective.Least, objective.Largest)
	case r.Bias != objective.BiasInNorm && r.Bias != objective.BiasOutside && r.Bias != objective.NoBias:
		return fault.Errorf("unknown bias %d: choose on, outside or off", int(r.Bias))
	case r.Supervised && r.GammaI != 0:
		return fault.Errorf("a supervised machine has no intrinsic norm, but gamma-i is %v: leave one of them out", r.GammaI)
	}
	if err := r.Describe.check(); err != nil {
		return err
	}
	if r.Prior != nil {
		if err := r.Prior.check(); err != nil {
			return err
		}
	}
	if r.ClassWeight != nil {
		if err := r.ClassWeight.check(); err != nil {
			return err
		}
	}
	return r.validateMembers()
}

// validateMembers reports members that no mean can have.
func (r Recipe) validateMembers() error {
	if len(r.Members) == 0 {
		return nil
	}
	sum := 0.0
	for k, m := range r.Members {
		if !(m.GammaA > 0) || !(m.GammaI >= 0) || m.Neighbours < 1 || m.LaplacianDegree < 1 || !(m.Weight > 0) {
			return fmt.Errorf("member %d of the recipe is %+v: all of it must be positive, but for a gamma-i of 0, which means the labels alone", k+1, m)
		}
		if !objective.InRange(m.GammaA) || !objective.InRange(m.GammaI) || m.LaplacianDegree > graph.MaxDegree {
			return fmt.Errorf("member %d of the recipe is %+v: gamma-a and gamma-i must be between %g and %g, the degree of the Laplacian at most %d",
				k+1, m, objective.Least, objective.Largest, graph.MaxDegree)
		}
		sum += m.Weight
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("the weights of the members of the recipe sum to %v: they must sum to 1", sum)
	}
	return nil
}

// ByRule returns the recipe with its open settings set by rules of thumb. An open width of the
// kernel stays open: the training takes it from the points.
func (r Recipe) ByRule() Recipe {
	if len(r.Members) > 0 {
		return r
	}
	if r.GammaA == 0 {
		r.GammaA = DefaultGammaA
	}
	if r.GammaI == 0 && !r.Supervised {
		r.GammaI = DefaultGammaI
	}
	return r
}

// Clone returns a copy that shares no slice or map with r.
func (r Recipe) Clone() Recipe {
	r.Members, r.Kind.Order = slices.Clone(r.Members), slices.Clone(r.Kind.Order)
	if given, is := r.Prior.(ClassPrior); is {
		r.Prior = maps.Clone(given)
	}
	if given, is := r.ClassWeight.(ClassWeights); is {
		r.ClassWeight = maps.Clone(given)
	}
	r.Beside = slices.Clone(r.Beside)
	for k := range r.Beside {
		r.Beside[k].Recipe = r.Beside[k].Recipe.Clone()
	}
	r.Pending = r.Pending.clone()
	r.Tell(func(*Choice) {}) // which copies it
	return r
}
