package dataset

// section is one of several files whose rows make a table together.
type section struct {
	file  string
	rows  Rows
	from  int   // lines of the table that come before those of the file
	place []int // of the columns of the table in the file; nil where they are the same
}

// Next says that the rows to come are of a file of a table that has several, in which lines
// count from 1 anew. place says where the columns of the table are among the fields of its
// rows; nil means that they are at the same places. Errors name the file, line and column in
// which a field is, those of [Table.Finish] too. What from says of a part, the kind of rows,
// decimals and what to expect holds until the next call. Its memory is not that of the table.
func (t *Table) Next(from *Origin, place []int) {
	o := t.layout.origin
	o.File, o.Part, o.Rows, o.Decimal, o.Expect = from.File, from.Part, from.Rows, from.Decimal, from.Expect
	if t.place = place; len(o.sections) > 0 {
		t.before = max(t.last, t.layout.line)
	}
	o.sections = append(o.sections, section{from.File, from.Rows, t.before, place})
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

// sectionOf returns the file that a line of the table is of.
func (o *Origin) sectionOf(line int) section {
	p := section{file: o.File, rows: o.Rows}
	for _, next := range o.sections {
		if next.from < line {
			p = next
		}
	}
	return p
}
