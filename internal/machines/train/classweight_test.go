package train

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// uneven is two moons with 10 labels of the first class and 2 of the second.
func uneven() *dataset.Dataset {
	d := dataset.TwoMoons(60, 0.15, 4)
	left := []int{10, 2}
	for i, class := range d.Y {
		if left[class]--; left[class] < 0 {
			d.Y[i] = dataset.Unlabelled
		}
	}
	return d
}

// Costs of classes are weights of rows: balanced ones l/(C·l_c), times the weights that
// the rows have already. Every solver has them, and so have the held-out machines.
func TestClassWeightsAreWeightsOfRows(t *testing.T) {
	plain := uneven()
	names := plain.Classes
	for name, c := range map[string]struct {
		r    Recipe
		cost []float64
	}{
		"balanced": {Recipe{ClassWeight: BalancedWeights}, []float64{12.0 / (2 * 10), 12.0 / (2 * 2)}},
		"given":    {Recipe{ClassWeight: ClassWeights{names[0]: 0.5, names[1]: 7}}, []float64{0.5, 7}},
		"one":      {Recipe{ClassWeight: ClassWeights{names[1]: 3}}, []float64{1, 3}},
	} {
		for _, solver := range []Solver{PCG, Newton, Deformed, Dual} {
			for _, supervised := range []bool{false, true} {
				r := Recipe{GammaA: 1e-2, Solver: solver, Calibrate: true, Supervised: supervised}
				if !supervised {
					r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 0.1, 5, 1
				}
				own, byHand := uneven(), uneven()
				own.Weights, byHand.Weights = make([]float64, len(own.Y)), make([]float64, len(own.Y))
				for i, class := range own.Y {
					if own.Weights[i] = 1 + float64(i%3); class != dataset.Unlabelled {
						byHand.Weights[i] = own.Weights[i] * c.cost[class]
					}
				}
				want, err := Fit(t.Context(), byHand, r, Run{})
				if err != nil {
					t.Fatal(name, solver, err)
				}
				r.ClassWeight = c.r.ClassWeight
				got, err := Fit(t.Context(), own, r, Run{})
				if err != nil {
					t.Fatal(name, solver, err)
				}
				want.Recipe.ClassWeight = r.ClassWeight
				same(t, name+", "+string(solver), got, want)
			}
		}
	}
}

// Errors on a class that costs more move the boundary away from it.
func TestCostlyErrors(t *testing.T) {
	d := uneven()
	mean := func(r Recipe) float64 {
		r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree = 1, 1, 5, 1
		f, err := Fit(t.Context(), d, r, Run{})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, row := range f.Summary.Scores {
			sum += row[1] / float64(len(d.Y))
		}
		return sum
	}
	plain, balanced := mean(Recipe{}), mean(Recipe{ClassWeight: BalancedWeights})
	if !(balanced > plain) {
		t.Errorf("the mean value for the rare class is %v, and %v with balanced weights", plain, balanced)
	}
}

func TestClassWeightErrors(t *testing.T) {
	d := uneven()
	for want, c := range map[string]struct {
		r    Recipe
		kind error
	}{
		"choose balanced":              {Recipe{ClassWeight: WeightRule("even")}, ErrParameter},
		`weight of the class "0" is 0`: {Recipe{ClassWeight: ClassWeights{"0": 0}}, ErrParameter},
		`is no labelled class`:         {Recipe{ClassWeight: ClassWeights{"9": 1}}, ErrData},
	} {
		c.r.Graph.Neighbours = 5
		if _, err := Fit(t.Context(), d, c.r, Run{}); err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if got, want := (ClassWeights{"b": 2, "a": 0.5}).String(), "a=0.5,b=2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !slices.Equal(d.Y, uneven().Y) || d.Weights != nil {
		t.Error("the data are not as they were")
	}
}
