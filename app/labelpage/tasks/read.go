package tasks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/system/fault"
)

// File is what a file of labels says, before it is known which rows it speaks of.
type File struct {
	name      string
	separator string // of the classes of a row, which may have several; else ""
	said      []answer
	passed    int
	Notes     []dataset.Note // on what was read of it
	origin    dataset.Origin
}

// answer is a label that was given to a row, or refused for it.
type answer struct {
	place
	record   map[string]string // what tells the row
	class    string
	rejected bool
	alone    bool // no other may differ: it is no person's of several
}

// place is where something is in a file.
type place struct {
	line int    // 0 where there are no lines
	part string // such as task 3, where there are none
}

func (p place) String() string {
	if p.line > 0 {
		return fmt.Sprintf("line %d", p.line)
	}
	return p.part
}

// Labels are the labels in a file for the rows of a data set.
type Labels struct {
	Class    map[int]string // of every row that got one label, from 0
	Differ   []int          // rows that got several labels that differ, ascending; they are not in Class
	Passed   int            // tasks that were skipped, ignored or cancelled
	Rejected int            // labels that were rejected, where that leaves more than one class
}

// ReadFile reads labels of the rows of a data set. The format is found from the contents of the file:
//
//   - a table with a header, in any format of tables (see [files.Formats]) that is no JSON: a column
//     row (from 1), id, name, file, image or text, and a column label, class or choice;
//   - Label Studio's export as JSON, tasks with annotations of choices, or as JSON-MIN and
//     CSV with the choices called label. Of several annotations one that is ground truth
//     counts, else all that were not cancelled;
//   - Prodigy's JSON lines: with accept, the option chosen; else the label, where the
//     answer is accept. A label that was rejected says the other one of two classes;
//   - other JSON objects, an array or one a line, with the keys of a table.
//
// Where rows may have several classes, a separator says so, and labels are lists with it between classes. Then all choices and all
// accepted options count. What is none of these is a [*dataset.Error], and so is a file whose labels take more than memory bytes; 0 is no limit.
// Compressed files are unpacked. Of a file of several tables a name FILE#TABLE says which.
func ReadFile(path, separator string, memory int64) (*File, error) {
	file, _ := files.Locate(path)
	r, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return read(r, path, separator, memory, func(o files.Options) (*dataset.Dataset, error) {
		if _, err := r.Seek(0, io.SeekStart); err != nil { // a pipe is read once
			return nil, &dataset.Error{File: path, Msg: dataset.Messagef("is a pipe: give a table of labels as a file")}
		}
		d, err := files.ReadFile(path, o)
		if err != nil && o.Format == "" { // one column of words does not tell a table
			o.Format = files.CSV
			if plain, failed := files.ReadFile(path, o); failed == nil {
				return plain, nil
			}
		}
		return d, err
	})
}

