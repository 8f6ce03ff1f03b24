package labelpage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
)

// control is what a test and the machines of a page share.
type control struct {
	opened, updates atomic.Int64
	closed          atomic.Int64
	grown, rebuilt  atomic.Int64
	gate            chan struct{} // nil, or Apply waits for it
	fail, worse     atomic.Bool
	settled         atomic.Bool // no recipe is chosen anew
}

// nearest is a machine that gives every point the class of the nearest label.
type nearest struct {
	*control
	data    *dataset.Dataset
	labels  []int
	classes []string
	number  int64 // of machines opened
}

func (m *nearest) Recipe() train.Recipe {
	return train.Recipe{Kernel: kernel.Linear{}, Seed: uint64(m.number)}
}
func (m *nearest) Close()      { m.closed.Add(1) }
func (m *nearest) Stale() bool { return !m.settled.Load() }

// Replaces is true, or, where control says so, false.
func (m *nearest) Replaces(context.Context, Machine) (bool, error) { return !m.worse.Load(), nil }

func (m *nearest) Apply(ctx context.Context, classes []string, changes []Change) (*Answer, error) {
	if m.gate != nil {
		select {
		case <-m.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if m.fail.Load() {
		return nil, errors.New("numbers leave their range")
	}
	m.updates.Add(1)
	m.classes = classes
	for _, c := range changes {
		m.labels[c.Point] = c.Class
	}
	seen := make(map[int]bool)
	for _, c := range m.labels {
		if c >= 0 {
			seen[c] = true
		}
	}
	a := &Answer{}
	if len(seen) < 2 {
		return a, nil
	}
	for _, c := range m.labels {
		if c >= 0 {
			a.HeldOut++
		}
	}
	if a.HeldOut >= 9 {
		a.Thresholds = slices.Repeat([]float64{0.3}, len(classes))
	}
	a.Decided, a.Probabilities = make([]int, len(m.labels)), make([][]float32, len(classes))
	for c := range seen {
		a.Probabilities[c] = make([]float32, len(m.labels))
	}
	for i := range m.labels {
		best, least := -1, 0.0
		for j, c := range m.labels {
			if d := m.data.Points.SquaredDistance(i, m.data.Points, j); c >= 0 && (best < 0 || d < least) {
				best, least = c, d
			}
		}
		a.Decided[i] = best
		for c := range seen {
			a.Probabilities[c][i] = 0.2 / float32(len(seen)-1)
		}
		a.Probabilities[best][i] = 0.8
	}
	return a, nil
}

func (m *nearest) Suggest(_ context.Context, n int) ([]Suggestion, error) {
	var all []Suggestion
	for i, c := range slices.Backward(m.labels) {
		if c < 0 && len(all) < n {
			all = append(all, Suggestion{Point: i, Reason: "the last without a label"})
		}
	}
	return all, nil
}

func (m *nearest) Grow(ctx context.Context, data *dataset.Dataset) (*Answer, error) {
	if m.fail.Load() {
		return nil, errors.New("numbers leave their range")
	}
	m.grown.Add(1)
	m.data = data
	for len(m.labels) < data.Points.Len() {
		m.labels = append(m.labels, -1)
	}
	return m.Apply(ctx, m.classes, nil)
}

func (m *nearest) Rebuild() func(context.Context) (Machine, error) {
	next := &nearest{m.control, m.data, slices.Clone(m.labels), m.classes, m.number}
	return func(context.Context) (Machine, error) {
		next.rebuilt.Add(1)
		return next, nil
	}
}

func (m *nearest) Explainer() func(context.Context) (Explainer, error) {
	return func(context.Context) (Explainer, error) {
		return func(_ context.Context, point int) ([]string, error) {
			return []string{fmt.Sprint("as point ", point, " is")}, nil
		}, nil
	}
}

func (m *nearest) Prepare(context.Context, []int) error { return nil }

func (m *nearest) Similar(point, n int) []int {
	var all []int
	for i := range m.labels {
		if i != point {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b int) int {
		if m.data.Points.SquaredDistance(point, m.data.Points, a) < m.data.Points.SquaredDistance(point, m.data.Points, b) {
			return -1
		}
		return 1
	})
	return all[:min(n, len(all))]
}

func (m *nearest) Layout(context.Context) ([]float32, error) {
	xy := make([]float32, 2*len(m.labels))
	for i := range m.labels {
		xy[2*i], xy[2*i+1] = float32(i)/float32(len(m.labels)), 0.5
	}
	return xy, nil
}

func (m *nearest) Audit(context.Context) ([]Suspicion, error) {
	var all []Suspicion
	for i, c := range m.labels {
		if c >= 0 && i == 0 {
			all = append(all, Suspicion{Point: i, Given: c, Suggested: 1 - c, Suspicion: 0.9, Neighbours: []int{1}, Why: "the first is always suspicious"})
		}
	}
	return all, nil
}
