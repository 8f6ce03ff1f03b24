package store

// places maps the rows of the store, numbered by id from 1, to rows of the data.
type places struct {
	names  []string // by id − 1
	hashes []string
	rows   []int       // in the data, NoRow for none
	ids    map[int]int // of the rows in the data
}

func newPlaces() *places { return &places{ids: map[int]int{}} }

// add gives a row of the data the next id.
func (p *places) add(row int, hash, name string) int {
	p.names, p.hashes, p.rows = append(p.names, name), append(p.hashes, hash), append(p.rows, row)
	id := len(p.rows)
	if row != NoRow {
		p.ids[row] = id
	}
	return id
}

// cut removes all ids after length.
func (p *places) cut(length int) {
	for _, row := range p.rows[length:] {
		delete(p.ids, row)
	}
	p.names, p.hashes, p.rows = p.names[:length], p.hashes[:length], p.rows[:length]
}

// id returns the id of a row of the data, 0 where nothing was ever said of it.
func (p *places) id(row int) int { return p.ids[row] }

// row returns the row of the data, NoRow where its contents are gone.
func (p *places) row(id int) int {
	if id < 1 || id > len(p.rows) {
		return NoRow
	}
	return p.rows[id-1]
}

// Drift is the difference between the data and those of the last time the store
// was open.
type Drift struct {
	Moved []string // rows of the store that are elsewhere now, with their labels
	Gone  []string // those whose contents are no longer there
	Back  []string // those whose contents had been gone
}

// Any reports whether there is a difference.
func (d *Drift) Any() bool { return len(d.Moved)+len(d.Gone)+len(d.Back) > 0 }

// settle finds the rows of the store in the data by their contents: at the old
// place, else at another row of equal contents that no other row of the store has
// taken.
func (p *places) settle(hashes []string) Drift {
	var d Drift
	before := p.rows
	p.rows, p.ids = make([]int, len(before)), make(map[int]int, len(before))
	missing := 0
	for k, row := range before {
		p.rows[k] = NoRow
		if row != NoRow && row < len(hashes) && hashes[row] == p.hashes[k] {
			p.rows[k], p.ids[row] = row, k+1
			continue
		}
		missing++
	}
	if missing == 0 {
		return d
	}
	wanted := make(map[string][]int) // hash → rows that have it, in order
	for k, row := range p.rows {
		if row == NoRow {
			wanted[p.hashes[k]] = nil
		}
	}
	for row, hash := range hashes {
		if all, is := wanted[hash]; is && p.ids[row] == 0 {
			wanted[hash] = append(all, row)
		}
	}
	for k, row := range p.rows {
		if row != NoRow {
			continue
		}
		free := wanted[p.hashes[k]]
		switch {
		case len(free) > 0:
			wanted[p.hashes[k]] = free[1:]
			p.rows[k], p.ids[free[0]] = free[0], k+1
			if before[k] == NoRow {
				d.Back = append(d.Back, p.names[k])
			} else {
				d.Moved = append(d.Moved, p.names[k])
			}
		case before[k] != NoRow:
			d.Gone = append(d.Gone, p.names[k])
		}
	}
	return d
}

// called returns the name of a row of the store, for people.
func (p *places) called(id int) string {
	if id < 1 || id > len(p.names) {
		return "?"
	}
	return p.names[id-1]
}
