package files

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/number"
	"lapsvm/internal/system/size"
	"lapsvm/internal/system/unfinished"
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
	q := newQuery(src, longestWait)
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
	var f *os.File
	if err := unfinished.Make(func() (string, error) {
		if f, err = os.CreateTemp("", "lapsvm-*.sqlite"); err != nil {
			return "", err
		}
		return f.Name(), nil
	}); err != nil {
		return "", nil, s.Errorf(0, 0, "a database that is packed or streamed needs a copy on disk, which cannot be made (%v); unpack it", cause(err))
	}
	_, err = io.Copy(f, io.NewSectionReader(at, 0, size))
	if end := f.Close(); err == nil {
		err = end
	}
	if err != nil {
		unfinished.Remove(f.Name())
		return "", nil, s.Errorf(0, 0, "a database that is packed or streamed needs a copy on disk, which cannot be made (%v); unpack it", cause(err))
	}
	return f.Name(), func() { unfinished.Remove(f.Name()) }, nil
}

// longestWait is how long SQLite may look for the next row. A view may look for ever, as one that counts without an end does.
const longestWait = 5 * time.Minute

// query reads the rows of a table. SQLite hands the values of a row to a function of the query, as that takes a lock for each row alone, and not for each value.
type query struct {
	src     *source
	ctx     context.Context // ends with late
	table   string
	wait    time.Duration // for a row
	late    *time.Timer   // ends the query
	mu      sync.Mutex    // of handle
	handle  uintptr       // of the open database, 0 for none
	db      *sql.DB
	conn    *sql.Conn
	rows    *sql.Rows
	header  []string
	boolean []bool // columns that are declared so
	blobs   []int  // values of the columns that are bytes
	cells   cellRow
	text    []byte // of a number
	row     int
	failed  error // what the function found
	longest int   // bytes of a text or blob
}

func newQuery(src *source, wait time.Duration) *query {
	ctx, end := context.WithCancel(context.Background())
	q := &query{src: src, ctx: ctx, wait: wait}
	q.late = time.AfterFunc(wait, func() {
		q.interrupt()
		end()
	})
	return q
}

// interrupt ends what SQLite is at. The end of its context ends a query in modernc.org/sqlite 1.60 up to the first row alone.
func (q *query) interrupt() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.handle != 0 {
		tls := libc.NewTLS()
		defer tls.Close()
		sqlite3.Xsqlite3_interrupt(tls, q.handle)
	}
}

// setHandle keeps the handle of the database, which the driver does not give: it is the field db of its connection.
func (q *query) setHandle() error {
	return q.conn.Raw(func(conn any) error {
		v := reflect.ValueOf(conn)
		if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
			return nil
		}
		if db := v.Elem().FieldByName("db"); db.IsValid() && db.CanUint() {
			q.handle = uintptr(db.Uint())
		}
		return nil
	})
}

// takeRow is the name of the function.
const takeRow = "lapsvm_take"

// opener opens a database with a function of its own.
type opener struct {
	sqlite *sqlite.Driver
	uri    string
}

func (o opener) Connect(context.Context) (driver.Conn, error) { return o.sqlite.Open(o.uri) }
func (o opener) Driver() driver.Driver                        { return o.sqlite }

// open opens the database, which is never written to. A log beside it is read too.
func (q *query) open(path string) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return q.wrap(err)
	}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "mode=ro&_pragma=trusted_schema(0)&_pragma=query_only(1)"}
	own := new(sqlite.Driver)
	if err := own.RegisterFunction(takeRow, &sqlite.FunctionImpl{NArgs: -1, VolatileArgs: true, Scalar: q.take}); err != nil {
		return q.wrap(err)
	}
	q.db = sql.OpenDB(opener{own, uri.String()})
	if q.conn, err = q.db.Conn(q.ctx); err != nil {
		return q.wrap(err)
	}
	if err := q.setHandle(); err != nil {
		return q.wrap(err)
	}
	q.longest = int(min(max(q.src.Memory.Room()/4, 1<<20), maxLine))
	_, err = sqlite.Limit(q.conn, sqlite3.SQLITE_LIMIT_LENGTH, q.longest)
	return q.wrap(err)
}

func (q *query) close() {
	q.late.Stop()
	q.mu.Lock()
	q.handle = 0
	q.mu.Unlock()
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
	switch {
	case err == nil:
		return nil
	case q.ctx.Err() != nil:
		return q.src.Errorf(0, 0, "SQLite has found no row of %q after row %d for %v: correct a view without an end; write the rows of a slow one into a table (create table … as select * from …)", q.table, q.row, q.wait)
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
	rows, err := q.conn.QueryContext(q.ctx, `select l.name from pragma_table_list l join sqlite_schema s on s.name = l.name
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
	q.table = table
	rows, err := q.conn.QueryContext(q.ctx, "select * from "+quoteName(table)+" limit 0")
	if err != nil {
		return q.wrap(err)
	}
	kinds, err := rows.ColumnTypes()
	rows.Close()
	if err != nil {
		return q.wrap(err)
	}
	const most = 100 // arguments of a function
	var calls []string
	for part := range slices.Chunk(kinds, most) {
		var names []string
		for _, kind := range part {
			names = append(names, quoteName(kind.Name()))
		}
		calls = append(calls, takeRow+"("+strings.Join(names, ", ")+")")
	}
	for _, kind := range kinds {
		q.header = append(q.header, kind.Name())
		q.boolean = append(q.boolean, strings.HasPrefix(kind.DatabaseTypeName(), "BOOL"))
	}
	q.blobs, q.cells = make([]int, len(kinds)), cellRow{src: q.src}
	q.rows, err = q.conn.QueryContext(q.ctx, "select "+strings.Join(calls, ", ")+" from "+quoteName(table))
	q.late.Stop()
	return q.wrap(err)
}

// next is a cellRows.
func (q *query) next() ([]string, int, error) {
	q.late.Reset(q.wait) // what is done with rows takes its own time
	there := q.rows.Next()
	q.late.Stop()
	if !there {
		if q.failed != nil {
			return nil, 0, q.failed
		}
		if err := q.rows.Err(); err != nil {
			return nil, 0, q.wrap(err)
		}
		return nil, 0, io.EOF
	}
	q.row++
	fields := q.cells.end()
	q.cells.begin()
	return fields, q.row, nil
}

// take adds values to the row, which are those of SQLite until it returns.
func (q *query) take(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
	for _, v := range values {
		c := len(q.cells.spans)
		text := q.text[:0]
		switch v := v.(type) {
		case nil:
		case int64:
			if q.boolean[c] && (v == 0 || v == 1) {
				text = strconv.AppendBool(text, v == 1)
			} else {
				text = strconv.AppendInt(text, v, 10)
			}
		case float64:
			text = number.Append(text, v)
		case string:
			text = append(text, v...)
		case []byte:
			q.blobs[c]++
		default:
			q.failed = q.src.Errorf(0, 0, "row %d, column %q: SQLite gives a value of kind %s; cast it to text in a view", q.row+1, q.header[c], fmt.Sprintf("%T", v))
		}
		if q.text = text; q.failed == nil {
			q.failed = q.cells.add(c, 1, text)
		}
		if q.failed != nil {
			return nil, q.failed
		}
	}
	return nil, nil
}
