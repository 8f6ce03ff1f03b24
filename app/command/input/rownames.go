package input

import (
	"slices"
	"strings"

	"lapsvm/dataset"
)

// RowNames are the names of the rows of a data set: their ID columns, or their files.
type RowNames struct {
	Columns []int    // of Dataset.Kept
	Names   []string // with commas between columns; nil where nothing names the rows
}

// NamesOf returns the names of the rows of d, of which the columns asked for name rows beside
// vectors.
func NamesOf(d *dataset.Dataset, asked []string) RowNames {
	r := RowNames{Columns: idColumns(d, asked)}
	if r.Columns == nil {
		return r
	}
	r.Names = make([]string, len(d.Y))
	only := d.Kept.Only(r.Columns)
	for i := range r.Names {
		r.Names[i] = only.Name(i)
	}
	return r
}

// idColumns returns the kept columns that name the rows.
func idColumns(d *dataset.Dataset, asked []string) []int {
	var ids []int
	switch {
	case d.OfFiles():
		ids = []int{0}
	case d.Encoding != nil:
		for _, column := range d.Encoding.Columns {
			if at := slices.Index(d.Kept.Names, column.Name); column.NamesRows() && at >= 0 {
				ids = append(ids, at)
			}
		}
	default:
		for _, name := range asked {
			if at := d.Kept.Find(name); at >= 0 {
				ids = append(ids, at)
			}
		}
	}
	return ids
}

// TextOf returns the text of a row of d, whose columns are kept: its column of text where there is
// one, else all its columns.
func TextOf(d *dataset.Dataset, i int) string {
	row := d.Kept.Rows[i]
	var texts, lines []string
	for c, name := range d.Kept.Names {
		if name == d.Label {
			continue
		}
		lines = append(lines, name+": "+row[c])
		if d.Encoding.IsText(name) {
			texts = append(texts, row[c])
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return strings.Join(lines, "\n")
}
