package tall

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
)

// filled returns a matrix of normal numbers, and them in float64.
func filled[T vec.Float](t *testing.T, r *rand.Rand, n, m int) (*Matrix[T], []float64) {
	a, err := New[T](n, m)
	if err != nil {
		t.Fatal(err)
	}
	wide := make([]float64, n*m)
	for i, values := 0, a.Rows(0, n); i < len(values); i++ {
		values[i] = T(r.NormFloat64())
		wide[i] = float64(values[i])
	}
	return a, wide
}

func normal(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// near compares sums of products of numbers about 1.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= tolerance) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], v)
		}
	}
}

// Products are those of the formulas, evaluated term by term, and do not depend on the
// threads.
func TestProducts(t *testing.T) {
	t.Run("float32", func(t *testing.T) { testProducts[float32](t, 2e-4) })
	t.Run("float64", func(t *testing.T) { testProducts[float64](t, 1e-11) })
}

func testProducts[T vec.Float](t *testing.T, tolerance float64) {
	r := rand.New(rand.NewPCG(1, 2))
	one := parallel.WithLimit(context.Background(), 1)
	several := parallel.WithLimit(context.Background(), 3)
	for _, size := range [][2]int{{1, 1}, {7, 3}, {192, 192}, {200, 193}, {1700, 30}, {3100, 5}} {
		n, m := size[0], size[1]
		a, values := filled[T](t, r, n, m)
		x, u, diagonal := normal(r, n*Width), normal(r, m*Width), normal(r, n)
		for i := range diagonal {
			diagonal[i] *= diagonal[i]
		}
		trans, sum, gram := make([]float64, m*Width), slices.Clone(x), make([]float64, m*m)
		for i := range n {
			for j := range m {
				v := values[i*m+j]
				for c := range Width {
					trans[j*Width+c] += v * x[i*Width+c]
					sum[i*Width+c] -= 0.5 * v * u[j*Width+c]
				}
				for k := range m {
					gram[j*m+k] += v * diagonal[i] * values[i*m+k]
				}
			}
		}
		got := make([]float64, m*Width)
		a.Trans(one, got, x)
		near(t, "Aᵀx", got, trans, tolerance*math.Sqrt(float64(n)))
		again := make([]float64, m*Width)
		a.Trans(several, again, x)
		added, more := slices.Clone(x), slices.Clone(x)
		a.Add(one, added, -0.5, u)
		a.Add(several, more, -0.5, u)
		near(t, "x − Au/2", added, sum, tolerance*math.Sqrt(float64(m)))
		if !slices.Equal(got, again) || !slices.Equal(added, more) {
			t.Errorf("%d×%d: other bits on other threads", n, m)
		}
		products, err := a.Products(several, diagonal)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "AᵀDA", products.Data, gram, 4*tolerance*math.Sqrt(float64(n)))
		// Panels are columns of the matrix, and set them.
		panel := normal(r, n*Width)
		for from := 0; from < m; from += Width {
			a.Panel(one, panel, from)
			for i := range n {
				for c := range Width {
					want := 0.0
					if from+c < m {
						want = values[i*m+from+c]
					}
					if panel[i*Width+c] != want {
						t.Fatalf("column %d of row %d is %v, want %v", from+c, i, panel[i*Width+c], want)
					}
				}
			}
			for i := range panel {
				panel[i] *= 2
			}
			a.SetPanel(one, panel, from)
		}
		for i, v := range a.Rows(0, n) {
			if float64(v) != 2*values[i] {
				t.Fatalf("element %d is %v after it was doubled, before %v", i, v, values[i])
			}
		}
		a.Close()
	}
}
