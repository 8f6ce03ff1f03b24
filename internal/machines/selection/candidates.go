package selection

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/functionspace"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// What Choose compares.
const (
	choicePoints   = 1600 // most points
	choiceLabels   = 150  // most labels
	twoClassLabels = 200  // the same for two classes, which are one machine
	choiceClasses  = 30   // most classes
)

// The numbers of neighbours, powers of the Laplacian and weights of the norms that Choose compares.
// They serve where the settings are open and the comparison is on all points.
func choiceNeighbours() []int { return []int{2, 3, 5, 10, 20, 50} }
func choiceDegrees() []int    { return []int{1, 2, 5} }
func choiceGammas() []float64 { return []float64{1e-6, 1e-4, 1e-2, 1, 100} }

// comparison is machines on points of a data set, to be compared by labels that
// they do not see.
type comparison struct {
	asked      train.Recipe // as it was given
	recipe     train.Recipe // with defaults
	points     int          // that take part in the training
	task       *task.Task   // of the points of the comparison
	geometry   *geometry.Geometry
	columns    deformed.Columns
	validation *train.Validation // in place of held-out labels; nil without
	held       *holdOut          // nil where no label can be held out
	blocks     []block           // of the labels; nil where nothing is announced
	reference  *graph.Adjacency  // the graph that predicted classes are to fit; nil for supervised machines
	kernels    []kernel.Kernel
	nearest    int               // the number of the kernel as wide as neighbours are apart, −1 for none
	widest     int               // the number of the widest of several kernels, −1 for none
	graphs     []train.Member    // of which the graph counts
	gammas     []deformed.Gammas // of each graph
	ambient    []deformed.Gammas // of supervised machines
	landmarks  int               // that kernel matrices are made of; 0 for whole ones
	part       bool              // the comparison is on less than a quarter of the points
	unseen     int               // labels that it does not see
	until      time.Time         // after which nothing more is compared; zero for any time
	tried      int               // machines compared
	atOnce     int               // views that are made at the same time
	measured   []candidate       // with a graph, and
	alone      []candidate       // supervised ones
}

// newComparison takes at most the given number of points, and lists the candidates on them. The
// candidates are exact machines; with landmarks above 0 they are machines on so many landmarks,
// with fewer graphs. It says why where labels cannot be held out.
func newComparison(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run, most, landmarks int) (c *comparison, why string, err error) {
	c = &comparison{asked: r, landmarks: landmarks}
	if run.Time > 0 {
		c.until = time.Now().Add(run.Time)
	}
	if c.recipe, err = r.WithDefaults(); err != nil {
		return nil, "", train.OfKind(train.ErrParameter, err)
	}
	if !c.recipe.Loss.Smooth() { // leaving a label out has no closed form
		c.recipe.Loss = objective.SquaredHinge // the parameters of one serve the other
	}
	all, err := train.TaskOf(ctx, d, c.recipe, run)
	if err != nil {
		return nil, "", train.OfKind(train.ErrData, err)
	}
	rows := []int(nil) // of d, that take part; nil means all
	if c.recipe.Supervised {
		rows, all = all.Labelled, all.Alone()
	}
	c.points = all.Points
	c.atOnce = viewsAtOnce
	if run.Memory > 0 {
		memory := run.Memory - train.MemoryOfPoints(d.Points)
		if most = c.affordable(all, min(most, all.Points), memory); viewsAtOnce*c.bytes(all, most) > memory {
			c.atOnce = 1
		}
	}
	if why := c.cannot(all, most, run); why != "" {
		return nil, why, nil
	}
	taken, seen := c.take(all, most)
	c.task = all.Subset(taken, func(k int) bool { return seen[k] })
	if c.recipe.Supervised { // unseen labels have nothing to add
		taken, c.task = of(taken, c.task.Labelled), c.task.Alone()
	}
	if rows != nil {
		taken = of(rows, taken)
	}
	frame, p, err := train.NewFrame(ctx, d, c.recipe, taken)
	if err != nil {
		return nil, "", train.OfKind(train.ErrParameter, err)
	}
	if v := run.Validation; v != nil {
		if c.validation, err = train.NewValidation(v, frame, c.task); err != nil {
			return nil, "", train.OfKind(train.ErrData, err)
		}
	}
	c.columns = deformed.Columns{Targets: c.task.Targets(), Weights: c.task.Weights, Loss: c.recipe.Loss, OneClass: c.recipe.OneClass}
	why, err = c.list(ctx, p)
	return c, why, err
}

