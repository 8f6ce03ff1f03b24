package label

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"lapsvm/dataset"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
)

// Options of a [Labelling]. The zero value is the default.
type Options struct {
	Run train.Run // observers, and the memory allowed
	// Exact is the largest number of points n for which the whole inverse is computed, in
	// time n³ and memory n² for each member of the recipe. More points are solved on
	// landmarks. 0 means 3,000.
	Exact int
	// Shown says that the numbers of a regression, or several classes at once, are for people to see. Labels that do not speak for a graph then have the
	// supervised machine that they choose. Otherwise theirs is by rules of thumb, suggests points as well, and predicts worse.
	// Every answer keeps what [Answer.Interval] takes, at the cost of up to 100 machines and their outputs at all points: beyond 200
	// labels of fewer, from 632 on of 10.
	Shown bool
	// Fixed says that no label changes: of the methods that change labels or points none is called. More than 1,000 labels then cost no
	// column each. A training answers for them, and machines without a fifth of the labels for what is said without a label.
	Fixed bool
	// Audited says that [Labelling.Audit] alone is asked, or what it is for other kinds of label. Columns of many points are then solved
	// roughly: what machines say without a label hardly changes, while decisions on points without labels do.
	Audited bool
	Seed    uint64 // of the random draws of Suggest and Layout
}

// exactMost is the default of Options.Exact. Up to so many points the whole inverse takes
// seconds, and a label then costs no column.
const exactMost = 3000

// Labelling is a data set whose labels change, with the decisions that follow from them. It is
// not safe for concurrent use, except for [Labelling.Similar].
type Labelling struct {
	data      *dataset.Dataset // whose labels are those it was opened with
	o         Options
	ground    *train.Ground
	inverses  []inverse // of every member of the recipe
	graph     *graph.Adjacency
	heaviest  float64          // weight of an edge of it
	reference *graph.Adjacency // graph of 10 neighbours that decisions are measured by; nil until it is needed
	component []int32          // of every point
	sizes     []int            // of every component
	classes   []string
	retired   []bool
	y         []int         // the label of every point, dataset.Unlabelled without one
	asked     train.Recipe  // as it was opened by
	alone     *train.Recipe // of the supervised machine that decides; nil where that of the ground does
	open      bool          // labels choose what it leaves open
	begun     int           // labels when it was chosen
	by        train.Recipe  // of the training whose answer it is
	newcomers atomic.Pointer[newcomers]
	index     *graph.Index // by which their neighbours are found; nil until it is needed
	answer    *Answer
	pool      *pool
	likely    []int // what was suggested last
}

// Open prepares the points of data for labelling by a recipe, beginning with the labels of
// data. Where two classes have two labels or more it chooses the open parameters as
// lapsvm.Trainer.Choose does; with fewer labels it sets them by rules of thumb. Labels of a regression are numbers, and by Recipe.MultiLabel they are lists of classes, see
// [dataset.SeveralOf]. It sets
// the parameters so too where these do not speak for machines with graphs.
//
// The solvers Deformed and Dual compute the whole inverse, and the solver Landmarks columns of
// an inverse on landmarks. With every other solver, Auto among them, it is the whole inverse up
// to Options.Exact points and for a precomputed kernel, else landmarks.
//
// A supervised recipe has a graph by rules of thumb, which decides nothing. Open fails where lapsvm.Trainer.Fit does for the points, and when
// ctx is done. Cost: that of a training and of the choice.
func Open(ctx context.Context, data *dataset.Dataset, recipe train.Recipe, o Options) (*Labelling, error) {
	if err := o.Run.Check(data); err != nil {
		return nil, err
	}
	recipe.MostViews, recipe.Beside = 1, nil
	l := &Labelling{data: data, o: o, classes: slices.Clone(data.Classes), retired: make([]bool, len(data.Classes)), y: slices.Clone(data.Y), asked: recipe}
	whole, err := l.choose(ctx, recipe)
	if err != nil {
		return nil, err
	}
	l.open, l.begun = recipe.Open() && !recipe.RulesOfThumb, l.Labelled()
	if o.Shown { // who shows answers hears of the preparations alone
		defer func() { l.o.Run.Progress = nil }()
	}
	if l.trained() {
		return l.byTraining(ctx, whole)
	}
	next, err := l.prepare(ctx, whole)
	for raised := 0; raised < timesRaised && o.Shown && whole.Pending.RaiseGammaA && errors.Is(err, nystrom.ErrRounding); raised++ {
		whole.GammaA, whole.GammaI = raising*whole.GammaA, raising*whole.GammaI
		next, err = l.prepare(ctx, whole)
	}
	return next, err
}

// How often Open raises chosen weights of the norms for numbers that are shown, and by which factor: on landmarks they may be too small.
const (
	timesRaised = 4
	raising     = 10
)

