package graph

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/internal/comm"
	"lapsvm/internal/neighbours"
	"lapsvm/points"
)

// Deal is which rank is to have which points, so that near ones are together and each rank
// has about as many.
type Deal struct {
	To       [][]int // by rank, which of the own points it is to have
	division *neighbours.Division
}

// dealtRows is how many points a deal is learnt from.
const dealtRows = 8192

// NewDeal has ranks agree on a deal of the points, of which each has some: the top of a
// projection tree of points that are drawn of all. Where many points are equal and a rank would have
// less than half of its share, all stay where they are. It fails when ctx is done. Cost:
// the sketches of the points; each sends its part of 8,192 points to all.
func NewDeal(ctx context.Context, c *comm.Comm, p *points.Points, seed uint64) (*Deal, error) {
	shares, err := c.Shares(ctx, p.Len())
	if err != nil {
		return nil, err
	}
	from, to := shares.Of(c.Rank())
	var mine []int
	for k := range dealtRows { // evenly over all
		if i := int(float64(shares.Len()) * (float64(k) + 0.5) / dealtRows); i >= from && i < to && (len(mine) == 0 || mine[len(mine)-1] != i-from) {
			mine = append(mine, i-from)
		}
	}
	sample, err := gatherAll(ctx, c, p, mine)
	if err != nil {
		return nil, err
	}
	d := &Deal{To: make([][]int, c.Size())}
	if d.division, err = neighbours.NewDivision(ctx, sample, c.Size(), seed); err != nil {
		return nil, err
	}
	sketches, err := d.division.Sketches(ctx, p)
	if err != nil {
		return nil, err
	}
	width, count := d.division.Width(), make([]float64, c.Size())
	for i := range p.Len() {
		r := d.division.Part(sketches[i*width : (i+1)*width])
		d.To[r] = append(d.To[r], i)
		count[r]++
	}
	if err := c.Sum(ctx, count); err != nil {
		return nil, err
	}
	if slices.Min(count) < float64(shares.Len()/c.Size()/2) {
		d.division, d.To = nil, make([][]int, c.Size())
		for i := range p.Len() {
			d.To[c.Rank()] = append(d.To[c.Rank()], i)
		}
	}
	return d, nil
}

// packed returns points as they are stored, and the scaling that makes them these.
func packed(p *points.Points) (*points.Points, points.Scaling) {
	if p.Sparse() {
		return p, points.Scaling{}
	}
	return p.AsStored()
}

// gatherAll returns the points that all ranks give, rank after rank.
func gatherAll(ctx context.Context, c *comm.Comm, p *points.Points, rows []int) (*points.Points, error) {
	stored, scaling := packed(p)
	all, err := c.Gather(ctx, stored.AppendRows(nil, rows))
	if err != nil {
		return nil, err
	}
	return scaling.Apply(points.FromRows(stored, all...)), nil
}

// FindShare is [Find] of ranks that share the points: each finds the neighbours of its own
// among those of all, by their numbers. Exact search compares every pair once, half of the
// pairs of two ranks on each, and the points of each go to all others; it is done where it takes
// seconds. Approximate search goes by a deal: a rank searches as one process does among
// its own points and guests, points of others that are so near to its own that they may be
// neighbours of these; how near is learnt from points whose neighbours among all are
// known. By no deal, nil, it is exact. It fails on all ranks for the metric Kernel, and as
// Find does.
func FindShare(ctx context.Context, c *comm.Comm, shares comm.Shares, deal *Deal, p *points.Points, k int, metric Metric, search Search) (*Neighbours, Found, error) {
	search, err := search.WithDefaults()
	if err != nil {
		return nil, Found{}, err
	}
	if c.Alone() {
		return Find(ctx, p, k, metric, search)
	}
	smallest := shares.Len()
	for r := range c.Size() {
		from, to := shares.Of(r)
		smallest = min(smallest, to-from)
	}
	if metric == Kernel || k >= smallest {
		return nil, Found{}, fmt.Errorf("%d neighbours by the metric %s of ranks of which one has %d points: take fewer ranks, or one process", k, metric, smallest)
	}
	f := &finding{ranks: c, shares: shares, points: p, k: k, metric: metric}
	f.first, _ = shares.Of(c.Rank())
	cost := []float64{searchCost(p, shares.Len())}
	if err := c.Max(ctx, cost); err != nil {
		return nil, Found{}, err
	}
	switch exactly := func(reason string) (*Neighbours, Found, error) {
		nb, err := f.exactly(ctx)
		return nb, Found{Recall: 1, Reason: reason}, err
	}; {
	case search.Recall == 1:
		return exactly("asked for")
	case cost[0] <= search.cheap()*float64(c.Size()):
		return exactly("few enough points for exact search in seconds")
	case deal == nil || deal.division == nil:
		return exactly("many points are equal, and ranks cannot have near ones together")
	}
	return f.approximately(ctx, deal.division, search)
}

