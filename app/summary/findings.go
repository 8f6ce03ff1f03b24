package summary

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/dataset"
	"lapsvm/internal/machines/drift"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
)

// Finding is a certain or possible problem of a training.
type Finding struct {
	Text   string
	Share  float64 // of all points, that it is about
	Warned bool    // the training itself has warned of it
}

// Findings returns the problems of a model as it was fitted to d, those that concern
// most points first. The scores are those of the rows of d, nil where they are
// unknown. Class names are written by quote.
func Findings(ctx context.Context, m *lapsvm.Model, d *dataset.Dataset, scores [][]float64, quote func(string) string) []Finding {
	n := float64(len(d.Y))
	var list []Finding
	add := func(points float64, text string) { list = append(list, Finding{Text: text, Share: points / n}) }
	switch m.Training().Status {
	case string(solve.TimeLimit):
		add(n, "The solver stopped when its time was up, before it converged: allow more with --time.")
	case string(solve.IterationLimit):
		add(n, "The solver stopped at its iteration limit before it converged: allow more iterations with --max-iter.")
	}
	if c := m.Recipe().Choice; c != nil && c.Expected != nil && c.Verdict == lapsvm.Harms && !m.Recipe().Supervised {
		what := "the unlabelled points do"
		if !slices.Contains(d.Y, dataset.Unlabelled) {
			what = "the neighbour graph does"
		}
		gain, standardError, in := answer.KindOf(m.Kind()).Gain(c.Expected)
		add(n, fmt.Sprintf("On the held-out labels %s harm: %.3g ± %.2g %s %s. Compare with --gamma-i 0.", what, -gain, standardError, in.Name, in.Loss))
		list[len(list)-1].Warned = true
	}
	if text := undecided(m, d, scores); text != "" {
		add(float64(len(d.Unlabelled())), text)
	} else if text := untoldWidth(m.Recipe().Choice); text != "" {
		add(n, text)
	}
	if g := m.Training().Graph; g != nil {
		if g.WithoutLabel > 0 {
			add(float64(g.WithoutLabel), fmt.Sprintf("%s in components of the graph without a label: the kernel alone decides there. Label one point of each, or ask for more neighbours.",
				count(g.WithoutLabel, "point is", "points are")))
			list[len(list)-1].Warned = true
		}
		if len(g.Isolated) > 0 {
			add(float64(len(g.Isolated)), fmt.Sprintf("%s no neighbour in the graph: %s.", count(len(g.Isolated), "point has", "points have"), rows(g.Isolated)))
		}
	}
	if !answer.KindOf(m.Kind()).Single() {
		slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(b.Share, a.Share) })
		return list
	}
	if suspects := Suspects(ctx, m, d); suspects != nil {
		add(float64(len(suspects)), fmt.Sprintf("%d labels look wrong: %s. Look at them with lapsvm audit.", len(suspects), rows(suspects)))
	}
	if groups := graph.Conflicts(d.Points, d.Y); groups != nil {
		points := slices.Concat(groups...)
		add(float64(len(points)), fmt.Sprintf("%s equal to rows with another label, so no machine gets all of them right: %s.",
			count(len(points), "labelled row is", "labelled rows are"), conflicts(d, groups, quote)))
	}
	list = append(list, shareFindings(m, d, scores, quote)...)
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(b.Share, a.Share) })
	return list
}

// conflictsShown is how many groups of equal rows are listed, and rows of each.
const conflictsShown = 5

// conflicts lists groups of equal rows with their labels.
func conflicts(d *dataset.Dataset, groups [][]int, quote func(string) string) string {
	var texts []string
	for k, group := range groups {
		if k == conflictsShown {
			texts = append(texts, fmt.Sprintf("and %s more", count(len(groups)-k, "group", "groups")))
			break
		}
		var rows []string
		for at, i := range group {
			if at == conflictsShown {
				rows = append(rows, fmt.Sprintf("%s more", whole(len(group)-at)))
				break
			}
			rows = append(rows, fmt.Sprintf("%s (%s)", whole(i+1), quote(d.Classes[d.Y[i]])))
		}
		texts = append(texts, "rows "+strings.Join(rows, ", "))
	}
	return strings.Join(texts, "; ")
}

