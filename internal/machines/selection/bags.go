package selection

import (
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
)

// bag reports whether the points of d are like counts or weights of words: no fewer columns than directions have, half of the values or more are 0, none is
// negative, and the rows differ in length. A long text has larger counts than a short one, whatever it tells. Cost: a pass over the points.
func bag(d *dataset.Dataset) bool {
	p := d.Points
	if !d.Untold() || p.Dim() < fewestDirections || ofOneLength(p) {
		return false
	}
	most, filled := p.Len()*p.Dim()/2, 0
	return describe.EachRow(p, func(values []float64) bool {
		for _, v := range values {
			if v < 0 || math.Signbit(v) {
				return false
			}
			if v > 0 {
				filled++
			}
		}
		return filled <= most
	})
}
