package train

import (
	"testing"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// Chosen parameters are trained with on landmarks beyond 6,000 points whatever the number of labels, and exactly up to 6,000 unless the labels
// of all machines are too many.
func TestPreferredSolvers(t *testing.T) {
	gaussian := Recipe{Kernel: kernel.Gaussian{Sigma: 1}}
	linear, steered, checked, alone := Recipe{Kernel: kernel.Linear{}}, gaussian, gaussian, gaussian
	steered.MaxIterations, steered.Tolerance, checked.CheckEvery, alone.Supervised = 10, 1e-6, 5, true
	for _, c := range []struct {
		recipe                Recipe
		n, labelled, machines int
		exact, landmarks      bool
	}{
		{gaussian, exactLimit, 1000, 26, true, false},
		{gaussian, exactLimit, 1200, 26, false, false},
		{gaussian, exactLimit, 5000, 1, true, false},
		{gaussian, exactLimit, 6000, 1, false, false},
		{gaussian, exactLimit + 1, 10, 1, false, true},
		{gaussian, exactLimit + 1, exactLimit, 26, false, true},
		{linear, exactLimit + 1, 10, 1, false, false},
		{steered, 100, 10, 1, false, false},
		{steered, exactLimit + 1, 10, 1, false, true},
		{checked, exactLimit + 1, 10, 1, false, false},
		{alone, exactLimit + 1, 10, 1, false, false},
	} {
		if exact, landmarks := c.recipe.PrefersExact(c.n, c.labelled, c.machines), c.recipe.PrefersLandmarks(c.n); exact != c.exact || landmarks != c.landmarks {
			t.Errorf("%d points, %d labels, %d machines of %+v: exact %t, landmarks %t", c.n, c.labelled, c.machines, c.recipe, exact, landmarks)
		}
	}
	if got := gaussian.SolverFor(LandmarkLimit+1, 5*mostColumns); got != Landmarks {
		t.Errorf("given parameters are trained with by %s", got)
	}
	numbers := gaussian
	numbers.Kind = task.Numbers()
	streamed, tolerant := numbers, numbers
	streamed.Gram, tolerant.Tolerance = gram.FormStreamed, 1e-9
	for _, c := range []struct {
		recipe Recipe
		n      int
		solver Solver
	}{{numbers, exactLimit, Deformed}, {numbers, exactLimit + 1, PCG}, {streamed, 100, PCG}, {tolerant, 100, PCG}, {gaussian, 100, PCG}} {
		if got := c.recipe.SolverFor(c.n, 10); got != c.solver {
			t.Errorf("given parameters, %d points of %+v: %s, want %s", c.n, c.recipe, got, c.solver)
		}
	}
}
