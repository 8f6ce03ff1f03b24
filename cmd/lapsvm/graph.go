package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/graph"
	"lapsvm/points"
	"lapsvm/selection"
	"lapsvm/train"
)

// componentsShown is how many components the report lists.
const componentsShown = 10

func (p *program) graph() *cobra.Command {
	var data dataFlags
	var training trainFlags
	var output outputFlags
	c := &cobra.Command{
		Use:         "graph DATA",
		Short:       "Report on the neighbour graph: components, isolated and duplicate points",
		Annotations: map[string]string{onRanks: "yes"},
		Args:        arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			t, err := training.trainer(c.Context(), &data)
			if err != nil {
				return err
			}
			progress := p.watch(&output)
			d, err := p.read(c.Context(), &data, args[0])
			progress.done()
			if err != nil {
				return err
			}
			p.showColumns(d, t.Standardise, &output)
			p.showOtherLabels(d, &output)
			o, err := t.Graph.WithDefaults(d.Points.Len())
			if err != nil {
				return usageError{err}
			}
			t.RulesOfThumb = true // a graph needs no labels
			recipe, err := selection.Scale(c.Context(), d, t.Recipe, t.Run)
			if err != nil {
				return err
			}
			scaling, err := points.FitScaling(recipe.Standardise, d.Points)
			if err != nil {
				return usageError{err}
			}
			table := scaling.Apply(d.Points)
			nb, found, err := p.findNeighbours(progress.over(c.Context(), "finding neighbours"), table, o, graph.Search{Recall: o.Recall, Seed: t.Seed})
			if err != nil {
				return usageError{err}
			}
			if nb == nil { // rank 0 has them
				return nil
			}
			w, width := graph.Connect(nb, o.Weights, o.HeatWidth)
			r, err := graph.NewHealth(c.Context(), w, table, d.Y, len(d.Classes))
			if err != nil {
				return err
			}
			progress.done()
			if output.json {
				return printJSON(p.stdout, newGraphResult(r, o, found, recipe, nb.MeanDistance(), width, d.Classes))
			}
			fmt.Fprintln(p.text, scalingText(recipe))
			p.printGraph(r, o, found, nb.MeanDistance(), width, d.Classes)
			return nil
		},
	}
	c.Flags().SortFlags = false
	data.register(c.Flags())
	data.registerColumns(c.Flags())
	parts := training.define()
	c.Flags().AddFlagSet(parts)
	output.register(p, c)
	// The other flags of a training are taken, for config files of train, but not
	// listed.
	without(parts, "standardise", "neighbours", "metric", "weights", "heat", "recall", "seed", "threads").VisitAll(func(f *pflag.Flag) { f.Hidden = true })
	forBeginners(c, "label", "unlabelled", "select", "standardise", "neighbours", "metric", "weights", "json")
	return c
}

// findNeighbours finds the neighbours of points that all ranks have, together; of several
// ranks the first has them, others return nil.
func (p *program) findNeighbours(ctx context.Context, all *points.Points, o graph.Options, search graph.Search) (*graph.Neighbours, graph.Found, error) {
	if p.ranks.comm.Alone() {
		return graph.Find(ctx, all, o.Neighbours, o.Metric, search)
	}
	return graph.FindTogether(ctx, p.ranks.comm, all, o.Neighbours, o.Metric, search)
}

