package labelpage

import (
	"context"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// none returns rows like those of the content, of which there are none.
func (c *Content) none() *Content {
	return &Content{Data: c.Data.Subset(nil), Kind: c.Kind, Columns: c.Columns, Label: c.Label, Table: c.Table}
}

// grown returns content with the rows in read and, of the present rows, those in kept. It also
// returns the number of every row in read. Rows keep their numbers: a row in read with the
// contents of a present row has that row's number, wherever it is now. Other rows in read are new
// and come last. Rows with missing contents keep their numbers until the contents return. An
// error says that the columns differ.
func (c *Content) grown(ctx context.Context, read *Content, kept []int) (next *Content, at []int, err error) {
	if err := c.unlike(read); err != nil {
		return nil, nil, err
	}
	hashes, err := c.Hashes(ctx)
	if err != nil {
		return nil, nil, err
	}
	others, err := read.Hashes(ctx)
	if err != nil {
		return nil, nil, err
	}
	grown := *c
	next = &grown
	next.gone = slices.Repeat([]bool{true}, c.Len())
	for _, row := range kept {
		next.gone[row] = false
	}
	free := make(map[string][]int) // rows that may be among those read, by their contents
	for row, hash := range hashes {
		if next.gone[row] {
			free[hash] = append(free[hash], row)
		}
	}
	next.Files, next.Marks, next.Names, next.Fields = slices.Clone(c.Files), slices.Clone(c.Marks), slices.Clone(c.Names), slices.Clip(c.Fields)
	next.Table.Rows = slices.Clip(c.Table.Rows)
	var added []int
	for i, hash := range others {
		rows := free[hash]
		if len(rows) == 0 {
			at, added = append(at, c.Len()+len(added)), append(added, i)
			continue
		}
		row := rows[0]
		at, free[hash], next.gone[row] = append(at, row), rows[1:], false
		if next.Files != nil {
			next.Files[row], next.Marks[row] = read.Files[i], read.Marks[i]
		}
		if next.Names != nil {
			next.Names[row] = read.Names[i]
		}
	}
	next.hashes = slices.Clone(hashes)
	for _, i := range added {
		next.gone, next.hashes = append(next.gone, false), append(next.hashes, others[i])
		next.add(read, i)
	}
	if !slices.Contains(next.gone, true) {
		next.gone = nil
	}
	if added != nil {
		next.Data, err = joined(c.Data, read.Data.Subset(added))
	}
	return next, at, err
}

// unlike returns an error where the rows in read cannot belong to the content.
func (c *Content) unlike(read *Content) error {
	switch d, e := c.Data, read.Data; {
	case !slices.Equal(c.Columns, read.Columns), c.Label != read.Label && c.Kind != Images && read.Len() > 0:
		return fault.Errorf("the columns are %s now, and were %s: start lapsvm label anew with these data", columnsOf(read), columnsOf(c))
	case c.Kind != read.Kind:
		return fault.Errorf("its rows are of another kind now: start lapsvm label anew with these data")
	case !d.Points.Sparse() && d.Points.Dim() != e.Points.Dim():
		return fault.Errorf("there are %d columns now, and there were %d: start lapsvm label anew with these data", e.Points.Dim(), d.Points.Dim())
	}
	return nil
}

func columnsOf(c *Content) string {
	if c.Columns == nil {
		return "none"
	}
	text := strings.Join(c.Columns, ", ")
	if !c.Table.None() && c.Label >= 0 {
		text += " with the labels in " + c.Table.Names[c.Label]
	}
	return text
}

// add appends the contents of a row of read.
func (c *Content) add(read *Content, row int) {
	if c.Fields != nil {
		c.Fields = append(c.Fields, read.Fields[row])
	}
	if !c.Table.None() {
		c.Table.Rows = append(c.Table.Rows, read.Table.Rows[row])
	}
	if c.Names != nil {
		c.Names = append(c.Names, read.Called(row))
	}
	if c.Files != nil {
		c.Files, c.Marks = append(c.Files, read.Files[row]), append(c.Marks, read.Marks[row])
	}
}

// joined returns the rows of d and then those of more, without labels.
func joined(d, more *dataset.Dataset) (*dataset.Dataset, error) {
	parts := []*dataset.Dataset{bare(d), bare(more)}
	all, err := dataset.Join(parts, []string{"the rows there were", "the new rows"})
	if err == nil {
		all.Edges = d.Edges // of rows that keep their numbers
	}
	return all, err
}

// bare returns data without labels. Of images it keeps no columns but the names of their files.
func bare(d *dataset.Dataset) *dataset.Dataset {
	b := *d
	b.Y, b.Classes, b.Notes, b.Column, b.Weights = slices.Repeat([]int{dataset.Unlabelled}, d.Points.Len()), nil, nil, nil, nil
	if d.OfFiles() {
		b.Kept = d.Kept.Only([]int{0})
	}
	return &b
}
