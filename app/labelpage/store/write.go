package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// logSuffix is the end of the name of SQLite's write-ahead log.
const logSuffix = "-wal"

// idleTime is the time from a commit to a checkpoint of the log into the file. After it
// acknowledged events no longer depend on the log.
const idleTime = 200 * time.Millisecond

// longest is the most bytes of a text or a row of the file: more than lapsvm writes, and little
// compared with the claims of a forged file.
const longest = 1 << 20

// bound has SQLite refuse values that lapsvm never wrote before they take memory.
func (s *Store) bound(ctx context.Context) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, longest)
	return err
}

// openedFiles are the files of an open database as they were found by their names.
type openedFiles struct {
	path   string // of the database, without symbolic links
	file   os.FileInfo
	log    os.FileInfo
	length int64 // of the log after the last write: SQLite never cuts it while the store is open
}

// statOpened finds the files of an open database.
func statOpened(ctx context.Context, db *sql.DB) (*openedFiles, error) {
	var s openedFiles
	err := db.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&s.path)
	if err == nil {
		s.file, err = os.Stat(s.path)
	}
	if err == nil {
		s.log, err = os.Stat(s.path + logSuffix)
	}
	if err == nil {
		s.length = s.log.Size()
	}
	return &s, err
}

// isAt returns the length of the file at path, and reports whether that is the file that was seen.
func isAt(path string, seen os.FileInfo) (length int64, same bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	return info.Size(), os.SameFile(info, seen), nil
}

// inPlace fails where the store or its log is no longer the file of its name, or where the log was cut. Writes would then go
// to a file that nobody finds, or be lost with what was cut. A checkpoint of a log that is whole is made first, wherever the file is.
func (s *Store) inPlace(ctx context.Context) error {
	_, file, err := isAt(s.path, s.opened.file)
	length, log := int64(0), false
	if err == nil {
		length, log, err = isAt(s.opened.path+logSuffix, s.opened.log)
	}
	if err != nil {
		return err
	}
	if log && length < s.opened.length {
		return errorf(Moved, "the log of the store was cut by another program: %s has %d bytes of %d, so no label is taken. Take labels.csv and history.csv from the page, which have all that was taken, and start lapsvm label anew", s.opened.path+logSuffix, length, s.opened.length)
	}
	if file && log {
		s.opened.length = length
		return nil
	}
	s.checkpoint(ctx)
	if !file {
		return errorf(Moved, "the store was moved: %s is no longer the file that was opened, so no label is taken: put that file back. Else take labels.csv and history.csv from the page, which have all that was taken, and start lapsvm label anew", s.path)
	}
	return errorf(Moved, "the store was moved: its log %s is gone or another, so no label is taken: start lapsvm label anew. %s has all that was taken", s.opened.path+logSuffix, s.path)
}

// write changes the file in one transaction, which is on the disk when write returns. It fails where the store is not in
// its place, before the change or after it.
func (s *Store) write(ctx context.Context, change func(*sql.Tx) error) error {
	if err := s.inPlace(ctx); err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := change(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if err := s.inPlace(ctx); err != nil {
		return err
	}
	if !s.behind {
		s.behind = true
		if s.idle == nil {
			s.idle = time.AfterFunc(idleTime, s.checkpointWhenIdle)
		} else {
			s.idle.Reset(idleTime)
		}
	}
	return nil
}

// checkpointWhenIdle makes a checkpoint while nothing is written.
func (s *Store) checkpointWhenIdle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.checkpoint(context.Background())
	}
}

// checkpoint makes a checkpoint of the log into the file. It does not wait for readers; the rest is
// left for the next checkpoint.
func (s *Store) checkpoint(ctx context.Context) {
	s.behind = false
	_, _ = s.db.ExecContext(ctx, "PRAGMA wal_checkpoint(passive)")
}

// Close gives the store back. Everything that was acknowledged is in it already.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.idle != nil {
		s.idle.Stop()
	}
	var err error
	if s.db != nil {
		err = errors.Join(s.keepForeignLog(), s.db.Close())
	}
	s.lock.release()
	return inWords(s.path, err)
}

// keepForeignLog makes SQLite leave a log that was put in the place of the store's own: SQLite removes
// the log by its name when it closes the database.
func (s *Store) keepForeignLog() error {
	if s.opened == nil {
		return nil
	}
	if _, err := os.Stat(s.opened.path + logSuffix); err != nil {
		return nil
	}
	if _, same, err := isAt(s.opened.path+logSuffix, s.opened.log); same || err != nil {
		return err
	}
	conn, err := s.db.Conn(context.Background())
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(c any) error {
		_, err := c.(sqlite.FileControl).FileControlPersistWAL("main", 1)
		return err
	})
}
