package lapsvm

import (
	"context"

	"lapsvm/dataset"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// Local returns the correction by neighbours of a model that was trained on landmarks, with
// all training points and their index. It is nil for a model that is an expansion alone. It
// must not be changed.
func (m *Model) Local() *gram.Local { return m.expansion().Local }

// localContents returns Local as a model file has it.
func (m *Model) localContents() *modelfile.Local {
	l := m.Local()
	if l == nil {
		return nil
	}
	return &modelfile.Local{Points: l.Points, Metric: l.Metric, Neighbours: l.Neighbours, Residuals: l.Residuals, Index: l.Index.Parts(), Origin: m.local}
}

// openLocal makes a Local from the contents of a file. It fails where the parts do not fit.
func openLocal(c *modelfile.Local, machines int) (*gram.Local, error) {
	l := &gram.Local{Points: c.Points, Metric: c.Metric, Neighbours: c.Neighbours, Residuals: c.Residuals}
	if err := l.Validate(machines); err != nil {
		return nil, err
	}
	var err error
	l.Index, err = graph.OpenIndex(context.Background(), c.Points, c.Metric, c.Index)
	return l, err
}

// nearest returns a function of the index i of a point, which gives the training points
// nearest to that point. It gives all that add to the decision value, and at least as many
// as least where the index has them. It gives nil for a model without a Local.
func (m *Model) nearest(ctx context.Context, scaled *points.Points, least int) (near func(i int) []int32, err error) {
	l := m.Local()
	if l == nil {
		return func(int) []int32 { return nil }, nil
	}
	nb, err := l.Index.Nearest(ctx, scaled, min(max(l.Neighbours, least), l.Index.Parts().K))
	if err != nil {
		return nil, err
	}
	return func(i int) []int32 { near, _ := nb.Row(i); return near }, nil
}

// addLocal adds the nearest training points of row i of p to the shares of the basis points.
// It also adds all labelled training points, whose share may be 0. The shares are those of a class.
func (m *Model) addLocal(shares []Share, class int, p *points.Points, i int, near []int32) []Share {
	l := m.Local()
	terms := m.predictor.Coding().Terms(class)
	at := make(map[int]int, len(shares)) // row → its share
	for k, s := range shares {
		at[s.Row] = k
	}
	place := func(j int) int {
		row := m.local.Rows[j]
		k, there := at[row]
		if !there {
			k, at[row] = len(shares), len(shares)
			shares = append(shares, Share{Row: row, Class: labelOf(m.local, j, class), Distance: p.Distance(points.Products, i, l.Points, j)})
		}
		return k
	}
	for c, j := range near {
		if k := place(int(j)); c < l.Neighbours {
			shares[k].Value += ofClass(terms, func(machine int) float64 { return float64(l.Residuals[machine][j]) }) / float64(l.Neighbours)
		}
	}
	for j := range m.local.Class {
		if labelOf(m.local, j, class) != dataset.Unlabelled {
			place(j)
		}
	}
	return shares
}
