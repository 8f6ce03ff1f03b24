package files

import (
	"bytes"
	"io"
	"strings"
	"unicode"

	"lapsvm/dataset"
)

// binary recognises a binary format by its mark; that without a name is none.
func (s *source) binary() Format {
	head, _ := s.Peek(16) // an error comes again
	has := func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) }
	switch {
	case has(npyMagic):
		return npyFormat()
	case has(sqliteMagic):
		return sqliteFormat()
	case has("PAR1"):
		return parquetFormat()
	case has("ARROW1"), has("\xff\xff\xff\xff"):
		return arrowFormat()
	case has("MATLAB 5.0"):
		return matFormat()
	case len(head) > 8 && has("\x00\x00") && head[2] >= 0x08 && head[2] <= 0x0e && head[3] >= 1 && head[3] <= 4:
		return idxFormat()
	}
	return Format{}
}

// look recognises the format of a text by its beginning: the brackets of JSON, the pairs of LIBSVM, or the
// separator between the columns of the first lines, which may be blanks.
func (s *source) look() (Format, error) {
	const enough = 4096
	head, err := s.Peek(enough)
	if len(head) == 0 && err == io.EOF { // behind comments
		return Format{}, s.noRows()
	}
	if err != nil && len(head) == 0 {
		return Format{}, err
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return Format{}, s.foreign()
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	if len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return jsonlFormat(), nil
	}
	lines := strings.Split(string(text), "\n")
	for _, line := range lines { // behind comments
		if line = strings.TrimSpace(line); line != "" && line[0] != '%' {
			if word, _ := firstWord(line); strings.EqualFold(word, "@relation") {
				return arffFormat(), nil
			}
			break
		}
	}
	for len(lines) > 2 && isComment([]byte(lines[0])) && !strings.ContainsAny(lines[0], ",;\t|") {
		lines = lines[1:]
	}
	first := strings.Fields(lines[0])
	switch {
	case len(first) > 1 && isPair(first[1]):
		return svmFormat(), nil
	case strings.ContainsAny(lines[0], ",;\t|"):
		return csvFormat(), nil
	case len(first) > 1 && (len(lines) < 3 || fitsHeader(blankSeparated(lines[0]), blankSeparated(lines[1]))), namesOneColumn(lines):
		f := csvFormat()
		f.read = func(src *source, o Options) (*dataset.Dataset, error) {
			if err := src.passComments(func([]byte) byte { return ' ' }, o); err != nil {
				return nil, err
			}
			return readTable(src, ' ', o)
		}
		f.cut = func([]byte, Options) cut { return cutLines }
		return f, nil
	}
	return Format{}, s.unknown()
}

// fitsHeader reports whether a row may follow a first line of so many words, which may be the header of all but the names of the rows.
func fitsHeader(header, row int) bool { return row == header || row == header+1 }

// namesOneColumn reports whether lines are those of R where it writes a single column: its name, and below it a name and a value, names in quotes.
func namesOneColumn(lines []string) bool {
	return len(lines) > 2 && strings.HasPrefix(lines[0], `"`) && strings.HasPrefix(lines[1], `"`) && blankSeparated(lines[0]) == 1 && blankSeparated(lines[1]) == 2
}

// blankSeparated counts the words of a line, where blanks in quotes separate nothing.
func blankSeparated(line string) (n int) {
	quoted, blank := false, true
	for _, c := range line {
		was := blank
		blank = !quoted && unicode.IsSpace(c)
		if was && !blank {
			n++
		}
		quoted = quoted != (c == '"')
	}
	return n
}

// isPair reports whether a word is a pair of LIBSVM, such as 3:0.5.
func isPair(word string) bool {
	index, _, pair := strings.Cut(word, ":")
	_, ok := parseIndex([]byte(index))
	return pair && ok
}

// unknown asks for the format.
func (s *source) unknown() error {
	return dataset.Messagef("neither the name %q nor the first bytes tell the format; give %s %s", s.File, dataset.Option{Name: "Format"}, formatNames())
}
