package neighbours

import (
	"context"
	"slices"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// guests is points of other ranks that are in own lists, in the order of their numbers.
type guests struct {
	rows   [][]byte // by rank, as they are stored
	number []int32
	before int             // how many are of lower ranks
	at     map[int32]int32 // which has a name
}

// fetch returns the points of other ranks that have some of these names, given once or
// more. It fails when ctx is done.
func (f *finder) fetch(ctx context.Context, names []int32) (*guests, error) {
	c, g := f.ranks, &guests{}
	if c.Alone() {
		return g, ctx.Err()
	}
	slices.Sort(names)
	names = slices.Compact(names)
	wanted := make([][]byte, c.Size())
	for r := range wanted {
		from, to := f.shares.Range(r)
		first, _ := slices.BinarySearch(names, int32(from))
		last, _ := slices.BinarySearch(names, int32(to))
		if r != c.Rank() {
			wanted[r] = comm.Bytes(names[first:last])
		}
	}
	wanted, err := c.AllToAll(ctx, wanted)
	if err != nil {
		return nil, err
	}
	rows, said := make([][]byte, c.Size()), make([][]byte, c.Size())
	for r, bytes := range wanted {
		places := comm.Numbers[int32](bytes)
		for v := range places {
			places[v] -= f.first
		}
		slices.SortFunc(places, func(a, b int32) int { return int(f.row[a] - f.row[b]) })
		of, named := make([]int, len(places)), make([]int32, 0, 2*len(places))
		for v, place := range places {
			of[v] = int(f.row[place])
			named = append(named, f.nameOf(place), f.asked.numberOf(f.row[place]))
		}
		rows[r], said[r] = f.stored.AppendRows(nil, of), comm.Bytes(named)
	}
	if g.rows, err = c.AllToAll(ctx, rows); err != nil {
		return nil, err
	}
	if said, err = c.AllToAll(ctx, said); err != nil {
		return nil, err
	}
	g.at = make(map[int32]int32, len(names))
	for r, bytes := range said {
		if r == c.Rank() {
			g.before = len(g.number)
		}
		named := comm.Numbers[int32](bytes)
		for k := 0; k < len(named); k += 2 {
			g.at[named[k]] = int32(len(g.number))
			g.number = append(g.number, named[k+1])
		}
	}
	return g, nil
}

// appendOthers appends those of some names that are of other ranks.
func (f *finder) appendOthers(to, names []int32) []int32 {
	for _, name := range names {
		if _, own := f.placeOf(name); !own {
			to = append(to, name)
		}
	}
	return to
}

// rankTable is the own points and all that are in their lists, in the order of their numbers.
type rankTable struct {
	*finder
	*guests
	points *points.Points
}

// rankTable returns the table by which lists are ranked; in one process it is that of its points.
func (f *finder) rankTable(ctx context.Context) (*rankTable, error) {
	t := &rankTable{f, nil, f.points}
	var away []int32
	var scratch []int32
	for place := range f.row {
		scratch = f.lists.points(scratch[:0], place)
		away = f.appendOthers(away, scratch)
	}
	var err error
	if t.guests, err = f.fetch(ctx, away); err != nil || f.ranks.Alone() {
		return t, err
	}
	own := make([]int, len(f.row))
	for row := range own {
		own[row] = row
	}
	t.rows[f.ranks.Rank()] = f.stored.AppendRows(nil, own)
	t.points = f.scaling.Apply(points.FromRows(f.stored, t.rows...))
	t.rows = nil
	return t, ctx.Err()
}

// rowOf returns the row that has a name.
func (t *rankTable) rowOf(name int32) int32 {
	if place, own := t.placeOf(name); own {
		return int32(t.before) + t.row[place]
	}
	row := t.at[name]
	if int(row) >= t.before {
		row += int32(len(t.row))
	}
	return row
}

// numberOf returns the number of a row.
func (t *rankTable) numberOf(row int32) int32 {
	switch own := row - int32(t.before); {
	case own < 0:
		return t.number[row]
	case int(own) < len(t.row):
		return t.asked.numberOf(own)
	default:
		return t.number[int(row)-len(t.row)]
	}
}
