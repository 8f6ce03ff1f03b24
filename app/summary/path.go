package summary

import (
	"fmt"

	"lapsvm/app/report"
	"lapsvm/internal/machines/solve"
)

// Path is how a solver went. [Path.Step] is a solve.Options.Progress; the zero
// value is ready.
type Path struct {
	iterations, objective, changed []float64
	errorVectors                   []float64
}

// Step adds an iteration. Objective and error vectors are summed over the
// machines.
func (p *Path) Step(s *solve.Step) {
	objective, errorVectors := 0.0, 0
	for _, c := range s.Columns {
		objective += c.Objective
		errorVectors += c.ErrorVectors
	}
	p.iterations = append(p.iterations, float64(s.Iteration))
	p.objective = append(p.objective, objective)
	p.errorVectors = append(p.errorVectors, float64(errorVectors))
	p.changed = append(p.changed, float64(s.Changed))
}

// figures are the learning curves, none without steps.
func (p *Path) figures(unlabelled int) ([]report.Figure, error) {
	if p == nil || len(p.iterations) < 2 {
		return nil, nil
	}
	objective, err := draw("objective", "Objective", "What the training minimises, summed over the machines, after each iteration; logarithmic.",
		report.Chart{XTitle: "iteration", WholeX: true, YTitle: "objective", LogY: true, Curves: []report.Curve{{X: p.iterations, Y: p.objective}}})
	if err != nil {
		return nil, err
	}
	where := "unlabelled points"
	if unlabelled == 0 {
		where = "points"
	}
	changed, err := draw("changed", "Decisions changed", fmt.Sprintf("On how many %s the decision differs from that of the iteration before.", where),
		report.Chart{XTitle: "iteration", WholeX: true, YTitle: "decisions changed", Curves: []report.Curve{{X: p.iterations[1:], Y: p.changed[1:]}}})
	if err != nil {
		return nil, err
	}
	vectors, err := draw("error-vectors", "Error vectors", "Labelled points that the loss is felt at, summed over the machines.",
		report.Chart{XTitle: "iteration", WholeX: true, YTitle: "error vectors", Curves: []report.Curve{{X: p.iterations, Y: p.errorVectors}}})
	return []report.Figure{objective, changed, vectors}, err
}
