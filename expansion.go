package lapsvm

import (
	"slices"

	"lapsvm/kernel"
	"lapsvm/points"
)

// compact reduces an expansion: with the linear kernel to one basis point per
// machine, its weight vector; else to the points that any machine uses, which
// it names.
func compact(p *points.Points, k kernel.Kernel, alpha [][]float64) (basis *points.Points, coefficients [][]float64, used []int) {
	machines := len(alpha)
	coefficients = make([][]float64, machines)
	if k.Kind().Linear {
		weights := make([]float64, machines*p.Dim())
		for c := range machines {
			p.AddCombination(weights[c*p.Dim():(c+1)*p.Dim()], 0, p.Len(), alpha[c])
		}
		for c := range coefficients {
			coefficients[c] = make([]float64, machines)
			coefficients[c][c] = 1
		}
		return points.Dense(machines, p.Dim(), weights), coefficients, nil
	}
	for i := range p.Len() {
		if slices.ContainsFunc(alpha, func(a []float64) bool { return a[i] != 0 }) {
			used = append(used, i)
		}
	}
	if len(used) == 0 {
		used = []int{0}
	}
	for c := range coefficients {
		for _, i := range used {
			coefficients[c] = append(coefficients[c], alpha[c][i])
		}
	}
	if len(used) == p.Len() {
		return p, coefficients, used
	}
	return p.Subset(used), coefficients, used
}
