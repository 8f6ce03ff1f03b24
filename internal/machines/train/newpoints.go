package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"lapsvm/dataset"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
)

// A training on landmarks finds f on its own points. A model has two ways to extend f to a new
// point. One is the expansion in the landmarks plus the mean residual of the nearest training
// points, which the model keeps. The other is the compact form, an expansion alone, fitted to f.
const (
	// localNeighbours is how many of the nearest training points are asked: from 3 to 20
	// do as well.
	localNeighbours = 5
	// compactLandmarks is how many the compact form is made of where it is asked for, at
	// least, but for fewer than twice as many points: more than trainings need.
	compactLandmarks = 3000
	// mostFitted is the most points that such a form is fitted to, drawn by the seed.
	mostFitted = 100000
	// fittedAtOnce is the number of these whose features are in memory.
	fittedAtOnce = 4096
	// askedPoints is the most points that are left out to compare the two.
	askedPoints = 2000
)

// ridges are the parts of the mean eigenvalue that are tried as λ of the compact form.
var ridges = []float64{1e-1, 1e-3, 1e-5, 1e-7}

// NewPoints measures how a model of landmarks decides points like its training points. The sample
// is of training points, unlabelled as far as there are enough. Each is left out of its own
// neighbours and of the fit of the compact form.
type NewPoints struct {
	Sample     int     `json:"sample"`
	Neighbours float64 `json:"with_neighbours"` // percent decided otherwise than in the training
	Compact    float64 `json:"without"`         // the same of the compact form
	Alone      bool    `json:"alone,omitempty"` // there were no neighbours to compare with
	Kept       bool    `json:"keeps_points"`    // the model has neighbours
	Landmarks  int     `json:"landmarks"`       // of the model
	Recall     float64 `json:"index_recall"`    // share of the nearest that the index finds; 0 without
}

// String returns it in words.
func (n *NewPoints) String() string {
	kept := "the model keeps the training points"
	if !n.Kept {
		kept = "the model has landmarks alone"
	}
	switch {
	case n.Sample == 0:
		return kept
	case n.Alone:
		return fmt.Sprintf("of points like these %.1f %% are decided otherwise than in the training; %s", n.Compact, kept)
	}
	return fmt.Sprintf("of points like these %.1f %% are decided otherwise than in the training with neighbours, %.1f %% without; %s", n.Neighbours, n.Compact, kept)
}

// forNewPoints decides how the model extends f to new points, and records the comparison. Where the
// recipe is not compact, neighbours are kept unless the compact form on the same landmarks decides
// as well. With b points decided otherwise than in the training by the compact form alone, and c
// with neighbours alone, that means b − c ≤ √(b + c), one standard error of the difference.
func (p *Problem) forNewPoints(ctx context.Context, f *Fitted, m *minimum, run Run) error {
	start := time.Now()
	const distilAt, keepAt = 0.1, 0.5 // of the time, about
	k := p.Geometry.Landmarks()
	var err error
	if p.Recipe.Compact {
		many := max(min(compactLandmarks, p.Geometry.Len()/2), k.Rank())
		if k, err = gram.DrawLandmarks(ctx, p.Geometry.Points(), p.Recipe.Kernel, many, p.Recipe.Seed, k.Precision()); err != nil {
			return err
		}
	}
	fitted, sample := p.drawn(k.Points())
	var with [][]float64 // nil where neighbours are not known, and without a graph
	if p.Geometry.Neighbours() != nil && !p.Recipe.Supervised {
		if with, err = p.neighboursDecide(parallel.Share(ctx, 0, distilAt), m, sample); err != nil {
			return err
		}
	}
	weights, without, err := p.distil(parallel.Share(ctx, distilAt, keepAt), m, k, fitted, sample)
	if err != nil {
		return err
	}
	summary := &NewPoints{Sample: len(sample), Alone: with == nil}
	onlyWith, onlyWithout := 0, 0
	for i, point := range sample {
		a, b := with != nil && p.differ(m.F, point, with, i), p.differ(m.F, point, without, i)
		switch {
		case a && !b:
			onlyWith++
		case b && !a:
			onlyWithout++
		}
		if a {
			summary.Neighbours += 100 / float64(len(sample))
		}
		if b {
			summary.Compact += 100 / float64(len(sample))
		}
	}
	if summary.Kept = with != nil && !p.Recipe.Compact && float64(onlyWithout-onlyWith) > math.Sqrt(float64(onlyWithout+onlyWith)); summary.Kept {
		if err := p.keepPoints(parallel.Share(ctx, keepAt, 1), f, m); err != nil {
			return err
		}
		summary.Recall = m.expansion.Local.Index.Found().Recall
	} else if m.expansion, m.basis, err = k.Expansion(ctx, weights, m.B); err != nil {
		return err
	}
	summary.Landmarks = m.expansion.Basis.Len()
	f.Summary.NewPoints, f.Summary.Seconds.NewPoints = summary, time.Since(start).Seconds()
	run.log().Info("new points", "sample", summary.Sample, "with_neighbours", summary.Neighbours, "without", summary.Compact, "keeps_points", summary.Kept, "seconds", f.Summary.Seconds.NewPoints)
	return ctx.Err()
}

// differ reports whether the values of the machines at a point decide otherwise than others do at theirs. Several classes are
// each decided by the sign.
func (p *Problem) differ(values [][]float64, point int, others [][]float64, other int) bool {
	a, b := make([]float64, len(values)), make([]float64, len(values))
	for c := range a {
		if a[c], b[c] = values[c][point], others[c][other]; p.Recipe.kind().each && a[c] > 0 != (b[c] > 0) {
			return true
		}
	}
	return p.Task.Coding().Decide(a) != p.Task.Coding().Decide(b)
}

