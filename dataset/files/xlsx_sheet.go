package files

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"

	"lapsvm/dataset"
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
	book   *workbook
	xml    *sheetXML
	looks  bool // only at the first rows
	row    int
	fields []string
	ended  bool
	room   cellRoom
	said   said
	value  []byte
}

// open opens a sheet, at whose first rows alone one may look.
func (w *workbook) open(s sheet, looks bool) (*xlsxRows, error) {
	x, err := w.src.openXML(w.parts[s.part])
	return &xlsxRows{book: w, xml: x, looks: looks}, err
}

func (r *xlsxRows) close() { r.xml.r.Close() }

// next is a cellRows. Behind the rows it counts what the part says of the sheet.
func (r *xlsxRows) next() ([]string, int, error) {
	for !r.ended {
		t, err := r.xml.tag()
		if err != nil {
			return nil, 0, err
		}
		switch e := t.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "col":
				first, _ := strconv.Atoi(attr(e, "min")) // what is damaged is not counted
				last, _ := strconv.Atoi(attr(e, "max"))
				if truth(attr(e, "hidden")) {
					r.said.columns += min(max(last-first+1, 0), maxSheetColumns)
				}
			case "mergeCell":
				r.said.merged++
			case "row":
				return r.readRow(e)
			}
		case xml.EndElement:
			r.ended = e.Name.Local == "worksheet" || r.looks && e.Name.Local == "sheetData"
		}
	}
	return nil, 0, io.EOF
}

// readRow reads the cells of a row.
func (r *xlsxRows) readRow(e xml.StartElement) ([]string, int, error) {
	r.row++
	if at := attr(e, "r"); at != "" {
		n, err := strconv.Atoi(at)
		if err != nil || n < r.row {
			return nil, 0, r.book.src.Errorf(r.row, 0, "the row calls itself %q; rows must be in order: save the file again", at)
		}
		r.row = n
	}
	if r.row > maxSheetRows {
		return nil, 0, r.book.src.Errorf(0, 0, "a sheet has %d rows at most, and this one claims row %d; check how the file was made", maxSheetRows, r.row)
	}
	if truth(attr(e, "hidden")) {
		r.said.rows++
	}
	r.fields, r.room.row = r.fields[:0], 0
	col := 0
	for {
		t, err := r.xml.tag()
		if err != nil {
			return nil, 0, err
		}
		switch e := t.(type) {
		case xml.StartElement:
			if e.Name.Local != "c" {
				continue
			}
			col++
			style := 0
			kind := ""
			for k := range e.Attr {
				switch a := &e.Attr[k]; a.Name.Local {
				case "r":
					if at := columnOf(a.Value); at >= col {
						col = at
					} else {
						return nil, 0, r.book.src.Errorf(r.row, col, "a cell calls itself %q; cells must be in order: save the file again", a.Value)
					}
				case "s":
					style, _ = strconv.Atoi(a.Value) // without a style it is a number
				case "t":
					kind = a.Value
				}
			}
			if col > maxSheetColumns {
				return nil, 0, r.book.src.Errorf(r.row, 0, "a sheet has %d columns at most; check how the file was made", maxSheetColumns)
			}
			text, err := r.readCell(kind, style, col)
			if err != nil {
				return nil, 0, err
			}
			if text != "" {
				if err := r.room.add(r.book.src, text); err != nil {
					return nil, 0, err
				}
				for len(r.fields) < col-1 {
					r.fields = append(r.fields, "")
				}
				r.fields = append(r.fields, text)
			}
		case xml.EndElement:
			if e.Name.Local == "row" {
				return r.fields, r.row, nil
			}
		}
	}
}

// readCell reads a cell up to its end.
func (r *xlsxRows) readCell(kind string, style, col int) (string, error) {
	r.value = r.value[:0]
	var text textOfCell
	formula, valued, in := false, false, false
	for {
		t, err := r.xml.tag()
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "f":
				formula = true
			case "v":
				in, valued = true, true
			}
		case xml.CharData:
			if in {
				r.value = append(r.value, e...)
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "v":
				in = false
			case "c":
				if formula && (!valued || len(r.value) == 0 && kind != "str") {
					r.said.formulas++
					return "", nil
				}
				if formula && r.book.anew && string(r.value) == "0" {
					r.said.zeros++
				}
				return r.cellText(kind, style, col, &text)
			}
		}
		if kind == "inlineStr" {
			if err := text.add(r.book.src, t); err != nil {
				return "", err
			}
		}
	}
}

// cellText returns the text of a cell of a kind.
func (r *xlsxRows) cellText(kind string, style, col int, inline *textOfCell) (string, error) {
	value := string(r.value)
	switch kind {
	case "s":
		k, err := strconv.Atoi(strings.TrimSpace(value))
		if value == "" {
			return "", nil
		}
		if err != nil || k < 0 || k >= len(r.book.strings) {
			return "", r.book.src.Errorf(r.row, col, "the cell has the text %q of %d; save the file again", value, len(r.book.strings))
		}
		return r.book.strings[k], nil
	case "inlineStr":
		return inline.String(), nil
	case "str":
		return (&textOfCell{text: r.value}).String(), nil
	case "b":
		if truth(strings.TrimSpace(value)) {
			return "true", nil
		} else if value == "" {
			return "", nil
		}
		return "false", nil
	case "e":
		if r.said.errors++; r.said.wrong == "" {
			r.said.wrong = value
		}
		return "", nil
	case "d":
		return strings.TrimSpace(value), nil
	case "", "n":
	default:
		return "", r.book.src.Errorf(r.row, col, "the cell is of kind %q, which is not known; save the file again", kind)
	}
	if value = strings.TrimSpace(value); value == "" {
		return "", nil
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return "", r.book.src.Errorf(r.row, col, "the cell of a number holds %q; save the file again", value)
	}
	if style < 0 || style >= len(r.book.formats) || r.book.formats[style] == plainNumber {
		return numberText(value, number), nil
	}
	if r.book.formats[style] == asDuration {
		r.said.spans++
	}
	text, ok := dateText(number, r.book.formats[style], r.book.from)
	if !ok {
		return numberText(value, number), nil
	}
	return text, nil
}

// columnOf returns the column of a reference such as AB12, from 1; 0 for none.
func columnOf(ref string) int {
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
