package dataset

// section is one of several files whose rows make a table together.
type section struct {
	file  string
	rows  Rows
	from  int   // lines of the table that come before those of the file
	place []int // of the columns of the table in the file; nil where they are the same
}

// Next begins the rows of another file of the same table; lines count from 1 again. place[k] is
// the place of column k of the table among the fields of a row; nil means place k. Errors, also
// those of [Table.Finish], name the file, line and column of the field. The part, the kind of
// rows, the decimals and the expected values are those of from until the next call. Memory
// remains that of the table's origin.
func (t *Table) Next(from *Origin, place []int) {
	o := t.layout.origin
	o.File, o.Part, o.Rows, o.Decimal, o.Guessed, o.Expect = from.File, from.Part, from.Rows, from.Decimal, from.Guessed, from.Expect
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

// sectionOf returns the file that holds a line of the table.
func (o *Origin) sectionOf(line int) section {
	p := section{file: o.File, rows: o.Rows}
	for _, next := range o.sections {
		if next.from < line {
			p = next
		}
	}
	return p
}
