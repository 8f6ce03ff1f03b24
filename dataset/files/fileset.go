package files

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
)

// fileSet makes one table of several files, whose rows follow one another. All of them tell
// what is learnt of a column.
type fileSet struct {
	paths  []string
	typed  bool     // also Parquet and Arrow files with columns of numbers alone
	keys   []string // of the objects of all files; nil if the keys of the first object suffice
	all    int64    // bytes of all files, with ranks the bytes that this rank reads; 0 if unknown
	before int64    // bytes of the files before the current one
	notes  []dataset.Note

	origin dataset.Origin // of the table
	layout *dataset.Layout
	table  *dataset.Table // nil before the first file has begun it
	first  tableHeader    // of the first file

	extents []*extent // of one of several ranks: what it reads of each file
	own     *extent   // of the file that is read; nil for all

	task fileSetTask
	rows [][]string // the first of a file, by the columns of the table
	more []string   // the keys of the objects of the files so far
}

// tableHeader is what a file says of its columns.
type tableHeader struct {
	names   []string // nil without a header
	width   int
	objects bool // columns are keys of objects
}

// fileSetTask says what a file is read for.
type fileSetTask int

const (
	takeRows  fileSetTask = iota
	lookAhead             // its first rows
	takeKeys              // the keys of its objects
)

// errApart tells that the files are no table together: they have features of another kind,
// of which nothing is learnt.
var errApart = errors.New("files: no table of fields")

// readTogether reads tables as one table. It fails with errApart where the files are none,
// or, unless typed, where columns of numbers can be read without their text.
func readTogether(paths []string, o Options, typed bool) (*dataset.Dataset, error) {
	t := &fileSet{paths: paths, typed: typed}
	if o.Ranks != nil {
		var err error
		if t.extents, err = o.extents(paths); err != nil {
			return nil, err
		}
	}
	for k, path := range paths {
		info, err := os.Stat(fileOf(path))
		if err != nil || !info.Mode().IsRegular() {
			t.all = 0
			break
		}
		if t.extents == nil {
			t.all += info.Size()
		} else if e := t.extents[k]; e != nil {
			t.all += e.to - e.from
		}
	}
	for {
		d, err := t.read(o)
		var dataErr *dataset.Error
		if !t.first.objects || t.keys != nil || err != errOtherKeys && !(errors.As(err, &dataErr) && dataErr.Line == 0) {
			return d, err
		}
		if err := t.findKeys(o); err != nil {
			return nil, err
		}
	}
}

// read reads all files, one after another.
func (t *fileSet) read(o Options) (*dataset.Dataset, error) {
	t.origin = dataset.Origin{Memory: o.memory(), Ranks: o.Ranks, Check: o.Check}
	t.table, t.before, t.notes = nil, 0, nil
	err := t.each(o)
	rows := 0
	if t.table != nil {
		rows = t.table.Len()
	}
	total, err := o.Ranks.Settle(rows, err, errApart, errOtherKeys)
	if err != nil {
		return nil, err
	}
	t.origin.File = fmt.Sprintf("%s and %d more", t.paths[0], len(t.paths)-1)
	if total == 0 {
		return nil, t.origin.Errorf(0, 0, "the files have no rows; check how they were made")
	}
	d, err := t.table.Finish()
	if err != nil {
		return nil, err
	}
	d.Notes = append(d.Notes, t.notes...)
	if err := validNames(d, t.origin.File); err != nil {
		return nil, err
	}
	return d, nil
}

// each reads each file, of ranks the own part of each; of the first all ranks learn what its
// columns are.
func (t *fileSet) each(o Options) error {
	for k, path := range t.paths {
		if t.own = nil; t.extents != nil {
			if t.own = t.extents[k]; t.own == nil && k > 0 {
				continue
			}
			if t.own == nil {
				t.own = noExtent()
			}
		}
		if _, err := readFile(path, o, t); err != nil {
			return err
		}
		if t.own != nil {
			t.before += t.own.to - t.own.from
		} else if info, err := os.Stat(fileOf(path)); err == nil {
			t.before += info.Size()
		}
	}
	return nil
}

// findKeys finds the keys of the objects of all files.
func (t *fileSet) findKeys(o Options) error {
	o.Progress = nil
	t.task, t.more = takeKeys, nil
	t.origin.Memory = o.memory()
	if _, err := o.Ranks.Settle(0, t.each(o)); err != nil {
		return err
	}
	all, err := dataset.All(o.Ranks, t.more)
	if err != nil {
		return err
	}
	t.more = nil
	for _, keys := range all {
		t.addKeys(keys)
	}
	t.task, t.keys = takeRows, t.more
	return nil
}

// addKeys takes the keys of the objects of a file.
func (t *fileSet) addKeys(keys []string) {
	present := nameSet(t.more)
	for _, key := range keys {
		if !present[key] {
			t.more = append(t.more, key)
		}
	}
}

// ahead returns some first rows and those of the files after the first one, as many as one
// file is looked at ahead.
func (t *fileSet) ahead(rows [][]string, o Options) [][]string {
	o.Progress = nil
	counted, bytes := 0, 0
	for _, path := range t.paths[1:] {
		for ; counted < len(rows); counted++ {
			for _, field := range rows[counted] {
				bytes += len(field) + 1
			}
		}
		if len(rows) >= rowsAhead || bytes >= bytesAhead {
			break
		}
		next := &fileSet{paths: t.paths, typed: true, first: t.first, task: lookAhead, origin: dataset.Origin{Memory: t.origin.Memory, Check: t.origin.Check}}
		_, _ = readFile(path, o, next) // an error comes again
		rows = append(rows, next.rows...)
	}
	return rows[:min(len(rows), rowsAhead)]
}

