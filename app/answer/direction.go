package answer

import (
	"math"
	"slices"
	"strconv"

	"lapsvm"
)

// Direction says in words which values of a column speak for a class. It is "" of a column without a curve, or with a level one.
func Direction(m *lapsvm.Model, i lapsvm.Importance) string {
	if len(i.Curve) < 2 {
		return ""
	}
	low, high, ways := 0, 0, 0.0 // steps, and all the ways up and down
	numbers, _ := Numbers(i)
	for k, step := range i.Curve {
		if step.Decision < i.Curve[low].Decision {
			low = k
		}
		if step.Decision > i.Curve[high].Decision {
			high = k
		}
		if k > 0 {
			ways += math.Abs(step.Decision - i.Curve[k-1].Decision)
		}
	}
	what := "a larger number"
	if m.Classes() != nil {
		what = brief(m.Classes()[i.Class])
	}
	first, last := i.Curve[0].Decision, i.Curve[len(i.Curve)-1].Decision
	switch {
	case low == high:
		return ""
	case numbers != nil && math.Abs(last-first) >= 0.8*ways:
		if last > first {
			return "more of it for " + what
		}
		return "less of it for " + what
	}
	return brief(i.Curve[high].Value) + " most for " + what + ", " + brief(i.Curve[low].Value) + " least"
}

// Numbers returns the values of a curve as numbers, nil where they are none or do not ascend.
func Numbers(i lapsvm.Importance) (x, y []float64) {
	for _, step := range i.Curve {
		v, err := strconv.ParseFloat(step.Value, 64)
		if err != nil {
			return nil, nil
		}
		x, y = append(x, v), append(y, step.Decision)
	}
	if !slices.IsSorted(x) {
		return nil, nil
	}
	return x, y
}
