package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// naiveSparse evaluates the documented formula column by column.
func naiveSparse[T Float](width int, dst, src, diagonal []T, start []int, index []int32, value []T, from, to int) {
	for c := range width {
		for i := from; i < to; i++ {
			sum := diagonal[i] * src[i*width+c]
			for k := start[i]; k < start[i+1]; k++ {
				sum += T(value[k] * src[int(index[k])*width+c]) // the conversion keeps compilers from fusing
			}
			dst[i*width+c] = sum
		}
	}
}

// randomRows returns the pattern of a sparse n×n matrix, with rows of none to many entries.
func randomRows(r *rand.Rand) (n int, start []int, index []int32) {
	n = 1 + r.IntN(40)
	start = make([]int, n+1)
	for i := range n {
		for range r.IntN(4) * r.IntN(8) {
			index = append(index, int32(r.IntN(n)))
		}
		start[i+1] = len(index)
	}
	return n, start, index
}

// someRows returns some of n rows.
func someRows(r *rand.Rand, n int) (from, to int) {
	from = r.IntN(n + 1)
	return from, from + r.IntN(n+1-from)
}

// A panel of any width has the bits of the formula evaluated term by term, rows
// that were not asked for stay as they are, and a NaN reaches its own rows and
// column alone.
func TestSparseRows(t *testing.T) { both(t, testSparseRows[float32], testSparseRows[float64]) }

func testSparseRows[T Float](t *testing.T) {
	r := newRand()
	for trial := range 300 {
		n, start, index := randomRows(r)
		value, diagonal := random[T](r, len(index)), random[T](r, n)
		from, to := someRows(r, n)
		for _, width := range []int{1, 4, 8, 12, 16} {
			src, intact := guarded[T](r, n*width)
			at := r.IntN(n * width)
			if trial%10 == 0 {
				src[at] = T(math.NaN())
			}
			dst, kept := guarded[T](r, n*width)
			want := slices.Clone(dst)
			naiveSparse(width, want, src, diagonal, start, index, value, from, to)
			SparseRows(width, dst, src, diagonal, start, index, value, from, to)
			for q, v := range dst {
				if v != want[q] && !(v != v && want[q] != want[q]) {
					t.Fatalf("n = %d, width %d, rows %d to %d: row %d, column %d is %v, want %v", n, width, from, to, q/width, q%width, v, want[q])
				}
				if v != v && q%width != at%width {
					t.Fatalf("a NaN in column %d reached column %d", at%width, q%width)
				}
			}
			if !intact() || !kept() {
				t.Fatalf("n = %d, width %d: a guard word has changed", n, width)
			}
		}
	}
}

// A step has the bits of its formula, evaluated term by term, and touches its rows
// alone.
func TestSparseStep(t *testing.T) {
	onPaths(t, func(t *testing.T) {
		r := newRand()
		for trial := range 400 {
			width := []int{8, MaxPanel}[trial%2]
			n, start, index := randomRows(r)
			value, diagonal := random[float32](r, len(index)), random[float32](r, n)
			from, to := someRows(r, n)
			factor, a := float32(r.NormFloat64()), float32(r.NormFloat64())
			src, ok1 := guarded[float32](r, n*width)
			x, ok2 := guarded[float32](r, n*width)
			dst, ok3 := guarded[float32](r, n*width)
			want, product := slices.Clone(dst), make([]float32, n*width)
			naiveSparse(width, product, src, diagonal, start, index, value, from, to)
			for q := from * width; q < to*width; q++ {
				want[q] = float32(factor*product[q]) + float32(a*x[q]) - dst[q]
			}
			SparseStep(width, dst, x, src, diagonal, start, index, value, factor, a, from, to)
			if !slices.Equal(dst, want) {
				t.Fatalf("n = %d, width %d, rows %d to %d: other bits than the formula's", n, width, from, to)
			}
			if !ok1() || !ok2() || !ok3() {
				t.Fatal("wrote beyond its slices")
			}
		}
	})
}

func TestStepWidth(t *testing.T) {
	for columns, want := range map[int]int{1: 8, 7: 8, 8: 8, 9: 16, 16: 16, 17: 16} {
		if got := StepWidth(columns); got != want {
			t.Errorf("%d columns: width %d, want %d", columns, got, want)
		}
	}
}

func TestSparseWidth(t *testing.T) {
	for columns, want := range map[int]int{1: 1, 2: 4, 4: 4, 5: 8, 8: 8, 9: 12, 12: 12, 13: 16, 16: 16, 17: 16, 100: 16} {
		if got := SparseWidth(columns); got != want {
			t.Errorf("%d columns: width %d, want %d", columns, got, want)
		}
	}
}
