package neighbours

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// find names the neighbours of the sampled points, and tells all ranks in which cells these
// and they are.
func (f *finder) find(ctx context.Context) error {
	s := f.sample
	place := make([]int32, len(f.row))
	for at, row := range f.row {
		place[row] = int32(at)
	}
	for _, row := range s.rows {
		s.places = append(s.places, place[row])
	}
	for c, row := range s.near {
		s.near[c] = f.nameOf(place[row])
	}
	if err := s.merge(ctx, f.ranks, f.k); err != nil {
		return err
	}
	cells := make([]float64, len(s.limit)+len(s.near))
	for q, at := range s.places {
		cells[s.first+q] = float64(f.cells.own + f.cells.cellOf(int(at)))
	}
	for c, name := range s.near {
		if at, own := f.placeOf(name); own {
			cells[len(s.limit)+c] = float64(f.cells.own + f.cells.cellOf(at))
		}
	}
	if err := f.ranks.Sum(ctx, cells); err != nil {
		return err
	}
	for c, cell := range cells {
		if c < len(s.limit) {
			s.cell = append(s.cell, int32(cell))
		} else {
			s.cells = append(s.cells, int32(cell))
		}
	}
	return nil
}

// merge makes of the neighbours among the points of each rank those among all.
func (s *sample) merge(ctx context.Context, ranks *comm.Comm, k int) error {
	if ranks.Alone() {
		return ctx.Err()
	}
	near, err := ranks.Gather(ctx, comm.Bytes(s.near))
	if err != nil {
		return err
	}
	far, err := ranks.Gather(ctx, comm.Bytes(s.far))
	if err != nil {
		return err
	}
	all := newLists(len(s.limit), k)
	for r, bytes := range near {
		names, squared := comm.Numbers[int32](bytes), comm.Numbers[float64](far[r])
		for c, name := range names {
			all.offer(c/k, name, squared[c])
		}
	}
	for q := range s.limit {
		s.limit[q] = all.limit(q)
		copy(s.near[q*k:], all.points(nil, q))
	}
	return nil
}

// placeOf returns the place that has a name, if it is one of this rank.
func (f *finder) placeOf(name int32) (place int, own bool) {
	place = int(name - f.first)
	return place, place >= 0 && place < len(f.row)
}

// needed returns which part of their reach points have to look, to find a share of the
// neighbours of the sample.
func (f *finder) needed(ctx context.Context, share float64) (float64, error) {
	s := f.sample
	least := make([]float64, len(s.near)) // the negatives of the parts
	for c, name := range s.near {
		least[c] = math.Inf(-1)
		a, b := int(s.cell[c/f.k]), int(s.cells[c])
		look := func(place, from, into int) {
			if part := f.cells.beyond(f.cells.of(place), from, into) / f.reach(place); part >= 0 {
				least[c] = max(least[c], -part)
			} else { // 0/0: of equal points
				least[c] = 0
			}
		}
		if q := c/f.k - s.first; q >= 0 && q < len(s.places) {
			look(int(s.places[q]), a, b)
		}
		if at, own := f.placeOf(name); own {
			look(at, b, a)
		}
	}
	if err := f.ranks.Max(ctx, least); err != nil {
		return 0, err
	}
	slices.Sort(least)
	at := min(int(share*float64(len(least))), len(least)-1)
	return -least[len(least)-1-at] * (1 + 1e-6), nil
}

// listed is what the list of a sampled point of this rank has.
type listed struct {
	place   int
	names   []int32
	squared []float64 // direct distances
	sketch  func(name int) []float32
}

// sampled returns the lists of the own sampled points.
func (f *finder) sampled(ctx context.Context) ([]listed, error) {
	var away []int32
	all := make([]listed, len(f.sample.places))
	for q, place := range f.sample.places {
		all[q] = listed{place: int(place), names: f.lists.points(nil, int(place))}
		away = f.appendOthers(away, all[q].names)
	}
	g, err := f.fetch(ctx, away)
	if err != nil {
		return nil, err
	}
	var p *points.Points
	var sketches []float32
	if len(g.number) > 0 {
		p = f.scaling.Apply(points.FromRows(f.stored, g.rows...))
		if sketches, err = f.basis.Sketches(ctx, p); err != nil {
			return nil, err
		}
	}
	for q := range all {
		l := &all[q]
		l.squared = make([]float64, len(l.names))
		l.sketch = func(name int) []float32 {
			if at, own := f.placeOf(int32(name)); own {
				return f.cells.of(at)
			}
			return sketches[int(g.at[int32(name)])*f.width:][:f.width]
		}
		itself := []int32{f.row[l.place]}
		for c, name := range l.names {
			if at, own := f.placeOf(name); own {
				f.asked.squaredDistances(l.squared[c:c+1], f.points, int(f.row[at]), itself)
			} else {
				f.asked.squaredDistances(l.squared[c:c+1], p, int(g.at[name]), itself)
			}
		}
	}
	return all, nil
}

// recall returns the mean share of the k exact neighbours of the sampled points that
// the lists hold, equally distant ones being as good, and its standard error.
func (f *finder) recall(ctx context.Context, sampled []listed) (mean, deviation float64, err error) {
	shares := make([]float64, len(sampled))
	for q, l := range sampled {
		found := 0
		for _, squared := range l.squared {
			if squared <= f.sample.limit[f.sample.first+q]*(1+sameDistance) {
				found++
			}
		}
		shares[q] = float64(min(found, f.k)) / float64(f.k)
	}
	m := momentsOf(shares)
	if err := f.ranks.Sum(ctx, m[:]); err != nil {
		return 0, 0, err
	}
	mean, deviation = m.mean()
	return mean, deviation, nil
}