// read reads labels; table reads those of a table, whose format is open where the name does not tell it.
func read(r io.Reader, name, separator string, memory int64, table func(files.Options) (*dataset.Dataset, error)) (*File, error) {
	f := &File{name: name, separator: separator, origin: dataset.Origin{File: name, Memory: dataset.NewMemory(memory)}}
	unpacked, end, err := files.Unpacked(r, name, f.origin.Memory)
	if err != nil {
		return nil, err
	}
	defer end()
	text := newValues(unpacked, &f.origin)
	switch start := text.start(); {
	case start == "":
		err = f.wrong(0, "the file is empty: give labels as a table with the columns row and label, or an export of Label Studio or Prodigy")
	case strings.HasPrefix(start, "\x93NUMPY"), strings.HasPrefix(start, "MATLAB 5.0"):
		err = f.wrong(0, "the file has arrays, which do not tell their rows: give labels as a table with the columns row and label, or keep points and labels in one npz file as X and y")
	case strings.HasPrefix(start, "{\x00"), strings.HasPrefix(start, "[\x00"):
		err = f.wrong(1, "there is a zero byte: this is UTF-16 or UTF-32 without a mark; give a file in UTF-8")
	case start[0] == '[':
		err = f.array(text)
	case start[0] == '{':
		err = f.lines(text)
	default:
		err = f.table(table, memory)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ByText reports whether some label tells its row by neither a number nor a name.
func (f *File) ByText() bool {
	return slices.ContainsFunc(f.said, func(a answer) bool { return a.record["row"] == "" && a.record["text"] != "" })
}

// Of returns the labels of rows that have classes. Words for no label (see
// [dataset.MeansNoLabel]) leave a row as it is. Annotations of a row that differ leave it without
// a label. A table that gives a row two labels is a [*dataset.Error], as a row that is not there.
func (f *File) Of(rows *Rows, classes []string) (*Labels, error) {
	l := &Labels{Class: make(map[int]string), Passed: f.passed}
	known := f.known(classes)
	given, differ := make(map[int]answer), make(map[int]bool)
	add := func(row int, a answer) error {
		before, twice := given[row]
		if twice = twice && dataset.ClassKey(before.class) != dataset.ClassKey(a.class); twice && a.alone && before.alone {
			return f.at(a.place, fault.Errorf("row %d is labelled %q here, but %q in %s: leave one of them out", row+1, a.class, before.class, before.place))
		}
		given[row], differ[row] = a, differ[row] || twice
		return nil
	}
	type refusal struct {
		row int
		answer
	}
	var refused []refusal
	for _, a := range f.said {
		if dataset.MeansNoLabel(a.class) && !known[dataset.ClassKey(a.class)] {
			continue
		}
		row, err := rows.find(a.record)
		if err != nil {
			return nil, f.at(a.place, err)
		}
		if a.rejected {
			refused = append(refused, refusal{row, a})
		} else if err := add(row, a); err != nil {
			return nil, err
		}
	}
	for _, a := range f.said {
		if !dataset.MeansNoLabel(a.class) {
			known[dataset.ClassKey(a.class)] = true
		}
	}
	for _, r := range refused {
		if len(known) != 2 {
			l.Rejected++
			continue
		}
		for class := range known {
			if class != dataset.ClassKey(r.class) {
				_ = add(r.row, answer{class: class}) // which may differ
			}
		}
	}
	for _, row := range slices.Sorted(maps.Keys(given)) {
		if differ[row] {
			l.Differ = append(l.Differ, row)
		} else {
			l.Class[row] = given[row].class
		}
	}
	return l, nil
}

// known returns the keys of classes. Labels with a decimal comma become those classes that have a point there.
func (f *File) known(classes []string) map[string]bool {
	known := make(map[string]bool)
	for _, class := range classes {
		known[dataset.ClassKey(class)] = true
	}
	for k := range f.said {
		class := &f.said[k].class
		point := strings.Replace(*class, ",", ".", 1)
		if _, err := strconv.ParseFloat(point, 64); err == nil && f.separator == "" && !known[dataset.ClassKey(*class)] && known[dataset.ClassKey(point)] {
			*class = point
		}
	}
	return known
}

// Each calls a function with every label and its person, until the function fails. The person is "" where the file names none. Rejected labels are left
// out, and so are words for no label that are no classes.
func (f *File) Each(rows *Rows, classes []string, each func(row int, class, person string) error) error {
	known := f.known(classes)
	for _, a := range f.said {
		none := dataset.MeansNoLabel(a.class) && !known[dataset.ClassKey(a.class)]
		if a.rejected || none {
			continue
		}
		row, err := rows.find(a.record)
		if err == nil {
			err = each(row, a.class, strings.TrimSpace(a.record["person"]))
		}
		if err != nil {
			return f.at(a.place, err)
		}
	}
	return nil
}

// at makes an error of a place.
func (f *File) at(p place, err error) error {
	if own := (*dataset.Error)(nil); errors.As(err, &own) {
		return err
	}
	if p.line > 0 {
		return f.wrong(p.line, "%v", err)
	}
	return f.wrong(0, "%s: %v", p.part, err)
}

// wrong makes an error of a line, 0 for none.
func (f *File) wrong(line int, format string, args ...any) error {
	return &dataset.Error{File: f.name, Line: line, Msg: dataset.Messagef(format, args...)}
}

// array reads an array of tasks.
func (f *File) array(text *values) error {
	if err := text.open(); err != nil {
		return err
	}
	for k := 1; ; k++ {
		one, _, err := text.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		p := place{part: fmt.Sprintf("task %d", k)}
		if err := f.object(one, p); err != nil {
			return f.at(p, err)
		}
	}
}

// lines reads an object a line; an object may take two lines or more.
func (f *File) lines(text *values) error {
	for {
		one, line, err := text.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		p := place{line: line}
		if err := f.object(one, p); err != nil {
			return f.at(p, err)
		}
	}
}

// object reads a task of Label Studio, one of Prodigy, or a record.
func (f *File) object(text []byte, p place) error {
	var keys map[string]json.RawMessage
	if text[0] == '[' {
		return errPandas
	}
	if err := json.Unmarshal(text, &keys); err != nil {
		return fault.Errorf("this is no JSON object: %w; export it again", err)
	}
	for _, key := range slices.Concat(classKeys, []string{"data"}) { // of one object for a whole table
		if value, is := keys[key]; is && (value[0] == '[') == (key == "data") && (value[0] == '{') == (key != "data") {
			return errPandas
		}
	}
	switch {
	case keys["data"] != nil:
		return f.labelStudio(text, p)
	case keys["answer"] != nil || keys["accept"] != nil || keys["options"] != nil:
		return f.prodigy(text, p)
	}
	return f.record(scalars(keys), p)
}

// errPandas refuses a table that is not in objects of rows.
var errPandas = fault.Errorf("this is no object of a row with its label, but what pandas writes with another orient: write an object for each row, with df.to_json(FILE, orient='records')")

// scalars returns the values that are strings, numbers or booleans as text.
func scalars(keys map[string]json.RawMessage) map[string]string {
	record := make(map[string]string)
	for key, value := range keys {
		if text := scalar(value); text != "" || string(value) == `""` {
			record[key] = text
		}
	}
	return record
}

// scalar returns a string, number or boolean as text, a number as it is written; "" for other values.
func scalar(value json.RawMessage) (text string) {
	switch {
	case json.Unmarshal(value, &text) == nil:
	case value[0] != '{' && value[0] != '[' && string(value) != "null":
		text = string(value)
	}
	return text
}

// classKeys are the keys of a record that may have its label.
var classKeys = []string{"label", "class", "choice"}

// record reads a label of a table, or of an export in that form.
func (f *File) record(record map[string]string, p place) error {
	_, ofSeveral := record["person"]
	if record["annotation_id"] != "" { // then the id is that of Label Studio
		delete(record, "id")
		ofSeveral = true
	}
	for _, key := range classKeys {
		if class, ok := record[key]; ok {
			return f.say(answer{place: p, record: record, class: class, alone: !ofSeveral})
		}
	}
	if record["annotation_id"] != "" { // of Label Studio's, which writes no choice where none was made
		f.passed++
		return nil
	}
	return errors.New("there is no label: it is under the key label, class or choice")
}

// say takes a label as it is written.
func (f *File) say(a answer) error {
	const one, field = 150, 50 // bytes of an answer and of a field of its record, without their text
	size := one + len(a.class)
	for key, value := range a.record {
		size += field + len(key) + len(value)
	}
	if err := f.origin.Take(size, fmt.Sprintf("%d labels", len(f.said)+1)); err != nil {
		return err
	}
	a.class = dataset.ClassName(a.class)
	f.said = append(f.said, a)
	return nil
}

// rowKeys are the keys of a record that may tell its row, beside that of the names of the data.
var rowKeys = []string{"row", "id", "name", "file", "image", "text"}

// table reads a table with a header, or one of names and labels without it.
func (f *File) table(read func(files.Options) (*dataset.Dataset, error), memory int64) error {
	o := files.Options{TextAlone: true, Header: files.HeaderNo, Memory: memory}
	if form, err := files.FormatOf(f.name); err == nil && !(strings.HasSuffix(strings.ToLower(f.name), ".json") || form.Name == files.JSONL) {
		o.Format = form.Name
	}
	d, err := read(o)
	if wrong := (*dataset.Error)(nil); errors.As(err, &wrong) {
		e := *wrong
		e.Msg = files.Aside(e.Msg)
		return &e
	}
	if err != nil {
		return err
	}
	for _, n := range d.Notes { // but those on columns, which are no features
		n.Message = files.Aside(n.Message)
		if n.Message.Without(func(dataset.Option) (string, bool) { return "", true }).Error() == n.Error() {
			f.Notes = append(f.Notes, n)
		}
	}
	names, rows, first := d.Kept.Names, d.Kept.Rows, 0
	if placed(names) && len(rows) > 0 { // text has its header as the first row
		names, rows, first = rows[0], rows[1:], 1
	}
	var header []string
	for _, name := range names {
		header = append(header, strings.ToLower(strings.TrimSpace(name)))
	}
	has := func(keys []string) bool {
		return slices.ContainsFunc(header, func(name string) bool { return slices.Contains(keys, name) })
	}
	switch {
	case len(header) == 1 && len(strings.Fields(header[0])) == 2:
		return f.wrong(1, "there is one column, or two with a blank between them: write a comma there, or call the file .txt")
	case has(classKeys):
	case len(header) == 2 && !has(rowKeys):
		rows, header, first = slices.Insert(rows, 0, names), []string{nameOrNumber, classKeys[0]}, 0
	default:
		return f.wrong(1, "no column is called label, class or choice; there are %.200s: call the one with the labels label, and one with the numbers of rows, from 1 on, row",
			strings.Join(header, ", "))
	}
	for i, fields := range rows {
		record := make(map[string]string)
		for k, name := range header {
			if _, twice := record[name]; !twice {
				record[name] = fields[k]
			}
		}
		p := place{d.Line(first + i), fmt.Sprintf("row %d", i+1)}
		if err := f.record(record, p); err != nil {
			return f.at(p, err)
		}
	}
	return nil
}

// placed reports whether columns have the names of a table whose header, if there is one, is its first row.
func placed(names []string) bool {
	for c, name := range names {
		if name != fmt.Sprintf("x%d", c+1) {
			return false
		}
	}
	return true
}
