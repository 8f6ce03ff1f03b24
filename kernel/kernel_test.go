package kernel

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Every documented formula, evaluated naively from the points themselves.
func TestFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const d, m = 7, 50
	x := make([]float64, d)
	for k := range x {
		x[k] = rng.NormFloat64()
	}
	ys := make([][]float64, m)
	dots, yy := make([]float64, m), make([]float64, m)
	xx := 0.0
	for _, v := range x {
		xx += v * v
	}
	for j := range ys {
		ys[j] = make([]float64, d)
		for k := range ys[j] {
			ys[j][k] = rng.NormFloat64()
			dots[j] += x[k] * ys[j][k]
			yy[j] += ys[j][k] * ys[j][k]
		}
	}
	for _, c := range []struct {
		k    Kernel
		want func(y []float64, dot float64) float64
	}{
		{Linear{}, func(y []float64, dot float64) float64 { return dot }},
		{Gaussian{Sigma: 1.7}, func(y []float64, dot float64) float64 {
			s := 0.0
			for k := range y {
				s += (x[k] - y[k]) * (x[k] - y[k])
			}
			return math.Exp(-s / (2 * 1.7 * 1.7))
		}},
		{Polynomial{Degree: 9}, func(y []float64, dot float64) float64 { return math.Pow(dot, 9) }},
		{Polynomial{Degree: 4, Gamma: 0.5, Coef0: 2}, func(y []float64, dot float64) float64 { return math.Pow(0.5*dot+2, 4) }},
	} {
		if err := c.k.Validate(); err != nil {
			t.Fatalf("%v: %v", c.k, err)
		}
		got := append([]float64(nil), dots...)
		c.k.Map(got, xx, yy)
		for j := range got {
			want := c.want(ys[j], dots[j])
			if !(math.Abs(got[j]-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%v: k = %v, naively %v", c.k, got[j], want)
			}
		}
	}
}

func TestGaussianKeepsNaNAndNeverExceedsOne(t *testing.T) {
	dots := []float64{math.NaN(), 5}
	Gaussian{Sigma: 1}.Map(dots, 4, []float64{4, 4})
	if !math.IsNaN(dots[0]) || dots[1] != 1 {
		t.Errorf("got %v, want NaN and exactly 1", dots)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		k    Kernel
		want string
	}{
		{Gaussian{}, "sigma > 0"},
		{Gaussian{Sigma: -1}, "sigma > 0"},
		{Gaussian{Sigma: math.NaN()}, "sigma > 0"},
		{Gaussian{Sigma: math.Inf(1)}, "sigma > 0"},
		{Polynomial{}, "degree of at least 1"},
		{Polynomial{Degree: 2, Gamma: -1}, "gamma > 0"},
		{Polynomial{Degree: 2, Coef0: -1}, "coef0"},
	} {
		if err := c.k.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v: error %v, want one about %q", c.k, err, c.want)
		}
	}
}
