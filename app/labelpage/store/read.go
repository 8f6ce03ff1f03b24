package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"lapsvm/internal/system/size"
)

// querier is a database or a transaction of one.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// read reads rows and events and replays them. The first that lapsvm cannot have written ends it and is named. So
// no file takes more memory than its rows and events do. sealed has it look at the checksums.
func (s *Store) read(ctx context.Context, db querier, sealed bool) error {
	if err := s.fits(ctx, db); err != nil {
		return err
	}
	p, err := s.readRows(ctx, db, sealed)
	if err != nil {
		return err
	}
	events, keys, head, err := s.readEvents(ctx, db, p, sealed)
	if err != nil {
		return err
	}
	if sealed {
		var written string
		if err := db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'head'").Scan(&written); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if written != hex.EncodeToString(head[:]) {
			return s.damaged("event %d is not the last that was written", len(events))
		}
	}
	state, err := replay(events, p, s.rules())
	if err != nil {
		return s.damaged("%v", err)
	}
	s.events, s.keys, s.places, s.state, s.head = events, keys, p, state, head
	return nil
}

// fits refuses a store that takes more memory than it may, by the pages that it has.
func (s *Store) fits(ctx context.Context, db querier) error {
	if s.data.Memory <= 0 {
		return nil
	}
	const grown = 4 // times its pages that a store takes as events, rows and what follows from them
	var pages, bytes int64
	if err := db.QueryRowContext(ctx, "SELECT page_count, page_size FROM pragma_page_count(), pragma_page_size()").Scan(&pages, &bytes); err != nil {
		return err
	}
	if need := grown * pages * bytes; need > s.data.Memory {
		return errorf(Invalid, "%s takes about %s of memory, and %s may be used: allow more with --memory", s.path, size.Text(need), size.Text(s.data.Memory))
	}
	return nil
}

func (s *Store) readRows(ctx context.Context, db querier, sealed bool) (*places, error) {
	p := newPlaces()
	var room digest
	rows, err := db.QueryContext(ctx, "SELECT id, place, hash, name, sum FROM rows ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var place sql.NullInt64
		var hash, name string
		var written sql.RawBytes
		next := len(p.rows) + 1
		if err := rows.Scan(&id, &place, &hash, &name, &written); err != nil {
			return nil, s.damaged("row %d of its table rows: %v", next, err)
		}
		row := NoRow
		if place.Valid {
			row = int(place.Int64) - 1
		}
		switch {
		case id != int64(next):
			return nil, s.damaged("row %d of its table rows is missing", next)
		case place.Valid && (place.Int64 < 1 || place.Int64 > math.MaxInt32):
			return nil, s.damaged("row %d of its table rows has the place %d", next, place.Int64)
		case row != NoRow && p.id(row) != 0:
			return nil, s.damaged("rows %d and %d of its table rows have the place %d", p.id(row), next, place.Int64)
		case len(hash) != hashDigits || strings.Trim(hash, "0123456789abcdef") != "":
			return nil, s.damaged("row %d of its table rows has the hash %.40q", next, hash)
		}
		p.add(row, hash, name)
		if sum := p.sumOf(next, &room); sealed && !slices.Equal(written, sum[:]) {
			return nil, s.damaged("row %d of its table rows does not have the checksum that was written", next)
		}
	}
	return p, rows.Err()
}

func (s *Store) readEvents(ctx context.Context, db querier, p *places, sealed bool) (all []Event, keys map[string]int, head sum, err error) {
	rows, err := db.QueryContext(ctx, "SELECT "+eventColumns+" FROM events ORDER BY seq")
	if err != nil {
		return nil, nil, head, err
	}
	defer rows.Close()
	keys = make(map[string]int)
	var room digest
	for rows.Next() {
		e, written, err := scanEvent(rows, s.rules().most())
		if err == nil {
			err = e.fits(all, len(p.rows))
		}
		if err != nil {
			return nil, nil, head, s.damaged("event %d %v", len(all)+1, err)
		}
		if head = e.sumAfter(head, &room); sealed && !slices.Equal(written, head[:]) {
			return nil, nil, head, s.damaged("event %d (%s by %s) does not have the checksum that was written", e.Seq, e.Kind, e.Person)
		}
		if _, twice := keys[e.Key]; twice {
			return nil, nil, head, s.damaged("event %d has the key of another", e.Seq)
		}
		e.Row = p.row(e.id)
		keys[e.Key] = len(all)
		all = append(all, e)
	}
	return all, keys, head, rows.Err()
}

