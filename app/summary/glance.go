package summary

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lapsvm/app/report"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
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
			sure[i], _ = train.Lead(row)
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
