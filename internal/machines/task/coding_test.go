package task

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"lapsvm/dataset"
)

// One class has a machine of its own, two share one, more have one each.
func TestCoding(t *testing.T) {
	for _, c := range []struct {
		classes Coding
		targets [][]float64 // [machine][class]
		has     [][2]float64
	}{
		{1, [][]float64{{1}}, [][2]float64{{0, 1}}},
		{2, [][]float64{{-1, 1}}, [][2]float64{{0, -1}, {0, 1}}},
		{3, [][]float64{{1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, [][2]float64{{0, 1}, {1, 1}, {2, 1}}},
	} {
		if c.classes.Machines() != len(c.targets) {
			t.Errorf("%d classes have %d machines", c.classes, c.classes.Machines())
		}
		for machine, row := range c.targets {
			for class, want := range row {
				if got := c.classes.Target(machine, class); got != want {
					t.Errorf("%d classes: machine %d is to say %v of class %d, want %v", c.classes, machine, got, class, want)
				}
			}
			// A class that the task does not know is outside of all.
			if got := c.classes.Target(machine, -1); got != -1 {
				t.Errorf("%d classes: machine %d is to say %v of another class", c.classes, machine, got)
			}
		}
		for class, want := range c.has {
			if machine, sign := c.classes.Machine(class); float64(machine) != want[0] || sign != want[1] {
				t.Errorf("%d classes: class %d is %v times machine %d", c.classes, class, sign, machine)
			}
		}
	}
}

// The first of equal outputs decides, and 0 is negative.
func TestDecide(t *testing.T) {
	const outside = dataset.Unlabelled
	for _, c := range []struct {
		classes Coding
		outputs []float64
		want    int
	}{
		{1, []float64{0.1}, 0}, {1, []float64{0}, outside}, {1, []float64{-1}, outside},
		{2, []float64{0.1}, 1}, {2, []float64{0}, 0}, {2, []float64{-0.1}, 0},
		{3, []float64{-1, 2, 1}, 1}, {3, []float64{-3, -2, -1}, 2},
		{3, []float64{1, 1, 1}, 0}, {3, []float64{0, 1, 1}, 1}, {3, []float64{1, 0, 1}, 0}, {3, []float64{-1, -1, -2}, 0},
	} {
		t.Run(fmt.Sprint(c.classes, c.outputs), func(t *testing.T) {
			if got := c.classes.Decide(c.outputs); got != c.want {
				t.Errorf("class %d, want %d", got, c.want)
			}
			column := make([][]float64, len(c.outputs))
			for machine, f := range c.outputs {
				column[machine] = []float64{f}
			}
			rows := c.classes.Scores(column)
			if got := c.classes.DecideScores(rows[0]); len(rows) != 1 || got != c.want {
				t.Errorf("class %d by the scores %v, want %d", got, rows, c.want)
			}
		})
	}
}

func TestScores(t *testing.T) {
	for classes, want := range map[Coding][][]float64{
		1: {{1}, {-2}},
		2: {{-1, 1}, {2, -2}},
		3: {{1, 3, 5}, {-2, 4, 0}},
	} {
		outputs := [][]float64{{1, -2}, {3, 4}, {5, 0}}[:classes.Machines()]
		got := classes.Scores(outputs)
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
		code     Coding
		machines int
		several  bool
	}{{CodingOf(1, true), 1, true}, {CodingOf(2, true), 2, true}, {CodingOf(3, true), 3, true}, {Numbers, 1, false}} {
		if c.code.Machines() != c.machines || c.code.Columns() != c.machines || c.code.Several() != c.several {
			t.Errorf("%d: %d machines, %d columns, several %v", c.code, c.code.Machines(), c.code.Columns(), c.code.Several())
		}
		outputs := []float64{5, 6, 7}[:c.machines]
		if got := c.code.Decide(outputs); got != dataset.Unlabelled {
			t.Errorf("%d: %v decide for class %d", c.code, outputs, got)
		}
		if row := c.code.Scores([][]float64{{5}, {6}, {7}}[:c.machines])[0]; !slices.Equal(row, outputs) || !slices.Equal(c.code.Outputs(row), outputs) {
			t.Errorf("%d: scores %v of %v", c.code, row, outputs)
		}
	}
	if c := CodingOf(2, false); c.Several() || c.Machines() != 1 || c.Columns() != 2 {
		t.Errorf("%d: %d machines of two classes", c, c.Machines())
	}
}