// scanEvent reads an event from its columns, and its checksum. The store has at most so many classes.
func scanEvent(rows *sql.Rows, classes int) (e Event, written sql.RawBytes, err error) {
	var at string
	var id, class, into, predicted, learnt, ref sql.NullInt64
	var blind int64
	var name, comment, source sql.NullString
	var seconds sql.NullFloat64
	if err := rows.Scan(&e.Seq, &at, &e.Person, &e.Kind, &id, &class, &name, &into, &comment, &seconds, &blind, &predicted, &learnt, &e.Key, &e.Batch, &ref, &source, &written); err != nil {
		return e, nil, err
	}
	if e.Time, err = time.Parse(timeFormat, at); err != nil {
		return e, nil, fmt.Errorf("has the time %.40q", at)
	}
	for _, v := range []struct {
		what  string
		value sql.NullInt64
		to    *int
		none  int
		below int64
	}{
		{"row", id, &e.id, 0, math.MaxInt32}, {"class", class, &e.Class, NoClass, int64(classes)}, {"class merged into", into, &e.Into, NoClass, int64(classes)},
		{"predicted class", predicted, &e.Predicted, NoClass, int64(classes)}, {"number of labels learnt", learnt, &e.Learnt, 0, math.MaxInt32},
	} {
		if *v.to = v.none; v.value.Valid {
			if v.value.Int64 < 0 || v.value.Int64 >= v.below {
				return e, nil, fmt.Errorf("has the %s %d", v.what, v.value.Int64)
			}
			*v.to = int(v.value.Int64)
		}
	}
	if blind < 0 || blind > 1 {
		return e, nil, fmt.Errorf("has %d for blind", blind)
	}
	e.Name, e.Comment, e.Source, e.Seconds, e.Blind, e.Ref = name.String, comment.String, source.String, seconds.Float64, blind == 1, ref.Int64
	return e, written, nil
}

// fits returns the reason why an event cannot follow the others in a store with the given number of
// rows. What it says of classes is for the replay to judge.
func (e *Event) fits(before []Event, rows int) error {
	seq := int64(len(before)) + 1
	first := func(batch int64) bool { return batch >= 1 && batch < seq && before[batch-1].Batch == batch }
	needs, ok := neededBy[e.Kind]
	switch {
	case e.Seq != seq:
		return fmt.Errorf("is missing: event %d follows", e.Seq)
	case !ok:
		return fmt.Errorf("is of the kind %.40q, which there is not", e.Kind)
	case e.id > rows, (e.id > 0) != needs.row:
		return fmt.Errorf("(%s) is of the row %d of %d", e.Kind, e.id, rows)
	case e.Kind != Adjudicate && (e.Class != NoClass) != needs.class:
		return fmt.Errorf("(%s) has the class %d", e.Kind, e.Class)
	case (e.Into != NoClass) != (e.Kind == ClassMerge):
		return fmt.Errorf("(%s) merges into the class %d", e.Kind, e.Into)
	case needs.name && e.Name == "":
		return fmt.Errorf("(%s) has no name", e.Kind)
	case e.Person == "", e.Key == "":
		return fmt.Errorf("(%s) has no person or no key", e.Kind)
	case !(e.Seconds >= 0 && e.Seconds <= mostSeconds):
		return fmt.Errorf("(%s) took %g seconds", e.Kind, e.Seconds)
	case e.Batch != seq && !first(e.Batch):
		return fmt.Errorf("(%s) is of the batch %d", e.Kind, e.Batch)
	case (e.Kind == Undo || e.Kind == Redo) != (e.Ref != 0), e.Ref != 0 && !first(e.Ref):
		return fmt.Errorf("(%s) is of the batch %d", e.Kind, e.Ref)
	}
	return nil
}

// needs is the set of fields required by a kind of event.
type needs struct{ row, class, name bool }

var neededBy = map[Kind]needs{
	Label: {row: true, class: true}, Import: {row: true, class: true}, Adjudicate: {row: true},
	Withdraw: {row: true}, Skip: {row: true}, Unsure: {row: true}, None: {row: true}, Comment: {row: true},
	ClassAdd: {class: true, name: true}, ClassSet: {class: true, name: true}, ClassRename: {class: true, name: true}, ClassMerge: {class: true},
	Undo: {}, Redo: {}, Changed: {},
}
