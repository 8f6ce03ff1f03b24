package label

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// newcomers holds the points that Grow added after the geometry was made. It never changes.
type newcomers struct {
	data   *dataset.Dataset  // all points
	points *points.Points    // the added points, scaled as the others were
	near   *graph.Neighbours // of every added point, the nearest points of the geometry
}

// nearOnes is the number of points of the geometry that stand for an added point.
const nearOnes = 5

// Grow adds points and returns the answer with their decisions. data has the present points in
// their order, and the new points after them; its labels are ignored. The present machines
// decide the new points by their functions, on landmarks corrected by the mean residual of the
// five nearest points. The new points are suggested and labelled as others are. The machines
// learn from them, and from their labels, with [Labelling.Rebuild] only.
//
// Grow fails, and changes nothing, for no points, other columns, values that are not finite, a precomputed
// kernel, and when ctx is done. It panics where data has fewer points than are present. Cost, of
// Grow and of every later answer: for each new point a search of its nearest points and a
// kernel value for each point of the geometry or landmark. On landmarks the first call makes an
// index, with 384·n·d multiply-adds for n points of d features.
func (l *Labelling) Grow(ctx context.Context, data *dataset.Dataset) (*Answer, error) {
	if err := data.CheckPoints(); err != nil {
		return nil, train.OfKind(train.ErrData, err)
	}
	n, all := l.prepared(), data.Points.Len()
	if all < l.Len() {
		panic(fmt.Sprintf("label: %d points, of which there are %d, have grown to %d", l.Len(), l.Len(), all))
	}
	if all == l.Len() {
		return l.answer, ctx.Err()
	}
	if l.ground.Related() {
		return nil, train.OfKind(train.ErrData, fault.Errorf("the kernel's values are given, and new points have others with all: open a labelling on the whole matrix"))
	}
	data, err := l.described(ctx, data)
	if err != nil {
		return nil, err
	}
	came := data.Points.Slice(n, all)
	if i, j, found := came.FirstNotFinite(); found {
		return nil, train.OfKind(train.ErrData, fault.Value.Errorf("row %d, feature %d is not a finite number: mend or drop the row", n+i+1, j+1))
	}
	more := &newcomers{data: data, points: l.ground.Points(came, nil)}
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

// described returns data as the present points are described. Only rows that are not present yet are
// described.
func (l *Labelling) described(ctx context.Context, data *dataset.Dataset) (*dataset.Dataset, error) {
	by, present := l.data.Description(), l.Dataset().Points
	columns := present.Dim()
	if by != nil && !data.Described() {
		columns = by.Inputs()
	}
	if d := data.Points.Dim(); d != columns {
		return nil, train.OfKind(train.ErrData, fault.Columns.Errorf("the new points have %d columns, the earlier ones %d: read them by the same columns", d, columns))
	}
	if by == nil || data.Described() {
		return data, nil
	}
	came := *data
	came.Points = data.Points.Slice(present.Len(), data.Points.Len())
	if i, j, found := came.Points.FirstNotFinite(); found {
		return nil, train.OfKind(train.ErrData, fault.Value.Errorf("row %d, feature %d is not a finite number: mend or drop the row", present.Len()+i+1, j+1))
	}
	described, err := train.Described(ctx, &came, by)
	if err != nil {
		return nil, err
	}
	return data.As(points.Stack(present, described.Points), by), nil
}

// Rebuild returns a function that opens a labelling with all present points, those of
// [Labelling.Grow] included, by the present recipe. It chooses no parameter again, and the new
// labelling is as stale as this one. The function may be called once, on any goroutine, while
// this labelling is in use. Points and labels that came meanwhile are added afterwards:
//
//	_, err = next.Grow(ctx, l.Dataset())
//	answer, err := next.Apply(ctx, next.Towards(l.Labels()))
//
// The answer is that of [Open] by the same recipe on all points. The solver follows from the
// one asked for and the number of points: a set that outgrows Options.Exact moves to landmarks.
// Cost: that of Open without a choice.
func (l *Labelling) Rebuild(run train.Run) func(ctx context.Context) (*Labelling, error) {
	next := &Labelling{data: l.Dataset(), o: l.o, classes: slices.Clone(l.classes), retired: slices.Clone(l.retired), y: slices.Clone(l.y),
		asked: l.asked, alone: l.alone, open: l.open, begun: l.begun}
	next.o.Run = run
	recipe := l.ground.Recipe.Clone()
	return func(ctx context.Context) (*Labelling, error) { return next.prepare(ctx, recipe) }
}

// nearestTo returns the points of the geometry nearest to each of other points: exactly, or on
// landmarks by an index.
func (l *Labelling) nearestTo(ctx context.Context, x *points.Points) (*graph.Neighbours, error) {
	g, o := l.ground.Geometry, l.ground.Recipe.Graph
	near := min(nearOnes, cmp.Or(g.MostNeighbours(), g.Len()))
	if g.Landmarks() == nil {
		return nearestOf(ctx, g.Points(), x)
	}
	if l.index == nil {
		var err error
		if l.index, err = graph.NewIndex(ctx, g.Points(), near, near, o.Metric.Sought(), graph.Search{Recall: o.Recall, Seed: l.ground.Recipe.Seed}); err != nil {
			return nil, err
		}
	}
	return l.index.Nearest(ctx, x, near)
}

// nearestOf returns the points of all nearest to each point of x, by computing all distances.
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

// decideNewcomers adds to d the decision values at the points that Grow added.
func (l *Labelling) decideNewcomers(ctx context.Context, d *train.Decided, problems []train.ReducedProblem) error {
	more := l.newcomers.Load()
	if more == nil {
		return nil
	}
	var coefficients, residual [][]float64
	for k, member := range l.ground.Recipe.Machines() {
		alpha, left, err := l.inverses[k].functions(ctx, problems[k], d.Task.Labelled, d.Solutions[k])
		if err != nil {
			return err
		}
		coefficients, residual = addWeighted(coefficients, member.Weight, alpha), addWeighted(residual, member.Weight, left)
	}
	e, err := l.inverses[0].expansion(ctx, coefficients, d.B) // all members have one geometry
	if err != nil {
		return err
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
			near, _ := more.near.Row(i)
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

// len returns the number of added points.
func (m *newcomers) len() int {
	if m == nil {
		return 0
	}
	return m.points.Len()
}

// placed appends to the places of the points of the geometry those of the added points: each has
// the mean place of its nearest points.
func (m *newcomers) placed(places []float32) []float32 {
	for i := range m.len() {
		near, _ := m.near.Row(i)
		var x, y float32
		for _, j := range near {
			x, y = x+places[2*j], y+places[2*j+1]
		}
		places = append(places, x/float32(len(near)), y/float32(len(near)))
	}
	return places
}
