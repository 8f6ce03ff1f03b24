package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// finalPanels is how many panels of 16 labelled points are solved for about where machines are compared again. What was chosen on a small part of the points is compared again on many more of
// them, in function space, with half as many landmarks as the training has. There are as many finalists as [differences] has rows at least.
const finalPanels = 12

// panelsFor returns how many times the panels of the labelled points fit into finalPanels.
func panelsFor(labelled int) int { return finalPanels / (labelled/16 + 1) }

// differences is how finalists differ from those before them: the first by their kernel, then by the weight of the graph, and then by anything.
func differences() []func(c, o candidate) bool {
	return []func(c, o candidate) bool{
		func(c, o candidate) bool { return c.kernel != o.kernel },
		func(c, o candidate) bool { return c.GammaI != o.GammaI },
		func(c, o candidate) bool { return c != o },
	}
}

// isPart reports whether the comparison has a small part of the points.
func (a *comparison) isPart() bool { return timesMore*a.task.Points < a.points }

// final compares the best machines of a part on many points, then the best of these with other graphs and
// its challenger. It returns the recipe of the best. A challenger that is far behind there is dropped.
func (a *comparison) final(ctx context.Context, d *dataset.Dataset, chosen train.Recipe, machines []measured, run train.Run) (train.Recipe, error) {
	if chosen.Supervised || a.late() || a.asked.Prior != nil || a.held != nil && a.held.validation != nil {
		return chosen, nil
	}
	many, why, err := newComparison(ctx, d, a.asked, run, manyPoints, train.DefaultLandmarks/2)
	if err != nil || why != "" || !slices.Equal(many.kernels.roles(), a.kernels.roles()) { // then a width means nothing there
		return chosen, err
	}
	counter := new(counter)
	if run.Progress != nil {
		const part = "comparing the best on more points"
		run.Progress(part, 0, 0)
		most := panelsFor(len(many.task.Labelled)) + len(differences()) + 1 // with the challenger
		counter.report = func(done, _ int) { run.Progress(part, min(done, most), most) }
	}
	many.until = a.until
	all, err := a.onMany(ctx, many, machines, counter)
	if err != nil || len(all) == 0 {
		return chosen, err
	}
	rival := single(all, many.logScores(all, -1)).candidate
	list, challenged := many.otherGraphs(rival, len(all)), false
	if rival.Member, challenged = many.challenger(rival.Member); challenged {
		list = append(list, rival)
	}
	others, err := many.measure(ctx, list, counter)
	if err != nil {
		return chosen, err
	}
	all = append(all, others...)
	best := single(all, many.logScores(all, -1))
	r := many.challenged(many.recipeOf(chosen, []weighted{{best, 1}}))
	r.Choice = chosen.Choice
	if many.outdone(best.candidate, all) {
		r.Pending.Challenger = nil
	}
	if r.Pending.Landmarks, err = many.enough(ctx, *best); err != nil {
		return chosen, err
	}
	told := fmt.Sprintf("; %d of them, and other graphs, were compared again on %d points", len(all), many.geometry.Len())
	if r.MostPoints == 0 && !d.Edges.Given() && d.Ranks().Alone() {
		most, why := many.mostPoints()
		if 2*most < a.points {
			r.MostPoints = most
			told += fmt.Sprintf("; at most %d points take part beside the labelled ones, as %s", most, why)
		}
		if r.Pending.Fewer = fewTrained; r.Kind.Is(task.OfNumbers) {
			r.Pending.Fewer = 0 // what changes is no decision
		}
	}
	r.Tell(func(c *train.Choice) {
		best.tell(c, r.Kernel)
		c.Reason += told
	})
	return r, nil
}

const (
	fewDimensions = 6         // from which on as many points take part as memory and time allow
	finer         = 1.4       // how many times shorter the edges of a graph may be than those of the graph that its parameters were chosen on
	fewTrained    = 100_000   // points that may serve, as the training finds
	mostTrained   = 1_000_000 // points; as many more are decided as new points in less time, and a tenth of the memory
)

