package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/internal/system/size"
)

// SQLite is the name of the format of this file: databases of SQLite.
const SQLite = "sqlite"

const sqliteMagic = "SQLite format 3\x00"

func sqliteFormat() Format {
	return Format{
		Name: SQLite, Endings: []string{"sqlite", "sqlite3", "db"},
		Holds: "database of SQLite, of which one table or view is read", Table: true, parts: "table", marks: []string{sqliteMagic},
		read: readSQLite,
	}
}

// readSQLite reads a table or view, in the order in which SQLite gives its rows.
func readSQLite(src *source, o Options) (*dataset.Dataset, error) {
	head, _ := src.Peek(len(sqliteMagic)) // an error comes again
	if string(head) != sqliteMagic {
		return nil, src.Errorf(0, 0, "is no database of SQLite by its first bytes; check how it was made")
	}
	path, remove, err := src.onDisk()
	if err != nil {
		return nil, err
	}
	defer remove()
	q := &query{src: src}
	defer q.close()
	if err := q.open(path); err != nil {
		return nil, err
	}
	names, err := q.tables()
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, src.Errorf(0, 0, "the database has no tables; check how it was made")
	}
	k := 0
	if src.part != "" {
		if k, err = src.among("table", names); err != nil {
			return nil, err
		}
	}
	if err := q.begin(names[k]); err != nil {
		return nil, err
	}
	d, err := src.readCells(cellTable{part: names[k], header: q.header, rows: q.next}, o)
	if err != nil {
		return nil, err
	}
	src.unread(d, "table", names[k], append(names[:k:k], names[k+1:]...))
	for c, n := range q.blobs {
		if n > 0 {
			src.note(d, dataset.Note{Message: dataset.Messagef("the column %q has %s of bytes (BLOB), read as gaps; write them as numbers or text", q.header[c], valuesOf(n))})
		}
	}
	return d, nil
}

func valuesOf(n int) string {
	if n == 1 {
		return "1 value"
	}
	return fmt.Sprintf("%d values", n)
}

// onDisk returns the path of the source as a file, which may be a copy that remove removes.
func (s *source) onDisk() (path string, remove func(), err error) {
	if s.file != nil {
		return s.read.Name(), func() {}, nil
	}
	at, size, err := s.random()
	if err != nil {
		return "", nil, err
	}
	f, err := os.CreateTemp("", "lapsvm-*.sqlite")
	if err != nil {
		return "", nil, s.Errorf(0, 0, "a database that is packed or streamed needs a copy on disk, which cannot be made (%v); unpack it", cause(err))
	}
	_, err = io.Copy(f, io.NewSectionReader(at, 0, size))
	if end := f.Close(); err == nil {
		err = end
	}
	if err != nil {
		os.Remove(f.Name())
		return "", nil, s.Errorf(0, 0, "a database that is packed or streamed needs a copy on disk, which cannot be made (%v); unpack it", cause(err))
	}
	return f.Name(), func() { os.Remove(f.Name()) }, nil
}

// query reads the rows of a table.
type query struct {
	src     *source
	db      *sql.DB
	conn    *sql.Conn
	rows    *sql.Rows
	header  []string
	boolean []bool // columns that are declared so
	blobs   []int  // values of the columns that are bytes
	values  []any
	fields  []string
	row     int
	room    cellRoom
	longest int // bytes of a text or blob
}

// open opens the database, which is never written to. A log beside it is read too.
func (q *query) open(path string) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return q.wrap(err)
	}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "mode=ro&_pragma=trusted_schema(0)&_pragma=query_only(1)"}
	if q.db, err = sql.Open("sqlite", uri.String()); err != nil {
		return q.wrap(err)
	}
	if q.conn, err = q.db.Conn(context.Background()); err != nil {
		return q.wrap(err)
	}
	q.longest = int(min(max(q.src.Memory.Room()/4, 1<<20), maxLine))
	_, err = sqlite.Limit(q.conn, sqlite3.SQLITE_LIMIT_LENGTH, q.longest)
	return q.wrap(err)
}

