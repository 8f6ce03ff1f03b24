package files

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"lapsvm/dataset/internal/xml"
)

// odsRows reads the rows of one sheet after another.
type odsRows struct {
	src     *source
	xml     *markup
	styles  *odsStyles
	sheet   int // of the next tag, counted from 0
	row     int
	again   int // how often the fields come once more
	rows    int // tags of rows
	columns odsColumns
	ended   bool // the sheet
	cells   cellRow
	said    said

	value, shown  []byte // of a cell
	tags          int    // of cells of the row
	patterns      [6]odsPattern
	latest        int // of them
	learnt, likes int // patterns, and cells written by them
}

// odsPattern is how cells are written whose first value is their own.
type odsPattern struct {
	xml.Pattern
	number bool
}

func (w *openDocument) open() (*odsRows, error) {
	x, err := w.src.openXML(w.content)
	if err != nil {
		return nil, err
	}
	return newODSRows(w, x, -1), nil
}

func newODSRows(w *openDocument, x *markup, sheet int) *odsRows {
	return &odsRows{src: w.src, xml: x, styles: &w.styles, sheet: sheet, cells: cellRow{src: w.src}}
}

// toSheet goes on to the sheet k, which must be ahead.
func (r *odsRows) toSheet(k int) error {
	r.row, r.rows, r.again, r.ended, r.said, r.columns = 0, 0, 0, false, said{}, nil
	for r.sheet < k {
		kind, err := r.xml.tag()
		if err != nil {
			return err
		}
		if kind == xml.Start {
			if r.xml.Name().Local == "table-row" {
				r.xml.Use()
			} else if isSheet(r.xml) {
				r.sheet++
			}
		}
	}
	return nil
}

// repeats returns how often a row or a cell stands there.
func repeats(times []byte) int {
	n, err := strconv.ParseInt(string(times), 10, 32) // beyond it the largest
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 1
	}
	return int(max(n, 1))
}

func hiddenRow(visibility []byte) bool {
	return string(visibility) == "collapse" || string(visibility) == "filter"
}