// affordable returns how many of the points of t, up to the given number, can be compared on in the
// memory given.
func (c *comparison) affordable(t *task.Task, most int, memory int64) int {
	fits := func(n int) bool { return c.bytes(t, n) <= memory }
	if fits(most) {
		return most
	}
	return sort.Search(most, func(n int) bool { return n > 0 && !fits(n) }) - 1
}

// bytes estimates the memory that a comparison on n of the points of t takes, with one
// view at a time.
func (c *comparison) bytes(t *task.Task, n int) int64 {
	if m := c.landmarks; m > 0 {
		all, _ := functionspace.Bytes(n, m, labelsSeen(t), gram.Single)
		return all + 4*int64(len(choiceGammas())*n*m)
	}
	part := isPart(n, t.Points)
	a, i := c.grids(part)
	ratios := make(map[float64]bool)
	for _, a := range a {
		for _, i := range i {
			ratios[i/a] = true
		}
	}
	return deformed.Bytes(n, min(labelsSeen(t), n), len(ratios))
}

// degrees returns the powers of the Laplacian that are compared, on a part of the
// points or on all.
func (c *comparison) degrees(part bool) []int {
	switch {
	case c.recipe.Supervised:
		return []int{0}
	case c.recipe.Graph.Degree > 0:
		return []int{c.recipe.Graph.Degree}
	case part: // whose graph says little about that of all
		o, _ := c.recipe.Graph.WithDefaults(choicePoints) // errors come again
		return []int{o.Degree}
	}
	return choiceDegrees()
}

// labelsSeen returns how many labels a comparison sees at most.
func labelsSeen(t *task.Task) int {
	most := choiceLabels // several of each of choiceClasses
	if t.Coding().Machines() == 1 {
		most = twoClassLabels
	}
	return min(most, len(t.Labelled))
}

// of returns the elements of list at the given positions.
func of[T any](list []T, positions []int) []T {
	elements := make([]T, len(positions))
	for k, at := range positions {
		elements[k] = list[at]
	}
	return elements
}

// cannot says why labels cannot be held out, "" where they can.
func (c *comparison) cannot(t *task.Task, most int, run train.Run) string {
	switch {
	case c.recipe.OneClass:
		return "there is one class only"
	case len(t.Classes) > choiceClasses:
		return fmt.Sprintf("comparing machines of more than %d classes takes too long", choiceClasses)
	case most < min(t.Points, 100):
		return "the memory allowed is too little for a comparison"
	case run.Validation == nil && len(t.Repeated()) == 0 && c.recipe.Supervised:
		return "fewer than two classes have two labels, so that none can be held out"
	}
	return ""
}

// take draws the points of the comparison, ascending, and the labels that it may
// see, by their number among the labelled points.
func (c *comparison) take(t *task.Task, most int) (taken []int, seen map[int]bool) {
	rng := rand.New(rand.NewPCG(c.recipe.Seed, 17))
	byClass := make([][]int, len(t.Classes))
	for k, class := range t.Class {
		byClass[class] = append(byClass[class], k)
	}
	for _, class := range byClass {
		rng.Shuffle(len(class), func(a, b int) { class[a], class[b] = class[b], class[a] })
	}
	labels := min(labelsSeen(t), most)
	seen = make(map[int]bool)
	isTaken := make([]bool, t.Points)
	for round := 0; len(seen) < labels; round++ {
		for _, class := range byClass { // class by class
			if round < len(class) && len(seen) < labels {
				k := class[round]
				seen[k], isTaken[t.Labelled[k]] = true, true
				taken = append(taken, t.Labelled[k])
			}
		}
	}
	for _, i := range rng.Perm(t.Points) {
		if len(taken) < most && !isTaken[i] {
			taken = append(taken, i)
		}
	}
	c.part, c.unseen = isPart(len(taken), t.Points), len(t.Labelled)-len(seen)
	slices.Sort(taken)
	return taken, seen
}

// isPart reports whether the points taken are less than a quarter of all: their graph says little
// about the graph of all.
func isPart(taken, all int) bool { return 4*taken < all }

