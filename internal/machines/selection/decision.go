package selection

import (
	"cmp"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// Decision is the decision of a repeat on a row with a hidden label.
type Decision struct {
	Row       int     // of the data set
	Class     int     // its hidden label, an index into the data's classes
	Predicted int     // another one, or the same; dataset.Unlabelled outside of the one class
	Lead      float64 // of the class predicted, see [train.Lead]
}

// decisions returns the decisions on rows with a hidden label, of the smallest lead first. Row k of scores is row
// rows[k] of the data set and has the hidden label y[k].
func (m machine) decisions(scores [][]float64, y, rows []int) []Decision {
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
		d.Lead, _ = train.Lead(row)
		all = append(all, d)
	}
	slices.SortStableFunc(all, func(a, b Decision) int { return cmp.Compare(a.Lead, b.Lead) })
	return all
}