// mostPoints returns how many points of a large set serve to train on, and why no more. The distance to a neighbour falls as n^(−1/m) in m
// dimensions, and so γI fᵀLᵖf of a smooth f falls about as n^(1−2p/m). In few dimensions labels then spread no farther than
// to the points around them. mostPoints keeps the scale: at n_1 = n_0·1.4^m points, of n_0 in the comparison, edges are 1.4 times shorter. m is the mean
// local dimension by k neighbours,
//
//	1/m = mean ln d_k/d_j over j < k
//
// (MacKay and Ghahramani, "Comments on 'Maximum likelihood estimation of intrinsic dimension' by E. Levina and P. Bickel", 2005, who
// take the mean of the inverses). Neighbours at distance 0 tell nothing. From six dimensions on mostTrained points serve.
func (a *comparison) mostPoints() (most int, why string) {
	nb := a.geometry.Neighbours()
	sum, count := 0.0, 0.0
	for i := range nb.Len() {
		_, distance := nb.Row(i)
		for last, j := distance[len(distance)-1], 0; j < len(distance)-1; j++ {
			if distance[j] > 0 {
				sum, count = sum+math.Log(last/distance[j]), count+1
			}
		}
	}
	if m := count / sum; m < fewDimensions {
		return int(float64(nb.Len()) * math.Pow(finer, m)), "a graph of more would be much finer"
	}
	return mostTrained, "more take much time and memory, and tell little"
}

// enough returns how many landmarks serve to train on, 0 for the usual ones. Of these the comparison has half. Where as many as given edges are judged by
// say no less of the best machine by log scores, twice as many serve.
func (a *comparison) enough(ctx context.Context, best measured) (int, error) {
	if a.asked.Landmarks > 0 || len(best.losses) == 0 {
		return 0, nil
	}
	fewer := *a
	fewer.landmarks = edgesLandmarks
	some, err := fewer.measure(ctx, []candidate{best.candidate}, new(counter))
	if err != nil || len(some) == 0 {
		return 0, err
	}
	if e := a.logScores([]measured{best, some[0]}, -1); e[0] > e[1] {
		return 0, nil
	}
	return 2 * edgesLandmarks, nil
}

// outdone reports whether the challenger of a machine, of any number of neighbours, is among those measured, and far
// behind the best.
func (a *comparison) outdone(c candidate, all []measured) bool {
	c.Member, _ = a.challenger(c.Member)
	logScores := a.logScores(all, -1)
	at := slices.IndexFunc(all, func(m measured) bool {
		m.Neighbours = c.Neighbours
		return m.candidate == c
	})
	return at >= 0 && logScores[at] < slices.Max(logScores)-decisive
}

// onMany measures the finalists on many points. Where all of them are lost in rounding there, it takes
// finalists with less γI/γA.
func (a *comparison) onMany(ctx context.Context, many *comparison, machines []measured, counter *counter) (all []measured, err error) {
	for len(all) == 0 && len(machines) > 0 && err == nil {
		some, least := a.finalists(machines), math.Inf(1)
		for _, c := range some {
			least = min(least, c.GammaI/c.GammaA)
		}
		all, err = many.measure(ctx, some, counter)
		machines = slices.DeleteFunc(slices.Clone(machines), func(m measured) bool { return m.GammaI/m.GammaA >= least })
	}
	return all, err
}

