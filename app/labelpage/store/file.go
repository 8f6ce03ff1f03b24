package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"time"
)

// timeFormat is how times are written: UTC, so that they sort as text.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Hash returns the hash of the contents of a row: half of their SHA-256, in
// hexadecimal digits.
func Hash(contents []byte) string {
	sum := sha256.Sum256(contents)
	return hex.EncodeToString(sum[:16])
}

func hashOf(hashes []string) string {
	h := sha256.New()
	for _, one := range hashes {
		h.Write([]byte(one))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// newKey makes a key for an event of the store's own.
func newKey() string { return rand.Text() }

// load reads the whole file and replays it.
func (s *Store) load(ctx context.Context) error {
	p := newPlaces()
	rows, err := s.db.QueryContext(ctx, "SELECT id, place, hash, name FROM rows ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		var place sql.NullInt64
		var hash, name string
		if err := rows.Scan(&id, &place, &hash, &name); err != nil {
			return err
		}
		row := NoRow
		if place.Valid {
			row = int(place.Int64) - 1
		}
		if got := p.add(row, hash, name); got != id {
			return errorf(Failed, "%s: rows %d is missing: the file was changed by another program; restore it from a copy", s.path, got)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	events, err := s.readEvents(ctx, p)
	if err != nil {
		return err
	}
	state, err := replay(events, p)
	if err != nil {
		return errorf(Failed, "%s does not replay: %v: restore it from a copy", s.path, err)
	}
	s.events, s.places, s.state, s.stale = events, p, state, false
	s.keys = make(map[string]int, len(events))
	for k := range events {
		s.keys[events[k].Key] = k
	}
	if s.first.IsZero() {
		if s.first = s.began; len(events) > 0 && s.first.Before(events[len(events)-1].Time) {
			s.first = events[len(events)-1].Time
		}
	}
	return nil
}

// eventColumns are the columns of an event, in the order in which they are written and
// read.
const eventColumns = "seq, time, person, kind, row, class, name, into_class, comment, seconds, blind, predicted, learnt, key, batch, ref"

func (s *Store) readEvents(ctx context.Context, p *places) ([]Event, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT "+eventColumns+" FROM events ORDER BY seq")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Event
	for rows.Next() {
		e := Event{}
		var at string
		var id, class, into, predicted, learnt, ref sql.NullInt64
		var name, comment sql.NullString
		var seconds sql.NullFloat64
		if err := rows.Scan(&e.Seq, &at, &e.Person, &e.Kind, &id, &class, &name, &into, &comment, &seconds, &e.Blind, &predicted, &learnt, &e.Key, &e.Batch, &ref); err != nil {
			return nil, err
		}
		if e.Time, err = time.Parse(timeFormat, at); err != nil {
			return nil, errorf(Failed, "%s: %v has the time %q: the file was changed by another program; restore it from a copy", s.path, &e, at)
		}
		e.id, e.Name, e.Comment, e.Seconds = int(id.Int64), name.String, comment.String, seconds.Float64
		e.Row, e.Learnt, e.Ref = p.row(e.id), int(learnt.Int64), ref.Int64
		e.Class, e.Into, e.Predicted = classOr(class), classOr(into), classOr(predicted)
		all = append(all, e)
	}
	return all, rows.Err()
}

func classOr(v sql.NullInt64) int {
	if !v.Valid {
		return NoClass
	}
	return int(v.Int64)
}

// insert writes events.
func insert(ctx context.Context, tx *sql.Tx, events []Event) error {
	add, err := tx.PrepareContext(ctx, "INSERT INTO events("+eventColumns+") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer add.Close()
	for k := range events {
		e := &events[k]
		if _, err := add.ExecContext(ctx, e.Seq, e.Time.Format(timeFormat), e.Person, string(e.Kind), null(e.id, 0), null(e.Class, NoClass), null(e.Name, ""), null(e.Into, NoClass),
			null(e.Comment, ""), null(e.Seconds, 0), e.Blind, null(e.Predicted, NoClass), sql.NullInt64{Int64: int64(e.Learnt), Valid: e.Blind}, e.Key, e.Batch, null(e.Ref, 0)); err != nil {
			return err
		}
	}
	return nil
}

// null returns a value for the file, nil where it is that for none.
func null[T comparable](v, none T) any {
	if v == none {
		return nil
	}
	return v
}
