package files

import (
	"slices"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
)

// readFields reads the columns as the rows of a table of text.
func (t *columnTable) readFields(layout *dataset.Layout) (*dataset.Dataset, error) {
	wanted := make([]bool, len(t.header))
	kept := layout.Kept
	if t.src.set == nil && !t.o.TextAlone {
		layout.Kept = nil // read apart: labels have another text
	} else {
		for _, c := range kept {
			wanted[t.src.column(c)] = t.file.hasText(t.src.column(c))
		}
	}
	var others []string
	for _, c := range layout.Features {
		if c < 0 || layout.Asked(c).Unread() {
			continue
		}
		at := t.src.column(c)
		if wanted[at] = t.file.hasText(at) || t.file.isList(at) && layout.MayBeList(c); !wanted[at] {
			others = append(others, t.header[at])
		}
	}
	if others != nil {
		return nil, t.src.Errorf(0, 0, "these columns hold neither numbers nor strings, booleans, dates, times or lists of numbers or words: %s; leave them out with %s, or write them as one of these", quote.Names(others), dataset.Option{Name: "Ignore"})
	}
	if t.label = layout.Label; t.label >= 0 {
		t.label = t.src.column(t.label)
		wanted[t.label] = true
	}
	if err := t.checkLabels(); err != nil {
		return nil, err
	}
	table, err := t.src.begin(layout)
	if err != nil {
		return nil, err
	}
	rows := 0
	err = t.file.eachRow(t.from, t.to, wanted, t.label, func(fields [][]byte) error {
		rows++
		if t.label >= 0 {
			if err := t.checkLabel(t.from+rows, fields[t.label]); err != nil {
				return err
			}
		}
		return table.Add(fields, t.from+rows)
	})
	d, err := t.src.finish(table, err, t.src.noRows())
	if err != nil || d == nil || t.o.TextAlone {
		return d, err
	}
	for _, c := range layout.Kept { // which turned out to name the rows
		if !slices.Contains(kept, c) {
			kept = append(kept, c)
		}
	}
	kept = slices.DeleteFunc(kept, func(c int) bool { return t.file.isList(c) && !layout.MayBeList(c) })
	d.Kept, err = t.keep(kept, rows)
	return d, err
}

// keep returns the text of n rows of the given columns, or of all but lists and of these.
func (t *columnTable) keep(columns []int, n int) (k dataset.Kept, err error) {
	var which []int
	wanted := make([]bool, len(t.header))
	for _, c := range columns {
		wanted[c] = true
	}
	for c, name := range t.header {
		if wanted[c] = t.o.Keep && t.file.hasText(c) || wanted[c] && t.hasField(c); wanted[c] {
			which = append(which, c)
			k.Names = append(k.Names, name)
		}
	}
	if which == nil {
		return k, nil
	}
	rows := 0
	err = t.file.eachRow(t.from, t.to, wanted, -1, func(fields [][]byte) error {
		rows++
		return k.Add(&t.src.Origin, fields, which)
	})
	if err == nil && rows != n {
		err = t.src.Errorf(0, 0, "the columns differ in length; write the file again")
	}
	return k, err
}
