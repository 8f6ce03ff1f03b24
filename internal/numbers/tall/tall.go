// Package tall holds tall and skinny matrices, also called multivectors, and multiplies panels of
// interleaved columns by them: element i·width + c of a panel is row i of column c. A width is a
// divisor of 16, so that panels that are multiplied together share the 16 columns of a kernel.
package tall

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/system/huge"
)

const wide = vec.MaxPanel // columns of a group, the panels that lie beside one another in a pass

// Matrix is an n×m matrix of float32 or float64, row after row, outside the Go heap where the
// system allows. Its products use scratch memory of its own, so they are not safe for concurrent
// use. They have the same bits for any number of threads, and are undefined once their context is
// done. They are formed in T over tiles of 192 rows and columns, and in float64 beyond; those of
// [Precise] in float64.
type Matrix[T vec.Float] struct {
	n, m    int
	values  []T
	release func()
	cleanup runtime.Cleanup
	passes  passes[T]
}

// Precise is a matrix of float32 whose products are formed in float64, which takes about
// twice as long.
type Precise struct {
	*Matrix[float32]
	passes passes[float64]
}

// NewPrecise returns a with products formed in float64. The numbers are those of a, which
// gives their memory back.
func NewPrecise(a *Matrix[float32]) *Precise { return &Precise{Matrix: a} }

// passes is the scratch memory of products that are formed in S.
type passes[S vec.Float] struct {
	scratch []*scratch[S] // of every worker
	sums    [][][]float64 // of every part and group
	right   [][]S         // of every group, what rows are multiplied by
}

type scratch[S vec.Float] struct {
	x    [][]S // of every group, a block of rows
	sums [][]float64
	tile []S // of numbers that are stored in another type
}

// tileOf returns the tile that begins at row i0 and column j0 in S, and how far apart its
// rows are. It is valid until the next one of w.
func tileOf[S, T vec.Float](a *Matrix[T], w *scratch[S], i0, i1, j0 int) ([]S, int) {
	if same, ok := any(a.values).([]S); ok {
		return same[i0*a.m+j0:], a.m
	}
	if w.tile == nil {
		w.tile = make([]S, block*block)
	}
	j1 := min(j0+block, a.m)
	for i := i0; i < i1; i++ {
		vec.Widen(any(w.tile[(i-i0)*block:(i-i0)*block+j1-j0]).([]float64), any(a.values[i*a.m+j0:i*a.m+j1]).([]float32))
	}
	return w.tile, block
}

// New reserves a matrix of zeros. It fails where the system does not give the memory.
func New[T vec.Float](n, m int) (*Matrix[T], error) {
	values, release, err := huge.Reserve[T](n * m)
	if err != nil {
		return nil, fmt.Errorf("a matrix of %d×%d numbers: %w", n, m, err)
	}
	a := &Matrix[T]{n: n, m: m, values: values, release: release}
	a.cleanup = runtime.AddCleanup(a, func(release func()) { release() }, release)
	return a, nil
}

// Close gives the memory back.
func (a *Matrix[T]) Close() {
	a.cleanup.Stop()
	a.release()
	a.values = nil
}

// Len returns n.
func (a *Matrix[T]) Len() int { return a.n }

// Columns returns m.
func (a *Matrix[T]) Columns() int { return a.m }

// Rows returns the rows from ≤ i < to one after the other, without copying.
func (a *Matrix[T]) Rows(from, to int) []T { return a.values[from*a.m : to*a.m] }

const (
	block      = vec.PanelRows // rows and columns of a tile
	partBlocks = 8             // blocks of rows that a goroutine takes at once
	mostSums   = 32            // parts of the rows whose sums are kept
)

func (a *Matrix[T]) blocks() int { return (a.n + block - 1) / block }

// padded is the length of a group of m rows in whole blocks.
func (a *Matrix[T]) padded() int { return (a.m + block - 1) / block * block * wide }

// workers returns the scratch memory of every worker, with room for the given number of groups.
func (s *passes[S]) workers(ctx context.Context, groups int) []*scratch[S] {
	for len(s.scratch) < parallel.Threads(ctx) {
		s.scratch = append(s.scratch, &scratch[S]{})
	}
	for _, w := range s.scratch {
		for len(w.x) < groups {
			w.x, w.sums = append(w.x, make([]S, block*wide)), append(w.sums, make([]float64, vec.RowSumsLength(wide)))
		}
	}
	return s.scratch
}

