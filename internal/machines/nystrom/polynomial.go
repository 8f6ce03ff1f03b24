package nystrom

import (
	"math"
	"slices"

	"lapsvm/internal/numbers/vec"
)

// inverse is a polynomial that nearly is 1/(γI·x^p + c) on [0, λ], by its coefficients
// of the Chebyshev polynomials of 2x/λ − 1.
type inverse struct {
	coefficients []float64
	bound        float64 // λ
	c            float64
	off          float64 // the largest |1 − q(x)(γI·x^p + c)|
}

// goodEnough is the relative error that suffices: a preconditioner with this error costs one or two more iterations.
const goodEnough = 0.3

// degreesTried are those of the polynomials, ascending. A middle one comes first, as it is sooner fitted than the last.
var degreesTried = [...]int{4, 6, 8, 11, 14, 17, 21, 25, 30, 35, 41}

// invert fits the polynomial of the least degree whose error suffices. Where no degree suffices, c
// is raised until one does. q is then too small only for smooth functions, which the landmarks can
// express. The weights of the fit are adapted until the largest relative error is nearly minimal
// (Lawson, 1961).
func invert(gammaI float64, degree int, c, bound float64) inverse {
	for ; ; c *= 4 {
		from, enough := 0, len(degreesTried)/2
		best := fit(gammaI, degree, c, bound, degreesTried[enough])
		if best.off > goodEnough {
			from, enough = enough+1, len(degreesTried)-1
			if best = fit(gammaI, degree, c, bound, degreesTried[enough]); best.off > goodEnough {
				continue
			}
		}
		for from < enough {
			middle := (from + enough) / 2
			if q := fit(gammaI, degree, c, bound, degreesTried[middle]); q.off <= goodEnough {
				best, enough = q, middle
			} else {
				from = middle + 1
			}
		}
		return best
	}
}

func fit(gammaI float64, degree int, c, bound float64, steps int) inverse {
	const rounds = 12
	size, nodes := steps+1, 12*(steps+1)
	basis, value, weight := make([][]float64, nodes), make([]float64, nodes), make([]float64, nodes)
	for i := range nodes {
		t := math.Cos(math.Pi * (float64(i) + 0.5) / float64(nodes))
		x := bound / 2 * (t + 1)
		value[i], weight[i] = gammaI*math.Pow(x, float64(degree))+c, 1
		basis[i] = make([]float64, size)
		for k := range basis[i] {
			basis[i][k] = math.Cos(float64(k)*math.Acos(t)) * value[i]
		}
	}
	best := inverse{c: c, off: math.Inf(1)}
	for range rounds {
		a := leastSquares(basis, weight)
		off, mean := 0.0, 0.0
		residual := make([]float64, nodes)
		for i, row := range basis {
			residual[i] = math.Abs(1 - vec.Dot(a, row))
			off = max(off, residual[i])
		}
		if off < best.off {
			best.coefficients, best.bound, best.off = a, bound, off
		}
		for i := range weight {
			weight[i] *= residual[i]
			mean += weight[i] / float64(nodes)
		}
		for i := range weight {
			weight[i] = max(weight[i]/mean, 1e-8)
		}
	}
	return best
}

// leastSquares returns a that minimises Σ_i w_i (1 − Σ_k a_k b_ik)², by orthogonal
// columns.
func leastSquares(b [][]float64, w []float64) []float64 {
	rows, size := len(b), len(b[0])
	q := make([][]float64, size) // columns
	r := make([][]float64, size)
	root := make([]float64, rows)
	for i, v := range w {
		root[i] = math.Sqrt(v)
	}
	right := slices.Clone(root)
	projected := make([]float64, size)
	for k := range q {
		q[k], r[k] = make([]float64, rows), make([]float64, size)
		for i, v := range root {
			q[k][i] = b[i][k] * v
		}
	}
	for k := range q {
		norm := math.Sqrt(vec.Dot(q[k], q[k]))
		r[k][k] = norm
		for i := range q[k] {
			q[k][i] /= norm
		}
		for j := k + 1; j < size; j++ {
			r[k][j] = vec.Dot(q[k], q[j])
			vec.Axpy(-r[k][j], q[k], q[j])
		}
		projected[k] = vec.Dot(q[k], right)
		vec.Axpy(-projected[k], q[k], right)
	}
	for k := size - 1; k >= 0; k-- {
		for j := k + 1; j < size; j++ {
			projected[k] -= r[k][j] * projected[j]
		}
		projected[k] /= r[k][k]
	}
	return projected
}
