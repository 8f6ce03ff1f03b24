package graph

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lapsvm/comm"
	"lapsvm/points"
)

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
func (f *finding) approximately(ctx context.Context, d *division, search Search) (*Neighbours, Found, error) {
	beyond, err := d.beyond(ctx, f.points)
	if err != nil {
		return nil, Found{}, err
	}
	t, err := f.test(ctx, beyond)
	if err != nil {
		return nil, Found{}, err
	}
	lost := 1 - search.Recall
	for again := 0; ; again++ {
		within := search
		within.Recall = 1 - 0.75*lost
		nb, found, err := f.amongGuests(ctx, beyond, t.reach(1-lost/8), within)
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
func (f *finding) test(ctx context.Context, beyond []float32) (*tested, error) {
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
	var found []float64
	for q := range t.points {
		part := f.shares.Owner(t.points[q])
		m.eachOf(m.visitors+q, m.own, func(j int, distance float64) {
			if number := f.first + j; number != t.points[q] {
				found = append(found, float64(q), float64(number), distance, float64(beyond[j*c.Size()+part]))
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
func (f *finding) amongGuests(ctx context.Context, beyond []float32, reach float64, search Search) (*Neighbours, Found, error) {
	c := f.ranks
	stored, scaling := f.points.AsStored()
	rows, numbers := make([][]byte, c.Size()), make([][]byte, c.Size())
	for r := range c.Size() {
		if r == c.Rank() {
			continue
		}
		var guests []int
		var named []int32
		for i := range f.points.Len() {
			if float64(beyond[i*c.Size()+r]) <= reach {
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
