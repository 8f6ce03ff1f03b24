package calibrate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/calibrate"
)

// The ends are the order statistics of the definition, counted here.
func TestIntervalsOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 34))
	for range 200 {
		l := 1 + rng.IntN(40)
		v := &calibrate.Intervals{Residual: make([]float64, l)}
		machines := make([]float64, 1+rng.IntN(l))
		for k := range machines {
			machines[k] = rng.NormFloat64()
		}
		for i := range v.Residual {
			v.Residual[i] = math.Abs(rng.NormFloat64())
			v.Machine = append(v.Machine, rng.IntN(len(machines)))
		}
		if rng.IntN(3) == 0 {
			v.Machine = nil
		}
		value, level := rng.NormFloat64(), 0.05+0.9*rng.Float64()
		alpha := 1 - level
		if math.Floor(alpha*float64(l+1)) < 1 {
			if v.CheckLevel(level) == nil {
				t.Errorf("level %v of %d labels is taken", level, l)
			}
			continue
		}
		if err := v.CheckLevel(level); err != nil {
			t.Fatal(err)
		}
		var lows, highs []float64
		for i, r := range v.Residual {
			f := value
			if v.Machine != nil {
				f = machines[v.Machine[i]]
			}
			lows, highs = append(lows, f-r), append(highs, f+r)
		}
		slices.Sort(lows)
		slices.Sort(highs)
		low, high := v.Of(value, machines, level)
		if low != lows[int(math.Floor(alpha*float64(l+1)))-1] || high != highs[int(math.Ceil(level*float64(l+1)))-1] {
			t.Errorf("level %v of %d labels: from %v to %v", level, l, low, high)
		}
	}
	nine := &calibrate.Intervals{Residual: make([]float64, 9)}
	if nine.CheckLevel(0.9) != nil || nine.CheckLevel(0.91) == nil || nine.Most() != 0.9 {
		t.Error("nine labels have intervals of 0.9, and of no more")
	}
	for _, level := range []float64{0, 1, -1, math.NaN()} {
		if nine.CheckLevel(level) == nil {
			t.Errorf("the level %v is taken", level)
		}
	}
}

func TestIntervalsValidate(t *testing.T) {
	good := func() *calibrate.Intervals {
		return &calibrate.Intervals{Coefficients: [][]float64{{1, 2, 3}, {4, 5, 6}}, Bias: []float64{0, 1}, Machine: []int{0, 1, 1}, Residual: []float64{0, 1, 2}}
	}
	if err := good().Validate(3); err != nil {
		t.Fatal(err)
	}
	if err := (&calibrate.Intervals{Residual: []float64{1}}).Validate(3); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(v *calibrate.Intervals){
		"no labels":         func(v *calibrate.Intervals) { v.Residual, v.Machine = nil, nil },
		"biases":            func(v *calibrate.Intervals) { v.Bias = v.Bias[:1] },
		"no machines":       func(v *calibrate.Intervals) { v.Bias, v.Coefficients = nil, nil },
		"labels":            func(v *calibrate.Intervals) { v.Machine = v.Machine[:2] },
		"machine":           func(v *calibrate.Intervals) { v.Machine[0] = 2 },
		"coefficients":      func(v *calibrate.Intervals) { v.Coefficients[1] = v.Coefficients[1][:2] },
		"no number":         func(v *calibrate.Intervals) { v.Coefficients[1][0] = math.NaN() },
		"negative residual": func(v *calibrate.Intervals) { v.Residual[1] = -1 },
	} {
		v := good()
		spoil(v)
		if v.Validate(3) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
