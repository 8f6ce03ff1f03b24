package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Table is a table of texts with a caption. All rows are as long as the
// header. Where the first cells of consecutive rows are equal and name their
// row, a page shows them as one.
type Table struct {
	Name           string // file name without ending, and anchor
	Title, Caption string
	Header         []string
	Rows           [][]Cell
	Note           string // below the table, may be empty
}

// Cell is one entry of a table.
type Cell struct {
	Text   string
	Detail string // shown smaller below the text; may be empty
	Mark   Mark   // what the eye should be led to
	Head   bool   // names its row
}

// Mark is the reason why a cell stands out.
type Mark string

// The marks of cells.
const (
	Plain   Mark = ""
	Agrees  Mark = "agrees"
	Differs Mark = "differs"
	Best    Mark = "best"
)

// Symbol is the mark for those who do not see its colour.
func (m Mark) Symbol() string {
	return map[Mark]string{Agrees: "✓", Differs: "≠", Best: "★"}[m]
}

// WriteCSV writes the table as CSV (RFC 4180) with one header line. Details
// have columns of their own where a column has any, named by the header and
// " detail". Marks, title, caption and note are not written.
func (t Table) WriteCSV(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	detailed := make([]bool, len(t.Header))
	for k := range t.Header {
		detailed[k] = t.any(k, func(c Cell) bool { return c.Detail != "" })
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	record := make([]string, 0, 2*len(t.Header))
	for k, name := range t.Header {
		record = append(record, name)
		if detailed[k] {
			record = append(record, name+" detail")
		}
	}
	err := out.Write(record)
	for _, row := range t.Rows {
		record = record[:0]
		for k, c := range row {
			record = append(record, c.Text)
			if detailed[k] {
				record = append(record, c.Detail)
			}
		}
		err = errors.Join(err, out.Write(record))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// check returns an error for a table that cannot be written.
func (t Table) check() error {
	if len(t.Header) == 0 {
		return fmt.Errorf("table %q has no header: name its columns", t.Name)
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Header) {
			return fmt.Errorf("row %d of table %q has %d cells, its header %d: give every row one cell per column", i+1, t.Name, len(row), len(t.Header))
		}
		for _, c := range row {
			if c.Mark != Plain && c.Mark.Symbol() == "" {
				return fmt.Errorf("row %d of table %q has the mark %q: use one of %s, %s and %s", i+1, t.Name, c.Mark, Agrees, Differs, Best)
			}
		}
	}
	return nil
}

// any reports whether a cell of column k is as asked.
func (t Table) any(k int, is func(Cell) bool) bool {
	return slices.ContainsFunc(t.Rows, func(row []Cell) bool { return is(row[k]) })
}
