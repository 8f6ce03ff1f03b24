package selection

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// rare is 200 rows, every one with a label, of which 3 are of the second class.
func rare() *dataset.Dataset {
	d := dataset.TwoMoons(200, 0.12, 4)
	d.Classes = []string{"common", "rare"}
	for i := range d.Y {
		d.Y[i] = 0
	}
	d.Y[17], d.Y[90], d.Y[199] = 1, 1, 1
	return d
}

// A class of three rows has one in every part of a split that it is enough for: it is
// trained on and measured in every repeat.
func TestRareClassInEverySplit(t *testing.T) {
	d := rare()
	for _, c := range []struct {
		plan                             Plan
		labelled, hidden, valid, testing bool
	}{
		{Plan{Labelled: 5}, true, true, false, false},
		{Plan{Labelled: 190}, true, true, false, false},
		{Plan{PerClass: 1}, true, true, false, false},
		{Plan{PerClass: 2}, true, true, false, false},
		{Plan{Labelled: 10, Validation: 10}, true, true, true, false},
		{Plan{Labelled: 10, Validation: 180}, true, true, true, false},
		{Plan{Labelled: 10, TestFraction: 0.25}, true, true, false, true},
		{Plan{PerClass: 1, TestFraction: 0.3}, true, true, false, true},
		{Plan{PerClass: 2, TestFraction: 0.1}, true, false, false, true},
		{Plan{Labelled: 10, Validation: 10, TestFraction: 0.2}, true, false, true, true},
	} {
		c.plan.Repeats, c.plan.Seed = 12, 3
		splits, err := Splits(d, c.plan)
		if err != nil {
			t.Fatalf("%+v: %v", c.plan, err)
		}
		for s := range splits {
			has := func(rows []int) bool { return slices.ContainsFunc(rows, func(i int) bool { return d.Y[i] == 1 }) }
			for name, part := range map[string]struct {
				rows []int
				want bool
			}{"labelled": {s.Labelled, c.labelled}, "hidden": {s.Hidden, c.hidden}, "validation": {s.Validation, c.valid}, "test": {s.Test, c.testing}} {
				if part.want && !has(part.rows) {
					t.Errorf("%+v: no row of the rare class is %s", c.plan, name)
				}
			}
			all := slices.Concat(s.Labelled, s.Hidden, s.Validation, s.Test)
			slices.Sort(all)
			if len(slices.Compact(all)) != len(d.Y) || len(all) != len(d.Y) {
				t.Errorf("%+v: %d rows are in the parts of %d", c.plan, len(all), len(d.Y))
			}
		}
	}
}

// The folds of labels, and the part of the points that parameters are chosen on, have
// the rare class too, and no fold has all of it.
func TestRareClassInFoldsAndParts(t *testing.T) {
	d := rare()
	of, err := task.New(d)
	if err != nil {
		t.Fatal(err)
	}
	isRare := func(k int) bool { return of.Classes[of.Class[k]] == "rare" }
	count := func(labels []int) int {
		return len(slices.DeleteFunc(slices.Clone(labels), func(k int) bool { return !isRare(k) }))
	}
	for most := 2; most <= 10; most++ {
		folds := of.Folds(most)
		total := 0
		for _, fold := range folds {
			if n := count(fold); n > 2 {
				t.Errorf("%d folds: one has all of the rare class", most)
			} else {
				total += n
			}
		}
		if total != 3 {
			t.Errorf("%d folds: %d labels of the rare class are held out, not 3", most, total)
		}
	}
	for _, most := range []int{20, 60, 150} {
		for seed := range uint64(5) {
			c := &comparison{recipe: train.Recipe{Seed: seed}}
			taken, seen := c.take(of, most)
			got := 0
			for k := range of.Class {
				if isRare(k) && seen[k] && slices.Contains(taken, of.Labelled[k]) {
					got++
				}
			}
			if got != 3 || len(taken) != most {
				t.Errorf("%s: %d labels of the rare class", fmt.Sprint(most, " points, seed ", seed), got)
			}
		}
	}
}

// What an error costs counts in the choice as it does in the training.
func TestHeldOutLossesAreWeighed(t *testing.T) {
	d := &dataset.Dataset{Points: points.Dense(4, 1, []float64{1, 2, 3, 4}), Y: []int{0, 1, 0, 1}, Classes: []string{"a", "b"}, Weights: []float64{1, 5, 1, 1}}
	of, err := task.New(d)
	if err != nil {
		t.Fatal(err)
	}
	h := &holdOut{task: of, class: of.Class, count: []int{0, 1, 2, 3}}
	var m measurement
	h.compare(&m, [][]float64{{0, 0, -0.5, 3}})
	for k, want := range []float64{0.5, 2.5, 0.125, 0} {
		if !(math.Abs(m.loss[k]-want) <= 1e-15) {
			t.Errorf("label %d has the loss %v, want %v", k, m.loss[k], want)
		}
	}
}
