package layout

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/graph"
)

// Constants of [smoothest]: the degree of its filter and the number of times it is applied. The
// filter has its peak at the eigenvalue 0 and a width of about (π/degree)²/2 of the largest
// eigenvalue.
const (
	filterDegree = 60
	filterRounds = 5
)

// smoothest returns the directions in which a connected graph extends: D^−½v for the
// eigenvectors v of the smallest non-zero eigenvalues of its normalised Laplacian, count of
// them, each with the mean square 1. It filters 16 columns by a Chebyshev polynomial with
// Jackson damping, makes them orthogonal, repeats both, and takes eigenvectors from their span
// by the Rayleigh–Ritz method. Cost: 300 products with L. (Zhou, Saad, Tiago and Chelikowsky,
// "Self-consistent-field calculations using Chebyshev-filtered subspace iteration", 2006.)
func smoothest(ctx context.Context, w *graph.Adjacency, count int, seed uint64) [][]float64 {
	const width = vec.MaxPanel
	n := w.Len()
	l := graph.NewLaplacian(w, false, 1)
	coefficients := make([]float64, filterDegree+1)
	for k := range coefficients {
		angle := math.Pi / (filterDegree + 2)
		damping := ((filterDegree+2-float64(k))*math.Sin(angle)*math.Cos(float64(k)*angle) + math.Cos(angle)*math.Sin(float64(k)*angle)) / ((filterDegree + 2) * math.Sin(angle))
		coefficients[k] = damping * math.Pow(-1, float64(k))
		if k > 0 {
			coefficients[k] *= 2
		}
	}
	filter := l.Polynomial(coefficients, l.Norm())
	r := rand.New(rand.NewPCG(seed, 1))
	x, y := make([]float64, n*width), make([]float64, n*width)
	from, to := make([]float32, n*width), make([]float32, n*width)
	for i := range from {
		from[i] = float32(r.NormFloat64())
	}
	for range filterRounds {
		if ctx.Err() != nil {
			return nil
		}
		filter.Mul(ctx, width, to, from)
		vec.Widen(x, to)
		values, v := jacobi(products(ctx, x, x))
		for c := range width { // XᵀX = VΛVᵀ: the columns of XVΛ^−½ are orthogonal
			scale := 0.0
			if values[c] > 1e-12*slices.Max(values[:]) {
				scale = 1 / math.Sqrt(values[c])
			}
			for k := range width {
				v[k][c] *= scale
			}
		}
		turn(ctx, y, x, &v)
		vec.Narrow(from, y)
	}
	l.MulPanel(ctx, width, x, y)
	values, v := jacobi(products(ctx, y, x))
	turn(ctx, x, y, &v)
	lengths := products(ctx, x, x)
	var order []int
	for c := range width {
		if lengths[c][c] > 0.5 { // the others were too near to these, and are 0
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	all := make([][]float64, count)
	for k := range all {
		if all[k] = make([]float64, n); k+1 >= len(order) {
			continue
		}
		sum := 0.0
		for i := range n {
			v := x[i*width+order[k+1]] / math.Sqrt(w.Degree(i))
			all[k][i] = v
			sum += v * v
		}
		for i := range all[k] {
			all[k][i] *= math.Sqrt(float64(n) / sum)
		}
	}
	return all
}

// square is a small symmetric matrix, or its eigenvectors by columns.
type square [vec.MaxPanel][vec.MaxPanel]float64

// products returns XᵀY for two panels, summed in fixed pieces, so that the bits do not depend on
// the number of threads.
func products(ctx context.Context, x, y []float64) square {
	const width, rows = vec.MaxPanel, 4096
	n := len(x) / width
	sums := make([]square, (n+rows-1)/rows)
	parallel.Do(ctx, len(sums), func(_, piece int) {
		s := &sums[piece]
		for i := piece * rows; i < min((piece+1)*rows, n); i++ {
			right := y[i*width : (i+1)*width]
			for a, v := range x[i*width : (i+1)*width] {
				for b, u := range right {
					s[a][b] += v * u
				}
			}
		}
	})
	var total square
	for _, s := range sums {
		for a := range width {
			for b := range width {
				total[a][b] += s[a][b]
			}
		}
	}
	return total
}

// turn computes dst = X·V for a panel.
func turn(ctx context.Context, dst, x []float64, v *square) {
	const width, rows = vec.MaxPanel, 4096
	n := len(x) / width
	parallel.Do(ctx, (n+rows-1)/rows, func(_, piece int) {
		for i := piece * rows; i < min((piece+1)*rows, n); i++ {
			row, to := x[i*width:(i+1)*width], dst[i*width:(i+1)*width]
			clear(to)
			for a, u := range row {
				for b := range to {
					to[b] += u * v[a][b]
				}
			}
		}
	})
}

// jacobi returns the eigenvalues of a symmetric matrix and its eigenvectors, by rotations
// of two rows and columns at a time (Golub and Van Loan, "Matrix Computations", 8.5).
func jacobi(a square) (values [vec.MaxPanel]float64, v square) {
	const width, sweeps = vec.MaxPanel, 30
	for k := range width {
		v[k][k] = 1
	}
	for range sweeps {
		off, all := 0.0, 0.0
		for p := range width {
			for q := range width {
				all += a[p][q] * a[p][q]
				if p != q {
					off += a[p][q] * a[p][q]
				}
			}
		}
		if off <= 1e-30*all {
			break
		}
		for p := range width {
			for q := p + 1; q < width; q++ {
				if a[p][q] == 0 {
					continue
				}
				tau := (a[q][q] - a[p][p]) / (2 * a[p][q])
				t := 1 / (math.Abs(tau) + math.Hypot(1, tau))
				if tau < 0 {
					t = -t
				}
				c := 1 / math.Hypot(1, t)
				s := t * c
				for k := range width {
					a[k][p], a[k][q] = c*a[k][p]-s*a[k][q], s*a[k][p]+c*a[k][q]
				}
				for k := range width {
					a[p][k], a[q][k] = c*a[p][k]-s*a[q][k], s*a[p][k]+c*a[q][k]
					v[k][p], v[k][q] = c*v[k][p]-s*v[k][q], s*v[k][p]+c*v[k][q]
				}
			}
		}
	}
	for k := range width {
		values[k] = a[k][k]
	}
	return values, v
}
