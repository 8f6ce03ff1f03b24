package summary

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"lapsvm/app/report"
)

// lookAtSeveral draws the first pictures where a row may have several classes.
func (p *severalPage) lookAtSeveral(ctx context.Context) ([]report.Figure, error) {
	names, each := p.Model.Classes(), p.Model.Predictor().Each()
	counts := make([]int, len(names))
	for _, has := range p.has {
		for _, c := range has {
			counts[c]++
		}
	}
	group, shown := groupsOf(counts)
	rarest := func(has []int) int {
		best := report.Others
		for _, c := range has {
			if group[c] != report.Others && (best == report.Others || counts[c] < counts[shown[best]]) {
				best = group[c]
			}
		}
		return best
	}
	t := &told{group: make([]int, len(p.has)), doubt: fmt.Sprintf("within %g of a threshold", unsureNear)}
	for _, c := range shown {
		t.groups, t.counts = append(t.groups, plainName(names[c])), append(t.counts, counts[c])
	}
	probabilities := make([][]float64, len(p.has))
	for i, has := range p.has {
		t.group[i] = rarest(has)
		if each == nil {
			continue
		}
		if t.unsure == nil {
			t.unsure = make([]bool, len(p.has))
		}
		probabilities[i] = make([]float64, len(names))
		each.Probabilities(probabilities[i], p.scores[i])
		for c, v := range probabilities[i] {
			t.unsure[i] = t.unsure[i] || math.Abs(v-each.Threshold[c]) < unsureNear
		}
	}
	t.given = func(i int) int {
		var has []int
		for c := range names {
			if p.answers[c][p.Data.Y[i]] > 0 {
				has = append(has, c)
			}
		}
		return rarest(has)
	}
	t.contrary = func(i int) bool {
		for c := range names {
			if answer := p.answers[c][p.Data.Y[i]]; !math.IsNaN(answer) && answer > 0 != slices.Contains(p.has[i], c) {
				return true
			}
		}
		return false
	}
	t.title = func(i int) string {
		var has []string
		for _, c := range p.has[i] {
			has = append(has, plainName(names[c]))
		}
		return p.rowTitle(i) + cmp.Or(strings.Join(has, ", "), "none")
	}
	return p.glance(ctx, t, func(class int) int { return group[class] }, func() ([]report.Figure, error) {
		if each == nil {
			return nil, nil
		}
		s := report.Spread{Ticks: []string{"0", "0.5", "1"}}
		for g, c := range shown {
			var values []float64
			for i := range probabilities {
				values = append(values, probabilities[i][c])
			}
			s.Lanes = append(s.Lanes, report.Lane{Name: t.groups[g], Note: fmt.Sprintf("threshold %.2g", each.Threshold[c]), Group: g, Up: binned(values, 0, 1)})
		}
		return []report.Figure{s.Draw(report.Figure{Name: "spread", Title: "How probable each class is", Caption: "All rows by the probability that they have a class. Each class is drawn to its own height."})}, nil
	})
}
