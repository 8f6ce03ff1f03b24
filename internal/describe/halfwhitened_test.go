package describe

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/points"
)

// times returns the product of two square matrices.
func times(a, b [][]float64) [][]float64 {
	c := make([][]float64, len(a))
	for i := range c {
		c[i] = make([]float64, len(a))
		for j := range c[i] {
			for k := range a {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

// The matrix W of the description is a multiple of S^(−¼): W⁴·S is a multiple of the unit matrix, with the covariance S shrunk by the formula of Ledoit and Wolf.
func TestHalfWhitened(t *testing.T) {
	const n, d = 60, 5
	random := rand.New(rand.NewPCG(7, 7))
	rows := make([]float64, 0, n*d)
	for range n {
		common := random.NormFloat64()
		for j := range d {
			rows = append(rows, 100+float64(j+1)*(common+0.3*random.NormFloat64()))
		}
	}
	p := points.Dense(n, d, rows)
	by, err := LearnAlone(t.Context(), HalfWhitened, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	mean, s := make([]float64, d), make([][]float64, d)
	for i := range n {
		for j := range d {
			mean[j] += rows[i*d+j] / n
		}
	}
	at := func(i, j int) float64 { return rows[i*d+j] - mean[j] }
	trace, apart, spread := 0.0, 0.0, 0.0
	for j := range d {
		s[j] = make([]float64, d)
		for k := range d {
			for i := range n {
				s[j][k] += at(i, j) * at(i, k) / n
			}
		}
		trace += s[j][j] / d
	}
	for j := range d {
		for k := range d {
			own := 0.0
			if j == k {
				own = trace
			}
			apart += (s[j][k] - own) * (s[j][k] - own)
			for i := range n {
				spread += math.Pow(at(i, j)*at(i, k)-s[j][k], 2) / (n * n)
			}
		}
	}
	rho := min(1, spread/apart)
	for j := range d {
		for k := range d {
			if s[j][k] *= 1 - rho; j == k {
				s[j][k] += rho * trace
			}
		}
	}
	w := make([][]float64, d)
	for j := range d {
		for _, v := range by.Parts[0].Components[j*d : (j+1)*d] {
			w[j] = append(w[j], float64(v))
		}
	}
	unit := times(times(times(w, w), times(w, w)), s)
	for j := range d {
		for k := range d {
			want := 0.0
			if j == k {
				want = 1
			}
			if got := unit[j][k] / unit[0][0]; !(math.Abs(got-want) < 1e-4) {
				t.Errorf("W⁴S has %v at %d, %d, want %v", got, j, k, want)
			}
		}
	}
	described, err := by.Apply(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	squares := 0.0
	for _, v := range described.Squares() {
		squares += v / n
	}
	if !(math.Abs(squares-1) < 1e-5) {
		t.Errorf("the mean square norm is %v", squares)
	}
	for name, other := range map[string]*points.Points{"equal rows": points.Dense(3, 2, make([]float64, 6)), "one row": points.Dense(1, 2, []float64{1, 2}),
		"too many columns": points.Dense(2, mostWhitened+1, make([]float64, 2*(mostWhitened+1)))} {
		if _, err := LearnAlone(t.Context(), HalfWhitened, other, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
