package selection

import (
	"context"
	"math"
	"math/rand/v2"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/numbers/vec"
	"lapsvm/internal/points/graph"
)

// fit records what outputs [machine][point] say of all points: how well the classes fit the
// reference graph and given edges that no candidate has, and how large the outputs are.
func (a *comparison) fit(m *measured, outputs [][]float64) {
	square := 0.0
	for _, values := range outputs {
		square += vec.Dot(values, values) / float64(len(values)*len(outputs))
	}
	if m.scale = math.Sqrt(square); a.kind().functions {
		m.scale = size(outputs[0])
	}
	m.alongEdges = graphFit(a.task, a.hidden, outputs)
	if !m.supervised() { // labels alone weigh the others
		m.modularity = graphFit(a.task, a.reference, outputs) + m.alongEdges
	}
}

// graphFit returns how well the classes that outputs [machine][point] tell of all points fit a graph, see [evened]. Of several classes it is the mean over classes: the points with a class are
// one part, and the others another. It is 0 of numbers and of no graph.
func graphFit(t *task.Task, w *graph.Adjacency, outputs [][]float64) (fit float64) {
	of := kindOf(t.Kind)
	if w == nil || of.functions {
		return 0
	}
	class := make([]int, w.Len())
	if !of.each {
		row, coding := make([]float64, len(outputs)), t.Coding()
		for i := range class {
			for machine := range row {
				row[machine] = outputs[machine][i]
			}
			class[i] = coding.Decide(row)
		}
		return evened(w, class, len(t.Classes))
	}
	for _, values := range outputs {
		for i := range class {
			if class[i] = 0; values[i] > 0 {
				class[i] = 1
			}
		}
		fit += evened(w, class, 2) / float64(len(outputs))
	}
	return fit
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

// chance sets the modularity of the classes that measured machines of some cells of a group predict where they have the same
// labels in another order.
func (m measuring) chance(ctx context.Context, those []*measured, problems []*deformed.Problem, by []*deformed.Smoother) error {
	order := rand.New(rand.NewPCG(m.recipe.Seed, 19)).Perm(len(m.task.Labelled))
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
		one.chance = other.modularity
	}
	return nil
}
