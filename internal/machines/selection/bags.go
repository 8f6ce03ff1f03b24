package selection

import (
	"math"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
)

// What points are taken for bags of words by.
const (
	fewestWords = 100 // columns
	bagShare    = 0.5 // most of the values that are not 0
)

// bag reports whether the points of d are like counts or weights of words: at least a hundred columns, half of the values or more are 0, none is
// negative, and the rows differ in length. A long text has larger counts than a short one, whatever it tells. Cost: a pass over the points.
func bag(d *dataset.Dataset) bool {
	p := d.Points
	if !d.Untold() || p.Dim() < fewestWords || ofOneLength(p) {
		return false
	}
	most, filled := bagShare*float64(p.Len())*float64(p.Dim()), 0
	return describe.EachRow(p, func(values []float64) bool {
		for _, v := range values {
			if v < 0 || math.Signbit(v) {
				return false
			}
			if v > 0 {
				filled++
			}
		}
		return float64(filled) <= most
	})
}
