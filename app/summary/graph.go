package summary

import (
	"fmt"
	"strings"

	"lapsvm/app/report"
)

// neighbours is the health of the graph.
func (f *trainingPage) neighbours() (report.Section, error) {
	g := f.graph
	if g == nil {
		return report.Section{}, nil
	}
	s := report.Section{Title: "Neighbour graph"}
	s.Text = []string{fmt.Sprintf("%s between %s: each has from %d to %d neighbours. %s; %s; %s in components without a label; %s of equal points.",
		count(g.Edges, "edge", "edges"), count(g.Points, "point", "points"), g.MinDegree, g.MaxDegree,
		count(len(g.Components), "connected component", "connected components"), count(len(g.Isolated), "isolated point", "isolated points"),
		count(g.WithoutLabel, "point", "points"), count(len(g.Duplicates), "group", "groups"))}
	if search := f.summary.NeighbourSearch; search != nil {
		s.Text = append(s.Text, fmt.Sprintf("The search for neighbours was %v.", search))
	}
	t := report.Table{Name: "components", Title: "Components", Caption: "Labels spread within a component alone.", Header: []string{"component", "points", "labels"}}
	const shown = 10
	for k, c := range g.Components {
		if k == shown {
			rest := 0
			for _, c := range g.Components[k:] {
				rest += c.Size
			}
			t.Note = fmt.Sprintf("%s more, with %s together.", whole(len(g.Components)-k), count(rest, "point", "points"))
			break
		}
		labels := labelCounts(f.Model, c.Labels)
		if labels == nil {
			labels = []string{"none"}
		}
		t.Rows = append(t.Rows, headed(whole(k+1), whole(c.Size), strings.Join(labels, ", ")))
	}
	s.Tables = []report.Table{t}
	first := g.MinDegree
	// Bars of whole numbers of neighbours, about as many as a histogram has.
	width := max(1, (g.MaxDegree-first+bins)/bins)
	var e, heights []float64
	for k := first; k <= g.MaxDegree; k += width {
		points := 0
		for _, n := range g.Degrees[k:min(k+width, len(g.Degrees))] {
			points += n
		}
		e, heights = append(e, float64(k)-0.5), append(heights, float64(points))
	}
	e = append(e, e[len(e)-1]+float64(width))
	figure, err := draw("degrees", "Neighbours of the points", "Number of points by the number of their neighbours, after joining both directions: hubs are on the right.",
		report.Chart{XTitle: "neighbours", YTitle: "points", Filled: true, Curves: []report.Curve{report.Histogram("", e, heights)}})
	s.Figures = []report.Figure{figure}
	return s, err
}
