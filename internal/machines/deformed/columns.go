package deformed

import "lapsvm/internal/numbers/objective"

// Columns are the machines of a training: their targets, and what they share.
type Columns struct {
	Targets   [][]float64       // [machine][labelled point] ∈ {−1, +1}, of a loss of residuals any numbers
	Weights   objective.Weights // c of every labelled point
	Loss      objective.Loss    // smooth, or a ramp
	OneClass  bool              // add b/2; not with a ramp
	Tolerance float64           // of a ramp; 0 means 1e-3
}

// Machine returns one of the columns on a problem.
func (c Columns) Machine(problem *Problem, column int) *Machine {
	return &Machine{Problem: problem, Loss: c.Loss, Targets: c.Targets[column], Weights: c.Weights, OneClass: c.OneClass, Tolerance: c.Tolerance}
}
