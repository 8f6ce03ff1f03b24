package points_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lapsvm/internal/testing/drawn"
	"lapsvm/points"
)

// panics checks that call panics with a message of this package.
func panics(t *testing.T, name string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		if text, ok := r.(string); !ok || !strings.HasPrefix(text, "points: ") {
			t.Errorf("%s: panicked with %v, want a message of the package", name, r)
		}
	}()
	call()
}

// dotBound is a bound on the rounding error of ⟨x, y⟩ in any order of sums.
func dotBound(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += math.Abs(x[k] * y[k])
	}
	return float64(len(x)+2) * 0x1p-52 * s
}

func TestDots(t *testing.T) {
	const guard = -12345.5
	for _, size := range []struct{ n, m, d int }{
		{1, 1, 1}, {3, 5, 0}, {4, 3, 2}, {7, 9, 65}, {70, 66, 3}, {65, 200, 130}, {200, 130, 17},
	} {
		rng := rand.New(rand.NewPCG(11, uint64(size.n*1000+size.m)))
		x, y := drawn.Rows(rng, size.n, size.d), drawn.Rows(rng, size.m, size.d)
		for pn, p := range drawn.Both(x, size.d) {
			for qn, q := range drawn.Both(y, size.d) {
				for trial := range 6 {
					i0, j0 := rng.IntN(size.n), rng.IntN(size.m)
					i1, j1 := i0+rng.IntN(size.n-i0+1), j0+rng.IntN(size.m-j0+1)
					if trial == 0 {
						i0, i1, j0, j1 = 0, size.n, 0, size.m
					}
					stride := max(1, j1-j0) + trial%3*5
					dst := make([]float64, (i1-i0)*stride+7)
					for k := range dst {
						dst[k] = math.NaN() // old contents must not matter
						if k%stride >= j1-j0 || k/stride >= i1-i0 {
							dst[k] = guard
						}
					}
					name := fmt.Sprintf("%s·%s, d = %d, [%d,%d)×[%d,%d), stride %d", pn, qn, size.d, i0, i1, j0, j1, stride)
					p.Dots(dst, stride, i0, i1, q, j0, j1)
					for k, got := range dst {
						r, c := k/stride, k%stride
						if r >= i1-i0 || c >= j1-j0 {
							if got != guard {
								t.Errorf("%s: wrote %v outside the block, at %d", name, got, k)
							}
							continue
						}
						want := 0.0
						for l := range size.d {
							want += x[i0+r][l] * y[j0+c][l]
						}
						if !(math.Abs(got-want) <= dotBound(x[i0+r], y[j0+c])) {
							t.Errorf("%s: ⟨x_%d, y_%d⟩ = %v, naively %v", name, i0+r, j0+c, got, want)
						}
					}
				}
			}
		}
	}
}

// A product has the same bits in every block it is computed in: predictions
// for one point must not depend on what else is asked for.
func TestDotsDoNotDependOnTheBlock(t *testing.T) {
	const n, m, d = 150, 300, 200
	rng := rand.New(rand.NewPCG(12, 1))
	x, y := drawn.Rows(rng, n, d), drawn.Rows(rng, m, d)
	for pn, p := range drawn.Both(x, d) {
		for qn, q := range drawn.Both(y, d) {
			whole := make([]float64, n*m)
			p.Dots(whole, m, 0, n, q, 0, m)
			for trial := range 60 {
				i0, j0 := rng.IntN(n), rng.IntN(m)
				i1, j1 := i0+1, j0+1 // one pair, or a block
				if trial%2 == 0 {
					i1, j1 = i0+1+rng.IntN(n-i0), j0+1+rng.IntN(m-j0)
				}
				part := make([]float64, (i1-i0)*(j1-j0))
				p.Dots(part, j1-j0, i0, i1, q, j0, j1)
				for k, v := range part {
					i, j := i0+k/(j1-j0), j0+k%(j1-j0)
					if v != whole[i*m+j] {
						t.Fatalf("%s·%s: ⟨x_%d, y_%d⟩ is %v in the block [%d,%d)×[%d,%d), %v in the whole", pn, qn, i, j, v, i0, i1, j0, j1, whole[i*m+j])
					}
				}
			}
		}
	}
}