// fewestExpected is the fewest points of a class to be expected by the shares of the
// labels before its absence is a finding.
const fewestExpected = 5

// shareFindings compares the predictions on the unlabelled points with the labels. It
// says nothing where a prior shifts them.
func shareFindings(m *lapsvm.Model, d *dataset.Dataset, scores [][]float64, quote func(string) string) []Finding {
	if scores == nil || answer.KindOf(m.Kind()).Outside() || m.Recipe().Prior != nil {
		return nil
	}
	classes := Predicted(m, d, scores)
	labels, predicted := make([]int, len(classes)), make([]int, len(classes))
	open, labelled := 0, 0
	for k, c := range classes {
		labels[k], predicted[k] = c.Labels, c.Points
		open, labelled = open+c.Points, labelled+c.Labels
	}
	if open == 0 {
		return nil
	}
	n := float64(len(d.Y))
	moved := drift.CompareShares(labels, predicted)
	var list []Finding
	var texts []string
	for k, c := range classes {
		expected := float64(open) * float64(c.Labels) / float64(labelled)
		if c.Points == 0 && expected >= fewestExpected {
			list = append(list, Finding{Text: fmt.Sprintf("No unlabelled point is predicted as %s. If its share is known, give it by --prior.", quote(c.Name)),
				Share: expected / n})
		} else if moved.Classes[k].Drifted {
			of := share(c.Labels, labelled) + " % of the labels"
			if labelled < selection.FewestReported {
				of = fmt.Sprintf("%d of the %d labels", c.Labels, labelled)
			}
			texts = append(texts, fmt.Sprintf("%s is %s %% of these and %s", quote(c.Name), share(c.Points, open), of))
		}
	}
	if moved.Drifted && texts != nil {
		list = append(list, Finding{Text: fmt.Sprintf("The predictions on the unlabelled points have other shares than the labels: %s. If the labels are a random part of the rows, that is more than chance: --prior labelled asks for the shares of the labels.", strings.Join(texts, ", ")),
			Share: moved.Moved * float64(open) / n})
	}
	return list
}

// PredictedClass summarises the predictions of a class on the unlabelled points of
// the training.
type PredictedClass struct {
	Name   string
	Labels int     // labelled points of it
	Points int     // unlabelled points that are predicted as it
	Lead   float64 // mean over these of the value of the class, less that of the next
}

// Predicted counts the predictions on the unlabelled rows of d, whose decision values
// are scores, for every class of the model.
func Predicted(m *lapsvm.Model, d *dataset.Dataset, scores [][]float64) []PredictedClass {
	classes := make([]PredictedClass, len(m.Classes()))
	names := m.Classes()
	for c, name := range names {
		classes[c].Name = name
	}
	decided := m.Decide(scores)
	for i, y := range d.Y {
		switch {
		case y != dataset.Unlabelled:
			if c := dataset.FindClass(names, d.Classes[y]); c >= 0 {
				classes[c].Labels++
			}
		case decided[i] != dataset.Unlabelled:
			c := &classes[decided[i]]
			margin, _ := train.Lead(scores[i])
			c.Points++
			c.Lead += margin
		}
	}
	for c := range classes {
		classes[c].Lead /= float64(max(classes[c].Points, 1))
	}
	return classes
}

// rows lists rows, counted from 1, at most ten of them.
func rows(list []int) string {
	var texts []string
	for k, i := range list {
		if k == 10 {
			return "rows " + strings.Join(texts, ", ") + fmt.Sprintf(" and %s more", whole(len(list)-k))
		}
		texts = append(texts, whole(i+1))
	}
	if len(list) == 1 {
		return "row " + texts[0]
	}
	return "rows " + strings.Join(texts, ", ")
}
