package store

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"os"
)

// magic begins every database of SQLite.
const magic = "SQLite format 3\x00"

// IsDatabase reports whether a file is a database of SQLite, as stores are.
func IsDatabase(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, []byte(magic))
}

// Labels are the labels that a store has for the rows of a data set.
type Labels struct {
	Class  map[int]string // of every row with a settled class, see [State.Settled]
	Differ []int          // rows to which people give different classes, none of them settled, ascending
	Drift  Drift          // of the data since the store was last open
}

// ReadLabels reads the labels of the rows of data from the store at path. It changes nothing, and
// another process may have the store open. Labels may be others than data says: lists of classes are written with the sign Several, which a store
// of them takes. It fails where [Open] does otherwise, and for a store of an older version.
func ReadLabels(ctx context.Context, path string, data Data) (*Labels, error) {
	db, err := database(path, "mode=ro&_pragma=busy_timeout(5000)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)")
	if err != nil {
		return nil, inWords(path, err)
	}
	defer db.Close()
	s := &Store{path: path, data: data, db: db, sets: newLabelSets()}
	l, err := s.labels(ctx)
	return l, inWords(path, err)
}

func (s *Store) labels(ctx context.Context) (*Labels, error) {
	if err := s.bound(ctx); err != nil {
		return nil, err
	}
	has, fresh, err := s.versionOf(ctx)
	switch {
	case err != nil:
		return nil, err
	case fresh:
		return nil, errorf(NotStore, "%s is a database without anything in it, and no store of labels", s.path)
	case has < version:
		return nil, errorf(NotStore, "%s was written by an earlier lapsvm: open it once with lapsvm label, which brings it to this version", s.path)
	}
	if err := s.checkSchema(ctx, has); err != nil {
		return nil, err
	}
	kind, err := s.labelsOf(ctx)
	if err != nil {
		return nil, err
	}
	if s.data.Numbers = kind == labelsNumbers; kind != labelsSeveral {
		s.data.Several = ""
	} else if s.data.Several == "" {
		return nil, errorf(OtherSet, "rows have several classes in %s: say --multi-label ';'", s.path)
	}
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // rows and events of one moment
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if err := s.read(ctx, tx, true); err != nil {
		return nil, err
	}
	name := ""
	if err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'data'").Scan(&name); err != nil {
		return nil, err
	}
	if err := s.settle(name); err != nil {
		return nil, err
	}
	l := &Labels{Class: s.state.Labels(), Drift: s.drift}
	for _, d := range s.state.Differences() {
		if d.Settled == NoClass {
			l.Differ = append(l.Differ, d.Row)
		}
	}
	return l, nil
}
