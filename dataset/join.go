package dataset

import (
	"slices"

	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/sparse"
	"lapsvm/points"
)

// Join returns the rows of data sets one after another, with the classes of all. The parts are of
// features alone, or read with the same encoding; names[k] is the file of part k. Indices in
// Column, Missing and Unseen continue from part to part. The result is dense where all parts are;
// else it has the columns of the widest part. A part that differs from the first in columns,
// storage or names of kept columns is an [*Error] with its file. Cost: a copy of the points.
func Join(parts []*Dataset, names []string) (*Dataset, error) {
	first := parts[0]
	joined := *first
	joined.Y, joined.Column, joined.Unseen, joined.Notes, joined.Edges, joined.Total = nil, nil, nil, nil, Edges{}, 0
	dense := !slices.ContainsFunc(parts, func(d *Dataset) bool { return d.Points.Sparse() })
	classes := classPlacesOf(nil)
	all := 0 // rows of the parts so far
	for k, d := range parts {
		if problem := first.unlike(d, dense); problem.Error() != "" {
			return nil, &Error{File: names[k], Msg: Messagef("%s, unlike those of %s before it; give files of the same columns", problem, names[0])}
		}
		position := make([]int, len(d.Classes))
		for c, name := range d.Classes {
			position[c] = classes.add(name)
		}
		y := slices.Clone(d.Y)
		renumberAll(y, position)
		joined.Y = append(joined.Y, y...)
		for _, row := range d.Rows() {
			joined.Column = append(joined.Column, all+row)
		}
		all += d.OfAll()
		joined.Total = max(joined.Total, d.Total)
		if d.Image != joined.Image {
			joined.Image = Image{}
		}
		for _, n := range d.Notes {
			if !slices.ContainsFunc(joined.Notes, func(m Note) bool { return m.Error() == n.Error() }) {
				joined.Notes = append(joined.Notes, n)
			}
		}
		joined.addUnseen(d.Unseen)
	}
	if joined.Total > 0 {
		joined.Total = all
	} else {
		joined.Column = nil
	}
	var at []int
	joined.Classes, at = sortClasses(classes.names)
	renumberAll(joined.Y, at)
	joined.Kept, joined.Missing = joinKept(parts), joinMissing(parts)
	joined.Points = joinPoints(parts, dense)
	return &joined, nil
}

// unlike says what keeps the rows of other from following those of d; "" where nothing does.
func (d *Dataset) unlike(other *Dataset, dense bool) Message {
	switch p, q := d.Points, other.Points; {
	case dense && p.Dim() != q.Dim():
		return Messagef("there are %s", counted(q.Dim(), "column"))
	case !slices.Equal(d.Features, other.Features):
		return Messagef("the columns are %s", quote.Names(other.Features))
	case d.Encoding != other.Encoding:
		return Messagef("the columns are encoded")
	case dense && p.Storage() != q.Storage():
		return Messagef("the values are kept as %v", q.Storage())
	case !slices.Equal(d.Kept.Names, other.Kept.Names):
		return Messagef("the columns to keep differ")
	}
	return Message{}
}

func (d *Dataset) addUnseen(more []Unseen) {
	for _, u := range more {
		k := slices.IndexFunc(d.Unseen, func(v Unseen) bool { return v.Column == u.Column })
		if k < 0 {
			d.Unseen = append(d.Unseen, u)
		} else {
			d.Unseen[k].Rows += u.Rows
		}
	}
}

func joinKept(parts []*Dataset) Kept {
	k := Kept{Names: parts[0].Kept.Names}
	for _, d := range parts {
		k.Rows = append(k.Rows, d.Kept.Rows...)
	}
	return k
}

func joinMissing(parts []*Dataset) Missing {
	m := Missing{Columns: slices.Clone(parts[0].Missing.Columns)}
	clear(m.Columns)
	for _, d := range parts {
		m.Rows += d.Missing.Rows
		for k, n := range d.Missing.Columns {
			m.Columns[k] += n
		}
	}
	return m
}

// joinPoints returns the rows of tables one after another.
func joinPoints(parts []*Dataset, dense bool) *points.Points {
	var rows sparse.Rows
	var all [][]byte
	width := 0
	for _, d := range parts {
		p := d.Points
		width = max(width, p.Dim())
		if dense {
			all = append(all, p.AppendRows(nil, Own{}.Rows(p.Len())))
			continue
		}
		for i := range p.Len() {
			sparse.Each(p, i, rows.Add)
			rows.EndRow()
		}
	}
	if dense {
		return points.FromRows(parts[0].Points, all...)
	}
	return rows.CSR(width)
}
