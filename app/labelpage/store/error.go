package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Reason is the kind of an [Error].
type Reason int

// The reasons.
const (
	Failed   Reason = iota // the disk, the file system or the file
	Invalid                // an event that means nothing: a fault of the client
	Conflict               // an event that does not fit what others did meanwhile
	Full                   // no space is left
	ReadOnly               // the file or its folder cannot be written
	Locked                 // another program has it
	NotStore               // the file is something else, or of a later version
	OtherSet               // the store belongs to another data set
	Damaged                // the file is not as it was written
	Moved                  // the file is no longer where it was opened
)

// Error is a failure of the store, in words that say what to do.
type Error struct {
	Reason Reason
	Text   string
	Err    error // the cause; nil for none
}

func (e *Error) Error() string { return e.Text }

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether err is an [*Error] of this reason.
func (r Reason) Is(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Reason == r
}

func errorf(r Reason, format string, args ...any) *Error {
	return &Error{Reason: r, Text: fmt.Sprintf(format, args...)}
}

// restore is the advice on a damaged file.
const restore = "restore it from a copy; sqlite3 FILE .recover saves what is left of a damaged one"

// damaged returns the error of a damaged file.
func (s *Store) damaged(format string, args ...any) error {
	return errorf(Damaged, "%s is damaged, or another program changed it: %s: %s", s.path, fmt.Sprintf(format, args...), restore)
}

// inWords rewords an error of SQLite or of the system for the store at path.
func inWords(path string, err error) error {
	if err == nil {
		return nil
	}
	var already *Error
	if errors.As(err, &already) {
		return err
	}
	wrap := func(r Reason, format string, args ...any) error {
		e := errorf(r, format, args...)
		e.Err = err
		return e
	}
	var cause *sqlite.Error
	code := 0
	if errors.As(err, &cause) {
		code = cause.Code() & 0xff
	}
	switch {
	case code == sqlite3.SQLITE_FULL, cause != nil && cause.Code() == sqlite3.SQLITE_IOERR_SHMSIZE, errors.Is(err, syscall.ENOSPC):
		return wrap(Full, "%s: the disk is full: make room, then try again; everything that was taken before is kept", path)
	case code == sqlite3.SQLITE_READONLY, code == sqlite3.SQLITE_PERM, errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return wrap(ReadOnly, "%s is read-only, or its folder is: make both writable, or copy the file to a folder that is and name it with --store", path)
	case code == sqlite3.SQLITE_BUSY, code == sqlite3.SQLITE_LOCKED:
		return wrap(Locked, "%s is locked by another program that writes to it: end that, then try again", path)
	case code == sqlite3.SQLITE_NOTADB:
		return wrap(NotStore, "%s is not a store of labels: give another name with --store", path)
	case code == sqlite3.SQLITE_CORRUPT:
		return wrap(Damaged, "%s is damaged (%v): %s", path, err, restore)
	case code == sqlite3.SQLITE_TOOBIG:
		return wrap(Damaged, "%s is damaged (it has a text longer than any that lapsvm writes): %s", path, restore)
	case code == sqlite3.SQLITE_CANTOPEN:
		return wrap(Failed, "%s cannot be opened (%v): check the folder and its permissions", path, err)
	}
	return wrap(Failed, "%s: %v: check the disk; everything that was taken before is kept", path, err)
}
