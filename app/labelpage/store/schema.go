package store

import (
	"context"
	"database/sql"
	"fmt"
)

// applicationID marks the file as a store of labels, in SQLite's header.
const applicationID = 0x4c53564d // "LSVM"

// migrations[v] brings a file of version v to version v+1; version 0 is an empty file. The version
// is SQLite's user_version. A migration is never changed, only followed by others. After all of
// them, rows and events without a checksum get one.
var migrations = [...]string{`
CREATE TABLE meta(
	key   TEXT PRIMARY KEY,  -- data (its name), points (rows), hash (of all rows), created
	value TEXT NOT NULL
) STRICT;

CREATE TABLE rows(           -- the rows of the data that events speak of
	id    INTEGER PRIMARY KEY,
	place INTEGER UNIQUE,    -- the row in the data as they are now, from 1; NULL: its contents are gone
	hash  TEXT NOT NULL,     -- of its contents
	name  TEXT NOT NULL      -- what it was called: a file, an id, or row 17
) STRICT;

CREATE TABLE events(         -- only ever added to
	seq       INTEGER PRIMARY KEY,
	time      TEXT NOT NULL,      -- UTC
	person    TEXT NOT NULL,
	kind      TEXT NOT NULL,
	row       INTEGER REFERENCES rows(id),
	class     INTEGER,            -- classes are numbered from 0 as they are added
	name      TEXT,               -- of a class
	into_class INTEGER,           -- of class-merge
	comment   TEXT,
	seconds   REAL,
	blind     INTEGER NOT NULL DEFAULT 0,
	predicted INTEGER,            -- of blind labels: the class predicted before
	learnt    INTEGER,            -- and by how many labels
	key       TEXT NOT NULL UNIQUE,
	batch     INTEGER NOT NULL,   -- seq of the first event of its batch
	ref       INTEGER             -- of undo and redo: the batch
) STRICT;

CREATE TRIGGER events_are_kept    BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
CREATE TRIGGER events_stay        BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;

CREATE VIEW history AS
	SELECT seq, time, person, kind, place AS row, rows.name AS row_name, class, events.name, into_class, comment, seconds, blind, predicted, learnt, batch, ref
	FROM events LEFT JOIN rows ON rows.id = events.row ORDER BY seq;
`, `
ALTER TABLE rows ADD COLUMN sum BLOB;      -- of the row
ALTER TABLE events ADD COLUMN source TEXT; -- of import: where the label is written, data or a file
ALTER TABLE events ADD COLUMN sum BLOB;    -- of the event and the sum of the one before; meta has that of the last as head

DROP TRIGGER events_stay;
CREATE TRIGGER events_stay BEFORE UPDATE ON events WHEN OLD.sum IS NOT NULL BEGIN SELECT RAISE(ABORT, 'events are only added'); END;

DROP VIEW history;
CREATE VIEW history AS
	SELECT seq, time, person, kind, place AS row, rows.name AS row_name, class, events.name, into_class, comment, seconds, blind, predicted, learnt, batch, ref, source
	FROM events LEFT JOIN rows ON rows.id = events.row ORDER BY seq;
`}

// version is the version of the files that are written.
const version = len(migrations)

// migrate brings the file to this version; a new one has version 0. A file that is damaged is left as it is.
func (s *Store) migrate(ctx context.Context) error {
	has, _, err := s.versionOf(ctx)
	if err != nil {
		return err
	}
	if err := s.checkSchema(ctx, has); err != nil {
		return err
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
	if err := s.seal(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d", applicationID, version)); err != nil {
		return err
	}
	return tx.Commit()
}

// versionOf returns the version of the file, and whether nothing has been written to it. It fails
// where the file is no store that this program knows.
func (s *Store) versionOf(ctx context.Context) (has int, fresh bool, err error) {
	var application, tables int
	for query, to := range map[string]*int{"PRAGMA application_id": &application, "PRAGMA user_version": &has, "SELECT count(*) FROM sqlite_schema": &tables} {
		if err := s.db.QueryRowContext(ctx, query).Scan(to); err != nil {
			return 0, false, err
		}
	}
	switch fresh = application == 0 && has == 0 && tables == 0; {
	case fresh:
	case application != applicationID:
		return 0, false, errorf(NotStore, "%s is a database, but not a store of labels: give another one", s.path)
	case has > version:
		return 0, false, errorf(NotStore, "%s was written by a later lapsvm (version %d, this one knows %d): install that, or give another store", s.path, has, version)
	case has < 1:
		return 0, false, s.damaged("its version is %d", has)
	}
	return has, fresh, nil
}

// checkSchema refuses a file whose tables, views and triggers are not those of a version, because
// reading or writing it could then do anything.
func (s *Store) checkSchema(ctx context.Context, has int) error {
	model, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer model.Close()
	model.SetMaxOpenConns(1)
	for _, m := range migrations[:has] {
		if _, err := model.ExecContext(ctx, m); err != nil {
			return err
		}
	}
	want, err := schemaOf(ctx, model)
	if err != nil {
		return err
	}
	got, err := schemaOf(ctx, s.db)
	if err != nil {
		return err
	}
	for name, made := range want {
		if got[name] != made {
			return s.damaged("its %s is missing or another than lapsvm makes", name)
		}
	}
	for name, made := range got {
		if _, ok := want[name]; !ok && made.kind == "trigger" {
			return s.damaged("the %s is not of lapsvm", name)
		}
	}
	return nil
}

// made is how something of a schema was made.
type made struct{ kind, table, text string }

// schemaOf returns the statements that made a schema, by kind and name.
func schemaOf(ctx context.Context, db *sql.DB) (map[string]made, error) {
	rows, err := db.QueryContext(ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[string]made)
	for rows.Next() {
		var m made
		var name string
		if err := rows.Scan(&m.kind, &name, &m.table, &m.text); err != nil {
			return nil, err
		}
		all[m.kind+" "+name] = m
	}
	return all, rows.Err()
}
