package lapsvm_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// The model of several members has the weighted mean of its members' outputs, on
// the training points and elsewhere, and so do the held-out values.
func TestMembers(t *testing.T) {
	d := dataset.TwoMoons(120, 0.1, 3)
	for i := 10; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	base := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Solver: lapsvm.Deformed}}
	members := []lapsvm.Member{
		{Neighbours: 3, LaplacianDegree: 1, GammaA: 1e-2, GammaI: 1, Weight: 0.2},
		{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-3, GammaI: 0.1, Weight: 0.5},
		{Neighbours: 5, LaplacianDegree: 2, GammaA: 1, GammaI: 0.1, Weight: 0.1},
		{Neighbours: 5, LaplacianDegree: 4, GammaA: 1e-3, GammaI: 1, Weight: 0.2},
	}
	averaged := base
	averaged.Recipe.Members = members
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
		one.Recipe.Graph = graph.Options{Neighbours: member.Neighbours, Degree: member.LaplacianDegree}
		one.Recipe.GammaA, one.Recipe.GammaI = member.GammaA, member.GammaI
		alone, err := one.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := alone.Scores(t.Context(), unseen)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i] += member.Weight * scores[i][1]
		}
		for i := range trained {
			trained[i] += member.Weight * alone.Training().Scores[i][1]
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
	// Members and parameters of one machine exclude each other, and without members
	// the recipe is that machine.
	averaged.Recipe.GammaI = 5
	if _, err := averaged.Fit(t.Context(), d); !errors.Is(err, lapsvm.ErrParameter) || !strings.Contains(err.Error(), "Members") {
		t.Errorf("members and another weight: error %v", err)
	}
	averaged.Recipe.Members = nil
	averaged.Recipe.Graph, averaged.Recipe.GammaA = graph.Options{Neighbours: 5, Degree: 2}, 1e-3
	other, err := averaged.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	base.Recipe.Graph, base.Recipe.GammaA, base.Recipe.GammaI = graph.Options{Neighbours: 5, Degree: 2}, 1e-3, 5
	single, err := base.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range other.Training().Scores {
		if v[1] != single.Training().Scores[i][1] {
			t.Fatalf("point %d has %v, alone %v", i, v[1], single.Training().Scores[i][1])
		}
	}
	// A single member is the machine it describes.
	base.Recipe.Graph, base.Recipe.GammaA, base.Recipe.GammaI = graph.Options{}, 0, 0
	base.Recipe.Members = []lapsvm.Member{{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-3, GammaI: 5, Weight: 1}}
	member, err := base.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range member.Training().Scores {
		if v[1] != single.Training().Scores[i][1] {
			t.Fatalf("point %d has %v as the only member, alone %v", i, v[1], single.Training().Scores[i][1])
		}
	}
}
