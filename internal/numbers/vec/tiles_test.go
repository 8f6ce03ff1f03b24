package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// same says whether two rows have the same bits, but for those of NaN.
func same[T Float](x, y []T) bool {
	return slices.EqualFunc(x, y, func(a, b T) bool {
		return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b)) || a != a && b != b
	})
}

// lengths of points: short ones, and one of several steps.
func lengths() []int {
	all := []int{784}
	for k := range 101 {
		all = append(all, k)
	}
	return all
}

func TestRegisterTiles(t *testing.T) {
	both(t, testRegisterTiles[float32], testRegisterTiles[float64])
}

// A register tile of few rows gives the bits of the one of mr rows, with all
// strides and with NaN and Inf among the values, and writes its rows only.
func testRegisterTiles[T Float](t *testing.T) {
	r := newRand()
	kern := kernels[T]()
	mr, nr := kern.mr, kern.nr
	for name, sums := range map[string]tiles[T]{"products": kern.products, "l1": kern.l1} {
		if last := sums[len(sums)-1].rows; last != mr {
			t.Fatalf("%s: the last tile has %d rows, not %d", name, last, mr)
		}
		for rows := 1; rows <= mr; rows++ {
			i := slices.IndexFunc(sums, func(s registerTile[T]) bool { return s.rows >= rows })
			if of := sums.forRows(rows); of != &sums[i] {
				t.Fatalf("%s: %d rows take a tile of %d", name, rows, of.rows)
			}
		}
		for _, k := range lengths() {
			if k == 0 {
				continue
			}
			rsa, csa := 1, mr // packed
			if k%2 == 1 {
				rsa, csa = k+r.IntN(3), 1
			}
			rsb, ldc := nr+r.IntN(2)*r.IntN(5), nr+r.IntN(5)
			a, b := random[T](r, mr*k+3*mr), random[T](r, k*rsb)
			if k%3 == 0 {
				a[r.IntN(mr*k)], b[r.IntN(k*rsb)] = T(math.NaN()), T(math.Inf(1))
				a[r.IntN(mr*k)], b[r.IntN(k*rsb)] = T(math.Inf(-1)), 0
			}
			alpha, add := []T{1, -1, 0.3}[r.IntN(3)], r.IntN(2) == 1
			before := random[T](r, mr*ldc)
			want := slices.Clone(before)
			sums.forRows(mr).sum(k, a, rsa, csa, b, rsb, want, ldc, alpha, add)
			for _, few := range sums[:len(sums)-1] {
				c, intact := guarded[T](r, (few.rows-1)*ldc+nr)
				copy(c, before)
				few.sum(k, a, rsa, csa, b, rsb, c, ldc, alpha, add)
				if !same(c, want[:len(c)]) {
					t.Fatalf("%s, depth %d, α=%v, add %v: %d rows have other bits than %d", name, k, alpha, add, few.rows, mr)
				}
				if !intact() {
					t.Fatalf("%s, depth %d: %d rows write beyond their tile", name, k, few.rows)
				}
			}
		}
	}
}

func TestFewRows(t *testing.T) { both(t, testFewRows[float32], testFewRows[float64]) }

// Any number of rows gives the bits that these have among many.
func testFewRows[T Float](t *testing.T) {
	r := newRand()
	kern := kernels[T]()
	mr, nr := kern.mr, kern.nr
	var many, few, right Packed[T]
	for _, k := range lengths() {
		n, lda := 1+r.IntN(3*nr), max(1, k)
		ldd := n + r.IntN(3)
		a, b := random[T](r, 2*mr*lda), random[T](r, n*lda)
		if k%3 == 2 {
			a[r.IntN(mr*k)], b[r.IntN(n*k)] = T(math.NaN()), T(math.Inf(1))
		}
		many.PackLeft(2*mr, k, a, lda)
		right.PackRight(n, k, b, lda)
		for _, sum := range bothSums[T]() {
			want := make([]T, 2*mr*n)
			sum.tile(want, n, &many, &right, nil)
			for m := 1; m <= mr+1; m++ {
				few.PackLeft(m, k, a, lda)
				dst, intact := guarded[T](r, (m-1)*ldd+n)
				old := slices.Clone(dst)
				sum.tile(dst, ldd, &few, &right, &right)
				for i := range m {
					if !same(dst[i*ldd:i*ldd+n], want[i*n:i*n+n]) {
						t.Fatalf("%s, %d×%d×%d: row %d has other bits than among %d", sum.name, m, n, k, i, 2*mr)
					}
					if i+1 < m && !slices.Equal(dst[i*ldd+n:(i+1)*ldd], old[i*ldd+n:(i+1)*ldd]) {
						t.Fatalf("%s, %d×%d×%d: wrote between rows", sum.name, m, n, k)
					}
				}
				if !intact() {
					t.Fatalf("%s, %d×%d×%d: wrote beyond its slice", sum.name, m, n, k)
				}
			}
		}
	}
}

type namedSum[T Float] struct {
	name string
	tile func(dst []T, ldd int, left, right, next *Packed[T])
}

func bothSums[T Float]() []namedSum[T] {
	return []namedSum[T]{{"products", Tile[T]}, {"l1", TileL1[T]}}
}

func BenchmarkFewRows(b *testing.B) {
	b.Run("float32", benchFewRows[float32])
	b.Run("float64", benchFewRows[float64])
}

// Few rows against 4,000 points: for one the limit is reading these once.
func benchFewRows[T Float](b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n, d, block = 4000, 784, 192
	x := random[T](r, n*d)
	right := make([]Packed[T], (n+block-1)/block)
	for i := range right {
		first := i * block
		right[i].PackRight(min(block, n-first), d, x[first*d:], d)
	}
	dst := make([]T, 16*block)
	for _, c := range bothSums[T]() {
		for _, m := range []int{1, 2, 4, 8, 14, 16} {
			b.Run(fmt.Sprintf("%s/%d", c.name, m), func(b *testing.B) {
				var left Packed[T]
				left.PackLeft(m, d, x, d)
				for b.Loop() {
					for i := range right {
						var next *Packed[T]
						if i+1 < len(right) {
							next = &right[i+1]
						}
						c.tile(dst, block, &left, &right[i], next)
					}
				}
				b.ReportMetric(n*d*float64(unsafe.Sizeof(x[0]))*float64(b.N)/b.Elapsed().Seconds()/1e9, "GB/s")
			})
		}
	}
}

// Transpose moves all numbers and nothing beside them, on both sides of its blocks.
func TestTranspose(t *testing.T) { both(t, testTranspose[float32], testTranspose[float64]) }

func testTranspose[T Float](t *testing.T) {
	r := newRand()
	for _, rows := range []int{0, 1, 3, 4, 5, 8, 31, 33} {
		for _, cols := range []int{0, 1, 3, 4, 7, 31, 32, 33, 64, 101} {
			ld, ldd := max(1, cols)+r.IntN(3), max(1, rows)+r.IntN(3)
			src, intact := guarded[T](r, rows*ld)
			dst, between := guarded[T](r, cols*ldd)
			old := slices.Clone(dst)
			Transpose(rows, cols, src, ld, dst, ldd)
			for p := range cols {
				for q := range ldd {
					want := old[p*ldd+q]
					if q < rows {
						want = src[q*ld+p]
					}
					if dst[p*ldd+q] != want {
						t.Fatalf("%d×%d: %v at %d, %d, want %v", rows, cols, dst[p*ldd+q], p, q, want)
					}
				}
			}
			if !intact() || !between() {
				t.Fatalf("%d×%d wrote beyond its slices", rows, cols)
			}
		}
	}
}
