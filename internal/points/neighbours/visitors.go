package neighbours

import (
	"context"
	"sync"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// visit sends the visitors of every rank to the rank a round after it, and brings them back.
// Visitors are places that look into cells of the other rank. They travel with their lists, and
// return with what they found. So every pair is compared on the rank of the cell looked into, as in
// one process, and a rank hosts the visitors of one other rank at a time. It fails when ctx is
// done.
func (f *finder) visit(ctx context.Context, p *probes, round int) error {
	c := f.ranks
	to, from := (c.Rank()+round)%c.Size(), (c.Rank()-round+c.Size())%c.Size()
	places, into := f.visitors(p, to)
	leaving := f.lists.some(places)
	guests, err := f.host(ctx, to, from, places, into, leaving)
	if err != nil {
		return err
	}
	if leaving.entry, err = swapped(ctx, c, from, to, guests.entry); err != nil {
		return err
	}
	if leaving.distance, err = swapped(ctx, c, from, to, guests.distance); err != nil {
		return err
	}
	for v, place := range places {
		for k, id := range leaving.entries(Place(v)) {
			if id != none {
				f.lists.offer(place, id, leaving.distance[v*leaving.length+k])
			}
		}
	}
	return nil
}

// visitors returns the places that look into cells of a rank, ascending. For each of these cells it
// also returns the number of these places, and which they are.
func (f *finder) visitors(p *probes, rank int) (places []Place, into []int32) {
	first, last := f.cells.partition.Range(rank)
	visitor := make([]int32, f.count()) // of every place: which of the places it is
	for a := range p.cell {
		from, to := p.among(a, first, last)
		for _, place := range p.place[a][p.start[a][from]:p.start[a][to]] {
			visitor[place] = 1
		}
	}
	for place, looks := range visitor {
		if looks > 0 {
			visitor[place] = int32(len(places))
			places = append(places, Place(place))
		}
	}
	for b, cells := range p.into(first, last) {
		at := len(into)
		into = append(into, 0)
		for _, a := range cells {
			for _, place := range p.looking(int(a), first+b) {
				into = append(into, visitor[place])
			}
		}
		into[at] = int32(len(into) - at - 1)
	}
	return places, into
}

// visitorsPerLock is how many visitors have one lock.
const visitorsPerLock = 64

// host sends local places to one rank, has those of another look into local cells, and returns their
// lists.
func (f *finder) host(ctx context.Context, to, from int, places []Place, into []int32, l *lists[Place, ID]) (*lists[Place, ID], error) {
	c := f.ranks
	rows, ids := make([]int, len(places)), make([]ID, len(places))
	for v, place := range places {
		rows[v], ids[v] = int(f.rowOf(place)), f.idOf(place)
	}
	send := make([][]byte, c.Size())
	send[to] = f.stored.AppendRows(nil, rows)
	features, err := c.AllToAll(ctx, send)
	if err != nil {
		return nil, err
	}
	if ids, err = swapped(ctx, c, to, from, ids); err != nil {
		return nil, err
	}
	if into, err = swapped(ctx, c, to, from, into); err != nil {
		return nil, err
	}
	theirs := &lists[Place, ID]{length: l.length}
	if theirs.entry, err = swapped(ctx, c, to, from, l.entry); err != nil {
		return nil, err
	}
	if theirs.distance, err = swapped(ctx, c, to, from, l.distance); err != nil || len(ids) == 0 {
		return theirs, err
	}
	q, err := f.newQueries(ctx, f.scaling.Apply(points.FromRows(f.stored, features[from])), ids, theirs)
	if err != nil {
		return nil, err
	}
	lookers := make([][]int32, f.cells.count())
	for b := range lookers {
		lookers[b], into = into[1:1+into[0]], into[1+into[0]:]
	}
	return theirs, f.compareAll(ctx, q, func(to []looker, b int) []looker {
		for _, v := range lookers[b] {
			to = append(to, looker{Place(v), v / visitorsPerLock})
		}
		return to
	})
}

// newQueries returns visitors as they look into local cells.
func (f *finder) newQueries(ctx context.Context, p *points.Points, ids []ID, l *lists[Place, ID]) (*queries, error) {
	n := p.Len()
	q := &queries{points: p, ids: ids, lists: l, rows: make([]int32, n), width: f.width, locks: make([]sync.Mutex, n/visitorsPerLock+1)}
	for v := range q.rows {
		q.rows[v] = int32(v)
	}
	var err error
	if f.byRows {
		q.table = f.table.of(p)
	} else if q.sketch, err = f.basis.Sketches(ctx, p); err != nil {
		return nil, err
	}
	if f.direct {
		q.limits = make([]float32, n)
		f.setLimits(q)
	}
	return q, f.setSquares(ctx, q)
}

// swapped sends values to one rank and returns those that another sends to this one.
func swapped[T comm.Number](ctx context.Context, c *comm.Comm, to, from int, values []T) ([]T, error) {
	send := make([][]byte, c.Size())
	send[to] = comm.Bytes(values)
	all, err := c.AllToAll(ctx, send)
	if err != nil {
		return nil, err
	}
	return comm.Numbers[T](all[from]), nil
}
