package points

import (
	"fmt"
	"math"

	"lapsvm/internal/numbers/linalg"
)

// Statistic is the number of two points that a kernel is a function of.
type Statistic int

// The statistics.
const (
	Products Statistic = iota // ⟨x, y⟩, with the distance ‖x − y‖
	L1                        // ‖x − y‖₁ = Σ_k |x_k − y_k|, which is its own distance

	// Entries is the distance that a table holds. Row i has the distances of point i to n others, of
	// which point j is the unit vector of column j. So it is ⟨x, y⟩, and its own distance.
	Entries
)

// Self returns the statistic of a point x with itself, given ‖x‖²: ‖x‖² for Products, 0 for L1 and Entries.
// These give NaN where ‖x‖² is not finite.
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
// For [Products] and [Entries] it is [Points.Dots]. For [L1] distances of dense rows it sums in column order,
// at the cost of (i1−i0)·(j1−j0)·d differences where a table is dense, else of the stored
// values of both rows per pair. It panics where Dots does.
func (p *Points) Pairs(s Statistic, dst []float64, stride, i0, i1 int, q *Points, j0, j1 int) {
	if s != L1 {
		p.Dots(dst, stride, i0, i1, q, j0, j1)
		return
	}
	checkPairs("Pairs", p, q, len(dst), stride, i1-i0, j1-j0)
	if i0 >= i1 || j0 >= j1 {
		return
	}
	if p.Sparse() && q.Sparse() {
		for i := i0; i < i1; i++ {
			for j := j0; j < j1; j++ {
				dst[(i-i0)*stride+j-j0] = p.sparseL1(i, q, j)
			}
		}
		return
	}
	// Rows that are not float64 in memory are written out, one row of p at a time. Beside it is a
	// block of q, or one row of a sparse q.
	step := 1
	if !q.Sparse() {
		step = q.block()
	}
	row, others := p.room(1), q.room(step)
	for from := j0; from < j1; from += step {
		to := min(from+step, j1)
		y := q.written(others, from, to)
		for i := i0; i < i1; i++ {
			x := p.written(row, i, i+1)
			for j := from; j < to; j++ {
				dst[(i-i0)*stride+j-j0] = denseL1(x, y[(j-from)*p.d:(j-from+1)*p.d])
			}
		}
	}
}

// Distance returns the distance between row i of p and row j of q that belongs to a statistic:
// ‖p_i − q_j‖ for [Products], summed from differences, and ‖p_i − q_j‖₁ for [L1]. It is correct
// also where its square is out of the range of float64. For [Entries] it is ⟨p_i, q_j⟩. It panics
// when the numbers of columns differ. Cost: that of [Points.SquaredDistance].
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

// Between returns the distance between rows i and j that belongs to a statistic. Of [Entries] the table
// has a column for each of its rows, and the distance is the value in row i and column j.
func (p *Points) Between(s Statistic, i, j int) float64 {
	if s == Entries {
		return p.At(i, j)
	}
	return p.Distance(s, i, p, j)
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

// room returns memory for the rows that [Points.written] writes out; nil where it writes none.
func (p *Points) room(rows int) []float64 {
	if p.Sparse() {
		return make([]float64, rows*p.d)
	}
	return p.Scratch(rows)
}

// written returns rows as [Points.Rows] does, also of a sparse table.
func (p *Points) written(room []float64, from, to int) []float64 {
	if !p.Sparse() {
		return p.Rows(from, to, room)
	}
	for i := from; i < to; i++ {
		p.CopyRow(room[(i-from)*p.d:(i-from+1)*p.d], i)
	}
	return room[:(to-from)*p.d]
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
