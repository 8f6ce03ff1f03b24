package summary

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
)

// told is what the first pictures of a page show of each row.
type told struct {
	groups   []string // at most report.Groups
	counts   []int    // of rows
	sized    bool     // groups are steps of a number
	group    []int    // of each row; report.Others
	given    func(i int) int
	unsure   []bool
	doubt    string // what is unsure
	contrary func(i int) bool
	title    func(i int) string
}

// glance draws what is looked at first: the map of the points, more of the kind of label, and what columns or words do.
func (f *trainingPage) glance(ctx context.Context, t *told, group func(class int) int, more ...func() ([]report.Figure, error)) ([]report.Figure, error) {
	all, err := f.mapOf(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, draw := range append(more, func() ([]report.Figure, error) { return f.words(ctx, group) }) {
		figures, err := draw()
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	if bars := f.bars(group); bars != nil {
		all = slices.Insert(all, min(2, len(all)), bars...)
	}
	return all, nil
}

// mapOf draws the map, none where rows have no places.
func (f *trainingPage) mapOf(ctx context.Context, t *told) ([]report.Figure, error) {
	at, err := f.places(ctx)
	if at == nil || err != nil {
		return nil, err
	}
	m := report.Map{Groups: t.groups, Counts: t.counts, Sized: t.sized, Unsure: t.doubt, What: "labelled"}
	labels := f.Data.Labelled()
	for k, i := range at.rows {
		d := report.Dot{X: float64(at.xy[2*k]), Y: float64(at.xy[2*k+1]), Group: t.group[i], Unsure: t.unsure != nil && t.unsure[i], Title: t.title(i)}
		if _, d.Labelled = slices.BinarySearch(labels, i); d.Labelled {
			d.Group, d.Contrary = t.given(i), t.contrary != nil && t.contrary(i)
		}
		if m.Dots = append(m.Dots, d); !f.Data.Image.None() && !f.Data.Described() {
			m.Pictures = append(m.Pictures, func() report.Picture { return picture(f.Data, i, "") })
		}
	}
	caption := "Rows that are alike lie near to one another; places have no other meaning."
	if len(at.rows) < len(f.Data.Y) {
		caption = fmt.Sprintf("%s of %s rows, drawn by the seed. %s", whole(len(at.rows)), whole(len(f.Data.Y)), caption)
	}
	return []report.Figure{m.Draw(report.Figure{Name: "map", Title: "Map of the points", Caption: caption})}, nil
}

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

// groupsOf gives the most frequent classes groups of their own, in the order of classes: all of them where there are enough groups.
func groupsOf(counts []int) (group []int, shown []int) {
	order := make([]int, len(counts))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	shown = slices.Sorted(slices.Values(order[:min(len(order), report.Groups)]))
	group = slices.Repeat([]int{report.Others}, len(counts))
	for g, c := range shown {
		group[c] = g
	}
	return group, shown
}

// Which rows are unsure on a map.
const (
	unsureBelow = 0.75 // probability of the class
	unsureShare = 0.1  // of the rows, those with the smallest lead, where there are no probabilities
	unsureNear  = 0.1  // of a probability to its threshold
)

// classesTold tells of rows that have a class each. Sure is the probability of the class, or its lead where there are no probabilities.
func (f *trainingPage) classesTold() (t *told, group []int, sure []float64) {
	names := f.Model.Classes()
	if f.of.Outside() {
		names = append(names, className(f.Model, dataset.Unlabelled))
	}
	index := func(class int) int {
		if class == dataset.Unlabelled {
			return len(names) - 1
		}
		return class
	}
	counts := make([]int, len(names))
	for _, c := range f.predicted {
		counts[index(c)]++
	}
	group, shown := groupsOf(counts)
	t = &told{group: make([]int, len(f.predicted)), unsure: make([]bool, len(f.predicted))}
	for _, c := range shown {
		t.groups, t.counts = append(t.groups, plainName(names[c])), append(t.counts, counts[c])
	}
	sure = make([]float64, len(f.predicted))
	c := f.Model.Calibration()
	var p []float64
	for i, row := range f.scores {
		t.group[i] = group[index(f.predicted[i])]
		if c == nil {
			sure[i], _ = selection.Lead(row)
			continue
		}
		p = slices.Grow(p[:0], len(row))[:len(row)]
		c.Probabilities(p, row)
		sure[i] = p[f.predicted[i]]
	}
	least := unsureBelow
	t.doubt = fmt.Sprintf("probability below %g %%", 100*least)
	if c == nil {
		sorted := slices.Sorted(slices.Values(sure))
		least, t.doubt = sorted[int(unsureShare*float64(len(sorted)))], "smallest lead"
	}
	for i, v := range sure {
		t.unsure[i] = v < least
	}
	t.given = func(i int) int { return group[index(f.label[i])] }
	t.contrary = func(i int) bool { return !f.of.Outside() && f.label[i] != f.predicted[i] }
	t.title = func(i int) string {
		text := f.rowTitle(i) + className(f.Model, f.predicted[i])
		if c != nil {
			text += fmt.Sprintf(" %.0f %%", 100*sure[i])
		}
		if f.label[i] != dataset.Unlabelled {
			text += ", labelled " + className(f.Model, f.label[i])
		}
		return text
	}
	return t, group, sure
}

// rowTitle begins the title of a row.
func (f *trainingPage) rowTitle(i int) string {
	text := "row " + whole(i+1)
	if called := f.Data.Kept.Name(i); called != "" {
		text += " (" + rowName(called) + ")"
	}
	return text + ": "
}

// lookAtClasses draws the first pictures where a row has a class.
func (f *trainingPage) lookAtClasses(ctx context.Context) ([]report.Figure, error) {
	t, group, sure := f.classesTold()
	return f.glance(ctx, t, func(class int) int { return group[class] }, func() ([]report.Figure, error) { return f.spread(t, sure), nil })
}

// spreadBins is how many bars a histogram of a glance has.
const spreadBins = 20

// spread draws how sure decisions are, by class.
func (f *trainingPage) spread(t *told, sure []float64) []report.Figure {
	title, caption := "How sure the decisions are", "Rows by the probability of the class that they are decided as. Each class is drawn to its own height."
	low, high := 0.5, 1.0
	if f.Model.Calibration() == nil {
		low, high = 0, slices.Max(sure)
		caption = "Rows by the lead of the class that they are decided as, which grows with certainty. Each class is drawn to its own height."
	} else if slices.Min(sure) < low {
		low = 0
	}
	if !(high > low) {
		return nil
	}
	s := report.Spread{Ticks: []string{digits(low), digits((low + high) / 2), digits(high)}}
	for g, name := range t.groups {
		var values []float64
		for i, v := range sure {
			if t.group[i] == g {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			s.Lanes = append(s.Lanes, report.Lane{Name: name, Note: count(len(values), "row", "rows"), Group: g, Up: binned(values, low, high)})
		}
	}
	return []report.Figure{s.Draw(report.Figure{Name: "spread", Title: title, Caption: caption})}
}

// binned counts values between low and high in bars of equal width. Values beyond are in the outermost ones.
func binned(values []float64, low, high float64) []float64 {
	bars := make([]float64, spreadBins)
	for _, v := range values {
		bars[min(max(int((v-low)/(high-low)*spreadBins), 0), spreadBins-1)]++
	}
	return bars
}

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
			Words: fmt.Sprintf("of %s; precision %s %%", count(mean1(rates[c].Rows, len(e.Results)), "row", "rows"), percent(100*rates[c].Precision))}
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

// mean1 is a mean of counts as a whole number.
func mean1(sum, repeats int) int { return (sum + repeats/2) / repeats }
