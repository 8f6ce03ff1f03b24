package selection

import (
	"cmp"
	"context"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/train"
)

const (
	climbers = 2 // graphs with the highest log score, from which hill climbing goes on, and that are then taken up on all points and may be members
)

// screeningSample returns a comparison of fewPoints of the points, on which hill climbing costs little. Where edges are given it has all points, and
// machines on edgesLandmarks of them. It returns nil where a kernel has no width there, or where the comparison has no more points, or landmarks itself.
func (a *comparison) screeningSample(ctx context.Context) (*comparison, error) {
	n := a.geometry.Len()
	if n <= fewPoints || a.isPart() || len(a.machines) == 0 || a.landmarks > 0 {
		return nil, nil
	}
	f := &comparison{asked: a.asked, recipe: a.recipe, sample: sample{points: n}, limits: limits{side: a.side, until: a.until}, factors: make(map[role]*geometry.Geometry)}
	most := fewPoints
	if a.edges != nil { // of which some of the points have few
		most, f.edges, f.hidden, f.landmarks = n, a.edges, a.hidden, edgesLandmarks
	}
	taken, seen := f.draw(a.task, most, a.recipe.Seed)
	f.task = a.task.Subset(taken, func(k int) bool { return seen[k] })
	f.columns = deformed.Columns{Targets: f.task.Targets(), Weights: f.task.Weights, Loss: f.recipe.Loss}
	if a.held != nil {
		var validation *train.Validation
		if a.held.validation != nil {
			validation = &train.Validation{Points: a.held.validation, Known: a.held.Known}
		}
		f.held = newHeldOut(f.task, validation, f.recipe.Criterion)
	}
	why, err := f.prepare(ctx, a.geometry.Points().Subset(taken), nil)
	if err != nil || why != "" || !slices.Equal(f.kernels.roles(), a.kernels.roles()) {
		return nil, err
	}
	return f, nil
}

// screen measures machines by hill climbing, and all where there is nothing to climb. Of hill climbing on a screening sample the promising machines
// are measured again.
func (a *comparison) screen(ctx context.Context, counter *counter) ([]measured, error) {
	graphs := newGraphs(a.machines)
	if len(graphs.middle()) == len(graphs.all) {
		return a.measure(ctx, a.machines, counter)
	}
	machines, err := cmp.Or(a.screening, a).hillClimb(ctx, counter)
	a.rival = cmp.Or(a.screening, a).rivalOf(machines)
	if err != nil || a.screening == nil {
		return machines, err
	}
	if err := a.screening.measureOutOfSample(ctx, machines); err != nil {
		return nil, err
	}
	list := a.machinesOn(graphs.middle())
	if len(machines) > 0 {
		list = a.screening.promising(machines)
	}
	clear(a.screening.factors) // the memory serves all points now
	return a.measure(ctx, list, counter)
}

// promising returns the machines of the leading ground that have a weight in a mean, those of its leading graphs.
func (a *comparison) promising(machines []measured) (list []candidate) {
	best := leadingGround(machines, weightsOf(a.logScores(machines, -1)))
	machines = slices.DeleteFunc(slices.Clone(machines), func(m measured) bool { return m.ground() != best })
	graphs, weights := a.leading(machines, climbers), weightsOf(a.logScores(machines, -1))
	for i, m := range machines {
		if weights[i] >= leastWeight && slices.Contains(graphs, m.graph()) {
			list = append(list, m.candidate)
		}
	}
	return list
}

// machinesOn returns the machines that have one of some graphs.
func (a *comparison) machinesOn(some []candidate) (list []candidate) {
	for _, c := range a.machines {
		if slices.Contains(some, c.graph()) {
			list = append(list, c)
		}
	}
	return list
}

// hillClimb measures machines, graph by graph. It begins with the graphs of middling
// neighbours and degree, of every kernel and metric. It goes on with the graphs beside those with the
// highest log score, until all beside these are measured.
func (a *comparison) hillClimb(ctx context.Context, counter *counter) (machines []measured, err error) {
	graphs := newGraphs(a.machines)
	for next := graphs.middle(); len(next) > 0; next = graphs.adjacent(a.leading(machines, climbers)) {
		more, err := a.measure(ctx, a.machinesOn(next), counter)
		machines = append(machines, more...)
		if err != nil || len(machines) == 0 || a.late() {
			return machines, err
		}
		graphs.known = append(graphs.known, next...)
	}
	return machines, nil
}

// leading returns the graphs whose machines have the highest log score together, the first first.
func (a *comparison) leading(machines []measured, most int) []candidate {
	return heaviest(machines, weightsOf(a.logScores(machines, -1)), most)
}

// graphs is the graphs of machines, as points of a lattice.
type graphs struct {
	all, known          []candidate
	neighbours, degrees []int // that they have, ascending
}

// newGraphs lists the graphs of machines.
func newGraphs(machines []candidate) *graphs {
	g := new(graphs)
	for _, c := range machines {
		if c = c.graph(); !slices.Contains(g.all, c) {
			g.all, g.neighbours, g.degrees = append(g.all, c), append(g.neighbours, c.Neighbours), append(g.degrees, c.LaplacianDegree)
		}
	}
	for _, values := range []*[]int{&g.neighbours, &g.degrees} {
		slices.Sort(*values)
		*values = slices.Compact(*values)
	}
	return g
}

// middle returns the graphs of middling neighbours and degree.
func (g *graphs) middle() (some []candidate) {
	for _, c := range g.all {
		if c.Neighbours == middling(g.neighbours) && c.LaplacianDegree == middling(g.degrees) {
			some = append(some, c)
		}
	}
	return some
}

// adjacent returns the graphs that are not known and one step from one of some: the next number of
// neighbours, the next degree, or another kernel or metric.
func (g *graphs) adjacent(some []candidate) (those []candidate) {
	for _, c := range g.all {
		if !slices.Contains(g.known, c) && slices.ContainsFunc(some, func(o candidate) bool { return g.steps(c, o) == 1 }) {
			those = append(those, c)
		}
	}
	return those
}

// steps returns how many steps two graphs are apart. Kernel and metric are one step together.
func (g *graphs) steps(c, o candidate) int {
	apart := func(values []int, x, y int) int {
		steps := slices.Index(values, x) - slices.Index(values, y)
		return max(steps, -steps)
	}
	steps := apart(g.neighbours, c.Neighbours, o.Neighbours) + apart(g.degrees, c.LaplacianDegree, o.LaplacianDegree)
	if c.ground() != o.ground() {
		steps++
	}
	return steps
}
