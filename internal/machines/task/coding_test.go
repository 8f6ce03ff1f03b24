package task

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
)

// One class has a machine of its own, two share one, more have one each.
func TestCoding(t *testing.T) {
	for _, c := range []struct {
		classes int
		targets [][]float64 // [machine][class]
		has     [][2]float64
	}{
		{1, [][]float64{{1}}, [][2]float64{{0, 1}}},
		{2, [][]float64{{-1, 1}}, [][2]float64{{0, -1}, {0, 1}}},
		{3, [][]float64{{1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, [][2]float64{{0, 1}, {1, 1}, {2, 1}}},
	} {
		coding := Kind{}.Coding(c.classes)
		if coding.Machines() != len(c.targets) {
			t.Errorf("%d classes have %d machines", c.classes, coding.Machines())
		}
		for machine, row := range c.targets {
			for class, want := range row {
				if got := coding.Target(machine, class); got != want {
					t.Errorf("%d classes: machine %d is to say %v of class %d, want %v", c.classes, machine, got, class, want)
				}
			}
			// A class that the task does not know is outside of all.
			if got := coding.Target(machine, -1); got != -1 {
				t.Errorf("%d classes: machine %d is to say %v of another class", c.classes, machine, got)
			}
		}
		for class, want := range c.has {
			if terms := coding.Terms(class); len(terms) != 1 || float64(terms[0].Machine) != want[0] || terms[0].Sign != want[1] {
				t.Errorf("%d classes: class %d is the sum of %v", c.classes, class, terms)
			}
		}
	}
}

// The first of equal outputs decides, and 0 is negative.
func TestDecide(t *testing.T) {
	const outside = dataset.Unlabelled
	for _, c := range []struct {
		classes int
		outputs []float64
		want    int
	}{
		{1, []float64{0.1}, 0}, {1, []float64{0}, outside}, {1, []float64{-1}, outside},
		{2, []float64{0.1}, 1}, {2, []float64{0}, 0}, {2, []float64{-0.1}, 0},
		{3, []float64{-1, 2, 1}, 1}, {3, []float64{-3, -2, -1}, 2},
		{3, []float64{1, 1, 1}, 0}, {3, []float64{0, 1, 1}, 1}, {3, []float64{1, 0, 1}, 0}, {3, []float64{-1, -1, -2}, 0},
	} {
		t.Run(fmt.Sprint(c.classes, c.outputs), func(t *testing.T) {
			coding := Kind{}.Coding(c.classes)
			if got := coding.Decide(c.outputs); got != c.want {
				t.Errorf("class %d, want %d", got, c.want)
			}
			column := make([][]float64, len(c.outputs))
			for machine, f := range c.outputs {
				column[machine] = []float64{f}
			}
			rows := coding.Scores(column)
			if got := coding.DecideScores(rows[0]); len(rows) != 1 || got != c.want {
				t.Errorf("class %d by the scores %v, want %d", got, rows, c.want)
			}
		})
	}
}

func TestScores(t *testing.T) {
	for classes, want := range map[int][][]float64{
		1: {{1}, {-2}},
		2: {{-1, 1}, {2, -2}},
		3: {{1, 3, 5}, {-2, 4, 0}},
	} {
		coding := Kind{}.Coding(classes)
		outputs := [][]float64{{1, -2}, {3, 4}, {5, 0}}[:coding.Machines()]
		got := coding.Scores(outputs)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d classes: %v, want %v", classes, got, want)
		}
		got[0][0] = 99
		if !slices.Equal(outputs[0], []float64{1, -2}) {
			t.Error("scores share memory with outputs")
		}
	}
}

// Several classes have a machine each, two as well. Neither they nor numbers decide for a class.
func TestCodingWithoutADecision(t *testing.T) {
	for _, c := range []struct {
		code     OutputCoding
		machines int
	}{{OutputCodingOf(OfSeveral, 1), 1}, {OutputCodingOf(OfSeveral, 2), 2}, {OutputCodingOf(OfSeveral, 3), 3}, {OutputCodingOf(OfNumbers, 0), 1}} {
		if c.code.Machines() != c.machines || c.code.Columns() != c.machines {
			t.Errorf("%v: %d machines, %d columns", c.code, c.code.Machines(), c.code.Columns())
		}
		outputs := []float64{5, 6, 7}[:c.machines]
		if got := c.code.Decide(outputs); got != dataset.Unlabelled {
			t.Errorf("%v: %v decide for class %d", c.code, outputs, got)
		}
		if row := c.code.Scores([][]float64{{5}, {6}, {7}}[:c.machines])[0]; !slices.Equal(row, outputs) || !slices.Equal(c.code.Outputs(row), outputs) {
			t.Errorf("%v: scores %v of %v", c.code, row, outputs)
		}
	}
}

// Ordered classes have a machine between neighbours, and the median decides, the lowest of two.
func TestOrderedCoding(t *testing.T) {
	c := Ordered().Coding(4)
	if c.Machines() != 3 || c.Columns() != 4 {
		t.Errorf("%d machines, %d columns", c.Machines(), c.Columns())
	}
	for _, one := range []struct {
		outputs, scores []float64
		class           int
	}{
		{[]float64{-1, -1, -1}, []float64{3, 1, -1, -3}, 0},
		{[]float64{1, 0.5, -1}, []float64{-0.5, 1.5, 2.5, 0.5}, 2},
		{[]float64{1, 1, 1}, []float64{-3, -1, 1, 3}, 3},
		{[]float64{-0.25, 1, -1}, []float64{0.25, -0.25, 1.75, -0.25}, 2}, // not in order
		{[]float64{-1, 1, -1}, []float64{1, -1, 1, -1}, 1},
		{[]float64{0, 0, 0}, []float64{0, 0, 0, 0}, 1},
		{[]float64{-0.25, 1e-3, 1e-3}, []float64{0.248, -0.252, -0.25, -0.248}, 1},
	} {
		outputs := make([][]float64, 3)
		for machine, f := range one.outputs {
			outputs[machine] = []float64{f}
		}
		row := c.Scores(outputs)[0]
		if !close(row, one.scores) || !close(c.Outputs(row), one.outputs) {
			t.Errorf("%v: scores %v, want %v, and back %v", one.outputs, row, one.scores, c.Outputs(row))
		}
		if got, by := c.Decide(one.outputs), c.DecideScores(row); got != one.class || by != one.class {
			t.Errorf("%v decide for class %d, by scores %d, want %d", one.outputs, got, by, one.class)
		}
	}
	three, row := Ordered().Coding(3), []float64{0.9, 0, -0.9} // exp(f) sums to a half at the first, exp(f/2) at the second
	if got, flat := three.DecideScores(row), three.DecideCalibrated(row, 0.5); got != 0 || flat != 1 || three.Decide([]float64{-0.45, -0.45}) != 0 {
		t.Errorf("%v decide for class %d, and with half of the slope for %d", row, got, flat)
	}
	for class := range 4 { // the targets of a class decide for it
		var targets []float64
		for machine := range 3 {
			targets = append(targets, c.Target(machine, class))
		}
		if got := c.Decide(targets); got != class {
			t.Errorf("the targets of class %d decide for %d", class, got)
		}
	}
}

// close reports whether two rows are equal but for rounding.
func close(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-15 })
}

