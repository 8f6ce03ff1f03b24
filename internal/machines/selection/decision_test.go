package selection

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// The decisions of a repeat are about rows of the whole data set, with the labels that
// were hidden, smallest leads first.
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
		mistakes, wrong := 0, 0
		for truth, row := range r.Confusion {
			for predicted, n := range row {
				if predicted != truth {
					wrong += n
				}
			}
		}
		for _, x := range r.Decisions {
			if x.Class != x.Predicted {
				mistakes++
			}
			if !slices.Contains(splits[k].Hidden, x.Row) || d.Y[x.Row] != x.Class {
				t.Errorf("repeat %d: %+v is about no hidden label", k+1, x)
			}
		}
		if mistakes != wrong || len(r.Decisions) != r.Hidden || !slices.IsSortedFunc(r.Decisions, func(a, b Decision) int { return cmp.Compare(a.Lead, b.Lead) }) {
			t.Errorf("repeat %d: %d mistakes of %d, %v", k+1, mistakes, wrong, r.Decisions)
		}
	}
	if len(results) != 2 || reflect.DeepEqual(results[0].Decisions, results[1].Decisions) {
		t.Errorf("%d results", len(results))
	}
}
