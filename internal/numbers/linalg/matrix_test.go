package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sizes are all small ones and those around the edges of blocks.
func sizes() []int {
	var all []int
	for n := range 71 {
		all = append(all, n)
	}
	return append(all, 96, 97, 128, 129, 193, 260)
}

func random(r *rand.Rand, rows, cols int) Matrix {
	// Rows lie apart, with something between them that must not count.
	a := Matrix{Rows: rows, Cols: cols, Stride: cols + 3, Data: make([]float64, rows*(cols+3))}
	for i := range a.Data {
		a.Data[i] = r.NormFloat64()
	}
	return a
}

func clone(a Matrix) Matrix {
	a.Data = slices.Clone(a.Data)
	return a
}

func (a Matrix) at(i, j int) float64 {
	if a.transposed {
		i, j = j, i
	}
	return a.Data[i*a.Stride+j]
}

// product is A·B, naively.
func product(a, b Matrix) Matrix {
	c := New(a.Rows, b.Cols)
	for i := range a.Rows {
		for k := range a.Cols {
			v := a.at(i, k)
			for j := range b.Cols {
				c.Data[i*c.Stride+j] += v * b.at(k, j)
			}
		}
	}
	return c
}

// distance is ‖A − B‖ over the norm of A, in Frobenius' norm.
func distance(a, b Matrix) float64 {
	if a.Rows != b.Rows || a.Cols != b.Cols {
		return math.Inf(1)
	}
	sum, all := 0.0, 0.0
	for i := range a.Rows {
		for j := range a.Cols {
			d := a.at(i, j) - b.at(i, j)
			sum += d * d
			all += a.at(i, j) * a.at(i, j)
		}
	}
	return math.Sqrt(sum) / math.Max(math.Sqrt(all), 1e-300)
}

func vectorOf(x []float64) Matrix { return FromSlice(len(x), 1, x) }

// upper and lower are copies of a triangle, zeros elsewhere.
func upper(a Matrix) Matrix {
	u := New(a.Rows, a.Cols)
	for i := range a.Rows {
		for j := i; j < a.Cols; j++ {
			u.Data[i*u.Stride+j] = a.at(i, j)
		}
	}
	return u
}

func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 150 {
		m, n, k := r.IntN(80), r.IntN(80), r.IntN(80)
		a, b, c := random(r, m, k), random(r, k, n), random(r, m, n)
		if r.IntN(2) == 0 {
			a = random(r, k, m).T()
		}
		if r.IntN(2) == 0 {
			b = random(r, n, k).T()
		}
		want := product(a, b)
		for i := range m {
			for j := range n {
				want.Data[i*n+j] = 2*want.Data[i*n+j] - c.at(i, j)
			}
		}
		if err := Gemm(t.Context(), 2, a, b, -1, c); err != nil {
			t.Fatal(err)
		}
		if d := distance(want, c); !(d <= 1e-13) {
			t.Fatalf("Gemm %d×%d×%d: differs by %.1e", m, n, k, d)
		}
		x := make([]float64, k)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		y := make([]float64, m)
		MulVec(t.Context(), y, a, x)
		if d := distance(product(a, vectorOf(x)), vectorOf(y)); !(d <= 1e-13) {
			t.Fatalf("MulVec %d×%d: differs by %.1e", m, k, d)
		}
		s := New(m, m)
		if err := Syrk(t.Context(), 1, a, 0, s); err != nil {
			t.Fatal(err)
		}
		if d := distance(upper(product(a, a.T())), s); !(d <= 1e-13) {
			t.Fatalf("Syrk %d×%d: differs by %.1e", m, k, d)
		}
		if err := Gemmt(t.Context(), 1, a, a.T(), 0, s); err != nil {
			t.Fatal(err)
		}
		if d := distance(upper(product(a, a.T())), s); !(d <= 1e-13) {
			t.Fatalf("Gemmt %d×%d: differs by %.1e", m, k, d)
		}
		Mirror(t.Context(), s)
		if d := distance(s, s.T()); d != 0 {
			t.Fatalf("Mirror of %d rows: differs from its transpose by %g", m, d)
		}
	}
}

