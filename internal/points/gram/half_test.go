package gram_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
	"lapsvm/points"
)

// draw makes n random rows of d values, about a third of them zero.
func draw(rng *rand.Rand, n, d int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d)
		for j := range rows[i] {
			if rng.IntN(3) > 0 {
				rows[i][j] = rng.NormFloat64()
			}
		}
	}
	return rows
}

func dense(rows [][]float64) *points.Points {
	var values []float64
	for _, row := range rows {
		values = append(values, row...)
	}
	return points.Dense(len(rows), len(rows[0]), values)
}

func sparse(rows [][]float64) *points.Points {
	start, index, value := []int{0}, []int32(nil), []float64(nil)
	for _, row := range rows {
		for j, v := range row {
			if v != 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(index))
	}
	return points.CSR(len(rows[0]), start, index, value)
}

// function is a kernel with its formula on two points, and the size that
// its values have before they cancel.
type function struct {
	k     kernel.Kernel
	naive func(x, y []float64) float64
	scale func(x, y []float64) float64
}

func dot(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += x[k] * y[k]
	}
	return s
}

func functions() []function {
	norms := func(x, y []float64) float64 { return math.Sqrt(dot(x, x) * dot(y, y)) }
	return []function{
		{kernel.Linear{}, dot, norms},
		{kernel.Gaussian{Sigma: 1.5}, func(x, y []float64) float64 {
			s := 0.0
			for k := range x {
				s += (x[k] - y[k]) * (x[k] - y[k])
			}
			return math.Exp(-s / (2 * 1.5 * 1.5))
		}, func(x, y []float64) float64 { return 1 }},
		{kernel.Polynomial{Degree: 3, Gamma: 0.5, Coef0: 1},
			func(x, y []float64) float64 { return math.Pow(0.5*dot(x, y)+1, 3) },
			func(x, y []float64) float64 { return math.Pow(0.5*norms(x, y)+1, 3) }},
	}
}

func half(t *testing.T, p *points.Points, k kernel.Kernel, precision gram.Precision, threads int) *gram.Half {
	t.Helper()
	h, err := gram.NewHalf(parallel.WithLimit(t.Context(), threads), p, k, precision)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func zeros(m, n int) [][]float64 {
	x := make([][]float64, m)
	for c := range x {
		x[c] = make([]float64, n)
	}
	return x
}

// rounding is the relative error of a stored entry.
func rounding(precision gram.Precision) float64 {
	if precision == gram.Double {
		return 1e-13
	}
	return 1e-6 // products and maps are float32 too
}

func TestHalf(t *testing.T) {
	for _, n := range []int{1, 5, 191, 192, 193, 400} {
		rng := rand.New(rand.NewPCG(81, uint64(n)))
		const d = 9
		rows := draw(rng, n, d)
		if n > 1 {
			copy(rows[n-1], rows[0]) // a duplicate
		}
		for c, f := range functions() {
			if n > 5 && c != n%3 {
				continue // one kernel for each of the larger sizes
			}
			want := zeros(n, n)
			for i := range n {
				for j := range i + 1 {
					want[i][j] = f.naive(rows[i], rows[j])
					want[j][i] = want[i][j]
				}
			}
			for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
				for _, precision := range []gram.Precision{gram.Single, gram.Double} {
					what := fmt.Sprintf("n = %d, %v, %s, %d bits", n, f.k, name, precision)
					h := half(t, p, f.k, precision, 2)
					if h.Len() != n || h.Precision() != precision {
						t.Fatalf("%s: %d points in %d bits", what, h.Len(), h.Precision())
					}
					k := zeros(n, n)
					for i := range n {
						h.Row(k[i], i)
					}
					for i := range n {
						for j := range n {
							if !(math.Abs(k[i][j]-want[i][j]) <= rounding(precision)*f.scale(rows[i], rows[j])) {
								t.Fatalf("%s: K[%d,%d] = %v, naively %v", what, i, j, k[i][j], want[i][j])
							}
							if k[i][j] != k[j][i] {
								t.Fatalf("%s: K[%d,%d] = %v, K[%d,%d] = %v", what, i, j, k[i][j], j, i, k[j][i])
							}
						}
						if _, gaussian := f.k.(kernel.Gaussian); gaussian && k[i][i] != 1 {
							t.Errorf("%s: K[%d,%d] = %v, want exactly 1", what, i, i, k[i][i])
						}
					}
					// More and fewer columns in turn: the scratch is kept.
					for _, m := range []int{1, 17, 10, 3} {
						src, dst := draw(rng, m, n), zeros(m, n)
						for c := range dst {
							for i := range dst[c] {
								dst[c][i] = math.NaN()
							}
						}
						kept := slices.Clone(src[0])
						multiply(t, 2, h, dst, src)
						if !slices.Equal(src[0], kept) {
							t.Errorf("%s: Mul changed its source", what)
						}
						for c := range dst {
							for i := range n {
								sum, size := 0.0, 0.0
								for j, v := range k[i] {
									sum += v * src[c][j]
									size += math.Abs(v * src[c][j])
								}
								// Sums are float64, but for several columns of float32.
								tolerance := 1e-15 * float64(n+10)
								if precision == gram.Single && m > 1 {
									tolerance = 2e-5
								}
								if !(math.Abs(dst[c][i]-sum) <= tolerance*size) {
									t.Fatalf("%s, %d columns: (K·x_%d)_%d = %v, naively %v", what, m, c, i, dst[c][i], sum)
								}
							}
						}
					}
				}
			}
		}
	}
}

