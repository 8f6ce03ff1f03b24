package selection

import (
	"context"
	"sort"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// The size of a comparison.
const (
	comparisonLabels  = fewPoints / 2 // most labels: half of the fewest points that are compared on have none
	comparisonClasses = 50            // most classes
)

// ReferenceNeighbours is the number of neighbours in the graph that predicted classes are to fit.
const ReferenceNeighbours = 10

// hiddenEdges is the share of given edges that no candidate has. A candidate fits the edges it has, whether they tell of the classes or not.
const hiddenEdges = 0.2

// comparison is points of a data set, drawn by the seed, and all that the candidates share there.
type comparison struct {
	asked, recipe train.Recipe // as it was given, and with defaults
	sample
	given
	candidates
	limits
	task      *task.Task
	columns   deformed.Columns
	geometry  *geometry.Geometry
	factors   map[role]*geometry.Geometry // of kernels that were taken up
	reference *graph.Adjacency            // the graph that predicted classes are to fit; nil for supervised machines
	held      *heldOut                    // nil where no label can be held out
	beyond    map[role]float64            // how many times as large the loss of machines with graphs is where half of the rows are new, by kernel
	screening *comparison                 // on few of the points, see screeningSample; nil for none
	compared  int                         // candidates, for which the time sufficed
	rival     rival                       // of the width
	shuffled  bool                        // chance is measured, by the labels in another order
	left      *leftovers                  // for the training; nil where it takes none
}

// given is what tells of pairs of points beside their features.
type given struct {
	edges   *graph.Adjacency // without the hidden ones; nil for none
	hidden  *graph.Adjacency // given edges that candidates do not have, and that predicted classes are to fit; nil for none
	centres bool             // machines may be centred, see [train.Centre]
	unlike  bool             // the points are, see [train.Recipe.Unlike]
	terms   *points.Points   // whose nearest are neighbours too; nil for none
}

// limits bound what comparing may cost.
type limits struct {
	landmarks int       // that kernel matrices are made of; 0 for whole ones
	until     time.Time // after which nothing more is compared; zero for any time
	side      int       // graphs that are taken up at the same time at most, as much of the work on one keeps a single goroutine busy
}

// late reports whether the time for comparing is up.
func (l limits) late() bool { return !l.until.IsZero() && time.Now().After(l.until) }

// newComparison draws at most the given number of points, and lists the candidates on them. With landmarks
// above 0 machines are on so many landmarks. It says why where there is nothing to compare.
func newComparison(ctx context.Context, d *dataset.Dataset, r train.Recipe, run train.Run, most, landmarks int) (a *comparison, why string, err error) {
	a = &comparison{asked: r, limits: limits{side: parallel.Threads(ctx), landmarks: landmarks, until: run.Comparing().Until()}, factors: make(map[role]*geometry.Geometry)}
	if a.recipe, err = r.WithDefaults(); err != nil {
		return nil, "", train.OfKind(train.ErrParameter, err)
	}
	if !a.recipe.Loss.Smooth() { // leaving a label out has no closed form
		a.recipe.Loss = objective.SquaredHinge // the parameters of one serve the other
	}
	all, err := train.TaskOf(ctx, d, a.recipe, run)
	if err != nil {
		return nil, "", train.OfKind(train.ErrData, err)
	}
	all = all.Complete() // labels are left out of all machines alike
	rows := []int(nil)   // of d, that take part; nil means all
	if a.recipe.Supervised {
		rows, all = all.Labelled, all.Alone()
	}
	a.points, a.outputs = all.Points, all.Coding().Machines()
	if run.Memory > 0 {
		memory := run.Memory - train.MemoryOfPoints(d.Points)
		most = a.affordable(all, min(most, all.Points), memory)
		for a.side > 1 && a.bytes(all, most, a.side) > memory {
			a.side--
		}
	}
	if why := a.cannot(all, most, run); why != "" {
		return nil, why, nil
	}
	taken, seen := a.draw(all, most, a.recipe.Seed)
	a.task = all.Subset(taken, func(k int) bool { return seen[k] })
	if a.unseen > 0 && run.Validation == nil {
		a.remember(d, all, a.task, rows, seen)
	}
	if a.recipe.Supervised { // unseen labels have nothing to add
		taken, a.task = of(taken, a.task.Labelled), a.task.Alone()
	}
	if rows != nil {
		taken = of(rows, taken)
	}
	frame, p, err := train.NewPreprocessing(ctx, d, a.recipe, taken)
	if err != nil {
		return nil, "", train.OfKind(train.ErrParameter, err)
	}
	a.columns = deformed.Columns{Targets: a.task.Targets(), Weights: a.task.Weights, Loss: a.recipe.Loss}
	var validation *train.Validation
	if v := run.Validation; v != nil {
		if validation, err = train.NewValidation(ctx, v, frame, a.task); err != nil {
			return nil, "", train.OfKind(train.ErrData, err)
		}
	}
	if a.held = newHeldOut(a.task, validation, a.recipe.Criterion); a.held != nil {
		a.held.scaled = landmarks > 0 && !a.kind().each && a.outputs > 1
	}
	if !a.recipe.Supervised {
		if a.edges, a.terms = train.EdgesOf(d, taken), train.TermsOf(d, taken); a.edges != nil && !a.kind().functions {
			a.edges, a.hidden = a.edges.Split(hiddenEdges, a.recipe.Seed)
			a.hidden = a.hidden.Attracting()
		}
	}
	a.unlike, a.centres = a.recipe.Unlike(d), a.recipe.MayCentre(d)
	why, err = a.prepare(ctx, p, run.Work)
	return a, why, err
}

// bytes estimates the memory of n of the points of t, with so many graphs at the same time.
func (a *comparison) bytes(t *task.Task, n, side int) int64 {
	if m := a.landmarks; m > 0 {
		columns, machines := min(comparisonLabels, len(t.Labelled))+1, t.Coding().Machines()
		its := nystrom.Bytes(n, m, columns, columns, machines, gram.Single)
		return max(its.Solving, its.Functions)
	}
	return 8*int64(n)*int64(n) + int64(side)*deformed.Bytes(n, min(comparisonLabels, len(t.Labelled), n), len(choiceIntrinsic()))
}

// affordable returns how many of the points of t, up to the given number, fit into the memory, one
// graph after the other.
func (a *comparison) affordable(t *task.Task, most int, memory int64) int {
	fits := func(n int) bool { return a.bytes(t, n, 1) <= memory }
	if fits(most) {
		return most
	}
	return sort.Search(most, func(n int) bool { return n > 0 && !fits(n) }) - 1
}

// cannot says why machines cannot be compared, "" where they can.
func (a *comparison) cannot(t *task.Task, most int, run train.Run) string {
	switch {
	case kindOf(t.Kind).cannot != "":
		return kindOf(t.Kind).cannot
	case kindOf(t.Kind).each && !t.Varied():
		return "of too few labelled rows all classes are known"
	case most < min(t.Points, 100):
		return "the memory allowed is too little for a comparison"
	case run.Validation == nil && len(t.Repeated()) == 0 && a.recipe.Supervised:
		return "fewer than two classes have two labels, so that none can be held out"
	}
	return ""
}

// labels returns how many labels there are, the unseen among them.
func (a *comparison) labels() int { return len(a.task.Labelled) + a.unseen }

// share returns the share of the labels that the comparison has.
func (a *comparison) share() float64 { return float64(len(a.task.Labelled)) / float64(a.labels()) }

// of returns the elements of list at the given positions.
func of[T any](list []T, positions []int) []T {
	elements := make([]T, len(positions))
	for k, at := range positions {
		elements[k] = list[at]
	}
	return elements
}

// prepare makes the geometry of the points, of what earlier choices left as far as it goes, and lists kernels and candidates. It says why where
// there is nothing to compare.
func (a *comparison) prepare(ctx context.Context, p *points.Points, work *train.Work) (why string, err error) {
	r, n := a.recipe, p.Len()
	options, err := r.Graph.WithDefaults(max(n, 2))
	if err != nil {
		return "", train.OfKind(train.ErrParameter, err)
	}
	if a.metrics = []graph.Metric{options.Metric}; a.openMetric() {
		options.Metric = graph.SelfTuning // which seeks Euclidean neighbours, and more of them
		a.metrics = append(a.metrics, graph.SelfTuning)
	}
	neighbours := a.neighbours(n)
	if r.Supervised {
		options.Neighbours = 0 // there is no graph
	} else if a.unlike && a.edgesAlone() {
		options.Neighbours = 0 // there are none
	} else {
		if k := r.Graph.Neighbours; k > 0 {
			if err := graph.CheckNeighbours(p, k); err != nil {
				return "", train.OfKind(train.ErrParameter, err)
			}
		}
		if len(neighbours) == 0 {
			return "there are too few points for a graph", nil
		}
		options.Neighbours = max(neighbours[len(neighbours)-1], min(2*ReferenceNeighbours, n-1))
	}
	has := geometry.Options{Graph: options, Edges: a.edges, Terms: a.terms, Seed: r.Seed}
	if a.geometry = work.Searched(p, has); a.geometry == nil {
		if a.geometry, err = geometry.New(ctx, p, has); err != nil {
			return "", train.OfKind(train.ErrData, err)
		}
	}
	if !r.Supervised {
		if a.reference, _, err = a.geometry.Graph(ctx, min(ReferenceNeighbours, n-1)); err != nil {
			return "", err
		}
		a.reference = a.reference.Attracting()
	}
	if err := a.widths(ctx, options.Metric); err != nil {
		return "", train.OfKind(train.ErrData, err)
	}
	a.list(neighbours)
	return "", nil
}
