package solve_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
)

// PCG and Newton's method, with step 1 and with the line search, find the same
// minimum of every kind of problem.
func TestSolversAgree(t *testing.T) {
	for number, v := range variants() {
		rng := rand.New(rand.NewPCG(101, uint64(number)))
		n := 20 + rng.IntN(20)
		p := v.build(t, rng, n, 3+rng.IntN(8))
		full, searched := newton(t, p, solve.Options{}), newton(t, p, solve.Options{LineSearch: true})
		iterated := pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: 3000})
		for c := range v.columns {
			what := fmt.Sprintf("problem %d (%s)", number, v)
			optimal(t, what+", Newton", p, full, c, 1e-9)
			optimal(t, what+", Newton with line search", p, searched, c, 1e-9)
			optimal(t, what+", PCG", p, iterated, c, 1e-6)
			for name, s := range map[string]*solve.Solution{"Newton with line search": searched, "PCG": iterated} {
				if !(math.Abs(s.Objective[c]-full.Objective[c]) <= 1e-8*math.Abs(full.Objective[c])+1e-14) {
					t.Errorf("%s: column %d has J = %v by %s, %v by Newton", what, c, s.Objective[c], name, full.Objective[c])
				}
			}
			if iterated.Status[c] != solve.RoundingFloor {
				t.Errorf("%s: column %d: PCG stopped by %s", what, c, iterated.Status[c])
			}
			for _, s := range []*solve.Solution{full, searched} {
				// Where all targets of a column are equal, the minimum is 0 with all points on the
				// margin. Rounding then decides which points belong to E.
				onMargin := s.Status[c] == solve.RoundingFloor && v.loss != objective.Squared && !v.oneClass && s.Objective[c] < 1e-14
				if s.Status[c] != solve.Converged && !onMargin {
					t.Errorf("%s: column %d: Newton stopped by %s at J = %v", what, c, s.Status[c], s.Objective[c])
				}
			}
		}
	}
}
