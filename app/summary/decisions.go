package summary

import (
	"cmp"
	"fmt"
	"slices"

	"lapsvm/app/report"
	"lapsvm/calibrate"
	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// decisions shows the distribution of decision values.
func (f *trainingPage) decisions() (report.Section, error) {
	s := report.Section{Title: "Decision values"}
	classes := len(f.Model.Classes())
	value := func(row []float64) float64 {
		if classes > 2 {
			margin, _ := train.Lead(row)
			return margin
		}
		return row[len(row)-1]
	}
	pick := func(keep func(i int) bool) []float64 {
		var values []float64
		for i, row := range f.scores {
			if keep(i) {
				values = append(values, value(row))
			}
		}
		return values
	}
	open := pick(func(i int) bool { return f.label[i] == dataset.Unlabelled })
	chart := report.Chart{YTitle: "percent of each group", Filled: true}
	var groups [][]float64
	var names []string
	text := ""
	switch {
	case classes == 1:
		chart.XTitle, chart.Marks = "decision value", []report.Level{{Name: "boundary", At: 0}}
		names, groups = []string{"labelled"}, [][]float64{pick(func(i int) bool { return f.label[i] == 0 })}
		text = "Points with a value above 0 are inside the class."
	case classes == 2: // curves have the places of the classes, and so their colours
		first, second := plainName(f.Model.Classes()[0]), plainName(f.Model.Classes()[1])
		chart.XTitle, chart.Marks = "decision value", []report.Level{{Name: "boundary", At: 0}}
		names = []string{"labelled " + first, "labelled " + second}
		groups = [][]float64{pick(func(i int) bool { return f.label[i] == 0 }), pick(func(i int) bool { return f.label[i] == 1 })}
		text = fmt.Sprintf("Values above 0 are decided as %s, below as %s; labels are wanted at ±1. A valley at 0 means that the boundary runs through a gap of the data. Labels alone can tell whether that gap is between the classes.",
			name(f.Model.Classes()[1]), name(f.Model.Classes()[0]))
	default: // labels of all classes have the colour of none
		chart.XTitle = "lead of the decision value"
		names = []string{"", "", "", "", "labelled"}
		groups = [][]float64{4: pick(func(i int) bool { return f.label[i] != dataset.Unlabelled })}
		text = "The lead is the largest decision value of a point less the second: near 0 two classes compete for it."
	}
	names, groups = append(names, "unlabelled"), append(groups, open)
	s.Text = []string{text}
	e := edges(groups...)
	if e == nil {
		return s, nil
	}
	for k := range groups {
		chart.Curves = append(chart.Curves, histogram(names[k], e, groups[k]))
	}
	chart.Rest = len(chart.Curves)
	figure, err := draw("values", "Distribution of the decision values", "Each group adds up to 100 %.", chart)
	s.Figures = []report.Figure{figure}
	return s, err
}

// probabilities shows how reliable they are, where labels were held out.
func (f *trainingPage) probabilities() (report.Section, error) {
	c := f.Model.Calibration()
	s := report.Section{Title: "Probabilities"}
	h := f.summary.HeldOut
	switch {
	case f.of.Outside():
		return report.Section{}, nil
	case c == nil:
		s.Text = []string{"The model was trained without probabilities."}
		return s, nil
	case h == nil:
		s.Text = []string{fmt.Sprintf("No label could be held out, as a class has only one. So the probabilities are assumed, with two of three predictions right (slope %s), and how reliable they are cannot be said.", number(c.Slope))}
		return s, nil
	}
	proba := make([][]float64, len(h.Scores))
	for i, row := range h.Scores {
		proba[i] = make([]float64, len(row))
		c.Probabilities(proba[i], row)
	}
	all := calibrate.Reliability(proba, h.Class)
	held := count(len(h.Class), "held-out label", "held-out labels")
	if len(h.Class) < selection.FewestReported {
		s.Text = []string{fmt.Sprintf("%s, predicted by machines that were trained without them, are too few to tell how reliable the probabilities are. Their slope, %s, was fitted to these labels.", held, number(c.Slope))}
	} else {
		s.Text = []string{fmt.Sprintf("From %s, predicted by machines that were trained without them. The mean distance of probabilities from how often they are right is %s percent points.",
			held, percent(100*calibrate.CalibrationError(all))),
			fmt.Sprintf("The slope of the probabilities, %s, was fitted to these same labels, so this looks better than it is; with few labels the intervals are wide.", number(c.Slope))}
	}
	if choice := f.recipe.Choice; choice != nil && choice.Candidates > 0 {
		s.Text = append(s.Text, "The same labels chose the parameters of these machines. So what they get right here is not the expected error, for which each label was predicted by machines chosen without it.")
	}
	figure, table, err := reliability("held-out", "labels", all)
	s.Figures, s.Tables = []report.Figure{figure}, []report.Table{table}
	return s, err
}

// uncertainShown is how many uncertain points are listed.
const uncertainShown = 12

// uncertain lists the unlabelled points with the smallest lead.
func (f *trainingPage) uncertain() (report.Section, error) {
	if len(f.open) == 0 {
		return report.Section{}, nil
	}
	order := slices.Clone(f.open)
	margin := func(i int) float64 { m, _ := train.Lead(f.scores[i]); return m }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(margin(a), margin(b)) })
	order = order[:min(uncertainShown, len(order))]
	t := report.Table{Name: "uncertain", Title: "Unlabelled points with the smallest lead", Header: []string{"row", "class", "next", "lead"}}
	c := f.Model.Calibration()
	if c != nil {
		t.Header = append(t.Header, "probability, %", "of the next, %")
	}
	for _, i := range order {
		m, second := train.Lead(f.scores[i])
		next := className(f.Model, second)
		if f.of.Outside() {
			if next = "outside"; f.predicted[i] == dataset.Unlabelled {
				next = className(f.Model, 0)
			}
		}
		row := headedByRow(f.Data, i, className(f.Model, f.predicted[i]), next, number(m))
		if c != nil {
			p := make([]float64, len(f.scores[i]))
			c.Probabilities(p, f.scores[i])
			row = append(row, cells(percent(100*p[f.predicted[i]]), percent(100*p[second]))...)
		}
		t.Rows = append(t.Rows, row)
	}
	detail := func(i int) string {
		_, second := train.Lead(f.scores[i])
		return className(f.Model, f.predicted[i]) + " or " + className(f.Model, second)
	}
	if f.of.Outside() {
		detail = func(i int) string { return className(f.Model, f.predicted[i]) }
	}
	return report.Section{Title: "Most uncertain", Text: []string{"Labels for these points would tell the machine about where it is in doubt."}, Tables: []report.Table{t},
		Galleries: gallery(f.Data, "uncertain-images", "The same as images", "As the machine sees them.", order, detail)}, nil
}

