package task

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// Classes have the ranks of the order, those without a label too, and are listed from the lowest to the highest.
func TestOrdered(t *testing.T) {
	d := &dataset.Dataset{Y: []int{2, -1, 0, 1, 1}, Classes: []string{"10", "9", "-1", "11"}}
	for name, kind := range map[string]Kind{"by their values": Ordered(), "by their names": Ordered("-1", "9", "10", "11")} {
		got, err := kind.Read(d)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Classes, []string{"-1", "9", "10"}) || !slices.Equal(got.Class, []int{0, 2, 1, 1}) || !slices.Equal(got.Labelled, []int{0, 2, 3, 4}) {
			t.Errorf("%s: classes %q, %v of %v", name, got.Classes, got.Class, got.Labelled)
		}
		if !slices.Equal(got.Kind.Order, []string{"-1", "9", "10", "11"}) || got.Known().Worst() != 3 {
			t.Errorf("%s: order %q, at worst %v ranks", name, got.Kind.Order, got.Known().Worst())
		}
		for k, want := range [][]float64{{-1, -1}, {1, 1}, {1, -1}, {1, -1}} { // what each of the machines between neighbours is to say
			for machine, target := range want {
				if known := got.Known().Target(machine, k); known != target || got.Targets()[machine][k] != target {
					t.Errorf("%s: machine %d is to say %v of label %d, want %v", name, machine, known, k, target)
				}
			}
		}
		part := got.Subset([]int{0, 3}, func(int) bool { return true }) // one class less, and the same ranks
		if !slices.Equal(part.Classes, []string{"-1", "9"}) || part.Known().Worst() != 3 || !slices.Equal(part.Class, []int{0, 1}) {
			t.Errorf("%s: of a part %q, %v, at worst %v", name, part.Classes, part.Class, part.Known().Worst())
		}
	}
	if alone, err := (Kind{}).Read(&dataset.Dataset{Y: []int{0}, Classes: []string{"low"}}); err != nil || alone.Check() == nil {
		t.Errorf("a single class is no error of a training: %v", err)
	}
	one, err := Ordered("low", "high").Read(&dataset.Dataset{Y: []int{0}, Classes: []string{"low"}})
	if err != nil || one.Coding().Machines() != 1 || one.Check() == nil {
		t.Errorf("a single class is %+v, %v, and no error of a training", one, err)
	}
	if got := Ordered("low", "high").Ranks([]string{"high", "none", "low"}); !slices.Equal(got, []int{1, -1, 0}) {
		t.Errorf("ranks %v", got)
	}
	all := &dataset.Dataset{Y: []int{0, -1, 2, 1}, Classes: []string{"high", "none", "low"}}
	if got := Ordered("low", "high").Arranged(all); !slices.Equal(got.Classes, []string{"low", "high", "none"}) || !slices.Equal(got.Y, []int{1, -1, 0, 2}) || all.Y[0] != 0 {
		t.Errorf("arranged as %q, %v, from %v", got.Classes, got.Y, all.Y)
	}
	if got := Numbers().Ranks([]string{"1"}); got != nil {
		t.Errorf("numbers have the ranks %v", got)
	}
}

// Other rows list their classes in another order, and those without a label here.
func TestKnownOfOrdered(t *testing.T) {
	of := must(Ordered("low", "mid", "high", "top").Read(&dataset.Dataset{Y: []int{0, 1, 2}, Classes: []string{"high", "low", "mid"}}))
	known, err := of.KnownOf(&dataset.Dataset{Y: []int{0, 1, 2, 3}, Classes: []string{"top", "high", "low", "mid"}})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []struct{ first, second, low float64 }{{1, 1, 3}, {1, 1, 2}, {-1, -1, 0}, {1, -1, 1}} { // what machines say, and how wrong low is
		if first, second, low := known.Target(0, k), known.Target(1, k), known.Wrong(k, []float64{-1, -1}); first != want.first || second != want.second || low != want.low {
			t.Errorf("label %d: targets %v and %v, low is wrong by %v, want %v", k, first, second, low, want)
		}
	}
	if known.Worst() != 3 {
		t.Errorf("at worst %v ranks", known.Worst())
	}
}

// Classes are apart by their ranks, and by their names where they have none.
func TestApart(t *testing.T) {
	names := []string{"high", "low", "none", "low"}
	for name, c := range map[string]struct {
		kind           Kind
		one, two, same float64 // from the first to the second and third, and of equal names
		worst          float64
	}{"ordered": {Ordered("low", "mid", "high"), 2, math.NaN(), 0, 2}, "classes": {Kind{}, 1, 1, 0, 1}, "words without an order": {Ordered(), math.NaN(), math.NaN(), math.NaN(), -1}} {
		of, worst := c.kind.Apart(names)
		for _, pair := range [][2]float64{{of(0, 1), c.one}, {of(0, 2), c.two}, {of(1, 3), c.same}, {worst, c.worst}} {
			if got, want := pair[0], pair[1]; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

// What is wrong with an order, or with a label.
func TestOrderedErrors(t *testing.T) {
	labels := func(names ...string) *dataset.Dataset {
		d := &dataset.Dataset{Classes: names}
		for c := range names {
			d.Y = append(d.Y, c)
		}
		return d
	}
	for name, c := range map[string]struct {
		kind Kind
		d    *dataset.Dataset
		want string
	}{
		"outside":       {Ordered("low", "high"), labels("low", "mid"), `row 2 has the class "mid", which is not in the order low, high`},
		"one class":     {Ordered("low"), labels("low"), `the class "low" alone`},
		"twice":         {Ordered("1", "2", "1.0"), labels("1", "2"), `the class "1.0" twice, at 1 as "1" and at 3`},
		"without name":  {Ordered("low", " "), labels("low"), "class 2 of the order has no name"},
		"no number":     {Ordered(), labels("1", "two"), `the class "two" is no number`},
		"another kind":  {Kind{Name: "colours"}, labels("a"), `no kind of label "colours"`},
		"no label":      {Ordered("low", "high"), &dataset.Dataset{Y: []int{-1}}, "no point is labelled"},
		"of validation": {Ordered("low", "high"), labels("low", "high"), `row 1 has the class "mid"`},
	} {
		err := c.kind.Validate()
		var of *Task
		if err == nil {
			of, err = c.kind.Read(c.d)
		}
		if err == nil && name == "of validation" {
			_, err = of.KnownOf(labels("mid"))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
