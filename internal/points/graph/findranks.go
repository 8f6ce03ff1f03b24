package graph

import (
	"cmp"
	"context"
	"slices"

	"lapsvm/internal/numbers/parallel"
	"lapsvm/internal/points/neighbours"
	"lapsvm/internal/ranks/comm"
	"lapsvm/internal/system/fault"
	"lapsvm/points"
)

// onRanks is [Find] of ranks that share the points, with nothing kept.
func (search Search) onRanks(ctx context.Context, p *points.Points, k int, metric Metric) (*Neighbours, Found, error) {
	c, partition := search.Ranks, search.Partition
	smallest := partition.Len()
	for r := range c.Size() {
		from, to := partition.Range(r)
		smallest = min(smallest, to-from)
	}
	if metric.Given() || k >= smallest {
		return nil, Found{}, fault.Errorf("%d neighbours by the metric %s of ranks of which one has %d points: take fewer ranks, or one process", k, metric, smallest)
	}
	f := &finding{ranks: c, partition: partition, points: p, k: k, metric: metric}
	f.first, _ = partition.Range(c.Rank())
	cost := []float64{searchCost(p, partition.Len())}
	if err := c.Max(ctx, cost); err != nil {
		return nil, Found{}, err
	}
	switch {
	case search.Recall == 1:
		return f.exactly(parallel.Successive(ctx), "asked for")
	case cost[0] <= search.cheap(p)*float64(c.Size()):
		return f.exactly(parallel.Successive(ctx), "few enough points for exact search in seconds")
	}
	return f.approximately(ctx, search)
}

// finding is a search of ranks.
type finding struct {
	ranks     *comm.Comm
	partition comm.Partition
	first     int
	points    *points.Points
	k         int
	metric    Metric
}

// approximately searches as one process does, where that can be done on all ranks.
func (f *finding) approximately(ctx context.Context, search Search) (*Neighbours, Found, error) {
	s, err := newSpace(ctx, f.points, f.k, f.metric)
	if err != nil {
		return nil, Found{}, err
	}
	bytes := s.bytes(f.k)
	if overflows, err := f.any(ctx, f.metric != Cosine && s.ranking != nil); err != nil || overflows {
		if err != nil {
			return nil, Found{}, err
		}
		return f.exactly(parallel.Successive(ctx), "values whose squares are beyond double precision: scale the points")
	}
	if other, err := f.any(ctx, bytes == nil); err != nil {
		return nil, Found{}, err
	} else if other {
		bytes = nil
	}
	asked, err := s.asked(ctx, f.k, bytes, search)
	if err != nil {
		return nil, Found{}, err
	}
	double, err := f.any(ctx, !asked.Single)
	if err != nil {
		return nil, Found{}, err
	}
	asked.Single, asked.Ranks, asked.Numbers = !double, f.ranks, make([]neighbours.Number, s.points.Len())
	for row := range asked.Numbers {
		asked.Numbers[row] = neighbours.Number(f.first + s.few.rowOf(row))
	}
	nb, found, err := s.reached(ctx, asked)
	if err != nil {
		return nil, Found{}, err
	}
	return s.few.toAll(nb), found, nil
}

// any reports whether something is so on any rank.
func (f *finding) any(ctx context.Context, so bool) (bool, error) {
	count := make([]float64, 1)
	if so {
		count[0] = 1
	}
	err := f.ranks.Max(ctx, count)
	return count[0] > 0, err
}

// exactly finds the neighbours, for a reason.
func (f *finding) exactly(ctx context.Context, reason string) (*Neighbours, Found, error) {
	nb, err := f.byRounds(ctx)
	return nb, Found{Recall: 1, Reason: reason}, err
}

// byRounds finds the neighbours among the own points, and then, round by round, between
// these and the points of another rank.
func (f *finding) byRounds(ctx context.Context) (*Neighbours, error) {
	nb, err := FindNeighbours(ctx, f.points, f.k, f.metric)
	if err != nil {
		return nil, err
	}
	lists := newMerged(nb, f.first)
	c := f.ranks
	stored, scaling := f.points.AsStored()
	for round := 1; round < c.Size(); round++ {
		to, from := (c.Rank()+round)%c.Size(), (c.Rank()-round+c.Size())%c.Size()
		// Of two ranks the lower sends the first half of its points, and meets all of
		// the other with the rest.
		visiting := rowsFrom(0, f.points.Len())
		if c.Rank() < to {
			visiting = visiting[:len(visiting)/2]
		}
		send := make([][]byte, c.Size())
		send[to] = stored.AppendRows(nil, visiting)
		rows, err := c.AllToAll(ctx, send)
		if err != nil {
			return nil, err
		}
		send[to] = comm.Bytes(lists.farthest()[:len(visiting)])
		bounds, err := c.AllToAll(ctx, send)
		if err != nil {
			return nil, err
		}
		first := 0 // the own point from which on they meet
		if c.Rank() < from {
			first = f.points.Len() / 2
		}
		visitors := scaling.Apply(points.FromRows(stored, rows[from]))
		m, err := f.searchVisitors(ctx, f.k, first, visitors, lists.farthest()[first:], comm.Numbers[float64](bounds[from]), from < c.Rank())
		if err != nil {
			return nil, err
		}
		firstOfTheirs, _ := f.partition.Range(from)
		for i := first; i < f.points.Len(); i++ {
			m.eachOf(m.own+i-first, m.visitors, func(j int, distance float64) { lists.add(i, firstOfTheirs+j, distance) })
		}
		var answer []float64 // of each visitor, by its number among them, what it is near to
		for v := range visitors.Len() {
			m.eachOf(m.visitors+v, m.own, func(j int, distance float64) {
				answer = append(answer, float64(v), float64(f.first+first+j), distance)
			})
		}
		send = make([][]byte, c.Size())
		send[from] = comm.Bytes(answer)
		answers, err := c.AllToAll(ctx, send)
		if err != nil {
			return nil, err
		}
		lists.take(answers[to])
	}
	return lists.neighbours(), ctx.Err()
}