// next is a cellRows.
func (r *odsRows) next() ([]string, int, error) {
	if r.again > 0 {
		r.again--
		r.row++
		return r.cells.fields, r.row, r.within()
	}
	for !r.ended {
		kind, err := r.xml.tag()
		if err != nil {
			return nil, 0, err
		}
		switch local := r.xml.Name().Local; {
		case kind == xml.Text:
		case kind == xml.End:
			r.ended = local == "table"
		case local == "table-column":
			n := repeats(r.xml.Attr("number-columns-repeated"))
			if hiddenRow(r.xml.Attr("visibility")) {
				r.said.columns = min(r.said.columns+n, maxSheetColumns)
			}
			r.columns.add(n, r.styles.spans[string(r.xml.Attr("default-cell-style-name"))])
		case local == "shapes", local == "forms", local == "table-source", local == "scenario", local == "named-expressions", local == "desc", local == "title":
			err = r.xml.skip()
		case local == "table-row":
			r.xml.Use()
			return r.readRow()
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return nil, 0, io.EOF
}

// within fails beyond the last row of a sheet.
func (r *odsRows) within() error {
	if r.row > maxSheetRows {
		return r.src.Errorf(0, 0, "a sheet has %d rows at most, and this one has more; check how the file was made", maxSheetRows)
	}
	return nil
}

// readRow reads the cells of a row.
func (r *odsRows) readRow() ([]string, int, error) {
	x := r.xml
	times, hidden := min(repeats(x.Attr("number-rows-repeated")), maxSheetRows+1), hiddenRow(x.Attr("visibility"))
	style := string(x.Attr("default-cell-style-name"))
	r.cells.begin()
	if r.rows++; r.rows > 2*maxSheetRows { // some may be empty behind the last
		r.row = r.rows
		return nil, 0, r.within()
	}
	col := 0 // cells before
	r.tags = 0
	for {
		if text, is := r.alike(); is {
			if err := r.add(&col, 1, text); err != nil {
				return nil, 0, err
			}
			continue
		}
		begin := x.Offset()
		kind, err := x.tag()
		if err != nil {
			return nil, 0, err
		}
		switch local := x.Name().Local; {
		case kind == xml.End && local == "table-row":
			if len(r.cells.spans) == 0 { // rows without cells are passed over together
				r.row = min(r.row+times, maxSheetRows)
				return r.cells.end(), r.row, nil
			}
			if hidden {
				r.said.rows += times
			}
			r.row++
			r.again = times - 1
			return r.cells.end(), r.row, r.within()
		case kind != xml.Start:
		case local != "table-cell" && local != "covered-table-cell":
			if err := x.skip(); err != nil {
				return nil, 0, err
			}
		default:
			text, n, err := r.readCell(col, style, begin)
			if err != nil {
				return nil, 0, err
			}
			if err := r.add(&col, n, text); err != nil {
				return nil, 0, err
			}
		}
	}
}

// add takes a cell that is there so many times.
func (r *odsRows) add(col *int, times int, text []byte) error {
	if r.tags++; r.tags > 2*maxSheetColumns { // some may be empty behind the last
		return r.tooWide()
	}
	at := *col
	*col = min(at+times, maxSheetColumns+1)
	if len(text) == 0 {
		return nil
	}
	r.xml.Use()
	if times > maxSheetColumns-at {
		return r.tooWide()
	}
	return r.cells.add(at, times, text)
}

// alike reads a cell that is written as one before it.
func (r *odsRows) alike() (text []byte, is bool) {
	for range r.patterns {
		p := &r.patterns[r.latest]
		if r.xml.Like(&p.Pattern) {
			if r.likes++; !p.number {
				return p.Values[0], true
			}
			r.value = appendSpelt(r.value[:0], p.Values[0])
			return r.value, true
		}
		r.latest = (r.latest + 1) % len(r.patterns)
	}
	return nil, false
}

// learn takes how a cell is written that stands for itself alone, as a number in an attribute or as its one text, unless that helped little before.
func (r *odsRows) learn(begin int64, text []byte, of *xml.Name) {
	if r.learnt > 100+r.likes/32 {
		return
	}
	p := &r.patterns[r.learnt%len(r.patterns)]
	r.learnt++
	p.number = of != nil
	if r.xml.Learn(&p.Pattern, begin, of) && !p.number && (len(p.Values) > 1 || len(bytes.TrimSpace(text)) == 0 || !bytes.Equal(p.Values[0], text)) {
		p.Pattern = xml.Pattern{}
	}
}

func (r *odsRows) tooWide() error {
	return r.src.Errorf(r.row+1, 0, "a sheet has %d columns at most; check how the file was made", maxSheetColumns)
}

// What an attribute is to a cell.
const (
	odsOther = iota + 1
	odsKind
	odsValue
	odsBoolean
	odsDate
	odsTime
	odsString
	odsStyle
	odsFormula
	odsRepeated
	odsSpanned
)

func odsRole(local string) int {
	switch local {
	case "value-type":
		return odsKind
	case "value":
		return odsValue
	case "boolean-value":
		return odsBoolean
	case "date-value":
		return odsDate
	case "time-value":
		return odsTime
	case "string-value":
		return odsString
	case "style-name":
		return odsStyle
	case "formula":
		return odsFormula
	case "number-columns-repeated":
		return odsRepeated
	case "number-columns-spanned", "number-rows-spanned":
		return odsSpanned
	}
	return odsOther
}

// readCell reads a cell from an offset up to its end, and how often it is repeated. A cell without a style has rowStyle, the style of its row or "".
func (r *odsRows) readCell(col int, rowStyle string, begin int64) (text []byte, times int, err error) {
	x := r.xml
	var kind, value, boolean, date, span, words, style []byte
	var number *xml.Name // of the attribute of a value
	formula, failed, merged, spelt, numeric := false, false, false, false, false
	times = 1
	for _, a := range x.Attrs() {
		if a.Name.Role == 0 {
			a.Name.Role = odsRole(a.Name.Local)
		}
		switch a.Name.Role {
		case odsKind:
			if x.Space(a.Name) == odsCalc {
				failed = string(a.Value) == "error"
			} else {
				kind = a.Value
			}
		case odsValue:
			value, number = a.Value, a.Name
		case odsBoolean:
			boolean = a.Value
		case odsDate:
			date = a.Value
		case odsTime:
			span = a.Value
		case odsString:
			words, spelt = a.Value, true
		case odsStyle:
			style = a.Value
		case odsFormula:
			formula = len(a.Value) > 0
		case odsRepeated:
			times = repeats(a.Value)
		case odsSpanned:
			merged = merged || repeats(a.Value) > 1
		}
	}
	switch string(kind) {
	case "":
		r.value = r.value[:0]
	case "string":
		r.value = append(r.value[:0], words...)
	case "float", "percentage", "currency":
		r.value, numeric = appendSpelt(r.value[:0], value), number != nil
	case "boolean":
		if len(boolean) == 0 {
			boolean = value
		}
		r.value = append(r.value[:0], boolean...)
	case "date":
		r.value = append(r.value[:0], bytes.TrimSuffix(date, []byte("T00:00:00"))...)
	case "time":
		r.value = appendSpan(r.value[:0], span, r.isSpan(style, rowStyle, col), &r.said)
	default:
		return nil, 0, r.src.Errorf(r.row+1, 0, "a cell is of kind %q, which is not known; save the file again", kind)
	}
	shows := len(kind) == 0 || string(kind) == "string"
	if x.Name().Local == "covered-table-cell" {
		return nil, times, x.skip()
	}
	if merged {
		r.said.merged++
	}
	if !shows && !formula && !failed {
		err := x.skip()
		if err == nil && numeric && times == 1 && !merged {
			r.learn(begin, nil, number)
		}
		return r.value, times, err
	}
	empty := len(kind) == 0
	if err := r.readShown(); err != nil {
		return nil, 0, err
	}
	if failed || formula && bytes.HasPrefix(r.shown, []byte("#")) && bytes.HasSuffix(r.shown, []byte("!")) {
		if r.said.errors++; r.said.wrong == "" {
			r.said.wrong = string(r.shown)
		}
		return nil, times, nil
	}
	if empty && formula && len(r.shown) == 0 {
		r.said.formulas++
	}
	if shows && !spelt {
		if times == 1 && !merged && !formula {
			r.learn(begin, r.shown, nil)
		}
		return r.shown, times, nil
	}
	return r.value, times, nil
}

// isSpan reports whether a time of a cell is one that passed, by the styles of the cell, its row or its column.
func (r *odsRows) isSpan(style []byte, rowStyle string, col int) bool {
	switch {
	case len(style) > 0:
		return r.styles.spans[string(style)]
	case rowStyle != "":
		return r.styles.spans[rowStyle]
	}
	return r.columns.isSpan(col)
}

// readShown reads what a cell shows.
func (r *odsRows) readShown() error {
	x := r.xml
	r.shown = r.shown[:0]
	paragraphs := 0
	for outer := x.Depth(); x.Depth() >= outer; {
		kind, err := x.tag()
		if err != nil {
			return err
		}
		switch kind {
		case xml.Start:
			switch x.Name().Local {
			case "p":
				if paragraphs++; paragraphs > 1 {
					r.shown = append(r.shown, '\n')
				}
			case "s":
				r.shown = append(r.shown, bytes.Repeat([]byte(" "), min(repeats(x.Attr("c")), 1000))...)
			case "tab":
				r.shown = append(r.shown, '\t')
			case "line-break":
				r.shown = append(r.shown, '\n')
			case "span", "a", "ruby", "ruby-base":
			default: // a comment, a picture
				if err := x.skip(); err != nil {
					return err
				}
			}
		case xml.Text:
			if x.Depth() > outer {
				r.shown = append(r.shown, x.Text()...)
			}
		}
		if len(r.shown) > maxToken {
			return r.src.Errorf(r.row+1, 0, "the text of a cell is longer than %d MiB; check how the file was made", maxToken>>20)
		}
	}
	return nil
}
