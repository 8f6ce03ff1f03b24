package lapsvm_test

import (
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// farFrom0 is points on a grid, of random columns that lie far from 0 for their width, with
// labels of three classes.
func farFrom0(rng *rand.Rand) *dataset.Dataset {
	n, d := 40+rng.IntN(80), 1+rng.IntN(8)
	values := make([]float64, n*d)
	for j := range d {
		shift, scale := pick(rng, 1.0, 30, 1000)*rng.NormFloat64(), math.Exp(rng.NormFloat64())
		for i := range n {
			values[i*d+j] = math.Round(4*(shift+scale*(rng.NormFloat64()+float64(i%3)))) / 4
		}
	}
	data := &dataset.Dataset{Points: points.Dense(n, d, values), Classes: []string{"a", "b", "c"}, Y: make([]int, n)}
	if rng.IntN(4) == 0 {
		data.Points = sparseOf(n, d, values)
	}
	for i := range data.Y {
		if data.Y[i] = i % 3; i >= 12 && rng.IntN(4) > 0 {
			data.Y[i] = dataset.Unlabelled
		}
	}
	return data
}

// A model decides the training points as the training did, to half a percent of the largest
// value, or the training warns that it does not. Its recipe gives the same values to the bit.
func TestDecidesAsTrained(t *testing.T) {
	warned, mended, exact := 0, 0, 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 5))
		d := farFrom0(rng)
		r := lapsvm.Recipe{GammaA: pick(rng, 1e-6, 1e-4, 1e-2), GammaI: pick(rng, 1e-4, 1e-2, 1), Bias: pick(rng, objective.BiasInNorm, objective.BiasOutside, objective.NoBias),
			Solver: pick(rng, lapsvm.PCG, lapsvm.Newton, lapsvm.Deformed, lapsvm.Dual), Standardise: pick(rng, points.AsIs, points.ZScore),
			Kernel: pick[kernel.Kernel](rng, kernel.Linear{}, kernel.Polynomial{Degree: 1 + rng.IntN(3), Gamma: 1, Coef0: 1}, kernel.Gaussian{})}
		r.Graph.Neighbours, r.Graph.Degree, r.RulesOfThumb = 1+rng.IntN(8), 1+rng.IntN(3), true
		if r.Supervised = rng.IntN(4) == 0; r.Supervised {
			r.GammaI = 0
		}
		if d.Points.Sparse() {
			r.Standardise = points.AsIs
		}
		var log strings.Builder
		trainer := lapsvm.Trainer{Recipe: r}
		trainer.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
		m, err := trainer.Fit(t.Context(), d)
		if err != nil {
			if !errors.Is(err, lapsvm.ErrData) && !errors.Is(err, lapsvm.ErrParameter) {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		scores, err := m.Scores(t.Context(), d.Points)
		if err != nil {
			t.Fatal(err)
		}
		off := 0.0
		for c := range m.Classes() {
			largest, difference := 0.0, 0.0
			for i, row := range m.Training().Scores {
				largest, difference = max(largest, math.Abs(row[c])), max(difference, math.Abs(row[c]-scores[i][c]))
			}
			if difference > 0 {
				off = max(off, difference/largest)
			}
		}
		says := strings.Contains(log.String(), "by rounding")
		switch {
		case says:
			warned++
		case !(off <= 5e-3):
			t.Errorf("seed %d: values differ by %.2g of the largest without a word: %+v", seed, off, m.Recipe())
		case m.Recipe().Solver == lapsvm.Deformed || m.Recipe().Solver == lapsvm.Dual:
			exact++
		case m.Recipe().Precision == gram.Double:
			mended++
		}
		again, err := lapsvm.Trainer{Recipe: m.Recipe()}.Fit(t.Context(), d)
		if err != nil {
			t.Errorf("seed %d: by its own recipe: %v", seed, err)
			continue
		}
		if same, err := again.Scores(t.Context(), d.Points); err != nil || !slices.EqualFunc(scores, same, slices.Equal[[]float64]) {
			t.Errorf("seed %d: other values by its own recipe, error %v: %+v", seed, err, m.Recipe())
		}
	}
	t.Logf("%d warned, %d by exact solvers, %d in double precision", warned, exact, mended)
	if warned+mended == 0 || exact == 0 {
		t.Error("nothing was to be mended")
	}
}
