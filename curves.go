package lapsvm

import (
	"cmp"
	"context"
	"slices"

	"lapsvm/dataset"
	"lapsvm/points"
)

// What curves are measured on.
const (
	curveSteps  = 7    // of a curve, at most
	curveRows   = 50   // that have each value, at most
	fewestRows  = 8    // and at least, where there are as many
	curveScores = 3000 // decision values, as far as fewestRows allows
)

// addCurves adds the curves of columns, in the order of all, on drawn points p. Values are those of a sample, and of categories those of all points by their counts.
func (m *Model) addCurves(ctx context.Context, sample, p *points.Points, columns []column, counts []int, all []Importance) error {
	numbers, row := make([][]float64, len(columns)), make([]float64, p.Dim())
	for i := range sample.Len() {
		sample.CopyRow(row, i)
		for k, c := range columns {
			if c.of == nil || c.of.Valued() && c.to == c.from+1 {
				numbers[k] = append(numbers[k], row[c.from])
			}
		}
	}
	var steps settings
	var of []int // the column of each step
	for k, c := range columns {
		values := c.values(numbers[k], counts)
		for _, with := range values {
			steps, of = append(steps, setting{c, with}), append(of, k)
		}
	}
	if len(steps) == 0 {
		return nil
	}
	rows := min(p.Len(), curveRows, max(fewestRows, curveScores/len(steps)))
	means := make([][]float64, len(steps))
	for i := range rows {
		at := i * p.Len() / rows // of a drawn sample
		scores, err := m.Scores(ctx, steps.of(p, at))
		if err != nil {
			return err
		}
		for k, row := range scores {
			if means[k] == nil {
				means[k] = make([]float64, len(row))
			}
			for c, v := range row {
				means[k][c] += v / float64(rows)
			}
		}
	}
	for first := 0; first < len(of); {
		next := first
		for next < len(of) && of[next] == of[first] {
			next++
		}
		i, c := &all[of[first]], columns[of[first]]
		i.Class = widest(means[first:next])
		for k := first; k < next; k++ {
			copy(row[c.from:c.to], steps[k].with)
			i.Curve = append(i.Curve, CurveStep{Value: c.field(m.encoding, row), Decision: means[k][i.Class]})
		}
		first = next
	}
	return nil
}

// widest returns the class whose values have the widest range, of two the second.
func widest(steps [][]float64) int {
	if len(steps[0]) == 2 {
		return 1
	}
	best, most := 0, -1.0
	for c := range steps[0] {
		low, high := steps[0][c], steps[0][c]
		for _, row := range steps {
			low, high = min(low, row[c]), max(high, row[c])
		}
		if high-low > most {
			best, most = c, high-low
		}
	}
	return best
}

// values returns the features of the column that a curve is drawn over, by its numbers in a sample or by the counts of a category.
func (c column) values(numbers []float64, counts []int) (all [][]float64) {
	if c.of != nil && c.of.Kind == dataset.Category {
		order := make([]int, c.to-c.from)
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[c.from+b], counts[c.from+a]) })
		for _, k := range order[:min(len(order), curveSteps)] {
			if counts[c.from+k] > 0 {
				with := make([]float64, len(order))
				with[k] = 1
				all = append(all, with)
			}
		}
		return all
	}
	slices.Sort(numbers)
	values := slices.Compact(slices.Clone(numbers))
	if len(values) > curveSteps {
		values = values[:0]
		for k := range curveSteps { // from the 5th to the 95th percentile
			values = append(values, numbers[int(float64(len(numbers)-1)*(0.05+0.9*float64(k)/(curveSteps-1))+0.5)])
		}
		values = slices.Compact(values)
	}
	for _, v := range values {
		all = append(all, []float64{v})
	}
	return all
}
