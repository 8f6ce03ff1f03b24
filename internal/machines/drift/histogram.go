package drift

import "math"

// Histogram returns a range of the values of a column, and the shares of the training and of the points in bars of equal width.
// Values between two deciles count as evenly spread. The range goes beyond the first and the ninth deciles by half their distance at most, and what lies
// beyond is in the outermost bars. The shares sum to 1.
func (r *ColumnReport) Histogram(bars int) (low, high float64, training, now []float64) {
	inner, outer := math.Min(r.Deciles[1], r.Now[1]), math.Max(r.Deciles[9], r.Now[9])
	low = math.Max(math.Min(r.Deciles[0], r.Now[0]), inner-(outer-inner)/2)
	high = math.Min(math.Max(r.Deciles[10], r.Now[10]), outer+(outer-inner)/2)
	return low, high, sharesOf(r.Deciles, low, high, bars), sharesOf(r.Now, low, high, bars)
}

// sharesOf returns the shares of a distribution with these deciles.
func sharesOf(deciles [11]float64, low, high float64, bars int) []float64 {
	below := func(x float64) float64 { // the share of smaller values
		share := 0.0
		for k := range 10 {
			switch from, to := deciles[k], deciles[k+1]; {
			case x > to:
				share++
			case x > from:
				share += (x - from) / (to - from)
			}
		}
		return share / 10
	}
	shares, last := make([]float64, bars), 0.0
	for k := range shares {
		upTo := 1.0
		if k < bars-1 {
			upTo = below(low + (high-low)*float64(k+1)/float64(bars))
		}
		shares[k], last = upTo-last, upTo
	}
	return shares
}