// finding is a search of ranks.
type finding struct {
	ranks  *comm.Comm
	shares comm.Shares
	first  int
	points *points.Points
	k      int
	metric Metric
}

// exactly finds the neighbours among the own points, and then, round by round, between
// these and the points of another rank.
func (f *finding) exactly(ctx context.Context) (*Neighbours, error) {
	nb, err := FindNeighbours(ctx, f.points, f.k, f.metric)
	if err != nil {
		return nil, err
	}
	lists := newMerged(nb, f.first)
	c := f.ranks
	stored, scaling := packed(f.points)
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
		meeting := 0 // the first own point that they meet
		if c.Rank() < from {
			meeting = f.points.Len() / 2
		}
		visitors := scaling.Apply(points.FromRows(stored, rows[from]))
		m, err := f.meet(ctx, f.k, meeting, visitors, lists.farthest()[meeting:], comm.Of[float64](bounds[from]), from < c.Rank())
		if err != nil {
			return nil, err
		}
		firstOfTheirs, _ := f.shares.Of(from)
		for i := meeting; i < f.points.Len(); i++ {
			m.eachOf(m.own+i-meeting, m.visitors, func(j int, distance float64) { lists.add(i, firstOfTheirs+j, distance) })
		}
		var answer []float64 // of each visitor, by its number among them, what it is near to
		for v := range visitors.Len() {
			m.eachOf(m.visitors+v, m.own, func(j int, distance float64) {
				answer = append(answer, float64(v), float64(f.first+meeting+j), distance)
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

// meeting is a crossing of own points and visitors.
type meeting struct {
	crossing
	own, visitors int // where they begin among both
}

// meet finds the k nearest between the own points from one on and visitors, with bounds
// of both. Those with the lower numbers come first, as equally near ones are taken by these.
func (f *finding) meet(ctx context.Context, k, from int, visitors *points.Points, ownBounds, theirBounds []float64, theyAreFirst bool) (*meeting, error) {
	own := f.points.Slice(from, f.points.Len())
	stored, scaling := packed(own)
	others, _ := packed(visitors)
	rows, theirs := stored.AppendRows(nil, rowsFrom(0, own.Len())), others.AppendRows(nil, rowsFrom(0, visitors.Len()))
	m := &meeting{visitors: own.Len(), crossing: crossing{first: own.Len(), bounds: slices.Concat(ownBounds, theirBounds)}}
	if theyAreFirst {
		rows, theirs = theirs, rows
		m = &meeting{own: visitors.Len(), crossing: crossing{first: visitors.Len(), bounds: slices.Concat(theirBounds, ownBounds)}}
	}
	if own.Len() == 0 || visitors.Len() == 0 {
		m.start = make([]int, own.Len()+visitors.Len()+1)
		return m, ctx.Err()
	}
	both := scaling.Apply(points.FromRows(stored, rows, theirs))
	s := &space{few: thinned{points: both}, points: both, metric: f.metric, all: both}
	if f.metric == Cosine {
		s.points = points.Scaling{Kind: points.UnitNorm}.Apply(both)
		s.all, s.few.points, s.ranking = s.points, s.points, cosine(s.points)
	} else if plain := both.Plain(); plain != both {
		s.all, s.points, s.ranking = plain, plain, distances(both)
	}
	_, err := s.byProducts(ctx, k, &m.crossing)
	return m, err
}

// eachOf calls do with the points of the other kind, which begin at first, that point i is
// near to.
func (m *meeting) eachOf(i, first int, do func(j int, distance float64)) {
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
	far := make([]float64, len(m.index)/m.k)
	for i := range far {
		far[i] = m.distance[(i+1)*m.k-1]
	}
	return far
}

// add enters a point into the list of point i: nearer ones first, of equally near ones the
// lower number.
func (m *merged) add(i, j int, distance float64) {
	index, far := m.index[i*m.k:(i+1)*m.k], m.distance[i*m.k:(i+1)*m.k]
	after := func(a int) bool {
		return cmp.Or(cmp.Compare(far[a], distance), cmp.Compare(index[a], int32(j))) > 0
	}
	at := m.k - 1
	if !after(at) || slices.Contains(index, int32(j)) {
		return
	}
	for ; at > 0 && after(at-1); at-- {
		index[at], far[at] = index[at-1], far[at-1]
	}
	index[at], far[at] = int32(j), distance
}

// take adds what another rank answers.
func (m *merged) take(answer []byte) {
	all := comm.Of[float64](answer)
	for a := 0; a < len(all); a += 3 {
		m.add(int(all[a]), int(all[a+1]), all[a+2])
	}
}

func (m *merged) neighbours() *Neighbours {
	return &Neighbours{K: m.k, Index: m.index, Distance: m.distance}
}

// testedPoints is about how many points have their neighbours among all found, to learn
// how near guests are and to measure the recall.
const testedPoints = 384

// tested is points with their neighbours among all, the same on all ranks.
type tested struct {
	points []int     // numbers among all
	near   *merged   // of each
	margin []float64 // of each of these, how far it is from the part of the point
}

// approximately searches among own points and guests.
func (f *finding) approximately(ctx context.Context, d *neighbours.Division, search Search) (*Neighbours, Found, error) {
	sketches, err := d.Sketches(ctx, f.points)
	if err != nil {
		return nil, Found{}, err
	}
	t, err := f.test(ctx, d, sketches)
	if err != nil {
		return nil, Found{}, err
	}
	lost := 1 - search.Recall
	for again := 0; ; again++ {
		within := search
		within.Recall = 1 - 0.75*lost
		nb, found, err := f.amongGuests(ctx, d, sketches, t.reach(1-lost/8), within)
		if err != nil {
			return nil, Found{}, err
		}
		if found.Recall, found.RecallError, err = f.recall(ctx, t, nb); err != nil {
			return nil, Found{}, err
		}
		looks := []float64{float64(found.Cells), float64(found.Looks)}
		if err := f.ranks.Max(ctx, looks); err != nil {
			return nil, Found{}, err
		}
		found.Approximate, found.Cells, found.Looks, found.Reason = true, int(looks[0]), int(looks[1]), "too many points for exact search in seconds"
		const most = 2
		if found.Recall >= search.Recall || again == most {
			if found.Recall < search.Recall {
				found.Reason = fmt.Sprintf("a recall of %.3g was asked; a recall of 1 asks for exact search", search.Recall)
			}
			return nb, found, nil
		}
		lost /= 4
	}
}

// test finds the neighbours of some points among those of all ranks.
func (f *finding) test(ctx context.Context, d *neighbours.Division, sketches []float32) (*tested, error) {
	t, c := &tested{}, f.ranks
	n := f.shares.Len()
	var mine []int
	for q := range testedPoints {
		i := int(float64(n) * (float64(q) + 0.5) / testedPoints)
		if t.points = append(t.points, i); f.shares.Owner(i) == c.Rank() {
			mine = append(mine, i-f.first)
		}
	}
	all, err := gatherAll(ctx, c, f.points, mine)
	if err != nil {
		return nil, err
	}
	open := make([]float64, len(t.points))
	for q := range open {
		open[q] = math.Inf(1)
	}
	nothing := make([]float64, f.points.Len())                 // is sought by own points
	m, err := f.meet(ctx, f.k+1, 0, all, nothing, open, false) // one may be the point itself
	if err != nil {
		return nil, err
	}
	width := d.Width()
	var found []float64
	for q := range t.points {
		part := f.shares.Owner(t.points[q])
		m.eachOf(m.visitors+q, m.own, func(j int, distance float64) {
			if number := f.first + j; number != t.points[q] {
				found = append(found, float64(q), float64(number), distance, d.Beyond(sketches[j*width:(j+1)*width], part))
			}
		})
	}
	parts, err := c.Gather(ctx, comm.Bytes(found))
	if err != nil {
		return nil, err
	}
	t.near = &merged{f.k, make([]int32, len(t.points)*f.k), make([]float64, len(t.points)*f.k)}
	for a := range t.near.distance {
		t.near.distance[a] = math.Inf(1)
	}
	margin := make(map[[2]int]float64)
	for _, part := range parts {
		all := comm.Of[float64](part)
		for a := 0; a < len(all); a += 4 {
			t.near.add(int(all[a]), int(all[a+1]), all[a+2])
			margin[[2]int{int(all[a]), int(all[a+1])}] = all[a+3]
		}
	}
	for a, j := range t.near.index {
		t.margin = append(t.margin, margin[[2]int{a / f.k, int(j)}])
	}
	return t, nil
}

// reach returns how near guests have to be for a share of the neighbours to be there.
func (t *tested) reach(share float64) float64 {
	sorted := slices.Sorted(slices.Values(t.margin))
	return sorted[min(int(math.Ceil(share*float64(len(sorted)))), len(sorted)-1)] * (1 + 1e-6)
}

// amongGuests searches among own points and those of others that are within a reach of
// the own part.
func (f *finding) amongGuests(ctx context.Context, d *neighbours.Division, sketches []float32, reach float64, search Search) (*Neighbours, Found, error) {
	c, width := f.ranks, d.Width()
	stored, scaling := packed(f.points)
	rows, numbers := make([][]byte, c.Size()), make([][]byte, c.Size())
	for r := range c.Size() {
		if r == c.Rank() {
			continue
		}
		var guests []int
		var named []int32
		for i := range f.points.Len() {
			if d.Beyond(sketches[i*width:(i+1)*width], r) <= reach {
				guests, named = append(guests, i), append(named, int32(f.first+i))
			}
		}
		rows[r], numbers[r] = stored.AppendRows(nil, guests), comm.Bytes(named)
	}
	rows, err := c.AllToAll(ctx, rows)
	if err != nil {
		return nil, Found{}, err
	}
	if numbers, err = c.AllToAll(ctx, numbers); err != nil {
		return nil, Found{}, err
	}
	// In the order of their numbers, own points among them.
	own := rowsFrom(0, f.points.Len())
	rows[c.Rank()] = stored.AppendRows(nil, own)
	var all []int32
	first := 0
	for r := range c.Size() {
		if r != c.Rank() {
			all = append(all, comm.Of[int32](numbers[r])...)
			continue
		}
		first = len(all)
		for _, i := range own {
			all = append(all, int32(f.first+i))
		}
	}
	together := scaling.Apply(points.FromRows(stored, rows...))
	nb, found, err := Find(ctx, together, f.k, f.metric, search)
	if err != nil {
		return nil, found, err
	}
	mine := &Neighbours{K: f.k, Index: slices.Clone(nb.Index[first*f.k : (first+len(own))*f.k]), Distance: slices.Clone(nb.Distance[first*f.k : (first+len(own))*f.k])}
	for a, j := range mine.Index {
		mine.Index[a] = all[j]
	}
	var order []int32
	for _, i := range found.Order {
		if at := int(i) - first; at >= 0 && at < len(own) {
			order = append(order, int32(at))
		}
	}
	found.Order = order
	return mine, found, nil
}

// recall returns the mean share of the neighbours of the tested points that were found,
// equally distant ones being as good, and its standard error.
func (f *finding) recall(ctx context.Context, t *tested, nb *Neighbours) (mean, deviation float64, err error) {
	sums := make([]float64, 2)
	limit := t.near.farthest()
	for q, i := range t.points {
		if f.shares.Owner(i) != f.ranks.Rank() {
			continue
		}
		_, distance := nb.Of(i - f.first)
		found := 0.0
		for _, v := range distance {
			if v <= limit[q]*(1+1e-12) {
				found += 1 / float64(f.k)
			}
		}
		sums[0] += found
		sums[1] += found * found
	}
	if err := f.ranks.Sum(ctx, sums); err != nil {
		return 0, 0, err
	}
	n := float64(len(t.points))
	mean = sums[0] / n
	return mean, math.Sqrt(max(sums[1]/n-mean*mean, 0) / (n - 1)), nil
}

// FindTogether is [Find] of ranks that all have the points: each finds the neighbours of
// those that a deal gives it, and rank 0 returns those of all; others return nil.
func FindTogether(ctx context.Context, c *comm.Comm, all *points.Points, k int, metric Metric, search Search) (*Neighbours, Found, error) {
	rows := rowsFrom(all.Len()*c.Rank()/c.Size(), all.Len()*(c.Rank()+1)/c.Size())
	deal, err := NewDeal(ctx, c, all.Slice(rows[0], rows[len(rows)-1]+1), search.Seed)
	if err != nil {
		return nil, Found{}, err
	}
	to := make([][]byte, c.Size())
	for r, dealt := range deal.To {
		named := make([]int, len(dealt))
		for a, i := range dealt {
			named[a] = rows[i]
		}
		to[r] = comm.Bytes(named)
	}
	parts, err := c.AllToAll(ctx, to)
	if err != nil {
		return nil, Found{}, err
	}
	var own []int
	for _, part := range parts {
		own = append(own, comm.Of[int](part)...)
	}
	shares, err := c.Shares(ctx, len(own))
	if err != nil {
		return nil, Found{}, err
	}
	nb, found, err := FindShare(ctx, c, shares, deal, all.Subset(own), k, metric, search)
	if err != nil {
		return nil, Found{}, err
	}
	found.Order = nil
	return gathered(ctx, c, own, nb, found)
}

// gathered returns, on rank 0, the neighbours of all points by their rows.
func gathered(ctx context.Context, c *comm.Comm, own []int, nb *Neighbours, found Found) (*Neighbours, Found, error) {
	var parts [3][][]byte
	for a, bytes := range [][]byte{comm.Bytes(own), comm.Bytes(nb.Index), comm.Bytes(nb.Distance)} {
		send := make([][]byte, c.Size())
		send[0] = bytes
		var err error
		if parts[a], err = c.AllToAll(ctx, send); err != nil {
			return nil, Found{}, err
		}
	}
	if c.Rank() > 0 {
		return nil, Found{}, nil
	}
	var rows []int
	for _, part := range parts[0] {
		rows = append(rows, comm.Of[int](part)...)
	}
	all := &Neighbours{K: nb.K, Index: make([]int32, len(rows)*nb.K), Distance: make([]float64, len(rows)*nb.K)}
	at := 0
	for r := range c.Size() {
		index, distance := comm.Of[int32](parts[1][r]), comm.Of[float64](parts[2][r])
		for a := 0; a < len(index); a += nb.K {
			to := rows[at] * nb.K
			at++
			copy(all.Distance[to:], distance[a:a+nb.K])
			for b, number := range index[a : a+nb.K] {
				all.Index[to+b] = int32(rows[number])
			}
		}
	}
	return all, found, nil
}
