package files

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/xml"
)

// XLSX is the name of the format of this file: workbooks of Excel, and of what writes like it.
const XLSX = "xlsx"

func xlsxFormat() Format {
	return Format{
		Name: XLSX, Endings: []string{"xlsx", "xlsm"},
		Holds: "workbook of Excel, of which one sheet is read", Table: true, parts: "sheet",
		inZip: func(names []string) bool {
			return slices.Contains(names, "[Content_Types].xml") && slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "xl/") })
		},
		read: readXLSX,
	}
}

// workbook is what an Excel file says of its sheets.
// Source: ECMA-376, "Office Open XML File Formats", part 1, 18.2, 18.4 and 18.8.
type workbook struct {
	src     *source
	parts   map[string]*zip.File
	sheets  []sheet
	from    int  // days from 1970 back to the day 0
	anew    bool // formulas are to be calculated when it is opened, as their values are not known
	strings []string
	formats []cellFormat // by the style of a cell
}

// sheet is a sheet of a workbook.
type sheet struct {
	name, part string
	hidden     bool
}

func readXLSX(src *source, o Options) (*dataset.Dataset, error) {
	if err := src.isForeign(Format{}); err != nil {
		return nil, err
	}
	archive, err := src.zip("is no workbook of Excel, or a damaged one (%v); fetch or save the file again")
	if err != nil {
		return nil, err
	}
	if err := src.isOtherArchive(XLSX, namesIn(archive)); err != nil {
		return nil, err
	}
	w := &workbook{src: src, parts: map[string]*zip.File{}, from: 25569}
	for _, f := range archive.File {
		w.parts[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = f
	}
	if err := w.readBook(); err != nil {
		return nil, err
	}
	k, err := src.chooseSheet(w.sheets, func(k int) (sheetShape, error) {
		r, err := w.open(w.sheets[k], true)
		if err != nil {
			return noCells, err
		}
		defer r.xml.close()
		return shapeOf(r.next)
	})
	if err != nil {
		return nil, err
	}
	r, err := w.open(w.sheets[k], false)
	if err != nil {
		return nil, err
	}
	defer r.xml.close()
	d, err := src.readCells(cellTable{part: w.sheets[k].name, rows: r.next}, o)
	if err != nil {
		return nil, err
	}
	src.unread(d, "sheet", w.sheets[k].name, othersOf(w.sheets, k))
	r.said.tell(src, d, w.sheets[k].name)
	return d, nil
}

// chooseSheet returns the sheet that is wanted, or the first one with a table that is not hidden, by their shapes.
func (s *source) chooseSheet(sheets []sheet, shapeAt func(k int) (sheetShape, error)) (chosen int, err error) {
	if s.part != "" {
		names := make([]string, len(sheets))
		for k := range sheets {
			names[k] = sheets[k].name
		}
		return s.among("sheet", names)
	}
	chosen = -1
	best := noCells
	for k := range sheets {
		if best == cellsOfTable {
			break
		}
		if sheets[k].hidden {
			continue
		}
		shape, err := shapeAt(k)
		if err != nil {
			return 0, err
		}
		if shape > best {
			best, chosen = shape, k
		}
	}
	if chosen < 0 {
		hint := ""
		if slices.ContainsFunc(sheets, func(s sheet) bool { return s.hidden }) {
			hint = "; FILE#SHEET reads a hidden one"
		}
		return 0, s.Errorf(0, 0, "no sheet has a table%s; check how the file was made", hint)
	}
	return chosen, nil
}

// othersOf returns the names of the sheets that are not read.
func othersOf(sheets []sheet, chosen int) (others []string) {
	for k := range sheets {
		if k != chosen {
			name := sheets[k].name
			if sheets[k].hidden {
				name += " (hidden)"
			}
			others = append(others, name)
		}
	}
	return others
}

// sheetShape says what the cells of a sheet are.
type sheetShape int

const (
	noCells     sheetShape = iota
	cellsOfLine            // a row or a column
	cellsOfTable
)

// shapeOf returns the shape of a sheet by its first rows.
func shapeOf(next cellRows) (sheetShape, error) {
	const most, mostFilled = 1000, 100
	rows, widest := 0, 0
	for seen := 0; seen < most && rows < mostFilled && (rows < 2 || widest < 2); seen++ {
		fields, _, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		if n := filled(fields); n > 0 {
			rows, widest = rows+1, max(widest, n)
		}
	}
	switch {
	case rows == 0:
		return noCells, nil
	case rows < 2 || widest < 2:
		return cellsOfLine, nil
	}
	return cellsOfTable, nil
}

// readBook reads all parts but the sheets.
func (w *workbook) readBook() error {
	book := "xl/workbook.xml"
	if w.parts["_rels/.rels"] != nil {
		links, err := w.links("_rels/.rels", "")
		if err != nil {
			return err
		}
		for _, l := range links {
			if strings.HasSuffix(l.kind, "/officeDocument") {
				book = l.target
			}
		}
	}
	if path.Ext(book) == ".bin" {
		return w.src.Errorf(0, 0, "is a binary workbook of Excel (.xlsb), which is not read; save it as .xlsx, or as CSV")
	}
	if w.parts[book] == nil {
		return w.src.Errorf(0, 0, "is no workbook of Excel: it has no part %q; check how it was made", book)
	}
	folder := path.Dir(book)
	links, err := w.links(path.Join(folder, "_rels", path.Base(book)+".rels"), folder)
	if err != nil {
		return err
	}
	if err := w.readSheets(book, links); err != nil {
		return err
	}
	for _, l := range links {
		if w.parts[l.target] == nil {
			continue
		}
		switch {
		case strings.HasSuffix(l.kind, "/styles"):
			err = w.readStyles(l.target)
		case strings.HasSuffix(l.kind, "/sharedStrings"):
			err = w.readStrings(l.target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// relation is one of a part to another.
type relation struct{ id, kind, target string }

// links reads the relations of a part that lies in a folder.
func (w *workbook) links(name, folder string) (links []relation, err error) {
	err = w.each(name, func(x *markup, kind xml.Kind) error {
		if kind != xml.Start || x.Name().Local != "Relationship" {
			return nil
		}
		x.Use()
		if string(x.Attr("TargetMode")) == "External" {
			return nil
		}
		target := string(x.Attr("Target"))
		if !strings.HasPrefix(target, "/") {
			target = path.Join(folder, target)
		}
		links = append(links, relation{string(x.Attr("Id")), string(x.Attr("Type")), strings.ToLower(strings.TrimPrefix(target, "/"))})
		return w.src.Take(200, "the parts of the workbook")
	})
	return links, err
}

// each calls f for the tags and texts of a part, which may be missing.
func (w *workbook) each(name string, f func(x *markup, kind xml.Kind) error) error {
	part := w.parts[strings.ToLower(name)]
	if part == nil {
		return nil
	}
	x, err := w.src.openXML(part)
	if err != nil {
		return err
	}
	defer x.close()
	return x.each(func(kind xml.Kind) error { return f(x, kind) })
}

func (w *workbook) readSheets(book string, links []relation) error {
	err := w.each(book, func(x *markup, kind xml.Kind) error {
		if kind != xml.Start {
			return nil
		}
		switch x.Name().Local {
		case "workbookPr":
			if truth(x.Attr("date1904")) {
				w.from = 24107
			}
		case "calcPr":
			w.anew = w.anew || truth(x.Attr("fullCalcOnLoad"))
		case "sheet":
			x.Use()
			id := ""
			for _, a := range x.Attrs() {
				if a.Name.Local == "id" && a.Name.Prefix != "" {
					id = string(a.Value)
				}
			}
			k := slices.IndexFunc(links, func(l relation) bool { return l.id == id })
			if k < 0 || !strings.HasSuffix(links[k].kind, "/worksheet") || w.parts[links[k].target] == nil {
				return nil // a chart, or a sheet of macros
			}
			state := string(x.Attr("state"))
			w.sheets = append(w.sheets, sheet{string(x.Attr("name")), links[k].target, state == "hidden" || state == "veryHidden"})
			return w.src.Take(200, "the sheets of the workbook")
		}
		return nil
	})
	if err == nil && len(w.sheets) == 0 {
		return w.src.Errorf(0, 0, "the workbook has no sheets of cells; check how it was made")
	}
	return err
}

func truth(s []byte) bool { return string(s) == "1" || string(s) == "true" || string(s) == "on" }

// readStyles reads which styles show dates.
func (w *workbook) readStyles(name string) error {
	codes := map[int]string{}
	inside := false
	return w.each(name, func(x *markup, kind xml.Kind) error {
		switch local := x.Name().Local; {
		case kind == xml.End:
			inside = inside && local != "cellXfs"
			return nil
		case kind != xml.Start:
			return nil
		case local == "numFmt":
			if id, err := strconv.Atoi(string(x.Attr("numFmtId"))); err == nil {
				codes[id] = string(x.Attr("formatCode"))
			}
		case local == "cellXfs":
			inside = true
			return nil
		case local == "xf" && inside:
			id, _ := strconv.Atoi(string(x.Attr("numFmtId"))) // 0 shows a number
			code, given := codes[id]
			if !given {
				code = builtInFormat(id)
			}
			w.formats = append(w.formats, cellFormatOf(code))
		default:
			return nil
		}
		x.Use()
		return w.src.Take(100, "the styles of the workbook")
	})
}

// readStrings reads the texts that cells share.
func (w *workbook) readStrings(name string) error {
	var text textOfCell
	inside := false
	return w.each(name, func(x *markup, kind xml.Kind) error {
		if kind != xml.Text && x.Name().Local == "si" {
			if kind == xml.Start {
				text.begin()
			} else if inside {
				x.Use()
				s := string(text.decoded())
				w.strings = append(w.strings, s)
				if err := w.src.Take(3*16+len(s), "the texts of the workbook"); err != nil {
					return err
				}
			}
			inside = kind == xml.Start
		}
		if inside {
			return text.add(x, kind)
		}
		return nil
	})
}

// textOfCell joins the runs of a text, without its readings.
type textOfCell struct {
	text    []byte
	in      bool // of a run
	reading int
}

// begin begins a text.
func (c *textOfCell) begin() { *c = textOfCell{text: c.text[:0]} }

func (c *textOfCell) add(x *markup, kind xml.Kind) error {
	if kind == xml.Text {
		if c.in && c.reading == 0 {
			if len(c.text)+len(x.Text()) > maxToken {
				return x.src.Errorf(0, 0, "the text of a cell is longer than %d MiB; check how the file was made", maxToken>>20)
			}
			c.text = append(c.text, x.Text()...)
		}
		return nil
	}
	switch x.Name().Local {
	case "t":
		c.in = kind == xml.Start
	case "rPh":
		if kind == xml.Start {
			c.reading++
		} else {
			c.reading--
		}
	}
	return nil
}

// decoded returns the text; characters that XML cannot hold stand in it as _x000D_.
func (c *textOfCell) decoded() []byte {
	s := c.text
	if !bytes.Contains(s, []byte("_x")) {
		return s
	}
	var b []byte
	for k := 0; k < len(s); k++ {
		if k+7 <= len(s) && s[k] == '_' && s[k+1] == 'x' && s[k+6] == '_' {
			if n, err := strconv.ParseUint(string(s[k+2:k+6]), 16, 16); err == nil {
				b = utf8.AppendRune(b, rune(n))
				k += 6
				continue
			}
		}
		b = append(b, s[k])
	}
	return b
}
