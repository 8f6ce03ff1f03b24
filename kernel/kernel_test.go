package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/points"
)

// Every documented formula, evaluated naively from the points themselves.
func TestFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const d, m = 7, 50
	x, l1 := make([]float64, d), make([]float64, m)
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
			l1[j] += math.Abs(x[k] - ys[j][k])
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
		{Laplacian{Sigma: 1.7}, func(y []float64, dot float64) float64 {
			product := 1.0
			for k := range y {
				product *= math.Exp(-math.Abs(x[k]-y[k]) / 1.7)
			}
			return product
		}},
		{Distances{Sigma: 1.7}, func(y []float64, dot float64) float64 { return math.Exp(-dot * dot / (2 * 1.7 * 1.7)) }},
		{Polynomial{Degree: 9}, func(y []float64, dot float64) float64 { return math.Pow(dot, 9) }},
		{Polynomial{Degree: 4, Gamma: 0.5, Coef0: 2}, func(y []float64, dot float64) float64 { return math.Pow(0.5*dot+2, 4) }},
	} {
		if err := c.k.Validate(); err != nil {
			t.Fatalf("%v: %v", c.k, err)
		}
		statistic := dots
		if c.k.Kind().Statistic == points.L1 {
			statistic = l1
		}
		got := slices.Clone(statistic)
		c.k.Map(got, xx, yy)
		single, squares := make([]float32, m), make([]float32, m)
		for j := range single {
			single[j], squares[j] = float32(statistic[j]), float32(yy[j])
		}
		c.k.Map32(single, float32(xx), squares)
		for j := range got {
			want := c.want(ys[j], dots[j])
			if !(math.Abs(got[j]-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%v: k = %v, naively %v", c.k, got[j], want)
			}
			if !(math.Abs(float64(single[j])-want) <= 2e-5*(1+math.Abs(want))) {
				t.Errorf("%v in float32: k = %v, naively %v", c.k, single[j], want)
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
		{Polynomial{Degree: MaxDegree + 1}, "at most 1023"},
		{Polynomial{Degree: 1 << 62}, "at most 1023"},
		{Gaussian{Sigma: math.NaN()}, "sigma > 0"},
		{Gaussian{Sigma: math.Inf(1)}, "sigma > 0"},
		{Laplacian{}, "sigma > 0"},
		{Laplacian{Sigma: math.Inf(1)}, "sigma > 0"},
		{Polynomial{}, "degree of at least 1"},
		{Polynomial{Degree: 2, Gamma: -1}, "gamma > 0"},
		{Polynomial{Degree: 2, Coef0: -1}, "coef0"},
	} {
		if err := c.k.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v: error %v, want one about %q", c.k, err, c.want)
		}
	}
}

// custom is a kernel of a program's own that passes for another.
type custom struct{ Linear }

// A kernel of every kind comes back from its name and parameters, and has those
// parameters alone that its kind lists.
func TestKinds(t *testing.T) {
	all := Parameters{Sigma: 1.5, Degree: 4, Gamma: 0.3, Coef0: 2}
	seen := make(map[string]bool)
	for _, kind := range Kinds() {
		if kind.Name == "" || kind.Formula == "" || seen[kind.Name] {
			t.Errorf("the name %q, formula %q, is empty or twice there", kind.Name, kind.Formula)
		}
		seen[kind.Name] = true
		k, err := New(kind.Name, all)
		if err != nil || k.Kind().Name != kind.Name || Custom(k) {
			t.Fatalf("%s: made %v, error %v, custom %v", kind.Name, k, err, Custom(k))
		}
		if again := kind.New(k.Parameters()); again != k {
			t.Errorf("%v came back as %v", k, again)
		}
		if err := k.Validate(); err != nil {
			t.Errorf("%v: %v", k, err)
		}
		p := k.Parameters()
		for name, has := range map[string]bool{"sigma": p.Sigma != 0, "degree": p.Degree != 0, "gamma": p.Gamma != 0, "coef0": p.Coef0 != 0} {
			if kind.Has(name) != has {
				t.Errorf("%v: has %s %v, lists it %v", k, name, has, kind.Has(name))
			}
		}
		open := kind.New(Parameters{Degree: 1})
		if Open(open) != kind.hasWidth() || Open(k) {
			t.Errorf("%v and %v: open %v and %v", open, k, Open(open), Open(k))
		}
		if got := WithWidth(open, 2).Parameters().Sigma; kind.hasWidth() != (got == 2) {
			t.Errorf("%v: made 2 wide it has the width %v", open, got)
		}
	}
	if !Custom(custom{}) {
		t.Error("a kernel of the program's own passes for one of the package")
	}
	if _, err := New("cubic", all); err == nil || !strings.Contains(err.Error(), "gaussian") {
		t.Errorf("an unknown name: %v", err)
	}
	if got := Names("degree"); !slices.Equal(got, []string{"poly"}) {
		t.Errorf("with a degree there are %v", got)
	}
}
