package solve

import "strings"

// Condition is the goal condition of [PCG]. The empty one is [Auto].
//
// [Auto] and the paper's [Stability], [Validation] and [Mixed] look at the joint
// decisions of all columns at some iterations and stop all columns together.
// [Gradient], [Preconditioned], [Product] and [Objective] compare each column's
// own values at every iteration and stop it alone.
type Condition string

// None runs to MaxIterations or the rounding floor.
const None Condition = "none"

// rule is a goal condition as PCG follows it. A new one is a file with its
// constant and its rule, and a line in rules. It has one of reached and checker,
// or neither.
type rule struct {
	name       Condition
	tolerance  float64 // default of Options.Tolerance
	checkEvery int     // least default of Options.CheckEvery
	validation bool    // it needs Options.ValidationErrors

	// reached looks at a column's own values after an iteration that lowered J by
	// decrease, and reports whether the column is done.
	reached func(col *column, now *ColumnStep, decrease, tolerance float64) bool
	// checker makes what looks at the decisions of all columns.
	checker func(o *Options, d *decisions, columns int) checker
}

// rules returns the goal conditions, the default first.
func rules() []rule {
	return []rule{
		autoRule(),
		stabilityRule(),
		validationRule(),
		mixedRule(),
		gradientRule(),
		preconditionedRule(),
		productRule(),
		objectiveRule(),
		{name: None, tolerance: 1e-3},
	}
}

// ruleOf returns the rule of a condition.
func ruleOf(c Condition) (r rule, found bool) {
	all := rules()
	if c == "" {
		return all[0], true
	}
	for _, r := range all {
		if r.name == c {
			return r, true
		}
	}
	return rule{}, false
}

// OfDecisions reports whether a condition that is not empty compares the decisions of columns, or counts
// their errors.
func OfDecisions(c Condition) bool {
	r, _ := ruleOf(c)
	return c != "" && r.checker != nil
}

// ConditionNames returns the names of all goal conditions, the default first.
func ConditionNames() []string {
	var names []string
	for _, r := range rules() {
		names = append(names, string(r.name))
	}
	return names
}

// alternatives lists words: a, b or c.
func alternatives(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// checker looks at the joint decisions of all columns at some iterations.
type checker interface {
	// due reports whether it looks after iteration t.
	due(t int) bool
	// look notes in step what it sees, and returns the reason to stop all columns,
	// empty if there is none.
	look(columns []*column, step *Step) Status
}
