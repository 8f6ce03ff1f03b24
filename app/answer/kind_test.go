package answer

import (
	"testing"

	"lapsvm"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// The error of ordered classes is told in ranks, and the share of wrong ones beside it.
func TestExpectedRanks(t *testing.T) {
	e := &lapsvm.Expected{Error: 5, ErrorLow: 2, ErrorHigh: 12, SupervisedError: 15, Ranks: &train.ExpectedRanks{Distance: 0.25, DistanceLow: 0.08, DistanceHigh: 0.61, SupervisedDistance: 0.3}}
	want := "mean distance in ranks 0.25 of 20 held-out labels, and 5 % wrong, each predicted by machines chosen and trained without it; so the distance on points like these is between 0.08 and 0.61, and the error between 2 and 12 % (95 % confidence). Supervised SVM chosen the same way: 0.3 and 15 %."
	if got := KindOf(task.Ordered("low", "high")).Expected(e, nil, "20 held-out labels"); got != want {
		t.Error(got)
	}
}

// Every kind of label has a row that says what it is, whatever it embeds.
func TestKinds(t *testing.T) {
	type traits struct{ classes, single, each, outside, ordered bool }
	for name, want := range map[task.Name]traits{task.OfClasses: {true, true, false, false, false}, task.OfOneClass: {true, true, false, true, false}, task.OfNumbers: {}, task.OfSeveral: {classes: true, each: true}, task.OfOrdered: {true, true, false, false, true}} {
		of := KindOf(task.Kind{Name: name})
		if got := (traits{of.Classes(), of.Single(), of.Each(), of.Outside(), of.Ordered()}); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// The distances of an evaluation stand under their own keys, before the shares of wrong ones.
func TestMeasuresOfRanks(t *testing.T) {
	r := selection.Result{Ranks: selection.RanksResult{Unlabelled: 1, Validation: 2, Test: 3, BaselineUnlabelled: 4, BaselineTest: 5}}
	all := KindOf(task.Ordered()).Measures(true)
	for k, key := range []string{"rank_distance", "rank_distance_validation", "rank_distance_test", "rank_distance_baseline", "rank_distance_baseline_test"} {
		if got := all[k].Get(r); all[k].Name != key || got != float64(k+1) {
			t.Errorf("measure %d is %q, %v", k, all[k].Name, got)
		}
	}
	if plain := KindOf(task.Kind{}).Measures(true); len(all) != len(plain)+5 {
		t.Errorf("%d measures of ordered classes, %d of others", len(all), len(plain))
	}
}
