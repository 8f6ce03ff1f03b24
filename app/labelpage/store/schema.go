package store

// applicationID marks the file as a store of labels, in SQLite's header.
const applicationID = 0x4c53564d // "LSVM"

// migrations[v] brings a file of version v to version v+1; version 0 is an empty
// file. The version is SQLite's user_version. A migration is never changed, only
// followed by others.
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
`}

// version is the version of the files that are written.
const version = len(migrations)
