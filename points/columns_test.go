package points_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/points"
)

// column scales one column by what it is, and returns it.
func column(t *testing.T, values ...float64) []float64 {
	t.Helper()
	p := points.Dense(len(values), 1, values)
	var scaled []float64
	for _, row := range fit(t, points.Columns, p, p) {
		scaled = append(scaled, row[0])
	}
	return scaled
}

// many are n values.
func many(n int, value func(i int) float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = value(i)
	}
	return values
}

// spread returns the root mean square, and the kurtosis.
func spread(x []float64) (rms, kurtosis float64) {
	mean, squares, fourths := 0.0, 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean) / float64(len(x))
		fourths += math.Pow(v-mean, 4) / float64(len(x))
	}
	return math.Sqrt(squares), fourths / (squares * squares)
}

func TestColumnsOfTwoValuesAreIndicators(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{0, 0, 0, 0, 1}, []float64{0, 0, 0, 0, 1}},
		{[]float64{1, 1, 0, 1}, []float64{0, 0, -1, 0}},
		{[]float64{20, 70, 20, 20}, []float64{0, 1, 0, 0}},
		{[]float64{7, 7, 7}, []float64{0, 0, 0}},
		{[]float64{7}, []float64{0}},
	} {
		if got := column(t, slices.Clone(c.values)...); !slices.Equal(got, c.want) {
			t.Errorf("%v becomes %v, want %v", c.values, got, c.want)
		}
	}
	rare := column(t, many(1000, func(i int) float64 { return math.Floor(float64(i) / 999) })...)
	if got := slices.Max(rare) - slices.Min(rare); got != 1 {
		t.Errorf("an indicator of one row of 1,000 is %v wide", got)
	}
}

// What stands for missing values does not make the present ones large.
func TestColumnsWithManyEqualValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, share := range []float64{0, 0.3, 0.6, 0.9} {
		values := many(2000, func(int) float64 { return 5 + 100*rng.NormFloat64() })
		var present []float64
		for i := range values {
			if rng.Float64() < share {
				values[i] = 5
			}
		}
		for i, v := range column(t, slices.Clone(values)...) {
			if values[i] != 5 {
				present = append(present, v)
			}
		}
		if rms, _ := spread(present); !(rms > 0.8 && rms < 1.2) {
			t.Errorf("with a share of %v missing the others have a deviation of %v", share, rms)
		}
	}
}

func TestColumnsWithLongTails(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, value := range map[string]func() float64{
		"log-normal":          func() float64 { return math.Exp(1.5*rng.NormFloat64() + 3) },
		"negative log-normal": func() float64 { return 40 - math.Exp(1.5*rng.NormFloat64()+3) },
		"Student's t, 2":      func() float64 { return 1e4 * rng.NormFloat64() / math.Sqrt(rng.ExpFloat64()) },
	} {
		values := many(2000, func(int) float64 { return value() })
		scaled := column(t, slices.Clone(values)...)
		if _, before := spread(values); !(before > 6) {
			t.Fatalf("%s: a kurtosis of %v is no long tail", name, before)
		}
		if rms, after := spread(scaled); !(after < 6) || !(rms > 0.6 && rms < 1.3) {
			t.Errorf("%s: deviation %v and kurtosis %v", name, rms, after)
		}
		sorted := column(t, slices.Sorted(slices.Values(values))...)
		if !slices.IsSorted(sorted) {
			t.Errorf("%s: the order changes", name)
		}
	}
	normal := many(2000, func(int) float64 { return rng.NormFloat64() })
	s, err := points.FitScaling(t.Context(), points.Columns, points.Dense(2000, 1, normal))
	if err != nil || s.Width[0] != 0 {
		t.Errorf("a normal column is bent: %v, %v", s.Width, err)
	}
}

// The unit of a column does not matter.
func TestColumnsAreFreeOfUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, tail := range []float64{0.2, 2} {
		values := many(300, func(int) float64 { return math.Exp(tail * rng.NormFloat64()) })
		want := column(t, slices.Clone(values)...)
		for _, unit := range []float64{0x1p-20, 0x1p30} {
			got := column(t, many(300, func(i int) float64 { return unit * values[i] })...)
			for i := range got {
				if !(math.Abs(got[i]-want[i]) <= 1e-12) {
					t.Fatalf("in units of %v: %v, want %v", unit, got[i], want[i])
				}
			}
		}
	}
}

func TestColumnsRefusesSparsePoints(t *testing.T) {
	if _, err := points.FitScaling(t.Context(), points.Columns, points.CSR(3, []int{0, 1}, []int32{2}, []float64{1})); err == nil {
		t.Error("a sparse table is filled")
	}
}

