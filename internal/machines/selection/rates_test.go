package selection

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"lapsvm/internal/machines/task"
)

// The area is the share of pairs in the right order, ties counting half.
func TestAreaUnderROC(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		values := make([]rankedValue, 1+rng.IntN(30))
		for i := range values {
			values[i] = rankedValue{float64(rng.IntN(6)), rng.IntN(3) == 0}
		}
		right, pairs := 0.0, 0.0
		for _, a := range values {
			for _, b := range values {
				if a.is && !b.is {
					pairs++
					switch {
					case a.value > b.value:
						right++
					case a.value == b.value:
						right += 0.5
					}
				}
			}
		}
		got, want := areaUnderROC(values), right/pairs
		if !(math.Abs(got-want) <= 1e-12) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("area %v of %v, want %v", got, values, want)
		}
	}
}

// Rates of a class are of its rows, of the predictions as it, and of both; those of
// repeats are of their sum.
func TestRatesOf(t *testing.T) {
	one, other := [][]int{{3, 1, 0}, {0, 0, 2}}, [][]int{{2, 0, 0}, {1, 4, 0}}
	pooled := Pooled([]Result{{Confusion: one}, {Confusion: other}}, func(r Result) [][]int { return r.Confusion })
	if want := [][]int{{5, 1, 0}, {1, 4, 2}}; !reflect.DeepEqual(pooled, want) {
		t.Errorf("the sum is %v, want %v", pooled, want)
	}
	got, want := RatesOf(pooled), []ClassRates{{6, 5.0 / 6, 5.0 / 6, 10.0 / 12}, {7, 4.0 / 7, 4.0 / 5, 8.0 / 12}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("rates %+v, want %+v", got, want)
	}
	none := RatesOf([][]int{{0, 0}})[0]
	if !math.IsNaN(none.Recall) || !math.IsNaN(none.Precision) || !math.IsNaN(none.F1) {
		t.Errorf("rates of nothing: %+v", none)
	}
}

// Every class is ranked against the others by its own values; a class without rows
// is left out of both rates.
func TestRates(t *testing.T) {
	m := machine{task: &task.Task{Classes: []string{"a", "b", "c"}}, classes: []string{"a", "b", "c", "d"}}
	scores := [][]float64{{3, 1, 0}, {1, 2, 0}, {2, 0, 0}, {0, 3, 0}}
	if got, want := m.auc(scores, []int{0, 0, 1, 1}), (0.75+0.5)/2; !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("area %v, want %v", got, want)
	}
	r := Result{Confusion: [][]int{{3, 1, 0, 0}, {0, 2, 0, 2}, {0, 0, 0, 0}}} // the last column is outside
	if got, want := r.MacroF1(), (6.0/7+4.0/7)/2; !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("F1 %v, want %v", got, want)
	}
	if got := (Result{Confusion: [][]int{{0, 0}}}).MacroF1(); !math.IsNaN(got) {
		t.Errorf("F1 of nothing is %v", got)
	}
}
