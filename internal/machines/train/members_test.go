package train

import (
	"math"
	"testing"

	"lapsvm/internal/machines/solve"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// The held-out values of a mean, and the contributions of its labels, are the weighted means of
// those of its members.
func TestMeanOfMembers(t *testing.T) {
	d := few(60, 12)
	r := Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Members: pair(nil), Calibrate: true, LabelShares: true}
	whole, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	held := make([][]float64, len(whole.Summary.HeldOut.Scores))
	for i := range held {
		held[i] = make([]float64, 2)
	}
	shares := make([]float64, len(whole.LabelShares[0]))
	for _, m := range r.Members {
		one := r
		one.Members, one.Solver = nil, Deformed
		one.GammaA, one.GammaI, one.Graph = m.GammaA, m.GammaI, graph.Options{Neighbours: m.Neighbours, Degree: m.LaplacianDegree}
		alone, err := Fit(t.Context(), d, one, Run{})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range alone.Summary.HeldOut.Scores {
			for c, f := range row {
				held[i][c] += m.Weight * f
			}
		}
		for k, v := range alone.LabelShares[0] {
			shares[k] += m.Weight * v
		}
	}
	for i, row := range whole.Summary.HeldOut.Scores {
		for c, f := range row {
			if !(math.Abs(f-held[i][c]) <= 1e-9*(1+math.Abs(f))) {
				t.Errorf("held-out point %d has %v for class %d, the mean of the members is %v", i, f, c, held[i][c])
			}
		}
	}
	for k, v := range whole.LabelShares[0] {
		if !(math.Abs(v-shares[k]) <= 1e-6*(1+math.Abs(v))) {
			t.Errorf("share %d is %v, the mean of the members %v", k, v, shares[k])
		}
	}
}

// A member without an intrinsic norm is the machine of the labels alone, by each of the solvers that make means. It leads where no
// other has such a norm.
func TestSupervisedMember(t *testing.T) {
	d := few(60, 12)
	base := Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Calibrate: true}
	supervised := base
	supervised.Supervised, supervised.GammaA, supervised.Solver = true, 1, Deformed
	manifold := base
	manifold.GammaA, manifold.GammaI, manifold.Solver, manifold.Graph = 0.1, 1, Deformed, graph.Options{Neighbours: 5, Degree: 1}
	mean := base
	mean.Members = pair(func(m *Member) { m.Neighbours, m.LaplacianDegree, m.GammaI = 5, 1, 0 })
	if leading := mean.Leading(); leading != mean.Members[0] {
		t.Errorf("%+v leads", leading)
	}
	of := func(r Recipe) (scores, held [][]float64) {
		f, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		if scores, err = f.Predictor().Scores(t.Context(), d.Points); err != nil {
			t.Fatal(err)
		}
		return scores, f.Summary.HeldOut.Scores
	}
	alone, aloneHeld := of(supervised)
	graphs, graphsHeld := of(manifold)
	for solver, within := range map[Solver]float64{Deformed: 1e-8, Landmarks: 1e-3} {
		r := mean
		if r.Solver = solver; solver == Landmarks {
			r.Landmarks, r.Precision = 60, gram.Double
		}
		scores, held := of(r)
		compare := func(what string, got, first, second [][]float64) {
			for i, row := range got {
				for c, f := range row {
					if want := 0.25*first[i][c] + 0.75*second[i][c]; !(math.Abs(f-want) <= within*(1+math.Abs(want))) {
						t.Fatalf("%s: %s of point %d is %v for class %d, want %v", solver, what, i, f, c, want)
					}
				}
			}
		}
		compare("score", scores, graphs, alone)
		compare("held-out score", held, graphsHeld, aloneHeld)
	}
	mean.Members = mean.Members[1:]
	mean.Members[0].Weight = 1
	if leading := mean.Leading(); leading.GammaA != 1 {
		t.Errorf("%+v leads alone", leading)
	}
}

// A mean has converged where all its members have.
func TestMeanOfAMemberThatDidNotConverge(t *testing.T) {
	p, err := Begin(t.Context(), few(60, 12), Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Members: pair(nil)}, Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Geometry.Close()
	m, err := p.minimise(t.Context(), nil, Run{})
	if err != nil || len(m.members) != 2 || m.Status[0] != solve.Converged {
		t.Fatal(m.Status, err)
	}
	again := &minimum{Solution: p.noSolution()}
	m.members[0].at[0].Converged = false
	for _, member := range m.members {
		p.addMachines(again, member)
	}
	if again.Status[0] != solve.IterationLimit {
		t.Errorf("the mean is %v where its first member did not converge", again.Status[0])
	}
}
