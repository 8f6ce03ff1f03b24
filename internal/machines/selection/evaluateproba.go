package selection

import (
	"math"
	"slices"

	"lapsvm/calibrate"
	"lapsvm/dataset"
)

// reliability returns the reliability of the probabilities for rows of decision values, or nil
// without probabilities.
func (m machine) reliability(scores [][]float64, truth []int) []calibrate.Bin {
	if m.Calibration() == nil {
		return nil
	}
	proba, truth := m.probabilities(scores, truth)
	y := make([]int, len(truth))
	for i, class := range truth {
		y[i] = dataset.FindClass(m.task.Classes, m.classes[class])
	}
	return calibrate.Reliability(proba, y)
}

// probabilities returns the probabilities of the rows that have a label, and these labels.
func (m machine) probabilities(scores [][]float64, truth []int) (proba [][]float64, y []int) {
	for i, row := range scores {
		if truth[i] == dataset.Unlabelled {
			continue
		}
		p := make([]float64, len(row))
		m.Calibration().Probabilities(p, row)
		proba, y = append(proba, p), append(y, truth[i])
	}
	return proba, y
}

// SetsResult is what one repeat measured of sets of classes.
type SetsResult struct {
	Coverage float64 // share of the sets, from 0 to 1, that hold the right class
	Size     float64 // mean number of classes in a set

	// Of several classes at once, NaN else. A set is then of the classes that a row may have, and Coverage the share of the known
	// answers, whether a row has a class, that are not told otherwise.
	Sure float64 // mean number of classes that a row is told to have
	Told float64 // share of the answers that are told
}

func noSets() SetsResult {
	return SetsResult{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
}

// sets measures the sets of a level, 0 for none, for rows of decision values.
func (m machine) sets(scores [][]float64, truth []int, level float64) (r SetsResult, err error) {
	r = noSets()
	if level == 0 {
		return r, nil
	}
	proba, y := m.probabilities(scores, truth)
	sets, err := m.Sets(proba, level)
	if err != nil || len(sets) == 0 {
		return r, err
	}
	r = SetsResult{Sure: math.NaN(), Told: math.NaN()}
	n := float64(len(sets))
	for i, set := range sets {
		r.Size += float64(len(set)) / n
		if slices.ContainsFunc(set, func(class int) bool { return m.right(class, y[i]) }) {
			r.Coverage += 1 / n
		}
	}
	return r, nil
}
