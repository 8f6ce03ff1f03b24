package train

import (
	"context"
	"slices"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
)

// pcg is the row of PCG.
func pcg() method {
	return method{name: PCG, minimises: objective.Loss.Smooth, one: true, bytes: func(Plan) int64 { return 0 }, minimise: minimisePCG, without: withoutByPCG}
}

func minimisePCG(ctx context.Context, p *Problem, m *minimum, v *Validation, run Run) error {
	r, o := &p.Recipe, &m.options
	var err error
	if v != nil {
		if o.ValidationErrors, err = p.countErrors(ctx, v); err != nil {
			return err
		}
		o.ValidationSize = v.Known.Len()
	}
	if *o, err = o.WithDefaults(p.Geometry.Len()); err != nil {
		return err
	}
	r.Stop, r.CheckEvery, r.MaxIterations, r.Tolerance = o.Stop, o.CheckEvery, o.MaxIterations, o.Tolerance
	m.Solution, err = solve.PCG(ctx, p.Problem, *o)
	return err
}

// countErrors returns the function that counts the errors on validation points,
// for the stopping checks.
func (p *Problem) countErrors(ctx context.Context, v *Validation) (func(alpha [][]float64, b []float64) int, error) {
	cross, err := gram.NewCross(ctx, v.Points, p.Geometry.Points(), p.Geometry.Kernel())
	if err != nil {
		return nil, err
	}
	outputs := make([]float64, p.Task.Coding().Machines())
	return func(alpha [][]float64, b []float64) int {
		wrong := 0.0
		for i := range v.Known.Len() {
			for machine := range outputs {
				outputs[machine] = cross.Dot(i, alpha[machine]) + b[machine]
			}
			wrong += v.Known.Wrong(i, outputs)
		}
		return int(wrong)
	}, nil
}

// onePass is the number of machines without some labels that are trained in one
// problem beyond the points of an exact solver: as many columns go through K in
// one pass.
const onePass = 16

// foldsInOnePass returns the most folds of labels that so many machines are trained without in one pass, at least one.
func foldsInOnePass(machines int) int { return max(1, onePass/machines) }

// withoutByPCG trains for as many iterations as the training took.
func withoutByPCG(ctx context.Context, p *Problem, m *minimum, folds [][]int, run Run) ([][][]float64, error) {
	o := solve.Options{Stop: solve.None, MaxIterations: slices.Max(m.Iterations)}
	if report := run.Progress; report != nil {
		o.Progress = func(s *solve.Step) { report("learning probabilities", s.Iteration, o.MaxIterations) }
	}
	return p.masked(ctx, m, folds, func(masked *objective.Problem) (*solve.Solution, error) { return solve.PCG(ctx, masked, o) })
}

// masked returns the outputs [fold][machine][label of the fold] of machines that
// are trained without the labels of the fold, as further columns of one problem. Those of a regression
// are kept beside the minimum.
func (p *Problem) masked(ctx context.Context, m *minimum, folds [][]int, solution func(*objective.Problem) (*solve.Solution, error)) ([][][]float64, error) {
	masked, machines := *p.Problem, len(p.Problem.Targets)
	masked.Targets = nil
	for _, fold := range folds {
		for _, targets := range p.Problem.Targets {
			column := slices.Clone(targets)
			for _, k := range fold {
				column[k] = objective.LeftOut()
			}
			masked.Targets = append(masked.Targets, column)
		}
	}
	s, err := solution(&masked)
	if err != nil {
		return nil, err
	}
	if p.keepsWithout() && s.Alpha != nil {
		m.without = functions{s.Alpha, s.F, s.B}
	}
	ranks, shares := p.Geometry.Shared()
	first, beyond := shares.Range(ranks.Rank())
	outputs := make([][][]float64, len(folds))
	for at, fold := range folds {
		for machine := range machines {
			values := make([]float64, len(fold)) // 0 for those of other ranks
			for i, k := range fold {
				if point := p.Task.Labelled[k]; first <= point && point < beyond {
					values[i] = s.F[at*machines+machine][point-first]
				}
			}
			if err := ranks.Sum(ctx, values); err != nil {
				return nil, err
			}
			outputs[at] = append(outputs[at], values)
		}
	}
	return outputs, nil
}
