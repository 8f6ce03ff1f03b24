package gram_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Distances to the basis are those of all pairs, in both precisions, of dense and
// sparse points, for kernels of both statistics; the values are those of Values. A
// point itself does not count, and a point that is near enough is not followed.
func TestNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	const n, m, d = 300, 250, 5
	table := func(n int) *points.Points {
		values := make([]float64, n*d)
		for i := range values {
			values[i] = 3 + rng.NormFloat64()
		}
		return points.Dense(n, d, values)
	}
	sparse := func(p *points.Points) *points.Points {
		start, index, value := []int{0}, []int32{}, []float64{}
		for i := range p.Len() {
			for j, v := range p.DenseRow(i) {
				index, value = append(index, int32(j)), append(value, v)
			}
			start = append(start, len(index))
		}
		return points.CSR(d, start, index, value)
	}
	x, basis := table(m), table(n)
	self := make([]int, m)
	for i := range self {
		self[i] = i%(n+20) - 1
	}
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 2}, kernel.Laplacian{Sigma: 2}, kernel.Polynomial{Degree: 2, Gamma: 1, Coef0: 1}} {
		for _, precision := range []gram.Precision{gram.Single, gram.Double} {
			for form, c := range map[string][2]*points.Points{"dense": {x, basis}, "sparse": {sparse(x), sparse(basis)}, "mixed": {sparse(x), basis}} {
				name := fmt.Sprint(k, precision, form)
				e := gram.Expansion{Kernel: k, Basis: c[1], Coefficients: [][]float64{make([]float64, n)}, Bias: []float64{1}}
				for j := range e.Coefficients[0] {
					e.Coefficients[0][j] = rng.NormFloat64()
				}
				packed, err := e.Pack(t.Context(), precision)
				if err != nil {
					t.Fatal(err)
				}
				want, got := [][]float64{make([]float64, m)}, [][]float64{make([]float64, m)}
				if err := packed.Values(t.Context(), want, c[0]); err != nil {
					t.Fatal(err)
				}
				near, some := &gram.Nearest{Self: self}, &gram.Nearest{Self: self, Enough: 1.5}
				if err := packed.ValuesNear(parallel.WithLimit(t.Context(), 2), got, c[0], near); err != nil {
					t.Fatal(err)
				}
				if err := packed.ValuesNear(t.Context(), got, c[0], some); err != nil {
					t.Fatal(err)
				}
				for i := range m {
					if got[0][i] != want[0][i] {
						t.Fatalf("%s: value %d is %g, want %g", name, i, got[0][i], want[0][i])
					}
					least := math.Inf(1)
					for j := range n {
						if j != self[i] {
							least = min(least, x.Distance(k.Kind().Statistic, i, basis, j))
						}
					}
					if !(math.Abs(near.Distance[i]-least) <= 1e-4*least) {
						t.Fatalf("%s: distance %d is %g, want %g", name, i, near.Distance[i], least)
					}
					if a, b := some.Distance[i], near.Distance[i]; a != b && !(b <= a && a <= 1.5) {
						t.Fatalf("%s: distance %d is %g where %g is enough, in truth %g", name, i, a, 1.5, b)
					}
				}
			}
		}
	}
}

// Points that are in the basis are at the distance 0, and beyond all numbers it is
// infinite.
func TestNearestAtTheEnds(t *testing.T) {
	basis := points.Dense(2, 2, []float64{1, 2, 3, 4})
	e := gram.Expansion{Kernel: kernel.Gaussian{Sigma: 1}, Basis: basis, Coefficients: [][]float64{{1, 1}}, Bias: []float64{0}}
	packed, err := e.Pack(t.Context(), gram.Single)
	if err != nil {
		t.Fatal(err)
	}
	near := &gram.Nearest{}
	if err := packed.ValuesNear(t.Context(), [][]float64{make([]float64, 3)}, points.Dense(3, 2, []float64{1, 2, 3, 4, 1e30, 0}), near); err != nil {
		t.Fatal(err)
	}
	if near.Distance[0] != 0 || near.Distance[1] != 0 || !math.IsInf(near.Distance[2], 1) {
		t.Errorf("distances %v", near.Distance)
	}
	defer func() {
		if recover() == nil {
			t.Error("a weight vector has distances")
		}
	}()
	e.Kernel = kernel.Linear{}
	if packed, err = e.Pack(t.Context(), gram.Single); err == nil {
		_ = packed.ValuesNear(t.Context(), [][]float64{make([]float64, 2)}, basis, near)
	}
}
