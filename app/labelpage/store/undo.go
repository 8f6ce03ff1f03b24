package store

import (
	"context"
	"slices"
)

// Undone describes the batch of an undo or a redo.
type Undone struct {
	Seq  int64
	Rows []int  // of the data
	Text string // what was undone or done again, for people
}

// Undo takes back the person's last batch that can be taken back. A batch is passed over
// where it added a class that others use meanwhile. With nothing to undo Undo fails with
// Conflict. For a known key it returns what that key undid the first time.
func (s *Store) Undo(ctx context.Context, person, key string) (Undone, error) {
	return s.turn(ctx, Event{Kind: Undo, Person: person, Key: key})
}

// Redo restores what the person's last undo took back; after a new event of the person
// there is nothing to redo. It fails as Undo does, and where the batch no longer fits.
func (s *Store) Redo(ctx context.Context, person, key string) (Undone, error) {
	return s.turn(ctx, Event{Kind: Redo, Person: person, Key: key})
}

// turn is an undo or a redo.
func (s *Store) turn(ctx context.Context, e Event) (Undone, error) {
	if err := CheckPerson(e.Person); err != nil {
		return Undone{}, err
	}
	if err := checkText("the key of an event", e.Key, mostKey); err != nil {
		return Undone{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(ctx); err != nil {
		return Undone{}, err
	}
	if k, is := s.keys[e.Key]; is {
		before := &s.events[k]
		if before.Kind != e.Kind || before.Person != e.Person {
			return Undone{}, errorf(Conflict, "the key %q belongs to %v: give every event a key of its own", e.Key, before)
		}
		return s.undone(before), nil
	}
	e.Seq, e.Time, e.Row, e.Class, e.Into, e.Predicted = s.last()+1, s.time(), NoRow, NoClass, NoClass, NoClass
	e.Batch = e.Seq
	var batches []int64
	if p := s.state.people[e.Person]; p != nil && e.Kind == Undo {
		batches = p.done
	} else if p != nil && len(p.undone) > 0 {
		batches = p.undone[len(p.undone)-1:]
	}
	refused := error(errorf(Conflict, "there is nothing to %s", e.Kind))
	for _, batch := range slices.Backward(batches) {
		e.Ref = batch
		after, err := replay(append(slices.Clip(s.events), e), s.places, s.rules())
		if err == nil {
			if first, second := after.twins(); first != NoClass && !s.state.hasTwins() {
				err = errorf(Conflict, "there would be the classes %q and %q", after.ClassName(first), after.ClassName(second))
			}
		}
		if err != nil {
			refused = errorf(Conflict, "%s cannot %s: %v", s.state.batches[batch].text, e.Kind, err)
			continue
		}
		if err := s.commit(ctx, []Event{e}, len(s.places.rows)); err != nil {
			return Undone{}, s.recover(err, len(s.places.rows))
		}
		s.remember([]Event{e})
		s.state = after
		return s.undone(&e), nil
	}
	return Undone{}, refused
}

// undone describes the batch of an undo or a redo that is in the file.
func (s *Store) undone(e *Event) Undone {
	u := Undone{Seq: e.Seq, Text: s.state.batches[e.Ref].text}
	first, _ := slices.BinarySearchFunc(s.events, e.Ref, func(e Event, seq int64) int { return int(e.Seq - seq) })
	for _, other := range s.events[first:] {
		if other.Batch == e.Ref {
			if row := s.places.row(other.id); row != NoRow {
				u.Rows = append(u.Rows, row)
			}
		}
	}
	return u
}
