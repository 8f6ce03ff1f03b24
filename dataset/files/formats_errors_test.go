package files

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
	"lapsvm/points"
)

// zipped is an archive of arrays, with names and contents in turn.
func zipped(t testing.TB, parts ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(parts); k += 2 {
		w, err := z.Create(parts[k] + ".npy")
		if err == nil {
			_, err = w.Write([]byte(parts[k+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestNPZErrors(t *testing.T) {
	x := encodeNPY("<f8", false, 1, "(2, 1)", []float64{1, 2})
	whole := func(descr, shape string, values ...float64) string { return encodeNPY(descr, false, 1, shape, values) }
	sparse := func(shape, start, minor string, n int, value ...float64) string {
		return zipped(t, "shape", shape, "indptr", start, "indices", minor, "data", whole("<f8", "("+string(rune('0'+n))+",)", value...))
	}
	for data, want := range map[string]string{
		"PK\x03\x04":                                               `a.npz: this is no npz file, or it is damaged (zip: not a valid zip file); write it again with numpy.savez`,
		zipped(t, "a", x, "b", x):                                  `a.npz: no array is called X (or x, fea, data, arr_0, x_train); save the points under one of these names, or name them as in FILE#NAME (the file has a, b)`,
		zipped(t, "X", x, "X", x):                                  `a.npz: two arrays are called "X"; keep one of them`,
		zipped(t, "X", x, "y", x, "gnd", x):                        `a.npz: any of the arrays y, gnd may be the labels; name one with Options.Label`,
		zipped(t, "X", x[:len(x)-3]):                               `a.npz: X: the file ends after 1 of 2 values; fetch or write it again`,
		zipped(t, "X", "x"):                                        `a.npz: X: this is no npy file; check its format, or write it with numpy.save`,
		zipped(t, "X", whole("<f8", "(2,)", 1, 2)):                 `a.npz: X: the array is 1-dimensional; save a table of rows and columns, such as a.reshape(-1, 1)`,
		zipped(t, "X", x, "y", whole("<f8", "(2, 2)", 1, 2, 3, 4)): `a.npz: y: the array has the shape [2 2]; save one value for each row, such as y.argmax(axis=1) where it has a column for each class`,
		zipped(t, "X", x, "y", whole("<f8", "(2, 1, 1)", 1, 2)):    `a.npz: y: the array has the shape [2 1 1]; save one value for each row, such as y.ravel()`,
		zipped(t, "X", x, "y", whole("<f8", "(3,)", 1, 2, 3)):      `a.npz: there are 3 labels for points of 2 rows and 1 columns; give one for each row`,
		zipped(t, "X", x, "y", whole("<u8", "(2,)", -1, 2)):        `a.npz: y: row 1: the label 18446744073709551616 is too large to be exact; number the classes from 0`,
		zipped(t, "X", whole("<f4", "(1, 2)", 1, -1), "y", strings.Replace(whole("<f8", "(1,)", 1), "<f8", "|O8", 1)): `a.npz: y: the array's type is "|O8"; save labels as numbers or as strings, such as y.astype(str)`,
		zipped(t, "X", x, "y", strings.Replace(whole("<f8", "(2,)", 1), "<f8", "<U4", 1)):                             `a.npz: y: the file ends after 0 of 2 values; fetch or write it again`,
		sparse(whole("<i8", "(2,)", 1, 4), whole("<i8", "(2,)", 0, 1), whole("<i4", "(1,)", 4), 1, 5):                 `a.npz: the sparse matrix is damaged: an index lies outside of its shape; write it again`,
		sparse(whole("<i8", "(2,)", 1, 4), whole("<i8", "(2,)", 0, 2), whole("<i4", "(2,)", 3, 3), 2, 5, 6):           `a.npz: row 1 has two entries for column 4; add them up (sum_duplicates in SciPy)`,
		sparse(whole("<i8", "(2,)", 2, 4), whole("<i8", "(2,)", 0, 1), whole("<i4", "(1,)", 3), 1, 5):                 `a.npz: the sparse matrix is damaged: its offsets do not fit its shape; write it again`,
		sparse(whole("<i8", "(1,)", 2), whole("<i8", "(2,)", 0, 1), whole("<i4", "(1,)", 3), 1, 5):                    `a.npz: the sparse matrix has the shape [2]; save one of rows and columns, at least one of each and at most 2147483646`,
	} {
		_, err := Read(strings.NewReader(data), "a.npz", Options{})
		checkError(t, err, want)
	}
	_, err := Read(strings.NewReader(zipped(t, "X", x, "y", x)), "a.npz", Options{Label: "kind"})
	checkError(t, err, `a.npz: no array is called "kind"; choose the labels with Options.Label among X, y`)
	_, err = Read(strings.NewReader(zipped(t, "X", x)), "a.npz", Options{Features: 3})
	checkError(t, err, `a.npz: there are 1 features, but 3 are expected; give a file with 3`)
	if err := Write(&bytes.Buffer{}, &dataset.Dataset{Points: points.Dense(1, 1, []float64{1}), Y: []int{0}, Classes: []string{"a\x00"}}, WriteOptions{Format: NPZ}); err == nil {
		t.Error("a zero at the end of a name was written")
	}
}

func TestJSONLErrors(t *testing.T) {
	for text, want := range map[string]string{
		"1":                            `a.jsonl:1:1: the object's { is missing; write one JSON object on each line`,
		"\n [1]":                       `a.jsonl:2:3: the object's { is missing; write one array of objects, or one object on each line`,
		"[":                            `a.jsonl:1:2: the array's ] is missing; the file may be cut off`,
		"[]":                           `a.jsonl: the file has no rows; check how it was made`,
		"[,{}]":                        `a.jsonl:1:2: the object's { is missing; write one array of objects, or one object on each line`,
		"[{\"a\":1},\n]":               `a.jsonl:2:1: the object's { is missing; write one array of objects, or one object on each line`,
		"[{\"a\":1}\n{\"a\":1}]":       `a.jsonl:2:1: the comma between objects or the array's ] is missing; write one array of objects`,
		"[{\"a\":1},\n {\n\"a\":\nx}]": `a.jsonl:4:1: "x" is no JSON value; write a number, a string in double quotes, true, false or null`,
		"[{\"a\":1},  {\"a\" 1}]":      `a.jsonl:1:17: row 2, this is no JSON object (invalid character '1' after object name (expecting ':')); correct it`,
		"[{\"a\":1}\n, {\"a\": {}\n":   `a.jsonl:2:3: an object opens here and is never closed; the file may be cut off`,
		"[{\"a\":1}] []":               `a.jsonl:1:11: something follows the array; write one array of objects`,
		"{\"a\":1}\n[{\"a\":2}]":       `a.jsonl:2:1: the object's { is missing; write one JSON object on each line`,
		`{"a":1`:                       `a.jsonl:1:7: the object's } is missing; write one JSON object on each line`,
		`{"a:"word"}`:                  `a.jsonl:1:6: this is no JSON object (invalid character 'w' after object name (expecting ':')); correct it`,
		`{a:1}`:                        `a.jsonl:1:2: this is no JSON object (invalid character 'a' at start of value); correct it`,
		"{\"a\":1}\x00{\"a\":2}":       `a.jsonl:1: there is a zero byte: this is no text, or UTF-16 without a mark; for that give Options{Charset: "utf-16le"}`,
		`{"a":1 "b":2}`:                `a.jsonl:1:8: this is no JSON object (invalid character '"' after object value (expecting ',' or '}')); correct it`,
		`{"a":"b`:                      `a.jsonl:1:6: " opens here and is never closed; close it`,
		`{"vector":[1,[2]`:             `a.jsonl:1:11: [ opens here and is never closed; close it`,
		`{"vector":[1,[2,3]]}`:         `a.jsonl:1:14: the vector holds "[2,3]"; give it numbers only`,
		`{"vector":[1, NaN]}`:          `a.jsonl:1:15: "NaN" is no JSON value; write a number, a string in double quotes, true, false or null`,
		`{"vector":[1, 1e999]}`:        `a.jsonl:1:15: "vector": "1e999" is too large for a double; rescale the values`,
		"{\"a\":\"some words\tb\"}":    `a.jsonl:1:17: this is no JSON object (invalid character '\t' in string (expecting non-control character)); correct it`,
		`{"a":1}{"a":2}`:               `a.jsonl:1:8: something follows the object; write one JSON object on each line`,
		`{"a":1,}`:                     `a.jsonl:1:7: this is no JSON object (invalid character ',' at start of value); correct it`,
		`{"a":NaN}`:                    `a.jsonl:1:6: "NaN" is no JSON value; write a number, a string in double quotes, true, false or null`,
		`{"a":01}`:                     `a.jsonl:1:6: "01" is no JSON value; write a number, a string in double quotes, true, false or null`,
		`{"a":1e999}`:                  `a.jsonl:1: column "a": "1e999" is too large for a double; rescale the values`,
		`{"a":null}`:                   `a.jsonl: every column is left out: "a" (it has no values); add rows or other columns`,
		`{"a\x":1}`:                    "a.jsonl:1:4: this is no JSON object (invalid escape sequence `\\x` in string); correct it",
		`{"a":"b"}`:                    `a.jsonl:1: column "a": too many different values for a category: 1 ("b", …); a category has at most 50, and at most half as many as rows; if the column holds the labels, give Options{Label: "a"}, else Options{Ignore: []string{"a"}}, Options{ID: []string{"a"}}, Options{Category: []string{"a"}} or Options{Text: []string{"a"}}`,
		`{"text":"b"}`:                 `a.jsonl: every column is left out: "text" (text without a word that is in at least 2 rows and at most 80 % of them); add rows or other columns`,
		`{"a":{"x":1,"x":2}}`:          `a.jsonl:1:13: the key "a.x" comes twice; keep one`,
		`{"a":{"x":1}`:                 `a.jsonl:1:13: the object's } is missing; write one JSON object on each line`,
		`{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}`: `a.jsonl:1:37: "a.a.a.a.a.a.a.a" is an object too deep inside others for a feature; give Options{Ignore: []string{"a.a.a.a.a.a.a.a"}}, or lay it out flatter`,
		`{"label":{"x":1},"n":2}`:                            `a.jsonl:1:10: the label is an array or object; give a string, a number, or null for no label`,
		`{"a":[1,2]}`:                                        `a.jsonl: every column is left out: "a" (it is constant); add rows or other columns`,
		`{"a":[1,"x"]}`:                                      `a.jsonl:1:2: "a" is a list, and no vector: a vector is a list of numbers, in a column of them; give Options{Ignore: []string{"a"}}, or correct it`,
		`{"a":[[1],[2]]}`:                                    `a.jsonl:1:2: "a" is a list, and no vector: a vector is a list of numbers, in a column of them; give Options{Ignore: []string{"a"}}, or correct it`,
		"{\"a\":[1,2]}\n{\"a\":[1]}":                         `a.jsonl:2: column "a": the vector has 1 number, but those before have 2; make them equal, or leave the field empty; if the column holds no vectors, give Options{Text: []string{"a"}} or Options{Ignore: []string{"a"}}`,
		"{\"a\":[1,2]}\n{\"a\":3}":                           `a.jsonl:2: column "a": "3" is no vector, which is a list of numbers such as [0.25, -1]; correct it, or leave the field empty; if the column holds no vectors, give Options{Text: []string{"a"}} or Options{Ignore: []string{"a"}}`,
		"{\"a\":[1,2]}\n{\"a\":[1,1e999]}":                   `a.jsonl:2: column "a": number 2 of the vector is "1e999"; give it numbers only, or leave the field empty; if the column holds no vectors, give Options{Text: []string{"a"}} or Options{Ignore: []string{"a"}}`,
		`{"label":1}`:                                        `a.jsonl: there are no features; give an array of numbers as vector, or numbers and words by name`,
		`{"vector":[]}`:                                      `a.jsonl:1:1: the vector is empty; give at least one number`,
		"{\"vector\":[1,2]}\n\n{\"vector\":[3]}":             `a.jsonl:3:1: the vector has 1 numbers, but that on line 1 has 2; make them equal`,
		"{\"vector\":[1,2]}\n{\"a\":3}":                      `a.jsonl:2:1: the object has no vector, but that on line 1 has one; give all objects the same features`,
		`{"vector":[1,"x"]}`:                                 `a.jsonl:1:14: the vector holds "x"; give it numbers only`,
		"{\"a\":1,\"b\":2}\n{\"b\":2}":                       `a.jsonl: every column is left out: "a" (it is constant), "b" (it is constant); add rows or other columns`,
		"{\"a\":1}\n{\"a\":3,\"a\":2}":                       `a.jsonl:2:8: the key "a" comes twice; keep one`,
		"{\"a\":1}\n\n{\"b\":\"\xff\"}":                      `a.jsonl:3: column "b": "\xff" is not UTF-8; save the file as UTF-8`,
		`{"a":1,"a":2}`:                                      `a.jsonl:1:8: the key "a" comes twice; keep one`,
		`{"a":1,"label":"x","label":"y"}`:                    `a.jsonl:1:20: the key "label" comes twice; keep one`,
		`{"a":1,"label":[2]}`:                                `a.jsonl:1:16: the label is an array or object; give a string, a number, or null for no label`,
		" \n":                                                `a.jsonl: the file has no rows; check how it was made`,
	} {
		_, err := Read(strings.NewReader(text), "a.jsonl", Options{})
		checkError(t, err, want)
	}
	_, err := Read(strings.NewReader(`{"a":1}`), "a.jsonl", Options{Label: "kind"})
	checkError(t, err, `a.jsonl: no object has the key "kind"; choose the labels' key with Options.Label among a`)
}

// parquetOf is a Parquet file of rows of a Go structure.
func parquetOf[T any](t *testing.T, rows ...T) string {
	t.Helper()
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestParquetColumns(t *testing.T) {
	type numbers struct {
		A uint64  `parquet:"a"`
		B bool    `parquet:"b"`
		C float32 `parquet:"c"`
		D int32   `parquet:"d"`
		L *int64  `parquet:"label,optional"`
	}
	minus := int64(-1)
	d := mustRead(t, "a.parquet", parquetOf(t, numbers{1 << 63, true, 0.5, -7, &minus}, numbers{A: 2}), Options{})
	if got := values(d.Points); got[0][0] != 1<<63 || got[0][1] != 1 || got[0][2] != 0.5 || got[0][3] != -7 || labels(d)[0] != "-1" || labels(d)[1] != "" {
		t.Errorf("%v %q", got, labels(d))
	}
	type lists struct {
		ID    string    `parquet:"id"`
		V     []float32 `parquet:"v,list"`
		W     []int32   `parquet:"w"`
		Label bool      `parquet:"label"`
	}
	text := parquetOf(t, lists{"a", []float32{1, 2}, []int32{3}, true}, lists{"b", []float32{4, 5}, []int32{6}, false})
	for column, want := range map[string][]float64{"v": {4, 5}, "w": {6}} {
		d := mustRead(t, "a.parquet", text, Options{Columns: []string{column}})
		if got := d.Points.DenseRow(1); len(got) != len(want) || got[0] != want[0] || labels(d)[0] != "true" {
			t.Errorf("%s: %v %q", column, got, labels(d))
		}
	}
	type word struct {
		A float64 `parquet:"a"`
		B string  `parquet:"b"`
		C string  `parquet:"c"`
	}
	type optional struct {
		A *float64 `parquet:"a,optional"`
		L string   `parquet:"label"`
	}
	half := 0.5
	for file, want := range map[string]string{
		parquetOf(t, word{1, "x", "y"}):                        `a.parquet: row 1, column "b": too many different values for a category: 1 ("x", …); a category has at most 50, and at most half as many as rows; if the column holds the labels, give Options{Label: "b"}, else Options{Ignore: []string{"b"}}, Options{ID: []string{"b"}}, Options{Category: []string{"b"}} or Options{Text: []string{"b"}}`,
		parquetOf(t, optional{&half, "x"}, optional{nil, "y"}): `a.parquet: every column is left out: "a" (it is constant); add rows or other columns`,
		parquetOf[optional](t):                                 `a.parquet: the file has no rows; check how it was made`,
		"PAR1":                                                 `a.parquet: this is no Parquet file, or it is cut off or encrypted; fetch or write it again`,
		"PAR1\xff\xff\xff\x7fPAR1":                             `a.parquet: this is no Parquet file, or it is cut off or encrypted; fetch or write it again`,
	} {
		_, err := Read(strings.NewReader(file), "a.parquet", Options{})
		checkError(t, err, want)
	}
	type vectors struct {
		V []float64 `parquet:"v"`
	}
	_, err := Read(strings.NewReader(parquetOf(t, vectors{[]float64{1, 2}}, vectors{[]float64{3}})), "a.parquet", Options{})
	checkError(t, err, `a.parquet: row 2: the list in column "v" has 1 numbers, but that in row 1 has 2; make them equal`)
	_, err = Read(strings.NewReader(parquetOf(t, vectors{[]float64{1, 2}}, vectors{nil})), "a.parquet", Options{})
	checkError(t, err, `a.parquet: row 2, column "v" holds no value; fill in a number or remove the row`)
}

// TestClaims: sizes that files of several arrays claim cost no memory.
func TestClaims(t *testing.T) {
	littleEndian := binary.LittleEndian
	for name, data := range map[string]string{
		"a.npz":     zipped(t, "X", encodeNPY("<f8", true, 1, "(100000000000000, 2)", nil)),
		"b.npz":     zipped(t, "X", encodeNPY("<f8", true, 1, "(1, 2)", []float64{1, 2}), "y", strings.Replace(encodeNPY("<f8", false, 1, "(100000000000000,)", nil), "<f8", "<U0", 1)),
		"a.mat":     matFile(littleEndian, matVariable(littleEndian, "X", matDouble, []int{1 << 16, 1 << 12}, "\x09\x00\x00\x00\x00\x00\x00\x80")),
		"a.parquet": "PAR1\x15\x00\xf0\xff\xff\x7fPAR1",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Read(strings.NewReader(data), name, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; !(bytes < 16<<20) {
			t.Errorf("%s: %d bytes allocated", name, bytes)
		}
	}
}
