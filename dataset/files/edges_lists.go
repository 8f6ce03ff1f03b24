package files

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"lapsvm/dataset/internal/quote"
)

// eachLine calls f for the lines of a list that are neither empty nor comments.
func eachLine(src *source, comments bool, f func(n int, line string) error) error {
	lines := linesOf(src)
	for {
		line, err := lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 || comments && isComment(line) {
			continue
		}
		if !utf8.Valid(line) {
			return src.Errorf(lines.n, 0, "%s is not UTF-8; save the file as UTF-8", quote.Field(line))
		}
		if err := f(lines.n, string(line)); err != nil {
			return err
		}
	}
}

// cells cuts a line at its tabs, or where it has none at its blanks.
func cells(line string) []string {
	if !strings.Contains(line, "\t") {
		return strings.Fields(line)
	}
	fields := strings.Split(line, "\t")
	for k := range fields {
		fields[k] = strings.TrimSpace(fields[k])
	}
	return fields
}

// readAdjacency reads an adjacency list of networkx: in each line a node and those that it is joined to. In the list of several lines a line has a node
// and their number, and each of them follows in a line of its own, with its attributes.
func readAdjacency(src *source, rows ends) (*network, error) {
	w := newNetwork(&src.Origin, "id", "id")
	first, several := "", false
	var from int32
	expected := 0 // lines of the node that are to come
	add := func(n int, line string) (err error) {
		fields := cells(line)
		if several && expected == 0 {
			if len(fields) != 2 {
				return src.Errorf(n, 0, "there are %d words where a node and the number of its lines are expected", len(fields))
			}
			if expected, err = strconv.Atoi(fields[1]); err != nil || expected < 0 {
				return src.Errorf(n, 0, "%s is no number of lines", quote.Field([]byte(fields[1])))
			}
			from, err = w.node(fields[0], n)
			return err
		}
		if several {
			expected--
			name, attributes, _ := strings.Cut(line, " ")
			to, err := w.node(name, n)
			if err != nil {
				return err
			}
			weight, err := w.dictWeight(attributes)
			if err != nil {
				return src.Errorf(n, 0, "%s", err)
			}
			return w.link(from, to, weight)
		}
		if from, err = w.node(fields[0], n); err != nil {
			return err
		}
		for _, name := range fields[1:] {
			if name == "" {
				continue
			}
			to, err := w.node(name, n)
			if err == nil {
				err = w.link(from, to, 1)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	number := 0 // of the first line
	err := eachLine(src, !rows.commented(), func(n int, line string) error {
		if number == 0 {
			first, number = line, n
			return nil
		}
		if first != "" {
			several = severalLines.MatchString(first) && edgeDict.MatchString("x "+line)
			held := first
			first = ""
			if err := add(number, held); err != nil {
				return err
			}
		}
		return add(n, line)
	})
	if err == nil && first != "" {
		err = add(number, first)
	}
	if err == nil && number == 0 {
		err = src.noRows()
	}
	if err == nil && expected > 0 {
		err = src.Errorf(0, 0, "the file ends before %d lines that the last node has; fetch or write it again", expected)
	}
	return w, err
}

var (
	severalLines = regexp.MustCompile(`^\S+\s+\d+$`)
	edgeDict     = regexp.MustCompile(`^(\S+)\s+(\S+)\s+(\{.*\})$`)
)

// beginsEdgeDicts reports whether the first line that is no comment is an edge with its attributes, as networkx writes it.
func beginsEdgeDicts(head []byte) bool {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && !isComment(line) {
			return edgeDict.Match(line)
		}
		head = rest
	}
	return false
}

// readEdgeDicts reads an edge list of networkx: in each line two nodes, and the attributes of their edge as Python writes them.
func readEdgeDicts(src *source, rows ends) (*network, error) {
	w := newNetwork(&src.Origin, "id", "id")
	return w, eachLine(src, !rows.commented(), func(n int, line string) error {
		parts := edgeDict.FindStringSubmatch(line)
		if parts == nil {
			return src.Errorf(n, 0, "%s is no edge of two nodes without blanks and its attributes in braces", quote.Field([]byte(line)))
		}
		from, err := w.node(parts[1], n)
		if err != nil {
			return err
		}
		to, err := w.node(parts[2], n)
		if err != nil {
			return err
		}
		weight, err := w.dictWeight(parts[3])
		if err != nil {
			return src.Errorf(n, 0, "%s", err)
		}
		return w.link(from, to, weight)
	})
}

// dictWeight returns the weight among the attributes of an edge, which Python wrote as a dict; without one it is 1.
func (w *network) dictWeight(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 1, nil
	}
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return 0, fmt.Errorf("%s is no dict of attributes, such as {'weight': 1.5}", quote.Field([]byte(text)))
	}
	weights := weighing{}
	for rest := text[1 : len(text)-1]; strings.TrimSpace(rest) != ""; {
		var item string
		item, rest = cutDict(rest, ',')
		key, value := cutDict(item, ':')
		name, value := withoutQuotes(key), strings.TrimSpace(value)
		if name == "" || value == "" {
			return 0, fmt.Errorf("%s is no attribute and its value, such as 'weight': 1.5", quote.Field([]byte(item)))
		}
		if !isWeight(name) {
			w.leaveOut(name + " of edges")
			continue
		}
		if number, is := strings.CutSuffix(value, ")"); is { // as NumPy 2 writes np.float64(1.5)
			if _, value, is = strings.Cut(number, "("); !is {
				value = number
			}
		}
		if err := weights.add(withoutQuotes(value)); err != nil {
			return 0, err
		}
	}
	return weights.value()
}

// cutDict cuts a text at the first separator that stands in no quotes and no brackets.
func cutDict(text string, separator byte) (before, after string) {
	depth := 0
	var open byte // the quote that is open
	for k := 0; k < len(text); k++ {
		switch c := text[k]; {
		case open != 0 && c == '\\':
			k++
		case open != 0:
			if c == open {
				open = 0
			}
		case c == '\'' || c == '"':
			open = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == separator && depth == 0:
			return text[:k], text[k+1:]
		}
	}
	return text, ""
}

// withoutQuotes returns a text of Python without its quotes.
func withoutQuotes(text string) string {
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && (text[0] == '\'' || text[0] == '"') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}
