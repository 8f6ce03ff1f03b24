package graph

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/numbers/vec"
)

// A panel has the bits of its columns, whatever its width.
func TestMulPanel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for degree := 1; degree <= 4; degree++ {
		width := []int{4, 8, 12, 16}[degree-1]
		l := ring(r, 700, degree)
		src, dst := make([][]float64, width), make([][]float64, width)
		panel, out := make([]float64, 700*width), make([]float64, 700*width)
		for c := range src {
			src[c], dst[c] = make([]float64, 700), make([]float64, 700)
			for i := range src[c] {
				src[c][i] = r.NormFloat64()
				panel[i*width+c] = src[c][i]
			}
		}
		if err := l.Mul(t.Context(), dst, src); err != nil {
			t.Fatal(err)
		}
		l.MulPanel(t.Context(), width, out, panel)
		for c := range dst {
			for i, v := range dst[c] {
				if out[i*width+c] != v {
					t.Fatalf("degree %d: column %d of row %d is %v, want %v", degree, c, i, out[i*width+c], v)
				}
			}
		}
	}
}

// ring is the Laplacian of points on a ring with a few chords.
func ring(r *rand.Rand, n, degree int) *Laplacian {
	rows := make([]map[int32]float64, n)
	for i := range rows {
		rows[i] = make(map[int32]float64)
	}
	join := func(i, j int) {
		if _, joined := rows[i][int32(j)]; i != j && !joined {
			v := 0.1 + r.Float64()
			rows[i][int32(j)], rows[j][int32(i)] = v, v
		}
	}
	for i := range n {
		join(i, (i+1)%n)
		join(i, r.IntN(n))
	}
	w := &Adjacency{Start: []int{0}}
	for _, row := range rows {
		for _, j := range slices.Sorted(maps.Keys(row)) {
			w.Index, w.Weight = append(w.Index, j), append(w.Weight, row[j])
		}
		w.Start = append(w.Start, len(w.Index))
	}
	return NewLaplacian(w, false, degree)
}

// A polynomial of the Laplacian is the sum of Chebyshev polynomials, each by its
// recurrence in double precision. A column has the same bits in panels of either width.
func TestPolynomial(t *testing.T) {
	const n = 300
	r := rand.New(rand.NewPCG(7, 8))
	l := ring(r, n, 3)
	coefficients := []float64{0.5, -1, 0.25, 2, -0.125}
	const bound = 2.0
	q := l.Once().Polynomial(coefficients, bound)
	const width = vec.MaxPanel
	x, got := make([]float32, n*width), make([]float32, n*width)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	q.Mul(t.Context(), width, got, x)
	const narrow = 8
	some, few := make([]float32, n*narrow), make([]float32, n*narrow)
	for i := range n {
		copy(some[i*narrow:(i+1)*narrow], x[i*width+5:])
	}
	q.Mul(t.Context(), narrow, few, some)
	for i := range n {
		if !slices.Equal(few[i*narrow:(i+1)*narrow], got[i*width+5:][:narrow]) {
			t.Fatalf("row %d has other bits in a panel of %d columns", i, narrow)
		}
	}
	once := l.Once()
	for c := range width {
		before := make([]float64, n) // T₀x
		for i := range before {
			before[i] = float64(x[i*width+c])
		}
		shifted := func(v []float64) []float64 { // (2L/λ − I)v
			out := [][]float64{make([]float64, n)}
			if err := once.Mul(t.Context(), out, [][]float64{v}); err != nil {
				t.Fatal(err)
			}
			for i := range v {
				out[0][i] = 2/bound*out[0][i] - v[i]
			}
			return out[0]
		}
		now := shifted(before) // T₁x
		want := make([]float64, n)
		for i := range want {
			want[i] = coefficients[0]*before[i] + coefficients[1]*now[i]
		}
		for _, a := range coefficients[2:] {
			next := shifted(now)
			for i := range next {
				next[i] = 2*next[i] - before[i]
				want[i] += a * next[i]
			}
			before, now = now, next
		}
		for i, v := range want {
			if !(math.Abs(float64(got[i*width+c])-v) <= 1e-4) {
				t.Fatalf("column %d of row %d is %v, want %v", c, i, got[i*width+c], v)
			}
		}
	}
}

// In another order the Laplacian is the same operator on points that were moved.
func TestOrdered(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(9, 10))
	l := ring(r, n, 2)
	order := make([]int32, n)
	for k, i := range r.Perm(n) {
		order[k] = int32(i)
	}
	x, y := [][]float64{make([]float64, n)}, [][]float64{make([]float64, n)}
	moved, got := [][]float64{make([]float64, n)}, [][]float64{make([]float64, n)}
	for i := range x[0] {
		x[0][i] = r.NormFloat64()
	}
	for k, i := range order {
		moved[0][k] = x[0][i]
	}
	if err := l.Mul(t.Context(), y, x); err != nil {
		t.Fatal(err)
	}
	o := l.Ordered(order)
	if err := o.Mul(t.Context(), got, moved); err != nil {
		t.Fatal(err)
	}
	for k, i := range order {
		if !(math.Abs(got[0][k]-y[0][i]) <= 1e-13) {
			t.Fatalf("point %d: %v, want %v", i, got[0][k], y[0][i])
		}
	}
	if math.Abs(o.MeanDiagonal()-l.MeanDiagonal()) > 1e-13 || o.Degree() != 2 {
		t.Errorf("mean diagonal %v of %v, degree %d", o.MeanDiagonal(), l.MeanDiagonal(), o.Degree())
	}
}