// each calls do for all rows, in parts.
func (a *Matrix[T]) each(ctx context.Context, do func(worker, from, to int)) {
	const rows = partBlocks * block
	_ = parallel.Step(ctx, (a.n+rows-1)/rows, func(worker, part int) { do(worker, part*rows, min((part+1)*rows, a.n)) })
}

// groups returns panels of a width, as many at a time as make up 16 columns.
func groups(panels [][]float64, width int) [][][]float64 {
	return slices.Collect(slices.Chunk(panels, wide/width))
}

// join writes the rows from ≤ i < to of the panels of a group beside one another, and clears the rest of dst.
func join[S vec.Float](dst []S, group [][]float64, width, from, to int) {
	if width == wide {
		narrow(dst, group[0][from*width:to*width])
		return
	}
	clear(dst)
	for p, panel := range group {
		for i := from; i < to; i++ {
			into := dst[(i-from)*wide+p*width:][:width]
			for c, v := range panel[i*width : (i+1)*width] {
				into[c] = S(v)
			}
		}
	}
}

// addParts adds s times a group of rows to those of its panels, from row from on.
func addParts(group [][]float64, width, from, to int, s float64, sums []float64) {
	if width == wide {
		vec.Axpy(s, sums[:(to-from)*width], group[0][from*width:to*width])
		return
	}
	for p, panel := range group {
		for i := from; i < to; i++ {
			into := panel[i*width : (i+1)*width]
			for c, v := range sums[(i-from)*wide+p*width:][:width] {
				into[c] += s * v
			}
		}
	}
}

// Trans computes dst[p] = Aᵀx[p] of panels of n rows and the given width, all in one pass over A. Cost: 16·n·m
// multiply-adds for every 16 columns of all.
func (a *Matrix[T]) Trans(ctx context.Context, width int, dst, x [][]float64) {
	trans(ctx, a, &a.passes, width, dst, x)
}

// Trans is that of the matrix.
func (a *Precise) Trans(ctx context.Context, width int, dst, x [][]float64) {
	trans(ctx, a.Matrix, &a.passes, width, dst, x)
}

func trans[S, T vec.Float](ctx context.Context, a *Matrix[T], s *passes[S], width int, dst, x [][]float64) {
	a.check("Trans", width, x, dst)
	defer runtime.KeepAlive(a)
	from, into := groups(x, width), groups(dst, width)
	all, blocks := s.workers(ctx, len(from)), a.blocks()
	parts := min(blocks, mostSums)
	for len(s.sums) < parts {
		s.sums = append(s.sums, nil)
	}
	for part := range s.sums[:parts] {
		for len(s.sums[part]) < len(from) {
			s.sums[part] = append(s.sums[part], make([]float64, a.padded()))
		}
	}
	_ = parallel.Step(ctx, parts, func(worker, part int) {
		w, sums := all[worker], s.sums[part]
		for g := range from {
			clear(sums[g])
		}
		for b := part * blocks / parts; b < (part+1)*blocks/parts; b++ {
			i0, i1 := b*block, min((b+1)*block, a.n)
			for g, group := range from {
				join(w.x[g], group, width, i0, i1)
			}
			for j0 := 0; j0 < a.m; j0 += block {
				tile, apart := tileOf(a, w, i0, i1, j0)
				for g := range from { // the tile is in the cache for all but the first
					vec.MulTileTransPanel(i1-i0, min(block, a.m-j0), tile, apart, sums[g][j0*wide:], w.x[g])
				}
			}
		}
	})
	for p := range dst {
		clear(dst[p])
	}
	for _, sums := range s.sums[:parts] {
		for g, group := range into {
			addParts(group, width, 0, a.m, 1, sums[g])
		}
	}
}

// Add computes dst[p] += s·Au[p] of panels of m rows and the given width, all in one pass over A. Cost:
// 16·n·m multiply-adds for every 16 columns of all.
func (a *Matrix[T]) Add(ctx context.Context, width int, dst [][]float64, s float64, u [][]float64) {
	add(ctx, a, &a.passes, width, dst, s, u)
}

// Add is that of the matrix.
func (a *Precise) Add(ctx context.Context, width int, dst [][]float64, s float64, u [][]float64) {
	add(ctx, a.Matrix, &a.passes, width, dst, s, u)
}

