package dataset

// Part is the part number Rank of the given number of parts of a data set with about equal numbers of rows: the part
// that a rank reads. The zero value is the whole data set.
type Part struct{ Rank, Parts int }

// Whole reports whether the part is all rows.
func (p Part) Whole() bool { return p.Parts <= 1 }

// Range returns the rows of the part where the number n of all rows is known beforehand: the rows
// n·Rank/Parts ≤ i < n·(Rank+1)/Parts.
func (p Part) Range(n int) Own {
	if p.Whole() {
		return Own{}
	}
	return Own{n * p.Rank / p.Parts, n * (p.Rank + 1) / p.Parts, true}
}

// Own says which rows of a data set, counted from 0, are kept of those that are read: those
// from ≤ row < to. The zero value keeps all.
type Own struct {
	from, to int
	some     bool
}

// All reports whether all rows are kept.
func (o Own) All() bool { return !o.some }

// Has reports whether a row is kept.
func (o Own) Has(row int) bool { return !o.some || row >= o.from && row < o.to }

// Row returns which row the k-th is that is kept.
func (o Own) Row(k int) int { return o.from + k }

// Between returns the rows of n, from ≤ row < to, that are kept.
func (o Own) Between(n int) (from, to int) {
	if !o.some {
		return 0, n
	}
	return min(o.from, n), min(o.to, n)
}

// Rows returns the rows of n that are kept, ascending.
func (o Own) Rows(n int) []int {
	var rows []int
	from, to := o.Between(n)
	for row := from; row < to; row++ {
		rows = append(rows, row)
	}
	return rows
}

// Whole reports whether row i of d is row i of all: d is neither a part nor a selection.
func (d *Dataset) Whole() bool { return d.Column == nil }

// OfAll returns how many rows were read, of which d may have a part.
func (d *Dataset) OfAll() int { return max(d.Total, len(d.Y)) }

// Rows returns which rows of all those of d are: 0, 1, … where it is whole.
func (d *Dataset) Rows() []int {
	if d.Whole() {
		return Own{}.Rows(len(d.Y))
	}
	return d.Column
}

// Part returns the rows of a part of a data set that has been read whole.
func (d *Dataset) Part(p Part) *Dataset {
	n := len(d.Y)
	s := d.Subset(p.Range(n).Rows(n))
	s.Total = n
	return s
}
