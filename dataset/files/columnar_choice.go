package files

import (
	"slices"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
)

// leaveOut returns which of the columns of a file are read: the readable ones, and those that
// an option names, as the error is to tell of these. Options come to name columns by name that they
// gave by number, because numbers count all columns. The names of the others are returned too.
func leaveOut(o *Options, header []string, readable func(c int) bool) (read []int, others []string) {
	byName := func(name string) string {
		if k, err := strconv.Atoi(name); err == nil && 1 <= k && k <= len(header) && !slices.Contains(header, name) {
			return header[k-1]
		}
		return name
	}
	o.Label = byName(o.Label)
	asked := map[string]bool{o.Label: true, "label": o.Label == ""}
	for _, of := range o.ofColumns() {
		*of.columns = slices.Clone(*of.columns)
		for k, name := range *of.columns {
			(*of.columns)[k] = byName(name)
			asked[(*of.columns)[k]] = true
		}
	}
	for _, name := range o.Columns {
		asked[name] = true
	}
	if o.Encoding.Learnt() {
		for _, name := range o.Encoding.Needed() {
			asked[name] = true
		}
	}
	for c, name := range header {
		if readable(c) || asked[name] {
			read = append(read, c)
		} else {
			others = append(others, name)
		}
	}
	return read, others
}

// notRead notes the columns that are left out because of their types, unless the options choose
// columns.
func (t *columnTable) notRead(d *dataset.Dataset) {
	if t.others == nil || len(t.o.Columns) > 0 || t.o.Encoding.Learnt() {
		return
	}
	t.src.note(d, dataset.Note{Message: dataset.Messagef("these columns are not read, because they hold neither numbers nor strings, booleans, dates, times or lists of numbers or words: %s", quote.Names(t.others))})
}
