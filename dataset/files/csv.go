package files

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// The names of the formats of this file.
const (
	CSV = "csv" // comma-separated table; by ';', tabs or '|' where the first line has no comma
	TSV = "tsv" // tab-separated table
)

func csvFormat() Format {
	f := separatedFormat(',', func(src *source, o *Options) (byte, error) {
		head, _ := src.Peek(src.Size()) // an error comes again
		comma, said := saidSeparator(head)
		if said {
			o.SkipLines = max(o.SkipLines, 1)
		}
		if err := src.skipLines(o.SkipLines); err != nil {
			return 0, err
		}
		o.SkipLines = 0
		if err := src.passComments(separatorOf, *o); err != nil {
			return 0, err
		}
		if !said {
			head, _ = src.Peek(src.Size())
			comma = separatorOf(head)
		}
		return comma, nil
	})
	f.Name, f.Endings, f.Holds = CSV, []string{"csv"}, "table separated by commas, or where its first line has none by semicolons, tabs or bars"
	return f
}

func tsvFormat() Format {
	f := separatedFormat('\t', func(src *source, o *Options) (byte, error) {
		err := src.skipLines(o.SkipLines)
		if o.SkipLines = 0; err == nil {
			err = src.passComments(func([]byte) byte { return '\t' }, *o)
		}
		return '\t', err
	})
	f.Name, f.Endings, f.Holds = TSV, []string{"tsv"}, "table separated by tabs"
	return f
}

// separatedFormat returns a text format of tables with a separator. comma separates what is written,
// and separator finds the one of a source. It may leave out lines by the options.
func separatedFormat(comma byte, separator func(*source, *Options) (byte, error)) Format {
	return Format{
		Table: true, text: true,
		cut: func(_ []byte, o Options) cut {
			if o.Quoting == QuotingNone {
				return cutLines
			}
			return cutRecords
		},
		read: func(src *source, o Options) (*dataset.Dataset, error) {
			comma, err := separator(src, &o)
			if err != nil {
				return nil, err
			}
			return readTable(src, comma, o)
		},
		write: func(w *bufio.Writer, d *dataset.Dataset, c classes) error {
			return writeTable(w, d, comma, c.file)
		},
		loses: func(d *dataset.Dataset) []string {
			if labelColumn(d, d.Features) == d.Label {
				return nil
			}
			return losesLabel(d)
		},
		writeSeries: func(w *bufio.Writer, all []dataset.Series) error {
			return writeTextSeries(w, rune(comma), all)
		},
	}
}

// readTable reads a CSV or TSV table. See [Options] for which column is what;
// errors count columns, not bytes.
func readTable(src *source, comma byte, o Options) (*dataset.Dataset, error) {
	if err := src.skipLines(o.SkipLines); err != nil {
		return nil, err
	}
	table, top, err := readRecords(src, comma, o)
	d, err := src.finish(table, err, src.Errorf(top, 0, "the table has a header but no rows; check how it was made"))
	if err == nil && src.Guessed && o.Encoding == nil {
		src.note(d, dataset.Note{Message: dataset.Messagef("decimals stand behind commas; if these separate thousands, give %s", dataset.Option{Name: "Decimal", Value: "."})})
	}
	src.noteComments(d)
	return d, err
}

