package summary

import (
	"cmp"
	"context"
	"slices"

	"lapsvm"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/kernel"
)

// What makes labels suspicious. Held-out values are confident and wrong where a part of the
// graph has lost its only label, and neighbours differ where classes overlap. Both together,
// and on two labels or more, are rare where all labels are right (docs/decisions/0027).
const (
	suspectFrom     = 0.75 // probability that a label is wrong, by machines without it
	suspectNearest  = 5    // labelled points, of which none has its class
	suspectAgree    = 4    // and so many that which the machines say
	fewestSuspects  = 2    // one may be a rare point
	fewestToSuspect = 20   // held-out labels: fewer tell nothing of how often labels are wrong
)

// Suspects returns the rows of d, ascending, with labels that look wrong after a training on
// d. A label looks wrong by two signs: [calibrate.Wrong] of the labels held out to learn
// probabilities, and the labels of the nearest labelled points. Suspects is nil where fewer
// than two labels look wrong, where no labels were held out, for kernel values, and when
// ctx is done. Cost:
// that of Wrong, and for each label that looks wrong to it one distance to every labelled
// point.
func Suspects(ctx context.Context, m *lapsvm.Model, d *dataset.Dataset) []int {
	heldOut, c := m.Training().HeldOut, m.Calibration()
	if heldOut == nil || c == nil || len(heldOut.Class) < fewestToSuspect || !kernel.OfFeatures(m.Kernel()) {
		return nil
	}
	p := make([][]float64, len(heldOut.Scores))
	for i, row := range heldOut.Scores {
		p[i] = make([]float64, len(row))
		c.Probabilities(p[i], row)
	}
	wrong, _ := calibrate.Wrong(p, heldOut.Class)
	if !slices.ContainsFunc(wrong, func(w float64) bool { return w >= suspectFrom }) { // describing points costs
		return nil
	}
	class := make(map[string]int)
	for k, name := range m.Classes() {
		class[name] = k
	}
	rows := d.Labelled()
	labelled, err := m.Predictor().PointsOf(ctx, d.Subset(rows))
	if err != nil {
		return nil
	}
	var suspects []int
	for i, w := range wrong {
		if w < suspectFrom {
			continue
		}
		said, given := -1, heldOut.Class[i]
		for k, v := range p[i] {
			if k != given && (said < 0 || v > p[i][said]) {
				said = k
			}
		}
		at, agree, same := heldOut.Label[i], 0, 0
		order := make([]int, 0, len(rows)-1)
		distance := make([]float64, len(rows))
		for j := range rows {
			if j != at {
				order, distance[j] = append(order, j), labelled.SquaredDistance(at, labelled, j)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
		for _, j := range order[:suspectNearest] {
			switch class[d.Classes[d.Y[rows[j]]]] {
			case said:
				agree++
			case given:
				same++
			}
		}
		if same == 0 && agree >= suspectAgree {
			suspects = append(suspects, rows[at])
		}
	}
	if len(suspects) < fewestSuspects {
		return nil
	}
	slices.Sort(suspects)
	return suspects
}
