package files

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// ODS is the name of the format of this file: spreadsheets of LibreOffice, and of what writes like it.
const ODS = "ods"

func odsFormat() Format {
	return Format{
		Name: ODS, Endings: []string{"ods", "ots"},
		Holds: "spreadsheet of LibreOffice, of which one sheet is read", Table: true, parts: "sheet",
		inZip: func(names []string) bool {
			return slices.Contains(names, "mimetype") && slices.Contains(names, "content.xml")
		},
		read: readODS,
	}
}

// openDocument is the one part with all sheets of a spreadsheet.
// Source: "Open Document Format for Office Applications", 1.3, part 3, 9.1, 9.6 and 19.385.
type openDocument struct {
	src     *source
	content *zip.File
	sheets  []sheet         // that are known
	all     bool            // all are
	hidden  map[string]bool // styles of sheets
	style   string          // whose properties come
}

func readODS(src *source, o Options) (*dataset.Dataset, error) {
	if err := src.isForeign(Format{}); err != nil {
		return nil, err
	}
	archive, err := src.zip("is no spreadsheet, or a damaged one (%v); fetch or save the file again")
	if err != nil {
		return nil, err
	}
	w := &openDocument{src: src, hidden: map[string]bool{}}
	for _, f := range archive.File {
		switch f.Name {
		case "content.xml":
			w.content = f
		case "META-INF/manifest.xml":
			if err := w.isLocked(f); err != nil {
				return nil, err
			}
		}
	}
	if w.content == nil {
		return nil, src.Errorf(0, 0, "is no spreadsheet: it has no part content.xml; check how it was made")
	}
	k, err := w.choose()
	if err != nil {
		return nil, err
	}
	r, err := w.open()
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.toSheet(k); err != nil {
		return nil, err
	}
	d, err := src.readCells(cellTable{part: w.sheets[k].name, rows: r.next}, o)
	if err != nil {
		return nil, err
	}
	if !w.all { // the names of the sheets behind it
		w.sheets = w.sheets[:k+1]
		if err := w.readSheets(r.xml, func(int) (bool, error) { return false, nil }); err != nil {
			return nil, err
		}
	}
	src.unread(d, "sheet", w.sheets[k].name, othersOf(w.sheets, k))
	r.said.tell(src, d, w.sheets[k].name)
	return d, nil
}

// isLocked fails where the manifest says that the parts are encrypted.
func (w *openDocument) isLocked(f *zip.File) error {
	x, err := w.src.openXML(f)
	if err != nil {
		return err
	}
	defer x.r.Close()
	return x.each(func(t xml.Token) error {
		if e, is := t.(xml.StartElement); is && e.Name.Local == "encryption-data" {
			return w.src.Errorf(0, 0, "the spreadsheet is encrypted; save it without a password")
		}
		return nil
	})
}

// choose returns the sheet that is wanted. It reads up to that alone, as all sheets are in one part.
func (w *openDocument) choose() (int, error) {
	x, err := w.src.openXML(w.content)
	if err != nil {
		return 0, err
	}
	defer x.r.Close()
	var shapes []sheetShape
	err = w.readSheets(x, func(k int) (bool, error) {
		shape := noCells
		var err error
		if w.src.part == "" && !w.sheets[k].hidden {
			r := &odsRows{src: w.src, xml: x, sheet: k}
			shape, err = shapeOf(r.next)
		}
		shapes = append(shapes, shape)
		return shape == cellsOfTable, err
	})
	if err != nil {
		return 0, err
	}
	if len(w.sheets) == 0 {
		return 0, w.src.Errorf(0, 0, "the spreadsheet has no sheets of cells; check how it was made")
	}
	return w.src.chooseSheet(w.sheets, func(k int) (sheetShape, error) { return shapes[k], nil })
}

