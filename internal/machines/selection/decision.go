package selection

import (
	"cmp"
	"math"
	"slices"

	"lapsvm/dataset"
)

// Decision is the decision of a repeat on a row with a hidden label.
type Decision struct {
	Row       int     // of the data set
	Class     int     // its hidden label, an index into the data's classes
	Predicted int     // another one, or the same; dataset.Unlabelled outside of the one class
	Lead      float64 // of the class predicted, see [Lead]
}

// decisionsKept is how many decisions of each kind a result has at most.
const decisionsKept = 24

// Lead returns by how much the first class of a row of decision values leads: the largest value
// less the second. With two classes and with one it is the magnitude of the single value. Result
// second is the class with the second value, dataset.Unlabelled for one class.
func Lead(row []float64) (margin float64, second int) {
	if len(row) == 1 {
		return math.Abs(row[0]), dataset.Unlabelled
	}
	top, next := 0, 1
	if row[1] > row[0] {
		top, next = 1, 0
	}
	for c := 2; c < len(row); c++ {
		switch {
		case row[c] > row[top]:
			top, next = c, top
		case row[c] > row[next]:
			next = c
		}
	}
	if len(row) == 2 {
		return math.Abs(row[1]), next
	}
	return row[top] - row[next], next
}

// decisions returns the wrong decisions with the largest lead, the largest first, and
// of all decisions those with the smallest, the smallest first. Row k of scores is row
// rows[k] of the data set and has the hidden label y[k].
func (m machine) decisions(scores [][]float64, y, rows []int) (wrong, uncertain []Decision) {
	predicted := m.Decide(scores)
	all := make([]Decision, 0, len(y))
	for k, row := range scores {
		if y[k] == dataset.Unlabelled {
			continue
		}
		d := Decision{Row: rows[k], Class: y[k], Predicted: dataset.Unlabelled}
		if predicted[k] != dataset.Unlabelled {
			d.Predicted = dataset.FindClass(m.classes, m.task.Classes[predicted[k]])
		}
		d.Lead, _ = Lead(row)
		all = append(all, d)
	}
	slices.SortStableFunc(all, func(a, b Decision) int { return cmp.Compare(a.Lead, b.Lead) })
	uncertain = slices.Clone(all[:min(decisionsKept, len(all))])
	for k := len(all) - 1; k >= 0 && len(wrong) < decisionsKept; k-- {
		if all[k].Predicted != all[k].Class {
			wrong = append(wrong, all[k])
		}
	}
	return wrong, uncertain
}
