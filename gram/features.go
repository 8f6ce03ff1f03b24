package gram

import (
	"context"
	"fmt"

	"lapsvm/internal/parallel"
	"lapsvm/internal/vec"
	"lapsvm/points"
)

// Features is the Gram matrix K = ΦΦᵀ of explicit features: with the points
// themselves that of the linear kernel. A product is two passes over Φ, so that
// training costs O(n·d) per iteration, or the stored values of a sparse table.
type Features struct {
	phi  *points.Points
	sums [][]float64 // [piece][column·d] scratch of Mul
}

// featurePieces is the number of parts into which the rows are cut; their sums
// are added in order.
const featurePieces = 16

// NewFeatures makes the operator ΦΦᵀ, keeping phi.
func NewFeatures(phi *points.Points) *Features {
	return &Features{phi: phi, sums: make([][]float64, featurePieces)}
}

// Len returns n.
func (m *Features) Len() int { return m.phi.Len() }

// Row writes row i of K into dst, n values.
func (m *Features) Row(dst []float64, i int) {
	m.phi.Dots(dst, max(m.Len(), 1), i, i+1, m.phi, 0, m.Len())
}

// Mul computes dst[c] = Φ(Φᵀsrc[c]) for all columns. The bits do not depend on
// the number of threads. It uses scratch memory of the operator, so it is not
// safe for concurrent use. It fails when ctx is done. It panics when the numbers
// or lengths of the columns differ.
func (m *Features) Mul(ctx context.Context, dst, src [][]float64) error {
	n, d := m.phi.Len(), m.phi.Dim()
	if len(dst) != len(src) {
		panic(fmt.Sprintf("gram: Mul of %d columns into %d", len(src), len(dst)))
	}
	for c := range src {
		if len(src[c]) != n || len(dst[c]) != n {
			panic(fmt.Sprintf("gram: Mul of columns of length %d and %d, want %d", len(src[c]), len(dst[c]), n))
		}
	}
	span := func(piece int) (from, to int) { return piece * n / featurePieces, (piece + 1) * n / featurePieces }
	err := parallel.Step(ctx, featurePieces, func(_, piece int) {
		m.sums[piece] = grow(m.sums[piece], d*len(src))
		clear(m.sums[piece])
		i0, i1 := span(piece)
		for c := range src {
			m.phi.AddCombination(m.sums[piece][c*d:(c+1)*d], i0, i1, src[c][i0:i1])
		}
	})
	if err != nil {
		return err
	}
	w := m.sums[0]
	for _, other := range m.sums[1:] {
		vec.Axpy(1, other, w)
	}
	return parallel.Step(ctx, featurePieces, func(_, piece int) {
		i0, i1 := span(piece)
		for c := range dst {
			m.phi.DotsWith(dst[c][i0:i1], i0, i1, w[c*d:(c+1)*d])
		}
	})
}

// Close does nothing: the memory is the Go runtime's.
func (m *Features) Close() {}

// Precomputed is a Gram matrix that somebody else computed.
type Precomputed struct {
	n      int
	values []float64
}

// NewPrecomputed takes a symmetric n×n matrix, row after row, and keeps it. It
// panics unless there are n² values. It fails where two mirrored entries
// differ by more than rounding, or an entry is not finite.
func NewPrecomputed(n int, values []float64) (*Precomputed, error) {
	if len(values) != n*n {
		panic(fmt.Sprintf("gram: a precomputed matrix of %d points with %d values", n, len(values)))
	}
	for i := range n {
		for j := range i + 1 {
			a, b := values[i*n+j], values[j*n+i]
			if d := a - b; !(d*d <= 1e-12*(a*a+b*b)) {
				return nil, fmt.Errorf("the kernel matrix is not symmetric: (%d, %d) is %v, (%d, %d) is %v", i+1, j+1, a, j+1, i+1, b)
			}
		}
	}
	return &Precomputed{n, values}, nil
}

// Len returns n.
func (m *Precomputed) Len() int { return m.n }

// Row writes row i into dst, n values.
func (m *Precomputed) Row(dst []float64, i int) { copy(dst, m.values[i*m.n:(i+1)*m.n]) }

// Mul computes dst[c] = K·src[c] for all columns. It fails when ctx is done.
func (m *Precomputed) Mul(ctx context.Context, dst, src [][]float64) error {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("gram: Mul of %d columns into %d", len(src), len(dst)))
	}
	pieces := (m.n + tileSize - 1) / tileSize
	return parallel.Step(ctx, pieces, func(_, piece int) {
		i0, i1 := piece*tileSize, min((piece+1)*tileSize, m.n)
		for c := range dst {
			clear(dst[c][i0:i1])
			vec.MulTile(i1-i0, m.n, m.values[i0*m.n:i1*m.n], m.n, dst[c][i0:i1], src[c])
		}
	})
}

// Close does nothing: the memory is the caller's.
func (m *Precomputed) Close() {}