// The sample whose neighbours are listed.
const (
	sampleSize      = 10
	nearestLabelled = 3
)

// nearest lists the nearest labelled points of some predictions, taken from all
// classes in turn.
func (f *trainingPage) nearest() (report.Section, error) {
	labelled := f.Data.Labelled()
	sample := f.sample()
	if len(sample) == 0 {
		return report.Section{}, nil
	}
	t := report.Table{Name: "nearest", Title: "Nearest labelled points of some predictions",
		Caption: "Euclidean distances. Where the nearest labels are of another class, the graph or the other labels outvoted them.",
		Header:  []string{"row", "predicted", "labelled row", "its class", "distance"}}
	for s, i := range sample {
		distance := make(map[int]float64, len(labelled))
		for l, j := range labelled {
			distance[j] = f.near.Distance(points.Products, len(labelled)+s, f.near, l)
		}
		order := slices.Clone(labelled)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
		for _, j := range order[:min(nearestLabelled, len(order))] {
			row := headedByRow(f.Data, i, className(f.Model, f.predicted[i]), whole(j+1), className(f.Model, f.label[j]), number(distance[j]))
			row[2].Detail = rowName(f.Data.Kept.Name(j))
			if !f.of.Outside() && f.label[j] != f.predicted[i] {
				row[3].Mark = report.Differs
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return report.Section{Title: "Nearest labels", Tables: []report.Table{t}}, nil
}

// sample takes unlabelled points, from every predicted class in turn those at
// even distances among its own, so that it depends on nothing but the data.
func (f *trainingPage) sample() []int {
	byClass := map[int][]int{}
	var classes []int
	for _, i := range f.open {
		c := f.predicted[i]
		if byClass[c] == nil {
			classes = append(classes, c)
		}
		byClass[c] = append(byClass[c], i)
	}
	slices.Sort(classes)
	var sample []int
	each := max(1, sampleSize/max(1, len(classes)))
	for _, c := range classes {
		members := byClass[c]
		taken := min(each, len(members))
		for k := range taken {
			if len(sample) < sampleSize {
				sample = append(sample, members[(2*k+1)*len(members)/(2*taken)])
			}
		}
	}
	return sample
}

// baseline compares with the supervised machine.
func (f *trainingPage) baseline() (report.Section, error) {
	if f.svm == nil {
		return report.Section{Title: "Against the supervised machine", Text: []string{"This is the supervised machine: it has no intrinsic norm, and the unlabelled points took no part."}}, nil
	}
	s := report.Section{Title: "Against the supervised machine"}
	if len(f.open) == 0 {
		s.Text = []string{"All points are labelled: there are no decisions on unlabelled points to compare."}
		return s, nil
	}
	how := "with the same kernel and γA"
	if c := f.recipe.Choice; c != nil && c.Labels > 0 {
		how = "with a γA and width chosen for it by the same held-out labels"
	}
	s.Text = []string{fmt.Sprintf("An SVM on the labelled points alone, %s, decides differently for %s of %s unlabelled points (%s %%). Which of the two is right, hidden labels can tell: lapsvm evaluate.",
		how, whole(f.differing()), whole(len(f.open)), share(f.differing(), len(f.open)))}
	counts := map[[2]int]int{}
	for _, i := range f.open {
		if f.svm[i] != f.predicted[i] {
			counts[[2]int{f.svm[i], f.predicted[i]}]++
		}
	}
	if len(counts) == 0 {
		return s, nil
	}
	var pairs [][2]int
	for pair := range counts {
		pairs = append(pairs, pair)
	}
	slices.SortFunc(pairs, func(a, b [2]int) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	t := report.Table{Name: "differing", Title: "Decisions that differ", Header: []string{"SVM", "model", "points"}}
	const shown = 20
	if len(pairs) > shown {
		t.Note = fmt.Sprintf("The %d most frequent of %d.", shown, len(pairs))
		pairs = pairs[:shown]
	}
	for _, pair := range pairs {
		t.Rows = append(t.Rows, cells(className(f.Model, pair[0]), className(f.Model, pair[1]), whole(counts[pair])))
	}
	s.Tables = []report.Table{t}
	s.Galleries = gallery(f.Data, "differing-images", "Images on which the two differ", "Those whose lead in the model is largest.", f.contested(),
		func(i int) string {
			return "SVM " + className(f.Model, f.svm[i]) + ", model " + className(f.Model, f.predicted[i])
		})
	return s, nil
}

// contested returns the unlabelled points with another class by the SVM, the points of
// which the model is surest first.
func (f *trainingPage) contested() []int {
	rows := slices.DeleteFunc(slices.Clone(f.open), func(i int) bool { return f.svm[i] == f.predicted[i] })
	lead := func(i int) float64 { m, _ := train.Lead(f.scores[i]); return m }
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(lead(b), lead(a)) })
	return rows
}
