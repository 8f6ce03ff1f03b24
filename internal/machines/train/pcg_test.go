package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// corners is n points around the corners of a polygon, a class each, of which the
// first few of every class are labelled.
func corners(n, classes, labelled int) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(5, uint64(classes)))
	d := &dataset.Dataset{}
	for c := range classes {
		d.Classes = append(d.Classes, string(rune('a'+c)))
	}
	var values []float64
	for i := range n {
		c := i % classes
		angle := 2 * math.Pi * float64(c) / float64(classes)
		values = append(values, 3*math.Cos(angle)+rng.NormFloat64(), 3*math.Sin(angle)+rng.NormFloat64())
		if d.Y = append(d.Y, c); i/classes >= labelled {
			d.Y[i] = dataset.Unlabelled
		}
	}
	d.Points = points.Dense(n, 2, values)
	return d
}

// Stopping checks count the decisions of f = Kα + b on the labelled validation points, scaled as
// the training is. Points of a class unknown to the task always count as wrong.
func TestCountErrors(t *testing.T) {
	for _, classes := range []int{2, 4} {
		d, v := corners(60, classes, 4), corners(41, classes+1, 9)
		r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-2, GammaI: 1, Solver: PCG, Standardise: points.ZScore}
		p, err := Begin(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Geometry.Close()
		validation, err := NewValidation(t.Context(), v, p.Preprocessing, p.Task)
		if err != nil {
			t.Fatal(err)
		}
		count, err := p.countErrors(t.Context(), validation)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 3))
		x, basis := p.Scaling.Apply(v.Points), p.Scaling.Apply(d.Points)
		for range 10 {
			var alpha [][]float64
			var b []float64
			for range p.Task.Coding().Machines() {
				a := make([]float64, d.Points.Len())
				for i := range a {
					a[i] = rng.NormFloat64() / 10
				}
				alpha, b = append(alpha, a), append(b, 2*rng.NormFloat64())
			}
			want := 0
			for i, y := range v.Y {
				if y == dataset.Unlabelled {
					continue
				}
				f := slices.Clone(b)
				for machine := range f {
					for j, a := range alpha[machine] {
						f[machine] += a * math.Exp(-x.SquaredDistance(i, basis, j)/(2*0.7*0.7))
					}
				}
				said := 0
				for class := range f {
					if f[class] > f[said] {
						said = class
					}
				}
				if classes == 2 && f[0] > 0 {
					said = 1
				}
				if v.Classes[y] != d.Classes[said] {
					want++
				}
			}
			if got := count(alpha, b); got != want {
				t.Errorf("%d classes: %d errors, want %d", classes, got, want)
			}
		}
	}
}

// Machines without a fold of the labels are iterated as often as the slowest
// machine of the training was, each of them as if it were alone.
func TestHeldOutIterations(t *testing.T) {
	d := corners(90, 3, 8)
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-4, GammaI: 1, Graph: graph.Options{Neighbours: 5, Degree: 2}, Solver: PCG, Stop: solve.Objective, Tolerance: 1e-3, Precision: gram.Double}
	p, err := Begin(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Geometry.Close()
	m, err := p.minimise(t.Context(), nil, Run{})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Max(m.Iterations) == slices.Min(m.Iterations) {
		t.Fatalf("all machines took %d iterations: nothing is tested", m.Iterations[0])
	}
	outputs, err := p.holdOut(t.Context(), m, Run{})
	if err != nil {
		t.Fatal(err)
	}
	_, held, err := p.learnProbabilities(t.Context(), m, outputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	for _, fold := range p.Task.Folds(mostFolds) {
		without := *p.Problem
		without.Targets = nil
		for _, targets := range p.Problem.Targets {
			own := slices.Clone(targets)
			for _, k := range fold {
				own[k] = objective.LeftOut()
			}
			without.Targets = append(without.Targets, own)
		}
		alone, err := solve.PCG(t.Context(), &without, solve.Options{Stop: solve.None, MaxIterations: slices.Max(m.Iterations)})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range fold {
			if held.Class[next] != p.Task.Class[k] {
				t.Errorf("held-out point %d has the class %d", next, held.Class[next])
			}
			for machine, f := range alone.F {
				if got, want := held.Scores[next][machine], f[p.Task.Labelled[k]]; !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
					t.Errorf("machine %d at held-out point %d: %v, alone %v", machine, next, got, want)
				}
			}
			next++
		}
	}
}

// Beyond the points of an exact solver, one pass over K limits the folds held out by the number of
// its columns; at least one fold is held out.
func TestFoldsOfManyPoints(t *testing.T) {
	for _, c := range []struct{ n, classes, folds int }{{3100, 2, 5}, {3100, 4, 4}, {3100, 20, 1}, {400, 4, 5}} {
		d := corners(c.n, c.classes, 5)
		r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.7}, GammaA: 1e-2, GammaI: 1, Graph: graph.Options{Neighbours: 3, Degree: 1}, Solver: PCG, Stop: solve.None, MaxIterations: 2, Calibrate: true, Loss: objective.Squared}
		f, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(f.Summary.HeldOut.Class), c.folds*c.classes; got != want {
			t.Errorf("%d points of %d classes: %d labels held out, want %d in %d folds", c.n, c.classes, got, want, c.folds)
		}
	}
}
