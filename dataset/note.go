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

// doubt adds what is probably wrong.
func (d *Dataset) doubt(format string, args ...any) {
	d.Notes = append(d.Notes, Note{Message: Messagef(format, args...), Doubtful: true})
}
