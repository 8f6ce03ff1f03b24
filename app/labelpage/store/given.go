package store

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Given is a label that comes from elsewhere.
type Given struct {
	Row    int    // of the data, from 0
	Class  string // its name
	Person string
}

// Import adds labels that come from elsewhere, as one batch of each person, with the
// classes that are new, in the order in which they come. Labels that a person has given
// already, in the same words, are left out, so that to import twice changes nothing. It
// returns how many were added.
func (s *Store) Import(ctx context.Context, all []Given) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(ctx); err != nil {
		return 0, err
	}
	var events []Event
	new := make(map[string]bool)
	group := newKey()
	added := 0
	for _, g := range all {
		class := s.state.ClassCalled(g.Class)
		if class == NoClass && !new[g.Class] {
			new[g.Class] = true
			events = append(events, Event{Kind: ClassAdd, Person: g.Person, Name: g.Class, Key: newKey()})
		}
		if j, said := s.state.Said(g.Row, g.Person); said && j.Kind == Label && j.Class == class && class != NoClass {
			continue
		}
		added++
		events = append(events, Event{Kind: Import, Person: g.Person, Row: g.Row, Class: NoClass, Name: g.Class, Key: newKey(), Group: g.Person + group})
	}
	if len(events) == 0 {
		return 0, nil
	}
	_, err := s.add(ctx, events)
	return added, err
}

// AddClasses adds the classes of these names that are not there, in their order, as those
// of the data. One that is there is left out, and so is one that this added before and that
// was renamed or merged since, so that to add twice changes nothing.
func (s *Store) AddClasses(ctx context.Context, names []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(ctx); err != nil {
		return err
	}
	var events []Event
	for _, name := range names {
		added := func(e Event) bool { return e.Kind == ClassAdd && e.Person == FromData && e.Name == name }
		if s.state.ClassCalled(name) == NoClass && !slices.ContainsFunc(s.events, added) && !slices.ContainsFunc(events, added) {
			events = append(events, Event{Kind: ClassAdd, Person: FromData, Name: name, Key: newKey()})
		}
	}
	if len(events) == 0 {
		return nil
	}
	_, err := s.add(ctx, events)
	return err
}

// noLabel are words for no label in a file of labels.
var noLabel = []string{"", "?", "NA", "nan", "null", "None", "unlabelled"}

// ReadCSV reads labels from a table with a header. A column called row has the number
// of the row, from 1, or one called id, name or file what the row is called, which find
// looks up; a column called class or label has the class; and there may be one called
// person, else they are those of the person given. Rows without a class are left out.
// Memory: that of the labels.
func ReadCSV(r io.Reader, file, person string, points int, find func(name string) (row int, ok bool)) ([]Given, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: there is no line of column names (%v): give a table with the columns row or id, and class", file, err)
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
		return nil, fmt.Errorf("%s:1: the columns are %s: give a table with the columns row or id, and class", file, strings.Join(header, ", "))
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
		g := Given{Class: strings.TrimSpace(fields[class]), Person: person}
		if slices.Contains(noLabel, g.Class) {
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
				return nil, fmt.Errorf("%s:%d: no row is called %q: check the column %s", file, line, fields[name], header[name])
			}
		}
		if err := errors.Join(checkText("the class", g.Class, mostName), CheckPerson(g.Person)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		all = append(all, g)
	}
}