func TestDotsPanics(t *testing.T) {
	p, q := points.Dense(2, 2, make([]float64, 4)), points.Dense(2, 3, make([]float64, 6))
	panics(t, "columns differ", func() { p.Dots(make([]float64, 4), 2, 0, 2, q, 0, 2) })
	panics(t, "short dst", func() { p.Dots(make([]float64, 3), 2, 0, 2, p, 0, 2) })
	panics(t, "small stride", func() { p.Dots(make([]float64, 4), 1, 0, 2, p, 0, 2) })
	p.Dots(nil, 0, 1, 1, p, 0, 2) // an empty block needs no memory
}

func TestSquaredDistance(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(13, seed))
		n, m, d := 4, 5, rng.IntN(30)
		x, y := drawn.Rows(rng, n, d), drawn.Rows(rng, m, d)
		copy(y[0], x[0])
		for pn, p := range drawn.Both(x, d) {
			for qn, q := range drawn.Both(y, d) {
				for i := range n {
					for j := range m {
						want := 0.0
						for k := range d {
							want += (x[i][k] - y[j][k]) * (x[i][k] - y[j][k])
						}
						// The same sum in the same order: the same bits for every storage.
						if got := p.SquaredDistance(i, q, j); got != want {
							t.Errorf("seed %d, %s–%s: ‖x_%d − y_%d‖² = %v, naively %v", seed, pn, qn, i, j, got, want)
						}
						if got := q.SquaredDistance(j, p, i); got != want {
							t.Errorf("seed %d, %s–%s: ‖y_%d − x_%d‖² = %v, the other way round %v", seed, qn, pn, j, i, got, want)
						}
					}
				}
				if got := p.SquaredDistance(0, q, 0); got != 0 {
					t.Errorf("seed %d, %s–%s: equal points at squared distance %v", seed, pn, qn, got)
				}
			}
		}
	}
}

// Far from the origin the distance is that of the points as they are stored,
// where ‖x‖² + ‖y‖² − 2⟨x, y⟩ has lost every digit.
func TestSquaredDistanceFarFromTheOrigin(t *testing.T) {
	const offset = 1e9
	x, y := [][]float64{{offset + 1, offset, -offset}}, [][]float64{{offset - 2, offset + 0.5, -offset}}
	for pn, p := range drawn.Both(x, 3) {
		for qn, q := range drawn.Both(y, 3) {
			if got := p.SquaredDistance(0, q, 0); got != 9.25 {
				t.Errorf("%s–%s: %v, want 9.25", pn, qn, got)
			}
		}
	}
	panics(t, "columns differ", func() { drawn.Dense(x, 3).SquaredDistance(0, points.Dense(1, 2, []float64{1, 2}), 0) })
}

func TestCombinations(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	const n, d = 20, 9
	rows, w := drawn.Rows(rng, n, d), drawn.Rows(rng, 1, d)[0]
	for name, p := range drawn.Both(rows, d) {
		dots, sum := make([]float64, n), make([]float64, d)
		p.DotsWith(dots, 0, n, w)
		p.AddCombination(sum, 3, 15, dots[3:15])
		squared := make([]float64, n)
		all := make([]int32, n)
		for j := range all {
			all[j] = int32(j)
		}
		p.SquaredDistances(squared, 4, all)
		want := make([]float64, d)
		for i := range n {
			s, q := 0.0, 0.0
			for j := range d {
				s += rows[i][j] * w[j]
				q += (rows[i][j] - rows[4][j]) * (rows[i][j] - rows[4][j])
			}
			if !(math.Abs(dots[i]-s) <= 1e-13) || !(math.Abs(squared[i]-q) <= 1e-13) {
				t.Errorf("%s: row %d has the product %v and the distance %v, want %v and %v", name, i, dots[i], squared[i], s, q)
			}
			for j := range d {
				if i >= 3 && i < 15 {
					want[j] += dots[i] * rows[i][j]
				}
			}
			for j := range n {
				if p.EqualRows(i, j) != (i == j) {
					t.Errorf("%s: rows %d and %d equal: %v", name, i, j, p.EqualRows(i, j))
				}
			}
		}
		for j := range d {
			if !(math.Abs(sum[j]-want[j]) <= 1e-12) {
				t.Errorf("%s: combination %v in column %d, want %v", name, sum[j], j, want[j])
			}
		}
		part := p.Slice(5, 9)
		for i := range 4 {
			got, want := make([]float64, d), make([]float64, d)
			part.CopyRow(got, i)
			p.CopyRow(want, 5+i)
			if fmt.Sprint(got) != fmt.Sprint(want) || part.Squares()[i] != p.Squares()[5+i] {
				t.Errorf("%s: row %d of the slice is %v, want %v", name, i, got, want)
			}
		}
	}
}
