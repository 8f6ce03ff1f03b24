package deformed

import (
	"context"
	"math"
	"slices"
	"sync"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/system/fault"
)

// Bytes estimates the peak memory, in bytes, of a [Factor] of n points, of its [Reduction]s and of the
// machines of so many ratios of the weights. Counted are the factor, its product, A and its
// reduction, and for each ratio a band, the solution and the outputs.
func Bytes(n, labelled, ratios int) int64 {
	square, band := int64(n)*int64(n), int64(n)*int64(labelled+1)
	return 8 * (square*4 + band*int64(3*ratios+5))
}

// Factor is a factor C of a Gram matrix, K = CCᵀ, with its points in the order of the
// pivots, in which Cᵀ is upper triangular.
type Factor struct {
	n, rank int
	order   []int32   // the points
	ct      []float64 // Cᵀ, rank×n

	lock  sync.Mutex
	spare [][]float64 // memory of the size of ct that closed reductions have left
}

// NewFactor factors k by Cholesky with complete pivoting. It stops when no
// pivot is larger than tolerance·max K_ii: what is left of K has no larger
// entry. A tolerance of 0 means n·2⁻⁵², the rounding of the factorization; K
// itself should be as accurate, so float64. It fails for a matrix that is not
// finite or zero, and when ctx is done. Cost: n·rank² flops, 16n² bytes.
func NewFactor(ctx context.Context, k objective.Rows, tolerance float64) (*Factor, error) {
	n := k.Len()
	u := make([]float64, n*n)
	largest := 0.0
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k.Row(u[i*n:(i+1)*n], i)
		largest = math.Max(largest, u[i*n+i])
		if v := u[i*n+i]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fault.Errorf("the kernel of point %d with itself is %v: scale the points, or choose another kernel", i+1, v)
		}
	}
	if !(largest > 0) {
		return nil, fault.Errorf("the Gram matrix is zero: choose another kernel")
	}
	if tolerance == 0 {
		tolerance = float64(n) * 0x1p-52
	}
	order, rank, err := linalg.PivotedCholesky(ctx, linalg.FromSlice(n, n, u), tolerance*largest)
	if err != nil {
		return nil, err
	}
	f := &Factor{n: n, rank: rank, order: make([]int32, n), ct: u[:rank*n]}
	for k, i := range order {
		f.order[k] = int32(i)
	}
	for r := range rank {
		clear(f.ct[r*n : r*n+r])
	}
	if 2*rank < n {
		f.ct = slices.Clone(f.ct) // so that the rest is given back
	}
	return f, nil
}

// take returns memory for rank×n values, which may be any.
func (f *Factor) take() []float64 {
	f.lock.Lock()
	defer f.lock.Unlock()
	if last := len(f.spare) - 1; last >= 0 {
		x := f.spare[last]
		f.spare = f.spare[:last]
		return x
	}
	return make([]float64, f.rank*f.n)
}

// giveBack leaves memory of take to others.
func (f *Factor) giveBack(x ...[]float64) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.spare = append(f.spare, x...)
}

// Inherit takes over the memory that another factor has to spare, as far as it is large enough. Pages that were handed out once need not be again.
func (f *Factor) Inherit(from *Factor) {
	if from == nil {
		return
	}
	from.lock.Lock()
	spare := from.spare
	from.spare = nil
	from.lock.Unlock()
	for _, x := range spare {
		if size := f.rank * f.n; cap(x) >= size {
			f.giveBack(x[:size])
		}
	}
}

// toPoints writes values at the points, which are in the order of the pivots.
func (f *Factor) toPoints(dst, src []float64) {
	for k, i := range f.order {
		dst[i] = src[k]
	}
}

// Len returns the number of points.
func (f *Factor) Len() int { return f.n }

// Order returns the points in the order of the pivots, which callers must leave as it is.
func (f *Factor) Order() []int32 { return f.order }

// Rank returns the number of columns of C.
func (f *Factor) Rank() int { return f.rank }

// Interpolate returns coefficients α of the pivots, those of other points being 0, by which Kα has
// given values at the pivots: UᵀU·α = f with the triangle U of Cᵀ. Cost: 2·rank² flops.
func (f *Factor) Interpolate(ctx context.Context, values []float64) ([]float64, error) {
	u := linalg.Matrix{Rows: f.rank, Cols: f.rank, Stride: f.n, Data: f.ct}
	x := linalg.New(f.rank, 1)
	for k := range x.Data {
		x.Data[k] = values[f.order[k]]
	}
	if err := linalg.SolveUpper(ctx, u.T(), x); err != nil {
		return nil, err
	}
	alpha := make([]float64, f.n)
	if err := linalg.SolveUpper(ctx, u, x); err != nil {
		return nil, err
	}
	for k, v := range x.Data {
		alpha[f.order[k]] = v
	}
	return alpha, nil
}