// layout says what the columns of a table are: those of the first of its files, where it has
// several. The place of its columns in this one goes to [source.begin].
func (s *source) layout(header []string, width, line int, o Options) (*dataset.Layout, error) {
	t := s.set
	if t == nil {
		return dataset.NewLayout(&s.Origin, header, width, line, o.table())
	}
	here := tableHeader{header, width, s.Rows == dataset.Objects}
	if t.table == nil && t.task == takeRows {
		t.first = here
		t.origin.File, t.origin.Part, t.origin.Rows, t.origin.Expect, t.origin.Declared = s.File, s.Part, s.Rows, s.Expect, s.Declared
		t.origin.First = func() ([][]string, error) {
			if s.First == nil {
				return nil, nil
			}
			rows, err := s.First()
			if err != nil {
				return nil, err
			}
			return t.ahead(rows, o), nil
		}
		var err error
		t.layout, err = dataset.NewLayout(&t.origin, header, width, line, o.table())
		return t.layout, err
	}
	if here.objects != t.first.objects {
		return nil, errApart
	}
	var err error
	if s.place, err = s.places(t.first, here, t.paths[0], line); err != nil {
		return nil, err
	}
	if t.task == lookAhead {
		rows, err := s.First()
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			t.rows = append(t.rows, inPlaces(row, s.place))
		}
		return nil, errEnough
	}
	return t.layout, nil
}

// inPlaces returns the fields of a row in the order of the columns of a table.
func inPlaces(row []string, place []int) []string {
	if place == nil {
		return row
	}
	var fields []string
	for _, c := range place {
		fields = append(fields, row[c])
	}
	return fields
}

// column returns where a column of the table is in the file.
func (s *source) column(c int) int {
	if s.place == nil {
		return c
	}
	return s.place[c]
}

// begin begins the table of a layout, or goes on with that of the files before.
func (s *source) begin(l *dataset.Layout) (*dataset.Table, error) {
	t := s.set
	if t == nil {
		return dataset.NewTable(l)
	}
	if t.table == nil {
		var err error
		if t.table, err = dataset.NewTable(l); err != nil {
			return nil, err
		}
	}
	t.table.Next(&s.Origin, s.place)
	return t.table, nil
}

// finish finishes a table that has been read, unless reading failed, or leaves that to the last
// of several files: then there is no data set. Without rows, of all ranks, it fails with empty.
func (s *source) finish(table *dataset.Table, err, empty error) (*dataset.Dataset, error) {
	if s.set != nil {
		return nil, err
	}
	rows := 0
	if table != nil {
		rows = table.Len()
	}
	total, err := s.Ranks.Settle(rows, err, errOtherKeys)
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return nil, empty
	}
	return table.Finish()
}

// named reports whether a table begins with a header: the first of several files tells.
func (s *source) named(fields [][]byte, ahead [][]string, o Options) bool {
	if t := s.set; t != nil && (t.table != nil || t.task == lookAhead) && t.first.names != nil {
		return true
	}
	return isHeader(fields, ahead, s.Decimal, o)
}

// places returns where the columns of the first file are in another one, nil where they are
// at the same places. The line is that of its header or first row, 0 where there is none.
func (s *source) places(first, here tableHeader, firstFile string, line int) ([]int, error) {
	switch {
	case here.objects, first.names == nil && here.names == nil && here.width == first.width, first.names != nil && slices.Equal(first.names, here.names):
		return nil, nil
	case first.names == nil && here.names == nil:
		return nil, s.Errorf(line, 0, "there are %d columns, but %s has %d; all files of a table have the same", here.width, firstFile, first.width)
	case first.names == nil:
		return nil, s.Errorf(line, 0, "begins with names of columns, but %s does not; give all files a header, or if these are values, give %s", firstFile, dataset.Option{Name: "Header", Value: HeaderNo})
	case here.names == nil:
		return nil, s.Errorf(line, 0, "has no header, but %s has one; give all files a header", firstFile)
	}
	at := make(map[string][]int, here.width) // columns without a name may be several
	for c, name := range here.names {
		at[name] = append(at[name], c)
	}
	place := make([]int, 0, first.width)
	for _, name := range first.names {
		if len(at[name]) == 0 {
			return nil, s.Errorf(line, 0, "the column %q of %s is missing; all files of a table have the same columns, in any order (this one has %s)", name, firstFile, quote.Names(here.names))
		}
		place = append(place, at[name][0])
		at[name] = at[name][1:]
	}
	for c, name := range here.names {
		if len(at[name]) > 0 {
			return nil, s.Errorf(line, c+1, "%s has no column %q; all files of a table have the same columns", firstFile, name)
		}
	}
	return place, nil
}

// note takes a note of a file: for its data set, or where there is none for that of several
// files, once.
func (s *source) note(d *dataset.Dataset, n dataset.Note) {
	t := s.set
	if t == nil {
		d.Notes = append(d.Notes, n)
		return
	}
	if !slices.ContainsFunc(t.notes, func(m dataset.Note) bool { return m.Error() == n.Error() }) {
		t.notes = append(t.notes, n)
	}
}

// readObjects reads the objects of a file, with the keys of the first, and gives their rows
// to the table, or their keys to others.
func (t *fileSet) readObjects(again func() *source, keys []string, o Options) error {
	if t.task == takeKeys {
		keys, err := allKeys(again())
		t.addKeys(keys)
		return err
	}
	if t.keys != nil {
		keys = t.keys
	} else if t.table != nil {
		keys = t.first.names
	}
	_, err := readObjects(again(), keys, t.keys != nil, o)
	return err
}