// drawn returns the points to which a compact form in landmarks is fitted, and a sample of them to
// be left out, without landmarks. The sample has unlabelled points first, and labelled ones where
// the unlabelled are too few. Both are ascending.
func (p *Problem) drawn(landmarks []int) (fitted, sample []int) {
	n := p.Geometry.Len()
	fitted = rand.New(rand.NewPCG(p.Recipe.Seed, 31)).Perm(n)[:min(n, mostFitted)]
	const landmark = dataset.Unlabelled - 1
	kind := p.Task.Labels()
	for _, i := range landmarks {
		kind[i] = landmark
	}
	for _, labelled := range []bool{false, true} {
		for _, i := range fitted {
			if len(sample) < askedPoints && kind[i] != landmark && kind[i] != dataset.Unlabelled == labelled {
				sample = append(sample, i)
			}
		}
	}
	slices.Sort(fitted)
	slices.Sort(sample)
	return fitted, sample
}

// neighboursDecide returns the values of landmarks and neighbours at some points,
// [machine][point], each left out of its own neighbours.
func (p *Problem) neighboursDecide(ctx context.Context, m *minimum, sample []int) ([][]float64, error) {
	values := make([][]float64, len(m.F))
	for c := range values {
		values[c] = make([]float64, len(sample))
	}
	if len(sample) == 0 {
		return values, nil
	}
	if err := p.expansionOf(m).Values(ctx, values, p.Geometry.Points().Subset(sample), p.Recipe.Precision); err != nil {
		return nil, err
	}
	nb := p.Geometry.Neighbours()
	for k, i := range sample {
		near, _ := nb.Row(i)
		near = near[:min(localNeighbours, len(near))]
		for c := range values {
			sum := 0.0
			for _, j := range near {
				sum += m.residual[c][j]
			}
			values[c][k] += sum / float64(len(near))
		}
	}
	return values, nil
}

// distil fits functions of landmarks to the functions of the training, at fitted points, by ridge
// regression. It takes the λ with the least squared error at the sample, each point left out. It
// returns the weights, and the left-out values at the sample. Landmarks that already have the
// features of all points compute none anew.
func (p *Problem) distil(ctx context.Context, m *minimum, k *gram.Landmarks, fitted, sample []int) (weights, values [][]float64, err error) {
	at := func(rows []int) [][]float64 {
		y := make([][]float64, len(m.F))
		for c, f := range m.F {
			for _, i := range rows {
				y[c] = append(y[c], f[i]-m.B[c])
			}
		}
		return y
	}
	x := p.Geometry.Points()
	watched := ctx
	ctx = parallel.Unwatched(ctx)
	ridge := gram.NewRidge(k.Rank(), len(m.F))
	if k.Len() == len(fitted) {
		all := make([]int, k.Len())
		for row := range all {
			all[row] = k.At(row)
		}
		if err := ridge.Add(ctx, k, at(all)); err != nil {
			return nil, nil, err
		}
		fitted = nil
	}
	for from := 0; from < len(fitted); from += fittedAtOnce {
		rows := fitted[from:min(from+fittedAtOnce, len(fitted))]
		part, err := k.Transform(parallel.Share(watched, float64(from)/float64(len(fitted)), float64(from+len(rows))/float64(len(fitted))), x.Subset(rows), nil)
		if err != nil {
			return nil, nil, err
		}
		err = ridge.Add(ctx, part, at(rows))
		part.Close()
		if err != nil {
			return nil, nil, err
		}
	}
	some, err := k.Transform(ctx, x.Subset(sample), nil)
	if err != nil {
		return nil, nil, err
	}
	defer some.Close()
	wanted, least := at(sample), math.Inf(1)
	for _, scale := range ridges {
		w, leftOut, err := ridge.Fit(ctx, scale, some, wanted)
		if err != nil {
			return nil, nil, err
		}
		if w == nil {
			break
		}
		wrong := 0.0
		for c := range leftOut {
			for i, v := range leftOut[c] {
				wrong += (v - wanted[c][i]) * (v - wanted[c][i])
			}
		}
		if wrong < least || len(sample) == 0 {
			weights, values, least = w, leftOut, wrong
		}
	}
	if weights == nil {
		return nil, nil, fault.Errorf("the functions of the training cannot be fitted by %d landmarks: take fewer%s", k.Rank(), k.Precision().OrDouble())
	}
	addTo(values, m.B)
	return weights, values, nil
}

// distilBytes estimates the memory of distil with m landmarks: six matrices of m², and the
// features of points.
func distilBytes(m int) int64 { return int64(m) * int64(8*6*m+8*(fittedAtOnce+2*askedPoints)) }

// keepPoints gives f the training points, their residuals and an index.
func (p *Problem) keepPoints(ctx context.Context, f *Fitted, m *minimum) error {
	g := p.Geometry
	most := g.MostNeighbours()
	l := &gram.Local{Points: g.Points(), Metric: p.Recipe.Graph.Metric.Sought(), Neighbours: min(localNeighbours, most)}
	for _, residual := range m.residual {
		l.Residuals = append(l.Residuals, make([]float32, len(residual)))
		vec.Narrow(l.Residuals[len(l.Residuals)-1], residual)
	}
	var err error
	if l.Index, err = graph.NewIndex(ctx, l.Points, l.Neighbours, most, l.Metric, graph.Search{Recall: p.Recipe.Graph.Recall, Seed: p.Recipe.Seed}); err != nil {
		return err
	}
	m.expansion.Local, f.LocalClass, f.LocalAnswers = l, p.Task.Labels(), p.Task.Signs()
	for i := range f.LocalClass {
		f.LocalRows = append(f.LocalRows, rowOf(p.rows, i))
	}
	return nil
}
