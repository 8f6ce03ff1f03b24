package dataset

// part is one of several files whose rows make a table together.
type part struct {
	file  string
	rows  Rows
	from  int   // lines of the table that come before those of the file
	place []int // of the columns of the table in the file; nil where they are the same
}

// Next has the rows that follow come from another file, of the origin from, and returns
// them to the columns of the table: place says where each of these is among the fields, nil
// where they are the same. From now on errors name that file, its lines and its columns, and
// those of [Table.Finish] the file in which a value was.
func (t *Table) Next(from *Origin, place []int) {
	o := t.layout.origin
	o.File, o.Part, o.Rows, o.Expect = from.File, from.Part, from.Rows, from.Expect
	if t.place = place; len(o.parts) > 0 {
		t.before = max(t.last, t.layout.line)
	}
	o.parts = append(o.parts, part{from.File, from.Rows, t.before, place})
}

// in returns the fields of a row as the table has them, valid until the next call.
func (t *Table) in(fields [][]byte) [][]byte {
	if t.place == nil {
		return fields
	}
	t.fields = t.fields[:0]
	for _, c := range t.place {
		t.fields = append(t.fields, fields[c])
	}
	return t.fields
}

// at returns where a column of the table is among the fields of a row.
func (t *Table) at(column int) int {
	if t.place == nil {
		return column
	}
	return t.place[column]
}

// partOf returns the file that a line of the table is of.
func (o *Origin) partOf(line int) part {
	p := part{file: o.File, rows: o.Rows}
	for _, next := range o.parts {
		if next.from < line {
			p = next
		}
	}
	return p
}
