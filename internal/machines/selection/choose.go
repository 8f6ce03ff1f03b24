package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// Choose returns r with its open settings chosen from the data: the scaling, see [Scale], the width
// of a Gaussian kernel, Graph.Neighbours, Graph.Degree, GammaA and GammaI. It compares machines with the
// squared loss, whose outputs at labels that are left out have a closed form:
//
//	σ          mean distance of the 5 nearest neighbours, the median distance
//	neighbours 3, 5, 10, 20
//	degree     2, 5
//	γA, γI     1e-6, 1e-4, 0.01, 1, 100
//
// Of each it measures h, the mean squared hinge loss of the labels of run.Validation, or of l labels
// of d, each left out in turn. It also measures Q, the modularity of the classes predicted for all
// points, in the graph of 10 neighbours. With few labels the best machine is partly luck. So the
// recipe has members, those with the σ of the largest weight, each with
//
//	w ∝ exp(β Q − l (h − h_min)/(2 h_min)) / rms f,   β = 30·min(1, 30/l)
//
// Their mean is one kernel expansion. Unless two classes have two labels each, Q alone weighs: labels of
// a single class favour any machine that assigns that class to all points. Supervised machines,
// with 0.5 and 4 times the median distance for σ too, are measured for comparison.
//
// The Choice of the recipe has Expected and Verdict, of labels that had no part in the choice: it is made
// again without each of at most ten blocks of labels.
//
// The comparison is on at most 4,000 points, with 200 labels of 50 classes, drawn by the seed.
// Functions are those that the kernels at 400 points span, the labelled ones among them. Where that
// is not all, a single machine is taken. All n points lie closer together than m of them: the
// narrow σ is measured on all, and the neighbours are ∛(n/m) times as many. Where n is at least 16,000, the recipe has a
// [train.Recipe].Challenger, with the next power of the Laplacian. The training takes the
// challenger if labels held out on all points favour it.
//
// Nothing is compared for one class, and for a supervised machine without two classes of two labels.
// The choice is then by rule of thumb, γA 1e-4 and γI 0.01, and leaves the rest to [train.Fit]. The
// result depends on d, the recipe and its seed alone, unless run.Time ends the comparison. It fails
// where Fit does.
func Choose(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (train.Recipe, error) {
	scaled, err := Scale(ctx, d, r, run)
	if err != nil {
		return scaled, err
	}
	return choose(ctx, d, scaled, run, r.Standardise == "")
}

// choose is Choose of a recipe with a scaling.
func choose(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run, openScaling bool) (train.Recipe, error) {
	a, why, err := newArena(ctx, d, r, run, arenaPoints, 0)
	if err != nil {
		return r, err
	}
	if why != "" {
		r = r.ByRule()
		r.Choice = &train.Choice{GammaA: r.GammaA, GammaI: r.GammaI, Reason: "rules of thumb, because " + why}
		return r, nil
	}
	a.openScaling = openScaling
	machines, alone, err := a.race(ctx, d, run)
	if err != nil {
		return r, err
	}
	some := machines
	if r.Supervised {
		some = alone
	}
	if len(some) == 0 || len(alone) == 0 {
		return r, train.OfKind(train.ErrParameter, errors.New("no machine has a result in double precision: give gamma-a and gamma-i, or another kernel"))
	}
	r = a.recipeOf(r, a.take(some, -1))
	a.tell(r.Choice, machines, alone)
	if a.isPart() {
		r, err = a.final(ctx, d, r, machines, run)
	} else {
		r, err = a.carried(ctx, d, r)
	}
	return a.challenged(r), err
}

// The first round of many points is on few of them.
const (
	firstPoints = 600 // points of the first round
	firstGraphs = 6   // kernels with graphs that it leaves
	survivors   = 30  // machines that are measured exactly
)

// race measures machines with graphs in rounds, and returns those of the last. The first round is on a
// few of many points, and leaves the kernels and graphs of the machines with the most evidence. In the second round their
// machines are measured in closed form. Those with the most evidence are
// measured exactly, and so are the supervised machines.
func (a *arena) race(ctx context.Context, d *dataset.Dataset, run train.Run) (machines, alone []measured, err error) {
	counter := &counter{of: len(a.machines) + min(survivors, len(a.machines)) + len(a.alone), report: run.Compared}
	if alone, err = a.measure(ctx, a.alone, true, counter); err != nil || len(a.machines) == 0 {
		return nil, alone, err
	}
	list, err := a.firstRound(ctx, d, run)
	if err != nil {
		return nil, alone, err
	}
	counter.of -= len(a.machines) - len(list)
	if machines, err = a.measure(ctx, list, false, counter); err != nil || len(machines) == 0 {
		return nil, alone, err
	}
	machines, err = a.measure(ctx, a.strongest(machines, survivors), true, counter)
	return machines, alone, err
}

// firstRound returns the machines that the first round leaves, all where there is none.
func (a *arena) firstRound(ctx context.Context, d *dataset.Dataset, run train.Run) ([]candidate, error) {
	if 3*a.geometry.Len() < 4*firstPoints || len(a.graphs()) <= firstGraphs {
		return a.machines, nil
	}
	few, why, err := newArena(ctx, d, a.asked, run, firstPoints, 0)
	if err != nil || why != "" || few.nearest != a.nearest || few.task.Points < firstPoints {
		return a.machines, err
	}
	few.until = a.until
	some, err := few.measure(ctx, few.machines, false, new(counter))
	if err != nil || len(some) == 0 {
		return a.machines, err
	}
	left := make(map[candidate]bool)
	for _, c := range few.strongest(some, len(some)) {
		if len(left) < firstGraphs {
			left[c.graph()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(a.machines), func(c candidate) bool { return !left[c.graph()] }), nil
}

// recipeOf returns the recipe with its open settings as in the machines taken.
func (a *arena) recipeOf(r train.Recipe, taken []weighted) train.Recipe {
	first := slices.MaxFunc(taken, func(m, o weighted) int { return cmp.Compare(m.weight, o.weight) })
	r.Kernel = a.kernels[first.kernel]
	r.Choice = &train.Choice{Candidates: len(a.machines) + len(a.alone), Points: a.geometry.Len(), Sigma: r.Kernel.Parameters().Sigma,
		Neighbours: first.Neighbours, LaplacianDegree: first.LaplacianDegree, GammaA: first.GammaA, GammaI: first.GammaI}
	if first.losses != nil {
		r.Choice.Loss = first.loss()
	}
	r.GammaA = first.GammaA
	if first.supervised() {
		return r
	}
	labels := len(a.task.Labelled) + a.unseen
	switch {
	case a.recipe.Solver != train.Auto:
	case a.recipe.PrefersExact(a.points):
		r = r.By(train.Deformed)
	case a.recipe.PrefersLandmarks(a.points, labels):
		r = r.By(train.Landmarks)
	}
	r.GammaI, r.Graph.Neighbours, r.Graph.Degree = first.GammaI, first.Neighbours, first.LaplacianDegree
	if a.geometry.Len() < a.points && r.MaxIterations == 0 && r.SolverFor(a.points, labels) == train.PCG {
		r.MaxIterations = sampleIterations
	}
	if len(taken) > 1 {
		r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 0, 0, 0, 0
		for _, m := range taken {
			member := m.Member
			member.Weight = m.weight
			r.Members = append(r.Members, member)
		}
		r.Choice.Averaged = len(taken)
	}
	return r
}

// sampleIterations limits the iterations of conjugate gradient for parameters chosen on some of the
// points: a machine that needs more is seldom worth it.
const sampleIterations = 500

// carried returns the recipe for all points, given one chosen on some of them. All points lie
// closer together, so two settings change. A width that was the mean distance of neighbours is
// measured anew. Neighbours, k for m points, become k·∛(n/m) for n: they reach less far than
// before, and are more. The weights stay, and so do settings given by the caller. Cost: where that
// width was chosen, a search of neighbours.
func (a *arena) carried(ctx context.Context, d *dataset.Dataset, r train.Recipe) (train.Recipe, error) {
	m := a.geometry.Len()
	if m >= a.points || r.Supervised {
		return r, nil
	}
	choice := r.Choice
	if a.asked.Graph.Neighbours == 0 {
		growth := math.Cbrt(float64(a.points) / float64(m))
		scale := func(k int) int { return int(math.Round(growth * float64(k))) }
		r.Graph.Neighbours, choice.Neighbours = scale(r.Graph.Neighbours), scale(choice.Neighbours)
		for i := range r.Members {
			r.Members[i].Neighbours = scale(r.Members[i].Neighbours)
		}
	}
	if a.nearest >= 0 && r.Kernel == a.kernels[a.nearest] {
		_, p, err := train.NewFrame(ctx, d, a.recipe, nil)
		if err != nil {
			return r, train.OfKind(train.ErrParameter, err)
		}
		k, err := a.nearestKernel(ctx, p, nil)
		if err != nil {
			return r, train.OfKind(train.ErrData, err)
		}
		if k.Validate() == nil {
			r.Kernel, choice.Sigma = k, k.Parameters().Sigma
		}
	}
	choice.Reason += fmt.Sprintf("; with neighbours and widths as %d points have them", a.points)
	return r, nil
}

// challengedPoints is the number of points from which on there is a challenger.
const challengedPoints = 16000

// challenged returns the recipe with a challenger, where all points are far more than those
// compared. The challenger has the next power of the Laplacian: on so many more points it leaves a
// function as smooth. Its weight is ten times as large, as the small eigenvalues are about a tenth.
// Held-out labels decide on all points.
func (a *arena) challenged(r train.Recipe) train.Recipe {
	if r.Supervised || a.held == nil || a.held.validation != nil || a.asked.Graph.Degree > 0 || a.points < challengedPoints || a.asked.Prior != nil {
		return r
	}
	m := r.Leading()
	m.LaplacianDegree++
	if a.asked.GammaI == 0 {
		m.GammaI *= 10
	}
	r.Challenger = &m
	return r
}