// column is a copy of column j.
func (a Matrix) column(j int) Matrix {
	c := New(a.Rows, 1)
	for i := range a.Rows {
		c.Data[i] = a.at(i, j)
	}
	return c
}

func distanceFromZero(a Matrix) float64 {
	sum := 0.0
	for i := range a.Rows {
		for j := range a.Cols {
			sum += a.at(i, j) * a.at(i, j)
		}
	}
	return math.Sqrt(sum)
}

func TestPanics(t *testing.T) {
	a, b := New(2, 3), New(3, 3)
	for name, call := range map[string]func(){
		"short":           func() { FromSlice(2, 3, make([]float64, 5)) },
		"block":           func() { a.Block(1, 2, 0, 1) },
		"row":             func() { a.T().Row(0) },
		"Gemm":            func() { _ = Gemm(t.Context(), 1, b, a, 0, New(3, 3)) },
		"Gemm transposed": func() { _ = Gemm(t.Context(), 1, b, b, 0, New(3, 3).T()) },
		"Syrk":            func() { _ = Syrk(t.Context(), 1, a, 0, b) },
		"Symm":            func() { _ = Symm(t.Context(), b, b, New(2, 3)) },
		"MulVec":          func() { MulVec(t.Context(), make([]float64, 2), b, make([]float64, 3)) },
		"SolveUpper":      func() { _ = SolveUpper(t.Context(), b, a) },
		"Cholesky":        func() { _, _ = Cholesky(t.Context(), a) },
		"CholeskySolve":   func() { CholeskySolve(b, make([]float64, 2)) },
		"PivotedCholesky": func() { _, _, _ = PivotedCholesky(t.Context(), a, 0) },
		"LU":              func() { _, _, _ = LU(t.Context(), a) },
		"LUSolve":         func() { LUSolve(b, make([]int, 2), make([]float64, 3)) },
		"LQ":              func() { _, _ = LQ(t.Context(), New(3, 2), New(3, 2)) },
		"BandSolve":       func() { BandSolve(a, b) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

// GemmtUpper is the upper half of the whole product, whatever stood there and stands below,
// for squares and trapezoids around its depth.
func TestGemmtUpper(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for _, size := range [][2]int{{1, 1}, {5, 9}, {upperDepth, upperDepth}, {upperDepth - 1, upperDepth + 1}, {150, 400}, {300, 301}} {
		n, k := size[0], size[1]
		a, u, c := New(n, k), New(n, k), New(n, n)
		for i := range n {
			for j := range k {
				a.Row(i)[j] = r.NormFloat64()
				if j >= i {
					u.Row(i)[j] = r.NormFloat64()
				}
			}
			for j := range n {
				c.Row(i)[j] = math.NaN()
			}
		}
		if err := GemmtUpper(t.Context(), a, u, c); err != nil {
			t.Fatal(err)
		}
		want := product(a, u.T())
		for i := range n {
			for j := range n {
				if v := c.Row(i)[j]; j >= i && !(math.Abs(v-want.Row(i)[j]) <= 1e-13*float64(k)) || j < i && !math.IsNaN(v) {
					t.Fatalf("%d×%d: %v at %d, %d, want %v", n, k, v, i, j, want.Row(i)[j])
				}
			}
		}
	}
}

// GemmUpper is the whole product, for trapezoids around its columns.
func TestGemmUpper(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	for _, size := range [][2]int{{1, 1}, {5, 9}, {upperColumns, upperColumns}, {upperColumns - 1, upperColumns + 1}, {150, 400}, {300, 301}} {
		k, n := size[0], size[1]
		for _, a := range []Matrix{random(r, 7, k), random(r, k, 7).T()} {
			u, c := random(r, k, n), New(7, n)
			for i := range k {
				clear(u.Row(i)[:i])
			}
			for i := range c.Data {
				c.Data[i] = math.NaN()
			}
			if err := GemmUpper(t.Context(), a, u, c); err != nil {
				t.Fatal(err)
			}
			if d := distance(product(a, u), c); !(d <= 1e-13) {
				t.Errorf("%d×%d: differs by %.1e", k, n, d)
			}
		}
	}
}
