package lapsvm

import (
	"context"

	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/modelfile"
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
