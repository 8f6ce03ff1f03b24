package files

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
	"lapsvm/points"
)

// columnFile is a file of typed columns. The columns are numbered in their order.
type columnFile interface {
	isNumber(c int) bool  // holds numbers or booleans
	isBoolean(c int) bool // holds booleans
	isList(c int) bool    // holds lists of numbers
	isWords(c int) bool   // holds lists of words
	isSingle(c int) bool  // holds numbers, or lists of them, that float32 holds exactly by their type
	hasText(c int) bool   // values can become fields and labels; lists can become fields too

	// readNumbers reads a column for each feature into t.values and the labels. A
	// value that is no finite number is an error: errNoNumber unless t.o.strict().
	readNumbers(features []int) error

	// readLists reads the features from a column of lists, and the labels. Of both the
	// rows that the source keeps.
	readLists(c int) error

	// eachRow calls f for the rows from ≤ row < to with the text of the wanted columns, empty
	// where there is no value. The column label has the spelling of labels. A list is its numbers or
	// words as JSON has them.
	eachRow(from, to int, wanted []bool, label int, f func(fields [][]byte) error) error
}

// columnTable makes a dataset of a file of columns.
type columnTable struct {
	src    *source
	o      Options
	file   columnFile
	header []string
	others []string       // columns that are not read
	places map[string]int // of the columns, by name
	labels *dataset.Labels
	label  int // column of the labels, −1 where there is none
	from   int // the first row that is read,
	to     int // and behind the last; of ranks these differ
	values stored
	width  int // of a row of values; 0 before the first list

	rounded map[int]bool // features that are read as numbers and have whole ones that were rounded
}

// newColumnTable takes the names of all columns, for which [source.takeNames] has been
// called, and what [leaveOut] tells of them.
func newColumnTable(src *source, o Options, file columnFile, names []string, read []int, others []string) (t columnTable, err error) {
	src.Rows = dataset.Records
	if err := uniqueNames(&src.Origin, names, 0); err != nil {
		return t, err
	}
	if len(read) == 0 {
		return t, src.Errorf(0, 0, "no column holds numbers, strings, booleans, dates, times or lists of numbers or words: %s; write a file with such columns", quote.Names(others))
	}
	t = columnTable{src: src, o: o, file: file, others: others, places: make(map[string]int, len(read)), label: -1, to: math.MaxInt, rounded: make(map[int]bool), labels: dataset.NewLabels(&src.Origin, false, o.rules())}
	for k, c := range read {
		t.header = append(t.header, names[c])
		t.places[names[c]] = k
	}
	return t, nil
}

// nameSet returns a set of names.
func nameSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// errNoNumber tells that a column of numbers has a value that is none.
var errNoNumber = errors.New("files: a value that is no number")

// read decides what the columns hold and reads them. Every column is a feature, or those of
// Options.Columns. A column of lists of numbers that is the only one, beside the labels and
// Options.ID, is all features: their numbers as they are.
//
// Columns of numbers are read as they are. Where there are other columns or missing values, rows are
// fields as in a CSV table: numbers, strings, booleans, dates, timestamps and lists as text, null and
// NaN as missing. Labels are any of these but lists; beside the only column, one of lists, the
// label column is found by name only.
func (t *columnTable) read() (*dataset.Dataset, error) {
	d, err := t.readAll()
	if err == nil {
		t.notRead(d)
	}
	return d, err
}

