package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/internal/testing/detector"
)

// definite draws a symmetric positive definite matrix whose eigenvalues range
// over about the given orders of magnitude.
func definite(r *rand.Rand, n int, orders float64) Matrix {
	root := random(r, n, n)
	for i := range n {
		for j := range n {
			root.Data[i*root.Stride+j] *= math.Pow(10, -orders/2*float64(i)/math.Max(float64(n-1), 1))
		}
	}
	a := product(root.T(), root)
	for i := range n {
		a.Data[i*a.Stride+i] += math.Pow(10, -orders)
	}
	return a
}

func TestCholesky(t *testing.T) {
	detector.Spare(t)
	r := rand.New(rand.NewPCG(2, 1))
	for _, n := range append(sizes(), choleskyBase+50) {
		for _, orders := range []float64{0, 10} {
			a := definite(r, n, orders)
			u := clone(a)
			if ok, err := Cholesky(t.Context(), u); !ok || err != nil {
				t.Fatalf("n = %d, 10^%g: %v, %v", n, orders, ok, err)
			}
			for i := range n {
				for j := range i {
					if u.at(i, j) != a.at(i, j) {
						t.Fatalf("n = %d: the lower half changed", n)
					}
				}
			}
			if d := distance(a, product(upper(u).T(), upper(u))); !(d <= 1e-14) {
				t.Errorf("n = %d, 10^%g: UᵀU differs by %.1e", n, orders, d)
			}
			x, b := random(r, n, 1).column(0), New(n, 1)
			copy(b.Data, x.Data)
			CholeskySolve(u, b.Data)
			if d := distance(x, product(a, b)) * Norm(x.Data) / math.Max(math.Sqrt(float64(n))*Norm(b.Data)*distanceFromZero(a), 1e-300); !(d <= 1e-14) {
				t.Errorf("n = %d, 10^%g: the residual of CholeskySolve is %.1e", n, orders, d)
			}
			inverse, err := CholeskyInverse(t.Context(), u)
			if err != nil {
				t.Fatal(err)
			}
			if d := distance(inverse, inverse.T()); d != 0 {
				t.Errorf("n = %d: the inverse is not symmetric, by %g", n, d)
			}
			identity := New(n, n)
			for i := range n {
				identity.Data[i*identity.Stride+i] = 1
			}
			got := product(a, inverse)
			for i := range identity.Data {
				got.Data[i] -= identity.Data[i]
			}
			if d := distanceFromZero(got) / math.Max(distanceFromZero(a)*distanceFromZero(inverse), 1e-300); !(d <= 1e-14) {
				t.Errorf("n = %d, 10^%g: the residual of the inverse is %.1e", n, orders, d)
			}
		}
	}
}

func TestCholeskyOfIndefinite(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, 2, 30, 64, 65, 128, 129, 200} {
		for _, place := range []int{0, n / 2, n - 1} {
			for _, value := range []float64{-1, 0, math.NaN(), math.Inf(1)} {
				a := definite(r, n, 0)
				a.Data[place*a.Stride+place] = value
				if ok, err := Cholesky(t.Context(), a); ok || err != nil {
					t.Errorf("n = %d with %g at %d: %v, %v", n, value, place, ok, err)
				}
			}
		}
	}
}
