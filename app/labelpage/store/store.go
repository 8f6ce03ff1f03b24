package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Data is what a store needs to know of the data set.
type Data struct {
	Name   string               // of the file or folder
	Hashes []string             // of the contents of every row
	RowIs  func(row int) string // what a row is called, for people; nil for "row 17"
}

func (d *Data) called(row int) string {
	if d.RowIs != nil {
		if name := d.RowIs(row); name != "" {
			return name
		}
	}
	return fmt.Sprintf("row %d", row+1)
}

// Store is an open store. Its methods are safe for concurrent use.
type Store struct {
	path  string
	data  Data
	now   func() time.Time
	lock  *writing
	db    *sql.DB
	drift Drift

	mu     sync.RWMutex // of what follows
	events []Event
	keys   map[string]int // of an event in events
	places *places
	state  *State
	began  time.Time // by the clock, and
	first  time.Time // what was taken for it: never before the last event
	stale  bool      // what is in memory may not be what is in the file
}

// Open opens the store at path for the data set, and makes it where there is none.
// An older file is brought to this version. The only writer is the one who has it open.
// It fails where the file is no store, of a later version, or belongs to other
// data: to such that have less than half of the rows of which something is said.
func Open(ctx context.Context, path string, data Data) (*Store, error) {
	return open(ctx, path, data, time.Now)
}

func open(ctx context.Context, path string, data Data, now func() time.Time) (s *Store, err error) {
	if err := writable(path); err != nil {
		return nil, err
	}
	s = &Store{path: path, data: data, now: now, began: now()}
	if s.lock, err = lock(ctx, path); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.Close()
			s = nil
			err = inWords(path, err)
		}
	}()
	// Of the systems macOS alone has another sync than the one that only asks the disk.
	if s.db, err = database(path, "_pragma=busy_timeout(5000)&_pragma=synchronous(full)&_pragma=fullfsync(1)&_pragma=checkpoint_fullfsync(1)&_pragma=foreign_keys(1)&_txlock=immediate"); err != nil {
		return s, err
	}
	if err = s.migrate(ctx); err != nil {
		return s, err
	}
	if err = s.load(ctx); err != nil {
		return s, err
	}
	return s, s.meet(ctx)
}

// writable refuses a file or a folder that is read-only, for whomever.
func writable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return errorf(Failed, "%s is a folder: give the name of a file with --store", path)
	case err == nil && !info.Mode().IsRegular():
		return errorf(NotStore, "%s is no file that a store could be: give another name with --store", path)
	case err == nil && info.Mode().Perm()&0o222 == 0:
		return inWords(path, fs.ErrPermission)
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return inWords(path, err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return errorf(Failed, "%s: there is no folder %s: make it first, or give another name with --store", path, filepath.Dir(path))
	}
	return nil
}

// migrate brings the file to this version; a new one has version 0.
func (s *Store) migrate(ctx context.Context) error {
	var application, has, tables int
	if err := s.db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&application); err != nil {
		return err
	}
	if err := s.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&has); err != nil {
		return err
	}
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	switch fresh := application == 0 && has == 0 && tables == 0; {
	case !fresh && application != applicationID:
		return errorf(NotStore, "%s is a database, but not a store of labels: give another name with --store", s.path)
	case has > version:
		return errorf(NotStore, "%s was written by a later lapsvm (version %d, this one knows %d): install that, or give another name with --store", s.path, has, version)
	}
	var mode string
	if err := s.db.QueryRowContext(ctx, "PRAGMA journal_mode=wal").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return errorf(Failed, "%s: its file system cannot hold SQLite's write-ahead log (%s): put the store on a local disk with --store", s.path, mode)
	}
	if has == version {
		return nil
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, m := range migrations[has:] {
		if _, err := tx.ExecContext(ctx, m); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d", applicationID, version)); err != nil {
		return err
	}
	return tx.Commit()
}

