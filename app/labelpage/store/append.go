package store

import (
	"context"
	"database/sql"
	"time"
)

// Append adds a list of events of one person: all of them or, with an error, none. It
// returns once the events are on disk. An event with a known key is not added again, and
// its number is that of the first time; a different event with that key is a Conflict.
// It returns the numbers of the events.
func (s *Store) Append(ctx context.Context, events []Event) ([]int64, error) {
	if len(events) > MostEvents {
		return nil, errorf(Invalid, "%d events in one list: send at most %d", len(events), MostEvents)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(ctx, events)
}

// add is Append without the limit of a client, under the lock.
func (s *Store) add(ctx context.Context, events []Event) ([]int64, error) {
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	stored := len(s.places.rows)
	seqs, fresh, err := s.take(events)
	if err == nil && len(fresh) > 0 {
		err = s.commit(ctx, fresh, stored)
	}
	if err != nil {
		return nil, s.recover(err, stored)
	}
	s.remember(fresh)
	return seqs, nil
}

// take numbers the events that are not there yet and lets them take effect in memory.
func (s *Store) take(events []Event) (seqs []int64, fresh []Event, err error) {
	now := s.time()
	groups := make(map[string]int64)
	keys := make(map[string]int) // in fresh
	for _, event := range events {
		e, err := event.tidy(len(s.data.Hashes), s.rules())
		if err != nil {
			return nil, nil, err
		}
		if e.Row != NoRow {
			if s.data.Hashes[e.Row] == "" {
				return nil, nil, errorf(Conflict, "the contents of %s are no longer in the data", s.data.called(e.Row))
			}
			if e.id = s.places.id(e.Row); e.id == 0 {
				e.id = s.places.add(e.Row, s.data.Hashes[e.Row], s.data.called(e.Row))
			}
		}
		before := (*Event)(nil)
		if k, is := s.keys[e.Key]; is {
			before = &s.events[k]
		} else if k, is := keys[e.Key]; is {
			before = &fresh[k]
		}
		if before != nil {
			if !before.same(&e) {
				return nil, nil, errorf(Conflict, "the key %q belongs to %v, another event: give every event a key of its own", e.Key, before)
			}
			seqs = append(seqs, before.Seq)
			continue
		}
		if fresh, err = s.rules().take(s, &e, fresh, now); err != nil {
			return nil, nil, err
		}
		if e.Kind == ClassAdd || e.Kind == ClassRename {
			if other := s.state.classLike(e.Name); other != NoClass && (e.Kind == ClassAdd || other != e.Class) {
				return nil, nil, errorf(Conflict, "there is a class %q already", s.state.ClassName(other))
			}
		}
		switch {
		case e.Kind == ClassAdd:
			if e.Class = s.state.Numbers(); e.Class >= s.rules().most() {
				return nil, nil, errorf(Invalid, "%d classes are the most", s.rules().most())
			}
		case e.Name != "" && e.Class == NoClass:
			if e.Class = s.state.classLike(e.Name); e.Class == NoClass {
				return nil, nil, errorf(Conflict, "there is no class %q", e.Name)
			}
		}
		e.Seq, e.Time = s.last()+int64(len(fresh))+1, now
		if e.Batch = e.Seq; e.Group != "" {
			if first, is := groups[e.Group]; is {
				e.Batch = first
			} else {
				groups[e.Group] = e.Seq
			}
		}
		if s.state.people[e.Person] == nil && len(s.state.people) >= MostPeople {
			return nil, nil, errorf(Invalid, "%d people are the most", MostPeople)
		}
		if err := s.state.apply(&e); err != nil {
			return nil, nil, err
		}
		s.state.count(&e)
		keys[e.Key] = len(fresh)
		fresh, seqs = append(fresh, e), append(seqs, e.Seq)
	}
	return seqs, fresh, nil
}

// addOfData adds what has the number of a class, as one of the data.
func (s *Store) addOfData(kind Kind, text string, fresh []Event, now time.Time) ([]Event, error) {
	e := Event{Seq: s.last() + int64(len(fresh)) + 1, Time: now, Person: FromData, Kind: kind, Row: NoRow, Class: s.state.Numbers(), Into: NoClass, Predicted: NoClass, Name: text, Key: newKey()}
	if e.Class >= s.rules().most() {
		return nil, errorf(Invalid, "%d different labels are the most", s.rules().most())
	}
	e.Batch = e.Seq
	if err := s.state.apply(&e); err != nil {
		return nil, err
	}
	s.state.count(&e)
	return append(fresh, e), nil
}

// commit writes events, and the rows that the store did not have, of which stored is the number.
func (s *Store) commit(ctx context.Context, events []Event, stored int) error {
	// The labels of a client that goes away must not remain uncertain.
	ctx = context.WithoutCancel(ctx)
	var head sum
	if err := s.write(ctx, func(tx *sql.Tx) (err error) {
		s.stale = true
		var last int64
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM events").Scan(&last); err != nil {
			return err
		}
		if last != s.last() {
			return errorf(Locked, "%s was written to by another program: end that, then try again", s.path)
		}
		var room digest
		for k := stored; k < len(s.places.rows); k++ {
			sum := s.places.sumOf(k+1, &room)
			if _, err := tx.ExecContext(ctx, "INSERT INTO rows(id, place, hash, name, sum) VALUES(?, ?, ?, ?, ?)", k+1, s.places.rows[k]+1, s.places.hashes[k], s.places.names[k], sum[:]); err != nil {
				return err
			}
		}
		head, err = s.insert(ctx, tx, events)
		return err
	}); err != nil {
		return err
	}
	s.head, s.stale = head, false
	return nil
}

// remember keeps events that are in the file.
func (s *Store) remember(events []Event) {
	for k := range events {
		s.keys[events[k].Key] = len(s.events)
		s.events = append(s.events, events[k])
	}
}

// recover removes events that were not written from memory, and returns the error of
// writing in words.
func (s *Store) recover(err error, stored int) error {
	s.places.cut(stored)
	state, failed := replay(s.events, s.places, s.rules())
	if failed != nil { // they were replayed before
		s.stale = true
		return inWords(s.path, failed)
	}
	s.state = state
	return inWords(s.path, err)
}

// refresh reads the file again where a write had failed: whether its end is in the
// file is then for the file to say.
func (s *Store) refresh(ctx context.Context) error {
	if !s.stale {
		return nil
	}
	return inWords(s.path, s.load(context.WithoutCancel(ctx)))
}
