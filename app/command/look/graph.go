package look

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/app/command/learn"
	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/internal/system/size"
	"lapsvm/points"
)

// componentsShown is how many components the report lists.
const componentsShown = 10

// Graph returns the command graph, which reports on the neighbour graph.
func Graph(p *cli.Program) *cobra.Command {
	var data input.DataFlags
	var training input.TrainFlags
	var output cli.OutputFlags
	c := &cobra.Command{
		Use:   "graph DATA",
		Short: "Report on the neighbour graph: components, isolated and duplicate points",
		Long: `graph finds the neighbours of all points of DATA, and describes the graph that a
training would use: its components and their labels, isolated points, and groups
of equal points, with equal or different labels.

DATA may be a pattern in quotes, such as 'shards/*.parquet', for files of the
same columns, whose rows follow one another.`,
		Example: `  lapsvm graph points.csv
  lapsvm graph points.csv --neighbours 10 --metric cosine`,
		Annotations: map[string]string{cli.OnRanks: "yes"},
		Args:        cli.Arguments("DATA"),
		RunE: func(c *cobra.Command, args []string) error {
			t, err := training.Trainer(c.Context(), &data)
			if err != nil {
				return err
			}
			progress := p.Watch(&output)
			d, err := data.ReadShare(c.Context(), p, args[0])
			progress.Done()
			if err != nil {
				return err
			}
			labels, err := input.WithLabels(c.Context(), d)
			if err != nil {
				return err
			}
			input.ShowColumns(p, d, t.Recipe, &output, false)
			input.ShowOtherLabels(p, labels, t.Recipe, &output)
			asked := t.Recipe.Graph
			if t.Recipe.Kernel != nil {
				asked.Metric = cmp.Or(graph.MetricOf(t.Recipe.Kernel), asked.Metric)
			}
			o, err := asked.WithDefaults(len(labels.Y))
			if err != nil {
				return cli.Usagef("%w", err)
			}
			t.Recipe.RulesOfThumb = true // a graph needs no labels
			g := graphReport{options: o, classes: d.Classes, numbers: !answer.KindOf(t.Recipe.Kind).Classes()}
			err = g.make(progress.Over(c.Context(), "finding neighbours"), d, labels.Y, t)
			if err != nil || g.neighbours == nil { // rank 0 has them
				return err
			}
			progress.Done()
			if output.JSON {
				return cli.PrintJSON(p.Stdout, newGraphResult(g))
			}
			printGraph(p, g)
			return nil
		},
	}
	c.Flags().SortFlags = false
	data.Register(c.Flags())
	data.RegisterColumns(c.Flags())
	data.RegisterLabels(c.Flags())
	data.RegisterEdges(c.Flags())
	parts := training.Define()
	c.Flags().AddFlagSet(parts)
	output.Register(p, c)
	// The other flags of a training are taken, for config files of train, but not
	// listed.
	cli.Without(parts, "describe", "standardise", "neighbours", "metric", "weights", "heat", "recall", "seed", "threads").VisitAll(func(f *pflag.Flag) { f.Hidden = true })
	cli.ForBeginners(c, "label", "unlabelled", "select", "standardise", "neighbours", "metric", "weights", "json")
	return c
}

// graphReport is a graph with its statistics.
type graphReport struct {
	options     graph.Options
	classes     []string      // of numbers their text, ascending
	numbers     bool          // labels are
	featureless bool          // rows have no feature, and edges alone
	recipe      lapsvm.Recipe // by whose scaling
	neighbours  *graph.Neighbours
	found       graph.Found
	width       float64          // of the heat weights
	edges       *graph.Adjacency // that are given; nil for none
	health      *graph.Health

	meanDistance float64
}

// graphBytes estimates the memory of the graph with k neighbours of each point, of so many sought: the
// points as read and scaled, and the search or, after it, the edges.
func graphBytes(p *points.Points, sought, k int, search graph.Search) int64 {
	return 2*p.Bytes() + max(graph.SearchBytes(p, sought, search), graph.Bytes(p.Len(), k))
}

// make makes the graph of d, whose rows have labels y. A process alone makes it where the memory
// allowed has room for it. Of ranks the first has it, and takes 12 bytes for every neighbour, and as
// many for every edge.
func (g *graphReport) make(ctx context.Context, d *dataset.Dataset, y []int, t lapsvm.Trainer) (err error) {
	search := graph.Search{Recall: g.options.Recall, Seed: t.Recipe.Seed}
	k, metric := g.options.Neighbours, g.options.Metric
	sought := metric.Candidates(k, len(y))
	need := graphBytes(d.Points, sought, k, search)
	if d.Ranks().Alone() && t.Memory > 0 && need > t.Memory {
		return cli.Usagef("%w", fault.Memory.Errorf("the graph of %d points with %d neighbours takes about %s, but %s may be used: take fewer rows or neighbours, or allow more with --memory",
			d.Points.Len(), k, size.Text(need), size.Text(t.Memory)))
	}
	if d, g.recipe, err = t.Prepare(ctx, d); err != nil {
		return err
	}
	g.options.EdgesAlone, g.featureless = g.recipe.Graph.EdgesAlone, d.Featureless
	_, own, err := train.NewPreprocessing(ctx, d, g.recipe, d.Own())
	if err != nil {
		return cli.Usagef("%w", err)
	}
	equal, err := graph.EqualTogether(ctx, d.Ranks(), own, d.Own())
	if err != nil {
		return err
	}
	if g.neighbours, g.found, err = graph.FindTogether(ctx, d.Ranks(), own, d.Own(), sought, metric.Sought(), search); err != nil {
		return cli.Usagef("%w", err)
	}
	if g.neighbours == nil {
		return nil
	}
	if g.neighbours, err = metric.Nearest(ctx, g.neighbours, k); err != nil {
		return err
	}
	var w *graph.Adjacency
	if w, g.width, err = graph.Connect(ctx, g.neighbours, g.options.Weights, g.options.HeatWidth); err != nil {
		return err
	}
	if v := train.EdgesOf(d, nil); v != nil {
		if g.edges = v; g.options.EdgesAlone {
			w = v
		} else {
			w = graph.Joined(w, v, cmp.Or(g.options.EdgeWeight, 1))
		}
	}
	reach, err := graph.NewReach(ctx, w)
	if err != nil {
		return err
	}
	g.health = reach.HealthOf(equal, y, len(d.Classes))
	g.meanDistance, err = g.neighbours.MeanDistance(ctx)
	return err
}

