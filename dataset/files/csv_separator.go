package files

import (
	"bytes"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
)

// saidSeparator returns the separator that the first line says, as Excel has it: sep=;
func saidSeparator(head []byte) (comma byte, said bool) {
	line, _, whole := bytes.Cut(bytes.TrimPrefix(head, []byte(byteOrderMark)), []byte{'\n'})
	line = bytes.Trim(bytes.TrimSpace(line), `"`)
	if !whole || len(line) != len("sep=;") && !bytes.EqualFold(line, []byte("sep=")) || !bytes.EqualFold(line[:4], []byte("sep=")) {
		return 0, false
	}
	if len(line) == 4 { // whose tab was trimmed
		return '\t', true
	}
	return line[4], true
}

// separatorOf returns what separates the columns of a CSV table that begins with head. It is ','
// if the first line has one that is neither in quotes nor of a decimal between ';'. Else it is
// that of ';', tab and '|' which the line has most of. A line with none of them, such as a title,
// leaves it to the lines below, where all have equally many.
func separatorOf(head []byte) byte {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \r\n")
	if decimalCommas(head) {
		return ';'
	}
	count, rest := separatorsIn(head)
	best := byte(',')
	for _, c := range []byte(";\t|") {
		if count[','] == 0 && count[c] > count[best] {
			best = c
		}
	}
	if count[','] > 0 || count[best] > 0 {
		return best
	}
	const few = 20
	below, rest := separatorsIn(rest)
	lines := 1
	for ; lines < few && bytes.IndexByte(rest, '\n') >= 0; lines++ {
		count, rest = separatorsIn(rest)
		for _, c := range []byte(";\t|") {
			if count[c] != below[c] {
				below[c] = 0
			}
		}
	}
	for _, c := range []byte(";\t|") {
		if lines > 1 && below[c] > below[best] {
			best = c
		}
	}
	return best
}

// separatorsIn counts the bytes outside of quotes in the first line of text, and returns what is behind the line.
func separatorsIn(text []byte) (count [256]int, rest []byte) {
	quoted := false
	for i, c := range text {
		quoted = quoted != (c == '"')
		switch {
		case c == '\n' && !quoted:
			return count, text[i+1:]
		case !quoted:
			count[c]++
		}
	}
	return count, nil
}

// decimalCommas reports whether the first line has semicolons and no commas but those of
// decimals between them.
func decimalCommas(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if bytes.IndexByte(line, ';') < 0 || bytes.IndexByte(line, ',') < 0 {
		return false
	}
	for field := range bytes.SplitSeq(chomp(line), []byte{';'}) {
		if bytes.IndexByte(field, ',') >= 0 && !number.DecimalComma(string(trim(field))) {
			return false
		}
	}
	return true
}

// separator refuses a single column of a TSV table that is several of a CSV table.
func (s *source) separator(fields [][]byte, comma byte, line int) error {
	at := bytes.IndexAny(fields[0], ",;|")
	if comma != '\t' || len(fields) > 1 || at < 0 {
		return nil
	}
	return s.Errorf(line, 1, "looks separated by %q: read it with %s", fields[0][at], dataset.Option{Name: "Format", Value: CSV})
}
