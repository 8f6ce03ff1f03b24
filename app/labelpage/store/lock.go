package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"

	"modernc.org/sqlite"

	"lapsvm/internal/system/atomicfile"
)

// lockSuffix is the end of the name of the file that the writer's lock is on.
const lockSuffix = "-lock"

// database opens a file of SQLite with one connection.
func database(path, query string) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(absolute)
	if slashed[0] != '/' {
		slashed = "/" + slashed // a drive's letter
	}
	connector, err := sqlite.NewConnector((&url.URL{Scheme: "file", OmitHost: true, Path: slashed, RawQuery: query}).String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	return db, nil
}

// fileOf returns the file that a path leads to, whether it is there or not. It refuses a file with
// further names (hard links): SQLite finds the log by the store's name, so that under another name
// events in the log would be lost.
func fileOf(path string) (string, error) {
	file, err := atomicfile.Target(path)
	if err != nil {
		return "", inWords(path, err)
	}
	switch n, err := names(file); {
	case errors.Is(err, fs.ErrNotExist):
		return file, nil
	case err != nil:
		return "", inWords(path, err)
	case n > 1:
		return "", errorf(Failed, "%s is one of %d names of the same file (hard links). Labels given by one name may be missing by another: remove the other names, or copy the store while nothing has it open", path, n)
	}
	return file, nil
}

// writing is the lock of a writer.
type writing struct {
	db   *sql.DB
	conn *sql.Conn // in a transaction that holds the lock
}

// lock makes this process the writer of the store at path, until it is released or the process
// ends. The lock is SQLite's own, on an empty database beside the store: it is the same on every
// system, and it does not block readers of the store. The lock is also the same through a symbolic
// link to the store.
func lock(ctx context.Context, path string) (*writing, error) {
	file, err := fileOf(path)
	if err != nil {
		return nil, err
	}
	db, err := database(file+lockSuffix, "_pragma=busy_timeout(200)&_pragma=journal_mode(off)")
	if err != nil {
		return nil, err
	}
	w := &writing{db: db}
	if w.conn, err = db.Conn(ctx); err == nil {
		_, err = w.conn.ExecContext(ctx, "BEGIN EXCLUSIVE")
	}
	if err == nil {
		return w, nil
	}
	w.release()
	if err = inWords(path, err); Locked.Is(err) {
		return nil, errorf(Locked, "%s is open in another lapsvm label: label on its page, as another person if you like, or end it first", path)
	}
	return nil, err
}

// release gives the lock back.
func (w *writing) release() {
	if w.conn != nil {
		w.conn.Close()
	}
	w.db.Close()
}
