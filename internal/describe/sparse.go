package describe

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/points"
)

// runs are columns of a table: From ≤ j < To of each pair, in ascending order.
type runs [][2]int

func (r *runs) add(from, to int) {
	if from < to {
		*r = append(*r, [2]int{from, to})
	}
}

// without returns the columns that are not among others.
func (r runs) without(others runs) (rest runs) {
	for _, run := range r {
		at := run[0]
		for _, other := range others {
			if run[0] <= other[0] && other[0] < run[1] {
				rest.add(at, other[0])
				at = other[1]
			}
		}
		rest.add(at, run[1])
	}
	return rest
}

func (r runs) width() (width int) {
	for _, run := range r {
		width += run[1] - run[0]
	}
	return width
}

// place returns which of the columns j is, counted from 0.
func (r runs) place(j int) (place int, ok bool) {
	for _, run := range r {
		if run[0] <= j && j < run[1] {
			return place + j - run[0], true
		}
		place += run[1] - run[0]
	}
	return 0, false
}

// each calls f for what row i of a sparse table stores in the columns: the place of the column, and
// the value.
func (r runs) each(p *points.Points, i int, f func(place int, value float64)) {
	index, value := p.SparseRow(i)
	first := 0
	for _, run := range r {
		a, _ := slices.BinarySearch(index, int32(run[0]))
		for k := a; k < len(index) && int(index[k]) < run[1]; k++ {
			f(first+int(index[k])-run[0], value[k])
		}
		first += run[1] - run[0]
	}
}

// Sparse returns the rows of a table as sparse ones, which they may be.
func Sparse(p *points.Points) *points.Points {
	if p.Sparse() {
		return p
	}
	start, index, value, row := make([]int, 1, p.Len()+1), []int32(nil), []float64(nil), make([]float64, p.Dim())
	for i := range p.Len() {
		p.CopyRow(row, i)
		for j, v := range row {
			if v != 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		start = append(start, len(index))
	}
	return points.CSR(p.Dim(), start, index, value)
}

// csr is a sparse matrix.
type csr struct {
	start []int
	index []int32
	value []float64
	cols  int
}

func (x *csr) rows() int { return len(x.start) - 1 }

// gathered copies some rows and columns of a table, times the power of two that brings the largest
// value to about 1.
func gathered(p *points.Points, rows []int, columns runs) *csr {
	x := &csr{start: make([]int, 1, len(rows)+1), cols: columns.width()}
	for _, i := range rows {
		columns.each(p, i, func(j int, v float64) {
			x.index, x.value = append(x.index, int32(j)), append(x.value, v)
		})
		x.start = append(x.start, len(x.index))
	}
	largest := 0.0
	for _, v := range x.value {
		largest = max(largest, math.Abs(v))
	}
	_, exponent := math.Frexp(largest)
	for k, v := range x.value {
		x.value[k] = math.Ldexp(v, -exponent)
	}
	return x
}

// transposed returns Xᵀ.
func (x *csr) transposed() *csr {
	t := &csr{start: make([]int, x.cols+1), index: make([]int32, len(x.index)), value: make([]float64, len(x.value)), cols: x.rows()}
	for _, j := range x.index {
		t.start[j+1]++
	}
	for j := range x.cols {
		t.start[j+1] += t.start[j]
	}
	next := slices.Clone(t.start)
	for i := range x.rows() {
		for k := x.start[i]; k < x.start[i+1]; k++ {
			at := &next[x.index[k]]
			t.index[*at], t.value[*at] = int32(i), x.value[k]
			*at++
		}
	}
	return t
}

// times sets y to XW, with m columns row after row.
func (x *csr) times(ctx context.Context, w, y []float64, m int) error {
	const together = 64
	return parallel.Step(ctx, (x.rows()+together-1)/together, func(_, piece int) {
		for i := piece * together; i < min(x.rows(), (piece+1)*together); i++ {
			row := y[i*m : (i+1)*m]
			clear(row)
			for k := x.start[i]; k < x.start[i+1]; k++ {
				j := int(x.index[k])
				vec.Axpy(x.value[k], w[j*m:(j+1)*m], row)
			}
		}
	})
}
