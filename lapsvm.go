// Package lapsvm trains classifiers from many points of which few are
// labelled, by manifold regularization: Laplacian support vector machines,
// trained in the primal by preconditioned conjugate gradient or by Newton's
// method, or exactly in the space of the labelled points, and their relatives
// LapRLSC, SVM and RLSC. (Melacci and Belkin, "Laplacian Support Vector Machines
// Trained in the Primal", JMLR 12, 2011.)
//
// A [Trainer] holds the parameters; its zero value is ready but for GammaI.
// [Trainer.Fit] returns a [Model], which is immutable and safe to share:
//
//	d, err := dataset.ReadFile("points.csv", dataset.Options{})
//	m, err := lapsvm.Trainer{GammaI: 1e-2}.Fit(ctx, d)
//	classes, err := m.Predict(ctx, d.Points)
//
// [Trainer.Choose] sets the parameters that are left open by held-out labels,
// and [Trainer.Tune] shows what these say about a grid of weights.
// [Model.Scores], [Model.Probabilities] and [Model.Explain] say more about a
// decision than [Model.Predict]; [Model.Save] and [Load] keep a model in a file.
// Package selection measures how good a trainer is on labels that it hides,
// package export writes models for other tools.
//
// A model is a kernel expansion per machine: one machine for two classes, one
// for each of more (one-vs-rest), one for one class.
package lapsvm

import (
	"fmt"
	"log/slog"

	"lapsvm/dataset"
	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/kernel"
	"lapsvm/objective"
	"lapsvm/points"
	"lapsvm/solve"
)

// Solver names the algorithm that minimises the objective.
type Solver string

// The solvers. The empty Solver is Auto.
const (
	// Auto is Dual for the hinge, Newton without an intrinsic norm and up to
	// 4,000 labelled points, Deformed for parameters that [Trainer.Choose] chose
	// with it, up to 3,000 points and where Solve does not steer PCG, else PCG.
	Auto     Solver = "auto"
	PCG      Solver = "pcg"      // preconditioned conjugate gradient, O(n²) per iteration
	Newton   Solver = "newton"   // Newton's method, O(n³) per step
	Deformed Solver = "deformed" // exact, in the space of the labelled points, O(n³) once; in float64
	Dual     Solver = "dual"     // the original LapSVM: the same for the hinge loss, its bias outside the intrinsic norm
)

// exactLimit is the number of points up to which Auto takes the solver by which
// the parameters were chosen.
const exactLimit = 3000

// newtonLimit is the number of labelled points up to which Auto takes Newton's
// method for a supervised machine.
const newtonLimit = 4000

// Trainer holds the parameters of a training. GammaI = 0 is an ordinary SVM,
// which leaves the unlabelled points out; the zero value of every other field
// is its documented default.
type Trainer struct {
	Kernel      kernel.Kernel      // default Gaussian; a width of 0 means the mean distance between neighbours
	GammaA      float64            // weight of the ambient norm; default 1e-4
	GammaI      float64            // weight of the intrinsic norm
	Loss        objective.Loss     // default SquaredHinge, and Hinge for Dual; Squared gives LapRLSC and RLSC
	Bias        objective.Bias     // default BiasInNorm
	OneClass    bool               // train on labelled points of a single class
	Weights     []float64          // c of every row of the dataset, read for labelled rows; nil means 1
	Graph       graph.Options      // neighbour graph and Laplacian
	Standardise points.Standardise // preprocessing, kept in the model; default AsIs
	Solver      Solver             // default Auto
	Solve       solve.Options      // stopping check, iteration limits, warm start
	Prior       Prior              // class shares that the predictions on unlabelled points follow; default NoPrior
	Shares      map[string]float64 // the same given by class name, in place of Prior; they sum to 1
	Calibrate   bool               // learn probabilities too, from machines without some of the labels
	LabelShares bool               // keep what every label adds, for [Model.Explain]; Deformed and Dual only
	Validation  *dataset.Dataset   // labelled points for the stopping checks that need them
	Precision   gram.Precision     // storage of the Gram matrix; default Single; Deformed and Dual always have Double
	Memory      int64              // bytes that may be used; default unlimited
	Seed        uint64             // of the points that Choose compares on
	Choice      *Choice            // set by Choose, and kept in the model
	Compared    func(done, of int) // called for every machine that Choose compares, or Tune measures; default none
	Log         *slog.Logger       // default silent

	// Progress, if not nil, is called on the goroutine of Fit and Tune when one of
	// their longer parts begins, with its name and zeros, and while it goes on, with
	// how much of it is done; of is 0 where its length is not known. It is called
	// often. Iterations are reported by Solve.Progress.
	Progress func(part string, done, of int)
}

// DefaultGammaA is the weight of the ambient norm where none is given.
const DefaultGammaA = 1e-4

