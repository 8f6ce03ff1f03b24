package dataset

// Note is an assumption or a doubt of the reader, with advice for the case that it is wrong.
type Note struct {
	Message
	Doubtful bool // it is probably wrong
	OfLabels bool // it is of the labels alone
}

// note adds what was taken for granted.
func (d *Dataset) note(format string, args ...any) {
	d.Notes = append(d.Notes, Note{Message: Messagef(format, args...)})
}

// DoubtRounded doubts a column of a table, a feature of whole numbers that were rounded to doubles.
func (d *Dataset) DoubtRounded(column string) {
	called := []string{column}
	d.doubt("the column %q has whole numbers from 2⁵³ on, which are rounded to doubles; give %s or %s if they name the rows", column, Option{Name: "ID", Value: called}, Option{Name: "Ignore", Value: called})
}

// doubt adds what is probably wrong.
func (d *Dataset) doubt(format string, args ...any) {
	d.Notes = append(d.Notes, Note{Message: Messagef(format, args...), Doubtful: true})
}
