package neighbours

import (
	"context"
	"math"
	"slices"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// find sets the IDs of the neighbours of the sampled points, and has all ranks know in which cells
// these and they are.
func (f *finder) find(ctx context.Context) error {
	s := f.sample
	place := make([]Place, f.count()) // of every row
	for at, row := range f.rows {
		place[row] = Place(at)
	}
	for _, row := range s.rows {
		s.places = append(s.places, place[row])
	}
	s.ids = make([]ID, len(s.near))
	for c, row := range s.near {
		s.ids[c] = f.idOf(place[row])
	}
	if err := s.merge(ctx, f.ranks, f.k); err != nil {
		return err
	}
	cells := make([]float64, len(s.limit)+len(s.ids))
	for q, at := range s.places {
		cells[s.first+q] = float64(f.cells.global(f.cells.cellOf(at)))
	}
	for c, id := range s.ids {
		if at, local := f.placeOf(id); local {
			cells[len(s.limit)+c] = float64(f.cells.global(f.cells.cellOf(at)))
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
	near, err := ranks.Gather(ctx, comm.Bytes(s.ids))
	if err != nil {
		return err
	}
	distances, err := ranks.Gather(ctx, comm.Bytes(s.squared))
	if err != nil {
		return err
	}
	all := newLists[int, ID](len(s.limit), k)
	for r, bytes := range near {
		ids, squared := comm.Numbers[ID](bytes), comm.Numbers[float64](distances[r])
		for c, id := range ids {
			all.offer(c/k, id, squared[c])
		}
	}
	for q := range s.limit {
		s.limit[q] = all.limit(q)
		copy(s.ids[q*k:], all.append(nil, q))
	}
	return nil
}

// placeOf returns the place of a point, if it is local.
func (f *finder) placeOf(id ID) (place Place, local bool) {
	place = Place(id - f.first)
	return place, place >= 0 && int(place) < f.count()
}

// needed returns which part of their reach points have to look, to find a share of the
// neighbours of the sample.
func (f *finder) needed(ctx context.Context, share float64) (float64, error) {
	s := f.sample
	least := make([]float64, len(s.ids)) // the negatives of the parts
	for c, id := range s.ids {
		least[c] = math.Inf(-1)
		a, b := int(s.cell[c/f.k]), int(s.cells[c])
		look := func(place Place, from, into int) {
			if part := f.cells.beyond(f.cells.sketchOf(place), from, into) / f.reach(place); part >= 0 {
				least[c] = max(least[c], -part)
			} else { // 0/0: of equal points
				least[c] = 0
			}
		}
		if q := c/f.k - s.first; q >= 0 && q < len(s.places) {
			look(s.places[q], a, b)
		}
		if at, local := f.placeOf(id); local {
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
	place   Place
	ids     []ID
	squared []float64 // direct distances
	sketch  func(ID) []float32
}

// sampled returns the lists of the local sampled points.
func (f *finder) sampled(ctx context.Context) ([]listed, error) {
	var away []ID
	all := make([]listed, len(f.sample.places))
	for q, place := range f.sample.places {
		all[q] = listed{place: place, ids: f.lists.append(nil, place)}
		away = f.appendOthers(away, all[q].ids)
	}
	g, err := f.fetch(ctx, away)
	if err != nil {
		return nil, err
	}
	var p *points.Points
	var sketches []float32
	if len(g.number) > 0 {
		p = f.scaling.Apply(points.FromRows(f.stored, g.packed...))
		if sketches, err = f.basis.Sketches(ctx, p); err != nil {
			return nil, err
		}
	}
	for q := range all {
		l := &all[q]
		l.squared = make([]float64, len(l.ids))
		l.sketch = func(id ID) []float32 {
			if at, local := f.placeOf(id); local {
				return f.cells.sketchOf(at)
			}
			return sketches[int(g.at[id])*f.width:][:f.width]
		}
		itself := []int32{f.rowOf(l.place)}
		for c, id := range l.ids {
			if at, local := f.placeOf(id); local {
				f.asked.squaredDistances(l.squared[c:c+1], f.points, int(f.rowOf(at)), itself)
			} else {
				f.asked.squaredDistances(l.squared[c:c+1], p, int(g.at[id]), itself)
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
