package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lapsvm/internal/parallel"
)

// sizes are all small ones and those around the edges of blocks.
func sizes() []int {
	var all []int
	for n := range 71 {
		all = append(all, n)
	}
	return append(all, 95, 96, 97, 127, 128, 129, 130, 191, 193, 200, 257, 300)
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

func vectorOf(x []float64) Matrix { return Of(len(x), 1, x) }

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

func unitLower(a Matrix) Matrix {
	l := New(a.Rows, a.Cols)
	for i := range a.Rows {
		for j := range i {
			l.Data[i*l.Stride+j] = a.at(i, j)
		}
		l.Data[i*l.Stride+i] = 1
	}
	return l
}

// definite draws a symmetric positive definite matrix whose eigenvalues range
// over so many orders of magnitude, about.
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
		other, s := random(r, m, k), New(m, m)
		if a.transposed {
			other = random(r, k, m).T()
		}
		if err := Syrk(t.Context(), 1, a, 0, s); err != nil {
			t.Fatal(err)
		}
		if d := distance(upper(product(a, a.T())), s); !(d <= 1e-13) {
			t.Fatalf("Syrk %d×%d: differs by %.1e", m, k, d)
		}
		if err := Syr2k(t.Context(), 1, a, other, 0, s); err != nil {
			t.Fatal(err)
		}
		want = product(a, other.T())
		for i := range m {
			for j := i; j < m; j++ {
				want.Data[i*m+j] += product(a.T().column(j).T(), other.T().column(i)).at(0, 0)
			}
		}
		if d := distance(upper(want), s); !(d <= 1e-13) {
			t.Fatalf("Syr2k %d×%d: differs by %.1e", m, k, d)
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

func TestCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, n := range sizes() {
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

func distanceFromZero(a Matrix) float64 {
	sum := 0.0
	for i := range a.Rows {
		for j := range a.Cols {
			sum += a.at(i, j) * a.at(i, j)
		}
	}
	return math.Sqrt(sum)
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

// Full and deficient rank, equal and very different diagonals.
func TestPivotedCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range sizes() {
		for _, rank := range slices.Compact([]int{0, min(1, n), n / 3, n / 2, max(0, n-1), n}) {
			c := random(r, n, rank)
			for i := range n {
				for j := range rank {
					c.Data[i*c.Stride+j] *= math.Pow(10, float64(i%4)-2)
				}
			}
			a := product(c, c.T())
			largest := 0.0
			for i := range n {
				largest = max(largest, a.at(i, i))
			}
			u := clone(a)
			order, got, err := PivotedCholesky(t.Context(), u, 1e-13*largest)
			if err != nil {
				t.Fatal(err)
			}
			if got > rank || rank > 0 && got == 0 || rank <= n/2 && got != rank {
				t.Errorf("n = %d of rank %d: found rank %d", n, rank, got)
				continue
			}
			sorted := slices.Clone(order)
			slices.Sort(sorted)
			for i, v := range sorted {
				if i != v {
					t.Fatalf("n = %d: %v is no permutation", n, order)
				}
			}
			factor := upper(u).Block(0, got, 0, n)
			permuted := New(n, n)
			for i := range n {
				for j := range n {
					permuted.Data[i*permuted.Stride+j] = a.at(order[i], order[j])
				}
			}
			if d := distance(permuted, product(factor.T(), factor)); !(d <= 1e-12) {
				t.Errorf("n = %d of rank %d: UᵀU differs by %.1e", n, rank, d)
			}
			for i := 1; i < got; i++ {
				if u.at(i, i) > u.at(i-1, i-1)*(1+1e-7) {
					t.Errorf("n = %d of rank %d: pivot %d is %g after %g", n, rank, i, u.at(i, i), u.at(i-1, i-1))
				}
			}
		}
	}
}

// The naive algorithm chooses the same pivots where they differ by more than
// rounding.
func TestPivots(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, n := range []int{5, 64, 65, 150} {
		a := definite(r, n, 3)
		left, want := clone(a), []int(nil)
		taken := make([]bool, n)
		for range n {
			p := -1
			for i := range n {
				if !taken[i] && (p < 0 || left.at(i, i) > left.at(p, p)) {
					p = i
				}
			}
			taken[p] = true
			want = append(want, p)
			row := slices.Clone(left.Row(p))
			for i := range n {
				for j := range n {
					left.Data[i*left.Stride+j] -= row[i] * row[j] / row[p]
				}
			}
		}
		order, rank, err := PivotedCholesky(t.Context(), a, 0)
		if err != nil || rank != n || !slices.Equal(order, want) {
			t.Errorf("n = %d: rank %d, error %v, pivots %v, want %v", n, rank, err, order, want)
		}
	}
	for _, v := range []float64{0, -1, math.NaN()} {
		if _, rank, err := PivotedCholesky(t.Context(), Of(1, 1, []float64{v}), 0); rank != 0 || err != nil {
			t.Errorf("rank of (%g) is %d, error %v", v, rank, err)
		}
	}
}

func TestLU(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, n := range sizes() {
		for _, orders := range []float64{0, 12} {
			a := random(r, n, n)
			for i := range n {
				for j := range n {
					a.Data[i*a.Stride+j] *= math.Pow(10, -orders*float64(j)/math.Max(float64(n), 1))
				}
			}
			lu := clone(a)
			swaps, ok, err := LU(t.Context(), lu)
			if !ok || err != nil {
				t.Fatalf("n = %d: %v, %v", n, ok, err)
			}
			permuted := clone(a)
			for i, other := range swaps {
				if other != i {
					exchangeRows(permuted.Row(i), permuted.Row(other))
				}
			}
			if d := distance(permuted, product(unitLower(lu), upper(lu))); !(d <= 1e-14) {
				t.Errorf("n = %d, 10^%g: LU differs by %.1e", n, orders, d)
			}
			for i := range n {
				for j := range i {
					if math.Abs(lu.at(i, j)) > 1 {
						t.Fatalf("n = %d: a multiplier is %g", n, lu.at(i, j))
					}
				}
			}
			b := random(r, n, 1).column(0)
			for _, m := range []struct{ a, lu Matrix }{{a, lu}, {a.T(), lu.T()}} {
				x := slices.Clone(b.Data)
				LUSolve(m.lu, swaps, x)
				residual := distance(b, product(m.a, vectorOf(x))) * Norm(b.Data)
				if bound := math.Max(distanceFromZero(a)*Norm(x), 1e-300); !(residual/bound <= 1e-13) {
					t.Errorf("n = %d, 10^%g, transposed %v: the residual is %.1e", n, orders, m.a.transposed, residual/bound)
				}
			}
		}
	}
}

func TestLUOfSingular(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{1, 2, 8, 9, 64, 65, 130} {
		for _, column := range []int{0, n / 2, n - 1} {
			a := random(r, n, n)
			for i := range n {
				a.Data[i*a.Stride+column] = 0
			}
			if _, ok, err := LU(t.Context(), a); ok || err != nil {
				t.Errorf("n = %d without column %d: %v, %v", n, column, ok, err)
			}
		}
	}
	if _, ok, _ := LU(t.Context(), Of(1, 1, []float64{math.NaN()})); ok {
		t.Error("NaN is a pivot")
	}
}

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
			if err := Reflect(t.Context(), v, tt, h); err != nil {
				t.Fatal(err)
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

func TestBandSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, n := range []int{0, 1, 2, 7, 33, 70} {
		for _, width := range []int{0, 1, 5, 32, 90} {
			for _, cols := range []int{0, 1, 3, 33} {
				band, whole := random(r, n, width+1), New(n, n)
				for i := range n {
					band.Row(i)[width] = 3 + r.Float64() + float64(width)/4
					for j := max(0, i-width); j <= i; j++ {
						whole.Data[i*whole.Stride+j] = band.at(i, width-i+j)
					}
				}
				b := random(r, n, cols)
				x := clone(b)
				BandSolve(band, x)
				a := product(whole, whole.T())
				if d := distance(b, product(a, x)); !(d <= 1e-11) && n*cols > 0 {
					t.Errorf("n = %d, width %d, %d columns: the residual is %.1e", n, width, cols, d)
				}
			}
		}
	}
}

// work is every function on matrices of a size that several goroutines share; it
// returns all results.
func work(ctx context.Context) ([]float64, error) {
	r := rand.New(rand.NewPCG(10, 1))
	const n = 420
	var results []float64
	a := definite(r, n, 2)
	u := clone(a)
	if _, err := Cholesky(ctx, u); err != nil {
		return nil, err
	}
	inverse, err := CholeskyInverse(ctx, u)
	if err != nil {
		return nil, err
	}
	p := clone(a)
	order, rank, err := PivotedCholesky(ctx, p, 0)
	if err != nil {
		return nil, err
	}
	lu := random(r, n, n)
	swaps, _, err := LU(ctx, lu)
	if err != nil {
		return nil, err
	}
	rows, v := random(r, 100, n), New(100, n)
	t, err := LQ(ctx, rows, v)
	if err != nil {
		return nil, err
	}
	x := random(r, n, 70)
	if err := Reflect(ctx, v, t, x); err != nil {
		return nil, err
	}
	y := make([]float64, n)
	MulVec(ctx, y, a, y)
	for _, m := range []Matrix{u, inverse, p, lu, rows, v, t, x} {
		results = append(results, m.Data...)
	}
	results = append(results, y...)
	for _, i := range append(append(order, rank), swaps...) {
		results = append(results, float64(i))
	}
	return results, nil
}

func TestThreadsDoNotMatter(t *testing.T) {
	var first []float64
	for _, threads := range []int{1, 2, 3, 8} {
		results, err := work(parallel.WithLimit(t.Context(), threads))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = results
		}
		if !slices.Equal(results, first) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
}

// dying is a context that is done once it has been asked so many times.
type dying struct {
	context.Context
	left *int
}

func (d dying) Err() error {
	if *d.left--; *d.left < 0 {
		return context.Canceled
	}
	return nil
}

// However early or late the context ends, the error is its own, and little work
// follows.
func TestCancelled(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	const n = 300
	a, b := definite(r, n, 1), random(r, n, n)
	for name, call := range map[string]func(context.Context) error{
		"Gemm":       func(ctx context.Context) error { return Gemm(ctx, 1, a, b, 0, New(n, n)) },
		"Syrk":       func(ctx context.Context) error { return Syrk(ctx, 1, b, 0, New(n, n)) },
		"Syr2k":      func(ctx context.Context) error { return Syr2k(ctx, 1, a, b, 0, New(n, n)) },
		"SolveUpper": func(ctx context.Context) error { return SolveUpper(ctx, a, clone(b)) },
		"Cholesky":   func(ctx context.Context) error { _, err := Cholesky(ctx, clone(a)); return err },
		"CholeskyInverse": func(ctx context.Context) error {
			_, err := CholeskyInverse(ctx, a)
			return err
		},
		"PivotedCholesky": func(ctx context.Context) error { _, _, err := PivotedCholesky(ctx, clone(a), 0); return err },
		"LU":              func(ctx context.Context) error { _, _, err := LU(ctx, clone(b)); return err },
		"LQ": func(ctx context.Context) error {
			_, err := LQ(ctx, clone(b).Block(0, 100, 0, n), New(100, n))
			return err
		},
		"Reflect": func(ctx context.Context) error {
			return Reflect(ctx, random(r, 40, n), New(40, 40), clone(b))
		},
	} {
		asked := 1 << 30
		if err := call(dying{parallel.WithLimit(t.Context(), 1), &asked}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		total := 1<<30 - asked
		for _, after := range []int{0, 1, total / 2, total - 1} {
			left := after
			if err := call(dying{parallel.WithLimit(t.Context(), 1), &left}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v where the context ends at question %d of %d", name, err, after, total)
			}
			if -left > 40 {
				t.Errorf("%s: asks %d times more after the end", name, -left)
			}
		}
	}
}

func TestPanics(t *testing.T) {
	a, b := New(2, 3), New(3, 3)
	for name, call := range map[string]func(){
		"short":           func() { Of(2, 3, make([]float64, 5)) },
		"block":           func() { a.Block(1, 2, 0, 1) },
		"row":             func() { a.T().Row(0) },
		"Gemm":            func() { _ = Gemm(t.Context(), 1, b, a, 0, New(3, 3)) },
		"Gemm transposed": func() { _ = Gemm(t.Context(), 1, b, b, 0, New(3, 3).T()) },
		"Syrk":            func() { _ = Syrk(t.Context(), 1, a, 0, b) },
		"Syr2k":           func() { _ = Syr2k(t.Context(), 1, a, a.T(), 0, New(2, 2)) },
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

func BenchmarkFactorizations(b *testing.B) {
	for _, n := range []int{500, 1500, 3000} {
		r := rand.New(rand.NewPCG(12, 1))
		general := New(n, n)
		for i := range general.Data {
			general.Data[i] = r.NormFloat64()
		}
		a := New(n, n)
		if err := Syrk(b.Context(), 1/float64(n), general, 0, a); err != nil {
			b.Fatal(err)
		}
		for i := range n {
			a.Data[i*n+i]++
		}
		copied := New(n, n)
		run := func(name string, from Matrix, do func(ctx context.Context, a Matrix) error) {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/n=%d/threads=%d", name, n, threads), func(b *testing.B) {
					for b.Loop() {
						copy(copied.Data, from.Data)
						if err := do(parallel.WithLimit(b.Context(), threads), copied); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
		run("Cholesky", a, func(ctx context.Context, a Matrix) error { _, err := Cholesky(ctx, a); return err })
		run("PivotedCholesky", a, func(ctx context.Context, a Matrix) error { _, _, err := PivotedCholesky(ctx, a, 0); return err })
		run("LU", general, func(ctx context.Context, a Matrix) error { _, _, err := LU(ctx, a); return err })
		run("CholeskyInverse", general, func(ctx context.Context, a Matrix) error {
			for i := range n {
				a.Data[i*n+i] = 10
			}
			_, err := CholeskyInverse(ctx, a)
			return err
		})
		v := New(50, n)
		run("LQ of 50 rows", general, func(ctx context.Context, a Matrix) error { _, err := LQ(ctx, a.Block(0, 50, 0, n), v); return err })
	}
}
