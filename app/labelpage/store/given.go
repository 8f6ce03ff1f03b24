package store

import (
	"context"
	"errors"
	"slices"

	"lapsvm/dataset"
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

// Check reports why a label from elsewhere cannot be taken: its class or its person has no name, or the class is none of this store's kind.
func (s *Store) Check(g Given) error {
	err := errors.Join(CheckClass(g.Class), CheckPerson(g.Person))
	if err == nil {
		_, err = s.rules().spell(g.Class)
	}
	return err
}
