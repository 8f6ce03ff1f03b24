package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"lapsvm/internal/machines/task"
)

// Data describes the data set to a store.
type Data struct {
	Name   string               // of the file or folder
	Hashes []string             // of the contents of every row
	RowIs  func(row int) string // what a row is called, for people; nil for "row 17"
	// Kind is what labels are. A number is a class that is called so, and there is none but for rows: a label adds the class of its
	// number, and classes are neither added, renamed nor merged otherwise. Of several classes a label says which a row has and which
	// it lacks, and no name of a class has the separator in it. Ordered classes are those that are named, or numbers.
	Kind task.Kind
	// Memory is how many bytes the events of a store may take when it is read; 0 is no limit.
	Memory int64
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
	path   string
	data   Data
	kind   task.Kind // what labels are, which never changes
	now    func() time.Time
	lock   *writing
	db     *sql.DB
	drift  Drift
	opened *openedFiles // where the files were once they were open
	idle   *time.Timer  // until the log is carried over; nil until it is first

	mu     sync.RWMutex // of what follows
	events []Event
	keys   map[string]int // of an event in events
	places *places
	state  *State
	began  time.Time // by the clock, and
	first  time.Time // what was taken for it: never before the last event
	stale  bool      // what is in memory may not be what is in the file
	head   sum       // checksum of the last event
	sets   *labelSets
	behind bool // the log has what is to be carried over
	closed bool
}

// Open opens the store at path for the data set, and makes it where there is none. An older file is
// brought to this version. The only writer is the process that has it open. Open fails where the
// file is no store, is of a later version, has other labels than data says, or belongs to other data. A store belongs to other data
// where more than half of its rows with events are missing from data.
func Open(ctx context.Context, path string, data Data) (*Store, error) {
	return open(ctx, path, data, time.Now)
}

func open(ctx context.Context, path string, data Data, now func() time.Time) (s *Store, err error) {
	if err := writable(path); err != nil {
		return nil, err
	}
	s = &Store{path: path, data: data, kind: data.Kind, now: now, began: now(), sets: newLabelSets()}
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
	if s.db, err = database(path, "_pragma=busy_timeout(5000)&_pragma=synchronous(full)&_pragma=fullfsync(1)&_pragma=checkpoint_fullfsync(1)&_pragma=foreign_keys(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_txlock=immediate"); err != nil {
		return s, err
	}
	if err = s.bound(ctx); err != nil {
		return s, err
	}
	if err = s.migrate(ctx); err != nil {
		return s, err
	}
	if err = s.checkLabels(ctx); err != nil {
		return s, err
	}
	if err = s.load(ctx); err != nil {
		return s, err
	}
	if s.opened, err = statOpened(ctx, s.db); err != nil {
		return s, err
	}
	if err = s.reconcile(ctx); err != nil {
		return s, err
	}
	if err = s.refresh(ctx); err != nil {
		return s, err
	}
	return s, s.begin(ctx)
}

// leastSize is the bytes of the smallest database.
const leastSize = 512

// writable refuses a file or a folder that is read-only, for whomever.
func writable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return errorf(Failed, "%s is a folder: give the name of a file with --store", path)
	case err == nil && !info.Mode().IsRegular():
		return errorf(NotStore, "%s is no file that a store could be: give another name with --store", path)
	case err == nil && info.Size() > 0 && info.Size() < leastSize: // which SQLite takes for an empty file
		return errorf(NotStore, "%s is not a store of labels, or has lost its end: give another name with --store, or restore it from a copy", path)
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

// Change tells the store that the data changed while the store is open. The rows in data are the
// present ones, in their places and with the empty hash where contents are missing, and then any
// new ones. Labels of missing contents are kept and count nowhere, as on [Open]. Change returns how
// the data differ. It fails as [Open] does, and the store then goes on with the present data. It
// panics for fewer rows.
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
	err := s.reconcile(ctx)
	if err == nil {
		err = s.refresh(ctx)
	}
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

// reconcile compares the rows of the store with the data, which may have changed.
func (s *Store) reconcile(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	before, err := s.meta(ctx)
	if err != nil {
		return err
	}
	if err := s.settle(before["data"]); err != nil {
		return err
	}
	now := maps.Clone(before)
	now["data"], now["points"], now["hash"] = s.data.Name, strconv.Itoa(len(s.data.Hashes)), hashOf(s.data.Hashes)
	maps.Copy(now, properties(s.kind))
	now["created"] = cmp.Or(before["created"], s.time().Format(timeFormat))
	if maps.Equal(before, now) && !s.drift.Any() {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		for key, value := range now {
			if err := setMeta(ctx, tx, key, value); err != nil {
				return err
			}
		}
		if !s.drift.Any() {
			return nil
		}
		if err := s.move(ctx, tx); err != nil {
			return err
		}
		e := Event{Seq: s.last() + 1, Time: s.time(), Person: FromData, Kind: Changed, Row: NoRow, Class: NoClass, Into: NoClass, Predicted: NoClass, Key: newKey(),
			Comment: fmt.Sprintf("the data changed: of rows with labels %d are gone, %d moved, %d are back", len(s.drift.Gone), len(s.drift.Moved), len(s.drift.Back))}
		e.Batch = e.Seq
		if _, err := s.insert(ctx, tx, []Event{e}); err != nil {
			return err
		}
		s.stale = true // rows are elsewhere, so that all is read anew
		return nil
	})
}

// settle finds the rows of the store in the data. It fails for other data than those of
// this name.
func (s *Store) settle(called string) error {
	placed := 0
	for _, row := range s.places.rows {
		if row != NoRow {
			placed++
		}
	}
	s.drift = s.places.settle(s.data.Hashes)
	if gone := len(s.drift.Gone); placed > 0 && 2*gone > placed {
		return errorf(OtherSet, "%s has labels of %s, and %d of their %d rows are not in %s: give the data that it belongs to, or another store", s.path, called, gone, placed, s.data.Name)
	}
	return nil
}

// meta reads the properties of the whole store.
func (s *Store) meta(ctx context.Context) (map[string]string, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT key, value FROM meta")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[string]string)
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, s.damaged("its table meta: %v", err)
		}
		all[key] = value
	}
	return all, rows.Err()
}

// move writes down where the rows are now.
func (s *Store) move(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, "UPDATE rows SET place = NULL"); err != nil {
		return err
	}
	to, err := tx.PrepareContext(ctx, "UPDATE rows SET place = ?, sum = ? WHERE id = ?")
	if err != nil {
		return err
	}
	defer to.Close()
	var room digest
	for k, row := range s.places.rows {
		sum, place := s.places.sumOf(k+1, &room), any(row+1)
		if row == NoRow {
			place = nil
		}
		if _, err := to.ExecContext(ctx, place, sum[:], k+1); err != nil {
			return err
		}
	}
	return nil
}

// Drift returns the difference between the data and those of the last time the store was open.
func (s *Store) Drift() Drift {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.drift
}

// rules returns what the labels are.
func (s *Store) rules() rules { return rules{of(s.kind), s.kind.Separator, s.sets} }

// Path returns the name of the file.
func (s *Store) Path() string { return s.path }

// View calls see with the state as it is after the last event, which does not change
// meanwhile. see must not keep it, nor call methods of the store.
func (s *Store) View(see func(*State)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	see(s.state)
}

// time returns the time of the next event: the clock's time when the store was opened, plus the
// time elapsed since. Setting the clock therefore has no effect. It is never before the last event.
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
