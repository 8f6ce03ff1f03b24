package tasks

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// Rows finds the rows of a data set by the names that files of labels may use.
type Rows struct {
	count        int
	key          string
	named        bool // there are names
	names, texts dataset.NamedRows
}

// NewRows returns an index of n rows. names are the names of the rows, found in the data
// under key, and texts are their texts; either is nil where there is none. A file is also
// found by the last part of its name. A name or text shared by two rows finds neither.
// NewRows panics where the lengths differ.
func NewRows(n int, key string, names, texts []string) *Rows {
	r := &Rows{count: n, key: strings.ToLower(key), named: names != nil}
	if names != nil && len(names) != n || texts != nil && len(texts) != n {
		panic(fmt.Sprintf("tasks: %d names and %d texts of %d rows", len(names), len(texts), n))
	}
	for i, name := range names {
		r.names.Add(name, i)
	}
	for i, name := range names {
		if name != "" { // whose last part is a dot
			r.names.Add(path.Base(name), i)
		}
	}
	for i, text := range texts {
		r.texts.Add(strings.TrimSpace(text), i)
	}
	return r
}

// nameOrNumber is the key of what tells a row in a table without a header.
const nameOrNumber = "name or number"

// numbered returns the row of a number from 1 on.
func (r *Rows) numbered(text string) (int, error) {
	i, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || i < 1 || i > r.count {
		return 0, fault.Errorf("there is no row %.40q: rows are from 1 to %d; give the data that these labels belong to", text, r.count)
	}
	return i - 1, nil
}

// called returns the row of a name: an ID, also one whose leading zeros were lost, a file, or the last part of its path or address.
func (r *Rows) called(name string) (int, bool, error) {
	i, ok := r.names.Called(name)
	if !ok {
		short := name
		if at := strings.LastIndexAny(short, "/\\="); at >= 0 {
			short = short[at+1:]
		}
		i, ok = r.names.Called(short)
	}
	if !ok {
		i, ok = r.names.Numbered(strings.TrimSpace(name))
	}
	if ok && i == dataset.SeveralRows {
		return 0, true, fault.Errorf("several rows are called %.60q: say which by a key row, with its number from 1 on", name)
	}
	return i, ok, nil
}

// saying returns the row of a text.
func (r *Rows) saying(text string) (int, bool, error) {
	i, ok := r.texts.Called(strings.TrimSpace(text))
	if ok && i == dataset.SeveralRows {
		return 0, true, fault.Errorf("several rows have the text %.60q: say which by a key row, with its number from 1 on", text)
	}
	return i, ok, nil
}

// find returns the row of a record: by the key row, else by a name, else by a text.
func (r *Rows) find(record map[string]string) (int, error) {
	if text, ok := record["row"]; ok && text != "" {
		row, err := r.numbered(text)
		if err != nil || !r.named {
			return row, err
		}
		for _, key := range []string{r.key, "id"} {
			if i, is, _ := r.called(record[key]); record[key] != "" && is && i != row {
				return 0, fault.Errorf("it is for row %d, and for %.60q, which is row %d: leave one of the two out", row+1, record[key], i+1)
			}
		}
		return row, nil
	}
	if name, ok := record[nameOrNumber]; ok {
		if i, is, err := r.called(name); is || err != nil {
			return i, err
		}
		i, err := r.numbered(name)
		if err != nil {
			err = fmt.Errorf("no column is called label, class or choice, so the two columns are taken for rows and their labels, and %w", err)
		}
		return i, err
	}
	tried := ""
	for _, key := range []string{r.key, "id", "name", "file", "image"} {
		if value := record[key]; value != "" {
			i, ok, err := r.called(value)
			if ok || err != nil {
				return i, err
			}
			tried = value
		}
	}
	if text := record["text"]; text != "" {
		i, ok, err := r.saying(text)
		if ok || err != nil {
			return i, err
		}
		tried = text
	}
	switch {
	case tried != "" && !r.named:
		return 0, fault.Errorf("no row is called or says %.60q, as no column is known to name the rows of the data: say which does with --id, or give a key row with the number from 1 on", tried)
	case tried != "":
		return 0, fault.Errorf("no row is called or says %.60q: give the data that these labels belong to, or a key row with the number from 1 on", tried)
	}
	return 0, fmt.Errorf("nothing says which row is meant: there is no row (a number from 1 on), id, name, file, image or text")
}
