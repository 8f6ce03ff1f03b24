package selection

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

func TestLead(t *testing.T) {
	for _, c := range []struct {
		row    []float64
		lead   float64
		second int
	}{
		{[]float64{-0.5}, 0.5, dataset.Unlabelled}, {[]float64{-0.5, 0.5}, 0.5, 0}, {[]float64{2, -2}, 2, 1}, {[]float64{1, 3, 2}, 1, 2}, {[]float64{4, 1, 2}, 2, 2},
	} {
		if lead, second := Lead(c.row); lead != c.lead || second != c.second {
			t.Errorf("%v: %v, %d", c.row, lead, second)
		}
	}
}

// The decisions of a repeat are about rows of the whole data set, with the labels that
// were hidden, surest mistakes and smallest leads first.
func TestDecisionsOfARepeat(t *testing.T) {
	d := few(150, 150)
	e := Evaluation{Recipe: train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.05}, GammaA: 1e-2, GammaI: 1e-6, Graph: graph.Options{Neighbours: 4, Degree: 1}}}
	all, err := Splits(d, Plan{Labelled: 4, Repeats: 2, TestFraction: 0.2, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	splits := slices.Collect(all)
	results, err := e.Run(t.Context(), d, slices.Values(splits))
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range results {
		wrong := 0
		for truth, row := range r.Confusion {
			for predicted, n := range row {
				if predicted != truth {
					wrong += n
				}
			}
		}
		if len(r.Mistakes) != min(wrong, decisionsKept) || len(r.Uncertain) != decisionsKept {
			t.Errorf("repeat %d: %d mistakes of %d, %d uncertain", k+1, len(r.Mistakes), wrong, len(r.Uncertain))
		}
		for _, x := range append(slices.Clone(r.Mistakes), r.Uncertain...) {
			if !slices.Contains(splits[k].Hidden, x.Row) || d.Y[x.Row] != x.Class {
				t.Errorf("repeat %d: %+v is about no hidden label", k+1, x)
			}
		}
		if slices.ContainsFunc(r.Mistakes, func(x Decision) bool { return x.Class == x.Predicted }) ||
			!slices.IsSortedFunc(r.Mistakes, func(a, b Decision) int { return cmp.Compare(b.Lead, a.Lead) }) ||
			!slices.IsSortedFunc(r.Uncertain, func(a, b Decision) int { return cmp.Compare(a.Lead, b.Lead) }) {
			t.Errorf("repeat %d: %v, %v", k+1, r.Mistakes, r.Uncertain)
		}
	}
	if len(results) != 2 || len(results[0].Mistakes) == 0 || reflect.DeepEqual(results[0].Mistakes, results[1].Mistakes) {
		t.Errorf("%d results", len(results))
	}
}
