package summary

import (
	"cmp"
	"fmt"
	"slices"

	"lapsvm/app/report"
	"lapsvm/internal/machines/selection"
)

// lookAtRates draws the first pictures of an evaluation: how much of each class is found, and how sure right and wrong predictions were.
func (e Evaluation) lookAtRates() (all []report.Figure) {
	model := selection.Pooled(e.Results, func(r selection.Result) [][]int { return r.Confusion })
	rates, svm := selection.RatesOf(model), []selection.ClassRates(nil)
	if e.baseline() {
		svm = selection.RatesOf(selection.Pooled(e.Results, func(r selection.Result) [][]int { return r.BaselineConfusion }))
	}
	counts := make([]int, len(rates))
	for c, r := range rates {
		counts[c] = r.Rows
	}
	if total(counts) == 0 {
		return nil
	}
	group, _ := groupsOf(counts)
	order := make([]int, 0, len(rates))
	for c, n := range counts {
		if n > 0 {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rates[a].Recall, rates[b].Recall) })
	b := report.Bars{Most: 1}
	for _, c := range order[:min(len(order), ratesShown)] {
		bar := report.Bar{Name: plainName(e.Data.Classes[c]), Value: rates[c].Recall, Text: percent(100*rates[c].Recall) + " %", Group: group[c],
			Words: fmt.Sprintf("of %s; precision %s %%", count(rounded(rates[c].Rows, len(e.Results)), "row", "rows"), percent(100*rates[c].Precision))}
		if svm != nil {
			bar.Beside = svm[c].Recall
			bar.Words += fmt.Sprintf("; by an SVM %s %%", percent(100*svm[c].Recall))
		}
		b.Bars = append(b.Bars, bar)
	}
	caption := "Shares of the hidden labels of each class that are predicted as the class, the least first."
	if svm != nil {
		caption += " The marks are those of an SVM on the labels alone."
	}
	if rest := len(order) - len(b.Bars); rest > 0 {
		caption += fmt.Sprintf(" The table below has %s more.", count(rest, "class", "classes"))
	}
	all = append(all, b.Draw(report.Figure{Name: "found", Title: "How much of each class is found", Caption: caption}))
	bins := e.bins()
	if bins == nil {
		return all
	}
	lane := report.Lane{Name: "Predictions", Group: report.Others}
	right, wrong := 0, 0
	for _, b := range bins {
		lane.Up, lane.Down = append(lane.Up, float64(b.Right)), append(lane.Down, float64(b.Count-b.Right))
		right, wrong = right+b.Right, wrong+b.Count-b.Right
	}
	lane.Note = fmt.Sprintf("%s right, %s wrong", whole(right), whole(wrong))
	low, high := bins[0].Low, bins[len(bins)-1].High
	s := report.Spread{Up: "right", Down: "wrong", Lanes: []report.Lane{lane}, Ticks: []string{digits(low), digits((low + high) / 2), digits(high)}}
	return append(all, s.Draw(report.Figure{Name: "spread", Title: "How sure right and wrong predictions were", Caption: "Hidden labels of all repeats by the probability of the predicted class."}))
}

// ratesShown is how many classes have a bar.
const ratesShown = 10

// rounded is a mean of counts as a whole number.
func rounded(sum, repeats int) int { return (sum + repeats/2) / repeats }
