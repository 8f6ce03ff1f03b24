package train

import (
	"context"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
)

// newton is the row of Newton's method.
func newton() method {
	return method{name: Newton, minimises: objective.Loss.Smooth, one: true, rows: true, bytes: func(p Plan) int64 {
		if p.Recipe.Supervised {
			return 0
		}
		return 2 * 8 * int64(p.N) * int64(p.N)
	}, minimise: minimiseNewton, without: withoutByNewton}
}

func minimiseNewton(ctx context.Context, p *Problem, m *minimum, _ *Validation, _ Run) error {
	var err error
	m.Solution, err = solve.Newton(ctx, p.Problem, m.options)
	return err
}

func withoutByNewton(ctx context.Context, p *Problem, m *minimum, folds [][]int, _ Run) ([][][]float64, error) {
	o := solve.Options{LineSearch: m.options.LineSearch, MaxIterations: m.options.MaxIterations}
	return p.masked(ctx, m, folds, func(masked *objective.Problem) (*solve.Solution, error) { return solve.Newton(ctx, masked, o) })
}
