package summary

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/report"
	"lapsvm/dataset"
)

// barsShown is how many columns have a bar: those that do most.
const barsShown = 8

// bars draws what the columns do. Group is that of a class.
func (f *trainingPage) bars(group func(class int) int) []report.Figure {
	var b report.Bars
	all := f.Model.Importance()
	for _, i := range all {
		if len(b.Bars) == barsShown || i.Effect == 0 {
			break
		}
		bar := report.Bar{Name: plainName(i.Column), Value: i.Effect, Text: fmt.Sprintf("%.3g", i.Effect), Words: escaped(answer.Direction(f.Model, i)), Group: report.Others}
		if f.of.Classes() && len(i.Curve) > 0 {
			bar.Group = group(i.Class)
		}
		x, y := answer.Numbers(i)
		if bar.Curve.At = x; x == nil {
			for _, step := range i.Curve {
				y = append(y, step.Decision)
			}
		}
		bar.Curve.Heights = y
		for _, step := range i.Curve {
			bar.Curve.Names = append(bar.Curve.Names, plainName(step.Value))
		}
		b.Bars = append(b.Bars, bar)
	}
	if len(b.Bars) == 0 || len(all) == 1 && all[0].Curve == nil { // a text alone, say, is all there is
		return nil
	}
	caption := "How much the decision value changes where a column has what is usual in it. Curves show the mean decision value over the values of the column, all on one scale; the dashed line is 0."
	if !f.of.Classes() {
		caption = "How much the number changes where a column has what is usual in it. Curves show the mean number over the values of the column, all on one scale."
	}
	if rest := len(all) - len(b.Bars); rest > 0 {
		caption += fmt.Sprintf(" The table below has %s more.", count(rest, "column", "columns"))
	}
	return []report.Figure{b.Draw(report.Figure{Name: "effects", Title: "What the columns do", Caption: caption})}
}

// wordRows is how many rows words are counted in.
const wordRows = 24

// words draws which words of texts speak for what, by explanations of rows drawn by the seed.
func (f *trainingPage) words(ctx context.Context, group func(class int) int) ([]report.Figure, error) {
	p := f.Data.AsRead()
	if p == nil || !f.Model.Encoding().HasText() {
		return nil, nil
	}
	rows := f.drawn(min(wordRows, p.Len()))
	all, err := f.Model.Explain(ctx, p.Subset(rows))
	if errors.Is(err, lapsvm.ErrData) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type tally struct {
		sum   float64
		class map[int]float64
		rows  map[int]bool
	}
	of := map[string]*tally{}
	for _, x := range all {
		for _, r := range x.Reasons {
			if r.What != lapsvm.OfWord || r.Value == lapsvm.OtherWords {
				continue
			}
			t := of[r.Value]
			if t == nil {
				t = &tally{class: map[int]float64{}, rows: map[int]bool{}}
				of[r.Value] = t
			}
			t.sum += math.Abs(r.Effect) / float64(len(rows))
			t.class[r.Class] += math.Abs(r.Effect)
			t.rows[x.Point] = true
		}
	}
	words := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b].sum, of[a].sum), cmp.Compare(a, b))
	})
	var b report.Bars
	for _, w := range words[:min(barsShown, len(words))] {
		t := of[w]
		class := slices.MaxFunc(slices.Sorted(maps.Keys(t.class)), func(a, b int) int { return cmp.Compare(t.class[a], t.class[b]) })
		bar := report.Bar{Name: plainName(w), Value: t.sum, Text: fmt.Sprintf("%.3g", t.sum), Words: "in " + count(len(t.rows), "row", "rows"), Group: report.Others}
		if f.of.Classes() && class != dataset.Unlabelled {
			bar.Words, bar.Group = "mostly for "+className(f.Model, class)+", "+bar.Words, group(class)
		}
		b.Bars = append(b.Bars, bar)
	}
	if b.Bars == nil {
		return nil, nil
	}
	return []report.Figure{b.Draw(report.Figure{Name: "words", Title: "What the words do",
		Caption: fmt.Sprintf("How much each word changes the decision values of %s, in the mean over all of them.", count(len(rows), "row drawn by the seed", "rows drawn by the seed"))})}, nil
}
