package calibrate

import (
	"fmt"
	"math"
)

// reliabilityBins is the number of bins of [Reliability].
const reliabilityBins = 10

// Bin counts the rows whose largest probability lies between Low and High.
type Bin struct {
	Low, High float64
	Count     int
	Right     int     // rows whose largest probability is that of their class
	Sum       float64 // sum of the largest probabilities
}

// Reliability divides rows of probabilities, one per class, into ten bins of equal width from 1/C
// to 1 by their largest entry. It counts a row as right where this entry is that of the class
// y[i]; a class outside the row is never right. With calibrated probabilities Right is about Sum
// in every bin. Bins of rows of the same length can be added. Reliability returns nil without
// rows, and panics when the lengths differ. Cost: O(n·C).
func Reliability(proba [][]float64, y []int) []Bin {
	if len(y) != len(proba) {
		panic(fmt.Sprintf("calibrate: %d classes for %d rows of probabilities", len(y), len(proba)))
	}
	if len(proba) == 0 {
		return nil
	}
	least := 1 / float64(len(proba[0]))
	bins := make([]Bin, reliabilityBins)
	edge := func(k int) float64 { return least + (1-least)*float64(k)/reliabilityBins }
	for k := range bins {
		bins[k].Low, bins[k].High = edge(k), edge(k+1)
	}
	for i, row := range proba {
		top := first(row)
		k := 0
		for k < reliabilityBins-1 && row[top] >= bins[k].High {
			k++
		}
		bins[k].Count++
		bins[k].Sum += row[top]
		if top == y[i] {
			bins[k].Right++
		}
	}
	return bins
}

// CalibrationError returns the mean over all rows of |Right − Sum|/Count of their bin, the
// expected calibration error: 0 for calibrated probabilities, NaN without rows.
func CalibrationError(bins []Bin) float64 {
	count, sum := 0, 0.0
	for _, b := range bins {
		count += b.Count
		sum += math.Abs(float64(b.Right) - b.Sum)
	}
	return sum / float64(count)
}

// Wilson returns the 95 % confidence interval of a probability, from the share of successes (0 to
// 1) in trials, of which there is at least one. (Wilson, "Probable inference, the law of
// succession, and statistical inference", JASA 22, 1927.)
func Wilson(share float64, trials int) (low, high float64) {
	const z = 1.959964
	n := float64(trials)
	middle, half := (share+z*z/(2*n))/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	low, high = middle-half, middle+half
	if share == 0 {
		low = 0 // but for rounding
	}
	if share == 1 {
		high = 1
	}
	return low, high
}
