package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
)

// timeFormat is how times are written: UTC, so that they sort as text.
const timeFormat = "2006-01-02T15:04:05.000Z"

// hashDigits is the length of a hash.
const hashDigits = 32

// Hash returns the hash of the contents of a row: half of their SHA-256, in
// hexadecimal digits.
func Hash(contents []byte) string {
	sum := sha256.Sum256(contents)
	return hex.EncodeToString(sum[:hashDigits/2])
}

func hashOf(hashes []string) string {
	h := sha256.New()
	for _, one := range hashes {
		h.Write([]byte(one))
	}
	return hex.EncodeToString(h.Sum(nil)[:hashDigits/2])
}

// newKey makes a key for an event of the store's own.
func newKey() string { return rand.Text() }

// eventColumns are the columns of an event, in the order in which they are written and
// read.
const eventColumns = "seq, time, person, kind, row, class, name, into_class, comment, seconds, blind, predicted, learnt, key, batch, ref, source, sum"

// insert writes events that follow those of the store, and returns the checksum of the last.
func (s *Store) insert(ctx context.Context, tx *sql.Tx, events []Event) (head sum, err error) {
	add, err := tx.PrepareContext(ctx, "INSERT INTO events("+eventColumns+") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return head, err
	}
	defer add.Close()
	head = s.head
	var room digest
	for k := range events {
		e := &events[k]
		head = e.sumAfter(head, &room)
		if _, err := add.ExecContext(ctx, e.Seq, e.Time.Format(timeFormat), e.Person, string(e.Kind), null(e.id, 0), null(e.Class, NoClass), null(e.Name, ""), null(e.Into, NoClass),
			null(e.Comment, ""), null(e.Seconds, 0), e.Blind, null(e.Predicted, NoClass), sql.NullInt64{Int64: int64(e.Learnt), Valid: e.Blind}, e.Key, e.Batch, null(e.Ref, 0),
			null(e.Source, ""), head[:]); err != nil {
			return head, err
		}
	}
	return head, setMeta(ctx, tx, "head", hex.EncodeToString(head[:]))
}

// null returns a value for the file: nil where v is none.
func null[T comparable](v, none T) any {
	if v == none {
		return nil
	}
	return v
}

// load reads the whole file and replays it.
func (s *Store) load(ctx context.Context) error {
	if err := s.read(ctx, s.db, true); err != nil {
		return err
	}
	s.stale = false
	if s.first.IsZero() {
		if s.first = s.began; len(s.events) > 0 && s.first.Before(s.events[len(s.events)-1].Time) {
			s.first = s.events[len(s.events)-1].Time
		}
	}
	return nil
}