func add[S, T vec.Float](ctx context.Context, a *Matrix[T], pass *passes[S], width int, dst [][]float64, s float64, u [][]float64) {
	a.check("Add", width, dst, u)
	defer runtime.KeepAlive(a)
	from, into := groups(u, width), groups(dst, width)
	for len(pass.right) < len(from) {
		pass.right = append(pass.right, make([]S, a.padded()))
	}
	for g, group := range from {
		join(pass.right[g], group, width, 0, a.m)
	}
	all := pass.workers(ctx, len(from))
	a.each(ctx, func(worker, first, last int) {
		w := all[worker]
		for i0 := first; i0 < last; i0 += block {
			i1 := min(i0+block, last)
			for g := range from {
				clear(w.sums[g])
			}
			for j0 := 0; j0 < a.m; j0 += block {
				tile, apart := tileOf(a, w, i0, i1, j0)
				for g := range from {
					vec.MulTilePanel(wide, i1-i0, min(block, a.m-j0), tile, apart, w.sums[g], pass.right[g][j0*wide:])
				}
			}
			for g, group := range into {
				addParts(group, width, i0, i1, s, w.sums[g])
			}
		}
	})
}

func (a *Matrix[T]) check(fn string, width int, long, short [][]float64) {
	if width < 1 || wide%width != 0 {
		panic(fmt.Sprintf("tall: %s of panels of %d columns", fn, width))
	}
	if len(long) != len(short) {
		panic(fmt.Sprintf("tall: %s of %d panels and %d", fn, len(long), len(short)))
	}
	for p := range long {
		if len(long[p]) != a.n*width || len(short[p]) != a.m*width {
			panic(fmt.Sprintf("tall: %s of panels of %d and %d values with a %d×%d matrix", fn, len(long[p]), len(short[p]), a.n, a.m))
		}
	}
}

// narrow converts values, and clears the rest of dst.
func narrow[T vec.Float](dst []T, values []float64) {
	switch to := any(dst[:len(values)]).(type) {
	case []float32:
		vec.Narrow(to, values)
	case []float64:
		copy(to, values)
	}
	clear(dst[len(values):])
}

// Panel writes the columns from ≤ j < from+width into a panel of n rows, with zeros beyond
// the last.
func (a *Matrix[T]) Panel(ctx context.Context, width int, dst []float64, from int) {
	a.each(ctx, func(_, i0, i1 int) {
		for i := i0; i < i1; i++ {
			row := dst[i*width : (i+1)*width]
			clear(row)
			for c, v := range a.values[i*a.m+from : i*a.m+min(from+width, a.m)] {
				row[c] = float64(v)
			}
		}
	})
}

// SetPanel sets the columns from ≤ j < from+width, as far as there are.
func (a *Matrix[T]) SetPanel(ctx context.Context, width int, src []float64, from int) {
	a.each(ctx, func(_, i0, i1 int) {
		for i := i0; i < i1; i++ {
			row := a.values[i*a.m+from : i*a.m+min(from+width, a.m)]
			for c := range row {
				row[c] = T(src[i*width+c])
			}
		}
	})
}

// productRows is how many rows are added up in S by [Products].
const productRows = 10 * block

// Products returns AᵀDA of a diagonal matrix D of n values that are not negative, m×m, its
// products being formed in S. Cost: n·m²/2 multiply-adds.
func Products[S, T vec.Float](ctx context.Context, a *Matrix[T], diagonal []float64) (linalg.Matrix, error) {
	defer runtime.KeepAlive(a)
	m, out := a.m, linalg.New(a.m, a.m)
	sums, scaled := make([]S, m*m), make([]S, min(productRows, a.n)*m)
	err := parallel.Run(parallel.WithLimit(ctx, 1), (a.n+productRows-1)/productRows, func(_, piece int) {
		from := piece * productRows
		to := min(from+productRows, a.n)
		_ = parallel.Step(ctx, (to-from+block-1)/block, func(_, b int) {
			for i := from + b*block; i < min(from+(b+1)*block, to); i++ {
				root, row := S(math.Sqrt(diagonal[i])), scaled[(i-from)*m:(i-from+1)*m]
				for j, v := range a.values[i*m : (i+1)*m] {
					row[j] = root * S(v)
				}
			}
		})
		if vec.Syrk(ctx, true, true, m, to-from, 1, scaled[:(to-from)*m], m, 0, sums, m) != nil {
			return
		}
		for i := range m {
			row := out.Row(i)
			for j := i; j < m; j++ {
				row[j] += float64(sums[i*m+j])
			}
		}
	})
	if err != nil {
		return out, err
	}
	linalg.Mirror(ctx, out)
	return out, ctx.Err()
}
