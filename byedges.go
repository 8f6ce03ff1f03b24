package lapsvm

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// Featureless reports whether the model was trained on rows without a feature, of which edges alone are known. [Model.Features]
// are then the names of these rows, where they had some.
func (m *Model) Featureless() bool { return m.featureless }

// RowsByEdges returns n new rows for a model of rows without a feature. An arc joins the new row From to the training row To,
// both from 0 on. The features of row i are
//
//	x_ij = w_ij / Σ_k |w_ik|,   so that   f(x_i) = b + Σ_j w_ij h_j / Σ_j |w_ij|
//
// with the decision value f_j = b + h_j of training row j: the mean of the rows that it is joined to, where weights are positive.
// There Σ_j |w_ij| (h − sign(w_ij) h_j)² is least, which is what the edges add to the intrinsic norm of an unnormalised Laplacian.
// A row without an arc is decided by the bias b alone. Repeated arcs are added. It fails with [ErrParameter] for a model of rows with features, for arcs of
// other rows and for weights that are not finite. (Delalleau, Bengio, Le Roux, "Efficient Non-Parametric Function Induction in
// Semi-Supervised Learning", 2005.)
func (m *Model) RowsByEdges(n int, arcs []dataset.Arc) (*points.Points, error) {
	if !m.featureless {
		return nil, train.OfKind(ErrParameter, errors.New("the model decides rows by their features: edges decide those of a model that was trained on rows without any"))
	}
	d := m.Dim()
	rows, sums := make([]map[int32]float64, n), make([]float64, n)
	for k, a := range arcs {
		if a.From < 0 || a.From >= n || a.To < 0 || a.To >= d || math.IsNaN(a.Weight) || math.IsInf(a.Weight, 0) {
			return nil, train.OfKind(ErrParameter, fmt.Errorf("arc %d joins the new row %d of %d to the training row %d of %d with the weight %v", k+1, a.From+1, n, a.To+1, d, a.Weight))
		}
		if rows[a.From] == nil {
			rows[a.From] = make(map[int32]float64)
		}
		rows[a.From][int32(a.To)] += a.Weight
	}
	start, index, value := make([]int, n+1), []int32{}, []float64{}
	for i, row := range rows {
		var to []int32
		largest := 0.0
		for j, w := range row {
			if w != 0 {
				to, largest = append(to, j), max(largest, math.Abs(w))
			}
		}
		slices.Sort(to)
		for _, j := range to {
			sums[i] += math.Abs(row[j] / largest) // which no sum of weights overflows
		}
		for _, j := range to {
			index, value = append(index, j), append(value, row[j]/largest/sums[i])
		}
		start[i+1] = len(index)
	}
	return points.CSR(d, start, index, value), nil
}