// list makes the geometry of the points and lists kernels, graphs and weights. It
// says why where there is nothing to compare.
func (c *comparison) list(ctx context.Context, p *points.Points) (why string, err error) {
	r, n := c.recipe, p.Len()
	options, err := r.Graph.WithDefaults(max(n, 2))
	if err != nil {
		return "", train.OfKind(train.ErrParameter, err)
	}
	neighbours, degrees := choiceNeighbours(), c.degrees(c.part)
	if c.part { // the graph of a part says little about that of all
		neighbours = []int{options.Neighbours}
	}
	if c.landmarks > 0 {
		neighbours = []int{options.Neighbours / 2, options.Neighbours, 2 * options.Neighbours}
	}
	if k := r.Graph.Neighbours; k > 0 {
		neighbours = []int{k}
		if err := graph.CheckNeighbours(p, k); err != nil && !r.Supervised {
			return "", train.OfKind(train.ErrParameter, err)
		}
	}
	most := 0
	for _, k := range neighbours {
		for _, degree := range degrees {
			if k < n && !r.Supervised {
				c.graphs = append(c.graphs, train.Member{Neighbours: k, LaplacianDegree: degree})
				most = k
			}
		}
	}
	if most == 0 && !r.Supervised {
		return "there are too few points for a graph", nil
	}
	options.Neighbours = most
	if !r.Supervised {
		options.Neighbours = max(most, min(referenceNeighbours, n-1))
	}
	if c.geometry, err = geometry.New(ctx, p, geometry.Options{Graph: options, Seed: r.Seed}); err != nil {
		return "", train.OfKind(train.ErrData, err)
	}
	if !r.Supervised {
		if c.reference, _, err = c.geometry.Graph(ctx, min(referenceNeighbours, n-1)); err != nil {
			return "", err
		}
	}
	c.kernels, c.nearest, c.widest = []kernel.Kernel{r.Kernel}, -1, -1
	if kernel.Open(r.Kernel) {
		if err = c.widths(ctx, options.Metric); err != nil {
			return "", train.OfKind(train.ErrData, err)
		}
		if len(c.kernels) > 1 {
			c.widest = len(c.kernels) - 1
		}
	}
	c.weights()
	if c.validation == nil && len(c.task.Repeated()) > 0 { // validation points need the kernel
		c.held, err = newHoldOut(c.task, c.columns, 0)
	}
	return "", err
}

// grids returns the weights of the norms that are compared, on a part of the points or
// on all.
func (c *comparison) grids(part bool) (a, i []float64) {
	a, i = choiceGammas(), choiceGammas()
	if part {
		a, i = DefaultGrid(), DefaultGrid()
	}
	if c.asked.GammaA > 0 {
		a = []float64{c.asked.GammaA}
	}
	if c.asked.GammaI > 0 {
		i = []float64{c.asked.GammaI}
	}
	return a, i
}

// weights lists the weights of the norms.
func (c *comparison) weights() {
	a, i := c.grids(c.part)
	for _, a := range a {
		c.ambient = append(c.ambient, deformed.Gammas{A: a})
		for _, i := range i {
			c.gammas = append(c.gammas, deformed.Gammas{A: a, I: i})
		}
	}
}

// referenceNeighbours is the number of neighbours in the graph that predicted
// classes are to fit.
const referenceNeighbours = 10

// widthNeighbours is the number of neighbours whose mean distance is a width.
const widthNeighbours = 5

// widths lists the kernel with the scales of the points for its width, in the
// distance that belongs to it.
func (c *comparison) widths(ctx context.Context, metric graph.Metric) error {
	p, n, statistic := c.geometry.Points(), c.geometry.Len(), c.recipe.Kernel.Kind().Statistic
	nb := c.geometry.Neighbours()
	if metric == graph.Cosine {
		nb = nil
	}
	nearest, err := c.nearestKernel(ctx, p, nb)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(c.recipe.Seed, 18))
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
	c.kernels = nil
	if nearest.Validate() == nil {
		c.kernels, c.nearest = append(c.kernels, nearest), 0
	}
	for _, width := range []float64{median / 2, median, 4 * median} {
		if k := kernel.WithWidth(c.recipe.Kernel, width); k.Validate() == nil {
			c.kernels = append(c.kernels, k)
		}
	}
	if len(c.kernels) == 0 {
		return gram.ErrNoWidth
	}
	return nil
}
