package selection

import (
	"context"
	"math"
	"math/rand/v2"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/points/graph"
)

// fit records what outputs [machine][point] say of all points: how well the classes fit the
// reference graph, and how large the outputs are.
func (a *comparison) fit(m *measured, outputs [][]float64) {
	class, row, square := make([]int, a.geometry.Len()), make([]float64, len(outputs)), 0.0
	for i := range class {
		for machine := range row {
			row[machine] = outputs[machine][i]
			square += row[machine] * row[machine]
		}
		class[i] = a.task.Coding().Decide(row)
	}
	if m.scale = math.Sqrt(square / float64(len(class)*len(row))); a.kind().functions {
		m.scale = size(outputs[0])
	}
	if !a.kind().functions && !a.kind().each {
		m.alongEdges = a.alongHidden(class, len(a.task.Classes))
	}
	switch {
	case m.supervised() || a.kind().functions: // labels alone weigh the others
	case a.kind().each:
		m.modularity = a.modularityOfSeveral(outputs)
	default:
		m.modularity = a.modularity(class, len(a.task.Classes))
	}
}

// modularity returns how well classes of all points fit the reference graph, and the given edges that no candidate has.
func (a *comparison) modularity(class []int, classes int) float64 {
	return evened(a.reference, class, classes) + a.alongHidden(class, classes)
}

// alongHidden returns how well classes fit the given edges that no candidate has.
func (a *comparison) alongHidden(class []int, classes int) float64 {
	if a.hidden == nil {
		return 0
	}
	return evened(a.hidden, class, classes)
}

// evened returns the modularity Q of C classes in a graph as if they had equal shares a_c of it, half of the way:
//
//	Q √((1 − 1/C)/(1 − Σ_c a_c²))
//
// Q is at most 1 − Σ_c a_c². So it favours classes of equal shares, whatever shares there are. Divided by this bound it is Newman's coefficient of assortativity,
// which favours any few points that lie apart.
func evened(w *graph.Adjacency, class []int, classes int) float64 {
	q, most := w.Modularity(class, classes)
	if !(most > 0) {
		return 0
	}
	return q * math.Sqrt((1-1/float64(classes))/most)
}

// modularityOfSeveral returns the mean over classes of the modularity of the points that have the class and those that have not.
func (a *comparison) modularityOfSeveral(outputs [][]float64) float64 {
	has, sum := make([]int, a.geometry.Len()), 0.0
	for _, values := range outputs {
		for i, f := range values {
			if has[i] = 0; f > 0 {
				has[i] = 1
			}
		}
		sum += a.modularity(has, 2)
	}
	return sum / float64(len(outputs))
}

// chance sets the mean modularity of the classes that measured machines of some cells of a group predict where they have the same
// labels in another order.
func (m measuring) chance(ctx context.Context, those []*measured, problems []*deformed.Problem, by []*deformed.Smoother) error {
	for k := range m.shuffles {
		order := rand.New(rand.NewPCG(m.recipe.Seed, uint64(19+k))).Perm(len(m.task.Labelled))
		targets := make([][]float64, len(m.columns.Targets))
		for column, y := range m.columns.Targets {
			targets[column] = of(y, order)
		}
		outputs, err := outputsOf(ctx, problems, by, targets)
		if err != nil {
			return err
		}
		for i, one := range those {
			other := measured{candidate: one.candidate}
			m.fit(&other, outputs[i])
			one.chance += other.modularity / float64(m.shuffles)
		}
	}
	return nil
}