// rowsFrom returns the numbers from ≤ i < to.
func rowsFrom(from, to int) []int {
	rows := make([]int, to-from)
	for k := range rows {
		rows[k] = from + k
	}
	return rows
}

// visit is a crossing of own points and visitors.
type visit struct {
	crossing
	own, visitors int // where they begin among both
}

// searchVisitors finds the k nearest between the own points from one on and visitors, with bounds
// of both. Those with the lower numbers come first, as equally near ones are taken by these.
func (f *finding) searchVisitors(ctx context.Context, k, from int, visitors *points.Points, ownBounds, theirBounds []float64, theyAreFirst bool) (*visit, error) {
	own := f.points.Slice(from, f.points.Len())
	stored, scaling := own.AsStored()
	others, _ := visitors.AsStored()
	rows, theirs := stored.AppendRows(nil, rowsFrom(0, own.Len())), others.AppendRows(nil, rowsFrom(0, visitors.Len()))
	m := &visit{visitors: own.Len(), crossing: crossing{first: own.Len(), bounds: slices.Concat(ownBounds, theirBounds)}}
	if theyAreFirst {
		rows, theirs = theirs, rows
		m = &visit{own: visitors.Len(), crossing: crossing{first: visitors.Len(), bounds: slices.Concat(theirBounds, ownBounds)}}
	}
	if own.Len() == 0 || visitors.Len() == 0 {
		m.start = make([]int, own.Len()+visitors.Len()+1)
		return m, ctx.Err()
	}
	joined := scaling.Apply(points.FromRows(stored, rows, theirs))
	s := &space{few: thinned{points: joined}, points: joined, metric: f.metric, all: joined}
	if f.metric == Cosine {
		s.points = points.Scaling{Kind: points.UnitNorm}.Apply(joined)
		s.all, s.few.points, s.ranking = s.points, s.points, cosine(s.points)
	} else if plain := joined.Plain(); plain != joined {
		s.all, s.points, s.ranking = plain, plain, distances(joined)
	}
	_, err := s.byProducts(ctx, k, &m.crossing)
	return m, err
}

// eachOf calls do with the points of the other kind, which begin at first, that point i is
// near to.
func (m *visit) eachOf(i, first int, do func(j int, distance float64)) {
	for a := m.start[i]; a < m.start[i+1]; a++ {
		if j := int(m.index[a]); (j < m.crossing.first) != (i < m.crossing.first) { // a tile in the middle has both kinds
			do(j-first, m.distance[a])
		}
	}
}

// merged is lists of the k nearest, by numbers among all points.
type merged struct {
	k        int
	index    []int32
	distance []float64
}

// newMerged begins with what is among own points.
func newMerged(nb *Neighbours, first int) *merged {
	m := &merged{nb.K, slices.Clone(nb.Index), slices.Clone(nb.Distance)}
	for a := range m.index {
		m.index[a] += int32(first)
	}
	return m
}

// farthest returns the distance of the last of every list.
func (m *merged) farthest() []float64 {
	last := make([]float64, len(m.index)/m.k)
	for i := range last {
		last[i] = m.distance[(i+1)*m.k-1]
	}
	return last
}

// add enters a point into the list of point i, which does not have it: two points meet once. Nearer
// ones are first, of equally near ones the lower number.
func (m *merged) add(i, j int, distance float64) {
	index, distances := m.index[i*m.k:(i+1)*m.k], m.distance[i*m.k:(i+1)*m.k]
	after := func(a int) bool {
		return cmp.Or(cmp.Compare(distances[a], distance), cmp.Compare(index[a], int32(j))) > 0
	}
	at := m.k - 1
	if !after(at) {
		return
	}
	for ; at > 0 && after(at-1); at-- {
		index[at], distances[at] = index[at-1], distances[at-1]
	}
	index[at], distances[at] = int32(j), distance
}

// take adds what another rank answers.
func (m *merged) take(answer []byte) {
	all := comm.Numbers[float64](answer)
	for a := 0; a < len(all); a += 3 {
		m.add(int(all[a]), int(all[a+1]), all[a+2])
	}
}

func (m *merged) neighbours() *Neighbours {
	return &Neighbours{K: m.k, Index: m.index, Distance: m.distance}
}
