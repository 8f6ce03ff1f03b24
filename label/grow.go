package label

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// newcomers are points that came after the geometry was made. They are never changed.
type newcomers struct {
	data   *dataset.Dataset  // all points there are
	points *points.Points    // those that came, scaled as the others were
	near   *graph.Neighbours // of every one, the nearest points of the geometry
}

// nearOnes is how many points of the geometry stand for one that came later.
const nearOnes = 5

// Grow takes points that come: data has those there are, in their order, and after them the new
// ones, without labels whatever it says. The answer has them at once, by the function of the machines
// there are, which is exact: on landmarks with the mean of what these leave at the five nearest points. They are
// suggested and labelled as others are; but the machines learn their labels, and that there are such points,
// when all is made anew: see [Labelling.Rebuild]. It fails, and changes nothing, for other columns, values that
// are not finite, a kernel whose values are given, and when ctx is done; and panics for fewer points. Cost:
// a kernel value for every new point and point of the geometry, or landmark, and its nearest points; and so for every answer
// until all is made anew. On landmarks the first call makes an index, of 384·n·d multiply-adds.
func (l *Labelling) Grow(ctx context.Context, data *dataset.Dataset) (*Answer, error) {
	n, all := l.prepared(), data.Points.Len()
	if all < l.Len() {
		panic(fmt.Sprintf("label: %d points, of which there are %d, have grown to %d", l.Len(), l.Len(), all))
	}
	if all == l.Len() {
		return l.answer, ctx.Err()
	}
	if d := l.data.Points.Dim(); data.Points.Dim() != d {
		return nil, train.OfKind(train.ErrData, fmt.Errorf("the new points have %d columns, those there are %d: read them by the same columns", data.Points.Dim(), d))
	}
	if l.ground.Recipe.Kernel.Kind().Given {
		return nil, train.OfKind(train.ErrData, errors.New("the kernel's values are given, and new points have others with all: open a labelling on the whole matrix"))
	}
	came := data.Points.Slice(n, all)
	if i, j, found := came.FirstNotFinite(); found {
		return nil, train.OfKind(train.ErrData, fmt.Errorf("row %d, feature %d is not a finite number: mend or drop the row", n+i+1, j+1))
	}
	more := &newcomers{data: data, points: l.ground.Points(came, nil)}
	var err error
	if more.near, err = l.nearestTo(ctx, more.points); err != nil {
		return nil, err
	}
	before, y := l.newcomers.Swap(more), l.y
	l.y = append(slices.Clone(y), slices.Repeat([]int{dataset.Unlabelled}, all-len(y))...)
	a, err := l.Apply(ctx, nil)
	if err != nil {
		l.newcomers.Store(before)
		l.y = y
	}
	return a, err
}

// Rebuild returns what opens a labelling with all points there are now, those that came later among them,
// by the recipe there is: of its parameters nothing is chosen again, and the labelling is as stale as this one. It may be
// called once, by any goroutine, while this labelling goes on; what came meanwhile is taken in afterwards:
//
//	_, err = next.Grow(ctx, l.Dataset())
//	answer, err := next.Apply(ctx, next.Towards(l.Labels()))
//
// So the answer is that of [Open] by the same recipe on all points. The solver is that which was
// asked for, so that a set which outgrows the whole inverse goes over to landmarks. Cost: that of [Open].
func (l *Labelling) Rebuild(run train.Run) func(ctx context.Context) (*Labelling, error) {
	next := &Labelling{data: l.Dataset(), o: l.o, classes: slices.Clone(l.classes), retired: slices.Clone(l.retired), y: slices.Clone(l.y),
		asked: l.asked, open: l.open, begun: l.begun}
	next.o.Run = run
	recipe := l.ground.Recipe.Clone()
	return func(ctx context.Context) (*Labelling, error) { return next.prepare(ctx, recipe) }
}

