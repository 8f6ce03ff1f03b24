package files

import (
	"bytes"
	"io"
	"math"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/xml"
)

// The sizes of the largest sheet.
const (
	maxSheetRows    = 1 << 20
	maxSheetColumns = 1 << 14
)

// said counts what is not in the values of a sheet.
type said struct {
	rows, columns, merged, formulas, zeros, errors, spans int
	wrong                                                 string // the first error
}

// tell notes what was counted.
func (c said) tell(src *source, d *dataset.Dataset, name string) {
	say := func(n int, one, many string) {
		if n == 1 {
			src.note(d, dataset.Note{Message: dataset.Messagef("sheet %q: %s", name, one)})
		} else if n > 1 {
			src.note(d, dataset.Note{Message: dataset.Messagef("sheet %q: %d %s", name, n, many)})
		}
	}
	say(c.rows, "one row is hidden, and is read all the same", "rows are hidden, and are read all the same")
	say(c.columns, "one column is hidden, and is read all the same", "columns are hidden, and are read all the same")
	say(c.merged, "cells are merged; the value is in the first of them alone", "times cells are merged; the value is in the first of them alone")
	say(c.formulas, "one formula has no value, and is a gap; open the file in a spreadsheet program and save it", "formulas have no values, and are gaps; open the file in a spreadsheet program and save it")
	say(c.zeros, "one formula has the value 0 in a workbook that asks to be calculated; open the file in a spreadsheet program and save it", "formulas have the value 0 in a workbook that asks to be calculated; open the file in a spreadsheet program and save it")
	say(c.errors, "one cell has the error "+c.wrong+", and is a gap", "cells have errors such as "+c.wrong+", and are gaps")
	say(c.spans, "one cell is a duration, read in seconds", "cells are durations, read in seconds")
}

// xlsxRows reads the rows of a sheet.
type xlsxRows struct {
	book  *workbook
	xml   *markup
	looks bool // only at the first rows
	row   int
	ended bool
	cells cellRow
	said  said

	value  []byte // of a cell
	inline textOfCell
	kind   string
}

// open opens a sheet, at whose first rows alone one may look.
func (w *workbook) open(s sheet, looks bool) (*xlsxRows, error) {
	x, err := w.src.openXML(w.parts[s.part])
	return &xlsxRows{book: w, xml: x, looks: looks, cells: cellRow{src: w.src}}, err
}

// next is a cellRows. Behind the rows it counts what the part says of the sheet.
func (r *xlsxRows) next() ([]string, int, error) {
	x := r.xml
	for !r.ended {
		kind, err := x.tag()
		if err != nil {
			return nil, 0, err
		}
		switch local := x.Name().Local; {
		case kind == xml.End:
			r.ended = local == "worksheet" || r.looks && local == "sheetData"
		case kind != xml.Start:
		case local == "col":
			first, _ := strconv.Atoi(string(x.Attr("min"))) // what is damaged is not counted
			last, _ := strconv.Atoi(string(x.Attr("max")))
			if truth(x.Attr("hidden")) {
				r.said.columns = min(r.said.columns+min(max(last-first+1, 0), maxSheetColumns), maxSheetColumns)
			}
		case local == "mergeCell":
			r.said.merged++
		case local == "row":
			x.Use()
			return r.readRow()
		}
	}
	return nil, 0, io.EOF
}

