package task

import (
	"fmt"
	"math"

	"lapsvm/dataset"
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

// NewNumbers returns the task of the labels of d as numbers. Its unit has the mean of the labels for its
// centre, and their standard deviation for its scale. It fails for a label that is no number or beyond
// [Largest], and for fewer than two labels. All labels must not be equal, nor differ by less than [Least]. It also fails for
// weights that do not fit.
func NewNumbers(d *dataset.Dataset) (*Task, error) {
	if err := d.CheckWeights(); err != nil {
		return nil, err
	}
	all, err := d.Numbers()
	if err != nil {
		return nil, err
	}
	t := &Task{Points: len(d.Y)}
	for i, v := range all {
		if math.IsNaN(v) {
			continue
		}
		if math.Abs(v) > Largest {
			return nil, fmt.Errorf("row %d has the label %g: numbers are at most %g; divide all labels", d.RowNumber(i), v, Largest)
		}
		t.Labelled, t.Class, t.Values = append(t.Labelled, i), append(t.Class, 0), append(t.Values, v)
		if d.Weights != nil {
			t.Weights = append(t.Weights, d.Weights[i])
		}
	}
	if len(t.Values) < 2 {
		return nil, fmt.Errorf("a regression takes at least two labels, and there are %d: label more rows", len(t.Values))
	}
	switch t.Unit = unitOf(t.Values); {
	case t.Unit.Scale == 0:
		return nil, fmt.Errorf("all %d labels are %g: a regression takes labels that differ", len(t.Values), t.Values[0])
	case t.Unit.Scale < Least:
		return nil, fmt.Errorf("the labels differ by %.3g, at least %g is needed: multiply all labels", t.Unit.Scale, Least)
	}
	for k, v := range t.Values {
		t.Values[k] = t.Unit.To(v)
	}
	return t, nil
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
