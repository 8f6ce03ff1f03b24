// Package solve minimises the objective of package objective: preconditioned
// conjugate gradient with its stopping checks, and Newton's method.
//
// [PCG] takes one product with the Gram matrix per iteration, shared by all
// columns of the problem, and stops when a [Condition] is met; [Newton] solves a
// linear system per step. Both return a [Solution], whose [Status] says of every
// column why it stopped. [Together] runs PCG on several problems of one Gram
// matrix in lockstep. Most programs use neither, but a lapsvm.Trainer.
package solve

import (
	"fmt"
	"math"
	"time"

	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/system/fault"
)

// Status says why a solver stopped.
type Status string

// The reasons to stop.
const (
	Stable         Status = "the decisions on unlabelled points are stable"
	Validated      Status = "the validation error no longer falls"
	StableAndValid Status = "the decisions are stable and the validation error no longer falls"
	Converged      Status = "converged"      // a condition on a norm or on the objective, or Newton's: E repeats
	RoundingFloor  Status = "rounding floor" // no further decrease can be computed in this precision
	IterationLimit Status = "iteration limit"
	TimeLimit      Status = "time limit"
)

// Options steers a solver. The zero value is its default.
type Options struct {
	Stop          Condition     // goal condition of PCG; default Auto
	CheckEvery    int           // iterations between checks of decisions, and before Auto may stop; 0 means ½√n of n training points, rounded, and for Auto at least 16
	MaxIterations int           // 0 means max(n, 1000) for PCG and 100 for Newton
	Time          time.Duration // after which no further iteration begins; 0 means any time
	Tolerance     float64       // threshold of the condition; 0 means that which its documentation gives
	BiasWeight    float64       // PCG: β of the bias in the preconditioner; 0 takes it from the data, the paper has 1
	LineSearch    bool          // Newton: take the exact minimum along the step in place of step 1
	Start         *Start        // warm start; nil means α = 0, b = 0

	// ValidationErrors counts the errors that α (one slice per column) and b
	// make on ValidationSize labelled points; Validation and Mixed need both.
	ValidationErrors func(alpha [][]float64, b []float64) int
	ValidationSize   int

	// Progress, if not nil, is called at the start and after every iteration.
	// The Step and what it holds are valid during the call only.
	Progress func(*Step)
}

// timeIsUp reports whether the time since start is all that may be taken.
func (o Options) timeIsUp(start time.Time) bool { return o.Time > 0 && time.Since(start) >= o.Time }

// unfinished is the status of a column that no condition has stopped.
func unfinished(timeIsUp bool) Status {
	if timeIsUp {
		return TimeLimit
	}
	return IterationLimit
}

// Start is a point to start from.
type Start struct {
	Alpha [][]float64 // [column][point]
	B     []float64   // [column]
}

// Step reports one iteration; iteration 0 is the start.
type Step struct {
	Iteration int
	Columns   []ColumnStep
	Alpha     [][]float64 // [column][point] current coefficients
	F         [][]float64 // [column][point] current outputs f = Kα + b
	Changed   int         // joint decisions on unlabelled points that differ from those of the last step
	Checked   bool        // a check of decisions was made
	// ChangedSinceCheck and ValidationErrors belong to that check; they are −1
	// where they were not computed. For Auto the first counts the changes since
	// half the iterations.
	ChangedSinceCheck, ValidationErrors int
}

// ColumnStep is one column's part of a [Step].
type ColumnStep struct {
	Active       bool    // false once the column has stopped; the rest then repeats its last values
	Objective    float64 // J
	ErrorVectors int     // |E|
	Length       float64 // step length s*
	Intervals    int     // intervals tried by the line search
	Rho          float64 // PCG: weight of the old direction in the next one
	B            float64
	// Norms of the gradient, of the preconditioned gradient, and √(∇̂ᵀ∇). The
	// first and last need K·∇̂, which is not computed when a check of decisions
	// stops the run: then they are NaN. Newton's method leaves all NaN.
	Gradient, Preconditioned, Product float64
}