// nearestTo returns the points of the geometry that are nearest to others: exactly, or on landmarks
// by an index.
func (l *Labelling) nearestTo(ctx context.Context, x *points.Points) (*graph.Neighbours, error) {
	g, o := l.ground.Geometry, l.ground.Recipe.Graph
	if _, many := g.Gram().(*gram.Landmarks); !many || o.Metric == graph.Kernel {
		return nearestOf(ctx, g.Points(), x)
	}
	if l.index == nil {
		var err error
		if l.index, err = graph.NewIndex(ctx, g.Points(), g.Neighbours(), o.Metric, graph.Search{Recall: o.Recall, Seed: l.ground.Recipe.Seed}); err != nil {
			return nil, err
		}
	}
	return l.index.Nearest(ctx, x, min(nearOnes, g.Neighbours().K))
}

// nearestOf returns the points that are nearest to others by their distances to all.
func nearestOf(ctx context.Context, all, x *points.Points) (*graph.Neighbours, error) {
	k, others := min(nearOnes, all.Len()), make([]int32, all.Len())
	for j := range others {
		others[j] = int32(j)
	}
	near := &graph.Neighbours{K: k, Index: make([]int32, k*x.Len()), Distance: make([]float64, k*x.Len())}
	parallel.Do(ctx, x.Len(), func(_, i int) {
		distances, order := make([]float64, len(others)), slices.Clone(others)
		x.SquaredDistancesTo(distances, i, all, others)
		slices.SortFunc(order, func(a, b int32) int {
			switch {
			case distances[a] < distances[b]:
				return -1
			case distances[a] > distances[b]:
				return 1
			}
			return int(a - b)
		})
		for rank, j := range order[:k] {
			near.Index[i*k+rank], near.Distance[i*k+rank] = j, distances[j]
		}
	})
	return near, ctx.Err()
}

// decideNewcomers adds to what was decided the values of the machines at the points that came later.
func (l *Labelling) decideNewcomers(ctx context.Context, d *train.Decided, cells []train.Cell) error {
	more := l.newcomers.Load()
	if more == nil {
		return nil
	}
	var coefficients, residual [][]float64
	for k, member := range l.ground.Recipe.Machines() {
		own, left, err := l.inverses[k].functions(ctx, cells[k], d.Task.Labelled, d.Solutions[k])
		if err != nil {
			return err
		}
		coefficients, residual = addWeighted(coefficients, member.Weight, own), addWeighted(residual, member.Weight, left)
	}
	e := gram.Expansion{Kernel: l.ground.Recipe.Kernel, Basis: l.ground.Geometry.Points(), Coefficients: coefficients, Bias: d.B}
	if k, many := l.ground.Geometry.Gram().(*gram.Landmarks); many {
		var err error
		if e, _, err = k.Expansion(ctx, coefficients, d.B); err != nil {
			return err
		}
	}
	values := make([][]float64, len(d.F))
	for c := range values {
		values[c] = make([]float64, more.len())
	}
	if err := e.Values(ctx, values, more.points, gram.Double); err != nil {
		return err
	}
	for c, left := range residual {
		for i := range values[c] {
			near, _ := more.near.Of(i)
			for _, j := range near {
				values[c][i] += left[j] / float64(len(near))
			}
		}
	}
	for c := range d.F {
		d.F[c] = append(d.F[c], values[c]...)
	}
	return ctx.Err()
}

// addWeighted adds columns to a sum, which may have none yet.
func addWeighted(sum [][]float64, weight float64, columns [][]float64) [][]float64 {
	for c, x := range columns {
		if c == len(sum) {
			sum = append(sum, make([]float64, len(x)))
		}
		vec.Axpy(weight, x, sum[c])
	}
	return sum
}

// len returns how many points came.
func (m *newcomers) len() int {
	if m == nil {
		return 0
	}
	return m.points.Len()
}

// placed returns places of the points of the geometry with those of the points that came later: the
// mean of the nearest.
func (m *newcomers) placed(places []float32) []float32 {
	for i := range m.len() {
		near, _ := m.near.Of(i)
		var x, y float32
		for _, j := range near {
			x, y = x+places[2*j], y+places[2*j+1]
		}
		places = append(places, x/float32(len(near)), y/float32(len(near)))
	}
	return places
}