// finalists returns the machines to compare on many points: by log scores the first, and the first of each row of [differences] that
// differ so.
func (a *comparison) finalists(machines []measured) []candidate {
	most := max(panelsFor(len(a.task.Labelled)), len(differences()))
	var all []candidate
	for _, differs := range differences() {
		for _, c := range a.strongest(machines) {
			if len(all) < most && !slices.ContainsFunc(all, func(o candidate) bool { return !differs(c, o) }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// otherGraphs returns a machine with other graphs, as far as these are open, beside so many that
// are measured.
func (a *comparison) otherGraphs(best candidate, measured int) []candidate {
	var all []candidate
	with := func(neighbours, degree int) {
		if neighbours < a.geometry.Len() && measured+len(all) < panelsFor(len(a.task.Labelled))+len(differences()) {
			one := best
			one.Neighbours, one.LaplacianDegree = neighbours, degree
			all = append(all, one)
		}
	}
	if k := best.Neighbours; a.asked.Graph.Neighbours == 0 {
		with(k/2, best.LaplacianDegree)
		with(2*k, best.LaplacianDegree)
	}
	if a.asked.Graph.Degree == 0 {
		with(best.Neighbours, 1)
		with(best.Neighbours, 3)
	}
	return all
}

// onLandmarks measures candidates of one kernel in function space, with landmarks.
func (m measuring) onLandmarks(ctx context.Context, k kernel.Kernel) error {
	landmarks, err := m.landmarksOf(ctx, k)
	if err != nil {
		return err
	}
	if made, is := landmarks.(*gram.Landmarks); is {
		defer made.Close()
	}
	var space *nystrom.Space
	for _, part := range successive(m.list, func(c, o candidate) bool { return c.graph() == o.graph() }) {
		w, _, err := m.geometry.WithGraphs(m.list[part.from].metric, m.list[part.from].edges).Graph(ctx, m.list[part.from].Neighbours)
		if err != nil {
			return err
		}
		if power := m.geometry.Laplacian(w, m.list[part.from].LaplacianDegree); space == nil {
			space, err = nystrom.New(ctx, landmarks, power)
		} else {
			err = space.SetPower(ctx, power)
		}
		if errors.Is(err, nystrom.ErrRounding) { // in the space of any graph
			return nil
		}
		if err != nil {
			return err
		}
		for _, same := range successive(m.list[part.from:part.to], func(c, o candidate) bool { return c.Member == o.Member }) {
			if from := part.from + same.from; from == 0 || !m.late() {
				if err := m.inSpace(ctx, m.list[from:part.from+same.to], m.into[from:], space); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// landmarksOf returns the matrix that candidates of one kernel have.
func (m measuring) landmarksOf(ctx context.Context, k kernel.Kernel) (nystrom.Landmarks, error) {
	if m.unlike {
		return train.DiagonalOf(ctx, m.geometry, m.recipe)
	}
	return gram.NewLandmarks(ctx, m.geometry.Points(), k, m.landmarks, m.recipe.Seed, gram.Single, nil)
}

// inSpace measures candidates in function space that differ by whether they are centred. It leaves those out whose functions are lost in
// rounding.
func (m measuring) inSpace(ctx context.Context, list []candidate, into []*measured, space *nystrom.Space) error {
	c := list[0]
	cell, err := space.Problem(ctx, deformed.Gammas{A: c.GammaA, I: c.GammaI}, m.task.Labelled, m.recipe.Bias, gram.Single, nystrom.Options{Tolerance: train.RoughTolerance})
	if errors.Is(err, nystrom.ErrRounding) {
		return nil
	}
	if err != nil {
		return err
	}
	defer cell.Close()
	var outputs [][]float64 // of all points
	m.shift = func(c candidate, squared *deformed.Smoother) ([]float64, error) {
		if outputs == nil {
			functions, err := cell.Functions(ctx, squared.Solutions(ctx, nil))
			if err != nil {
				return nil, err
			}
			for _, f := range functions {
				outputs = append(outputs, f.Values)
			}
		}
		if !c.centred {
			return nil, nil
		}
		shift := train.Centre(outputs)
		addShift(outputs, shift)
		return shift, nil
	}
	for i, c := range list {
		one, _, err := m.measureOne(ctx, c, cell.Problem)
		if err != nil {
			return err
		}
		if one != nil {
			m.fit(one, outputs)
			one.pace = cell.Pace()
		}
		into[i] = one
	}
	return nil
}
