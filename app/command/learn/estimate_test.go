package learn

import (
	"testing"
	"time"

	"lapsvm"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/points"
)

// The estimate has the orders of the steps: n² d, √n products, n³, and a matrix
// that is computed anew costs more than one that is stored.
func TestEstimate(t *testing.T) {
	plan := func(n int, form gram.Form, solver lapsvm.Solver) lapsvm.Plan {
		return lapsvm.Plan{N: n, D: 784, Machines: 1, Recipe: lapsvm.Recipe{Solver: solver, Precision: gram.Single}, Gram: gram.Storage{Form: form}}
	}
	x := points.Dense(2, 784, make([]float64, 2*784)) // points of a plan have as many features
	trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{GammaI: 1}}
	const flops = 1e11 // of a thread
	of := func(n int, form gram.Form, solver lapsvm.Solver, threads float64) time.Duration {
		return estimate(trainer, plan(n, form, solver), x, threads*flops, int(threads))
	}
	small, large := of(10000, gram.FormHalf, lapsvm.PCG, 2), of(20000, gram.FormHalf, lapsvm.PCG, 2)
	if ratio := float64(large) / float64(small); !(ratio > 4 && ratio < 6) {
		t.Errorf("twice the points take %v times as long by pcg", ratio)
	}
	newton := float64(of(20000, gram.FormHalf, lapsvm.Newton, 2)) / float64(of(10000, gram.FormHalf, lapsvm.Newton, 2))
	if !(newton > 6 && newton <= 8) {
		t.Errorf("twice the points take %v times as long by newton", newton)
	}
	if of(10000, gram.FormStreamed, lapsvm.PCG, 2) < 10*small {
		t.Error("a matrix computed anew for every product costs little more than a stored one")
	}
	if of(10000, gram.FormPoints, lapsvm.PCG, 2) > small {
		t.Error("features cost more than the matrix")
	}
	if of(10000, gram.FormHalf, lapsvm.PCG, 1) <= small {
		t.Error("one thread is as fast as two")
	}
	limited := trainer
	limited.Recipe.MaxIterations = 5
	if estimate(limited, plan(10000, gram.FormHalf, lapsvm.PCG), x, 2*flops, 2) >= small {
		t.Error("5 iterations take as long as 100")
	}
	on := func(n, labelled, machines int) time.Duration {
		p := plan(n, gram.FormLandmarks, train.Landmarks)
		p.Labelled, p.Machines, p.Recipe.Landmarks = labelled, machines, 500
		return estimate(trainer, p, x, 2*flops, 2)
	}
	if ratio := float64(on(4e6, 100, 10)-on(2e6, 100, 10)) / float64(on(2e6, 100, 10)-on(1e6, 100, 10)); !(ratio >= 2 && ratio < 2.5) {
		t.Errorf("twice as many more points take %v times as long on landmarks", ratio)
	}
	held := trainer
	held.Recipe.Calibrate = true
	several := plan(10000, gram.FormLandmarks, train.Landmarks)
	several.Labelled, several.Machines, several.Recipe.Landmarks = 1000, 50, 500
	if !(estimate(held, several, x, 2*flops, 2) > estimate(trainer, several, x, 2*flops, 2)+2*time.Second) {
		t.Error("1,000 labels that are left out of 50 machines take no time")
	}
	paced := func(iterations, products int) time.Duration {
		p := plan(100000, gram.FormLandmarks, train.Landmarks)
		p.Labelled, p.Machines, p.Recipe.Landmarks, p.Recipe.Graph.Neighbours = 500, 25, 500, 10
		p.Recipe.Choice = &lapsvm.Choice{Pace: nystrom.Pace{Panels: 10, Iterations: iterations, Products: products}}
		return estimate(trainer, p, x, 2*flops, 2)
	}
	if !(paced(80, 20) > paced(40, 20)) || !(paced(40, 30) > paced(40, 20)) {
		t.Error("columns that took more iterations, or more products, where parameters were chosen take no more time")
	}
	if !(on(40000, 800, 10) > on(40000, 100, 10)) {
		t.Error("more labels take no more time")
	}
	if !(on(40000, 2000, 200) > on(40000, 2000, 10)) {
		t.Error("more classes of many labels take no more time")
	}
	if of(1<<40, gram.FormHalf, lapsvm.Newton, 1) <= 0 {
		t.Error("an estimate beyond all bounds is not positive")
	}
}
