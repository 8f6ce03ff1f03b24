package selection

import (
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/points"
)

// Four widths are compared: the mean distance of the five nearest neighbours, whatever the number
// of neighbours in the graphs, the median distance, half of it and four times it. Machines with graphs
// have the first two, and for numbers the geometric mean of these.
func TestWidths(t *testing.T) {
	d := dataset.TwoMoons(90, 0.1, 4)
	for i := 12; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	a, why, err := newComparison(t.Context(), d, train.Recipe{}, train.Run{}, somePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	var all []float64
	near := 0.0
	for i := range d.Y {
		var of []float64
		for j := range d.Y {
			if i != j {
				of = append(of, math.Sqrt(d.Points.SquaredDistance(i, d.Points, j)))
			}
		}
		all = append(all, of...)
		slices.Sort(of)
		for _, v := range of[:5] {
			near += v / 5 / float64(len(d.Y))
		}
	}
	slices.Sort(all)
	middle := all[len(all)/2]
	for k, want := range map[role]float64{nearest: near, median: middle, half: middle / 2, quadruple: 4 * middle} {
		tolerance := 0.03 * want // the median is of a sample
		if k == nearest {
			tolerance = 1e-12
		}
		if got := a.kernels[k].Parameters().Sigma; !(math.Abs(got-want) <= tolerance) {
			t.Errorf("width %d is %v, want %v", k, got, want)
		}
	}
	compared := func(list []candidate) (kernels []role) {
		for _, c := range list {
			if !slices.Contains(kernels, c.kernel) {
				kernels = append(kernels, c.kernel)
			}
		}
		return kernels
	}
	if machines, baselines := compared(a.machines), compared(a.baselines); len(a.kernels) != 4 || !slices.Equal(machines, []role{nearest, median}) || !slices.Equal(baselines, []role{nearest, median, half, quadruple}) {
		t.Errorf("of %d kernels machines with graphs have %v, supervised ones %v", len(a.kernels), machines, baselines)
	}
	numbers, why, err := newComparison(t.Context(), numbersData(90, 12, 3, 1, sheet), train.Recipe{Kind: task.Numbers()}, train.Run{}, somePoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	sigma := func(k role) float64 { return numbers.kernels[k].Parameters().Sigma }
	if got, want := sigma(between), math.Sqrt(sigma(nearest)*sigma(median)); !(math.Abs(got-want) <= 1e-12*want) {
		t.Errorf("the width between %v and %v is %v", sigma(nearest), sigma(median), got)
	}
	if machines, baselines := compared(numbers.machines), compared(numbers.baselines); len(numbers.kernels) != 6 || !slices.Equal(machines, []role{nearest, median, between}) || !slices.Equal(baselines, []role{nearest, median, half, quadruple, ridge}) {
		t.Errorf("of %d kernels for numbers machines with graphs have %v, supervised ones %v", len(numbers.kernels), machines, baselines)
	}
}

// Points that coincide with all their neighbours have no width of neighbours, and those that most often
// coincide no median distance.
func TestWidthsOfEqualPoints(t *testing.T) {
	for name, c := range map[string]struct {
		value  func(i int) float64
		widths map[role]float64
	}{
		"equal neighbours": {func(i int) float64 { return float64(i % 4) }, map[role]float64{median: 1, half: 0.5, quadruple: 4}},
		"mostly equal":     {func(i int) float64 { return float64(i / 38) }, map[role]float64{nearest: 1}},
		"all equal":        {func(int) float64 { return 7 }, nil},
	} {
		d := &dataset.Dataset{Classes: []string{"a", "b"}}
		var values []float64
		for i := range 40 {
			values = append(values, c.value(i))
			d.Y = append(d.Y, dataset.Unlabelled)
			if i < 8 {
				d.Y[i] = i % 2
			}
		}
		d.Points = points.Dense(40, 1, values)
		a, why, err := newComparison(t.Context(), d, train.Recipe{Standardise: points.AsIs}, train.Run{}, somePoints, 0)
		if c.widths == nil {
			if !errors.Is(err, gram.ErrNoWidth) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || why != "" {
			t.Fatal(name, why, err)
		}
		widths := make(map[role]float64)
		for r, k := range a.kernels {
			widths[r] = k.Parameters().Sigma
		}
		if !maps.Equal(widths, c.widths) {
			t.Errorf("%s: widths %v, want %v", name, widths, c.widths)
		}
		if first := a.kernels.roles()[0]; len(a.machines) == 0 || slices.ContainsFunc(a.machines, func(m candidate) bool { return m.kernel != first }) {
			t.Errorf("%s: machines with graphs %+v", name, a.machines)
		}
	}
}
