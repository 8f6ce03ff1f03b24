package task

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// data is a data set of these labels, on points that do not matter.
func data(classes string, y ...int) *dataset.Dataset {
	return &dataset.Dataset{Points: points.Dense(len(y), 1, make([]float64, len(y))), Y: y, Classes: strings.Split(classes, "")}
}

// random returns n points of the given number of classes, about two of three
// labelled.
func random(rng *rand.Rand, n, classes int) *dataset.Dataset {
	y := make([]int, n)
	for i := range y {
		if y[i] = rng.IntN(classes); rng.IntN(3) == 0 {
			y[i] = dataset.Unlabelled
		}
	}
	y[n/2] = 0
	d := data("abcdefgh"[:classes], y...)
	if rng.IntN(2) == 0 {
		d.Weights = make([]float64, n)
		for i := range d.Weights {
			d.Weights[i] = 1 + float64(i)
		}
	}
	return d
}

func made(t *testing.T, d *dataset.Dataset) *Task {
	t.Helper()
	one, err := (Kind{}).Read(d)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// Classes without a label are left out, and indices follow.
func TestNew(t *testing.T) {
	d := data("abcd", 3, -1, 1, -1, 3, 1, -1)
	d.Weights = []float64{1, 2, 3, 4, 5, 6, 7}
	got := made(t, d)
	want := &Task{Points: 7, Classes: []string{"b", "d"}, Labelled: []int{0, 2, 4, 5}, Class: []int{1, 0, 1, 0}, Weights: []float64{1, 3, 5, 6}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := got.Targets(), [][]float64{{1, -1, 1, -1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("targets %v, want %v", got, want)
	}
	if got, want := got.Labels(), []int{1, -1, 0, -1, 1, 0, -1}; !slices.Equal(got, want) {
		t.Errorf("labels %v, want %v", got, want)
	}
	if got, want := got.Unlabelled(), []int{1, 3, 6}; !slices.Equal(got, want) {
		t.Errorf("without a label %v, want %v", got, want)
	}
	if got, want := got.recode(&dataset.Dataset{Y: []int{0, 1, 2}, Classes: []string{"d", "a", "b"}}), []int{1, -1, 0}; !slices.Equal(got, want) {
		t.Errorf("recoded %v, want %v", got, want)
	}
	alone := got.Alone()
	if want := (&Task{Points: 4, Classes: want.Classes, Labelled: []int{0, 1, 2, 3}, Class: want.Class, Weights: want.Weights}); !reflect.DeepEqual(alone, want) {
		t.Errorf("alone %+v, want %+v", alone, want)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Alone changed its task to %+v", got)
	}
}

func TestNewErrors(t *testing.T) {
	if _, err := (Kind{}).Read(data("ab", -1, -1)); err == nil || !strings.Contains(err.Error(), "no point is labelled") {
		t.Errorf("no labels: %v", err)
	}
	d := data("ab", 0, 1)
	d.Weights = []float64{1}
	if _, err := (Kind{}).Read(d); err == nil || !strings.Contains(err.Error(), "1 weights for 2 points") {
		t.Errorf("weights: %v", err)
	}
}

// What each kind says of labels that it cannot learn of.
func TestKindErrors(t *testing.T) {
	for want, c := range map[string]struct {
		kind   Kind
		labels []string
	}{
		`no labelled row lacks the class "a"`: {Several(";"), []string{"a;b", "a"}},
		`no labelled row has the class "b"`:   {Several(";"), []string{"a;?b", ""}},
		"takes labels of one class, not of 2": {OneClass(), []string{"a", "b"}},
		"row 2 has the label -1e+31":          {Numbers(), []string{"1", "-1e31"}},
		"row 2 has the label 1e+31":           {Numbers(), []string{"1", "1e31"}},
		"the labels differ by 5e-201":         {Numbers(), []string{"1e-200", "2e-200"}},
	} {
		d := &dataset.Dataset{Classes: c.labels}
		for k := range c.labels {
			d.Y = append(d.Y, k)
		}
		of, err := c.kind.Read(d)
		if err == nil {
			err = of.Check()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", c.kind, err, want)
		}
	}
}

// Subset, Alone, Repeated and Deal against their definitions, on random tasks.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		d := random(rng, 3+rng.IntN(30), 1+rng.IntN(8))
		of := made(t, d)
		of2 := made(t, d)

		var taken []int
		for i := range d.Y {
			if rng.IntN(4) > 0 {
				taken = append(taken, i)
			}
		}
		keeps := make([]bool, len(of.Labelled))
		for k := range keeps {
			keeps[k] = rng.IntN(3) > 0
		}
		part := d.Subset(taken)
		for at, i := range taken {
			if k, labelled := slices.BinarySearch(of.Labelled, i); labelled && !keeps[k] {
				part.Y[at] = dataset.Unlabelled
			}
		}
		got := of.Subset(taken, func(k int) bool { return keeps[k] })
		if want, err := (Kind{}).Read(part); err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%v of %+v: %+v, want %+v", taken, of, got, want)
		} else if err != nil && (len(got.Classes) > 0 || len(got.Labelled) > 0 || got.Points != len(taken)) {
			t.Fatalf("no label is left, but %+v", got)
		}
		if got, want := of.Alone(), made(t, d.Subset(d.Labelled())); !reflect.DeepEqual(got, want) {
			t.Fatalf("alone %+v, want %+v", got, want)
		}

		size := map[int]int{}
		for _, class := range of.Class {
			size[class]++
		}
		var repeated []int
		for k, class := range of.Class {
			if size[class] > 1 {
				repeated = append(repeated, k)
			}
		}
		classes := map[int]bool{}
		for _, k := range repeated {
			classes[of.Class[k]] = true
		}
		telling := repeated
		if len(classes) == 1 && len(of.Classes) > 1 {
			telling = nil
		}
		if got := of.Repeated(); !slices.Equal(got, telling) {
			t.Fatalf("repeated %v of %v, want %v", got, of.Class, telling)
		}
		for number := 2; number < 6; number++ {
			want := make([][]int, number)
			next := 0
			for class := range of.Classes {
				for _, k := range repeated {
					if of.Class[k] == class {
						want[next%number] = append(want[next%number], k)
						next++
					}
				}
			}
			if got := of.Deal(number); !reflect.DeepEqual(got, want) {
				t.Fatalf("%v dealt to %d: %v, want %v", of.Class, number, got, want)
			}
		}
		checkFolds(t, of, repeated)
		if !reflect.DeepEqual(of, of2) {
			t.Fatalf("the task changed to %+v", of)
		}
	}
}