func (p *program) printGraph(r *graph.Health, o graph.Options, found graph.Found, mean, width float64, classes []string) {
	labelled := 0
	for _, component := range r.Components {
		labelled += component.Labelled()
	}
	fmt.Fprintf(p.text, "%d points, %d labelled; %d neighbours (%s): %d edges, %d to %d at a point\n",
		r.Points, labelled, o.Neighbours, o.Metric, r.Edges, r.MinDegree, r.MaxDegree)
	fmt.Fprintf(p.text, "neighbour search %v\n", train.SearchOf(found))
	fmt.Fprintf(p.text, "mean neighbour distance %.6g", mean)
	if width > 0 {
		fmt.Fprintf(p.text, ", heat width %.6g", width)
	}
	fmt.Fprintf(p.text, "\n%s; %s; %s of equal points", count(len(r.Components), "component", "components"),
		count(len(r.Isolated), "isolated point", "isolated points"), count(len(r.Duplicates), "group", "groups"))
	if r.Disagreeing > 0 {
		fmt.Fprintf(p.text, ", %s of them labelled differently", count(r.Disagreeing, "pair", "pairs"))
	}
	fmt.Fprintln(p.text)
	if r.WithoutLabel > 0 && labelled > 0 {
		fmt.Fprintf(p.text, "%s in components without a label: the kernel alone decides there; label one, or ask for more neighbours\n",
			count(r.WithoutLabel, "point is", "points are"))
	}
	fmt.Fprintln(p.text)
	rows := [][]string{{"component", "points", "labels"}}
	for k, component := range r.Components {
		if k == componentsShown {
			rows = append(rows, []string{fmt.Sprintf("%d more", len(r.Components)-k)})
			break
		}
		var labels []string
		for c, n := range component.Labels {
			if n > 0 {
				labels = append(labels, fmt.Sprintf("%s: %d", printable(classes[c]), n))
			}
		}
		if labels == nil {
			labels = []string{"none"}
		}
		rows = append(rows, []string{fmt.Sprint(k + 1), fmt.Sprint(component.Size), strings.Join(labels, ", ")})
	}
	_ = printTable(p.text, rows)
}

// graphResult is the JSON of a graph report.
type graphResult struct {
	*train.NeighbourSearch
	N            int                `json:"n"`
	Neighbours   int                `json:"neighbours"`
	Metric       graph.Metric       `json:"metric"`
	Standardise  points.Standardise `json:"standardise"`
	Weights      graph.Weights      `json:"weights"`
	MeanDistance float64            `json:"mean_distance"`
	Heat         float64            `json:"heat,omitempty"`
	Edges        int                `json:"edges"`
	MinDegree    int                `json:"min_degree"`
	MaxDegree    int                `json:"max_degree"`
	Components   []graphComponent   `json:"components"`
	Isolated     []int              `json:"isolated"`   // 1-based rows
	Duplicates   [][]int            `json:"duplicates"` // groups of 1-based rows
	Disagreeing  int                `json:"disagreeing_duplicates"`
	WithoutLabel int                `json:"without_label"`
}

type graphComponent struct {
	Points int            `json:"points"`
	Labels map[string]int `json:"labels"`
}

func newGraphResult(r *graph.Health, o graph.Options, found graph.Found, recipe lapsvm.Recipe, mean, width float64, classes []string) graphResult {
	g := graphResult{
		NeighbourSearch: train.SearchOf(found),
		N:               r.Points, Neighbours: o.Neighbours, Metric: o.Metric, Standardise: recipe.Standardise, Weights: o.Weights, MeanDistance: mean, Heat: width,
		Edges: r.Edges, MinDegree: r.MinDegree, MaxDegree: r.MaxDegree, Disagreeing: r.Disagreeing, WithoutLabel: r.WithoutLabel,
		Components: []graphComponent{}, Isolated: []int{}, Duplicates: [][]int{},
	}
	for _, component := range r.Components {
		labels := make(map[string]int)
		for c, n := range component.Labels {
			if n > 0 {
				labels[classes[c]] = n
			}
		}
		g.Components = append(g.Components, graphComponent{component.Size, labels})
	}
	for _, i := range r.Isolated {
		g.Isolated = append(g.Isolated, i+1)
	}
	for _, group := range r.Duplicates {
		rows := make([]int, len(group))
		for k, i := range group {
			rows[k] = i + 1
		}
		g.Duplicates = append(g.Duplicates, rows)
	}
	return g
}
