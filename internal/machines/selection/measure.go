package selection

import (
	"context"
	"math"
	"sync"

	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/gram"
	"lapsvm/kernel"
)

// graphsAtOnce is how many graphs are taken up at the same time, where there is memory for them:
// much of the work on one keeps a single goroutine busy.
const graphsAtOnce = 2

// measured is a candidate with what speaks for it. Its machines have the squared loss: what they
// say of labels that are left out has a closed form.
type measured struct {
	candidate
	losses     []float64 // of the held-out labels that count
	modularity float64   // of the classes that it predicts, in the reference graph
	scale      float64   // root mean square of its outputs
	unseen     []unseen  // without each block of labels
}

// loss is the mean loss of the labels that count.
func (m *measured) loss() float64 { return mean(m.losses) }

// counter counts the candidates that were measured.
type counter struct {
	lock     sync.Mutex
	done, of int
	report   func(done, of int)
}

func (c *counter) count() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.done++
	if c.report != nil {
		c.report(c.done, c.of)
	}
}

// measure returns the candidates with what speaks for them, machines with a graph and supervised
// ones, in the order of the list. It leaves out those without a result in double precision, and
// those that the time did not suffice for.
func (a *arena) measure(ctx context.Context, report func(done, of int)) (machines, alone []measured, err error) {
	all := make([]*measured, len(a.candidates))
	counter := &counter{of: len(all), report: report}
	for _, part := range successive(a.candidates, func(c, o candidate) bool { return c.kernel == o.kernel && c.supervised() == o.supervised() }) {
		list, into := a.candidates[part.from:part.to], all[part.from:part.to]
		switch {
		case list[0].supervised():
			err = a.measureSupervised(ctx, list, into, counter)
		case part.from == 0 || !a.late():
			err = a.measureKernel(ctx, list, into, counter)
		}
		if err != nil {
			return nil, nil, train.OfKind(train.ErrParameter, err)
		}
	}
	for _, m := range all {
		switch {
		case m == nil:
		case m.supervised():
			alone = append(alone, *m)
		default:
			machines = append(machines, *m)
		}
	}
	return machines, alone, ctx.Err()
}

// part is successive candidates, from ≤ i < to.
type part struct{ from, to int }

// successive divides a list into parts of candidates that are alike.
func successive(list []candidate, alike func(c, o candidate) bool) (parts []part) {
	for i := range list {
		if i == 0 || !alike(list[i-1], list[i]) {
			parts = append(parts, part{i, i})
		}
		parts[len(parts)-1].to++
	}
	return parts
}