// Change tells the store that the data changed while it is open: data has the rows there were, in their
// places, with the empty hash where the contents are gone, and perhaps more rows after them. What is said of
// contents that are gone is kept and counts nowhere, as on [Open]. It returns how the data differ, and fails as [Open] does, and
// then goes on with the data there were. It panics for fewer rows.
func (s *Store) Change(ctx context.Context, data Data) (Drift, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(data.Hashes) < len(s.data.Hashes) {
		panic(fmt.Sprintf("store: %d rows became %d", len(s.data.Hashes), len(data.Hashes)))
	}
	if err := s.refresh(ctx); err != nil {
		return Drift{}, err
	}
	before, drift := s.data, s.drift
	s.data = data
	err := s.meet(ctx)
	if err != nil {
		s.data, s.stale = before, true // the places are no longer those of the file
		if failed := s.refresh(ctx); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	now := s.drift
	s.drift = drift
	return now, inWords(s.path, err)
}

// meet holds the rows of the store against the data, which may have changed since.
func (s *Store) meet(ctx context.Context) error {
	known := 0
	for _, row := range s.places.rows {
		if row != NoRow {
			known++
		}
	}
	s.drift = s.places.settle(s.data.Hashes)
	var before string
	err := s.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'data'").Scan(&before)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if gone := len(s.drift.Gone); known > 0 && 2*gone > known {
		return errorf(OtherSet, "%s has labels of %s, and %d of their %d rows are not in %s: give the data that it belongs to, or another store with --store", s.path, before, gone, known, s.data.Name)
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for key, value := range map[string]string{"data": s.data.Name, "points": strconv.Itoa(len(s.data.Hashes)), "hash": hashOf(s.data.Hashes)} {
		if _, err := tx.ExecContext(ctx, "INSERT INTO meta VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO meta VALUES('created', ?) ON CONFLICT DO NOTHING", s.time().Format(timeFormat)); err != nil {
		return err
	}
	if !s.drift.Any() {
		return tx.Commit()
	}
	if err := s.move(ctx, tx); err != nil {
		return err
	}
	e := Event{Seq: s.last() + 1, Time: s.time(), Person: FromData, Kind: Changed, Row: NoRow, Class: NoClass, Into: NoClass, Predicted: NoClass, Key: newKey(),
		Comment: fmt.Sprintf("the data changed: of rows with labels %d are gone, %d moved, %d are back", len(s.drift.Gone), len(s.drift.Moved), len(s.drift.Back))}
	e.Batch = e.Seq
	if err := insert(ctx, tx, []Event{e}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.load(ctx)
}

// move writes down where the rows are now.
func (s *Store) move(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, "UPDATE rows SET place = NULL"); err != nil {
		return err
	}
	to, err := tx.PrepareContext(ctx, "UPDATE rows SET place = ? WHERE id = ?")
	if err != nil {
		return err
	}
	defer to.Close()
	for k, row := range s.places.rows {
		if row != NoRow {
			if _, err := to.ExecContext(ctx, row+1, k+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// Drift tells how the data differ from what they were when the store was last open.
func (s *Store) Drift() Drift {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.drift
}

// Path returns the name of the file.
func (s *Store) Path() string { return s.path }

// View calls see with the state as it is after the last event, which does not change
// meanwhile. see must not keep it, nor call methods of the store.
func (s *Store) View(see func(*State)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	see(s.state)
}

// Close gives the store back. Everything that was acknowledged is in it already.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.db != nil {
		err = s.db.Close()
	}
	s.lock.release()
	return inWords(s.path, err)
}

// time is the time of the next event: by the clock as it was when the store was
// opened, and by what has passed since, so that a clock that is set does not matter;
// and never before the last event.
func (s *Store) time() time.Time {
	t := s.first.Add(s.now().Sub(s.began)).UTC().Truncate(time.Millisecond)
	if n := len(s.events); n > 0 && t.Before(s.events[n-1].Time) {
		t = s.events[n-1].Time
	}
	return t
}

func (s *Store) last() int64 {
	if n := len(s.events); n > 0 {
		return s.events[n-1].Seq
	}
	return 0
}
