package gram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Expansion is a kernel expansion per machine,
//
//	f_c(x) = Σ_j Coefficients[c][j]·k(x, Basis_j) + Bias[c]
//
// Of a kernel whose values are given, the basis points have to be weight vectors, as
// [Compact] makes them: then k(x, Basis_j) is ⟨x, Basis_j⟩. Of given distances they have to be unit
// vectors of columns.
type Expansion struct {
	Kernel       kernel.Kernel
	Basis        *points.Points
	Coefficients [][]float64 // [machine][basis point]
	Bias         []float64   // [machine]
	Local        *Local      // what neighbours add to it; nil for nothing
}

// Values writes f_c(x_i) of every machine c and every point of x into dst[c][i]. Kernel values are
// computed in the given precision, and in float64 where a result would not be finite; sums are
// float64. A value does not depend on what else is evaluated with it nor on the number of threads.
// It fails when ctx is done. Cost: x.Len()·n·d multiply-adds for n basis points of d columns, after
// one pass over the basis, which is copied: [Expansion.Pack] it for more than one call. It panics
// when the shapes do not fit.
func (e Expansion) Values(ctx context.Context, dst [][]float64, x *points.Points, precision Precision) error {
	right, err := layOut(ctx, e.Basis, e.Kernel, precision, x.Sparse())
	if err != nil {
		return err
	}
	return e.values(ctx, dst, x, right, nil)
}

// values is Values with the basis laid out, and the distances to it unless near is
// nil.
func (e Expansion) values(ctx context.Context, dst [][]float64, x *points.Points, right *basis, near *Nearest) error {
	if e.Local == nil {
		return e.sums(ctx, dst, x, right, near)
	}
	const nearestAt = 0.1 // of the time, about
	if err := e.sums(parallel.Share(ctx, 0, nearestAt), dst, x, right, nil); err != nil {
		return err
	}
	return e.Local.add(parallel.Share(ctx, nearestAt, 1), dst, x, near)
}

// sums computes the sums over the basis.
func (e Expansion) sums(ctx context.Context, dst [][]float64, x *points.Points, right *basis, near *Nearest) error {
	if len(dst) != len(e.Coefficients) || len(dst) != len(e.Bias) {
		panic(fmt.Sprintf("gram: values of %d machines into %d columns", len(e.Coefficients), len(dst)))
	}
	for c := range dst {
		if len(dst[c]) != x.Len() || len(e.Coefficients[c]) != e.Basis.Len() {
			panic(fmt.Sprintf("gram: %d coefficients and %d values, for %d basis points and %d points", len(e.Coefficients[c]), len(dst[c]), e.Basis.Len(), x.Len()))
		}
	}
	err := right.cross(ctx, x, func(i0, i1, j0, j1 int, tile any) {
		for c, out := range dst {
			switch tile := tile.(type) {
			case []float32:
				vec.MulTile(i1-i0, j1-j0, tile, tileSize, out[i0:i1], e.Coefficients[c][j0:j1])
			case []float64:
				vec.MulTile(i1-i0, j1-j0, tile, tileSize, out[i0:i1], e.Coefficients[c][j0:j1])
			}
		}
	}, func(i0, i1 int) {
		for c, out := range dst {
			for i := i0; i < i1; i++ {
				out[i] = e.Bias[c]
			}
		}
	}, near)
	if err != nil {
		return err
	}
	return e.widen(ctx, dst, x, right)
}

// widen computes the values of those points anew that are not finite, as far as
// another layout of the basis can.
func (e Expansion) widen(ctx context.Context, dst [][]float64, x *points.Points, right *basis) error {
	var rows []int
	for i := range x.Len() {
		if slices.ContainsFunc(dst, func(out []float64) bool { return math.IsNaN(out[i]) || math.IsInf(out[i], 0) }) {
			rows = append(rows, i)
		}
	}
	if rows == nil {
		return nil
	}
	wide, err := right.widest(ctx, e.Basis, x)
	if err != nil || wide == nil {
		return err
	}
	again := make([][]float64, len(dst))
	for c := range again {
		again[c] = make([]float64, len(rows))
	}
	if err := e.sums(ctx, again, x.Subset(rows), wide, nil); err != nil {
		return err
	}
	for c, values := range again {
		for k, v := range values {
			dst[c][rows[k]] = v
		}
	}
	return nil
}

