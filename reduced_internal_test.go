package lapsvm

import (
	"math"
	"testing"

	"lapsvm/dataset"
	"lapsvm/deformed"
	"lapsvm/graph"
	"lapsvm/kernel"
)

// The model of an average has the weighted mean of its members' outputs, on
// the training points and elsewhere, and so do the held-out values.
func TestAverage(t *testing.T) {
	d := dataset.TwoMoons(120, 0.1, 3)
	for i := 10; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	base := Trainer{Kernel: kernel.Gaussian{Sigma: 0.4}, Graph: graph.Options{Neighbours: 5, Degree: 2}, GammaA: 1e-3, GammaI: 0.1, Solver: Deformed}
	members := []member{
		{graph.Options{Neighbours: 3, Degree: 1}, deformed.Gammas{A: 1e-2, I: 1}, 0.2},
		{graph.Options{Neighbours: 5, Degree: 2}, deformed.Gammas{A: 1e-3, I: 0.1}, 0.5},
		{graph.Options{Neighbours: 5, Degree: 2}, deformed.Gammas{A: 1, I: 0.1}, 0.1},
		{graph.Options{Neighbours: 5, Degree: 4}, deformed.Gammas{A: 1e-3, I: 1}, 0.2},
	}
	averaged := base
	averaged.Choice = &Choice{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-3, GammaI: 0.1, average: members}
	m, err := averaged.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	unseen := dataset.TwoMoons(40, 0.1, 4).Points
	got, err := m.Scores(t.Context(), unseen)
	if err != nil {
		t.Fatal(err)
	}
	want, trained := make([]float64, len(got)), make([]float64, len(d.Y))
	for _, member := range members {
		one := base
		one.Graph, one.GammaA, one.GammaI = member.graph, member.gammas.A, member.gammas.I
		alone, err := one.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := alone.Scores(t.Context(), unseen)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i] += member.weight * scores[i][1]
		}
		for i := range trained {
			trained[i] += member.weight * alone.Training().Scores[i][1]
		}
	}
	for i := range want {
		if !(math.Abs(got[i][1]-want[i]) <= 1e-6*(1+math.Abs(want[i]))) {
			t.Errorf("unseen point %d has %v, the mean is %v", i, got[i][1], want[i])
		}
	}
	for i, v := range m.Training().Scores {
		if !(math.Abs(v[1]-trained[i]) <= 1e-6*(1+math.Abs(trained[i]))) {
			t.Errorf("point %d has %v, the mean is %v", i, v[1], trained[i])
		}
	}
	// Other parameters than the chosen ones are not averaged.
	averaged.GammaI = 5
	other, err := averaged.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	base.GammaI = 5
	single, err := base.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range other.Training().Scores {
		if v[1] != single.Training().Scores[i][1] {
			t.Fatalf("point %d has %v, alone %v", i, v[1], single.Training().Scores[i][1])
		}
	}
}
