package points

import (
	"fmt"
	"math"

	"lapsvm/internal/linalg"
)

// Statistic is the number that a kernel sees of two points.
type Statistic int

// The statistics.
const (
	Products Statistic = iota // ⟨x, y⟩; its distance is ‖x − y‖
	L1                        // ‖x − y‖₁ = Σ_k |x_k − y_k|; its distance is itself
)

// Self returns the statistic of a point with itself, given its ‖x‖²; NaN for a
// distance where that is not finite.
func Self[T float32 | float64](s Statistic, square T) T {
	if s == Products {
		return square
	}
	return square - square
}

// Pairs computes a block of a statistic of rows of p and rows of q:
//
//	dst[(i−i0)·stride + (j−j0)] = s(p_i, q_j)   for i0 ≤ i < i1, j0 ≤ j < j1
//
// For [Products] it is [Points.Dots]. L1 distances of dense rows are sums in the
// order of their columns. Cost of these: (i1−i0)·(j1−j0)·d differences for
// tables of which one is dense, the stored values of both rows per pair
// otherwise. It panics as Dots does.
func (p *Points) Pairs(s Statistic, dst []float64, stride, i0, i1 int, q *Points, j0, j1 int) {
	if s == Products {
		p.Dots(dst, stride, i0, i1, q, j0, j1)
		return
	}
	checkPairs("Pairs", p, q, len(dst), stride, i1-i0, j1-j0)
	if i0 >= i1 || j0 >= j1 {
		return
	}
	// Of a sparse and a dense table, the rows of the sparse one are spread out.
	var row, other []float64
	if p.Sparse() && !q.Sparse() {
		row = make([]float64, p.d)
	} else if q.Sparse() && !p.Sparse() {
		other = make([]float64, p.d)
	}
	for i := i0; i < i1; i++ {
		out := dst[(i-i0)*stride : (i-i0)*stride+j1-j0]
		if p.Sparse() && q.Sparse() {
			for c := range out {
				out[c] = p.sparseL1(i, q, j0+c)
			}
			continue
		}
		x := row
		if row != nil {
			p.CopyRow(row, i)
		} else {
			x = p.DenseRow(i)
		}
		for c := range out {
			y := other
			if other != nil {
				q.CopyRow(other, j0+c)
			} else {
				y = q.DenseRow(j0 + c)
			}
			out[c] = denseL1(x, y)
		}
	}
}

// Distance returns the distance of row i of p and row j of q that belongs to a
// statistic: Euclidean for [Products], and not by way of these, else
// ‖p_i − q_j‖₁. It is right where its square is out of the range of float64. Cost:
// as [Points.SquaredDistance]. It panics when the tables' columns differ.
func (p *Points) Distance(s Statistic, i int, q *Points, j int) float64 {
	if s == Products {
		if square := p.SquaredDistance(i, q, j); square > 1/plainSquare && square < plainSquare {
			return math.Sqrt(square)
		}
		return linalg.Norm(p.Differences(nil, i, q, j))
	}
	var d [1]float64
	p.Pairs(s, d[:], 1, i, i+1, q, j, j+1)
	return d[0]
}

func denseL1(x, y []float64) float64 {
	var s float64
	for k, v := range x {
		s += math.Abs(v - y[k])
	}
	return s
}

// sparseL1 merges two sparse rows.
func (p *Points) sparseL1(i int, q *Points, j int) float64 {
	xi, xv := p.SparseRow(i)
	yi, yv := q.SparseRow(j)
	var s float64
	a, b := 0, 0
	for a < len(xi) && b < len(yi) {
		switch {
		case xi[a] < yi[b]:
			s += math.Abs(xv[a])
			a++
		case xi[a] > yi[b]:
			s += math.Abs(yv[b])
			b++
		default:
			s += math.Abs(xv[a] - yv[b])
			a++
			b++
		}
	}
	for _, v := range xv[a:] {
		s += math.Abs(v)
	}
	for _, v := range yv[b:] {
		s += math.Abs(v)
	}
	return s
}

// checkPairs panics unless rows×cols values of two tables fit into length
// elements of this stride.
func checkPairs(fn string, p, q *Points, length, stride, rows, cols int) {
	if p.d != q.d {
		panic(fmt.Sprintf("points: %s of %d columns with %d columns", fn, p.d, q.d))
	}
	if rows > 0 && cols > 0 && (stride < cols || length < (rows-1)*stride+cols) {
		panic(fmt.Sprintf("points: %s of %d×%d into %d elements with stride %d", fn, rows, cols, length, stride))
	}
}
