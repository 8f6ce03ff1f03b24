package input

import (
	"slices"
	"strconv"
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
	for i, row := range d.Kept.Rows {
		r.Names[i] = strings.Join(picked(row, r.Columns), ", ")
	}
	return r
}

// idColumns returns the kept columns that name the rows.
func idColumns(d *dataset.Dataset, asked []string) []int {
	var ids []int
	switch {
	case d.Kept == nil:
	case d.Image != nil:
		ids = []int{0}
	case d.Encoding != nil:
		for _, column := range d.Encoding.Columns {
			if at := slices.Index(d.Kept.Names, column.Name); column.NamesRows() && at >= 0 {
				ids = append(ids, at)
			}
		}
	default:
		for _, name := range asked {
			at := slices.Index(d.Kept.Names, name)
			if n, err := strconv.Atoi(name); at < 0 && err == nil && 1 <= n && n <= len(d.Kept.Names) { // a place among all columns
				at = n - 1
			}
			if at >= 0 {
				ids = append(ids, at)
			}
		}
	}
	return ids
}

// picked returns some fields of a row.
func picked(row []string, columns []int) []string {
	var all []string
	for _, c := range columns {
		all = append(all, row[c])
	}
	return all
}

// Alone returns the columns of k that name the rows; nil for none.
func (r RowNames) Alone(k *dataset.Kept) *dataset.Kept {
	if r.Columns == nil {
		return nil
	}
	names := &dataset.Kept{Names: picked(k.Names, r.Columns)}
	for _, row := range k.Rows {
		names.Rows = append(names.Rows, picked(row, r.Columns))
	}
	return names
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