func (t *columnTable) readAll() (*dataset.Dataset, error) {
	d := &dataset.Dataset{}
	set := t.src.set
	list := t.onlyList()
	if list >= 0 && set != nil {
		return nil, errApart
	}
	var layout *dataset.Layout
	var err error
	if list >= 0 {
		err = t.lists(list)
	} else {
		t.src.First = t.firstRows
		if layout, err = t.src.layout(t.header, len(t.header), 0, t.o); err != nil {
			return nil, err
		}
		if set != nil && (set.typed || set.table != nil) {
			return t.readFields(layout)
		}
		if d.Guessed = layout.Guessed(); !t.plain(layout) {
			return t.readFields(layout)
		}
		if set != nil {
			return nil, errApart
		}
		t.label, d.Features, t.width = layout.Label, layout.Names, len(layout.Features)
		err = t.numbers(layout.Features)
	}
	total, err := t.src.Ranks.Settle(max(t.labels.Len(), t.values.len()), err, errNoNumber)
	if err == errNoNumber {
		t.src.Give(t.values.storage.Size() * t.values.len())
		t.values = stored{}
		return t.readFields(layout)
	}
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return nil, t.src.noRows()
	}
	if t.label >= 0 {
		d.Label = t.header[t.label]
	}
	n := t.values.len() / t.width
	d.Points = t.values.points(n, t.width)
	for c, name := range t.header {
		if t.rounded[c] {
			d.DoubtRounded(name)
		}
	}
	if err := t.labels.Finish(d); err != nil {
		return nil, err
	}
	if len(d.Y) != n {
		return nil, t.src.Errorf(0, 0, "there are %d labels for %d rows; write the file again", len(d.Y), n)
	}
	var ids []int
	for _, name := range t.o.ID {
		if c, found := t.places[name]; found {
			ids = append(ids, c)
		}
	}
	d.Kept, err = t.keep(ids, t.labels.Len())
	return d, err
}

// errEnough ends a reading.
var errEnough = errors.New("files: rows enough")

// firstRows returns the text of the first rows.
func (t *columnTable) firstRows() ([][]string, error) {
	before := t.src.Memory.Room()
	defer func() { t.src.Give(int(before - t.src.Memory.Room())) }()
	wanted := make([]bool, len(t.header))
	for c := range wanted {
		wanted[c] = t.hasField(c)
	}
	var rows [][]string
	var full error
	_ = t.file.eachRow(0, rowsAhead, wanted, -1, func(fields [][]byte) error { // another error comes again
		const header = 32 // bytes of a field with a short text
		size := 0
		for _, field := range fields {
			size += header + len(field)
		}
		if full = t.src.Take(size, "the first rows"); full != nil {
			return full
		}
		row := make([]string, len(fields))
		for c, field := range fields {
			row[c] = string(field)
		}
		rows = append(rows, row)
		return nil
	})
	return rows, full
}

// plain reports whether the columns can be read as numbers.
func (t *columnTable) plain(layout *dataset.Layout) bool {
	return t.o.strict() || layout.Plain() && !slices.ContainsFunc(layout.Features, func(c int) bool {
		return !t.file.isNumber(c) || t.file.isBoolean(c)
	})
}

// numbers reads columns of numbers.
func (t *columnTable) numbers(features []int) error {
	var others []string
	for _, c := range features {
		if !t.file.isNumber(c) {
			others = append(others, t.header[c])
		}
	}
	if others != nil {
		return t.src.Errorf(0, 0, "these columns hold no numbers: %s; leave them out by naming the features with %s, or give %s if one holds the labels", quote.Names(others), dataset.Option{Name: "Columns"}, dataset.Option{Name: "Label"})
	}
	if err := t.checkLabels(); err != nil {
		return err
	}
	t.keepAs(features)
	return t.file.readNumbers(features)
}

// keepAs chooses what the values of columns are kept in.
func (t *columnTable) keepAs(columns []int) {
	if !slices.ContainsFunc(columns, func(c int) bool { return !t.file.isSingle(c) }) {
		t.values.storage = points.Float32
	}
}

// extend makes room for so many more values, of which it returns the place.
func (t *columnTable) extend(more int) (at int, err error) {
	if err := t.src.Going((t.values.len() + more) / max(t.width, 1)); err != nil && t.width > 0 {
		return 0, err
	}
	if err := t.src.Take(t.values.storage.Size()*more, "the values"); err != nil {
		return 0, err
	}
	at = t.values.len()
	t.values.extend(more)
	return at, nil
}

// hasField reports whether the values of a column can become fields of a table.
func (t *columnTable) hasField(c int) bool { return t.file.hasText(c) || t.file.isList(c) }