func (q *query) close() {
	if q.rows != nil {
		q.rows.Close()
	}
	if q.conn != nil {
		q.conn.Close()
	}
	if q.db != nil {
		q.db.Close()
	}
}

// wrap makes an error of the database one of the file.
func (q *query) wrap(err error) error {
	if err == nil {
		return nil
	}
	var told *sqlite.Error
	if errors.As(err, &told) && told.Code() == sqlite3.SQLITE_TOOBIG {
		e := q.src.Errorf(0, 0, "a text or blob is longer than %s; leave its column out by a view (FILE#VIEW), or allow more memory with %s", size.Text(int64(q.longest)), dataset.Option{Name: "Memory"}).(*dataset.Error)
		e.Err = dataset.ErrMemory
		return e
	}
	return checkedReader{nil, q.src, "SQLite cannot read it (%v); check the file, and where a log (-wal) is beside it, copy both to a folder that may be written to"}.wrap(err)
}

// tables returns the names of tables and behind them of views, without those that SQLite keeps for itself.
func (q *query) tables() (names []string, err error) {
	rows, err := q.conn.QueryContext(context.Background(), `select l.name from pragma_table_list l join sqlite_schema s on s.name = l.name
where l.schema = 'main' and l.type in ('table', 'view', 'virtual') and l.name not like 'sqlite\_%' escape '\' order by l.type = 'view', s.rowid`)
	if err != nil {
		return nil, q.wrap(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, q.wrap(err)
		}
		if err := q.src.Take(100+len(name), "the names of the tables"); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, q.wrap(rows.Err())
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// begin begins to read a table. Its columns are read as what stands in them, whatever they are declared as.
func (q *query) begin(table string) error {
	rows, err := q.conn.QueryContext(context.Background(), "select * from "+quoteName(table)+" limit 0")
	if err != nil {
		return q.wrap(err)
	}
	kinds, err := rows.ColumnTypes()
	rows.Close()
	if err != nil {
		return q.wrap(err)
	}
	var all []string
	for _, kind := range kinds {
		q.header = append(q.header, kind.Name())
		q.boolean = append(q.boolean, strings.HasPrefix(kind.DatabaseTypeName(), "BOOL"))
		all = append(all, "+"+quoteName(kind.Name())) // without a declared type, of which the driver would make times
	}
	q.blobs, q.fields, q.values = make([]int, len(all)), make([]string, len(all)), make([]any, len(all))
	q.rows, err = q.conn.QueryContext(context.Background(), "select "+strings.Join(all, ", ")+" from "+quoteName(table))
	return q.wrap(err)
}

// next is a cellRows.
func (q *query) next() ([]string, int, error) {
	if !q.rows.Next() {
		if err := q.rows.Err(); err != nil {
			return nil, 0, q.wrap(err)
		}
		return nil, 0, io.EOF
	}
	q.row++
	to := make([]any, len(q.values))
	for c := range to {
		to[c] = &q.values[c]
	}
	if err := q.rows.Scan(to...); err != nil {
		return nil, 0, q.wrap(err)
	}
	q.room.row = 0
	for c, v := range q.values {
		switch v := v.(type) {
		case nil:
			q.fields[c] = ""
		case int64:
			if q.fields[c] = strconv.FormatInt(v, 10); q.boolean[c] && (v == 0 || v == 1) {
				q.fields[c] = strconv.FormatBool(v == 1)
			}
		case float64:
			q.fields[c] = number.Format(v)
		case string:
			if err := q.room.add(q.src, v); err != nil {
				return nil, 0, err
			}
			q.fields[c] = v
		case []byte:
			q.fields[c] = ""
			q.blobs[c]++
		default:
			return nil, 0, q.src.Errorf(0, 0, "row %d, column %q: SQLite gives a value of kind %s; cast it to text in a view", q.row, q.header[c], fmt.Sprintf("%T", v))
		}
	}
	return q.fields, q.row, nil
}
