package describe

import (
	"math"
	"slices"

	"lapsvm/points"
)

// Counts reports whether rows can say how often each has a word: all values are whole numbers, and none is negative.
func Counts(p *points.Points) bool {
	return EachRow(p, func(values []float64) bool {
		return !slices.ContainsFunc(values, func(v float64) bool { return !(v >= 0) || v != math.Trunc(v) })
	})
}

// EachRow calls f with the values of each row, of a sparse one with those that it has, until f returns false. It reports whether f never did.
func EachRow(p *points.Points, f func(values []float64) bool) bool {
	row := p.Scratch(1)
	for i := range p.Len() {
		values := row
		if p.Sparse() {
			_, values = p.SparseRow(i)
		} else {
			values = p.Row(i, row)
		}
		if !f(values) {
			return false
		}
	}
	return true
}

// weighed returns sparse rows of counts whose words weigh by how rare they are, see [csr.weigh], times a power of two.
func weighed(p *points.Points) *points.Points {
	all := make([]int, p.Len())
	for i := range all {
		all[i] = i
	}
	x := gathered(p, all, runs{{0, p.Dim()}})
	x.weigh()
	return points.CSR(p.Dim(), x.start, x.index, x.value)
}

// weigh multiplies each column by its weight, and returns the weights. Where m of n rows have a word, the weight is
//
//	ln((1+n)/(1+m))
//
// A rare word tells more of a row. A word that all rows have tells nothing.
func (x *csr) weigh() []float64 {
	weights := make([]float64, x.cols)
	for k, j := range x.index {
		if x.value[k] > 0 {
			weights[j]++
		}
	}
	for j, m := range weights {
		weights[j] = math.Log(float64(1+x.rows()) / (1 + m))
	}
	for k, j := range x.index {
		x.value[k] *= weights[j]
	}
	return weights
}

// beside returns sparse rows with others side by side, each of unit length before.
func beside(p, other *points.Points) *points.Points {
	unit := points.Scaling{Kind: points.UnitNorm}
	p, other = unit.Apply(p), unit.Apply(other)
	stored := p.Stored() + other.Stored()
	start, index, value := make([]int, 1, p.Len()+1), make([]int32, 0, stored), make([]float64, 0, stored)
	for i := range p.Len() {
		columns, values := p.SparseRow(i)
		index, value = append(index, columns...), append(value, values...)
		columns, values = other.SparseRow(i)
		for _, j := range columns {
			index = append(index, j+int32(p.Dim()))
		}
		value = append(value, values...)
		start = append(start, len(index))
	}
	return points.CSR(p.Dim()+other.Dim(), start, index, value)
}