// Packed is an expansion with its basis laid out for products, once for all calls.
// It is immutable and safe for concurrent use.
type Packed struct {
	Expansion
	precision Precision
	dense     *basis // for dense points
}

// Pack lays out the basis. Cost: one pass over it, and a copy in the precision.
func (e Expansion) Pack(ctx context.Context, precision Precision) (*Packed, error) {
	right, err := layOut(ctx, e.Basis, e.Kernel, precision, false)
	if err != nil {
		return nil, err
	}
	return &Packed{e, precision, right}, nil
}

// Values is [Expansion.Values], to the same bits, without the pass over the basis,
// but for sparse points and a dense basis.
func (p *Packed) Values(ctx context.Context, dst [][]float64, x *points.Points) error {
	return p.ValuesNear(ctx, dst, x, nil)
}

// ValuesNear is Values that finds the distances to the basis on the way, which near
// gets. It panics for a kernel without basis points, and where near does not have as
// many elements as there are points.
func (p *Packed) ValuesNear(ctx context.Context, dst [][]float64, x *points.Points, near *Nearest) error {
	if near != nil {
		near.begin(x.Len(), p.Kernel)
	}
	right := p.dense
	if x.Sparse() && !p.Basis.Sparse() {
		var err error
		if right, err = layOut(ctx, p.Basis, p.Kernel, p.precision, true); err != nil {
			return err
		}
	}
	return p.values(ctx, dst, x, right, near)
}

// unitVectors returns the points that a table of distances has its columns for.
func unitVectors(n int) *points.Points {
	start, index, value := make([]int, n+1), make([]int32, n), make([]float64, n)
	for i := range n {
		start[i+1], index[i], value[i] = i+1, int32(i), 1
	}
	return points.CSR(n, start, index, value)
}

// Compact returns the same functions in fewer basis points. With the linear kernel, and with given
// kernel values, each machine has one basis point, its weight vector. With other kernels the basis
// is the points that any machine uses, at least one, and used names them. Of given distances these are the
// unit vectors of their columns.
func Compact(e Expansion) (compact Expansion, used []int) {
	machines, p := len(e.Coefficients), e.Basis
	compact = Expansion{Kernel: e.Kernel, Coefficients: make([][]float64, machines), Bias: e.Bias, Local: e.Local}
	if e.Kernel.Kind().Linear {
		weights := make([]float64, machines*p.Dim())
		for c := range machines {
			w := weights[c*p.Dim() : (c+1)*p.Dim()]
			if inTable(e.Kernel) {
				copy(w, e.Coefficients[c])
			} else {
				p.AddCombination(w, 0, p.Len(), e.Coefficients[c])
			}
			compact.Coefficients[c] = make([]float64, machines)
			compact.Coefficients[c][c] = 1
		}
		compact.Basis = points.Dense(machines, p.Dim(), weights)
		return compact, nil
	}
	if inTable(e.Kernel) {
		p = unitVectors(p.Len())
	}
	for i := range p.Len() {
		if slices.ContainsFunc(e.Coefficients, func(a []float64) bool { return a[i] != 0 }) {
			used = append(used, i)
		}
	}
	if len(used) == 0 {
		used = []int{0}
	}
	if len(used) == p.Len() {
		compact.Basis, compact.Coefficients = p, e.Coefficients
		return compact, used
	}
	for c := range compact.Coefficients {
		for _, i := range used {
			compact.Coefficients[c] = append(compact.Coefficients[c], e.Coefficients[c][i])
		}
	}
	compact.Basis = p.Subset(used)
	return compact, used
}
