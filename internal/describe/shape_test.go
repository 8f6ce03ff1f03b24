package describe

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/points"
)

// TestFindShape finds the shapes of drawings, grey and coloured, upright and lying, dense and sparse, in any unit.
func TestFindShape(t *testing.T) {
	for _, s := range []Shape{{16, 16, 1}, {8, 8, 1}, {20, 30, 1}, {30, 20, 1}, {28, 28, 1}, {24, 24, 3}, {32, 32, 3}, {48, 30, 3}} {
		var values []float64
		for _, v := range drawings(60, s, 3) {
			values = append(values, 1e-3*float64(v)-5)
		}
		if got, found := FindShape(points.Dense(60, s.Inputs(), values)); !found || got != s {
			t.Errorf("drawings of %v: %v, %v", s, got, found)
		}
		for _, lacks := range []int{0, 1, s.Width * s.Colours / 2, s.Width*s.Colours - 1, s.Width * s.Colours} {
			d := s.Inputs() - lacks
			var some []float64
			for i := range 60 {
				some = append(some, values[i*s.Inputs():i*s.Inputs()+d]...)
			}
			want := s.Inputs()
			if lacks == s.Width*s.Colours {
				want = d
			}
			if got := WholeLines(points.Dense(60, d, some)); got != want {
				t.Errorf("drawings of %v that lack %d values have %d, not %d", s, lacks, got, want)
			}
		}
		if got, found := FindShape(points.Dense(9, s.Inputs(), values[:9*s.Inputs()])); found {
			t.Errorf("nine drawings of %v have the shape %v", s, got)
		}
		order := rand.New(rand.NewPCG(4, 4)).Perm(s.Inputs())
		shuffled := make([]float64, len(values))
		for i, v := range values {
			shuffled[i-i%s.Inputs()+order[i%s.Inputs()]] = v
		}
		if got, found := FindShape(points.Dense(60, s.Inputs(), shuffled)); found {
			t.Errorf("drawings of %v with columns in another order have the shape %v", s, got)
		}
	}
}

// TestFindNoShape finds no pictures in noise, in curves, in a walk, among few columns and in huge values.
func TestFindNoShape(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	tables := map[string]func(x []float64){
		"noise": func(x []float64) {
			for j := range x {
				x[j] = random.NormFloat64()
			}
		},
		"a factor of all columns": func(x []float64) {
			f := random.NormFloat64()
			for j := range x {
				x[j] = f + random.NormFloat64()
			}
		},
		"curves": func(x []float64) {
			f, phase := 1+2*random.Float64(), 7*random.Float64()
			for j := range x {
				x[j] = math.Sin(f*7*float64(j)/float64(len(x)) + phase)
			}
		},
		"walks": func(x []float64) {
			v := 0.0
			for j := range x {
				v = 0.9*v + random.NormFloat64()
				x[j] = v
			}
		},
		"constants": func(x []float64) { x[0] = random.Float64() },
		"beyond float64 when squared": func(x []float64) {
			for j := range x {
				x[j] = 1e200 * random.NormFloat64()
			}
		},
	}
	for name, fill := range tables {
		for _, d := range []int{2, 63, 64, 144, 256, 768, 784} {
			values := make([]float64, 40*d)
			for i := range 40 {
				fill(values[i*d : (i+1)*d])
			}
			if got, found := FindShape(points.Dense(40, d, values)); found {
				t.Errorf("%s of %d columns have the shape %v", name, d, got)
			}
			if got := WholeLines(points.Dense(40, d, values)); got != d {
				t.Errorf("%s of %d columns have %d", name, d, got)
			}
		}
	}
}
