package neighbours

import (
	"context"
	"sync"

	"lapsvm/internal/points/tiles"
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
		for k, name := range leaving.of(v) {
			if name != none {
				f.lists.offer(int(place), int32(name), leaving.distance[v*leaving.length+k])
			}
		}
	}
	return nil
}

// visitors returns the places that look into cells of a rank, ascending. For each of these cells it
// also returns the number of these places, and which they are.
func (f *finder) visitors(p *probes, rank int) (places, into []int32) {
	first, last := f.cells.shares.Range(rank)
	number := make([]int32, len(f.row)) // of the visitors
	for a := range p.cell {
		from, to := p.among(a, first, last)
		for _, place := range p.place[a][p.start[a][from]:p.start[a][to]] {
			number[place] = 1
		}
	}
	for place, looks := range number {
		if looks > 0 {
			number[place] = int32(len(places))
			places = append(places, int32(place))
		}
	}
	for b, cells := range p.into(first, last) {
		at := len(into)
		into = append(into, 0)
		for _, a := range cells {
			for _, place := range p.of(int(a), first+b) {
				into = append(into, number[place])
			}
		}
		into[at] = int32(len(into) - at - 1)
	}
	return places, into
}

// visitorsPerLock is how many visitors have one lock.
const visitorsPerLock = 64

// host sends own places to one rank, has those of another look into own cells, and returns their
// lists.
func (f *finder) host(ctx context.Context, to, from int, places, into []int32, l *lists) (*lists, error) {
	c := f.ranks
	rows, names := make([]int, len(places)), make([]int32, len(places))
	for v, place := range places {
		rows[v], names[v] = int(f.row[place]), f.nameOf(place)
	}
	send := make([][]byte, c.Size())
	send[to] = f.stored.AppendRows(nil, rows)
	features, err := c.AllToAll(ctx, send)
	if err != nil {
		return nil, err
	}
	if names, err = swapped(ctx, c, to, from, names); err != nil {
		return nil, err
	}
	if into, err = swapped(ctx, c, to, from, into); err != nil {
		return nil, err
	}
	theirs := &lists{length: l.length}
	if theirs.entry, err = swapped(ctx, c, to, from, l.entry); err != nil {
		return nil, err
	}
	if theirs.distance, err = swapped(ctx, c, to, from, l.distance); err != nil || len(names) == 0 {
		return theirs, err
	}
	s, err := f.newSide(ctx, f.scaling.Apply(points.FromRows(f.stored, features[from])), names, theirs)
	if err != nil {
		return nil, err
	}
	lookers := make([][]int32, f.cells.count())
	for b := range lookers {
		lookers[b], into = into[1:1+into[0]], into[1+into[0]:]
	}
	return theirs, f.meet(ctx, s, func(to []looker, b int) []looker {
		for _, v := range lookers[b] {
			to = append(to, looker{v, v / visitorsPerLock})
		}
		return to
	})
}

// newSide returns visitors as they look into own cells.
func (f *finder) newSide(ctx context.Context, p *points.Points, names []int32, l *lists) (*side, error) {
	n := p.Len()
	s := &side{points: p, names: names, lists: l, row: make([]int32, n), width: f.width, locks: make([]sync.Mutex, n/visitorsPerLock+1)}
	for v := range s.row {
		s.row[v] = int32(v)
	}
	var err error
	if f.bytes != nil {
		s.bytes = tiles.NewBytes(p)
	} else if s.sketch, err = f.basis.Sketches(ctx, p); err != nil {
		return nil, err
	}
	if f.direct {
		s.limits = make([]float32, n)
		f.setLimits(s)
	}
	return s, f.setSquares(ctx, s)
}

// some returns a copy of the lists of some points.
func (l *lists) some(points []int32) *lists {
	s := &lists{length: l.length}
	for _, i := range points {
		from, to := int(i)*l.length, int(i+1)*l.length
		s.entry, s.distance = append(s.entry, l.entry[from:to]...), append(s.distance, l.distance[from:to]...)
	}
	return s
}

// swapped gives numbers to one rank and returns those that another gives to this one.
func swapped[T comm.Number](ctx context.Context, c *comm.Comm, to, from int, give []T) ([]T, error) {
	send := make([][]byte, c.Size())
	send[to] = comm.Bytes(give)
	all, err := c.AllToAll(ctx, send)
	if err != nil {
		return nil, err
	}
	return comm.Numbers[T](all[from]), nil
}
