package dataset

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// layout says what the columns of a table are.
type layout struct {
	label     int      // column of the labels, −1 where there is none
	features  []int    // columns of the features, in order
	names     []string // of the features, nil without a header
	labelName string
}

// layoutOf finds the label and the features among width columns, called header
// unless that is nil. The line is that of the header or of the first row.
func (s *source) layoutOf(header []string, width, line int, o Options) (layout, error) {
	var l layout
	var err error
	if l.label, err = s.labelColumn(header, width, line, o); err != nil {
		return l, err
	}
	if header != nil && l.label >= 0 {
		l.labelName = header[l.label]
	}
	if header != nil && len(o.Columns) > 0 {
		l.features, err = s.named(header, line, o.Columns)
		l.names = slices.Clone(o.Columns)
		return l, err
	}
	for c := range width {
		if c == l.label {
			continue
		}
		l.features = append(l.features, c)
		if header != nil {
			l.names = append(l.names, header[c])
		}
	}
	switch d := len(l.features); {
	case d == 0:
		return l, s.errorf(line, 1, "the only column is taken for the labels, so there are no features; add a feature column, or say with --features 1 that it is one")
	case o.Features > 0 && d != o.Features:
		which := "no label column"
		if l.label >= 0 {
			which = fmt.Sprintf("labels in column %d", l.label+1)
		}
		return l, s.errorf(line, 0, "there are %d feature columns (%s), but %d are expected; give a file with %d, or name the label column with --label", d, which, o.Features, o.Features)
	}
	return l, nil
}

// labelColumn returns the column of the labels, or −1 where there is none.
func (s *source) labelColumn(header []string, width, line int, o Options) (int, error) {
	name := o.Label
	if name == "" {
		name = "label"
	}
	if c := slices.Index(header, name); c >= 0 && (o.Label != "" || !slices.Contains(o.Columns, name)) {
		return c, nil
	}
	if width == o.Features || header != nil && len(o.Columns) > 0 {
		return -1, nil
	}
	k, err := strconv.Atoi(o.Label)
	switch {
	case o.Label == "":
		return width - 1, nil
	case err == nil && 1 <= k && k <= width:
		return k - 1, nil
	case err == nil:
		return 0, s.errorf(line, 0, "there is no column %d; choose the label column with --label 1 to --label %d", k, width)
	case header == nil:
		return 0, s.errorf(line, 0, "the columns have no names, so none is called %q; choose the label column with --label 1 to --label %d, or say that the first line is a header", o.Label, width)
	}
	return 0, s.errorf(line, 0, "no column is called %q; choose the label column with --label among %s", o.Label, list(header))
}

// named returns the columns with the wanted names.
func (s *source) named(header []string, line int, wanted []string) ([]int, error) {
	var columns []int
	var missing []string
	for _, name := range wanted {
		c := slices.Index(header, name)
		if c < 0 {
			missing = append(missing, name)
			continue
		}
		columns = append(columns, c)
	}
	if missing != nil {
		return nil, s.errorf(line, 0, "these feature columns are missing: %s; add them (the file has %s)", list(missing), list(header))
	}
	return columns, nil
}

// uniqueNames refuses a header that uses a name twice. Columns without a name
// are allowed.
func (s *source) uniqueNames(header []string, line int) error {
	first := make(map[string]int, len(header))
	for c, name := range header {
		if at, twice := first[name]; twice && name != "" {
			return s.errorf(line, c+1, "columns %d and %d are both called %q; rename one", at+1, c+1, name)
		}
		first[name] = c
	}
	return nil
}

// valueProblem says why text, which parse read with err, is no
// finite number and what to do, and whether it is a word.
func valueProblem(text []byte, err error) (msg string, word bool) {
	s := string(text)
	v, _ := parse(s)
	switch {
	case s == "":
		return "the value is empty; fill it in or remove the row", false
	case isMissing(s):
		return fmt.Sprintf("the value is missing (%s); fill it in or remove the row", shown(text)), false
	case err == nil:
		return fmt.Sprintf("%s is not finite; replace it by a number or remove the row", shown(text)), false
	case bytes.IndexByte(text, ';') >= 0:
		return fmt.Sprintf("%s looks separated by ';'; separate columns by ',' or tabs and write decimal points", shown(text)), false
	case decimalComma(s):
		return fmt.Sprintf("%s has a decimal comma; write numbers with a decimal point", shown(text)), false
	case math.IsInf(v, 0):
		return fmt.Sprintf("%s is too large for a double; rescale the values", shown(text)), false
	}
	return fmt.Sprintf("%s is not a number; correct or remove it", shown(text)), true
}

// decimalComma reports whether s is a number once its only comma is a point.
func decimalComma(s string) bool {
	_, ok := number(strings.Replace(s, ",", ".", 1))
	return ok && strings.Contains(s, ",")
}
