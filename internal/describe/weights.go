package describe

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/numbers/vec"
)

const (
	weighedRows      = 1000 // most rows that the weights of parts are found on
	weighedNeighbour = 10   // neighbours that the local dimension is found by
	leastGap         = 1e-3 // added to squared distances, so that equal pictures leave them above 0
)

// weigh multiplies the components of parts that stand side by side. numbers has the numbers of each part for n rows, less their
// means. By the part alone, with the mean square norm 1, t(1) ≤ … ≤ t(k) are the squared distances of a row to its k = 10 nearest others,
// plus 0.001. With means over the rows the part gets the mean square norm
//
//	w ∝ 1/(g·m),   g = mean t(1),   1/m = mean ½ ln t(k)/t(j) over j < k
//
// and all parts have as many as there are. m is the local dimension of the points (Levina and Bickel, "Maximum likelihood estimation of
// intrinsic dimension", 2004). So a part that is mostly noise counts for little: even the nearest
// rows are far apart, and they differ in many ways. Cost: a product of at most 1,000 rows by one another, for each part.
func weigh(ctx context.Context, parts []Part, numbers [][]float32, n int) error {
	if len(parts) < 2 {
		return nil
	}
	weights, sum := make([]float64, len(parts)), 0.0
	for k := range parts {
		gap, inverse, err := gaps(ctx, &parts[k], numbers[k], n)
		if err != nil {
			return err
		}
		weights[k] = inverse / gap
		sum += weights[k]
	}
	for k, w := range weights {
		factor := float32(math.Sqrt(w * float64(len(parts)) / sum))
		for i := range parts[k].Components {
			parts[k].Components[i] *= factor
		}
	}
	return nil
}

// gaps returns g and 1/m of a part over at most 1,000 rows. Where 1/m is less than 0.001, as that of equal rows is, it counts as 0.001.
func gaps(ctx context.Context, p *Part, numbers []float32, n int) (gap, inverse float64, err error) {
	length, m, count := len(p.Mean), p.Dim(), min(n, weighedRows)
	some := make([]float32, count*length)
	for i := range count {
		copy(some[i*length:(i+1)*length], numbers[i*n/count*length:])
	}
	rows, products := make([]float32, count*m), make([]float32, count*count)
	if err := vec.Gemm(ctx, false, false, count, m, length, 1, some, length, p.Components, m, 0, rows, m); err != nil {
		return 0, 0, err
	}
	if err := vec.Gemm(ctx, false, true, count, count, m, 1, rows, m, rows, m, 0, products, count); err != nil {
		return 0, 0, err
	}
	k := min(weighedNeighbour, count-1)
	nearest := make([]float64, 0, k+1)
	for i := range count {
		nearest = nearest[:0]
		for j, product := range products[i*count : (i+1)*count] {
			if j == i {
				continue
			}
			t := max(0, float64(products[i*count+i])+float64(products[j*count+j])-2*float64(product)) + leastGap
			if len(nearest) == k && t >= nearest[k-1] {
				continue
			}
			at, _ := slices.BinarySearch(nearest, t)
			nearest = slices.Insert(nearest[:min(len(nearest), k-1)], at, t)
		}
		gap += nearest[0]
		for _, t := range nearest[:k-1] {
			inverse += math.Log(nearest[k-1]/t) / 2 / float64(k-1)
		}
	}
	return gap / float64(count), max(inverse/float64(count), 1e-3), nil
}
