package selection

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
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
	of, err := task.Kind{}.Read(d)
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
			a := new(sample)
			taken, seen := a.draw(of, most, seed)
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
	of, err := task.Kind{}.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	h := hold(of)
	losses := h.losses([][]float64{{0, 0, -0.5, 3}}, []int{0, 1, 2, 3})
	for k, want := range []float64{0.5, 2.5, 0.125, 0} {
		if !(math.Abs(losses[k]-want) <= 1e-15) {
			t.Errorf("label %d has the loss %v, want %v", k, losses[k], want)
		}
	}
	if some := h.losses([][]float64{{0, 0, -0.5, 3}}, []int{2, 1}); !slices.Equal(some, []float64{losses[2], losses[1]}) {
		t.Errorf("labels 2 and 1 have the losses %v of %v", some, losses)
	}
}

// a comparison has at most 200 labels, of at most 50 classes. Classes with several labels come first, as
// others can have none held out. Labels that it does not have are unlabelled points there, if at all.
func TestDraw(t *testing.T) {
	d := &dataset.Dataset{Points: points.Dense(3000, 1, make([]float64, 3000)), Y: make([]int, 3000)}
	for class := range 70 {
		d.Classes = append(d.Classes, fmt.Sprint(class))
	}
	for i := range d.Y {
		if d.Y[i] = dataset.Unlabelled; i%4 == 0 {
			if d.Y[i] = i / 4 % 70; i/4 >= 70 && d.Y[i] >= 40 { // 40 classes of many labels, 30 of one
				d.Y[i] = dataset.Unlabelled
			}
		}
	}
	of, err := task.Kind{}.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{30, 150, 1600} {
		a := new(sample)
		taken, seen := a.draw(of, most, 3)
		if len(taken) != most || !slices.IsSorted(taken) || len(slices.Compact(slices.Clone(taken))) != most {
			t.Errorf("%d points: %d were taken", most, len(taken))
		}
		classes := make(map[int]int)
		for k := range seen {
			classes[of.Class[k]]++
			if _, found := slices.BinarySearch(taken, of.Labelled[k]); !found {
				t.Errorf("%d points: label %d is seen, and its point was not taken", most, k)
			}
		}
		several := 0
		for class, n := range classes {
			if class < 40 {
				several++
			}
			if most >= 150 && class < 40 && (n < 3 || n > 5) || class >= 40 && n != 1 {
				t.Errorf("%d points: class %d has %d labels", most, class, n)
			}
		}
		if labels := min(most, 200); len(seen) != labels || a.unseen != len(of.Labelled)-labels || len(classes) != min(most, 50) || several != min(most, 40) {
			t.Errorf("%d points: %d labels of %d classes, %d of them with several, %d unseen", most, len(seen), len(classes), several, a.unseen)
		}
		again, same := a.draw(of, most, 3)
		if !slices.Equal(again, taken) || !maps.Equal(same, seen) {
			t.Errorf("%d points: the same seed draws others", most)
		}
		other, _ := new(sample).draw(of, most, 4)
		if slices.Equal(other, taken) {
			t.Errorf("%d points: another seed draws the same", most)
		}
	}
}
