package selection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/geometry"
	"lapsvm/graph"
	"lapsvm/kernel"
	"lapsvm/train"
)

// What was chosen on a part of the points is compared again on all of up to
// checkedPoints. Conjugate gradient gets partIterations at most: machines that need
// more are seldom worth it.
const (
	checkedPoints  = 20000
	partIterations = 500
)

// finalists is how many machines are trained on all of so many points to be compared,
// beside the supervised one.
func finalists(n int) int {
	if n <= 12500 {
		return 4
	}
	return 2
}

// finalist is a machine that was trained on all points.
type finalist struct {
	recipe     train.Recipe
	modularity float64 // of the classes it predicts
	wrong      float64 // share of the held-out labels
	loss       float64 // of them, mean; 0 where there are none
	labels     int     // held out
	doubt      float64
}

// meet compares the best machines of a part, and the supervised one, on all points,
// by labels that are held out there and by how well the predicted classes fit the
// graph of all, and returns the recipe of the best. What is chosen on a part may not
// do for all: weights and widths mean something else among more points, and the
// solver may not get as far.
func (c *comparison) meet(ctx context.Context, d *dataset.Dataset, chosen train.Recipe, run train.Run) (train.Recipe, error) {
	if !c.part || c.recipe.Supervised || chosen.Supervised || c.points > checkedPoints || c.validation != nil || c.late() || c.asked.Prior != train.NoPrior || c.asked.ClassPrior != nil {
		return chosen, nil
	}
	reference, err := c.graphOfAll(ctx, d, chosen, run)
	if err != nil {
		return chosen, err
	}
	var all []finalist
	for _, r := range c.recipes(chosen) {
		if len(all) > 0 && c.late() {
			break
		}
		f, err := c.trainOnAll(ctx, d, r, run, reference)
		if err != nil {
			return chosen, err
		}
		all = append(all, f)
	}
	best := all[strongest(all)]
	choice := *chosen.Choice
	choice.Reason += fmt.Sprintf("; %d of them were compared again on all points", len(all))
	choice.Sigma, choice.GammaA, choice.GammaI = best.recipe.Kernel.Parameters().Sigma, best.recipe.GammaA, best.recipe.GammaI
	if best.recipe.Supervised {
		choice.Neighbours, choice.LaplacianDegree = 0, 0
	}
	if svm := all[len(all)-1]; best.labels > 0 && svm.recipe.Supervised && svm.labels > 0 {
		choice.Labels, choice.Loss, choice.Error, choice.SupervisedError = best.labels, best.loss, 100*best.wrong, 100*svm.wrong
		choice.ErrorLow, choice.ErrorHigh = wilson(best.wrong, best.labels)
		choice.Gain = choice.SupervisedError - choice.Error
		choice.GainError = 100 * math.Hypot(deviation(best.wrong, best.labels), deviation(svm.wrong, svm.labels)) // as if they were not of the same labels
		if best.recipe.Supervised {
			choice.GainError = 0
		}
	}
	best.recipe.Choice = &choice
	return best.recipe, nil
}

// graphOfAll returns the graph that predicted classes are to fit.
func (c *comparison) graphOfAll(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run) (*graph.Adjacency, error) {
	set, err := train.Prepare(d, r, run)
	if err != nil {
		return nil, err
	}
	options := c.recipe.Graph
	options.Neighbours = referenceNeighbours
	g, err := geometry.New(ctx, set.Points, geometry.Options{Graph: options, Seed: r.Seed})
	if err != nil {
		return nil, train.OfKind(train.ErrData, err)
	}
	w, _ := g.Graph(referenceNeighbours)
	return w, nil
}

// recipes returns the one that was chosen on the part, that of labels alone, the best of
// other weights of the graph, and the supervised machine where it may be taken.
func (c *comparison) recipes(chosen train.Recipe) []train.Recipe {
	b := belief{of: c.measured, modularity: c.partition()}
	evidence := c.evidence(b, -1)
	order := make([]int, len(b.of))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(evidence[j], evidence[i]) })
	all := []train.Recipe{chosen}
	with := func(m candidate) train.Recipe {
		r := chosen
		r.Kernel, r.GammaA, r.GammaI = c.kernels[m.kernel], m.GammaA, m.GammaI
		return r
	}
	if c.held != nil { // by labels alone
		if r := with(c.first(belief{of: c.measured})); r.Kernel != chosen.Kernel || r.GammaA != chosen.GammaA || r.GammaI != chosen.GammaI {
			all = append(all, r)
		}
	}
	for _, i := range order {
		m := b.of[i]
		if len(all) < finalists(c.points) && !slices.ContainsFunc(all, func(r train.Recipe) bool { return r.GammaI == m.GammaI }) {
			all = append(all, with(m))
		}
	}
	if c.mayBeSupervised() && len(c.alone) > 0 {
		r := c.asked
		r.Supervised, r.GammaA = true, chosen.Choice.SupervisedGamma
		if r.Kernel = chosen.Kernel; chosen.Choice.SupervisedSigma > 0 {
			r.Kernel = kernel.WithWidth(r.Kernel, chosen.Choice.SupervisedSigma)
		}
		all = append(all, r)
	}
	return all
}

// trainOnAll trains by a recipe on all points, and tests what comes out.
func (c *comparison) trainOnAll(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run, reference *graph.Adjacency) (finalist, error) {
	f := finalist{recipe: r}
	if r.Supervised {
		f.doubt = doubt
	}
	r.Calibrate = true
	fitted, err := train.Fit(ctx, d, r, train.Run{Memory: run.Memory, Time: run.Time, Observer: train.Observer{Progress: run.Progress}})
	if err != nil {
		return f, err
	}
	predictor := fitted.Predictor()
	var class []int
	if scores := fitted.Summary.Scores; scores != nil {
		class = predictor.Decide(scores)
	} else if class, err = predictor.Predict(ctx, d.Points); err != nil {
		return f, err
	}
	f.modularity = reference.Modularity(class, len(fitted.Task.Classes))
	if held := fitted.Summary.HeldOut; held != nil {
		f.labels = len(held.Class)
		coding := fitted.Task.Coding()
		for i, row := range held.Scores {
			if coding.DecideScores(row) != held.Class[i] {
				f.wrong += 1 / float64(f.labels)
			}
			for machine := range coding.Machines() {
				output := row[len(row)-coding.Machines()+machine]
				e := math.Max(0, 1-coding.Target(machine, held.Class[i])*output)
				f.loss += e * e / float64(f.labels)
			}
		}
	}
	return f, nil
}

// strongest returns the finalist with the most evidence, of equal ones that with the
// least loss, then the first. What counts is how many labels are wrong, as where
// beliefs are tested: the loss of machines that follow the graph is large, as their
// outputs are small, though they decide right.
func strongest(all []finalist) int {
	evidence := func(f finalist) float64 {
		return graphEvidence(f.labels)*f.modularity - f.doubt + float64(f.labels)*f.wrong*math.Log(surprise/(1-surprise))
	}
	best := 0
	for i, f := range all {
		if d := evidence(f) - evidence(all[best]); d > 0 || d == 0 && f.loss < all[best].loss {
			best = i
		}
	}
	return best
}
