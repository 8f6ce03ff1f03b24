package solve_test

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// autoChecks returns the iterations at which Auto checks, up to limit.
func autoChecks(every, limit int) []int {
	var at []int
	for k := 0; ; k++ {
		t := int(math.Round(float64(every) * math.Pow(2, (float64(k)-5)/2)))
		if len(at) > 0 {
			t = max(t, at[len(at)-1]+1)
		}
		if t = max(t, 1); t > limit {
			return at
		}
		at = append(at, t)
	}
}

// Auto checks at the documented iterations and stops by the documented formula,
// evaluated here on the decisions of a run without a goal. The cases are one
// column and several, both losses, with some and with all points labelled.
func TestAutoFormula(t *testing.T) {
	const limit = 80
	fired, late := 0, 0
	for _, problem := range stopProblems(t) {
		what, p := problem.name, problem.Problem
		all := unstopped(t, p, limit)
		for _, o := range []solve.Options{{}, {Stop: solve.Auto, CheckEvery: 4, Tolerance: 0.05}, {Stop: solve.Auto, CheckEvery: 1, Tolerance: 1e-9}} {
			every, tolerance := o.CheckEvery, o.Tolerance
			if every == 0 {
				every = 16 // ½√n is less
			}
			if tolerance == 0 {
				tolerance = 0.015
			}
			at := autoChecks(every, len(all)-1)
			counts := map[int]int{} // changes by iteration
			var share, predicted []float64
			want := 0
			for k, i := range at {
				now := decisions(p, all[i].f)
				then := make([]int, len(now))
				if k >= 2 {
					then = decisions(p, all[at[k-2]].f)
				}
				counts[i] = changed(now, then)
				high := (float64(counts[i]) + math.Sqrt(float64(counts[i]))) / float64(len(now))
				share = append(share, float64(counts[i])/float64(len(now)))
				if k >= 2 && high > 0 {
					high *= math.Min(1, high/share[k-2])
				}
				predicted = append(predicted, high)
				if k >= 5 && (predicted[k]+predicted[k-1])/2 < tolerance {
					want = i
					if k > 5 {
						late++
					}
					break
				}
			}
			if want == 0 || slices.ContainsFunc(all[want].columns, func(c solve.ColumnStep) bool { return !c.Active }) {
				continue // a column reached the rounding floor first
			}
			fired++
			o.MaxIterations = limit
			iterations := 0
			o.Progress = func(s *solve.Step) {
				iterations = s.Iteration
				count, expected := counts[s.Iteration]
				if !expected {
					count = -1
				}
				if s.Checked != expected || s.ChangedSinceCheck != count || s.ValidationErrors != -1 {
					t.Errorf("%s, every %d: iteration %d reported %v, %d changed, want %v and %d", what, every, s.Iteration,
						s.Checked, s.ChangedSinceCheck, expected, count)
				}
			}
			s := pcg(t, p, o)
			if iterations != want {
				t.Errorf("%s, every %d, tolerance %v: stopped at %d, want %d", what, every, tolerance, iterations, want)
				continue
			}
			for c := range p.Targets {
				if d := difference(s.F[c], all[want].f[c]); s.Status[c] != solve.Stable || s.Iterations[c] != want || !(d <= 1e-12) {
					t.Errorf("%s: column %d: %s after %d iterations, want %d; values differ by %.1e", what, c, s.Status[c], s.Iterations[c], want, d)
				}
			}
		}
	}
	if fired < 20 || late < 5 {
		t.Errorf("Auto fired %d times, %d of them after its first chance: this is no test", fired, late)
	}
}

func TestAutoDefaults(t *testing.T) {
	for n, every := range map[int]int{1: 16, 1000: 16, 1200: 17, 12000: 55, 60000: 122} {
		o, err := solve.Options{}.WithDefaults(n)
		if err != nil {
			t.Fatal(err)
		}
		if o.Stop != solve.Auto || o.CheckEvery != every || o.Tolerance != 0.015 {
			t.Errorf("n = %d: %q, every %d, tolerance %v", n, o.Stop, o.CheckEvery, o.Tolerance)
		}
	}
}

// moons states the problem of two noisy moons, n points with two labels of each.
func moons(t *testing.T, n int, gammaA, gammaI float64) *objective.Problem {
	t.Helper()
	d := dataset.TwoMoons(n, 0.15, 5)
	k, err := gram.NewHalf(t.Context(), d.Points, kernel.Gaussian{Sigma: 0.35}, gram.Double)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := graph.FindNeighbours(t.Context(), d.Points, 6, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	w, _, _ := graph.Connect(t.Context(), nb, graph.Heat, 0)
	p := &objective.Problem{K: k, L: graph.NewLaplacian(w, false, 1), GammaA: gammaA, GammaI: gammaI, Targets: make([][]float64, 1)}
	count := make([]int, 2)
	for i, y := range d.Y {
		if count[y]++; count[y] <= 2 {
			p.Labelled = append(p.Labelled, i)
			p.Targets[0] = append(p.Targets[0], float64(2*y-1))
		}
	}
	return p
}

// Where decisions settle at once, Auto stops before the stability check can.
// Where they drift, though by little in ½√n iterations, Auto goes on, and comes
// nearer to the final decisions.
func TestAutoAgainstStability(t *testing.T) {
	for name, c := range map[string]struct{ gammaA, gammaI float64 }{"easy": {1e-2, 1e-1}, "ill-conditioned": {1e-5, 1e-3}} {
		p := moons(t, 1200, c.gammaA, c.gammaI)
		end := decisions(p, pcg(t, p, solve.Options{Stop: solve.None, MaxIterations: 3000}).F)
		iterations, off := make(map[solve.Condition]int), make(map[solve.Condition]int)
		for _, stop := range []solve.Condition{solve.Auto, solve.Stability} {
			s := pcg(t, p, solve.Options{Stop: stop})
			iterations[stop], off[stop] = s.Iterations[0], changed(decisions(p, s.F), end)
			t.Logf("%s, %s: %d iterations, %d of %d decisions differ from the last", name, stop, iterations[stop], off[stop], len(end))
			if s.Status[0] != solve.Stable {
				t.Errorf("%s, %s: %s", name, stop, s.Status[0])
			}
		}
		easy := name == "easy"
		if easy != (iterations[solve.Auto] < iterations[solve.Stability]) || easy && off[solve.Auto] > len(end)/200 || !easy && off[solve.Auto] >= off[solve.Stability] {
			t.Errorf("%s: iterations %v, decisions that differ from the last %v", name, iterations, off)
		}
	}
}

// The same bits, whatever the number of threads.
func TestAutoThreads(t *testing.T) {
	p := moons(t, 700, 1e-4, 1e-2)
	var first *solve.Solution
	for _, threads := range []int{1, 2, 3} {
		s, err := solve.PCG(parallel.WithLimit(t.Context(), threads), p, solve.Options{Stop: solve.Auto})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s
		}
		if s.Status[0] != solve.Stable || s.Iterations[0] != first.Iterations[0] || s.B[0] != first.B[0] || !slices.Equal(s.Alpha[0], first.Alpha[0]) {
			t.Errorf("%d threads: %d iterations (%s), with one %d; or other values", threads, s.Iterations[0], s.Status[0], first.Iterations[0])
		}
	}
}
