package lapsvm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lapsvm/deformed"
	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// cannot says why labels cannot be held out, "" where they can.
func (c *chooser) cannot() string {
	if c.f.t.OneClass {
		return "there is one class only"
	}
	if len(c.f.classes) > choiceClasses {
		return fmt.Sprintf("comparing machines of more than %d classes takes too long", choiceClasses)
	}
	if c.most() < min(len(c.f.rows), 100) {
		return "the memory allowed is too little for a comparison"
	}
	if c.f.t.Validation != nil {
		return ""
	}
	if len(c.f.repeated()) == 0 {
		return "every class has a single label, which cannot be held out"
	}
	return ""
}

// most is how many points the comparison may be on.
func (c *chooser) most() int {
	if c.t.Memory > 0 {
		return min(c.points, int(math.Sqrt(float64(c.t.Memory)/float64(deformed.Bytes(1)))))
	}
	return c.points
}

// take draws the rows of the comparison, ascending, and the labels that it may
// see.
func (c *chooser) take() (rows []int, seen map[int]bool) {
	f, most := c.f, c.most()
	rng := rand.New(rand.NewPCG(c.t.Seed, 17))
	byClass := make([][]int, len(f.classes))
	for k, i := range f.labelled {
		byClass[f.y[k]] = append(byClass[f.y[k]], f.rows[i])
	}
	for _, class := range byClass {
		rng.Shuffle(len(class), func(a, b int) { class[a], class[b] = class[b], class[a] })
	}
	seen = make(map[int]bool)
	labels := max(choiceLabels, 2*len(f.classes))
	if f.machines() == 1 {
		labels = twoClassLabels
	}
	labels = min(labels, len(f.labelled), most)
	for round := 0; len(seen) < labels; round++ {
		for _, class := range byClass { // class by class
			if round < len(class) && len(seen) < labels {
				seen[class[round]] = true
				rows = append(rows, class[round])
			}
		}
	}
	for _, at := range rng.Perm(len(f.rows)) {
		if row := f.rows[at]; len(rows) < most && !seen[row] {
			rows = append(rows, row)
		}
	}
	c.part, c.unseen = len(rows) < len(f.rows), len(f.labelled)-len(seen)
	slices.Sort(rows)
	return rows, seen
}

// candidates lists kernels, graphs and weights.
func (c *chooser) candidates(ctx context.Context) error {
	f, n := c.f, c.f.p.Len()
	options, err := f.t.Graph.WithDefaults(max(n, 2))
	if err != nil {
		return ofKind(ErrParameter, err)
	}
	neighbours, degrees := choiceNeighbours, choiceDegrees
	if c.part { // the graph of a part says little about that of all
		neighbours, degrees = []int{options.Neighbours}, []int{options.Degree}
	}
	if c.t.Graph.Neighbours > 0 {
		neighbours = []int{c.t.Graph.Neighbours}
		if err := graph.CheckNeighbours(f.p, c.t.Graph.Neighbours); err != nil && !c.supervised {
			return ofKind(ErrParameter, err)
		}
	}
	if c.t.Graph.Degree > 0 {
		degrees = []int{c.t.Graph.Degree}
	}
	for _, k := range neighbours {
		for _, p := range degrees {
			if k < n && !c.supervised {
				o := options
				o.Neighbours, o.Degree = k, p
				c.graphs = append(c.graphs, o)
			}
		}
	}
	switch {
	case len(c.graphs) == 0 && !c.supervised:
		c.why = "there are too few points for a graph"
		return nil
	case len(c.graphs) > 0:
		if c.all, err = graph.FindNeighbours(ctx, f.p, c.graphs[len(c.graphs)-1].Neighbours, options.Metric); err != nil {
			return ofKind(ErrData, err)
		}
	}
	c.kernels = []kernel.Kernel{f.t.Kernel}
	if kernel.Open(f.t.Kernel) {
		if c.kernels, err = c.widths(ctx); err != nil {
			return ofKind(ErrData, err)
		}
	}
	a, i := choiceGammas, choiceGammas
	if c.part {
		a, i = DefaultGrid(), DefaultGrid()
	}
	if c.t.GammaA > 0 {
		a = []float64{c.t.GammaA}
	}
	if c.t.GammaI > 0 {
		i = []float64{c.t.GammaI}
	}
	for _, a := range a {
		c.ambient = append(c.ambient, deformed.Gammas{A: a})
		for _, i := range i {
			c.gammas = append(c.gammas, deformed.Gammas{A: a, I: i})
		}
	}
	if f.t.Validation == nil { // else it needs the kernel
		c.held, err = f.holdOut(ctx, nil, 0)
	}
	return err
}

// widthNeighbours is the number of neighbours whose mean distance is a width.
const widthNeighbours = 5

// widths returns the kernel with the scales of the points for its width, in the
// distance that belongs to it.
func (c *chooser) widths(ctx context.Context) ([]kernel.Kernel, error) {
	p, n, statistic := c.f.p, c.f.p.Len(), c.f.t.Kernel.Kind().Statistic
	nb := c.all
	if nb == nil || nb.K < widthNeighbours || c.f.t.Graph.Metric == graph.Cosine {
		var err error
		if nb, err = graph.FindNeighbours(ctx, p, min(widthNeighbours, n-1), graph.Euclidean); err != nil {
			return nil, err
		}
	}
	rng := rand.New(rand.NewPCG(c.t.Seed, 18))
	var distances []float64
	for range 20000 {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			distances = append(distances, p.Distance(statistic, i, p, j))
		}
	}
	slices.Sort(distances)
	median := 0.0
	if len(distances) > 0 {
		median = distances[len(distances)/2]
	}
	if nb = nb.First(min(widthNeighbours, nb.K)); statistic != points.Products {
		nb = nb.In(p, statistic)
	}
	var kernels []kernel.Kernel
	for _, width := range []float64{nb.MeanDistance(), median / 2, median} {
		if width > 0 {
			kernels = append(kernels, kernel.WithWidth(c.f.t.Kernel, width))
		}
	}
	if len(kernels) == 0 {
		return nil, gram.ErrNoWidth
	}
	return kernels, nil
}
