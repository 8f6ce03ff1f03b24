package train

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/nystrom"
	"lapsvm/internal/points/gram"
)

// sampledPoints returns how many of n points a sample has: a quarter, but at least 15,000 and at most 50,000. Of no more than
// twice as many points none is drawn.
func sampledPoints(n int) int { return min(max(n/4, leastSampled), mostSampled) }

const (
	leastSampled = 15000
	mostSampled  = 50000
)

// RoughTolerance is that of the columns of a sample. What is said of labels that are left out hardly changes by it.
const RoughTolerance = 0.1

// sample is some of the points of a training on landmarks, with all labelled ones. Its machines have a column for every label, or with very
// many labels none. They decide between the recipe and its challenger, and say what is said of labels that are left out. Their
// coefficients guess those of the machines of all points.
type sample struct {
	*Problem
	minimum *minimum
	rows    []int // of all rows, ascending
}

// Samples reports whether labels of n points are held out of a sample. It then decides about a Challenger too.
func (r Recipe) Samples(n, labelled int) bool { return r.samples(n, labelled, sampledPoints(n)) }

// samples reports whether a sample of so many points stands for all n where labels are held out. A recipe with
// a tolerance asks for the functions of all points themselves.
func (r Recipe) samples(n, labelled, points int) bool {
	return n > 2*max(points, labelled) && !r.Supervised && len(r.Members) == 0 && r.Tolerance == 0
}

// trainSample trains on a sample, drawn by the seed. Ranks that share the points all train on the same.
func (p *Problem) trainSample(ctx context.Context, run Run) (*sample, error) {
	rows := drawn(p.all.Points, p.sampled, p.all.Labelled, p.Recipe.Seed)
	some := p.Geometry.Points()
	if p.data.Ranks().Alone() {
		some = some.Subset(rows)
	} else {
		gathered, err := p.data.Gather(ctx, rows, true)
		if err != nil {
			return nil, err
		}
		some = p.Preprocessing.Points(gathered.Points, nil)
	}
	inSample := Run{Observer: run.named("%s of a sample")}
	options := Plan{N: len(rows), Recipe: p.Recipe, Gram: gram.Storage{Form: gram.FormLandmarks}}.options()
	options.Begin = inSample.Watch
	g, err := geometry.New(ctx, some, options)
	if err != nil {
		return nil, err
	}
	s := &sample{minimum: &minimum{}, rows: rows}
	if s.Problem, err = Pose(ctx, g, p.all.Subset(rows, func(int) bool { return true }), p.Recipe, inSample); err == nil {
		s.minimum.method, s.rough = onLandmarks(), RoughTolerance
		err = minimiseOnLandmarks(ctx, s.Problem, s.minimum, nil, inSample)
	}
	if err != nil || len(s.minimum.spaces) == 0 { // columns need no geometry
		g.Close()
	}
	return s, err
}

// close gives back the geometry of a sample that Newton's method needed for machines without labels.
func (s *sample) close() {
	if s != nil && len(s.minimum.spaces) > 0 {
		s.Geometry.Close()
	}
}

// minimiseBySample trains the machines of all points by those of a sample, and returns their weights of landmarks.
func (p *Problem) minimiseBySample(ctx context.Context, m *minimum, weights [][]float64, k nystrom.Landmarks, run Run) error {
	s, err := p.trainSample(ctx, run)
	if err != nil {
		return err
	}
	m.sample = s
	p.Recipe.Pending.Challenger, p.Recipe.Choice = nil, s.Recipe.Choice
	if chosen := s.Recipe.Leading(); chosen != p.Recipe.Leading() {
		if err := p.setMember(chosen); err != nil {
			return err
		}
	}
	space, err := nystrom.New(run.Watch(ctx, "products with the Laplacian"), k, p.laplacian)
	if err != nil {
		return err
	}
	member, o := p.Recipe.Leading(), nystrom.Options{MaxIterations: p.Recipe.MaxIterations, Progress: run.share("solving", 0, 1)}
	if len(s.minimum.members) == 0 { // Newton's method has no columns
		return p.solveByNewton(ctx, m, weights, space, member, o)
	}
	reduced, err := space.Together(ctx, deformed.Gammas{A: member.GammaA, I: member.GammaI}, p.Task.Labelled, p.Columns(), s.minimum.members[0].cell, p.Problem.Bias, p.Recipe.Precision, o)
	if err != nil {
		return err
	}
	return p.addReduced(ctx, m, weights, p.onReduced(ctx, reduced, member))
}

// without returns what machines of the sample say of the labels of a fold without these labels. It multiplies this by a number, so that
// machines of the sample and of all points have the same root mean square at the points of the sample.
func (s *sample) without(ctx context.Context, p *Problem, m *minimum, folds [][]int, run Run) ([][][]float64, error) {
	outputs, err := withoutOnLandmarks(ctx, s.Problem, s.minimum, folds, run)
	if err != nil {
		return nil, err
	}
	own := p.data.Own()
	squares := make([]float64, 2)
	for c, f := range s.minimum.F {
		for i, row := range s.rows {
			at, here := row, true
			if own != nil {
				at, here = slices.BinarySearch(own, row)
			}
			if here {
				squares[0] += m.F[c][at] * m.F[c][at]
				squares[1] += f[i] * f[i]
			}
		}
	}
	if err := p.data.Ranks().Sum(ctx, squares); err != nil {
		return nil, err
	}
	if scale := math.Sqrt(squares[0] / squares[1]); scale > 0 && !math.IsInf(scale, 0) {
		for _, machines := range outputs {
			for _, values := range machines {
				for i := range values {
					values[i] *= scale
				}
			}
		}
	}
	return outputs, nil
}
