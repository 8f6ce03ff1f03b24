package task

import (
	"cmp"
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// Unit is the unit in which the numbers of a task are: y in the table is (y − Centre)/Scale here.
type Unit struct{ Centre, Scale float64 }

// To returns a number of the table in the unit.
func (u Unit) To(y float64) float64 { return (y - u.Centre) / u.Scale }

// From returns a number in the unit as the table has it.
func (u Unit) From(y float64) float64 { return u.Centre + u.Scale*y }

// Largest bounds the labels of a regression, and Least is the smallest scale: what models keep of them is
// in the range of float32.
const (
	Largest = 1e30
	Least   = 1e-30
)

// numbers is labels that are numbers.
type numbers struct{ classes }

// read makes a task whose unit has the mean of the labels for its centre, and their standard deviation for its scale. It fails for a label that
// is no number or beyond [Largest], and for fewer than two labels. All labels must not be equal, nor differ by less than [Least].
func (n numbers) read(d *dataset.Dataset) (*Task, error) {
	all, err := d.Numbers()
	if err != nil {
		return nil, err
	}
	t := &Task{Kind: Numbers(), Points: len(d.Y)}
	for i, v := range all {
		if math.IsNaN(v) {
			continue
		}
		if math.Abs(v) > Largest {
			return nil, fault.Value.Errorf("row %d has the label %g: numbers are at most %g; divide all labels", d.RowNumber(i), v, Largest)
		}
		t.Labelled, t.Class, t.Values = append(t.Labelled, i), append(t.Class, 0), append(t.Values, v)
	}
	t.Weights = d.Weights.Of(t.Labelled)
	if len(t.Values) < 2 {
		return nil, fault.FewLabels.Errorf("a regression takes at least two labels, and there are %d: label more rows", len(t.Values))
	}
	switch t.Unit = unitOf(t.Values); {
	case t.Unit.Scale == 0:
		return nil, fault.FewLabels.Errorf("all %d labels are %g: a regression takes labels that differ", len(t.Values), t.Values[0])
	case t.Unit.Scale < Least:
		return nil, fault.Errorf("the labels differ by %.3g, at least %g is needed: multiply all labels", t.Unit.Scale, Least)
	}
	for k, v := range t.Values {
		t.Values[k] = t.Unit.To(v)
	}
	return t, nil
}

func (n numbers) readSoFar(d *dataset.Dataset) (*Task, error) { return n.read(d) }

func (numbers) check(*Task) error { return nil }

func (numbers) unlabelled(*Task, *dataset.Dataset) []string { return nil }

func (numbers) coding(int) coding { return number{} }

func (numbers) known(t *Task) Known { return numbered{t.Values, t.Unit} }

func (numbers) knownOf(t *Task, d *dataset.Dataset) (Known, error) {
	values, err := d.Numbers()
	for k, v := range values {
		values[k] = t.Unit.To(v)
	}
	return numbered{values, t.Unit}, err
}

func (numbers) targets(t *Task) [][]float64 { return [][]float64{t.Values} }

func (numbers) groups(*Task) int { return 1 }

// compare has every part get small numbers and large ones.
func (numbers) compare(t *Task) func(k, j int) int {
	return func(k, j int) int { return cmp.Compare(t.Values[k], t.Values[j]) }
}

func (numbers) take(part, t *Task, kept []int) {
	part.Unit, part.Class, part.Values = t.Unit, make([]int, len(kept)), make([]float64, len(kept))
	for at, k := range kept {
		part.Values[at] = t.Values[k]
	}
}

// numbered is labels that are numbers.
type numbered struct {
	values []float64 // in the unit
	unit   Unit
}

func (n numbered) Len() int { return len(n.values) }

func (n numbered) Target(_, k int) float64 { return n.values[k] }

func (n numbered) Loss(_, k int, f float64) float64 {
	e := n.values[k] - f
	return e * e
}

func (n numbered) Wrong(k int, outputs []float64) float64 { return math.Abs(n.values[k] - outputs[0]) }

func (n numbered) Worst() float64 { return math.Inf(1) }

func (n numbered) Error(labels []int, outputs [][]float64) float64 {
	square := 0.0
	for _, e := range Errors(n, labels, outputs) {
		square += e * e / float64(len(labels))
	}
	if len(labels) == 0 {
		return math.NaN()
	}
	return n.unit.Scale * math.Sqrt(square)
}

// unitOf returns the unit of numbers. Its scale is 0 where all are equal.
func unitOf(values []float64) Unit {
	n, u := float64(len(values)), Unit{}
	low, high := values[0], values[0]
	for _, v := range values {
		u.Centre += v / n
		low, high = min(low, v), max(high, v)
	}
	if low == high {
		return u
	}
	spread := max(high-u.Centre, u.Centre-low) // so that squares of small numbers do not vanish
	for _, v := range values {
		d := (v - u.Centre) / spread
		u.Scale += d * d / n
	}
	u.Scale = spread * math.Sqrt(u.Scale)
	return u
}