// checkFolds checks that no fold has all labels of a class, that the folds
// divide the repeated labels evenly, and their number.
func checkFolds(t *testing.T, of *Task, repeated []int) {
	t.Helper()
	const most = 5
	folds := of.Folds(most)
	largest := 0
	all := slices.Concat(folds...)
	slices.Sort(all)
	if !slices.Equal(all, repeated) {
		t.Fatalf("%v in folds %v", of.Class, folds)
	}
	of.each(func(class int, members []int) {
		largest = max(largest, len(members))
		least, greatest := len(members), 0
		for _, fold := range folds {
			count := 0
			for _, k := range fold {
				if of.Class[k] == class {
					count++
				}
			}
			least, greatest = min(least, count), max(greatest, count)
		}
		if len(members) > 1 && (greatest >= len(members) || greatest-least > 1) {
			t.Fatalf("class %d of %v has from %d to %d labels in the folds %v", class, of.Class, least, greatest, folds)
		}
	})
	if want := min(largest, most); want >= 2 && len(folds) != want || want < 2 && folds != nil {
		t.Fatalf("%v in %d folds, want %d", of.Class, len(folds), want)
	}
}

// each calls do for every class with its labelled points.
func (t *Task) each(do func(class int, members []int)) {
	for class := range t.Classes {
		var members []int
		for k, c := range t.Class {
			if c == class {
				members = append(members, k)
			}
		}
		do(class, members)
	}
}

// Every part has labels with a class and labels without it, and small numbers and large ones.
func TestDealInOrder(t *testing.T) {
	several := &Task{Kind: Several(";"), Classes: []string{"a"}, Class: make([]int, 4), Labelled: []int{0, 1, 2, 3}, Answers: [][]float64{{1, -1, 1, -1}}}
	numbers := &Task{Kind: Numbers(), Class: make([]int, 4), Labelled: []int{0, 1, 2, 3}, Values: []float64{5, 1, 6, 2}}
	for name, c := range map[string]struct {
		of   *Task
		want [][]int
	}{"several": {several, [][]int{{1, 0}, {3, 2}}}, "numbers": {numbers, [][]int{{1, 0}, {3, 2}}}} {
		if got := c.of.Deal(2); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: parts %v, want %v", name, got, c.want)
		}
	}
}

// Labels that still come in, classes without a label, signs of several classes, and the unit of a part.
func TestLabelsSoFar(t *testing.T) {
	for _, c := range []struct {
		kind   Kind
		labels []string // "" without one
		learnt bool
	}{
		{Kind{}, []string{"a", "a", ""}, false}, {Kind{}, []string{"a", "b", ""}, true},
		{OneClass(), []string{"", ""}, false}, {OneClass(), []string{"a", ""}, true},
		{Numbers(), []string{"1", "1", ""}, false}, {Numbers(), []string{"1", "2", ""}, true},
		{Several(";"), []string{"a", "a;b", ""}, true}, {Ordered("a", "b"), []string{"a", ""}, false},
	} {
		d := &dataset.Dataset{Classes: slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(c.labels))), func(name string) bool { return name == "" })}
		for _, name := range c.labels {
			d.Y = append(d.Y, dataset.FindClass(d.Classes, name))
		}
		if got, err := c.kind.ReadSoFar(d); (got != nil) != c.learnt || err != nil {
			t.Errorf("%v of %q: %+v, %v", c.kind.Name, c.labels, got, err)
		}
	}
	d := &dataset.Dataset{Y: []int{1, -1, 1}, Classes: []string{"a", "b", "c"}}
	if got := made(t, d).UnlabelledClasses(d); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("without a label are %q", got)
	}
	several := must(Several(";").Read(&dataset.Dataset{Y: []int{0, -1, 1, 2}, Classes: []string{"a", "?a;b", ""}}))
	if got := several.Signs(); !slices.Equal(got, []string{"+-", "", "?+", "--"}) {
		t.Errorf("signs %q", got)
	}
	numbers := must(Numbers().Read(&dataset.Dataset{Y: []int{0, 1, 2}, Classes: []string{"1", "3", "8"}}))
	part := numbers.Subset([]int{0, 2}, func(int) bool { return true })
	if got := []float64{part.Unit.From(part.Values[0]), part.Unit.From(part.Values[1])}; !slices.Equal(got, []float64{1, 8}) || part.Unit != numbers.Unit {
		t.Errorf("numbers %v of a part in the unit %v", got, part.Unit)
	}
}
