package train

import (
	"cmp"
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
)

// Problem is a task on a geometry, stated as a problem.
type Problem struct {
	Preprocessing
	Recipe    Recipe // with nothing open
	Geometry  *geometry.Geometry
	Task      *task.Task                   // of ranks its points are numbered rank after rank
	Problem   *objective.Problem           // of the leading member
	laplacian *graph.Laplacian             // L of the problem; nil of a supervised machine
	health    *graph.Health                // nil without a graph, and of ranks until they are gathered
	reach     *graph.Reach                 // of ranks, from which rank 0 makes the health
	known     map[Member]*deformed.Problem // of members without a weight, that a choice left; nil for none
	data      *dataset.Dataset             // trained on
	rows      []int                        // of the data, that the points of the geometry are; nil means all
	reason    string                       // for the form of the Gram matrix
	kept      []string                     // what became of checkpoints
	sampled   int                          // how many points a sample has
	rough     float64                      // tolerance of a sample's functions; 0 of all points

	holdsDouble func() bool // whether the same in double precision fits into the memory allowed; nil where it is not to be tried

	all              *task.Task // of the rows of all ranks, by their numbers
	sent             *tally     // nil of one process
	sentPerIteration int64      // of the latest cell, of ranks
}

// largestNorm bounds the Laplacians to their degree that solvers can work with.
const largestNorm = 1e60

// Pose states the problem of a task on a geometry. Nothing of the recipe may be
// open but the width of its kernel; the kernel is that of the geometry.
func Pose(ctx context.Context, g *geometry.Geometry, t *task.Task, r Recipe, run Run) (*Problem, error) {
	leading := r.Leading()
	r.Kernel = g.Kernel()
	p := &Problem{Recipe: r, data: new(dataset.Dataset), sampled: sampledPoints(t.Points), Geometry: g, Task: t, Problem: &objective.Problem{K: g.Gram(), Labelled: t.Labelled, All: t.Points, Targets: t.Targets(), Weights: t.Weights,
		GammaA: leading.GammaA, GammaI: leading.GammaI, Loss: r.Loss, Bias: r.Bias, OneClass: r.kind().alone}}
	if !r.Supervised {
		tell := run.share("graph", 0, 1)
		w, width, err := g.Graph(ctx, leading.Neighbours)
		if err != nil {
			return nil, err
		}
		if len(r.Machines()) == 1 {
			r.Graph.HeatWidth = width
		}
		if tell != nil {
			tell(6, 10)
		}
		ranks, _ := g.Shared()
		if !ranks.Alone() {
			if p.reach, err = graph.NewReach(ctx, w); err != nil {
				return nil, err
			}
		}
		var failed [2]error
		parallel.Do(ctx, len(failed), func(_, side int) {
			if side == 0 {
				p.laplacian = g.Laplacian(w, leading.LaplacianDegree)
				failed[0] = p.checkNorm()
			} else if ranks.Alone() {
				p.health, failed[1] = graph.NewHealth(ctx, w, g.Points(), t.Labels(), t.Groups())
			}
		})
		if err := cmp.Or(failed[:]...); err != nil {
			return nil, err
		}
		p.Problem.L = p.laplacian
		if ranks.Alone() {
			run.logGraph(p.health)
		}
	}
	p.Recipe = r
	return p, OfKind(ErrParameter, p.Problem.Validate())
}

// checkNorm fails for a Laplacian that solvers cannot work with.
func (p *Problem) checkNorm() error {
	if norm := p.laplacian.Norm(); !(norm <= largestNorm) {
		return OfKind(ErrParameter, fault.Errorf("the graph's Laplacian to the degree %d, with the edge weights %s, is too large (%.3g, at most %g): take the normalised one, heat weights or a lower degree", p.laplacian.Degree(), p.Recipe.Graph.Weights, norm, largestNorm))
	}
	return nil
}

// Columns are the machines of the problem, for cells.
func (p *Problem) Columns() deformed.Columns {
	return deformed.Columns{Targets: p.Problem.Targets, Weights: p.Problem.Weights, Loss: p.Problem.Loss, OneClass: p.Problem.OneClass, Tolerance: p.Recipe.Tolerance}
}
