package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// ring is n rows about a circle, whose number is the sine of three times the angle, with noise. All but the first labelled ones hide it.
func ring(n, labelled int, seed uint64) (d *dataset.Dataset, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 43))
	d, values := new(dataset.Dataset), []float64(nil)
	for i := range n {
		angle := 2 * math.Pi * rng.Float64()
		values = append(values, math.Cos(angle)+0.1*rng.NormFloat64(), math.Sin(angle)+0.1*rng.NormFloat64())
		y = append(y, math.Sin(3*angle)+0.1*rng.NormFloat64())
		if d.Y = append(d.Y, dataset.Unlabelled); i < labelled {
			d.Y[i], d.Classes = i, append(d.Classes, strconv.FormatFloat(y[i], 'g', -1, 64))
		}
	}
	d.Points = points.Dense(n, 2, values)
	return d, y
}

// A residual is that of a machine without the label, at a row without a basis point. The machine's values at the other rows tell what it says there, here by a
// system of equations for every row. Intervals of new rows hold their numbers so, where a narrow kernel leaves the graph's
// residuals too small. Supervised machines have no other rows.
func TestIntervalsBeyondTheTraining(t *testing.T) {
	d, y := ring(150, 60, 1)
	r := Recipe{Kind: task.Numbers(), Calibrate: true, Kernel: kernel.Gaussian{Sigma: 0.05}, GammaA: 1e-4, GammaI: 1e-2, Graph: graph.Options{Neighbours: 5, Degree: 2}, Standardise: points.AsIs, Describe: Undescribed, Optimism: 1.5}
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	cross, err := gram.NewCross(t.Context(), f.Expansion.Basis, f.Expansion.Basis, r.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	n, v := len(f.Rows), f.Intervals
	among, larger := f.IntervalsAmong(), 0
	for label, row := range f.Task.Labelled {
		machine := v.Machine[label]
		at := slices.Index(f.Rows, row)
		k, h, to := linalg.New(n-1, n-1), []float64(nil), []float64(nil)
		var others []int
		for i := range n {
			if i != at {
				others = append(others, i)
			}
		}
		for a, i := range others {
			for b, j := range others {
				k.Row(a)[b] = cross.Row(i)[j]
			}
			k.Row(a)[a] += 1e-8
			h, to = append(h, cross.Dot(i, v.Coefficients[machine])), append(to, cross.Row(at)[i])
		}
		if ok, err := linalg.Cholesky(t.Context(), k); !ok || err != nil {
			t.Fatal(ok, err)
		}
		linalg.CholeskySolve(k, h)
		value := v.Bias[machine]
		for a := range others {
			value += to[a] * h[a]
		}
		if want := r.Optimism * math.Abs(y[row]-value); !(math.Abs(v.Residual[label]-want) <= 1e-6) {
			t.Errorf("label %d: residual %v, naively %v", label, v.Residual[label], want)
		}
		if v.Residual[label] > among.Residual[label] {
			larger++
		}
	}
	if larger < len(y)/5 {
		t.Errorf("%d of %d residuals are larger than those of rows trained on: this is no test", larger, len(v.Residual))
	}
	fresh, truth := ring(2000, 0, 2)
	scores, err := f.Predictor().Scores(t.Context(), fresh.Points)
	if err != nil {
		t.Fatal(err)
	}
	held := func(v *Intervals) (share float64) {
		of := *v
		of.Residual = slices.Clone(v.Residual)
		for label := range of.Residual {
			of.Residual[label] /= 1.5
		}
		low, high, err := f.Predictor().With(Uncertainty{Intervals: &of}).IntervalsAt(t.Context(), fresh.Points, ValuesOf(scores), 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range truth {
			if low[i] <= v && v <= high[i] {
				share += 1 / float64(len(truth))
			}
		}
		return share
	}
	if with, without := held(v), held(among); !(with > 0.85 && with < 0.95 && without < 0.8) {
		t.Errorf("intervals of new rows hold %.3f of the numbers, by residuals of rows trained on %.3f", with, without)
	}
	r.Supervised, r.GammaI, r.Graph = true, 0, graph.Options{}
	if f, err = Fit(t.Context(), d, r, Run{}); err != nil {
		t.Fatal(err)
	}
	for label, residual := range f.IntervalsAmong().Residual {
		if !(math.Abs(residual-f.Intervals.Residual[label]) <= 1e-12) {
			t.Fatalf("supervised: residual %v, and %v", f.Intervals.Residual[label], residual)
		}
	}
}
