package selection

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/dataset"
)

// MacroF1 returns the mean over the classes of F1 = 2·TP/(2·TP + FP + FN) on the
// hidden labels, from 0 to 1. A class that is neither hidden nor predicted is left
// out; NaN where all are.
func (r Result) MacroF1() float64 {
	sum, classes := 0.0, 0
	for c, row := range r.Confusion {
		all := 0 // 2·TP + FP + FN
		for k, n := range row {
			all += n
			if k < len(r.Confusion) {
				all += r.Confusion[k][c]
			}
		}
		if all > 0 {
			sum += 2 * float64(row[c]) / float64(all)
			classes++
		}
	}
	return sum / float64(classes)
}

// auc returns the mean over the classes of the area under the ROC curve of their
// decision values, each class against the others, from 0 to 1. A class that all or
// none of the rows have is left out; NaN where all are. Rows without a label do not
// count. Cost: O(n log n) per class.
func (m machine) auc(scores [][]float64, truth []int) float64 {
	sum, classes := 0.0, 0
	for c, name := range m.own {
		class := slices.Index(m.classes, name)
		var values []rankedValue
		for i, row := range scores {
			if truth[i] != dataset.Unlabelled {
				values = append(values, rankedValue{row[c], truth[i] == class})
			}
		}
		if area := areaUnderROC(values); !math.IsNaN(area) {
			sum += area
			classes++
		}
	}
	return sum / float64(classes)
}

// rankedValue is a decision value, and whether its row is of the class.
type rankedValue struct {
	value float64
	is    bool
}

// areaUnderROC returns the share of pairs, one row of the class and one of another,
// in which the former has the larger value; equal values count half. It sorts
// values. NaN without pairs.
func areaUnderROC(values []rankedValue) float64 {
	slices.SortFunc(values, func(a, b rankedValue) int { return cmp.Compare(a.value, b.value) })
	pairs, others, of := 0.0, 0.0, 0.0 // larger in which, rows of other classes below, rows of the class
	for first := 0; first < len(values); {
		next, is, not := first, 0.0, 0.0
		for ; next < len(values) && values[next].value == values[first].value; next++ {
			if values[next].is {
				is++
			} else {
				not++
			}
		}
		pairs += is * (others + not/2)
		others, of, first = others+not, of+is, next
	}
	return pairs / (of * others)
}