// onlyList returns the column of lists that is all features, −1 where there is none.
func (t *columnTable) onlyList() int {
	if t.o.TextAlone || t.o.Encoding.Learnt() || t.o.Encoding == nil && t.o.shaped() {
		return -1
	}
	columns, others := nameSet(t.o.Columns), nameSet(append(t.o.left(), t.o.ID...))
	t.labelByName()
	list := -1
	for c, name := range t.header {
		wanted := len(columns) == 0 && !others[name] && c != t.label || columns[name]
		switch {
		case !wanted, t.o.strict() && !t.file.isList(c):
		case list >= 0 || !t.file.isList(c):
			return -1
		default:
			list = c
		}
	}
	return list
}

// lists reads the column of lists that is all features.
func (t *columnTable) lists(column int) error {
	for _, name := range t.o.ID {
		if _, found := t.places[name]; !found {
			return t.src.Errorf(0, 0, "no column is called %q%s; choose for %s among %s", name, quote.Meant(name, t.header), dataset.Option{Name: "ID"}, quote.Names(t.header))
		}
	}
	if t.label < 0 && t.o.Label != "" && t.o.Features == 0 {
		return t.src.Errorf(0, 0, "no column is called %q%s; choose the label column with %s among %s", t.o.Label, quote.Meant(t.o.Label, t.header), dataset.Option{Name: "Label"}, quote.Names(t.header))
	}
	if err := t.checkLabels(); err != nil {
		return err
	}
	t.keepAs([]int{column})
	return t.file.readLists(column)
}

// labelByName finds the column of labels beside one of lists, −1 where there is none.
func (t *columnTable) labelByName() {
	name := cmp.Or(t.o.Label, "label")
	t.label = -1
	if c, found := t.places[name]; found {
		t.label = c
	}
	if k, err := strconv.Atoi(name); t.label < 0 && err == nil && 1 <= k && k <= len(t.header) {
		t.label = k - 1
	}
}

// checkLabels refuses a column of labels that holds none.
func (t *columnTable) checkLabels() error {
	switch {
	case t.label < 0:
		return nil
	case t.file.isWords(t.label) && t.o.Several == "":
		return t.src.Errorf(0, 0, "the label column %q holds lists of words; choose another with %s, or give %s if a row may have several classes", t.header[t.label], dataset.Option{Name: "Label"}, dataset.Option{Name: "Several", Value: ";"})
	case t.file.hasText(t.label):
		return nil
	}
	return t.src.Errorf(0, 0, "the label column %q holds neither strings nor numbers, booleans, dates or times; choose another with %s", t.header[t.label], dataset.Option{Name: "Label"})
}

// checkLabel refuses an infinite number as the label of a row, from 1.
func (t *columnTable) checkLabel(row int, text []byte) error {
	if !bytes.HasSuffix(text, []byte("Inf")) || !t.file.isNumber(t.label) {
		return nil
	}
	return t.src.Errorf(0, 0, "row %d, column %q: the label is %s; give a number, or NaN for no label", row, t.header[t.label], text)
}

// addLabel labels the next row.
func (t *columnTable) addLabel(text []byte) error {
	if err := t.checkLabel(t.from+t.labels.Len()+1, text); err != nil {
		return err
	}
	return t.labels.Add(text)
}

// endList checks the list of a row, counted from 1, which has so many numbers.
func (t *columnTable) endList(column string, row, width int) error {
	if t.width == 0 {
		t.width = width
		if t.o.Features > 0 && width != t.o.Features && !(len(t.o.Columns) == 1 && t.o.Features == 1) { // 1 may be the count of Columns
			return t.src.OtherWidth(width, t.o.Features)
		}
	}
	if width != t.width {
		return t.src.Errorf(0, 0, "row %d: the list in column %q has %d numbers, but that in row 1 has %d; make them equal", row, column, width, t.width)
	}
	return nil
}

// isFinite reports whether a value can be a feature.
func isFinite(v float64) bool { return v-v == 0 }

// notFinite refuses a feature; row counts from 0.
func (t *columnTable) notFinite(row int, column, what string) error {
	return t.src.Errorf(0, 0, "row %d, column %q holds %s; fill in a number or remove the row", row+1, column, what)
}
