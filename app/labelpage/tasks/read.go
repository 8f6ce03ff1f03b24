package tasks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// File is what a file of labels says, before it is known which rows it speaks of.
type File struct {
	name      string
	separator string // of the classes of a row, which may have several; else ""
	said      []answer
	passed    int
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
	part string // such as task 3; "" where there are lines
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

// Read reads labels of the rows of a data set. The format is found from the contents of the file:
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
// accepted options count. What is none of these is a [*dataset.Error]. Memory: that of the file, and of its text.
func Read(r io.Reader, name, separator string) (*File, error) {
	text, err := io.ReadAll(bufio.NewReader(r))
	if err != nil {
		return nil, err
	}
	f := &File{name: name, separator: separator}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch start := bytes.TrimLeft(text, " \t\r\n"); {
	case len(start) == 0:
		err = f.wrong(0, "the file is empty: give labels as a table with the columns row and label, or an export of Label Studio or Prodigy")
	case bytes.HasPrefix(text, []byte("\x93NUMPY")), bytes.HasPrefix(text, []byte("PK\x03\x04")), bytes.HasPrefix(text, []byte("MATLAB 5.0")):
		err = f.wrong(0, "the file has arrays, which do not tell their rows: give labels as a table with the columns row and label, or keep points and labels in one npz file as X and y")
	case start[0] == '[':
		err = f.array(start)
	case start[0] == '{':
		err = f.lines(text)
	default:
		err = f.table(text)
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
	known := make(map[string]bool)
	for _, class := range classes {
		known[class] = true
	}
	given, differ := make(map[int]answer), make(map[int]bool)
	add := func(row int, a answer) error {
		before, twice := given[row]
		if twice = twice && before.class != a.class; twice && a.alone && before.alone {
			return f.at(a.place, fmt.Errorf("row %d is labelled %q here, but %q in %s: leave one of them out", row+1, a.class, before.class, before.place))
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
		if dataset.MeansNoLabel(a.class) && !known[a.class] {
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
			known[a.class] = true
		}
	}
	for _, r := range refused {
		if len(known) != 2 {
			l.Rejected++
			continue
		}
		for class := range known {
			if class != r.class {
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

// at makes an error of a place.
func (f *File) at(p place, err error) error {
	if p.part != "" {
		return f.wrong(0, "%s: %v", p.part, err)
	}
	return f.wrong(p.line, "%v", err)
}

// wrong makes an error of a line, 0 for none.
func (f *File) wrong(line int, format string, args ...any) error {
	return &dataset.Error{File: f.name, Line: line, Msg: dataset.Messagef(format, args...)}
}

// array reads an array of tasks.
func (f *File) array(text []byte) error {
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return f.wrong(lineOf(text, err), "this is no JSON: %v; export it again", err)
	}
	for k, one := range all {
		p := place{part: fmt.Sprintf("task %d", k+1)}
		if err := f.object(one, p); err != nil {
			return f.at(p, err)
		}
	}
	return nil
}

// lineOf returns the line of a mistake in JSON, 0 where it is not known.
func lineOf(text []byte, err error) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
	}
	return 0
}

// lines reads an object a line; a single object may take two lines or more.
func (f *File) lines(text []byte) error {
	if json.Valid(text) {
		return f.atEach([][]byte{text})
	}
	return f.atEach(bytes.Split(text, []byte("\n")))
}

func (f *File) atEach(lines [][]byte) error {
	for k, line := range lines {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		p := place{line: k + 1}
		if err := f.object(line, p); err != nil {
			return f.at(p, err)
		}
	}
	return nil
}

// object reads a task of Label Studio, one of Prodigy, or a record.
func (f *File) object(text []byte, p place) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return fmt.Errorf("this is no JSON object: %w; export it again", err)
	}
	switch {
	case keys["data"] != nil:
		return f.labelStudio(text, p)
	case keys["answer"] != nil || keys["accept"] != nil || keys["options"] != nil:
		return f.prodigy(text, p)
	}
	return f.record(scalars(keys), p)
}

// scalars returns the values that are strings, numbers or booleans as text.
func scalars(keys map[string]json.RawMessage) map[string]string {
	record := make(map[string]string)
	for key, value := range keys {
		var text string
		switch {
		case json.Unmarshal(value, &text) == nil:
			record[key] = text
		case value[0] != '{' && value[0] != '[' && string(value) != "null":
			record[key] = string(value)
		}
	}
	return record
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
			f.say(answer{place: p, record: record, class: class, alone: !ofSeveral})
			return nil
		}
	}
	return errors.New("there is no label: it is under the key label, class or choice")
}

// say takes a label as it is written.
func (f *File) say(a answer) {
	a.class = dataset.ClassName(a.class)
	f.said = append(f.said, a)
}

// table reads a table with a header.
func (f *File) table(text []byte) error {
	o := files.Options{TextAlone: true, Header: files.HeaderYes}
	if form, err := files.FormatOf(f.name); err != nil || !form.Table || form.Name == files.JSON || form.Name == files.JSONL {
		o.Format = files.CSV
	}
	d, err := files.Read(bytes.NewReader(text), f.name, o)
	if err != nil {
		return err
	}
	var header []string
	for _, name := range d.Kept.Names {
		header = append(header, strings.ToLower(strings.TrimSpace(name)))
	}
	if !slices.ContainsFunc(header, func(name string) bool { return slices.Contains(classKeys, name) }) {
		return f.wrong(1, "no column is called label, class or choice; there are %.200s: call the one with the labels label, and one with the numbers of rows, from 1 on, row",
			strings.Join(header, ", "))
	}
	for i, fields := range d.Kept.Rows {
		record := make(map[string]string)
		for k, name := range header {
			if _, twice := record[name]; !twice {
				record[name] = fields[k]
			}
		}
		p := place{part: fmt.Sprintf("row %d", i+1)}
		if d.Lines != nil {
			p = place{line: d.Lines[i]}
		}
		if err := f.record(record, p); err != nil {
			return f.at(p, err)
		}
	}
	return nil
}
