package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestLQ(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, k := range []int{0, 1, 2, 5, 31, 32, 33, 63, 64, 65, 70, 100} {
		for _, more := range []int{-40, -1, 0, 1, 40} {
			m := max(k+more, 0)
			count := min(k, m)
			a := random(r, k, m)
			if k > 3 { // a row of zeros, and two that are nearly the same
				clear(a.Row(1))
				for j := range m {
					a.Row(3)[j] = a.at(2, j) * (1 + 1e-13*r.Float64())
				}
			}
			reduced, v := clone(a), random(r, count, m)
			tt, err := LQ(t.Context(), reduced, v)
			if err != nil {
				t.Fatal(err)
			}
			kept := New(count, m)
			if Reflectors(kept, reduced, 0); distance(v, kept) != 0 && count > 0 {
				t.Errorf("%d×%d: the reflectors kept in A are others", k, m)
			}
			h := New(m, m) // Hᵀ
			for i := range m {
				h.Data[i*h.Stride+i] = 1
			}
			again := clone(h)
			if err := Reflect(t.Context(), v, tt, h); err != nil {
				t.Fatal(err)
			}
			if err := Reflect(t.Context(), reduced.Block(0, count, 0, m), tt, again); err != nil || distance(h, again) != 0 {
				t.Errorf("%d×%d: the reflectors kept in A reflect otherwise, or %v", k, m, err)
			}
			unit := product(h, h.T())
			for i := range m {
				unit.Data[i*unit.Stride+i]--
			}
			if d := distanceFromZero(unit); !(d <= 1e-13*float64(m+1)) {
				t.Errorf("%d×%d: HᵀH differs from 1 by %.1e", k, m, d)
			}
			l := New(k, m)
			for i := range k {
				copy(l.Row(i)[:min(i+1, m)], reduced.Row(i))
			}
			if d := distance(l, product(a, h)); !(d <= 1e-13) && count > 0 {
				t.Errorf("%d×%d: L differs from A·Hᵀ by %.1e", k, m, d)
			}
		}
	}
}

func TestReflectorOfExtremes(t *testing.T) {
	for _, by := range []float64{1e-310, 1e-200, 1, 1e200, 1e307} {
		x := []float64{3 * by, -4 * by, 12 * by}
		tau := reflector(x)
		if d := math.Abs(x[0]+13*by) / (13 * by); !(d <= 1e-12) || !(tau > 1 && tau < 2) || !(Norm(x[1:]) < 1) {
			t.Errorf("by %g: %v, τ = %g", by, x, tau)
		}
	}
	if tau := reflector([]float64{2, 0, 0}); tau != 0 {
		t.Errorf("τ of what is reduced is %g", tau)
	}
}

func TestNorm(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{3, -4}, 5}, {[]float64{3e-300, 4e-300}, 5e-300}, {[]float64{3e300, 4e300}, 5e300}, {[]float64{5e-324}, 5e-324},
		{[]float64{1, math.Inf(-1)}, math.Inf(1)}} {
		if got := Norm(c.x); !(got == c.want || math.Abs(got-c.want) <= 1e-15*c.want) {
			t.Errorf("‖%v‖ = %g, want %g", c.x, got, c.want)
		}
	}
	if got := Norm([]float64{1, math.NaN(), 2}); !math.IsNaN(got) {
		t.Errorf("the norm with a NaN is %g", got)
	}
}
