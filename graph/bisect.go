package graph

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/vec"
	"lapsvm/points"
)

// bisection puts points in an order in which parts of them lie together, of about as many
// points each, with few of the edges between neighbours from part to part.
type bisection struct {
	sketches []float32 // of width values
	width    int
	random   *rand.Rand
	order    []int
	start    []int // by part, where it begins
}

// The graph that is cut, and how the functions on it are smoothed by which it is.
const (
	cutNeighbours = 8
	smoothing     = 128 // the power of I − L/2, and
	smoothings    = 3   // how often it is applied
)

// split appends so many parts of some points.
func (b *bisection) split(ctx context.Context, rows []int, parts int) error {
	if parts == 1 {
		b.start = append(b.start, len(b.order))
		b.order = append(b.order, rows...)
		return ctx.Err()
	}
	below := parts / 2
	order, err := b.cut(ctx, rows, len(rows)*below/parts)
	if err != nil {
		return err
	}
	if err := b.split(ctx, order[:len(rows)*below/parts], below); err != nil {
		return err
	}
	return b.split(ctx, order[len(rows)*below/parts:], parts-below)
}

// cut returns points in an order that has few edges between the first so many and the
// others: that of one of the smoothest functions on the graph of their neighbours (Pothen,
// Simon and Liou, 1990), whichever cuts the fewest. Few points stay as they are.
func (b *bisection) cut(ctx context.Context, rows []int, first int) ([]int, error) {
	n := len(rows)
	if n <= cutNeighbours {
		return rows, nil
	}
	sketches := make([]float32, 0, n*b.width)
	for _, i := range rows {
		sketches = append(sketches, b.sketches[i*b.width:(i+1)*b.width]...)
	}
	nb, err := FindNeighbours(ctx, points.Dense32(n, b.width, sketches), cutNeighbours, Euclidean)
	if err != nil {
		return nil, err
	}
	w, _ := Connect(nb, Binary, 0)
	x, err := smoothest(ctx, w, b.random)
	if err != nil {
		return nil, err
	}
	var best []int
	fewest, second := math.MaxInt, make([]bool, n)
	for c := 1; c < vec.MaxPanel; c++ { // the first is constant
		order := rowsFrom(0, n)
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Compare(x[i*vec.MaxPanel+c], x[j*vec.MaxPanel+c])
		})
		for k, i := range order {
			second[i] = k >= first
		}
		edges := 0
		for a, j := range nb.Index {
			if second[a/cutNeighbours] != second[j] {
				edges++
			}
		}
		if edges < fewest {
			fewest, best = edges, order
		}
	}
	for k, i := range best {
		best[k] = rows[i]
	}
	return best, nil
}

// smoothest returns a panel of functions f that nearly span those of the least
// Σ W_ij (f_i − f_j)² for their Σ d_i f_i², by subspace iterations with a power of I − L/2 of the
// normalised Laplacian. The first is constant.
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
		power.Mul(ctx, x, x)
		orthonormalise(x)
	}
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
