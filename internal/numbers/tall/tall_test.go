package tall

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
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

// panels are what multiplies them.
type panels interface {
	Trans(ctx context.Context, width int, dst, x [][]float64)
	Add(ctx context.Context, width int, dst [][]float64, s float64, u [][]float64)
}

func testProducts[T vec.Float](t *testing.T, tolerance float64) {
	for _, width := range []int{8, 16} {
		testProductsOf[T](t, width, tolerance)
	}
}

func testProductsOf[T vec.Float](t *testing.T, width int, tolerance float64) {
	r := rand.New(rand.NewPCG(1, 2))
	one := parallel.WithLimit(context.Background(), 1)
	several := parallel.WithLimit(context.Background(), 3)
	for _, size := range [][2]int{{1, 1}, {7, 3}, {192, 192}, {200, 193}, {1700, 30}, {3100, 5}} {
		n, m := size[0], size[1]
		a, values := filled[T](t, r, n, m)
		var x, u, trans, sum [][]float64
		for range 3 {
			x, u = append(x, normal(r, n*width)), append(u, normal(r, m*width))
		}
		diagonal, gram := normal(r, n), make([]float64, m*m)
		for i := range n {
			diagonal[i] *= diagonal[i]
			for j := range m {
				for k := range m {
					gram[j*m+k] += values[i*m+j] * diagonal[i] * values[i*m+k]
				}
			}
		}
		for p := range x {
			trans, sum = append(trans, make([]float64, m*width)), append(sum, slices.Clone(x[p]))
			for i := range n {
				for j := range m {
					v := values[i*m+j]
					for c := range width {
						trans[p][j*width+c] += v * x[p][i*width+c]
						sum[p][i*width+c] -= 0.5 * v * u[p][j*width+c]
					}
				}
			}
		}
		ways := map[panels]float64{a: tolerance}
		if single, ok := any(a).(*Matrix[float32]); ok {
			ways[NewPrecise(single)] = 1e-11
		}
		for by, tolerance := range ways {
			results := func(ctx context.Context, x, u [][]float64) (down, up [][]float64) {
				for p := range x {
					down, up = append(down, make([]float64, m*width)), append(up, slices.Clone(x[p]))
				}
				by.Trans(ctx, width, down, x)
				by.Add(ctx, width, up, -0.5, u)
				return down, up
			}
			down, up := results(one, x, u)
			downAgain, upAgain := results(several, x, u)
			for p := range x {
				near(t, "Aᵀx", down[p], trans[p], tolerance*math.Sqrt(float64(n)))
				near(t, "x − Au/2", up[p], sum[p], tolerance*math.Sqrt(float64(m)))
				downAlone, upAlone := results(one, x[p:p+1], u[p:p+1])
				if !slices.Equal(down[p], downAgain[p]) || !slices.Equal(up[p], upAgain[p]) {
					t.Errorf("%T, %d×%d, width %d: other bits on other threads", by, n, m, width)
				}
				if !slices.Equal(down[p], downAlone[0]) || !slices.Equal(up[p], upAlone[0]) {
					t.Errorf("%T, %d×%d, width %d: other bits of a panel alone", by, n, m, width)
				}
			}
		}
		products, err := Products[T](several, a, diagonal)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "AᵀDA", products.Data, gram, 4*tolerance*math.Sqrt(float64(n)))
		// Panels are columns of the matrix, and set them.
		panel := normal(r, n*width)
		for from := 0; from < m; from += width {
			a.Panel(one, width, panel, from)
			for i := range n {
				for c := range width {
					want := 0.0
					if from+c < m {
						want = values[i*m+from+c]
					}
					if panel[i*width+c] != want {
						t.Fatalf("column %d of row %d is %v, want %v", from+c, i, panel[i*width+c], want)
					}
				}
			}
			for i := range panel {
				panel[i] *= 2
			}
			a.SetPanel(one, width, panel, from)
		}
		for i, v := range a.Rows(0, n) {
			if float64(v) != 2*values[i] {
				t.Fatalf("element %d is %v after it was doubled, before %v", i, v, values[i])
			}
		}
		a.Close()
	}
}
