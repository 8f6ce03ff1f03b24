package vec

import "fmt"

// SparseWidth returns the width of the narrowest panel for columns ≥ 1 columns
// that [SparseRows] takes: 1, 4, 8, 12 or 16. More than 16 columns need
// several panels.
func SparseWidth(columns int) int {
	if columns == 1 {
		return 1
	}
	return min(columns+3, 16) &^ 3
}

// SparseRows computes the rows from ≤ i < to of the product of a sparse matrix
// with a panel of width columns, which lie interleaved:
//
//	dst[i·width + c] = diagonal[i]·src[i·width + c] + Σ_k value[k]·src[index[k]·width + c],   start[i] ≤ k < start[i+1]
//
// The sum is rounded term by term, in this order: a column has the same bits in a panel of any
// width, on every path; conversions keep compilers from fusing. In float32 it is 16 columns that
// are fast. Entries of index must be rows of src, which is not checked. It panics on short slices
// and on a width that [SparseWidth] does not return. Cost: a multiplication and an addition per
// entry and column.
func SparseRows[T Float](width int, dst, src, diagonal []T, start []int, index []int32, value []T, from, to int) {
	if width != 1 && (width < 4 || width > 16 || width%4 != 0) {
		panic(fmt.Sprintf("vec: SparseRows of %d columns", width))
	}
	if from >= to {
		return
	}
	start, diagonal, dst = start[:to+1], diagonal[:to], dst[:to*width]
	index, value, _ = index[:start[to]], value[:start[to]], src[:to*width]
	switch {
	case width == 1:
		for i := from; i < to; i++ {
			sum := diagonal[i] * src[i]
			entries := value[start[i]:start[i+1]]
			for k, j := range index[start[i]:start[i+1]] {
				sum += T(entries[k] * src[j])
			}
			dst[i] = sum
		}
		return
	case sparseFast(width, dst, src, diagonal, start, index, value, from, to):
		return
	}
	for i := from; i < to; i++ {
		into, row := dst[i*width:(i+1)*width], src[i*width:(i+1)*width]
		for c, v := range row {
			into[c] = diagonal[i] * v
		}
		for k := start[i]; k < start[i+1]; k++ {
			x := src[int(index[k])*width:][:width]
			for c, v := range x {
				into[c] += T(value[k] * v)
			}
		}
	}
}

// StepWidth returns the width of the narrowest panel for columns ≥ 1 columns that [SparseStep]
// takes: 8 or 16. More than 16 columns need several panels.
func StepWidth(columns int) int {
	if columns <= 8 {
		return 8
	}
	return MaxPanel
}

// SparseStep is a step of a recurrence of three terms with a sparse matrix S and panels
// of width columns, in rows from ≤ i < to:
//
//	dst_i ← factor·(S·src)_i + a·x_i − dst_i
//
// The product is that of [SparseRows]; every operation is rounded on its own, so a column has the same
// bits in a panel of either width. dst must not overlap src. It panics on short slices and on a width that
// [StepWidth] does not return.
func SparseStep(width int, dst, x, src, diagonal []float32, start []int, index []int32, value []float32, factor, a float32, from, to int) {
	if StepWidth(width) != width {
		panic(fmt.Sprintf("vec: SparseStep of %d columns", width))
	}
	if from >= to {
		return
	}
	start, diagonal, dst, x = start[:to+1], diagonal[:to], dst[:to*width], x[:to*width]
	index, value, _ = index[:start[to]], value[:start[to]], src[:to*width]
	if stepFast(width, dst, x, src, diagonal, start, index, value, factor, a, from, to) {
		return
	}
	for i := from; i < to; i++ {
		into, row := dst[i*width:(i+1)*width], x[i*width:(i+1)*width]
		var room [MaxPanel]float32
		sum := room[:width]
		for c, v := range src[i*width : (i+1)*width] {
			sum[c] = diagonal[i] * v
		}
		for k := start[i]; k < start[i+1]; k++ {
			other := src[int(index[k])*width:][:width]
			for c, v := range other {
				sum[c] += float32(value[k] * v)
			}
		}
		for c, v := range sum {
			into[c] = float32(float32(factor*v)+float32(a*row[c])) - into[c]
		}
	}
}
