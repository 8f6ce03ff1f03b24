package graph

import (
	"bytes"
	"context"
	"math"
	"math/bits"
	"slices"

	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// FindTogether is [Find] where rank 0 needs the neighbours of all points, in the order of their
// rows; other ranks return nil. Each rank passes its own points, and their rows among all. The
// points are dealt out, and each rank finds the neighbours of the points dealt to it.
func FindTogether(ctx context.Context, c *comm.Comm, p *points.Points, rows []int, k int, metric Metric, search Search) (*Neighbours, Found, error) {
	if c.Alone() {
		return Find(ctx, p, k, metric, search)
	}
	to, err := Deal(ctx, c, p, search.Seed)
	if err != nil {
		return nil, Found{}, err
	}
	dealt, own, err := Exchange(ctx, c, p, rows, to)
	if err != nil {
		return nil, Found{}, err
	}
	search.Ranks = c
	if search.Partition, err = c.Partition(ctx, len(own)); err != nil {
		return nil, Found{}, err
	}
	nb, found, err := Find(ctx, dealt, k, metric, search)
	if err != nil {
		return nil, Found{}, err
	}
	found.Order = nil
	all, err := nb.Gather(ctx, own)
	return all, found, err
}

// EqualTogether returns on rank 0, of ranks that share points as for [FindTogether], the
// groups of equal points by their rows, as [NewHealth] has them; others return nil. Cost: each
// sends a number for every point, and the points whose number others have too.
func EqualTogether(ctx context.Context, c *comm.Comm, p *points.Points, rows []int) ([][]int, error) {
	if c.Alone() {
		return neighbours.Equal(ctx, p)
	}
	to, err := repeated(ctx, c, p)
	if err != nil {
		return nil, err
	}
	mine, own, err := Exchange(ctx, c, p, rows, to)
	if err != nil {
		return nil, err
	}
	groups, err := neighbours.Equal(ctx, mine)
	if err != nil {
		return nil, err
	}
	var flat []int // the length of each, and its rows
	for _, g := range groups {
		flat = append(flat, len(g))
		for _, i := range g {
			flat = append(flat, own[i])
		}
	}
	parts, err := c.Collect(ctx, comm.Bytes(flat))
	if err != nil || parts == nil {
		return nil, err
	}
	var all [][]int
	for _, part := range parts {
		for flat := comm.Numbers[int](part); len(flat) > 0; flat = flat[1+flat[0]:] {
			all = append(all, flat[1:1+flat[0]])
		}
	}
	slices.SortFunc(all, func(a, b []int) int { return a[1] - b[1] })
	return all, nil
}

// repeated returns, by rank, the own points that may be equal to others, as their sums are:
// equal ones for the same rank.
func repeated(ctx context.Context, c *comm.Comm, p *points.Points) (to [][]int, err error) {
	sums, indices := make([][]uint64, c.Size()), make([][]int, c.Size())
	row := make([]float64, p.Dim())
	for i := range p.Len() {
		p.CopyRow(row, i)
		sum := sumOf(row)
		r := sum % uint64(len(indices))
		sums[r], indices[r] = append(sums[r], sum), append(indices[r], i)
	}
	asked := make([][]byte, c.Size())
	for r := range sums {
		asked[r] = comm.Bytes(sums[r])
	}
	if asked, err = c.AllToAll(ctx, asked); err != nil {
		return nil, err
	}
	sorted := comm.Numbers[uint64](bytes.Join(asked, nil))
	slices.Sort(sorted)
	answers := make([][]byte, c.Size())
	for r, bytes := range asked {
		for _, sum := range comm.Numbers[uint64](bytes) {
			at, _ := slices.BinarySearch(sorted, sum)
			answer := byte(0)
			if at+1 < len(sorted) && sorted[at+1] == sum {
				answer = 1
			}
			answers[r] = append(answers[r], answer)
		}
	}
	if answers, err = c.AllToAll(ctx, answers); err != nil {
		return nil, err
	}
	to = make([][]int, c.Size())
	for r, all := range answers {
		for k, answer := range all {
			if answer == 1 {
				to[r] = append(to[r], indices[r][k])
			}
		}
	}
	return to, nil
}

// sumOf returns a number that equal rows have alike, and others hardly ever.
func sumOf(row []float64) (sum uint64) {
	for j, v := range row {
		if v != 0 { // there are two zeros
			sum = bits.RotateLeft64(sum^math.Float64bits(v)*0x9e3779b97f4a7c15^uint64(j)*0xd1b54a32d192ed03, 29) * 0xbf58476d1ce4e5b9
		}
	}
	return sum ^ sum>>32
}

// Exchange sends every rank r the local points to[r], of which rows holds the rows among all points. It returns the points received from all
// ranks, ordered by their rows, and these rows.
func Exchange(ctx context.Context, c *comm.Comm, p *points.Points, rows []int, to [][]int) (*points.Points, []int, error) {
	stored, scaling := p.AsStored()
	features, named := make([][]byte, c.Size()), make([][]byte, c.Size())
	for r, sent := range to {
		features[r] = stored.AppendRows(nil, sent)
		own := make([]int, len(sent))
		for k, i := range sent {
			own[k] = rows[i]
		}
		named[r] = comm.Bytes(own)
	}
	features, err := c.AllToAll(ctx, features)
	if err != nil {
		return nil, nil, err
	}
	if named, err = c.AllToAll(ctx, named); err != nil {
		return nil, nil, err
	}
	all := comm.Numbers[int](bytes.Join(named, nil))
	order := rowsFrom(0, len(all))
	slices.SortFunc(order, func(a, b int) int { return all[a] - all[b] })
	slices.Sort(all)
	return scaling.Apply(points.FromRows(stored, features...).Subset(order)), all, nil
}

// Gather returns, on rank 0, the neighbours of the points of all ranks by their rows; other ranks
// return nil. rows holds those of the own points.
func (nb *Neighbours) Gather(ctx context.Context, rows []int) (*Neighbours, error) {
	var joined [3][]byte
	for a, own := range [][]byte{comm.Bytes(rows), comm.Bytes(nb.Index), comm.Bytes(nb.Distance)} {
		parts, err := nb.Ranks.Collect(ctx, own)
		if err != nil {
			return nil, err
		}
		joined[a] = bytes.Join(parts, nil)
	}
	if nb.Ranks.Rank() > 0 {
		return nil, nil
	}
	rows = comm.Numbers[int](joined[0])
	index, distance := comm.Numbers[int32](joined[1]), comm.Numbers[float64](joined[2])
	all := &Neighbours{K: nb.K, Index: make([]int32, len(index)), Distance: make([]float64, len(index))}
	for at, row := range rows {
		copy(all.Distance[row*nb.K:], distance[at*nb.K:(at+1)*nb.K])
		for b, number := range index[at*nb.K : (at+1)*nb.K] {
			all.Index[row*nb.K+b] = int32(rows[number])
		}
	}
	return all, nil
}
