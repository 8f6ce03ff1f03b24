package files

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A row has more columns than a function of SQLite takes, of all kinds, and texts are in the encoding of the database.
func TestWideTableOfDatabase(t *testing.T) {
	const width = 250
	path := filepath.Join(t.TempDir(), "wide.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var names, first, second, wantFirst, wantSecond []string
	for c := range width {
		names = append(names, fmt.Sprintf("c%d", c))
		switch c % 5 {
		case 0:
			first, wantFirst = append(first, fmt.Sprint(c)), append(wantFirst, fmt.Sprint(c))
		case 1:
			first, wantFirst = append(first, fmt.Sprintf("%d.0625", c)), append(wantFirst, fmt.Sprintf("%d.0625", c))
		case 2:
			first, wantFirst = append(first, "null"), append(wantFirst, "")
		case 3:
			first, wantFirst = append(first, fmt.Sprintf("'grün %d'", c)), append(wantFirst, fmt.Sprintf("grün %d", c))
		case 4:
			first, wantFirst = append(first, "1e-7"), append(wantFirst, "1e-07")
		}
		second, wantSecond = append(second, fmt.Sprintf("'%d'", c)), append(wantSecond, fmt.Sprint(c))
	}
	for _, s := range []string{"pragma encoding = 'UTF-16le'", "create table t (" + strings.Join(names, ", ") + ")",
		"insert into t values (" + strings.Join(first, ", ") + "), (" + strings.Join(second, ", ") + ")"} {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := ReadFile(path, Options{TextAlone: true})
	if rows, _ := textOfRows(t, d, err); !reflect.DeepEqual(rows, [][]string{wantFirst, wantSecond}) {
		t.Errorf("%q", rows)
	}
}

// An error of SQLite among the rows is one of the file.
func TestFailingView(t *testing.T) {
	path := filepath.Join(t.TempDir(), "view.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{"create table t (a, b)", "insert into t values (1, 2), (-9223372036854775808, 3)", "create view v as select abs(a) as a, b from t", "create view w as select lapsvm_take(a) as a, b from t"} {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	_, err = ReadFile(path+"#v", Options{MayLackLabels: true})
	isRefused(t, "overflow", err, "integer overflow")
	_, err = ReadFile(path+"#w", Options{MayLackLabels: true}) // a schema is not trusted
	isRefused(t, "function", err, "lapsvm_take")
}

// A zero byte within a text is a part of it, as in the strings of Parquet and JSON: the encoding is known.
func TestZeroByteOfDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zero.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{"create table t (size, kind)", "insert into t values (1, 'a' || char(0)), (2, 'a'), (3, char(0) || 'b,')"} {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := ReadFile(path, Options{Label: "kind"})
	if err != nil || !reflect.DeepEqual(labels(d), []string{"a\x00", "a", "\x00b,"}) {
		t.Errorf("%v, %v", d, err)
	}
	book := bookOf(t, `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>size</t></is></c><c r="B1" t="inlineStr"><is><t>kind</t></is></c></row>`+
		`<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><t>a_x0000_</t></is></c></row><row r="3"><c r="A3"><v>2</v></c><c r="B3" t="inlineStr"><is><t>a</t></is></c></row></sheetData></worksheet>`)
	d, err = Read(bytes.NewReader(book), "a.xlsx", Options{Label: "kind"})
	if err != nil || !reflect.DeepEqual(labels(d), []string{"a\x00", "a"}) {
		t.Errorf("sheet: %v, %v", d, err)
	}
}