// prepare computes geometry and inverses by a recipe without open parameters, and the answer
// for the present labels.
func (l *Labelling) prepare(ctx context.Context, whole train.Recipe) (_ *Labelling, err error) {
	whole = l.form(whole, l.asked)
	labels := max(l.Labelled(), min(expectedLabels, l.Len()))
	if whole.Solver != train.Landmarks {
		labels = l.Len() // the whole inverse has the column of every point
	}
	if l.ground, err = train.NewGround(ctx, l.data, whole, labels, l.o.Run); err != nil {
		return nil, err
	}
	g := l.ground
	if l.inverses, err = l.invert(ctx, g, g.Recipe.Machines()); err != nil {
		g.Geometry.Close()
		return nil, err
	}
	if err := l.connect(ctx); err != nil {
		l.Close()
		return nil, err
	}
	l.begin("learning from labels", 0)
	if _, err := l.Apply(ctx, nil); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// connect makes the graph of the leading machine.
func (l *Labelling) connect(ctx context.Context) (err error) {
	if l.graph, _, err = l.ground.Geometry.Graph(ctx, l.ground.Recipe.Leading().Neighbours); err != nil {
		return err
	}
	for _, w := range l.graph.Weight {
		l.heaviest = max(l.heaviest, w)
	}
	l.component, l.sizes = components(l.graph)
	return nil
}

// expectedLabels is the least number of labels that memory is planned for.
const expectedLabels = 200

// choose returns the recipe with its open parameters chosen by the labels.
func (l *Labelling) choose(ctx context.Context, asked train.Recipe) (train.Recipe, error) {
	r := asked
	count := make([]int, len(l.classes))
	for _, c := range l.y {
		if c != dataset.Unlabelled {
			count[c]++
		}
	}
	r.RulesOfThumb = r.RulesOfThumb || l.kind().few(l, count)
	d, r, err := selection.Fill(ctx, l.Dataset(), r, l.o.Run)
	if err == nil && r.Supervised && !l.trained() { // labels that do not speak for a graph have one nevertheless
		d, r, err = l.withGraph(ctx, asked, r)
	}
	if err == nil {
		l.data = d
	}
	r.RulesOfThumb = asked.RulesOfThumb
	return r, err
}

// weightless is the weight of the intrinsic norm in that of the ambient norm by which a graph changes no number.
const weightless = 1e-6

// withGraph returns a recipe with a graph for labels that have chosen a supervised one. The graph is that of rules of thumb. The supervised
// machine decides; where its kernel is given, one with a graph that weighs next to nothing does. For numbers and several classes that are not shown all of it is by rules
// of thumb, unless a supervised one was asked for.
func (l *Labelling) withGraph(ctx context.Context, asked, supervised train.Recipe) (*dataset.Dataset, train.Recipe, error) {
	r := asked
	if l.o.Shown || l.kind().supervised() || asked.Supervised {
		alone := supervised.Clone()
		alone.Members, alone.GammaA = nil, supervised.Leading().GammaA
		if alone.Bias == objective.BiasInNorm { // a supervised machine has it outside
			alone.Bias = objective.BiasOutside
		}
		if r = alone.Clone(); kernel.OfFeatures(r.Kernel) {
			l.alone = &alone
		}
		r.Supervised, r.GammaI = false, weightless*r.GammaA
	}
	r.RulesOfThumb = true
	return selection.Fill(ctx, l.Dataset(), r, l.o.Run)
}

// form resolves the solver of r by the number of points and by the solver that asked has.
func (l *Labelling) form(r, asked train.Recipe) train.Recipe {
	n, most := l.data.Points.Len(), l.o.Exact
	if most == 0 {
		most = exactMost
	}
	r.MostPoints = 0 // any point may get a label
	switch asked.Solver {
	case train.Deformed, train.Dual, train.Landmarks:
		return r
	}
	solver := train.Deformed
	if r.ByEdges || n > most && kernel.OfFeatures(r.Kernel) {
		solver = train.Landmarks
	}
	r = r.By(solver)
	r.Precision = asked.Precision
	r.Stop, r.CheckEvery, r.MaxIterations, r.Tolerance = "", 0, 0, 0 // of other solvers
	r.Pending = train.Pending{}                                      // there is one geometry, for one machine
	return r
}

// components returns the connected component of every point of a graph, and the sizes of the
// components.
func components(w *graph.Adjacency) (component []int32, sizes []int) {
	component = make([]int32, w.Len())
	for i := range component {
		component[i] = -1
	}
	var queue []int32
	for i := range component {
		if component[i] >= 0 {
			continue
		}
		number := int32(len(sizes))
		component[i], queue = number, append(queue[:0], int32(i))
		for k := 0; k < len(queue); k++ {
			index, _ := w.Row(int(queue[k]))
			for _, j := range index {
				if component[j] < 0 {
					component[j] = number
					queue = append(queue, j)
				}
			}
		}
		sizes = append(sizes, len(queue))
	}
	return component, sizes
}

// Close releases the memory of the geometry. Only [Labelling.Similar] may be called after it.
func (l *Labelling) Close() {
	closeAll(l.inverses)
	l.ground.Geometry.Close()
}

// Recipe returns the recipe, without open parameters. Training by it on [Labelling.Dataset]
// gives the decisions of [Labelling.Answer].
func (l *Labelling) Recipe() train.Recipe {
	r := l.ground.Recipe
	if l.alone != nil {
		r = *l.alone
		r.Kernel, r.Pending = l.ground.Recipe.Kernel, train.Pending{}
	}
	r = r.Clone()
	r.Calibrate = l.kind().calibrated()
	return r
}

// Dataset returns the data with the present labels and classes, without classes that were
// merged into others. The points are shared with the labelling; the labels are a copy.
func (l *Labelling) Dataset() *dataset.Dataset {
	d := *l.data
	if more := l.newcomers.Load(); more != nil {
		d = *more.data
	}
	d.Y, d.Classes = slices.Clone(l.y), slices.Clone(l.classes)
	return &d
}

// Len returns the number of points.
func (l *Labelling) Len() int { return len(l.y) }

// prepared returns the number of points of the geometry: all but those that Grow added.
func (l *Labelling) prepared() int { return l.data.Points.Len() }

// Layout returns a map of the points by their graph: x_0, y_0, x_1, y_1, … from 0 to 1, see the package layout. A point that [Labelling.Grow] added
// has the mean place of its nearest points. The same points and seed give the same places. Layout fails when ctx is done. Cost: 300
// products of 16 columns with the Laplacian, and 2,000 steps a point on one core.
func (l *Labelling) Layout(ctx context.Context) ([]float32, error) {
	places, err := l.ground.Geometry.Layout(ctx, l.graph, l.o.Seed)
	if err != nil {
		return nil, err
	}
	return l.newcomers.Load().placed(places), nil
}

// Labels returns a copy of the labels: the class of every point, dataset.Unlabelled without a
// label.
func (l *Labelling) Labels() []int { return slices.Clone(l.y) }

// Labelled returns the number of points that have a label.
func (l *Labelling) Labelled() int {
	count := 0
	for _, c := range l.y {
		if c != dataset.Unlabelled {
			count++
		}
	}
	return count
}

// Answer returns the answer to the present labels.
func (l *Labelling) Answer() *Answer { return l.answer }

// Stale reports whether another choice of the open parameters may be better. The recipe then had
// open parameters, and the number of labels has grown by half since the choice. Two classes have two labels or more, or
// a regression has two.
func (l *Labelling) Stale() bool {
	return l.open && !l.kind().few(l, l.answer.Count) && 2*l.Labelled() >= 3*l.begun && l.Labelled() > l.begun
}

// Towards returns the changes that turn the present labels into those given, the class of every
// point.
func (l *Labelling) Towards(labels []int) []Change {
	if len(labels) != len(l.y) {
		panic(fmt.Sprintf("label: %d labels for %d points", len(labels), len(l.y)))
	}
	var changes []Change
	for i, c := range labels {
		if c != l.y[i] {
			changes = append(changes, Change{i, c})
		}
	}
	return changes
}

// Classes returns the names of all classes, "" for one that was merged into another.
func (l *Labelling) Classes() []string { return slices.Clone(l.classes) }

// AddClass adds a class without labels and returns its index. It fails for a name that is empty
// or taken.
func (l *Labelling) AddClass(name string) (int, error) {
	if err := l.free(name); err != nil {
		return 0, err
	}
	l.classes, l.retired = append(slices.Clone(l.classes), name), append(l.retired, false)
	l.answer = l.answer.named(l.classes)
	return len(l.classes) - 1, nil
}

func (l *Labelling) free(name string) error {
	switch {
	case name == "":
		return fault.Errorf("a class has a name: give it one")
	case slices.Contains(l.classes, name):
		return fault.Errorf("there is a class %q already: give another name, or merge the two", name)
	}
	return nil
}

// RenameClass gives a class another name, which [Labelling.Answer] has from then on. It fails
// where [Labelling.AddClass] does, and panics for a class that does not exist.
func (l *Labelling) RenameClass(class int, name string) error {
	l.checkClass(class)
	if l.classes[class] == name {
		return nil
	}
	if err := l.free(name); err != nil {
		return err
	}
	l.classes = slices.Clone(l.classes)
	l.classes[class] = name
	l.answer = l.answer.named(l.classes)
	return nil
}

// MergeClass moves all labels of a class to another class and removes the class. The index of
// the removed class is not used again. It fails where [Labelling.Apply] does, and panics for
// classes that do not exist or are the same.
func (l *Labelling) MergeClass(ctx context.Context, class, into int) (*Answer, error) {
	l.checkClass(class)
	l.checkClass(into)
	if class == into {
		panic("label: a class is merged into itself")
	}
	var changes []Change
	for i, c := range l.y {
		if c == class {
			changes = append(changes, Change{i, into})
		}
	}
	if _, err := l.Apply(ctx, changes); err != nil {
		return nil, err
	}
	l.classes = slices.Clone(l.classes)
	l.classes[class], l.retired[class] = "", true
	l.answer = l.answer.named(l.classes)
	return l.answer, nil
}

func (l *Labelling) checkClass(class int) {
	if class < 0 || class >= len(l.classes) || l.retired[class] {
		panic(fmt.Sprintf("label: there is no class %d of %d", class, len(l.classes)))
	}
}
