package points

import (
	"fmt"
	"math"

	"lapsvm/internal/numbers/vec"
)

// How far values may be from whole multiples, in parts of themselves: as far as two are that
// were rounded, to float32 or to float64 and in the arithmetic that finds this out.
const (
	RoundedSingle = 0x1.01p-23
	RoundedDouble = 0x1p-50
)

// Multiples reports whether all values of row i of a dense table are whole multiples of one
// number, 0 to 255 times it, but for rounding, [RoundedSingle] or [RoundedDouble]: as bytes are that were divided by 255 or by the
// length of their row. It writes the multiples into dst, d of them, as small as they
// can be, and returns the number, the unit: ‖unit·dst‖ is ‖x_i‖. A row of zeros has the
// unit 1. What is found depends on the values as they are read alone, not on what they are stored in.
// scratch is that of [Points.Row]. Cost: two passes over the row where it has multiples, as
// a rule one and some values where not. It panics for a sparse table and where dst does not
// have d elements.
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
	for most := 1.0; most <= 255; most++ { // what the largest value is a multiple by
		if _, ok := multiple(least, most/largest, rounding); !ok || !multiples(dst, row, most/largest, rounding) {
			continue
		}
		return math.Sqrt(p.square[i] / float64(vec.DotBytes(dst, dst))), true
	}
	return 0, false
}

// multiples writes the whole multiples that values are after a factor, if they all are.
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