// readSheets reads on, for the names of the sheets and which are hidden, until one begins for which done is true.
func (w *openDocument) readSheets(x *sheetXML, done func(k int) (bool, error)) error {
	for {
		t, err := x.next()
		if err == io.EOF {
			w.all = true
			return nil
		}
		if err != nil {
			return err
		}
		e, is := t.(xml.StartElement)
		if !is {
			continue
		}
		switch {
		case e.Name.Local == "style":
			w.style = attr(e, "name")
		case e.Name.Local == "table-properties" && attr(e, "display") == "false":
			w.hidden[w.style] = true
			err = w.src.Take(100+len(w.style), "the styles of the spreadsheet")
		case isSheet(e):
			name := attr(e, "name")
			kept := strings.HasPrefix(name, "'file:") // of another file
			w.sheets = append(w.sheets, sheet{name: name, hidden: kept || w.hidden[attr(e, "style-name")]})
			if err = w.src.Take(200+len(name), "the sheets of the spreadsheet"); err == nil {
				var end bool
				if end, err = done(len(w.sheets) - 1); end {
					return err
				}
			}
		}
		if err != nil {
			return err
		}
	}
}

// isSheet reports whether a tag begins a sheet. Tables within cells have no names.
func isSheet(e xml.StartElement) bool {
	return e.Name.Space == "table" && e.Name.Local == "table" && attr(e, "name") != "" && attr(e, "is-sub-table") != "true"
}

// odsRows reads the rows of one sheet after another.
type odsRows struct {
	src    *source
	xml    *sheetXML
	sheet  int // of the next tag, counted from 0
	row    int
	again  int // how often the fields come once more
	fields []string
	ended  bool // the sheet
	room   cellRoom
	said   said
}

func (w *openDocument) open() (*odsRows, error) {
	x, err := w.src.openXML(w.content)
	return &odsRows{src: w.src, xml: x, sheet: -1}, err
}

func (r *odsRows) close() { r.xml.r.Close() }

// toSheet goes on to the sheet k, which must be ahead.
func (r *odsRows) toSheet(k int) error {
	r.row, r.again, r.ended, r.said = 0, 0, false, said{}
	for r.sheet < k {
		t, err := r.xml.tag()
		if err != nil {
			return err
		}
		if e, is := t.(xml.StartElement); is && isSheet(e) {
			r.sheet++
		}
	}
	return nil
}

