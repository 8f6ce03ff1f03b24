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
	asked     map[int]Kind // of the columns that the options name
	kept      []int        // columns to keep as text
}

// layoutOf finds the label and the features among width columns, called header
// unless that is nil. The line is that of the header or of the first row. With
// an encoding the features are its columns, −1 for those that are not needed.
func (s *source) layoutOf(header []string, width, line int, o Options) (layout, error) {
	if o.Encoding.known() {
		return s.encodedLayout(header, width, line, o)
	}
	l, err := s.plainLayout(header, width, line, o)
	if err == nil && o.Encoding == nil {
		l.asked, err = s.askedKinds(header, width, line, l, o)
	}
	for _, c := range l.features {
		if l.asked[c] == ID {
			l.kept = append(l.kept, c)
		}
	}
	return l, err
}

// encodedLayout finds the columns of an encoding: by name, or all by position.
func (s *source) encodedLayout(header []string, width, line int, o Options) (layout, error) {
	e := o.Encoding
	named := header != nil && e.Named
	o.Columns, o.Features = nil, len(e.Columns)
	if named {
		o.Columns = e.needed()
	}
	found, err := s.plainLayout(header, width, line, o)
	l := layout{label: found.label, labelName: found.labelName}
	if err != nil {
		return l, err
	}
	place := 0 // in found
	for k := range e.Columns {
		c := &e.Columns[k]
		at := -1
		switch {
		case !named || c.Width() > 0:
			at = found.features[place]
			place++
		case c.Kind == ID:
			at = slices.Index(header, c.Name)
		}
		if c.Kind == ID && at >= 0 {
			l.kept = append(l.kept, at)
		}
		if c.Width() == 0 {
			at = -1
		}
		l.features = append(l.features, at)
	}
	return l, nil
}

// askedKinds returns the kinds that the options give to columns.
func (s *source) askedKinds(header []string, width, line int, l layout, o Options) (map[int]Kind, error) {
	asked := make(map[int]Kind)
	for _, ask := range []struct {
		kind  Kind
		flag  string
		names []string
	}{{Text, "--text", o.Text}, {Category, "--category", o.Category}, {ID, "--id", o.ID}, {Dropped, "--ignore", o.Ignore}} {
		for _, name := range ask.names {
			c := slices.Index(header, name)
			if k, err := strconv.Atoi(name); c < 0 && err == nil && 1 <= k && k <= width && s.rows != byLine {
				c = k - 1
			}
			switch {
			case c < 0 && header == nil:
				return nil, s.errorf(line, 0, "the columns have no names, so none is called %q; give %s 1 to %s %d", name, ask.flag, ask.flag, width)
			case c < 0:
				return nil, s.errorf(line, 0, "no column is called %q; choose for %s among %s", name, ask.flag, list(header))
			case c == l.label:
				return nil, s.errorf(line, c+1, "%s names the column of the labels; choose another with --label, or leave it out of %s", ask.flag, ask.flag)
			case asked[c] != "" && asked[c] != ask.kind:
				return nil, s.errorf(line, c+1, "the column %q is to be both %s and %s; ask for one", name, asked[c], ask.kind)
			}
			asked[c] = ask.kind
		}
	}
	return asked, nil
}

// keep returns where the text of columns goes: all of them, or those of l.kept;
// nil where there are none.
func (l *layout) keep(header []string, width int, all bool) *Kept {
	if all {
		l.kept = nil
		for c := range width {
			l.kept = append(l.kept, c)
		}
	}
	if len(l.kept) == 0 {
		return nil
	}
	k := new(Kept)
	for _, c := range l.kept {
		name := "x" + strconv.Itoa(c+1)
		if header != nil {
			name = header[c]
		}
		k.Names = append(k.Names, name)
	}
	return k
}

// plainLayout finds the label and the features without regard to an encoding.
func (s *source) plainLayout(header []string, width, line int, o Options) (layout, error) {
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
	}
	if s.rows == byLine { // keys have no order
		slices.SortFunc(l.features, func(a, b int) int { return strings.Compare(header[a], header[b]) })
	}
	if header != nil {
		for _, c := range l.features {
			l.names = append(l.names, header[c])
		}
	}
	switch d := len(l.features); {
	case d == 0 && s.rows == byLine:
		return l, s.errorf(line, 0, "there are no features; give an array of numbers as vector, or numbers and words by name")
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
	case s.rows == byLine && o.Label == "":
		return -1, nil // keys have no order
	case s.rows == byLine:
		return 0, s.errorf(line, 0, "no object has the key %q; choose the labels' key with --label among %s", o.Label, list(header))
	case o.Label == "":
		return width - 1, nil
	case err == nil && 1 <= k && k <= width:
		return k - 1, nil
	case err == nil:
		return 0, s.errorf(line, 0, "there is no column %d; choose the label column with --label 1 to --label %d", k, width)
	case header == nil:
		return 0, s.errorf(line, 0, "the columns have no names, so none is called %q; choose the label column with --label 1 to --label %d; if the first line is a header, give --header yes", o.Label, width)
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
		return fmt.Sprintf("%s has a ';'; if that separates the columns, write decimal points in place of commas", shown(text)), false
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
