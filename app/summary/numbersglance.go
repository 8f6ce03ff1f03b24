package summary

import (
	"context"
	"fmt"
	"slices"

	"lapsvm/app/report"
	"lapsvm/dataset"
)

// lookAtNumbers draws the first pictures of a regression, of which the predictions of labels that were left out are one.
func (f *trainingPage) lookAtNumbers(ctx context.Context, left []report.Figure) ([]report.Figure, error) {
	scores := f.summary.Scores
	if scores == nil {
		var err error
		if scores, err = f.Model.Predictor().ScoresOf(ctx, f.Data); err != nil {
			return nil, err
		}
	}
	given, err := f.Data.Numbers()
	if err != nil {
		return nil, err
	}
	values, open := make([]float64, len(scores)), []float64{}
	var labels []float64
	for i, row := range scores {
		if values[i] = row[0]; f.Data.Y[i] == dataset.Unlabelled {
			open = append(open, row[0])
		} else {
			labels = append(labels, given[i])
		}
	}
	limits := steps(slices.Concat(labels, values))
	stepOf := func(v float64) int {
		s, is := slices.BinarySearch(limits[1:len(limits)-1], v)
		if is {
			s++
		}
		return s
	}
	t := &told{sized: true, group: make([]int, len(values)), counts: make([]int, len(limits)-1)}
	for i, v := range values {
		t.group[i] = stepOf(v)
		t.counts[t.group[i]]++
	}
	for s := range len(limits) - 1 {
		t.groups = append(t.groups, fmt.Sprintf("%.3g to %.3g", limits[s], limits[s+1]))
	}
	t.given = func(i int) int { return stepOf(given[i]) }
	t.title = func(i int) string {
		text := f.rowTitle(i) + digits(values[i])
		if f.Data.Y[i] != dataset.Unlabelled {
			text += ", labelled " + digits(given[i])
		}
		return text
	}
	return f.glance(ctx, t, func(int) int { return report.Others }, func() ([]report.Figure, error) { return left, nil }, func() ([]report.Figure, error) {
		low, high := limits[0], limits[len(limits)-1]
		if len(open) == 0 || !(high > low) {
			return nil, nil
		}
		lane := report.Lane{Name: "Numbers", Note: fmt.Sprintf("%s, %s", count(len(labels), "label", "labels"), count(len(open), "prediction", "predictions")), Group: report.Others,
			Up: shares(binned(labels, low, high)), Down: shares(binned(open, low, high))}
		s := report.Spread{Lanes: []report.Lane{lane}, Up: "labels", Down: "predictions of rows without one", Ticks: []string{digits(low), digits((low + high) / 2), digits(high)}}
		return []report.Figure{s.Draw(report.Figure{Name: "spread", Title: "How large the numbers are", Caption: "Shares of the labels, and below the line shares of the predictions."})}, nil
	})
}

// shares divides counts by their sum.
func shares(counts []float64) []float64 {
	sum := 0.0
	for _, v := range counts {
		sum += v
	}
	for k := range counts {
		counts[k] /= max(sum, 1)
	}
	return counts
}

// steps returns limits between which as many values lie, at most report.Sizes parts, ascending. All lie between the first and the last.
func steps(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	limits := []float64{sorted[0]}
	for k := 1; k <= report.Sizes; k++ {
		if v := sorted[min(k*len(sorted)/report.Sizes, len(sorted)-1)]; v > limits[len(limits)-1] {
			limits = append(limits, v)
		}
	}
	if len(limits) == 1 {
		limits = append(limits, limits[0])
	}
	return limits
}