// A set of ordered classes has no gap, and the most probable class first. Unless it is empty it has the median, which is 3 here.
func TestRangeOfClasses(t *testing.T) {
	p := []float64{0.3, 0.05, 0.1, 0.35, 0.2}
	for _, one := range []struct {
		of        Kind
		set, want []int
	}{
		{Ordered(), []int{3, 0}, []int{3, 0, 2, 1}},
		{Ordered(), []int{4, 2}, []int{3, 4, 2}},
		{Ordered(), []int{3}, []int{3}},
		{Ordered(), []int{2}, []int{3, 2}},
		{Ordered(), []int{4}, []int{3, 4}},
		{Ordered(), []int{0}, []int{3, 0, 2, 1}},
		{Ordered(), []int{}, []int{}},
		{Kind{}, []int{3, 0}, []int{3, 0}},
		{Kind{}, []int{0}, []int{0}},
	} {
		if got := one.of.Coding(5).Range(slices.Clone(one.set), p); !slices.Equal(got, one.want) {
			t.Errorf("%v of %s: %v, want %v", one.set, one.of.Name, got, one.want)
		}
	}
}

// A set of two classes may lack the likelier one, but not where they have an order.
func TestRangeOfTwo(t *testing.T) {
	for of, want := range map[Name][]int{OfClasses: {1}, OfOrdered: {0, 1}} {
		if got := OutputCodingOf(of, 2).Range([]int{1}, []float64{0.65, 0.35}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", of, got, want)
		}
	}
}