// measureKernel measures candidates of one kernel, several graphs at a time.
func (a *arena) measureKernel(ctx context.Context, list []candidate, into []*measured, counter *counter) error {
	k := a.kernels[list[0].kernel]
	g, err := a.geometry.WithKernel(ctx, k, gram.Double)
	if err != nil {
		return err
	}
	_, err = g.Factor(ctx)
	g.Close() // all that follows is on the factor
	if err != nil {
		return err
	}
	values, err := a.values(ctx, k, func(ctx context.Context, cell *deformed.Cell, at []*deformed.Point) ([][]float64, error) {
		alpha := make([][]float64, len(at))
		for machine, p := range at {
			var err error
			if alpha[machine], _, err = cell.Expansion(ctx, p.A, p.B); err != nil {
				return nil, err
			}
		}
		return alpha, nil
	})
	if err != nil {
		return err
	}
	graphs := successive(list, func(c, o candidate) bool { return c.Neighbours == o.Neighbours })
	failing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	threads := parallel.Threads(ctx)
	side := max(1, min(a.side, len(graphs), threads))
	each := parallel.WithLimit(failing, threads/side)
	_ = parallel.Step(parallel.WithLimit(failing, side), len(graphs), func(_, i int) {
		if i > 0 && a.late() {
			return
		}
		part := graphs[i]
		if err := a.measureGraph(each, g, values, list[part.from:part.to], into[part.from:part.to], counter); err != nil {
			stop(err)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(failing)
}

// measureGraph measures candidates of one kernel and graph.
func (a *arena) measureGraph(ctx context.Context, g *geometry.Geometry, values ofCell, list []candidate, into []*measured, counter *counter) error {
	powers, err := g.Powers(ctx, list[0].Neighbours)
	if err != nil {
		return err
	}
	defer powers.Close()
	for _, part := range successive(list, func(c, o candidate) bool { return c.LaplacianDegree == o.LaplacianDegree }) {
		view, err := powers.View(ctx, list[part.from].LaplacianDegree, a.task.Labelled, a.recipe.Bias)
		if err != nil {
			return err
		}
		weights := make([]deformed.Gammas, 0, part.to-part.from)
		for _, c := range list[part.from:part.to] {
			weights = append(weights, deformed.Gammas{A: c.GammaA, I: c.GammaI})
		}
		err = view.Each(ctx, weights, func(i int, cell *deformed.Cell) error {
			counter.count()
			var err error
			into[part.from+i], err = a.measureCell(ctx, list[part.from+i], cell, values)
			return err
		})
		view.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// measureSupervised measures supervised candidates of one kernel, whose functions the labelled
// points span.
func (a *arena) measureSupervised(ctx context.Context, list []candidate, into []*measured, counter *counter) error {
	p, labelled, k := a.geometry.Points(), a.task.Labelled, a.kernels[list[0].kernel]
	cross, err := gram.NewCross(ctx, p.Subset(labelled), p, k)
	if err != nil {
		return err
	}
	values, err := a.values(ctx, k, func(_ context.Context, cell *deformed.Cell, at []*deformed.Point) (alpha [][]float64, err error) {
		for _, solution := range at {
			coefficients := make([]float64, p.Len())
			for i, v := range solution.A {
				coefficients[labelled[i]] = v / cell.A
			}
			alpha = append(alpha, coefficients)
		}
		return alpha, nil
	})
	if err != nil {
		return err
	}
	for i, c := range list {
		cell := &deformed.Cell{Gammas: deformed.Gammas{A: c.GammaA}}
		for row := range labelled {
			for _, j := range labelled {
				cell.Kernel = append(cell.Kernel, cross.Row(row)[j]/c.GammaA)
			}
			if a.recipe.Bias != objective.NoBias {
				cell.Bias = append(cell.Bias, 1)
			}
		}
		counter.count()
		if into[i], err = a.measureCell(ctx, c, cell, values); err != nil {
			return err
		}
	}
	return nil
}

// ofCell returns something of solutions of a cell, a row for each.
type ofCell func(ctx context.Context, cell *deformed.Cell, at []*deformed.Point) ([][]float64, error)

// values returns what gives the outputs [machine][validation point] of solutions, by their
// coefficients over all points. It returns nil without validation points.
func (a *arena) values(ctx context.Context, k kernel.Kernel, coefficients ofCell) (ofCell, error) {
	if a.held == nil || a.held.validation == nil {
		return nil, nil
	}
	cross, err := gram.NewCross(ctx, a.held.validation, a.geometry.Points(), k)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, cell *deformed.Cell, at []*deformed.Point) ([][]float64, error) {
		alpha, err := coefficients(ctx, cell, at)
		if err != nil {
			return nil, err
		}
		outputs := make([][]float64, len(at))
		for machine, p := range at {
			outputs[machine] = make([]float64, len(a.held.class))
			for i := range outputs[machine] {
				outputs[machine][i] = cross.Dot(i, alpha[machine]) + p.B
			}
		}
		return outputs, nil
	}, nil
}

// measureCell measures the machines of a cell. It returns nil where rounding leaves none.
func (a *arena) measureCell(ctx context.Context, c candidate, cell *deformed.Cell, values ofCell) (*measured, error) {
	m := &measured{candidate: c}
	squared := cell.Smoother(ctx, a.columns)
	if squared == nil {
		return nil, ctx.Err()
	}
	var at []*deformed.Point
	for column := range a.columns.Targets {
		at = append(at, a.columns.Machine(cell, column).Solve(ctx, nil))
	}
	if a.reference != nil && !c.supervised() {
		outputs, err := cell.Outputs(ctx, at)
		if err != nil {
			return nil, err
		}
		a.fit(m, outputs)
	}
	h := a.held
	if h == nil {
		return m, ctx.Err()
	}
	outputs, ok := [][]float64(nil), true
	if values != nil {
		var err error
		if outputs, err = values(ctx, cell, at); err != nil {
			return nil, err
		}
	} else if outputs, ok = squared.Without(ctx, nil); !ok {
		return nil, ctx.Err()
	}
	m.losses = h.losses(outputs, h.count)
	if m.unseen = h.withoutBlocks(ctx, squared, outputs); m.unseen == nil && h.blocks != nil {
		return nil, ctx.Err()
	}
	return m, ctx.Err()
}

// fit records what outputs [machine][point] say of all points: how well the classes fit the
// reference graph, and how large the outputs are.
func (a *arena) fit(m *measured, outputs [][]float64) {
	class, row, square := make([]int, a.geometry.Len()), make([]float64, len(outputs)), 0.0
	for i := range class {
		for machine := range row {
			row[machine] = outputs[machine][i]
			square += row[machine] * row[machine]
		}
		class[i] = a.task.Coding().Decide(row)
	}
	m.scale = math.Sqrt(square / float64(len(class)*len(row)))
	m.modularity = a.reference.Modularity(class, len(a.task.Classes))
}