func printGraph(p *cli.Program, g graphReport) {
	r, o := g.health, g.options
	fmt.Fprintln(p.Text, learn.ScalingText(g.recipe))
	labelled := 0
	for _, component := range r.Components {
		labelled += component.Labelled()
	}
	of := fmt.Sprintf("%d neighbours (%s)", o.Neighbours, o.Metric)
	switch {
	case g.edges != nil && o.EdgesAlone:
		of = "edges as they are given"
	case g.edges != nil:
		of += fmt.Sprintf(" and %d given edges", len(g.edges.Index)/2)
	}
	fmt.Fprintf(p.Text, "%d points, %d labelled; %s: %d edges, %d to %d at a point\n",
		r.Points, labelled, of, r.Edges, r.MinDegree, r.MaxDegree)
	if !g.featureless {
		fmt.Fprintf(p.Text, "neighbour search %v\n", train.SearchOf(g.found))
		fmt.Fprintf(p.Text, "mean neighbour distance %.6g", g.meanDistance)
		if g.width > 0 {
			fmt.Fprintf(p.Text, ", heat width %.6g", g.width)
		}
		fmt.Fprintln(p.Text)
	}
	fmt.Fprintf(p.Text, "%s; %s; %s of equal points", cli.Count(len(r.Components), "component", "components"),
		cli.Count(len(r.Isolated), "isolated point", "isolated points"), cli.Count(len(r.Duplicates), "group", "groups"))
	if r.Disagreeing > 0 {
		fmt.Fprintf(p.Text, ", %s of them labelled differently", cli.Count(r.Disagreeing, "pair", "pairs"))
	}
	fmt.Fprintln(p.Text)
	if r.WithoutLabel > 0 && labelled > 0 {
		fmt.Fprintf(p.Text, "%s in components without a label: the kernel alone decides there; label one, or ask for more neighbours\n",
			cli.Count(r.WithoutLabel, "point is", "points are"))
	}
	fmt.Fprintln(p.Text)
	rows := [][]string{{"component", "points", "labels"}}
	for k, component := range r.Components {
		if k == componentsShown {
			rows = append(rows, []string{fmt.Sprintf("%d more", len(r.Components)-k)})
			break
		}
		var labels []string
		for c, n := range component.Labels {
			if n > 0 && !g.numbers {
				labels = append(labels, fmt.Sprintf("%s: %d", input.Printable(g.classes[c]), n))
			}
		}
		if r := g.rangeOf(component); r != nil {
			labels = []string{fmt.Sprintf("%s from %s to %s", cli.Count(r.Count, "number", "numbers"), input.Brief(fmt.Sprint(r.Low)), input.Brief(fmt.Sprint(r.High)))}
		}
		if labels == nil {
			labels = []string{"none"}
		}
		rows = append(rows, []string{fmt.Sprint(k + 1), fmt.Sprint(component.Size), strings.Join(labels, ", ")})
	}
	_ = cli.PrintTable(p.Text, rows)
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
	Labels map[string]int `json:"labels"` // of classes
	*numberRange
}

// numberRange is the JSON of the labels of a component that are numbers; without a label there is none.
type numberRange struct {
	Count int     `json:"numbers"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// rangeOf returns the numbers of a component, nil of classes and without a label.
func (g graphReport) rangeOf(component graph.Component) *numberRange {
	if !g.numbers || component.Labelled() == 0 {
		return nil
	}
	r := &numberRange{Count: component.Labelled(), Low: math.Inf(1), High: math.Inf(-1)}
	for c, n := range component.Labels {
		if v, err := strconv.ParseFloat(g.classes[c], 64); err == nil && n > 0 {
			r.Low, r.High = min(r.Low, v), max(r.High, v)
		}
	}
	return r
}

func newGraphResult(of graphReport) graphResult {
	r, o := of.health, of.options
	g := graphResult{
		NeighbourSearch: train.SearchOf(of.found),
		N:               r.Points, Neighbours: o.Neighbours, Metric: o.Metric, Standardise: of.recipe.Standardise, Weights: o.Weights, MeanDistance: of.meanDistance, Heat: of.width,
		Edges: r.Edges, MinDegree: r.MinDegree, MaxDegree: r.MaxDegree, Disagreeing: r.Disagreeing, WithoutLabel: r.WithoutLabel,
		Components: []graphComponent{}, Isolated: []int{}, Duplicates: [][]int{},
	}
	for _, component := range r.Components {
		labels := make(map[string]int)
		for c, n := range component.Labels {
			if n > 0 && !of.numbers {
				labels[of.classes[c]] = n
			}
		}
		g.Components = append(g.Components, graphComponent{component.Size, labels, of.rangeOf(component)})
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
