package nystrom

import (
	"context"
	"math"

	"lapsvm/internal/numbers/linalg"
	"lapsvm/internal/points/gram"
)

// Diagonal is the Gram matrix of points of which none is like another, K̂ = Δ. A [Space] of it measures the intrinsic norm of Δ^−½ f,
//
//	Q = Δ^−½ (γA I + γI Lᵖ) Δ^−½
//
// With Δ the inverse degrees of the graph of a normalised Laplacian the norm of a constant is that of the ambient norm alone. So no point has larger values just because it has
// more edges.
type Diagonal struct {
	delta []float64
	root  []float64 // Δ^−½
}

// NewDiagonal makes the matrix of Δ, all above 0, which it keeps.
func NewDiagonal(delta []float64) *Diagonal {
	d := &Diagonal{delta, make([]float64, len(delta))}
	for i, v := range delta {
		d.root[i] = 1 / math.Sqrt(v)
	}
	return d
}

// Len returns the number of points.
func (d *Diagonal) Len() int { return len(d.delta) }

// Rank is 1: of a landmark that expresses nothing.
func (d *Diagonal) Rank() int { return 1 }

// Precision is double.
func (d *Diagonal) Precision() gram.Precision { return gram.Double }

// Order is that of the points.
func (d *Diagonal) Order() []int32 { return nil }

// At returns row.
func (d *Diagonal) At(row int) int { return row }

// Delta returns Δ.
func (d *Diagonal) Delta() []float64 { return d.delta }

// ToLandmarks clears dst.
func (d *Diagonal) ToLandmarks(_ context.Context, _ int, dst, _ [][]float64) {
	for _, panel := range dst {
		clear(panel)
	}
}

// AddFromLandmarks adds nothing.
func (d *Diagonal) AddFromLandmarks(context.Context, int, [][]float64, float64, [][]float64) {}

// Columns clears dst.
func (d *Diagonal) Columns(_ context.Context, _ int, dst []float64, _ int) { clear(dst) }

// AddRow adds nothing.
func (d *Diagonal) AddRow([]float64, float64, int) {}

// FetchRow does nothing.
func (d *Diagonal) FetchRow(int) {}

// Products returns 0.
func (d *Diagonal) Products(ctx context.Context, _ []float64, _ gram.Precision) (linalg.Matrix, error) {
	return linalg.New(1, 1), ctx.Err()
}
