package selection

import (
	"errors"
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
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
	a, why, err := newArena(t.Context(), d, train.Recipe{}, train.Run{}, arenaPoints, 0)
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
	median := all[len(all)/2]
	for k, want := range []float64{near, median, median / 2, 4 * median} {
		tolerance := 0.03 * want // the median is of a sample
		if k == 0 {
			tolerance = 1e-12
		}
		if got := a.kernels[k].Parameters().Sigma; !(math.Abs(got-want) <= tolerance) {
			t.Errorf("width %d is %v, want %v", k, got, want)
		}
	}
	compared := func(list []candidate) (kernels []int) {
		for _, c := range list {
			if !slices.Contains(kernels, c.kernel) {
				kernels = append(kernels, c.kernel)
			}
		}
		return kernels
	}
	if machines, alone := compared(a.machines), compared(a.alone); len(a.kernels) != 4 || !slices.Equal(machines, []int{0, 1}) || !slices.Equal(alone, []int{0, 1, 2, 3}) {
		t.Errorf("of %d kernels machines with graphs have %v, supervised ones %v", len(a.kernels), machines, alone)
	}
	numbers, why, err := newArena(t.Context(), numbersData(90, 12, 3, 1, sheet), train.Recipe{Regression: true}, train.Run{}, arenaPoints, 0)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	sigma := func(k int) float64 { return numbers.kernels[k].Parameters().Sigma }
	if got, want := sigma(4), math.Sqrt(sigma(0)*sigma(1)); !(math.Abs(got-want) <= 1e-12*want) {
		t.Errorf("the width between %v and %v is %v", sigma(0), sigma(1), got)
	}
	if machines, alone := compared(numbers.machines), compared(numbers.alone); len(numbers.kernels) != 6 || !slices.Equal(machines, []int{0, 1, 4}) || !slices.Equal(alone, []int{0, 1, 2, 3, 5}) {
		t.Errorf("of %d kernels for numbers machines with graphs have %v, supervised ones %v", len(numbers.kernels), machines, alone)
	}
}

// Points that coincide with all their neighbours have no width of neighbours, and those that most often
// coincide no median distance.
func TestWidthsOfEqualPoints(t *testing.T) {
	for name, c := range map[string]struct {
		value   func(i int) float64
		widths  []float64
		nearest int
	}{
		"equal neighbours": {func(i int) float64 { return float64(i % 4) }, []float64{1, 0.5, 4}, -1},
		"mostly equal":     {func(i int) float64 { return float64(i / 38) }, []float64{1}, 0},
		"all equal":        {func(int) float64 { return 7 }, nil, 0},
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
		a, why, err := newArena(t.Context(), d, train.Recipe{Standardise: points.AsIs}, train.Run{}, arenaPoints, 0)
		if c.widths == nil {
			if !errors.Is(err, gram.ErrNoWidth) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || why != "" {
			t.Fatal(name, why, err)
		}
		var widths []float64
		for _, k := range a.kernels {
			widths = append(widths, k.Parameters().Sigma)
		}
		if !slices.Equal(widths, c.widths) || a.nearest != c.nearest {
			t.Errorf("%s: widths %v, number %d of them that of neighbours", name, widths, a.nearest)
		}
		if len(a.machines) == 0 || slices.ContainsFunc(a.machines, func(m candidate) bool { return m.kernel != 0 }) {
			t.Errorf("%s: machines with graphs %+v", name, a.machines)
		}
	}
}
