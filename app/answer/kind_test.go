package answer

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
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

// Bounds have two digits, and what rounds to a hundred is written out.
func TestRough(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.123: "0.12", 4.56: "4.6", 99.4: "99", 99.5: "100", 100: "100"} {
		if got := Rough(v); got != want {
			t.Errorf("%v is written as %s, want %s", v, got, want)
		}
	}
}

// A gain is in ranks where there are three or more, and in percent points else.
func TestGain(t *testing.T) {
	e := &lapsvm.Expected{Gain: 1, GainError: 2}
	of := KindOf(task.Ordered())
	if gain, off, in := of.Gain(e); gain != 1 || off != 2 || in.Name != "percent points" {
		t.Errorf("%v ± %v %s of two classes", gain, off, in.Name)
	}
	e.Ranks = &train.ExpectedRanks{Gain: 3, GainError: 4}
	if gain, off, in := of.Gain(e); gain != 3 || off != 4 || in.Name != "ranks" {
		t.Errorf("%v ± %v %s", gain, off, in.Name)
	}
	if got, want := of.Listed("low, high"), "low, high, from the lowest to the highest"; got != want {
		t.Errorf("classes are listed as %q, want %q", got, want)
	}
}

// Two classes have one decision value, that of the second. Where each is decided for itself, each has one.
func TestColumnsOfDecisionValues(t *testing.T) {
	names := []string{"a", "b", "c"}
	for _, c := range []struct {
		kind    task.Kind
		classes int
		columns []string
		which   []int
		tensor  int
	}{
		{task.OneClass(), 1, []string{"score"}, []int{0}, 1},
		{task.Kind{}, 2, []string{"score"}, []int{1}, 1},
		{task.Kind{}, 3, []string{"score_a", "score_b", "score_c"}, []int{0, 1, 2}, 3},
		{task.Several(";"), 2, []string{"score_a", "score_b"}, []int{0, 1}, 2},
	} {
		of := KindOf(c.kind)
		columns, which := of.scored(names[:c.classes])
		if tensor := of.Tensors(c.classes)[1]; !slices.Equal(columns, c.columns) || !slices.Equal(which, c.which) || tensor.Name != "scores" || tensor.Columns != c.tensor {
			t.Errorf("%v of %d classes: columns %q of %v, tensor %+v", c.kind.Name, c.classes, columns, which, tensor)
		}
	}
}

// Answers that are brought together are those of the rows, and a row without a class has none rather than no answer. Bounds that were not asked for are not made up.
func TestCollected(t *testing.T) {
	d := &dataset.Dataset{Column: []int{0, 1, 2}}
	several := &Predictions{Kind: task.Several(";"), Classes: []string{"a", "b"}, Several: [][]int{{0, 1}, {}, {1}}}
	numbers := &Predictions{Kind: task.Numbers(), Values: []float64{1, 2, 3}}
	for _, p := range []*Predictions{several, numbers} {
		if err := KindOf(p.Kind).collect(t.Context(), d, []int{0, 1, 2}, p); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(several.Several, [][]int{{0, 1}, {}, {1}}) {
		t.Errorf("classes %v", several.Several)
	}
	if !slices.Equal(numbers.Values, []float64{1, 2, 3}) || numbers.Low != nil || numbers.High != nil {
		t.Errorf("numbers %v from %v to %v", numbers.Values, numbers.Low, numbers.High)
	}
}

// What each kind of label has no output of is refused, and nothing else. The texts of a model name its file.
func TestRefused(t *testing.T) {
	outputs := []Output{OfScores, OfProbabilities, OfSets, OfIntervals, OfFolders, OfValidation}
	for name, want := range map[task.Name][]Output{
		task.OfClasses: {OfIntervals}, task.OfOrdered: {OfIntervals}, task.OfOneClass: {OfProbabilities, OfSets, OfIntervals},
		task.OfSeveral: {OfIntervals, OfFolders, OfValidation}, task.OfNumbers: {OfScores, OfProbabilities, OfSets, OfFolders},
	} {
		var refused []Output
		for _, o := range outputs {
			r := KindOf(task.Kind{Name: name}).Refuses(o)
			if r != (Refusal{}) {
				refused = append(refused, o)
			}
			for _, text := range []string{r.File, r.Server, r.Recipe} {
				if text != "" && !strings.Contains(text, "%s") {
					t.Errorf("%s: %q names nothing", name, text)
				}
			}
		}
		if !slices.Equal(refused, want) {
			t.Errorf("%s: refused are %v, want %v", name, refused, want)
		}
	}
}

// Tensors that a model may lack say so. Grids and explanations have words of their own.
func TestWordsOfKinds(t *testing.T) {
	if all := KindOf(task.Numbers()).Tensors(0); len(all) != 3 || all[0].Of != OfScores || all[1] != (Tensor{"low", "FP64", 0, OfIntervals}) || all[2] != (Tensor{"high", "FP64", 0, OfIntervals}) {
		t.Errorf("tensors %+v", all)
	}
	for name, want := range map[task.Name]string{task.OfClasses: "error in percent", task.OfOrdered: "mean distance in ranks", task.OfSeveral: "wrong answers in percent, one for each class,", task.OfNumbers: "root mean squared error"} {
		if got := KindOf(task.Kind{Name: name}).Tuned(lapsvm.Recipe{}).What; got != want {
			t.Errorf("%s: %q is measured, want %q", name, got, want)
		}
	}
	of := KindOf(task.Several(";"))
	for value, want := range map[float64]string{0.2: "lacks a, decision value 0.2, limit 0.25", 0.3: "has a, decision value 0.3, limit 0.25"} {
		if got := of.Explained(lapsvm.ShareExplanation{Value: value, Limit: 0.25}, "a", ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
