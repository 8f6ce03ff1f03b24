package points

import (
	"fmt"
	"math"

	"lapsvm/internal/numbers/vec"
)

// The relative errors within which [Points.Multiples] takes a value for a whole multiple: those
// of values rounded to float32 or to float64, with the errors of its own arithmetic.
const (
	RoundedSingle = 0x1.01p-23
	RoundedDouble = 0x1p-50
)

// Multiples reports whether all values of row i of a dense table are whole multiples, 0 to 255,
// of one number, the unit, within the relative error rounding: [RoundedSingle] or
// [RoundedDouble]. Such are bytes divided by 255 or by the length of their row. Multiples writes
// the d factors into dst, reduced to the lowest, and returns the unit for which
// ‖unit·dst‖ = ‖x_i‖. A row of zeros has the unit 1. The result depends on the values as they
// are read, not on the storage of the table. scratch is as in [Points.Row]. It panics for a
// sparse table, and where dst does not have d elements. Cost: two passes over a row of
// multiples; for other rows usually one pass and a few values.
func (p *Points) Multiples(dst []uint8, i int, rounding float64, scratch []float64) (unit float64, ok bool) {
	if len(dst) != p.d {
		panic(fmt.Sprintf("points: Multiples of %d columns into %d bytes", p.d, len(dst)))
	}
	row := p.Row(i, scratch)
	least, largest := math.Inf(1), 0.0
	for _, v := range row {
		if !(v >= 0 && v <= math.MaxFloat32) {
			return 0, false
		}
		if v > 0 && v < least {
			least = v
		}
		largest = max(largest, v)
	}
	if largest == 0 {
		clear(dst)
		return 1, true
	}
	for most := 1.0; most <= 255; most++ { // factor of the largest value
		if _, ok := multiple(least, most/largest, rounding); !ok || !multiples(dst, row, most/largest, rounding) {
			continue
		}
		return math.Sqrt(p.square[i] / float64(vec.DotBytes(dst, dst))), true
	}
	return 0, false
}

// multiples writes the products of a row with factor into dst, and reports whether all are whole
// numbers.
func multiples(dst []uint8, row []float64, factor, rounding float64) bool {
	for j, v := range row {
		k, ok := multiple(v, factor, rounding)
		if !ok {
			return false
		}
		dst[j] = k
	}
	return true
}

// multiple returns the whole number nearest to v·factor, which is at most 255, and whether it
// is near enough.
func multiple(v, factor, rounding float64) (uint8, bool) {
	times := float64(v * factor)
	k := uint8(times + 0.5)
	return k, math.Abs(times-float64(k)) <= rounding*times
}
