package files

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/dataset/internal/quote"
	"lapsvm/internal/system/fault"
)

// readTableOfEdges reads edges as the rows of a table, which read reads.
func readTableOfEdges(path string, rows ends, o Options, read func(o Options) (*dataset.Dataset, error)) (*network, error) {
	d, err := read(Options{TextAlone: true, Header: HeaderNo, comments: !rows.commented(), Budget: o.Budget, Progress: o.Progress, Check: o.Check, Decimal: o.Decimal})
	if err != nil {
		return nil, ofEdges(path, err)
	}
	w := newNetwork(&dataset.Origin{File: path, Memory: o.Budget}, "id", "id")
	w.records = d.Line(0) == 0
	at, first, err := w.columns(d, rows)
	if err != nil {
		return nil, err
	}
	for k := first; k < len(d.Kept.Rows); k++ {
		fields, line := d.Kept.Rows[k], cmp.Or(d.Line(k), k+1)
		var end [2]int32
		for side := range end {
			if end[side], err = w.node(strings.TrimSpace(fields[at[side]]), line); err != nil {
				return nil, err
			}
		}
		weight := 1.0
		if at[2] >= 0 {
			if weight, err = weightOf(fields[at[2]]); err != nil {
				if w.records {
					return nil, w.origin.Errorf(0, 0, "row %d: %s", line, err)
				}
				return nil, w.origin.Errorf(line, 0, "%s", err)
			}
		}
		if err := w.link(end[0], end[1], weight); err != nil {
			return nil, err
		}
	}
	for _, note := range d.Notes {
		if !note.Names("Format") { // which edges have no flag for
			w.notes = append(w.notes, note)
		}
	}
	return w, nil
}

// columns returns which columns of a table have the two rows of an edge and its weight, −1 for none, and which row has the first edge.
func (w *network) columns(d *dataset.Dataset, rows ends) (at [3]int, first int, err error) {
	names := d.Kept.Names
	at, named, err := placesOfEdges(names)
	why := "the columns are " + quote.Names(names)
	top := cmp.Or(d.Line(0), 1)                                                            // the line of the names
	if err == nil && !named && unnamed(names) && len(names) >= 2 && len(d.Kept.Rows) > 0 { // the first row may have names, or be an edge
		row := d.Kept.Rows[0]
		known := len(row) <= 3 && rows.know(row[0], row[1])
		switch at, named, err = placesOfEdges(row); {
		case err != nil:
		case named:
			first = 1
		case known, areNumbers(row[:2]):
			if at, named = [3]int{0, 1, -1}, true; len(row) > 2 {
				at[2] = 2
			}
		default:
			why = fmt.Sprintf("the first row (%s) is neither an edge of known rows nor a header", quote.Names(row))
		}
	}
	if err != nil {
		return at, 0, w.origin.Errorf(top, 0, "%s", err)
	}
	if !named {
		return at, 0, w.origin.Errorf(1, 0, "%s: call the columns of the two rows of an edge from and to, and that of its weight, if there is one, weight", why)
	}
	var others []string
	if called := names; first == 1 || !unnamed(names) {
		if first == 1 {
			called = d.Kept.Rows[0]
		}
		for c, name := range called {
			if !slices.Contains(at[:], c) {
				others = append(others, name)
			}
		}
	} else {
		for c := 3; c < len(names); c++ {
			others = append(others, fmt.Sprintf("column %d", c+1))
		}
	}
	for _, name := range others {
		w.leaveOut(name)
	}
	return at, first, nil
}

// know reports whether two texts are those of the rows of an edge.
func (r ends) know(from, to string) bool {
	w := newNetwork(nil, "id", "id")
	w.origin = new(dataset.Origin)
	i, _ := w.node(strings.TrimSpace(from), 0) // without a limit of memory
	j, _ := w.node(strings.TrimSpace(to), 0)
	_ = w.link(i, j, 1)
	_, _, err := w.arcs(r)
	return err == nil
}

// placesOfEdges returns which columns have the two rows of an edge and its weight, −1 for none. It reports whether the rows have columns. Two columns
// of one name, and two columns of rows, are an error.
func placesOfEdges(names []string) (at [3]int, found bool, err error) {
	for k, called := range edgeColumns {
		at[k] = -1
		for _, alias := range called {
			for c, name := range names {
				switch {
				case !strings.EqualFold(alias, strings.TrimSpace(name)):
				case at[k] < 0:
					at[k] = c
				case k < 2 || strings.EqualFold(strings.TrimSpace(names[at[k]]), alias):
					err = fault.Errorf("columns %d and %d are called %s and %s, and either may have the %s of an edge: rename one", at[k]+1, c+1, names[at[k]], name, [3]string{"first row", "second row", "weight"}[k])
				}
			}
		}
	}
	found = at[0] >= 0 && at[1] >= 0
	if !found {
		err = nil
	}
	return at, found, err
}

// unnamed reports whether columns have the names of a table without a header.
func unnamed(names []string) bool {
	for c, name := range names {
		if name != "x"+strconv.Itoa(c+1) {
			return false
		}
	}
	return true
}

// areNumbers reports whether all fields are numbers. Such fields are no names of columns.
func areNumbers(fields []string) bool {
	return !slices.ContainsFunc(fields, func(text string) bool {
		_, err := number.Parse(strings.TrimSpace(text))
		return err != nil
	})
}

// ofEdges words an error of a table of edges, for which there are no options of formats, labels and quotes.
func ofEdges(path string, err error) error {
	var unknown dataset.Message
	if errors.As(err, &unknown) {
		return &dataset.Error{File: path, Msg: dataset.Messagef("the file is no table of edges, graph or matrix that is known; write a table with the columns from, to and perhaps weight, such as a csv file")}
	}
	var wrong *dataset.Error
	if !errors.As(err, &wrong) {
		return err
	}
	e := *wrong
	e.Msg = Aside(e.Msg)
	return &e
}

// Aside words a message on a file of labels or edges, for which there are no options of formats, labels, quotes and encodings: these are of the data.
func Aside(m dataset.Message) dataset.Message {
	return m.Without(func(o dataset.Option) (string, bool) {
		switch o.Name {
		case "Format":
			if o.Value == nil {
				return "a file whose name tells it", true
			}
			return fmt.Sprintf("a name that ends in .%v", o.Value), true
		case "Quoting":
			return "a file without quotes", true
		case "Charset":
			return "a file in UTF-8", true
		case "SkipLines":
			return "a file without it", true
		case "Label", "Columns", "Ignore", "Header", "Encoding":
			return "another file", true
		}
		return "", false
	})
}
