package train

import (
	"context"
	"math/rand/v2"

	"lapsvm/internal/points/graph"
)

// byFeatures ends a training by edges, whose functions features have no part in. A ridge regression on the features of the rows that edges join to a label
// extends them to new rows, and to those that no label reaches.
func (p *Problem) byFeatures(ctx context.Context, m *minimum) error {
	reached, err := p.reached(ctx)
	if err != nil {
		return err
	}
	var known, others []int
	for _, i := range rand.New(rand.NewPCG(p.Recipe.Seed, 31)).Perm(len(reached)) {
		if !reached[i] {
			others = append(others, i)
		} else if len(known) < mostFitted {
			known = append(known, i)
		}
	}
	k := p.Geometry.Landmarks()
	weights, _, err := p.distil(ctx, m, k, known, known[:min(len(known), askedPoints)])
	if err != nil {
		return err
	}
	m.residual = nil
	if m.expansion, m.basis, err = k.Expansion(ctx, weights, m.B); err != nil {
		return err
	}
	values := zeroOutputs(len(m.F), len(others))
	if err := m.expansion.Values(ctx, values, p.Geometry.Points().Subset(others), p.Recipe.Precision); err != nil {
		return err
	}
	for machine, f := range m.F {
		for at, i := range others {
			f[i] = values[machine][at]
		}
	}
	return nil
}

// reached returns which points edges join to a label.
func (p *Problem) reached(ctx context.Context) ([]bool, error) {
	w, _, err := p.Geometry.Graph(ctx, 0)
	if err != nil {
		return nil, err
	}
	reach, err := graph.NewReach(ctx, w)
	if err != nil {
		return nil, err
	}
	labelled := make([]bool, w.Len())
	for _, i := range p.Task.Labelled {
		labelled[reach.Component[i]] = true
	}
	reached := make([]bool, w.Len())
	for i, component := range reach.Component {
		reached[i] = labelled[component]
	}
	return reached, nil
}
