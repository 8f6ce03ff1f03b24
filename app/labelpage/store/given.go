package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/internal/system/fault"
)

// Given is a label from elsewhere.
type Given struct {
	Row    int    // of the data, from 0
	Class  string // its name
	Person string
}

// Import adds labels from elsewhere, as one batch of each person, with the new classes. The source
// is [FromData], or a name that one file has and keeps. A label is added where the source gives the
// row, by this person, another class than it gave last. A second import therefore changes nothing:
// labels, renamings, merges and undos of the meantime stay. Of repeated labels of a row by one
// person the last counts. It returns how many were added.
func (s *Store) Import(ctx context.Context, source string, all []Given) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(ctx); err != nil {
		return 0, err
	}
	type cell struct {
		row    int
		person string
	}
	last := make(map[cell]int)
	for k, g := range all {
		last[cell{g.Row, g.Person}] = k
	}
	var events []Event
	fresh := make(map[string]bool)    // classes
	groups := make(map[string]string) // of people
	for k, g := range all {
		name := dataset.ClassName(g.Class)
		err := CheckClass(name)
		if err == nil {
			name, err = s.rules().spell(name)
		}
		if err != nil {
			return 0, errorf(Invalid, "row %d: the class %.100q: %v", g.Row+1, g.Class, err)
		}
		if last[cell{g.Row, g.Person}] != k || s.state.sources.say(place{source, g.Person, s.places.id(g.Row)}, name) {
			continue
		}
		e := Event{Kind: Import, Person: g.Person, Row: g.Row, Class: NoClass, Name: name, Source: source, Key: newKey()}
		if first, key := s.rules().mean(s, source, &e), dataset.ClassKey(name); first != nil && !fresh[key] {
			fresh[key] = true
			events = append(events, *first)
		}
		if groups[g.Person] == "" {
			groups[g.Person] = newKey()
		}
		e.Group = groups[g.Person]
		events = append(events, e)
	}
	if len(events) == 0 {
		return 0, nil
	}
	added := len(events) - len(fresh)
	classes, err := s.rules().list(s, source, events)
	if err == nil {
		_, err = s.add(ctx, append(classes, events...))
	}
	return added, err
}

// AddClasses adds the classes of these names that are not there, in their order, as those of the
// data. A class that was renamed or merged since counts as present, so that adding twice changes
// nothing.
func (s *Store) AddClasses(ctx context.Context, names []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(ctx); err != nil {
		return err
	}
	var events []Event
	for _, name := range names {
		name = dataset.ClassName(name)
		twice := func(e Event) bool { return dataset.ClassKey(e.Name) == dataset.ClassKey(name) }
		if s.state.meant(FromData, name) == NoClass && !slices.ContainsFunc(events, twice) {
			events = append(events, Event{Kind: ClassAdd, Person: FromData, Name: name, Key: newKey()})
		}
	}
	if len(events) == 0 {
		return nil
	}
	_, err := s.add(ctx, events)
	return err
}

// ReadCSV reads labels from a table with a header. The row is given by a column called row, with
// its number from 1, or else by a column called id, name or file, with a name for find. A column
// called class or label has the class. An optional column called person has the person; where it is
// missing or empty, the label is one of the data. Rows without a class are left out. Words for no
// label (see [dataset.MeansNoLabel]) are none, unless the store has a class of this name. Memory: that
// of the labels.
func (s *Store) ReadCSV(r io.Reader, file string, points int, find func(name string) (row int, ok bool)) ([]Given, error) {
	buffered := bufio.NewReader(r)
	if head, _ := buffered.Peek(16); !mayBeCSV(head) {
		return nil, fault.Errorf("%s is no CSV: give a table with the columns row or id, and class, or give the file with --labels, which takes JSON and other tables too", file)
	}
	in := csv.NewReader(buffered)
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return nil, fault.Errorf("%s: there is no line of column names (%v): give a table with the columns row or id, and class", file, err)
	}
	header = slices.Clone(header)
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	column := func(names ...string) int {
		for _, name := range names {
			if k := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) }); k >= 0 {
				return k
			}
		}
		return -1
	}
	row, name, class, who := column("row"), column("id", "name", "file"), column("class", "label"), column("person")
	if row < 0 && name < 0 || class < 0 {
		return nil, fault.Errorf("%s:1: the columns are %s: give a table with the columns row or id, and class", file, strings.Join(header, ", "))
	}
	var all []Given
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := in.FieldPos(0)
		g := Given{Class: dataset.ClassName(fields[class]), Person: FromData}
		if dataset.MeansNoLabel(g.Class) && !s.hasClass(g.Class) {
			continue
		}
		if who >= 0 && strings.TrimSpace(fields[who]) != "" {
			g.Person = strings.TrimSpace(fields[who])
		}
		if row >= 0 {
			n, err := strconv.Atoi(strings.TrimSpace(fields[row]))
			if err != nil || n < 1 || n > points {
				return nil, fmt.Errorf("%s:%d: there is no row %q: rows are from 1 to %d", file, line, fields[row], points)
			}
			g.Row = n - 1
		} else {
			var ok bool
			if g.Row, ok = find(fields[name]); !ok {
				return nil, fault.Errorf("%s:%d: no row is called %q: check the column %s", file, line, fields[name], header[name])
			}
		}
		err = errors.Join(CheckClass(g.Class), CheckPerson(g.Person))
		if err == nil {
			_, err = s.rules().spell(g.Class)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		all = append(all, g)
	}
}

// mayBeCSV reports whether a file that begins so may be a table of text: no JSON, archive or database, and no text of another encoding than UTF-8.
func mayBeCSV(head []byte) bool {
	text := bytes.TrimLeft(head, " \t\r\n")
	for _, mark := range []string{"[", "{", "PK", "PAR1", "SQLite", "ARROW1", "\x1f\x8b", "\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return false
		}
	}
	return bytes.IndexByte(head, 0) < 0
}

// hasClass reports whether a class has a name.
func (s *Store) hasClass(name string) (has bool) {
	s.View(func(st *State) { has = st.ClassCalled(name) != NoClass })
	return has
}
