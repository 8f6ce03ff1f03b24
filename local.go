package lapsvm

import (
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// Local returns what the nearest training points add to the decision values of a model
// that was trained by landmarks, with all training points and their index; nil for a
// model that is an expansion alone. It must not be changed.
func (m *Model) Local() *gram.Local { return m.expansion().Local }

// localContents returns the same for a file.
func (m *Model) localContents() *modelfile.Local {
	l := m.Local()
	if l == nil {
		return nil
	}
	return &modelfile.Local{Points: l.Points, Metric: l.Metric, Neighbours: l.Neighbours, Residuals: l.Residuals, Index: l.Index.Parts(), Origin: m.local}
}

// openLocal makes it again of what a file has. It fails where the parts do not fit.
func openLocal(c *modelfile.Local, machines int) (*gram.Local, error) {
	l := &gram.Local{Points: c.Points, Metric: c.Metric, Neighbours: c.Neighbours, Residuals: c.Residuals}
	if err := l.Validate(machines); err != nil {
		return nil, err
	}
	var err error
	l.Index, err = graph.OpenIndex(context.Background(), c.Points, c.Metric, c.Index)
	return l, err
}

// nearest returns a function that gives the training points that are nearest to each of
// the points: those that add to its value, and so many at least as far as the index has
// them. It gives nil for a model without a Local.
func (m *Model) nearest(ctx context.Context, scaled *points.Points, least int) (of func(i int) []int32, err error) {
	l := m.Local()
	if l == nil {
		return func(int) []int32 { return nil }, nil
	}
	nb, err := l.Index.Nearest(ctx, scaled, min(max(l.Neighbours, least), l.Index.Parts().K))
	if err != nil {
		return nil, err
	}
	return func(i int) []int32 { near, _ := nb.Of(i); return near }, nil
}

// addLocal adds to the shares of basis points those of the nearest training points of row
// i of p, and all labelled ones, which may add nothing.
func (m *Model) addLocal(shares []Share, machine int, sign float64, p *points.Points, i int, near []int32) []Share {
	l := m.Local()
	at := make(map[int]int, len(shares)) // row → its share
	for k, s := range shares {
		at[s.Row] = k
	}
	place := func(j int) int {
		row := m.local.Rows[j]
		k, there := at[row]
		if !there {
			k, at[row] = len(shares), len(shares)
			shares = append(shares, Share{Row: row, Class: m.local.Class[j], Distance: p.Distance(points.Products, i, l.Points, j)})
		}
		return k
	}
	for c, j := range near {
		if k := place(int(j)); c < l.Neighbours {
			shares[k].Value += sign * float64(l.Residuals[machine][j]) / float64(l.Neighbours)
		}
	}
	for j, class := range m.local.Class {
		if class != dataset.Unlabelled {
			place(j)
		}
	}
	return shares
}