// readRecords reads the rows of a table, of which the first line has the header or the first
// row.
func readRecords(src *source, comma byte, o Options) (table *dataset.Table, top int, err error) {
	quotes := o.Quoting != QuotingNone
	if comma == ';' && o.Decimal == "" {
		if err := src.guessDecimal(comma, quotes); err != nil {
			return nil, 0, err
		}
	}
	rec := records{lines: linesOf(src), comma: comma, quotes: quotes}
	fields, err := rec.next()
	if err == io.EOF {
		return nil, 0, src.noRows()
	}
	if err != nil {
		return nil, 0, err
	}
	width, top := len(fields), rec.line
	if err := src.separator(fields, comma, top); err != nil {
		return nil, top, err
	}
	var header []string
	if err := src.takeNames(width); err != nil {
		return nil, top, err
	}
	for c := range fields { // looking ahead moves what fields point to
		fields[c] = bytes.Clone(fields[c])
	}
	var ahead [][]string
	if src.mayBeAbove(fields, o) {
		if ahead, err = src.rowsAhead(comma, quotes); err != nil {
			return nil, top, err
		}
		unnamed, err := src.isAbove(fields, ahead, top, o)
		if err != nil {
			return nil, top, err
		}
		if unnamed >= 0 {
			fields = slices.Insert(fields, unnamed, nil)
			width++
		}
	}
	if src.named(fields, ahead, o) {
		for _, f := range fields {
			header = append(header, string(f))
		}
		if err := uniqueNames(&src.Origin, header, top); err != nil {
			return nil, top, err
		}
	}
	src.First = func() ([][]string, error) { return src.firstRows(comma, quotes, width) }
	layout, err := src.layout(header, width, top, o)
	if err != nil {
		return nil, top, err
	}
	if table, err = src.begin(layout); err != nil {
		return nil, top, err
	}
	blocks := blockReader{src: src, rec: &rec, table: table, width: width, top: top}
	begin, before := int64(0), 0 // of the rows
	if header != nil {
		begin, before = rec.lines.read, rec.lines.n
	}
	if src.narrow(begin, before) {
		rec.lines = linesOf(src)
	} else if header == nil {
		if err := blocks.row(fields); err != nil {
			return table, top, err
		}
	}
	if table.Batches() && comma != ' ' && src.comments == nil {
		err = blocks.read(o.Threads)
	} else {
		err = blocks.rows()
	}
	return table, top, err
}

// How far a table is looked at ahead: 2,000 rows of 2 kB.
const (
	rowsAhead  = 2000
	bytesAhead = 4 << 20
)

