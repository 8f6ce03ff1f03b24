package lapsvm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/gram"
	"lapsvm/kernel"
)

// pruneBatch is how many rows of kernel values Prune has at a time.
const pruneBatch = 256

// Prune returns a model without basis points that hardly matter, and the
// largest change of a decision value that leaving them out makes at the basis
// points of m. That change is at most allowed, in units of the decision values,
// whose margin is 1. At other points the change may be larger; what is known of
// it there is that points near the basis see about the same.
//
// The points are gone through in the order of their weight, max_c |α_cj|·√k(b_j,
// b_j), the smallest first, and each is left out where the changes at all basis
// points stay within allowed. At least one stays. What remains keeps its
// coefficients. With allowed = 0 only points without any effect go; a linear
// model has one basis point per machine and stays as it is. The calibration is
// kept.
//
// It fails with [ErrParameter] for an allowed change that is negative or not a
// number, and when ctx is done. Cost: the kernel between all basis points in
// float64, and n²·machines multiply-adds; memory of 256 rows of that kernel.
func (m *Model) Prune(ctx context.Context, allowed float64) (pruned *Model, change float64, err error) {
	if !(allowed >= 0) {
		return nil, 0, ofKind(ErrParameter, fmt.Errorf("the allowed change of decision values is %v: it must be at least 0", allowed))
	}
	copied := *m
	if _, linear := m.kernel.(kernel.Linear); linear {
		return &copied, 0, nil
	}
	n := m.Basis()
	order := m.byWeight()
	changes := make([][]float64, m.Machines()) // of every machine at every basis point
	for c := range changes {
		changes[c] = make([]float64, n)
	}
	dropped, left := make([]bool, n), n
	for batch := range slices.Chunk(order, pruneBatch) {
		rows, err := gram.NewCross(ctx, m.basis.Subset(batch), m.basis, m.kernel, m.threads)
		if err != nil {
			return nil, 0, err
		}
		for i, j := range batch {
			if left > 1 && m.within(changes, rows.Row(i), j, allowed) {
				for c, machine := range m.coefficients {
					for r, k := range rows.Row(i) {
						changes[c][r] -= float64(machine[j] * k)
					}
				}
				dropped[j] = true
				left--
			}
		}
	}
	var kept []int
	for j := range n {
		if !dropped[j] {
			kept = append(kept, j)
		}
	}
	copied.basis = m.basis.Subset(kept)
	copied.coefficients = make([][]float64, m.Machines())
	for c, machine := range m.coefficients {
		for _, j := range kept {
			copied.coefficients[c] = append(copied.coefficients[c], machine[j])
		}
		for _, v := range changes[c] {
			change = max(change, math.Abs(v))
		}
	}
	return &copied, change, nil
}

// within reports whether all changes stay within allowed when basis point j,
// whose kernel values with the others are row, is left out too.
func (m *Model) within(changes [][]float64, row []float64, j int, allowed float64) bool {
	for c, machine := range m.coefficients {
		a := machine[j]
		for i, v := range changes[c] {
			if !(math.Abs(v-float64(a*row[i])) <= allowed) {
				return false
			}
		}
	}
	return true
}

// byWeight returns the basis points, the one with the smallest weight first; of
// equal ones the first.
func (m *Model) byWeight() []int {
	order, weight := make([]int, m.Basis()), make([]float64, m.Basis())
	self := make([]float64, 1)
	for j := range order {
		order[j] = j
		square := m.basis.Squares()[j]
		self[0] = square
		m.kernel.Map(self, square, []float64{square})
		for _, machine := range m.coefficients {
			weight[j] = max(weight[j], math.Abs(machine[j])*math.Sqrt(self[0]))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[a], weight[b]) })
	return order
}