// Solution is what a solver found.
type Solution struct {
	Alpha           [][]float64 // [column][point]
	B               []float64   // [column]
	F               [][]float64 // [column][point] f = Kα + b
	Objective       []float64   // J of every column
	ErrorVectors    []int       // |E| of every column
	Iterations      []int       // of every column
	LineSearchSteps []int       // intervals tried, summed over the iterations of every column
	Status          []Status    // of every column
}

func newSolution(p *objective.Problem) *Solution {
	columns := len(p.Targets)
	return &Solution{
		Alpha: make([][]float64, columns), B: make([]float64, columns), F: make([][]float64, columns),
		Objective: make([]float64, columns), ErrorVectors: make([]int, columns), Iterations: make([]int, columns),
		LineSearchSteps: make([]int, columns), Status: make([]Status, columns),
	}
}

// set records the final state of column c, which the solution then owns.
func (s *Solution) set(p *objective.Problem, c int, z *state) {
	s.Alpha[c], s.B[c] = z.alpha, z.b
	s.F[c] = make([]float64, len(z.kAlpha))
	z.outputs(s.F[c])
	s.Objective[c], s.ErrorVectors[c] = z.value(p, c)
}

// validate reports a problem that is not valid, or whose loss gradients cannot follow.
func validate(p *objective.Problem) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if !p.Loss.Smooth() {
		return fault.Errorf("the loss %s has a kink, which the primal solvers cannot cross: take a smooth loss, or package deformed", p.Loss)
	}
	return nil
}

// roundingError returns a decrease of J that may be rounding alone. Where J
// vanishes, the outputs near ±1 that it is made of still have rounding errors.
func roundingError(p *objective.Problem, value, b float64) float64 {
	const epsilon = 0x1p-52
	scale := math.Abs(value) + epsilon*float64(len(p.Labelled))
	if p.OneClass { // J contains b/2
		scale += math.Abs(b)
	}
	return 4 * epsilon * scale
}

// WithDefaults returns the options with every default of [PCG] for n points
// filled in. It fails for values outside their range.
func (o Options) WithDefaults(n int) (Options, error) {
	rule, found := ruleOf(o.Stop)
	if !found {
		return o, fault.Errorf("unknown stopping condition %q: choose %s", o.Stop, alternatives(ConditionNames()))
	}
	o.Stop = rule.name
	if o.CheckEvery == 0 {
		o.CheckEvery = max(1, rule.checkEvery, int(math.Round(math.Sqrt(float64(n))/2)))
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = max(n, 1000)
	}
	if o.Tolerance == 0 {
		o.Tolerance = rule.tolerance
	}
	if rule.validation && (o.ValidationErrors == nil || o.ValidationSize <= 0) {
		return o, fault.Errorf("the stopping check %q needs labelled validation points: give some, or choose auto or stability", o.Stop)
	}
	if !(o.BiasWeight >= 0) || !objective.InRange(o.BiasWeight) {
		return o, fault.Errorf("the weight of the bias in the preconditioner is %v: give a positive one, between %g and %g, or 0 to take it from the data", o.BiasWeight, objective.Least, objective.Largest)
	}
	if o.CheckEvery < 0 || o.MaxIterations < 0 || !(o.Tolerance > 0) || math.IsInf(o.Tolerance, 1) {
		return o, fmt.Errorf("check interval %d, iteration limit %d and tolerance %v must be positive, and finite", o.CheckEvery, o.MaxIterations, o.Tolerance)
	}
	return o, nil
}

// validStart reports a warm start that does not fit the problem.
func (o Options) validStart(p *objective.Problem) error {
	if o.Start == nil {
		return nil
	}
	if len(o.Start.Alpha) != len(p.Targets) || len(o.Start.B) != len(p.Targets) {
		return fmt.Errorf("the warm start has %d columns, the problem %d", len(o.Start.Alpha), len(p.Targets))
	}
	for _, alpha := range o.Start.Alpha {
		if len(alpha) != p.K.Len() {
			return fmt.Errorf("the warm start has %d coefficients, the problem %d points", len(alpha), p.K.Len())
		}
	}
	return nil
}
