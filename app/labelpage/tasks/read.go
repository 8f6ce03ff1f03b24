package tasks

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"lapsvm/dataset"
)

// Labels are the labels in a file for the rows of a data set.
type Labels struct {
	Class    map[int]string // of every row that got one label, from 0
	Differ   []int          // rows that got several labels that differ, ascending; they are not in Class
	Passed   int            // tasks that were skipped, ignored or cancelled
	Rejected int            // labels that were rejected, where that leaves more than one class
}

// reading is one call of Read.
type reading struct {
	file    string
	rows    *Rows
	classes []string // the classes of the data
	given   map[int][]string
	reject  []answer
	passed  int
}

// answer is a label that was refused for a row.
type answer struct {
	row   int
	class string
}

// Read reads labels of the rows of a data set that has classes. The format is
// found from the contents of the file:
//
//   - a table, CSV, or TSV where tabs are in its first line, with a header: a column row
//     (from 1), id, name, file, image or text, and a column label, class or choice;
//   - Label Studio's export as JSON, tasks with annotations of choices, or as JSON-MIN and
//     CSV with the choices called label. Of several annotations one that is ground truth
//     counts, else all that were not cancelled;
//   - Prodigy's JSON lines: with accept, the option chosen; else the label, where the
//     answer is accept. A label that was rejected says the other one of two classes.
//
// Words for no label (see [dataset.MeansNoLabel]) leave a row as it is. A row with labels
// that differ has none. What does not fit is a [*dataset.Error]. Memory: that of the file.
func Read(r io.Reader, file string, rows *Rows, classes []string) (*Labels, error) {
	text, err := io.ReadAll(bufio.NewReader(r))
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	in := &reading{file: file, rows: rows, classes: classes, given: make(map[int][]string)}
	switch start := bytes.TrimLeft(text, " \t\r\n"); {
	case len(start) == 0:
		err = in.wrong(0, "the file is empty: give labels as a table with the columns row and label, or an export of Label Studio or Prodigy")
	case start[0] == '[':
		err = in.array(start)
	case start[0] == '{':
		err = in.lines(text)
	default:
		err = in.table(text)
	}
	if err != nil {
		return nil, err
	}
	return in.labels(), nil
}

// wrong makes an error of a line, 0 for none.
func (in *reading) wrong(line int, format string, args ...any) error {
	return &dataset.Error{File: in.file, Line: line, Msg: dataset.Messagef(format, args...)}
}

// add takes a label.
func (in *reading) add(row int, class string) {
	if class = dataset.ClassName(class); !dataset.MeansNoLabel(class) || slices.Contains(in.classes, class) {
		in.given[row] = append(in.given[row], class)
	}
}

// labels sums up what was given and refused.
func (in *reading) labels() *Labels {
	l := &Labels{Class: make(map[int]string), Passed: in.passed}
	classes := make(map[string]bool)
	for _, class := range in.classes {
		classes[class] = true
	}
	for _, all := range in.given {
		for _, class := range all {
			classes[class] = true
		}
	}
	for _, r := range in.reject {
		classes[r.class] = true
	}
	for _, r := range in.reject {
		if len(classes) != 2 {
			l.Rejected++
			continue
		}
		for class := range classes {
			if class != r.class {
				in.add(r.row, class)
			}
		}
	}
	for _, row := range slices.Sorted(maps.Keys(in.given)) {
		all := in.given[row]
		if slices.ContainsFunc(all, func(class string) bool { return class != all[0] }) {
			l.Differ = append(l.Differ, row)
		} else {
			l.Class[row] = all[0]
		}
	}
	return l
}

// array reads an array of tasks.
func (in *reading) array(text []byte) error {
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return in.wrong(in.lineOf(text, err), "this is no JSON: %v; export it again", err)
	}
	for k, one := range all {
		if err := in.object(one); err != nil {
			return in.wrong(0, "task %d: %v", k+1, err)
		}
	}
	return nil
}

// lineOf returns the line of a mistake in JSON, 0 where it is not known.
func (in *reading) lineOf(text []byte, err error) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
	}
	return 0
}

// lines reads an object a line; a single object may take two lines or more.
func (in *reading) lines(text []byte) error {
	if json.Valid(text) {
		if err := in.object(text); err != nil {
			return in.wrong(1, "%v", err)
		}
		return nil
	}
	for k, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := in.object(line); err != nil {
			return in.wrong(k+1, "%v", err)
		}
	}
	return nil
}

// object reads a task of Label Studio, one of Prodigy, or a record.
func (in *reading) object(text []byte) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return fmt.Errorf("this is no JSON object: %w; export it again", err)
	}
	switch {
	case keys["data"] != nil:
		return in.labelStudio(text)
	case keys["answer"] != nil || keys["accept"] != nil || keys["options"] != nil:
		return in.prodigy(text)
	}
	return in.record(scalars(keys))
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
func (in *reading) record(record map[string]string) error {
	if record["annotation_id"] != "" { // then the id is that of Label Studio
		delete(record, "id")
	}
	class, found := "", false
	for _, key := range classKeys {
		if value, ok := record[key]; ok && !found {
			class, found = value, true
		}
	}
	if !found {
		return errors.New("there is no label: it is under the key label, class or choice")
	}
	if dataset.MeansNoLabel(class) && !slices.Contains(in.classes, class) {
		return nil
	}
	row, err := in.rows.find(record)
	if err == nil {
		in.add(row, class)
	}
	return err
}

// table reads a table with a header.
func (in *reading) table(text []byte) error {
	r := csv.NewReader(bytes.NewReader(text))
	if first, _, _ := bytes.Cut(text, []byte("\n")); bytes.Contains(first, []byte("\t")) {
		r.Comma = '\t'
	}
	header, err := r.Read()
	if err != nil {
		return in.wrong(1, "%v: give labels as a table with the columns row and label", err)
	}
	for k := range header {
		header[k] = strings.ToLower(strings.TrimSpace(header[k]))
	}
	if !slices.ContainsFunc(header, func(name string) bool { return slices.Contains(classKeys, name) }) {
		return in.wrong(1, "no column is called label, class or choice; there are %.200s: call the one with the labels label, and one with the numbers of rows, from 1 on, row",
			strings.Join(header, ", "))
	}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return in.wrong(0, "%v", err)
		}
		line, _ := r.FieldPos(0)
		record := make(map[string]string)
		for k, name := range header {
			if _, twice := record[name]; !twice {
				record[name] = fields[k]
			}
		}
		if err := in.record(record); err != nil {
			return in.wrong(line, "%v", err)
		}
	}
}
