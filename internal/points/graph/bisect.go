package graph

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// bisection divides points into parts of about the same weight, with few of the edges
// between neighbours from part to part.
type bisection struct {
	sketches []float32 // of width values
	width    int
	weight   []float64
	random   *rand.Rand
	part     []int // of every point
}

// The settings of the graph that is cut, and of the smoothing of the functions by which it is.
const (
	cutNeighbours = 8
	smoothing     = 128 // the power of I − L/2, and
	smoothings    = 3   // how often it is applied
)

// split divides some points into the parts from first on.
func (b *bisection) split(ctx context.Context, rows []int, first, parts int) error {
	if parts == 1 {
		for _, i := range rows {
			b.part[i] = first
		}
		return ctx.Err()
	}
	below := parts / 2
	halves, err := b.cut(ctx, rows, float64(below)/float64(parts))
	if err != nil {
		return err
	}
	if err := b.split(ctx, halves[0], first, below); err != nil {
		return err
	}
	return b.split(ctx, halves[1], first+below, parts-below)
}

// cut divides points into two parts, the first with a share of the weight, with few edges between
// them. It cuts along one of the smoothest functions on the graph of their neighbours (Pothen,
// Simon and Liou, 1990), the one that cuts the fewest edges. A few points are divided in their
// present order.
func (b *bisection) cut(ctx context.Context, rows []int, share float64) (halves [2][]int, err error) {
	n := len(rows)
	order := rowsFrom(0, n)
	if n <= cutNeighbours {
		return b.halves(rows, order, share), nil
	}
	sketches := make([]float32, 0, n*b.width)
	for _, i := range rows {
		sketches = append(sketches, b.sketches[i*b.width:(i+1)*b.width]...)
	}
	nb, err := FindNeighbours(ctx, points.Dense32(n, b.width, sketches), cutNeighbours, Euclidean)
	if err != nil {
		return halves, err
	}
	w, _, err := Connect(ctx, nb, Binary, 0)
	if err != nil {
		return halves, err
	}
	x, err := smoothest(ctx, w, b.random)
	if err != nil {
		return halves, err
	}
	fewest, second := math.MaxInt, make([]bool, len(b.part))
	for c := range vec.MaxPanel {
		slices.SortFunc(order, func(i, j int) int {
			return cmp.Or(cmp.Compare(x[i*vec.MaxPanel+c], x[j*vec.MaxPanel+c]), i-j)
		})
		candidate := b.halves(rows, order, share)
		for side, half := range candidate {
			for _, i := range half {
				second[i] = side == 1
			}
		}
		edges := 0
		for a, j := range nb.Index {
			if second[rows[a/cutNeighbours]] != second[rows[j]] {
				edges++
			}
		}
		if edges < fewest {
			fewest, halves = edges, candidate
		}
	}
	return halves, nil
}

// halves returns the points that come first in an order and have a share of the weight,
// and the others.
func (b *bisection) halves(rows, order []int, share float64) (halves [2][]int) {
	all, sum := 0.0, 0.0
	for _, i := range rows {
		all += b.weight[i]
	}
	for _, k := range order {
		side := 0
		if i := rows[k]; sum+b.weight[i]/2 >= share*all {
			side = 1
		}
		sum += b.weight[rows[k]]
		halves[side] = append(halves[side], rows[k])
	}
	return halves
}

// smoothest returns a panel of functions f with nearly the least Σ W_ij (f_i − f_j)² relative to
// Σ d_i f_i². It finds them by subspace iterations with a power of I − L/2 of the normalised
// Laplacian. One of them is constant.
func smoothest(ctx context.Context, w *Adjacency, random *rand.Rand) ([]float32, error) {
	const width = vec.MaxPanel
	x := make([]float32, w.Len()*width)
	for i := range w.Len() {
		x[i*width] = float32(math.Sqrt(w.Degree(i)))
		for c := 1; c < width; c++ {
			x[i*width+c] = float32(random.NormFloat64())
		}
	}
	power := NewLaplacian(w, false, 1).Polynomial(smoothingCoefficients(), 2)
	for range smoothings {
		power.Mul(ctx, width, x, x)
		orthonormalise(x)
	}
	smoothed := make([]float32, len(x))
	power.Mul(ctx, width, smoothed, x)
	rotate(x, smoothed)
	for i := range w.Len() {
		root := float32(math.Sqrt(w.Degree(i)))
		for c := range width {
			x[i*width+c] /= root
		}
	}
	return x, ctx.Err()
}

// smoothingCoefficients returns those of (I − L/2)^m, the m-th power, with m = smoothing,
// of the Chebyshev polynomials of L − I: (−1)^k·binomial(2m, m−k)/4^m, twice but the first; those
// that are too small to matter are left out.
func smoothingCoefficients() []float64 {
	const least = 1e-5
	c := 1.0
	for k := 1.0; k <= smoothing; k++ {
		c *= (2*k - 1) / (2 * k)
	}
	coefficients := []float64{c}
	for k := 1.0; k <= smoothing && math.Abs(c) > least; k++ {
		c *= -(smoothing - k + 1) / (smoothing + k)
		coefficients = append(coefficients, 2*c)
	}
	return coefficients
}

// orthonormalise makes the columns of a panel orthonormal, one after the other.
func orthonormalise(x []float32) {
	const width = vec.MaxPanel
	dot := func(a, b int) float64 {
		sum := 0.0
		for i := 0; i < len(x); i += width {
			sum += float64(x[i+a]) * float64(x[i+b])
		}
		return sum
	}
	for c := range width {
		for a := range c {
			by := float32(dot(a, c))
			for i := 0; i < len(x); i += width {
				x[i+c] -= by * x[i+a]
			}
		}
		length := float32(math.Sqrt(dot(c, c)))
		for i := 0; i < len(x) && length > 0; i += width {
			x[i+c] /= length
		}
	}
}

// rotate makes of the orthonormal columns X of a panel those of the same span for which
// XᵀPX is diagonal, px being PX: by Jacobi's rotations.
func rotate(x, px []float32) {
	const width, sweeps = vec.MaxPanel, 8
	var h, v [width][width]float64
	for a := range width {
		v[a][a] = 1
		for b := range width {
			for i := 0; i < len(x); i += width {
				h[a][b] += float64(x[i+a]) * float64(px[i+b])
			}
		}
	}
	for range sweeps {
		for a := range width {
			for b := range a {
				if h[a][b] == 0 {
					continue
				}
				sin, cos := math.Sincos(math.Atan2(2*h[a][b], h[a][a]-h[b][b]) / 2)
				turn := func(p, q *float64) { *p, *q = cos**p+sin**q, cos**q-sin**p }
				for k := range width {
					turn(&h[k][a], &h[k][b])
					turn(&v[k][a], &v[k][b])
				}
				for k := range width {
					turn(&h[a][k], &h[b][k])
				}
			}
		}
	}
	for i := 0; i < len(x); i += width {
		var row [width]float64
		for c := range row {
			for a := range width {
				row[c] += float64(x[i+a]) * v[a][c]
			}
		}
		for c, value := range row {
			x[i+c] = float32(value)
		}
	}
}
