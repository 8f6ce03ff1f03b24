package dataset

import (
	"slices"
	"strconv"
	"strings"
)

// Kept holds columns of text, row by row, that name the rows and are repeated beside results. The zero value has no column.
// Fields of a table are without quotes, and unquoted fields without surrounding blanks.
type Kept struct {
	Names []string // x1, x2, … by position in the file where there is no header
	Rows  [][]string
}

// OfFiles reports whether rows are images that are called by their files, in the first column of Kept.
func (d *Dataset) OfFiles() bool { return !d.Image.None() && !d.Kept.None() }

// None reports whether there is no column.
func (k Kept) None() bool { return len(k.Names) == 0 }

// Add keeps these columns of a row. More memory than the origin allows is an
// [*Error].
func (k *Kept) Add(origin *Origin, fields [][]byte, columns []int) error {
	if len(columns) == 0 {
		return nil
	}
	const header = 16 // bytes of a string beside its text
	size := 2 * header
	for _, c := range columns {
		size += header + len(fields[c])
	}
	if err := origin.Take(size, "the text of the columns to keep"); err != nil {
		return err
	}
	row := make([]string, len(columns))
	for at, c := range columns {
		row[at] = string(fields[c])
	}
	k.Rows = append(k.Rows, row)
	return nil
}

// Row returns the text of row i, nil without columns.
func (k Kept) Row(i int) []string {
	if k.None() {
		return nil
	}
	return k.Rows[i]
}

// Name returns what row i is called: its text, with commas between columns.
func (k Kept) Name(i int) string { return strings.Join(k.Row(i), ", ") }

// Find returns the place of the column with a name, or of the column with a number from 1. It is −1 where there is none.
func (k Kept) Find(name string) int {
	at := slices.Index(k.Names, name)
	if n, err := strconv.Atoi(name); at < 0 && err == nil && 1 <= n && n <= len(k.Names) {
		at = n - 1
	}
	return at
}

// Column returns the text of a column.
func (k Kept) Column(c int) []string {
	all := make([]string, len(k.Rows))
	for i, row := range k.Rows {
		all[i] = row[c]
	}
	return all
}

// Only returns some of the columns.
func (k Kept) Only(columns []int) Kept {
	if len(columns) == 0 {
		return Kept{}
	}
	some := Kept{Names: picked(k.Names, columns)}
	for _, row := range k.Rows {
		some.Rows = append(some.Rows, picked(row, columns))
	}
	return some
}

// picked returns some fields of a row.
func picked(row []string, columns []int) []string {
	var all []string
	for _, c := range columns {
		all = append(all, row[c])
	}
	return all
}

// Series returns the columns as those of a result.
func (k Kept) Series() []Series {
	var all []Series
	for c, name := range k.Names {
		all = append(all, Series{Name: name, Text: k.Column(c)})
	}
	return all
}

func (k Kept) subset(rows []int) Kept {
	if k.None() {
		return k
	}
	s := Kept{Names: k.Names, Rows: make([][]string, len(rows))}
	for at, i := range rows {
		s.Rows[at] = k.Rows[i]
	}
	return s
}
