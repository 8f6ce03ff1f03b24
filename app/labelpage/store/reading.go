package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"lapsvm/internal/machines/task"
	"lapsvm/internal/system/regular"
	"lapsvm/internal/system/unfinished"
)

// magic begins every database of SQLite.
const magic = "SQLite format 3\x00"

// IsStore reports whether a file is a store, by the first bytes of its database. Those of a store may still be in the log beside it.
func IsStore(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const at = 68 // of the number of the program in a database
	head := make([]byte, at+4)
	if _, err = io.ReadFull(f, head); err != nil || !bytes.HasPrefix(head, []byte(magic)) {
		return false
	}
	log, err := os.Stat(path + "-wal")
	application := binary.BigEndian.Uint32(head[at:])
	return application == applicationID || application == 0 && err == nil && log.Size() > 0
}

// Labels are the labels that a store has for the rows of a data set.
type Labels struct {
	Kind   task.Kind      // what they are in the store
	Class  map[int]string // of every row with an aggregated class, see [State.Aggregated]
	Lost   string         // what of them counts for nothing as the data has them, "" for nothing: see kind
	Differ []int          // rows to which people give different classes, none of them settled, ascending
	Drift  Drift          // of the data since the store was last open
}

// ReadLabels reads the labels of the rows of data from the store at path. It changes nothing, and
// another process may have the store open. Labels may be others than data says: lists of classes are written with the separator of the data, which a store
// of them takes. An order is that of the data, where both have one. It fails where [Open] does otherwise, and for a store of an older version.
func ReadLabels(ctx context.Context, path string, data Data) (*Labels, error) {
	l, err := readLabels(ctx, path, path, data)
	var code *sqlite.Error
	if errors.As(err, &code) && (code.Code()&0xff == sqlite3.SQLITE_CANTOPEN || code.Code()&0xff == sqlite3.SQLITE_READONLY) {
		l, err = readCopy(ctx, path, data) // SQLite makes files beside a store, which a folder that is only read does not take
	}
	return l, inWords(path, err)
}

// readCopy reads a copy of the store, with its log, in a folder for temporary files.
func readCopy(ctx context.Context, path string, data Data) (l *Labels, err error) {
	folder, err := unfinished.Folder("lapsvm")
	if err != nil {
		return nil, err
	}
	defer unfinished.Remove(folder)
	copied := filepath.Join(folder, "store")
	for _, suffix := range []string{"", logSuffix} {
		if err := copyFile(copied+suffix, path+suffix); err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
	}
	return readLabels(ctx, copied, path, data)
}

func copyFile(to, from string) error {
	in, _, err := regular.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// readLabels reads a store from the file of another one, which is a copy of it.
func readLabels(ctx context.Context, file, path string, data Data) (*Labels, error) {
	db, err := database(file, "mode=ro&_pragma=busy_timeout(5000)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s := &Store{path: path, data: data, kind: data.Kind, db: db, sets: newLabelSets()}
	return s.labels(ctx)
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
	row := of(kind)
	lost := row.lost(s.kind)
	if !row.single() {
		if kind.Separator = s.kind.Separator; kind.Separator == "" {
			return nil, errorf(OtherSet, "rows have several classes in %s: say --multi-label ';'", s.path)
		}
	} else if kind.Name == s.kind.Name && !maps.Equal(properties(kind), properties(s.kind)) {
		return nil, row.refused(s.path, s.kind)
	}
	s.kind = kind
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
	l := &Labels{Kind: kind, Lost: lost, Class: s.state.Labels(), Drift: s.drift}
	for _, d := range s.state.Differences() {
		if d.Aggregated == NoClass {
			l.Differ = append(l.Differ, d.Row)
		}
	}
	return l, nil
}