// withDefaults fills in the defaults that do not depend on the data.
func (t Trainer) withDefaults() (Trainer, error) {
	if t.Kernel == nil {
		t.Kernel = kernel.Gaussian{}
	}
	if t.GammaA == 0 {
		t.GammaA = DefaultGammaA
	}
	if t.Loss == "" {
		t.Loss = objective.SquaredHinge
		if t.Solver == Dual {
			t.Loss = objective.Hinge
		}
	}
	if t.Standardise == "" {
		t.Standardise = points.AsIs
	}
	if t.Solver == "" {
		t.Solver = Auto
	}
	if t.Solver == Auto && t.Loss == objective.Hinge {
		t.Solver = Dual
	}
	if t.Precision == 0 {
		t.Precision = gram.Single
	}
	if t.Log == nil {
		t.Log = slog.New(slog.DiscardHandler)
	}
	switch {
	case t.Solver != Auto && t.Solver != PCG && t.Solver != Newton && t.Solver != Deformed && t.Solver != Dual:
		return t, fmt.Errorf("unknown solver %q: choose auto, pcg, newton, deformed or dual", t.Solver)
	case (t.Loss == objective.Hinge) != (t.Solver == Dual):
		return t, fmt.Errorf("the solver dual has the loss hinge, and no other solver has it: choose both or neither, not %s with %s", t.Solver, t.Loss)
	case t.Solver == Dual && t.OneClass:
		return t, fmt.Errorf("the dual has no one-class machine: choose another solver")
	case (t.Solve.Stop == solve.Validation || t.Solve.Stop == solve.Mixed) && t.Validation == nil && t.Solve.ValidationErrors == nil:
		return t, fmt.Errorf("the stopping check %q needs labelled validation points: give some, or choose auto or stability", t.Solve.Stop)
	case t.Precision != gram.Single && t.Precision != gram.Double:
		return t, fmt.Errorf("unknown precision %d: choose 32 or 64", t.Precision)
	}
	if t.Solver == Deformed || t.Solver == Dual {
		t.Precision = gram.Double // its factorization needs it
	}
	if t.Solver == Dual && t.Bias == objective.BiasInNorm {
		t.Bias = objective.BiasOutside
	}
	if !kernel.Open(t.Kernel) {
		if err := t.Kernel.Validate(); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Config is the resolved configuration of a training: every default filled in
// and every automatic value as it was chosen. It is kept in the model. Its JSON
// names are those of the command's flags.
type Config struct {
	Kernel string `json:"kernel"`
	kernel.Parameters
	GammaA          float64 `json:"gamma_a"`
	GammaI          float64 `json:"gamma_i"`
	Loss            string  `json:"loss"`
	Bias            bool    `json:"bias"`
	BiasInNorm      bool    `json:"bias_in_norm"`
	OneClass        bool    `json:"one_class,omitempty"`
	Neighbours      int     `json:"neighbours,omitempty"`
	Metric          string  `json:"metric,omitempty"`
	Weights         string  `json:"weights,omitempty"`
	Heat            float64 `json:"heat,omitempty"`
	Laplacian       string  `json:"laplacian,omitempty"`
	LaplacianDegree int     `json:"laplacian_degree,omitempty"`
	Prior           string  `json:"prior,omitempty"` // balanced, labelled, or the share of every class
	Standardise     string  `json:"standardise"`
	Solver          string  `json:"solver"`
	Stop            string  `json:"stop,omitempty"` // of PCG, like the next three
	CheckEvery      int     `json:"check_every,omitempty"`
	MaxIterations   int     `json:"max_iter,omitempty"`
	Tolerance       float64 `json:"tolerance,omitempty"`
	Precision       int     `json:"precision"`
	Gram            string  `json:"gram"`
}

func (c *Config) setKernel(k kernel.Kernel) {
	c.Kernel, c.Parameters = k.Kind().Name, k.Parameters()
	if kernel.Own(k) {
		c.Kernel = k.String()
	}
}

// Training summarises how a model was trained.
type Training struct {
	N               int           `json:"n"`
	D               int           `json:"d"`
	Labelled        int           `json:"labelled"`
	Unlabelled      int           `json:"unlabelled"`
	Objective       float64       `json:"objective"`         // J summed over the machines
	Iterations      float64       `json:"iterations"`        // mean per machine
	LineSearchSteps float64       `json:"line_search_steps"` // intervals tried in all iterations, mean per machine
	ErrorVectors    int           `json:"error_vectors"`     // |E| summed over the machines
	Status          string        `json:"status"`            // why the solver stopped
	TrainingError   float64       `json:"training_error"`    // percent of the labelled points
	Gram            string        `json:"gram_choice"`       // how the Gram matrix was had, and why
	Choice          *Choice       `json:"choice,omitempty"`  // how the parameters were chosen; nil where they were given
	Seconds         Seconds       `json:"seconds"`
	Graph           *graph.Report `json:"-"` // nil for a supervised machine and for a model that was read
	HeldOut         *HeldOut      `json:"-"` // what calibration learnt from; nil without, and like Graph
	Scores          [][]float64   `json:"-"` // [row][class] decision values of the training points; nil like Graph
}

// HeldOut are decision values of labelled points by machines that were trained
// without their labels.
type HeldOut struct {
	Scores [][]float64 // [point][class]
	Class  []int       // of each point, its label
}

// Seconds is the time that the parts of a training took.
type Seconds struct {
	Graph     float64 `json:"graph"`
	Gram      float64 `json:"gram"`
	Solve     float64 `json:"solve"`
	Calibrate float64 `json:"calibrate"`
}
