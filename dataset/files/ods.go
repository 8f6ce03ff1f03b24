package files

import (
	"archive/zip"
	"io"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/xml"
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
	sheets  []sheet // that are known
	all     bool    // all are
	styles  odsStyles
}

// The namespaces of names that others have too.
const (
	odsTable = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
	odsCalc  = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
)

func readODS(src *source, o Options) (*dataset.Dataset, error) {
	if err := src.isForeign(Format{}); err != nil {
		return nil, err
	}
	archive, err := src.zip("is no spreadsheet, or a damaged one (%v); fetch or save the file again")
	if err != nil {
		return nil, err
	}
	if err := src.isOtherArchive(ODS, namesIn(archive)); err != nil {
		return nil, err
	}
	w := &openDocument{src: src, styles: newODSStyles(src)}
	var styles *zip.File
	for _, f := range archive.File {
		switch f.Name {
		case "content.xml":
			w.content = f
		case "styles.xml":
			styles = f
		case "META-INF/manifest.xml":
			if err := w.isLocked(f); err != nil {
				return nil, err
			}
		}
	}
	if w.content == nil {
		return nil, src.Errorf(0, 0, "is no spreadsheet: it has no part content.xml; check how it was made")
	}
	if styles != nil {
		if err := w.styles.read(styles); err != nil {
			return nil, err
		}
	}
	k, err := w.choose()
	if err != nil {
		return nil, err
	}
	r, err := w.open()
	if err != nil {
		return nil, err
	}
	defer r.xml.close()
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
	defer x.close()
	return x.each(func(kind xml.Kind) error {
		if kind == xml.Start && x.Name().Local == "encryption-data" {
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
	defer x.close()
	var shapes []sheetShape
	err = w.readSheets(x, func(k int) (bool, error) {
		shape := noCells
		var err error
		if w.src.part == "" && !w.sheets[k].hidden {
			r := newODSRows(w, x, k)
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
func (w *openDocument) readSheets(x *markup, done func(k int) (bool, error)) error {
	for {
		kind, err := x.next()
		if err == io.EOF {
			w.all = true
			return nil
		}
		if err != nil {
			return err
		}
		if kind != xml.Start {
			continue
		}
		switch local := x.Name().Local; {
		case local == "table-row":
			x.Use()
		case isSheet(x):
			name := string(x.Attr("name"))
			kept := strings.HasPrefix(name, "'file:") // of another file
			w.sheets = append(w.sheets, sheet{name: name, hidden: kept || w.styles.hidden[string(x.Attr("style-name"))]})
			if err := w.src.Take(200+len(name), "the sheets of the spreadsheet"); err != nil {
				return err
			}
			if end, err := done(len(w.sheets) - 1); end || err != nil {
				return err
			}
		case len(w.sheets) == 0:
			if err := w.styles.add(x); err != nil {
				return err
			}
		}
	}
}

// isSheet reports whether a tag begins a sheet. Tables within cells have no names.
func isSheet(x *markup) bool {
	return x.Name().Local == "table" && x.Space(x.Name()) == odsTable && len(x.Attr("name")) > 0 && string(x.Attr("is-sub-table")) != "true"
}
