package solve_test

import (
	"testing"
	"time"

	"lapsvm/internal/machines/solve"
)

// When its time is up a solver returns its current solution, and says so. Otherwise a limit of time
// changes nothing.
func TestTimeLimit(t *testing.T) {
	p := moons(t, 120, 1e-4, 1)
	for name, run := range map[string]func(time.Duration) *solve.Solution{
		"pcg":    func(d time.Duration) *solve.Solution { return pcg(t, p, solve.Options{Time: d}) },
		"newton": func(d time.Duration) *solve.Solution { return newton(t, p, solve.Options{Time: d}) },
	} {
		early, late, any := run(1), run(time.Hour), run(0)
		if name == "pcg" && early.Status[0] != solve.TimeLimit || early.Iterations[0] > 1 { // Newton's single step is the end here
			t.Errorf("%s: no time: %s after %d iterations", name, early.Status[0], early.Iterations[0])
		}
		if late.Status[0] == solve.TimeLimit || late.Status[0] != any.Status[0] || late.Iterations[0] != any.Iterations[0] {
			t.Errorf("%s: an hour: %s after %d iterations, else %s after %d", name, late.Status[0], late.Iterations[0], any.Status[0], any.Iterations[0])
		}
	}
}
