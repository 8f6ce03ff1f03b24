package train

import (
	"math"
	"testing"

	"lapsvm/internal/machines/solve"
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
