package dataset

import "math"

// Part is one of so many parts of a data set, of about as many rows each: that which one
// of several ranks reads. The zero value is all of it.
type Part struct{ Rank, Of int }

// Whole reports whether the part is all rows.
func (p Part) Whole() bool { return p.Of <= 1 }

// Range returns the rows of the part where their number n is known before they are read:
// those from n·Rank/Of to n·(Rank+1)/Of, which follow one another.
func (p Part) Range(n int) Own {
	if p.Whole() {
		return Own{}
	}
	return Own{from: n * p.Rank / p.Of, to: n * (p.Rank + 1) / p.Of, step: 1}
}

// Dealt returns the rows of the part where nobody knows how many there are before they are
// read: all parts get one in turn.
func (p Part) Dealt() Own {
	if p.Whole() {
		return Own{}
	}
	return Own{from: p.Rank, to: math.MaxInt, step: p.Of}
}

// Own says which rows of a data set, counted from 0, are kept of those that are read. The
// zero value keeps all.
type Own struct{ from, to, step int } // from, from+step, …, below to; all where step is 0

// All reports whether all rows are kept.
func (o Own) All() bool { return o.step == 0 }

// Has reports whether a row is kept.
func (o Own) Has(row int) bool {
	return o.step == 0 || row >= o.from && row < o.to && (row-o.from)%o.step == 0
}

// Row returns which row the k-th is that is kept.
func (o Own) Row(k int) int {
	if o.step == 0 {
		return k
	}
	return o.from + k*o.step
}

// Between returns the rows of n, from ≤ row < to, outside of which none is kept.
func (o Own) Between(n int) (from, to int) {
	if o.step == 0 {
		return 0, n
	}
	return min(o.from, n), min(o.to, n)
}

// Of returns the rows of n that are kept, ascending.
func (o Own) Of(n int) []int {
	var rows []int
	from, to := o.Between(n)
	for row := from; row < to; row += max(o.step, 1) {
		rows = append(rows, row)
	}
	return rows
}

// Rows returns which rows of all those of d are: 0, 1, … unless it is a part or a selection.
func (d *Dataset) Rows() []int {
	if d.Column == nil {
		return Own{}.Of(len(d.Y))
	}
	return d.Column
}

// Part returns the rows of a part of a data set that has been read whole.
func (d *Dataset) Part(p Part) *Dataset {
	n := len(d.Y)
	s := d.Subset(p.Range(n).Of(n))
	s.Total = n
	return s
}
