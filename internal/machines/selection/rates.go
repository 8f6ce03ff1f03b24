package selection

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/dataset"
)

// ClassRates is how well one class is told from the others. Rates are shares from
// 0 to 1, and NaN where they would be of nothing.
type ClassRates struct {
	Rows      int     // of the class
	Recall    float64 // of these the share that is predicted as the class
	Precision float64 // of the rows predicted as the class the share that are of it
	F1        float64 // 2·TP/(2·TP + FP + FN), the harmonic mean of both
}

// RatesOf returns the rates of every class of a confusion, [class][predicted class]. The confusion
// may have one more column, for rows predicted as no class.
func RatesOf(confusion [][]int) []ClassRates {
	rates := make([]ClassRates, len(confusion))
	for c, row := range confusion {
		predicted := 0
		for _, of := range confusion {
			predicted += of[c]
		}
		r := &rates[c]
		for _, n := range row {
			r.Rows += n
		}
		right := float64(row[c])
		r.Recall, r.Precision = right/float64(r.Rows), right/float64(predicted)
		r.F1 = 2 * right / float64(r.Rows+predicted)
	}
	return rates
}

// Pooled returns the sum of the confusions get(r) of the results. There must be at least one
// result, and all must have the same classes.
func Pooled(results []Result, get func(Result) [][]int) [][]int {
	sum := make([][]int, len(get(results[0])))
	for c := range sum {
		sum[c] = make([]int, len(sum)+1)
		for _, r := range results {
			for k, n := range get(r)[c] {
				sum[c][k] += n
			}
		}
	}
	return sum
}

// MacroF1 returns the mean over the classes of F1 on the hidden labels, from 0 to 1.
// A class that is neither hidden nor predicted is left out; NaN where all are.
func (r Result) MacroF1() float64 {
	sum, classes := 0.0, 0
	for _, c := range RatesOf(r.Confusion) {
		if !math.IsNaN(c.F1) {
			sum += c.F1
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
	for c, name := range m.task.Classes {
		class := dataset.FindClass(m.classes, name)
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
