package selection

import (
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// A recipe chosen on a third of the points gets the width and the neighbours of all points, but for
// settings given by the caller.
func TestCarried(t *testing.T) {
	ctx, d := t.Context(), labelledMoons(300, 12, false)
	nb, err := graph.FindNeighbours(ctx, d.Points, 5, graph.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for name, one := range map[string]struct {
		asked train.Recipe
		given bool // the number of neighbours
	}{"open": {}, "neighbours": {train.Recipe{Graph: graph.Options{Neighbours: 7}}, true}} {
		a := comparisonOn(t, d, one.asked, train.Run{}, 100, 0)
		for k, used := range a.kernels {
			chosen := train.Recipe{Kernel: used, Members: []train.Member{{Neighbours: 2}, {Neighbours: 7}}, Choice: &train.Choice{Neighbours: 7}}
			got, err := a.carried(ctx, d, chosen)
			if err != nil {
				t.Fatal(err)
			}
			want := []int{3, 10, 10} // times ∛3
			if one.given {
				want = []int{2, 7, 7}
			}
			if have := []int{got.Members[0].Neighbours, got.Members[1].Neighbours, got.Choice.Neighbours}; !slices.Equal(have, want) {
				t.Errorf("%s, width %d: neighbours %v, want %v", name, k, have, want)
			}
			width := used.Parameters().Sigma
			if k == nearest {
				if width, err = nb.MeanDistance(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if sigma := got.Kernel.Parameters().Sigma; !(sigma == width) {
				t.Errorf("%s, width %d: %v, want %v", name, k, sigma, width)
			}
			if chosen.Members[0].Neighbours != 2 || chosen.Choice.Neighbours != 7 {
				t.Errorf("%s, width %d: what was chosen has changed", name, k)
			}
		}
	}
}

// All points, a given width and a supervised machine are left as they are.
func TestNothingToCarry(t *testing.T) {
	for name, one := range map[string]struct {
		points int
		asked  train.Recipe
		r      train.Recipe
	}{
		"all points": {points: 100},
		"supervised": {points: 300, r: train.Recipe{Supervised: true}},
		"all given":  {points: 300, asked: train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.3}, Graph: graph.Options{Neighbours: 5}}},
	} {
		d := labelledMoons(one.points, 12, false)
		a := comparisonOn(t, d, one.asked, train.Run{}, 100, 0)
		r := one.r
		r.Kernel, r.Graph.Neighbours, r.Choice = a.kernels[a.kernels.roles()[0]], 5, &train.Choice{}
		got, err := a.carried(t.Context(), d, r)
		if err != nil || got.Kernel != r.Kernel || got.Graph.Neighbours != 5 {
			t.Errorf("%s: %v, %d neighbours, %v", name, got.Kernel, got.Graph.Neighbours, err)
		}
	}
}

// A machine that does well on a part of two moons does so on all of them: with the width
// and the neighbours of the part this one has four times as many wrong.
func TestCarriedDoesWell(t *testing.T) {
	ctx, d := t.Context(), dataset.TwoMoons(640, 0.15, 11)
	truth, left := slices.Clone(d.Y), []int{5, 5}
	for i, y := range truth {
		if d.Y[i] = dataset.Unlabelled; left[y] > 0 {
			d.Y[i] = y
			left[y]--
		}
	}
	r := train.Recipe{Standardise: "none"}
	a := comparisonOn(t, d, r, train.Run{}, 200, 0)
	list := []candidate{{nearest, graph.Euclidean, 0, train.Member{Neighbours: 5, LaplacianDegree: 2, GammaA: 1e-4, GammaI: 100}, false}}
	all, err := a.measure(ctx, list, new(counter))
	if err != nil {
		t.Fatal(err)
	}
	wrong := func(r train.Recipe) (n int) {
		f, err := train.Fit(ctx, d, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		class, err := f.Predictor().Predict(ctx, d.Points)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range class {
			if y != truth[i] {
				n++
			}
		}
		return n
	}
	chosen := a.recipeOf(r, a.take(all, nil, -1))
	carried, err := a.carried(ctx, d, chosen)
	if err != nil {
		t.Fatal(err)
	}
	before, after := wrong(chosen), wrong(carried)
	t.Logf("%d wrong as on the part, %d carried over", before, after)
	if !(after <= 32 && 2*after < before) {
		t.Errorf("%d wrong, %d as on the part", after, before)
	}
}