func TestHalfDoesNotDependOnThreads(t *testing.T) {
	const n = 400
	rng := rand.New(rand.NewPCG(82, 1))
	rows, src := draw(rng, n, 70), draw(rng, 3, n)
	for _, precision := range []gram.Precision{gram.Single, gram.Double} {
		for _, f := range functions() {
			reference := half(t, dense(rows), f.k, precision, 1)
			want := zeros(3, n)
			multiply(t, 1, reference, want, src)
			for _, threads := range []int{0, 2, 3} {
				h := half(t, dense(rows), f.k, precision, threads)
				got, row, rowWant := zeros(3, n), make([]float64, n), make([]float64, n)
				multiply(t, threads, h, got, src)
				for c := range got {
					if !slices.Equal(got[c], want[c]) {
						t.Errorf("%v, %d bits, %d threads: column %d differs from that of one", f.k, precision, threads, c)
					}
				}
				for i := range n {
					h.Row(row, i)
					reference.Row(rowWant, i)
					if !slices.Equal(row, rowWant) {
						t.Fatalf("%v, %d bits, %d threads: row %d differs from that of one", f.k, precision, threads, i)
					}
				}
				// One column alone is the same as among others, but for rounding.
				multiply(t, threads, h, got[:1], src[2:])
				size := math.Max(slices.Max(want[2]), -slices.Min(want[2]))
				tolerance := 1e-12
				if precision == gram.Single {
					tolerance = 1e-6
				}
				if !slices.EqualFunc(got[0], want[2], func(a, b float64) bool { return math.Abs(a-b) <= tolerance*size }) {
					t.Errorf("%v, %d bits, %d threads: column 2 alone differs", f.k, precision, threads)
				}
			}
		}
	}
}

// Points far from the origin give the same Gaussian as near it.
func TestHalfFarFromTheOrigin(t *testing.T) {
	const n, d, offset = 200, 5, 1e8
	rng := rand.New(rand.NewPCG(83, 1))
	near := zeros(n, d)
	far := zeros(n, d)
	for i := range near {
		for j := range near[i] {
			near[i][j] = float64(rng.IntN(64)) / 32 // exact beside the offset
			far[i][j] = near[i][j] + offset
		}
	}
	f := functions()[1]
	h := half(t, dense(far), f.k, gram.Double, 0)
	row := make([]float64, n)
	for i := range n {
		h.Row(row, i)
		for j, v := range row {
			if want := f.naive(near[i], near[j]); !(math.Abs(v-want) <= 1e-13) {
				t.Fatalf("K[%d,%d] = %v, want %v", i, j, v, want)
			}
		}
	}
}

func TestHalfBytes(t *testing.T) {
	for _, c := range []struct {
		n         int
		precision gram.Precision
		want      int64
	}{
		{0, gram.Single, 0},
		{1, gram.Single, 192 * 192 * 4},
		{192, gram.Double, 192 * 192 * 8},
		{193, gram.Double, 3 * 192 * 192 * 8},
		{12000, gram.Single, 63 * 64 / 2 * 192 * 192 * 4},
		{10_000_000, gram.Double, 52084 * 52085 / 2 * 192 * 192 * 8},
	} {
		if got := gram.HalfBytes(c.n, c.precision); got != c.want {
			t.Errorf("%d points in %d bits: %d bytes, want %d", c.n, c.precision, got, c.want)
		}
	}
}

func TestHalfOfNoPoints(t *testing.T) {
	h := half(t, points.Dense(0, 2, nil), kernel.Linear{}, gram.Single, 0)
	multiply(t, 0, h, [][]float64{{}}, [][]float64{{}})
	if h.Len() != 0 {
		t.Errorf("%d points", h.Len())
	}
}

// A matrix that is not finite would end a training with nonsense.
func TestHalfNotFinite(t *testing.T) {
	rows := draw(rand.New(rand.NewPCG(84, 1)), 200, 3)
	rows[197][0] = 1e6
	quartic := kernel.Polynomial{Degree: 4}
	if _, err := gram.NewHalf(t.Context(), dense(rows), quartic, gram.Single); err == nil || !strings.Contains(err.Error(), "point 198") {
		t.Errorf("overflow of float32: error %v, want one about point 198", err)
	}
	if _, err := gram.NewHalf(t.Context(), dense(rows), quartic, gram.Double); err != nil {
		t.Errorf("the same in float64: %v", err)
	}
	rows[3][1] = math.NaN()
	for _, f := range functions() {
		if _, err := gram.NewHalf(t.Context(), sparse(rows), f.k, gram.Double); err == nil || !strings.Contains(err.Error(), "point 4") {
			t.Errorf("%v of NaN: error %v, want one about point 4", f.k, err)
		}
	}
}

// panics checks that call panics with a message of the package.
func panics(t *testing.T, name string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		if text, ok := r.(string); !ok || !strings.HasPrefix(text, "gram: ") {
			t.Errorf("%s: panicked with %v, want a message of the package", name, r)
		}
	}()
	call()
}

func TestHalfPanics(t *testing.T) {
	h := half(t, dense(zeros(3, 2)), kernel.Gaussian{Sigma: 1}, gram.Double, 0)
	for name, call := range map[string]func(){
		"short row":        func() { h.Row(make([]float64, 2), 0) },
		"row n":            func() { h.Row(make([]float64, 3), 3) },
		"row −1":           func() { h.Row(make([]float64, 3), -1) },
		"columns":          func() { _ = h.Mul(t.Context(), zeros(1, 3), zeros(2, 3)) },
		"length of source": func() { _ = h.Mul(t.Context(), zeros(1, 3), zeros(1, 2)) },
		"length of result": func() { _ = h.Mul(t.Context(), zeros(1, 4), zeros(1, 3)) },
	} {
		panics(t, name, call)
	}
}