// Columns that belong together keep the proportions of distances, are not bent by long tails, and
// weigh as two columns; columns beside them are scaled as ever.
func TestColumnsTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	const n = 500
	values := make([]float64, 0, 4*n)
	for range n {
		values = append(values, 1e-3*rng.NormFloat64(), math.Exp(2*rng.NormFloat64()), 0.5+2e-3*rng.NormFloat64(), 0.7)
	}
	values[2] = 40 // a long tail
	p := points.Dense(n, 4, values)
	alone, err := points.FitScaling(t.Context(), points.Columns, p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := points.FitScaling(t.Context(), points.Columns, p, points.Group{Columns: []int{0, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	if alone.Width[2] == 0 {
		t.Error("the column has no long tail")
	}
	if s.Width[0] != 0 || s.Width[2] != 0 || s.Factor[0] != s.Factor[2] || s.Factor[0] != s.Factor[3] {
		t.Errorf("widths %v, factors %v", s.Width, s.Factor)
	}
	if s.Shift[1] != alone.Shift[1] || s.Factor[1] != alone.Factor[1] || s.Centre[1] != alone.Centre[1] || s.Width[1] != alone.Width[1] {
		t.Errorf("the column beside them is scaled by %v, want %v", s, alone)
	}
	// The quantiles of a normal column lie 4.65 deviations apart.
	if width, want := 1/s.Factor[0], 4.65/4*math.Sqrt((1e-6+4e-6)/2); !(math.Abs(width-want) <= 0.1*want) {
		t.Errorf("the width is %v, want about %v", width, want)
	}
}

// A vector is moved to its mean and keeps its proportions. Its mean square norm is eight times that of
// all columns beside it, whatever these are, and however many numbers it has.
func TestVectorBesideColumns(t *testing.T) {
	for _, width := range []int{1, 3, 40} {
		rng := rand.New(rand.NewPCG(4, uint64(width)))
		const n = 400
		var values []float64
		for i := range n {
			values = append(values, 1e5*rng.NormFloat64(), math.Exp(3*rng.NormFloat64()))
			for j := range width {
				values = append(values, 7+1e-3*float64(1+j)*rng.NormFloat64())
			}
			values = append(values, float64(min(i%5, 1)), rng.Float64(), rng.Float64(), 3)
		}
		d := width + 6
		p := points.Dense(n, d, values)
		vector := points.Group{Vector: true}
		for j := range width {
			vector.Columns = append(vector.Columns, 2+j)
		}
		place := points.Group{Columns: []int{width + 3, width + 4}}
		s, err := points.FitScaling(t.Context(), points.Columns, p, place, vector)
		if err != nil {
			t.Fatal(err)
		}
		without, err := points.FitScaling(t.Context(), points.Columns, p, place)
		if err != nil {
			t.Fatal(err)
		}
		mean, square := make([]float64, d), make([]float64, d)
		x := s.Apply(p)
		for j := range d {
			for i := range n {
				mean[j] += x.At(i, j) / n
			}
			for i := range n {
				square[j] += (x.At(i, j) - mean[j]) * (x.At(i, j) - mean[j]) / n
			}
		}
		inside, beside := 0.0, 0.0
		for j := range d {
			if slices.Contains(vector.Columns, j) {
				inside += square[j]
				if s.Factor[j] != s.Factor[2] || s.Width[j] != 0 || !(math.Abs(mean[j]) <= 1e-9) {
					t.Errorf("%d numbers: number %d times %g, with the mean %g", width, j-1, s.Factor[j], mean[j])
				}
				continue
			}
			beside += square[j]
			if s.Shift[j] != without.Shift[j] || s.Factor[j] != without.Factor[j] || s.Centre[j] != without.Centre[j] || s.Width[j] != without.Width[j] {
				t.Errorf("%d numbers: column %d is not scaled as without the vector", width, j)
			}
		}
		if !(math.Abs(inside-8*beside) <= 1e-9*inside) {
			t.Errorf("%d numbers: the mean square norm is %g, beside %g", width, inside, beside)
		}
	}
	alone, err := points.FitScaling(t.Context(), points.Columns, points.Dense(2, 2, []float64{1, 1, 4, 5}), points.Group{Columns: []int{0, 1}, Vector: true})
	if err != nil || !(math.Abs(alone.Factor[0]-1/2.5) <= 1e-15) || alone.Factor[1] != alone.Factor[0] {
		t.Errorf("alone: %v, error %v", alone, err)
	}
}

// A scaling that is no longer wanted is not learnt.
func TestFitScalingListens(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := points.FitScaling(ctx, points.Columns, points.Dense(3, 2, []float64{1, 2, 3, 4, 5, 7})); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