// skip goes to the end of a tag that has begun.
func (r *odsRows) skip() error {
	for depth := 1; depth > 0; {
		t, err := r.xml.tag()
		if err != nil {
			return err
		}
		switch t.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

// repeats returns how often a row or a cell stands there.
func repeats(e xml.StartElement, name string) int {
	n, err := strconv.ParseInt(attr(e, name), 10, 32) // beyond it the largest
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 1
	}
	return int(max(n, 1))
}

func hiddenRow(e xml.StartElement) bool {
	v := attr(e, "visibility")
	return v == "collapse" || v == "filter"
}

// next is a cellRows.
func (r *odsRows) next() ([]string, int, error) {
	if r.again > 0 {
		r.again--
		r.row++
		return r.fields, r.row, r.within()
	}
	for !r.ended {
		t, err := r.xml.tag()
		if err != nil {
			return nil, 0, err
		}
		switch e := t.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "table-column":
				if hiddenRow(e) {
					r.said.columns = min(r.said.columns+repeats(e, "number-columns-repeated"), maxSheetColumns)
				}
			case "shapes", "forms", "table-source", "scenario", "named-expressions", "desc", "title":
				err = r.skip()
			case "table-row":
				return r.readRow(e)
			}
		case xml.EndElement:
			r.ended = e.Name.Local == "table"
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
func (r *odsRows) readRow(row xml.StartElement) ([]string, int, error) {
	r.fields, r.room.row = r.fields[:0], 0
	empty := 0 // cells that have no text, since the last that has
	for {
		t, err := r.xml.tag()
		if err != nil {
			return nil, 0, err
		}
		switch e := t.(type) {
		case xml.StartElement:
			if e.Name.Local != "table-cell" && e.Name.Local != "covered-table-cell" {
				if err := r.skip(); err != nil {
					return nil, 0, err
				}
				continue
			}
			text, err := r.readCell(e)
			if err != nil {
				return nil, 0, err
			}
			n := min(repeats(e, "number-columns-repeated"), maxSheetColumns+1)
			if text == "" {
				empty = min(empty+n, maxSheetColumns+1)
				continue
			}
			if len(r.fields)+empty+n > maxSheetColumns {
				return nil, 0, r.src.Errorf(r.row+1, 0, "a sheet has %d columns at most; check how the file was made", maxSheetColumns)
			}
			if err := r.room.add(r.src, text); err != nil {
				return nil, 0, err
			}
			for ; empty > 0; empty-- {
				r.fields = append(r.fields, "")
			}
			for range n {
				r.fields = append(r.fields, text)
			}
		case xml.EndElement:
			if e.Name.Local != "table-row" {
				continue
			}
			n := min(repeats(row, "number-rows-repeated"), maxSheetRows+1)
			if len(r.fields) == 0 { // rows without cells are passed over together
				r.row = min(r.row+n, maxSheetRows)
				return r.fields, r.row, nil
			}
			if hiddenRow(row) {
				r.said.rows += n
			}
			r.row++
			r.again = n - 1
			return r.fields, r.row, r.within()
		}
	}
}

// readCell reads a cell up to its end.
func (r *odsRows) readCell(cell xml.StartElement) (string, error) {
	if cell.Name.Local == "table-cell" && (repeats(cell, "number-columns-spanned") > 1 || repeats(cell, "number-rows-spanned") > 1) {
		r.said.merged++
	}
	var text []byte
	paragraphs, depth := 0, 1
	for depth > 0 {
		t, err := r.xml.tag()
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.StartElement:
			depth++
			switch e.Name.Local {
			case "p":
				if paragraphs++; paragraphs > 1 {
					text = append(text, '\n')
				}
			case "s":
				text = append(text, strings.Repeat(" ", min(repeats(e, "c"), 1000))...)
			case "tab":
				text = append(text, '\t')
			case "line-break":
				text = append(text, '\n')
			case "span", "a", "ruby", "ruby-base":
			default: // a comment, a picture
				if err := r.skip(); err != nil {
					return "", err
				}
				depth--
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth > 1 {
				text = append(text, e...)
			}
		}
		if len(text) > maxToken {
			return "", r.src.Errorf(r.row+1, 0, "the text of a cell is longer than %d MiB; check how the file was made", maxToken>>20)
		}
	}
	if cell.Name.Local == "covered-table-cell" {
		return "", nil
	}
	return r.cellText(cell, string(text))
}

// cellText returns the text of a cell that shows text.
func (r *odsRows) cellText(cell xml.StartElement, shown string) (string, error) {
	kind, calc := "", ""
	for _, a := range cell.Attr {
		switch {
		case a.Name.Local == "value-type" && a.Name.Space == "calcext":
			calc = a.Value
		case a.Name.Local == "value-type":
			kind = a.Value
		}
	}
	if calc == "error" || strings.HasPrefix(attr(cell, "formula"), "of:") && strings.HasPrefix(shown, "#") && strings.HasSuffix(shown, "!") {
		if r.said.errors++; r.said.wrong == "" {
			r.said.wrong = shown
		}
		return "", nil
	}
	value := ""
	switch kind {
	case "":
		if attr(cell, "formula") != "" && shown == "" {
			r.said.formulas++
		}
		return shown, nil
	case "string":
		return shown, nil
	case "float", "percentage", "currency":
		value = attr(cell, "value")
		if v, finite := number.Finite(value); finite {
			value = numberText(value, v)
		}
	case "boolean":
		value = attr(cell, "boolean-value")
		if value == "" {
			value = attr(cell, "value")
		}
	case "date":
		value = strings.TrimSuffix(attr(cell, "date-value"), "T00:00:00")
	case "time":
		value = clock(attr(cell, "time-value"))
	default:
		return "", r.src.Errorf(r.row+1, 0, "a cell is of kind %q, which is not known; save the file again", kind)
	}
	return value, nil
}

// clock returns a duration such as PT09H30M00S as a clock shows it, and another as it is.
func clock(duration string) string {
	rest, ok := strings.CutPrefix(duration, "PT")
	hours, rest, ok2 := strings.Cut(rest, "H")
	minutes, rest, ok3 := strings.Cut(rest, "M")
	seconds, rest, ok4 := strings.Cut(rest, "S")
	if !ok || !ok2 || !ok3 || !ok4 || rest != "" || len(minutes) != 2 || len(seconds) < 2 {
		return duration
	}
	if whole, part, _ := strings.Cut(seconds, "."); strings.Trim(part, "0") == "" {
		seconds = whole
	}
	return hours + ":" + minutes + ":" + seconds
}
