package neighbours

import (
	"context"
	"slices"

	"lapsvm/internal/ranks/comm"
	"lapsvm/points"
)

// guests is a table of points of other ranks that are in local lists, in the order of their numbers.
type guests struct {
	packed [][]byte     // by rank, as they are stored
	number []Number     // of every row
	before int          // how many are of lower ranks
	at     map[ID]int32 // the row of each
}

// fetch returns the points of other ranks that have some of these IDs, given once or more. It fails
// when ctx is done.
func (f *finder) fetch(ctx context.Context, ids []ID) (*guests, error) {
	c, g := f.ranks, &guests{}
	if c.Alone() {
		return g, ctx.Err()
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	wanted := make([][]byte, c.Size())
	for r := range wanted {
		from, to := f.partition.Range(r)
		first, _ := slices.BinarySearch(ids, ID(from))
		last, _ := slices.BinarySearch(ids, ID(to))
		if r != c.Rank() {
			wanted[r] = comm.Bytes(ids[first:last])
		}
	}
	wanted, err := c.AllToAll(ctx, wanted)
	if err != nil {
		return nil, err
	}
	packed, numbered := make([][]byte, c.Size()), make([][]byte, c.Size())
	for r, bytes := range wanted {
		local := comm.Numbers[ID](bytes)
		slices.SortFunc(local, func(a, b ID) int { return int(f.localRow(a) - f.localRow(b)) })
		rows, pairs := make([]int, len(local)), make([]int32, 0, 2*len(local))
		for v, id := range local {
			row := f.localRow(id)
			rows[v] = int(row)
			pairs = append(pairs, int32(id), int32(f.asked.numberOf(row)))
		}
		packed[r], numbered[r] = f.stored.AppendRows(nil, rows), comm.Bytes(pairs)
	}
	if g.packed, err = c.AllToAll(ctx, packed); err != nil {
		return nil, err
	}
	if numbered, err = c.AllToAll(ctx, numbered); err != nil {
		return nil, err
	}
	g.at = make(map[ID]int32, len(ids))
	for r, bytes := range numbered {
		if r == c.Rank() {
			g.before = len(g.number)
		}
		pairs := comm.Numbers[int32](bytes)
		for k := 0; k < len(pairs); k += 2 {
			g.at[ID(pairs[k])] = int32(len(g.number))
			g.number = append(g.number, Number(pairs[k+1]))
		}
	}
	return g, nil
}

// localRow returns the row of a local point.
func (f *finder) localRow(id ID) int32 {
	place, _ := f.placeOf(id)
	return f.rowOf(place)
}

// appendOthers appends those of some IDs that are of other ranks.
func (f *finder) appendOthers(to, ids []ID) []ID {
	for _, id := range ids {
		if _, local := f.placeOf(id); !local {
			to = append(to, id)
		}
	}
	return to
}

// rankTable is a table of the local points and all that are in their lists, in the order of their
// numbers.
type rankTable struct {
	*finder
	*guests
	points *points.Points
}

// rankTable returns the table by which lists are ranked; in one process it is that of its points.
func (f *finder) rankTable(ctx context.Context) (*rankTable, error) {
	t := &rankTable{f, nil, f.points}
	var away, scratch []ID
	for place := range Place(f.count()) {
		scratch = f.lists.append(scratch[:0], place)
		away = f.appendOthers(away, scratch)
	}
	var err error
	if t.guests, err = f.fetch(ctx, away); err != nil || f.ranks.Alone() {
		return t, err
	}
	rows := make([]int, f.count())
	for row := range rows {
		rows[row] = row
	}
	t.packed[f.ranks.Rank()] = f.stored.AppendRows(nil, rows)
	t.points = f.scaling.Apply(points.FromRows(f.stored, t.packed...))
	t.packed = nil
	return t, ctx.Err()
}

// rowOf returns the row of a point in the table.
func (t *rankTable) rowOf(id ID) int32 {
	if _, local := t.placeOf(id); local {
		return int32(t.before) + t.localRow(id)
	}
	row := t.at[id]
	if int(row) >= t.before {
		row += int32(t.count())
	}
	return row
}

// numberOf returns the number of a row of the table.
func (t *rankTable) numberOf(row int32) Number {
	switch local := row - int32(t.before); {
	case local < 0:
		return t.number[row]
	case int(local) < t.count():
		return t.asked.numberOf(local)
	default:
		return t.number[int(row)-t.count()]
	}
}