// readRow reads the cells of a row.
func (r *xlsxRows) readRow() ([]string, int, error) {
	x, src := r.xml, r.book.src
	r.row++
	if at := x.Attr("r"); len(at) > 0 {
		n, err := strconv.Atoi(string(at))
		if err != nil || n < r.row {
			return nil, 0, src.Errorf(r.row, 0, "the row calls itself %q; rows must be in order: save the file again", at)
		}
		r.row = n
	}
	if r.row > maxSheetRows {
		return nil, 0, src.Errorf(0, 0, "a sheet has %d rows at most, and this one claims row %d; check how the file was made", maxSheetRows, r.row)
	}
	if truth(x.Attr("hidden")) {
		r.said.rows++
	}
	r.cells.begin()
	col := 0
	for {
		kind, err := x.tag()
		if err != nil {
			return nil, 0, err
		}
		local := x.Name().Local
		if kind == xml.End && local == "row" {
			return r.cells.end(), r.row, nil
		}
		if kind != xml.Start || local != "c" {
			continue
		}
		col++
		style := 0
		r.kind = ""
		for _, a := range x.Attrs() {
			switch a.Name.Local {
			case "r":
				at := columnOf(a.Value)
				if at < col {
					return nil, 0, src.Errorf(r.row, col, "a cell calls itself %q; cells must be in order: save the file again", a.Value)
				}
				col = at
			case "s":
				style, _ = strconv.Atoi(string(a.Value)) // without a style it is a number
			case "t":
				r.kind = string(a.Value)
			}
		}
		if col > maxSheetColumns {
			return nil, 0, src.Errorf(r.row, 0, "a sheet has %d columns at most; check how the file was made", maxSheetColumns)
		}
		text, err := r.readCell(style, col)
		if err != nil {
			return nil, 0, err
		}
		if len(text) > 0 {
			x.Use()
			if err := r.cells.add(col-1, 1, text); err != nil {
				return nil, 0, err
			}
		}
	}
}

// readCell reads a cell up to its end.
func (r *xlsxRows) readCell(style, col int) ([]byte, error) {
	x := r.xml
	r.value = r.value[:0]
	r.inline.begin()
	formula, valued, in := false, false, false
	for depth := x.Depth(); x.Depth() >= depth; {
		kind, err := x.tag()
		if err != nil {
			return nil, err
		}
		switch {
		case kind == xml.Text:
			if in {
				r.value = append(r.value, x.Text()...)
			}
		case x.Name().Local == "v":
			in, valued = kind == xml.Start, true
		case x.Name().Local == "f":
			formula = true
		}
		if r.kind == "inlineStr" {
			if err := r.inline.add(x, kind); err != nil {
				return nil, err
			}
		}
	}
	if formula && (!valued || len(r.value) == 0 && r.kind != "str") {
		r.said.formulas++
		return nil, nil
	}
	if formula && r.book.anew && string(r.value) == "0" {
		r.said.zeros++
	}
	return r.cellText(style, col)
}

// cellText returns the text of a cell.
func (r *xlsxRows) cellText(style, col int) ([]byte, error) {
	value := bytes.TrimSpace(r.value)
	switch r.kind {
	case "s":
		if len(r.value) == 0 {
			return nil, nil
		}
		k, err := strconv.Atoi(string(value))
		if err != nil || k < 0 || k >= len(r.book.strings) {
			return nil, r.book.src.Errorf(r.row, col, "the cell has the text %q of %d; save the file again", r.value, len(r.book.strings))
		}
		r.value = append(r.value[:0], r.book.strings[k]...)
		return r.value, nil
	case "inlineStr":
		return r.inline.decoded(), nil
	case "str":
		return (&textOfCell{text: r.value}).decoded(), nil
	case "b":
		if truth(value) {
			return []byte("true"), nil
		} else if len(r.value) == 0 {
			return nil, nil
		}
		return []byte("false"), nil
	case "e":
		if r.said.errors++; r.said.wrong == "" {
			r.said.wrong = string(r.value)
		}
		return nil, nil
	case "d":
		return value, nil
	case "", "n":
	default:
		return nil, r.book.src.Errorf(r.row, col, "the cell is of kind %q, which is not known; save the file again", r.kind)
	}
	plain := style < 0 || style >= len(r.book.formats) || r.book.formats[style] == plainNumber
	if len(value) == 0 || plain && isSpelt(value) {
		return value, nil
	}
	v, err := strconv.ParseFloat(string(value), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return nil, r.book.src.Errorf(r.row, col, "the cell of a number holds %q; save the file again", value)
	}
	if !plain {
		if r.book.formats[style] == asDuration {
			r.said.spans++
		}
		if text, ok := dateText(v, r.book.formats[style], r.book.from); ok {
			return []byte(text), nil
		}
	}
	return []byte(number.Format(v)), nil
}

// columnOf returns the column of a reference such as AB12, from 1; 0 for none.
func columnOf(ref []byte) int {
	col := 0
	for k := range len(ref) {
		c := ref[k] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		if col = 26*col + int(c-'A') + 1; col > maxSheetColumns {
			return maxSheetColumns + 1
		}
	}
	return col
}
