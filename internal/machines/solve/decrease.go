package solve

import "math"

// Objective stops a column once an iteration lowers its J by less than
// Tolerance·|J|, by default 1e-6·|J|:
//
//	0 ≤ J of the last iteration − J < Tolerance·|J|
//
// A rise of J is rounding. It does not stop the column but has it restart.
const Objective Condition = "objective"

func objectiveRule() rule {
	return rule{name: Objective, tolerance: 1e-6, reached: func(_ *column, now *ColumnStep, decrease, tolerance float64) bool {
		return decrease >= 0 && decrease < tolerance*math.Abs(now.Objective)
	}}
}