// firstRows returns the rows to come that have the right width, some thousand of them.
func (s *source) firstRows(comma byte, quotes bool, width int) ([][]string, error) {
	var rows [][]string
	err := s.lookAhead(comma, quotes, func(fields [][]byte) error {
		const field = 32 // bytes with a short text
		if err := s.Take(field*width, "the first rows"); err != nil || len(fields) != width {
			return err
		}
		row := make([]string, width)
		for c, field := range fields {
			row[c] = string(field)
		}
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// guessDecimal finds out whether decimals stand behind commas: among the first rows are numbers
// such as 3,14 and none such as 3.14. The point of 1.013 may stand between thousands, and the comma of 1,013 too: beside
// the one only a comma that cannot tells.
func (s *source) guessDecimal(comma byte, quotes bool) error {
	var commas, points struct{ some, sure bool }
	err := s.lookAhead(comma, quotes, func(fields [][]byte) error {
		for _, field := range fields {
			text, of, other := string(field), &commas, '.'
			switch {
			case bytes.IndexByte(field, ',') >= 0:
				if !number.DecimalComma(text) {
					continue
				}
			case bytes.IndexByte(field, '.') >= 0:
				if _, err := number.Parse(text); err != nil {
					continue
				}
				of, other = &points, ','
			default:
				continue
			}
			a, ok := number.ParseAmount(text)
			_, thousands := a.Value(other)
			of.some, of.sure = true, of.sure || !ok || !thousands
		}
		return nil
	})
	if commas.some && !points.sure && (commas.sure || !points.some) {
		s.Decimal, s.Guessed = ',', true
	}
	return err
}

// lookAhead calls f for the fields of the rows to come, some thousand of them, which are still
// to be read.
func (s *source) lookAhead(comma byte, quotes bool, f func(fields [][]byte) error) error {
	head := s.peek(bytesAhead)
	if len(head) == bytesAhead { // the last line is not whole
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	in := s.inner("", bytes.NewReader(head), bufferSize, "%v")
	if s.comments != nil {
		c := *s.comments
		in.comments = &c
	}
	before := s.Memory.Room()
	defer func() { s.Give(int(before - s.Memory.Room())) }()
	rec := records{lines: linesOf(in), comma: comma, quotes: quotes}
	for range rowsAhead {
		fields, err := rec.next()
		if err != nil { // told where it is read again
			break
		}
		if err := s.Take(len(rec.lines.long), "the first rows"); err != nil {
			return err
		}
		if err := f(fields); err != nil {
			return err
		}
	}
	return nil
}

// takeNames counts what the names of so many columns take.
func (s *source) takeNames(width int) error {
	const name = 120 // bytes with a short text, and its place in a map
	return s.Take(name*width, fmt.Sprintf("the names of %d columns", width))
}

// noRows refuses a file without rows.
func (s *source) noRows() error {
	return s.Errorf(0, 0, "the file has no rows; check how it was made")
}

// isHeader reports whether the first fields of a table are column names; see
// [Header].
func isHeader(fields [][]byte, ahead [][]string, decimal byte, o Options) bool {
	switch o.Header {
	case HeaderYes:
		return true
	case HeaderNo:
		return false
	}
	texts, present := make([]string, len(fields)), make(map[string]bool, len(fields))
	for c, f := range fields {
		texts[c] = string(f)
		present[texts[c]] = true
	}
	columns := o.Columns
	if o.Encoding.Learnt() {
		columns = nil
		if o.Encoding.Named {
			columns = o.Encoding.Needed()
		}
	}
	_, numeric := number.Finite(o.Label)
	called := func(name string) bool {
		return slices.ContainsFunc(texts, func(s string) bool { return strings.EqualFold(s, name) })
	}
	if called("label") || o.Label != "" && !numeric && called(o.Label) {
		return true
	}
	if len(columns) > 0 && !slices.ContainsFunc(columns, func(name string) bool { return !present[name] }) {
		return true
	}
	return looksLikeNames(texts, ahead, decimal)
}

// looksLikeNames reports whether no field is a number, and some are words. Among words a field without any is a name that is missing, and
// Na may be a name, unless more than half of the words come again in the rows ahead, as values do.
func looksLikeNames(fields []string, ahead [][]string, decimal byte) bool {
	words, again := 0, 0
	for c, s := range fields {
		if _, err := number.Parse(s); err == nil && !number.Common(s) || decimal == ',' && number.DecimalComma(s) {
			return false
		}
		if number.Common(s) {
			continue
		}
		if words++; slices.ContainsFunc(ahead, func(row []string) bool { return c < len(row) && row[c] == s }) {
			again++
		}
	}
	return words == len(fields) || words > 0 && len(ahead) > 0 && 2*again <= words
}

// uniqueNames refuses a header that uses a name twice. Columns without a name
// are allowed. The line is that of the header, 0 where there is none.
func uniqueNames(origin *dataset.Origin, header []string, line int) error {
	first := make(map[string]int, len(header))
	for c, name := range header {
		if at, twice := first[name]; twice && name != "" {
			return origin.Errorf(line, c+1, "columns %d and %d are both called %q; rename one", at+1, c+1, name)
		}
		first[name] = c
	}
	return nil
}

// labelColumn returns the name of the label column beside those of features. It is that of the data set, or "label" if it has none or the header would
// not be recognised.
func labelColumn(d *dataset.Dataset, features []string) string {
	if d.Label == "" || features != nil && !looksLikeNames(features, nil, 0) || !looksLikeNames([]string{d.Label}, nil, 0) {
		return "label"
	}
	return d.Label
}

// writeTable writes a table with a header and the labels in its last column,
// empty where there is none. Without names the features are called x1 to xd.
// The label column is called as labelColumn says.
func writeTable(w *bufio.Writer, d *dataset.Dataset, comma byte, name string) error {
	width := d.Points.Dim()
	header := slices.Clone(d.Features)
	for j := len(header); j < width; j++ {
		header = append(header, "x"+strconv.Itoa(j+1))
	}
	label := labelColumn(d, header)
	header = append(header, label)
	if err := uniqueNames(&dataset.Origin{File: name}, header, 0); err != nil {
		return err
	}
	for j, name := range header {
		if j > 0 {
			w.WriteByte(comma)
		}
		writeField(w, name, comma)
	}
	w.WriteByte('\n')

	row := make([]float64, width)
	for i := range d.Points.Len() {
		d.Points.CopyRow(row, i)
		for _, v := range row {
			w.Write(append(appendNumber(w.AvailableBuffer(), v), comma))
		}
		if y := d.Y[i]; y != dataset.Unlabelled {
			writeField(w, d.Classes[y], comma)
		}
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// writeField writes text, in quotes unless it is plain ASCII without a
// separator, a quote, or a blank at either end.
func writeField(w *bufio.Writer, s string, comma byte) {
	plain := s == strings.Trim(s, " ")
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != comma
	}
	if plain {
		w.WriteString(s)
		return
	}
	w.WriteByte('"')
	w.WriteString(strings.ReplaceAll(s, `"`, `""`))
	w.WriteByte('"')
}
