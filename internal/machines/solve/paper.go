package solve

// The paper's conditions. Every CheckEvery iterations they look at the
// decisions of all columns, and stop all of them together. Tolerance is by
// default 0.015. The first stability check never stops, having nothing to
// compare with. The first validation check compares with all points wrong.
const (
	Stability  Condition = "stability"  // share of unlabelled decisions changed since the last check < Tolerance (Algorithm 2)
	Validation Condition = "validation" // no validation error fewer than at the last check (Algorithm 3)
	Mixed      Condition = "mixed"      // Stability and Validation at the same check
)

func stabilityRule() rule {
	return rule{name: Stability, tolerance: 0.015, checker: func(o *Options, d *decisions, _ int) checker {
		return &paperCheck{every: o.CheckEvery, stability: newStability(o, d), status: Stable}
	}}
}

func validationRule() rule {
	return rule{name: Validation, tolerance: 1e-3, validation: true, checker: func(o *Options, _ *decisions, columns int) checker {
		return &paperCheck{every: o.CheckEvery, validation: newValidation(o, columns), status: Validated}
	}}
}

func mixedRule() rule {
	return rule{name: Mixed, tolerance: 0.015, validation: true, checker: func(o *Options, d *decisions, columns int) checker {
		return &paperCheck{every: o.CheckEvery, stability: newStability(o, d), validation: newValidation(o, columns), status: StableAndValid}
	}}
}

// paperCheck is a check on stability, on validation errors, or on both.
type paperCheck struct {
	every      int
	stability  *stability  // nil where it is not asked for
	validation *validation // nil where it is not asked for
	status     Status      // the reason to stop
}

func (c *paperCheck) due(t int) bool { return t%c.every == 0 }

func (c *paperCheck) look(columns []*column, step *Step) Status {
	stop := true
	if c.stability != nil {
		stop = c.stability.holds(columns, step)
	}
	if c.validation != nil {
		stop = c.validation.holds(columns, step) && stop
	}
	if !stop {
		return ""
	}
	return c.status
}

// stability compares the decisions with those at the last check.
type stability struct {
	decisions *decisions
	last      []int32
	most      float64 // fewer changes than these are few
	checked   bool    // there was a check before
}

func newStability(o *Options, d *decisions) *stability {
	return &stability{decisions: d, last: make([]int32, len(d.watched)), most: o.Tolerance * float64(len(d.watched))}
}

func (s *stability) holds(columns []*column, step *Step) bool {
	step.ChangedSinceCheck = s.decisions.decide(s.last, columns)
	holds := s.checked && float64(step.ChangedSinceCheck) < s.most
	s.checked = true
	return holds
}

// validation compares the validation errors with those at the last check.
type validation struct {
	count  func(alpha [][]float64, b []float64) int
	errors int         // at the last check
	alpha  [][]float64 // views handed to count
	b      []float64
}

func newValidation(o *Options, columns int) *validation {
	return &validation{count: o.ValidationErrors, errors: o.ValidationSize, alpha: make([][]float64, columns), b: make([]float64, columns)}
}

func (v *validation) holds(columns []*column, step *Step) bool {
	for c, col := range columns {
		v.alpha[c], v.b[c] = col.z.alpha, col.z.b
	}
	step.ValidationErrors = v.count(v.alpha, v.b)
	// err > err_old − 1/v, counted in whole errors.
	holds := step.ValidationErrors > v.errors-1
	v.errors = step.ValidationErrors
	return holds
}
