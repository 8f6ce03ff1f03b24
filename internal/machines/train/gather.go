package train

import (
	"context"
	"slices"

	"lapsvm/dataset"
	"lapsvm/internal/machines/geometry"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
)

// gatheredRows returns, ascending, the rows from which rank 0 makes the model: all, or the rows to
// which a compact form is fitted.
func (p *shared) gatheredRows() []int {
	if !p.Recipe.Compact || p.share.Total <= mostFitted {
		rows := make([]int, p.share.Total)
		for row := range rows {
			rows[row] = row
		}
		return rows
	}
	rows := append(gram.DrawRows(p.share.Total, mostFitted, p.Recipe.Seed), p.task.Labelled...)
	slices.Sort(rows)
	return slices.Compact(rows)
}

// toGather returns how many bytes go to rank 0 in the end, about: features, row, class,
// output and residual of every machine, and neighbours where all rows are gathered.
func (p *shared) toGather() int64 {
	ranks, shares := p.Geometry.Shared()
	from, to := shares.Of(ranks.Rank())
	if ranks.Rank() == 0 || from == to {
		return 0
	}
	const number, text = 8, 10 // bytes, of a number and of what is said of a row
	rows, neighbours := p.gatheredRows(), p.Geometry.Neighbours().K
	each := p.share.Points.Bytes()/int64(to-from) + text + number + 2*number*int64(len(p.Problem.Targets))
	if len(rows) == p.share.Total {
		each += number + (number+4)*int64(neighbours)
	}
	return each * int64(to-from) * int64(len(rows)) / int64(p.share.Total)
}

// gathered returns, on rank 0, the problem and its minimum with rows of all ranks, as one
// process has them; on others nil. Neighbours, and the graph's health, are of all rows alone.
func (p *shared) gathered(ctx context.Context, rows []int, all *dataset.Share, m *minimum) (*Posed, *minimum, error) {
	ranks, _ := p.Geometry.Shared()
	of, solution := *m, *m.Solution
	of.Solution = &solution
	of.F, of.residual = make([][]float64, len(m.F)), make([][]float64, len(m.F))
	g := gathering{ctx: ctx, ranks: ranks, wanted: rows, own: p.share.Rows}
	g.rows = inOrder(&g, g.own, 1)
	for c := range m.F {
		of.F[c], of.residual[c] = inOrder(&g, m.F[c], 1), inOrder(&g, m.residual[c], 1)
	}
	whole := *p.Posed
	whole.rows, whole.Task = rows, p.task.Subset(rows, func(int) bool { return true })
	var nb *graph.Neighbours
	if len(rows) == p.share.Total {
		numbered := join(&g, g.own)
		own := p.Geometry.Neighbours()
		nb = &graph.Neighbours{K: own.K, Index: inOrder(&g, own.Index, own.K), Distance: inOrder(&g, own.Distance, own.K)}
		for k, number := range nb.Index {
			nb.Index[k] = int32(numbered[number])
		}
	}
	if g.err != nil || ranks.Rank() != 0 {
		return nil, nil, g.err
	}
	found := p.Geometry.Search()
	found.Order = nil
	whole.Geometry = geometry.Assembled(p.Frame.Points(all.Points, nil), p.Geometry.Gram().(*gram.Landmarks).Drawn(), p.Recipe.Kernel, p.Recipe.Graph, nb, found, p.Geometry.Seconds())
	var err error
	if nb != nil {
		w, _ := whole.Geometry.Graph(p.Recipe.Leading().Neighbours)
		whole.health, err = graph.NewHealth(ctx, w, whole.Geometry.Points(), whole.Task.Labels(), len(whole.Task.Classes))
	}
	return &whole, &of, err
}

// gathering gathers on rank 0 until something fails.
type gathering struct {
	ctx         context.Context
	ranks       *comm.Comm
	wanted, own []int // rows that are gathered, and those of this rank, ascending
	rows        []int // as they come, on rank 0
	err         error
}

// join returns, on rank 0, the numbers of all ranks, one rank's after another's.
func join[T comm.Number](g *gathering, own []T) (all []T) {
	if g.err != nil {
		return nil
	}
	var parts [][]byte
	parts, g.err = g.ranks.Collect(g.ctx, comm.Bytes(own))
	for _, part := range parts {
		all = append(all, comm.Of[T](part)...)
	}
	return all
}

// inOrder returns, on rank 0, width numbers of each wanted row in their order. The first
// call is of the rows themselves, in the order in which they come.
func inOrder[T comm.Number](g *gathering, own []T, width int) []T {
	var mine []T
	for k, row := range g.own {
		if _, is := slices.BinarySearch(g.wanted, row); is {
			mine = append(mine, own[k*width:(k+1)*width]...)
		}
	}
	all := join(g, mine)
	if g.rows == nil || g.err != nil {
		return all
	}
	sorted := make([]T, len(all))
	for k, row := range g.rows {
		at, _ := slices.BinarySearch(g.wanted, row)
		copy(sorted[at*width:(at+1)*width], all[k*width:])
	}
	return sorted
}
