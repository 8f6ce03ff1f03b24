package tasks_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"lapsvm/app/labelpage/tasks"
	"lapsvm/dataset"
)

func rows() *tasks.Rows {
	return tasks.NewRows(5, "post", []string{"a/one.png", "two", "three", "three", ""}, []string{"first text", "same", "same", "", ""})
}

// read reads the labels of rows that have classes.
func read(r io.ReadSeeker, rows *tasks.Rows, classes []string) (*tasks.Labels, error) {
	f, err := tasks.Read(r, "f", "", 0)
	if err != nil {
		return nil, err
	}
	return f.Of(rows, classes)
}

// Each label comes with its person, and errors name their place.
func TestEach(t *testing.T) {
	said := func(text string, classes ...string) (all []string, err error) {
		f, err := tasks.Read(strings.NewReader(text), "f", "", 0)
		if err != nil {
			return nil, err
		}
		err = f.Each(rows(), classes, func(row int, class, person string) error {
			all = append(all, fmt.Sprint(row, class, person))
			if class == "bad" {
				return errors.New("no class")
			}
			return nil
		})
		return all, err
	}
	text := "\ufeffRow,class,person\n1,cat, anna\n1,dog,\n3,?,anna\n4,N/A,anna\n5,none,anna\n"
	for classes, want := range map[string]string{"": "0catanna,0dog", "none": "0catanna,0dog,4noneanna"} {
		if got, err := said(text, classes); err != nil || strings.Join(got, ",") != want {
			t.Errorf("%q: %v, %v, want %s", classes, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"x,y,z\n1,2,3\n":          "f:1: no column is called label",
		"row,class\n1,a\n11,b\n":  "f:3: there is no row \"11\"",
		"id,class\nunknown,cat\n": "f:2: ",
		"row,class\n1,a\n2,bad\n": "f:3: no class",
	} {
		if _, err := said(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Every documented form gives its labels to the right rows.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       map[int]string
		differ     []int
		passed     int
		rejected   int
	}{
		{name: "a table", text: "row,label\n1,a\n5,b\n3,\n2,?\n", want: map[int]string{0: "a", 4: "b"}},
		{name: "a mark, tabs and CRLF", text: "\ufeffPost\tLabel\r\ntwo\ta\r\n\"a/one.png\"\t b \r\n", want: map[int]string{1: "a", 0: "b"}},
		{name: "texts", text: "text,class\nfirst text,x\n", want: map[int]string{0: "x"}},
		{name: "a label twice", text: "row,label\n2,a\n2,a\n", want: map[int]string{1: "a"}},
		{name: "people who differ", text: "row,label,person\n1,a,x\n1,b,y\n2,a,x\n2,a,y\n", want: map[int]string{1: "a"}, differ: []int{0}},
		{name: "Label Studio", text: `[{"id":9,"data":{"row":2},"annotations":[{"result":[{"from_name":"label","to_name":"text","type":"choices","value":{"choices":["a"]}},
			{"from_name":"other","type":"choices","value":{"choices":["z"]}}],"was_cancelled":false}],"predictions":[{"result":[{"type":"choices","value":{"choices":["b"]}}]}]},
			{"data":{"image":"/data/local-files/?d=photos/one.png"},"annotations":[{"result":[{"type":"choices","value":{"choices":["b"]}}]}]},
			{"data":{"image":"/data/local-files/?d=two"},"annotations":[{"result":[{"type":"choices","value":{"choices":["a"]}}]}]},
			{"data":{"row":3},"annotations":[{"result":[],"was_cancelled":true}]}, {"data":{"row":4},"annotations":[]}]`,
			want: map[int]string{1: "a", 0: "b"}, passed: 1},
		{name: "ground truth", text: `[{"data":{"row":1},"annotations":[{"result":[{"type":"choices","value":{"choices":["a"]}}]},
			{"ground_truth":true,"result":[{"type":"choices","value":{"choices":["b"]}}]}]}]`, want: map[int]string{0: "b"}},
		{name: "Label Studio's JSON-MIN", text: `[{"id":1,"annotation_id":4,"row":2,"label":"a"},{"id":2,"annotation_id":5,"image":"x/one.png","label":"b"}]`, want: map[int]string{1: "a", 0: "b"}},
		{name: "Prodigy, options", text: `{"text":"first text","options":[{"id":"a","text":"a"},{"id":"b","text":"b"}],"accept":["b"],"answer":"accept"}` + "\n" +
			`{"meta":{"row":2},"options":[{"id":"a","text":"a"}],"accept":[],"answer":"accept"}` + "\n\n" + `{"meta":{"row":3},"label":"a","answer":"ignore"}`,
			want: map[int]string{0: "b"}, passed: 2},
		{name: "Prodigy, options rejected", text: `{"meta":{"row":1},"options":[{"id":"a"},{"id":"b"}],"accept":["a"],"answer":"reject"}` + "\n" +
			`{"meta":{"row":2},"options":[{"id":"a"},{"id":"b"}],"accept":["b"],"answer":"accept"}`, want: map[int]string{1: "b"}, passed: 1},
		{name: "Prodigy, one of two", text: `{"meta":{"row":1},"label":"a","answer":"accept"}` + "\r\n" + `{"meta":{"row":2},"label":"a","answer":"reject"}` + "\r\n" + `{"meta":{"row":3},"label":"b","answer":"accept"}`,
			want: map[int]string{0: "a", 1: "b", 2: "b"}},
		{name: "Prodigy, one of three", text: `{"meta":{"row":1},"label":"a","answer":"reject"}` + "\n" + `{"meta":{"row":2},"label":"b","answer":"accept"}` + "\n" + `{"meta":{"row":3},"label":"c","answer":"accept"}`,
			want: map[int]string{1: "b", 2: "c"}, rejected: 1},
	} {
		l, err := read(strings.NewReader(c.text), rows(), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !maps.Equal(l.Class, c.want) || !slices.Equal(l.Differ, c.differ) || l.Passed != c.passed || l.Rejected != c.rejected {
			t.Errorf("%s: %+v", c.name, l)
		}
	}
}

// The id of an export of Label Studio is the number of its task, and never that of a row.
func TestReadTaskNumbers(t *testing.T) {
	for text, want := range map[string]int{"id,annotation_id,name,label\n2,7,1,a\n": 1, "id,name,label\n2,1,a\n": 0} {
		if l, err := read(strings.NewReader(text), tasks.NewRows(2, "", []string{"2", "1"}, nil), nil); err != nil || !maps.Equal(l.Class, map[int]string{want: "a"}) {
			t.Errorf("%q: %+v, %v, want row %d", text, l, err, want)
		}
	}
}

// A program that takes IDs for numbers loses their leading zeros. They are found, unless two rows could be meant.
func TestReadLostZeros(t *testing.T) {
	ids := []string{"007", "010", "10", "0", "a/08.png"}
	l, err := read(strings.NewReader("id,label\n7,a\n010,b\n10,c\n000,d\n08.png,e\n"), tasks.NewRows(5, "id", ids, nil), nil)
	if want := map[int]string{0: "a", 1: "b", 2: "c", 3: "d", 4: "e"}; err != nil || !maps.Equal(l.Class, want) {
		t.Errorf("%+v, %v, want %v", l, err, want)
	}
	for id, want := range map[string]string{"0010": `several rows are called "0010"`, "8": `no row is called or says "8"`} {
		if _, err := read(strings.NewReader("id,label\n"+id+",a\n"), tasks.NewRows(5, "id", ids, nil), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
}

// A class that is called like a word for no label is a class where the data have it.
func TestReadClassesCalledLikeNoLabel(t *testing.T) {
	for _, text := range []string{
		"row,label\n1,None\n2,a\n3,NA\n",
		`[{"data":{"row":1},"annotations":[{"result":[{"type":"choices","value":{"choices":["None"]}}]}]},{"data":{"row":2},"annotations":[{"result":[{"type":"choices","value":{"choices":["a"]}}]}]},
			{"data":{"row":3},"annotations":[{"result":[{"type":"choices","value":{"choices":["NA"]}}]}]}]`,
	} {
		for known, want := range map[string]map[int]string{"None": {0: "None", 1: "a"}, "NA": {1: "a", 2: "NA"}, "b": {1: "a"}} {
			if l, err := read(strings.NewReader(text), rows(), []string{known, "a"}); err != nil || !maps.Equal(l.Class, want) {
				t.Errorf("%s with the class %s: %+v, %v", text, known, l, err)
			}
		}
	}
}

// A bad file is an error that names the place and says what to do.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "f: the file is empty; check how it was made",
		"\x93NUMPY\x01\x00v\x00":  "f: the file has arrays, which do not tell their rows",
		"x,y\n1,2\n":              "f:1: no column is called label",
		"row,label\n6,a\n":        `f:2: there is no row "6": rows are from 1 to 5`,
		"row,label\n1,a,b\n":      "f:2:3: the row has 3 columns",
		"row,label\n1,a\n\n1,b\n": `f:4: row 1 is labelled "b" here, but "a" in line 2`,
		`[{"row":1,"label":"a"},{"row":1,"label":"b"}]`: `f: task 2: row 1 is labelled "b" here, but "a" in task 1`,
		"id,label\nthree,a\n":                           `f:2: several rows are called "three"`,
		"id,label\nfour,a\n":                            `f:2: no row is called or says "four"`,
		"text,label\nsame,a\n":                          `f:2: several rows have the text "same"`,
		"score,label\n3,a\n":                            "f:2: nothing says which row is meant",
		`[{"data":`:                                     "f:1: this is no JSON",
		"{\"row\":1}\n{\"row\":2}":                      "f:1: there is no label",
		`[{"data":{"row":1},"annotations":[{"result":[{"type":"rectanglelabels","value":{"x":1}}]}]}]`:                            `f: task 1: its annotation is of type "rectanglelabels": label with <Choices`,
		`[{"data":{"row":1},"annotations":[{"result":[{"type":"choices","value":{"choices":["a","b"]}}]}]}]`:                      "f: task 1: it has several choices",
		`{"meta":{"row":1},"label":"a","answer":"maybe"}`:                                                                         `f:1: its answer is "maybe": it is accept, reject or ignore`,
		`{"meta":{"row":1},"options":[{"id":"a"}],"accept":["a","b"],"answer":"accept"}`:                                          "f:1: several options are accepted",
		`{"meta":{"row":1},"answer":"accept"}`:                                                                                    "f:1: it has neither a label nor an accepted option",
		`[{"data":{"row":1},"annotations":[{"result":[{"from_name":"x","type":"choices"},{"from_name":"y","type":"choices"}]}]}]`: "f: task 1: it is annotated with several Choices",
	} {
		_, err := read(strings.NewReader(text), rows(), nil)
		if of := (*dataset.Error)(nil); !errors.As(err, &of) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Written tasks have the form that the tools document, and come back once they
// are labelled.
func TestWrite(t *testing.T) {
	points := []tasks.Point{{Row: 1, Reason: "why", Fields: []tasks.Field{{Name: "post", Value: "two"}}, Text: "<b>", Classes: []string{"a"}, Probability: 0.75}, {Row: 0, Reason: "far", Image: "a/one.png"}}
	var b bytes.Buffer
	if err := tasks.Write(&b, tasks.LabelStudio, points, []string{"a", "b"}, false); err != nil {
		t.Fatal(err)
	}
	const want = `[{"data":{"post":"two","reason":"why","row":2,"text":"<b>"},"predictions":[{"model_version":"lapsvm","score":0.75,"result":[{"from_name":"label","to_name":"text","type":"choices","value":{"choices":["a"]}}]}]},{"data":{"image":"a/one.png","reason":"far","row":1}}]`
	if got := strings.NewReplacer("\n", "", " ", "").Replace(b.String()); got != want {
		t.Errorf("tasks for Label Studio:\n%s\nwant\n%s", got, want)
	}
	annotated := strings.Replace(b.String(), `"predictions"`, `"annotations"`, 1)
	if l, err := read(strings.NewReader(annotated), rows(), nil); err != nil || !maps.Equal(l.Class, map[int]string{1: "a"}) {
		t.Errorf("read again: %+v, %v", l, err)
	}
	b.Reset()
	if err := tasks.Write(&b, tasks.Prodigy, points, []string{"a", "b"}, false); err != nil {
		t.Fatal(err)
	}
	const lines = `{"text":"<b>","label":"a","options":[{"id":"a","text":"a"},{"id":"b","text":"b"}],"meta":{"reason":"why","row":2,"score":0.75}}
{"image":"a/one.png","options":[{"id":"a","text":"a"},{"id":"b","text":"b"}],"meta":{"reason":"far","row":1}}
`
	if b.String() != lines {
		t.Errorf("tasks for Prodigy:\n%swant\n%s", b.String(), lines)
	}
	if l, err := read(bytes.NewReader(b.Bytes()), rows(), nil); err != nil || len(l.Class) != 0 {
		t.Errorf("tasks that nobody has seen give %+v, %v", l, err)
	}
}

// Tasks of rows that may have several classes come back with all that were chosen, also none.
func TestSeveral(t *testing.T) {
	points := []tasks.Point{{Row: 1, Reason: "why", Text: "two", Classes: []string{"a", "b"}, Probability: 0.6}, {Row: 0, Reason: "far", Text: "one"}}
	for form, edit := range map[tasks.Format]*strings.Replacer{
		tasks.LabelStudio: strings.NewReplacer(`"predictions"`, `"annotations"`),
		tasks.Prodigy:     strings.NewReplacer(`"meta":{"reason":"why"`, `"answer":"accept","meta":{"reason":"why"`, `"meta":{"reason":"far"`, `"answer":"accept","accept":["c"],"meta":{"reason":"far"`),
	} {
		var b bytes.Buffer
		if err := tasks.Write(&b, form, points, []string{"a", "b", "c"}, true); err != nil {
			t.Fatal(err)
		}
		want := map[int]string{1: "a;b"}
		if form == tasks.Prodigy {
			want[0] = "c"
			if !strings.Contains(b.String(), `"accept":["a","b"],"config":{"choice_style":"multiple"}`) {
				t.Errorf("%s", &b)
			}
		}
		f, err := tasks.Read(strings.NewReader(edit.Replace(b.String())), "f", ";", 0)
		if err != nil {
			t.Fatal(err)
		}
		if l, err := f.Of(rows(), nil); err != nil || !maps.Equal(l.Class, want) {
			t.Errorf("%s: %+v, %v", form, l, err)
		}
	}
	for _, text := range []string{`{"meta":{"row":1},"label":"a","answer":"accept"}`, `{"meta":{"row":1},"options":[{"id":"a"}],"label":"a","answer":"reject"}`} {
		if _, err := tasks.Read(strings.NewReader(text), "f", ";", 0); err == nil || !strings.Contains(err.Error(), "label with the interface choice") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Any file is read or is an error.
func FuzzRead(f *testing.F) {
	f.Add("row,label\n1,a\n")
	f.Add(`[{"data":{"row":2},"annotations":[{"result":[{"type":"choices","value":{"choices":["a"]}}]}]}]`)
	f.Add(`{"meta":{"row":1},"label":"a","accept":["b"],"answer":"accept"}`)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := read(strings.NewReader(text), rows(), []string{"a"})
		if err == nil {
			for i := range l.Class {
				if i < 0 || i >= 5 {
					t.Errorf("row %d of 5", i)
				}
			}
		}
	})
}

// The JSON of a task is an object, whatever the names of its fields.
func TestWriteIsJSON(t *testing.T) {
	var b bytes.Buffer
	if err := tasks.Write(&b, tasks.LabelStudio, []tasks.Point{{Fields: []tasks.Field{{Name: `"\`, Value: "\xff"}}}}, nil, false); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("%v: %s", err, b.Bytes())
	}
}

// Spellings of one number are one label, numbers are taken as they are written, and what is not chosen is passed over.
func TestReadAsMeant(t *testing.T) {
	for _, c := range []struct {
		name, text string
		classes    []string
		want       map[int]string
		passed     int
	}{
		{"numbers twice", "row,label\n1,1\n1,1.0\n2,0\n", []string{"0", "1"}, map[int]string{0: "1.0", 1: "0"}, 0},
		{"numbers of Prodigy", `{"meta":{"row":1},"options":[{"id":1234567},{"id":2}],"accept":[1234567],"answer":"accept"}`, nil, map[int]string{0: "1234567"}, 0},
		{"large numbers", `{"row":1,"label":12345678901234567890}`, nil, map[int]string{0: "12345678901234567890"}, 0},
		{"JSON-MIN without a choice", `[{"row":1,"annotation_id":7,"label":"a"},{"row":2,"annotation_id":8}]`, nil, map[int]string{0: "a"}, 1},
		{"no header, names", "two,a\na/one.png,b\n", nil, map[int]string{1: "a", 0: "b"}, 0},
		{"no header, numbers", "2;a\n1;b\n", nil, map[int]string{1: "a", 0: "b"}, 0},
		{"rows and names that agree", "row,id,label\n2,two,a\n", nil, map[int]string{1: "a"}, 0},
	} {
		l, err := read(strings.NewReader(c.text), rows(), c.classes)
		if err != nil || !maps.Equal(l.Class, c.want) || l.Passed != c.passed {
			t.Errorf("%s: %+v, %v", c.name, l, err)
		}
	}
	if _, err := read(strings.NewReader("row,id,label\n1,two,a\n"), rows(), nil); err == nil || !strings.Contains(err.Error(), `f:2: it is for row 1, and for "two", which is row 2`) {
		t.Error(err)
	}
}

// What labels take is bounded, whatever they unpack to.
func TestReadIsBounded(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "[")
	for range 200_000 {
		io.WriteString(z, `{"row":1,"label":"a"},`)
	}
	io.WriteString(z, `{"row":1,"label":"a"}]`)
	z.Close()
	if _, err := tasks.Read(bytes.NewReader(packed.Bytes()), "f.json.gz", "", 10<<20); !errors.Is(err, dataset.ErrMemory) {
		t.Errorf("200,001 labels in 10 MB: %v", err)
	}
	if f, err := tasks.Read(bytes.NewReader(packed.Bytes()), "f.json.gz", "", 0); err != nil || f == nil {
		t.Error(err)
	}
	long := strings.NewReader(`[{"row":1,"label":"` + strings.Repeat("a", 20<<20) + `"}]`)
	if _, err := tasks.Read(long, "f", "", 10<<20); !errors.Is(err, dataset.ErrMemory) {
		t.Errorf("a task of 20 MB in 10: %v", err)
	}
}

// The encoding of the data is not that of labels: the advice is another.
func TestLabelsAreUTF8(t *testing.T) {
	for name, text := range map[string]string{"f.json": `[{"row":1,"label":"sch` + "\xf6" + `n"}]`, "f.jsonl": `{"row":1,"label":"sch` + "\xf6" + `n"}`, "p.jsonl": `{"text":"a","answer":"accept","label":"sch` + "\xf6" + `n"}`} {
		if _, err := tasks.Read(strings.NewReader(text), name, "", 0); err == nil || err.Error() != name+":1: the text is not UTF-8; save the file as UTF-8" {
			t.Errorf("%s: %v", name, err)
		}
	}
	latin, err := tasks.Read(strings.NewReader("row,label\n1,sch\xf6n\n"), "f.csv", "", 0)
	if err != nil || len(latin.Notes) != 1 || latin.Notes[0].Error() != "the text is no UTF-8, and is read as windows-1252; for another encoding give a file in UTF-8" {
		t.Errorf("%v, %v", latin, err)
	}
	_, err = tasks.Read(strings.NewReader("r\x00o\x00w\x00,\x00l\x00a\x00b\x00e\x00l\x00\n\x001\x00,\x00a\x00\n\x00"), "f.csv", "", 0)
	if err == nil || !strings.Contains(err.Error(), "UTF-16 without a mark; for that give a file in UTF-8") {
		t.Error(err)
	}
	f, err := tasks.Read(strings.NewReader("\xff\xfer\x00o\x00w\x00,\x00l\x00a\x00b\x00e\x00l\x00\n\x001\x00,\x00a\x00\n\x00"), "f.csv", "", 0)
	if err != nil || f.ByText() {
		t.Error(err)
	}
}

// Tables and JSON in UTF-16 and UTF-32 are read by their marks, and JSON without a mark is refused by name.
func TestLabelsInUTF16(t *testing.T) {
	for kind, text := range map[string]string{
		"a table": "row,label\n1,né\n2,b\n", "an array": ` [{"row":1,"label":"né"},{"row":2,"label":"b"}]`, "lines": `{"row":1,"label":"né"}` + "\n" + `{"row":2,"label":"b"}`,
	} {
		for name, e := range map[string]encoding.Encoding{
			"UTF-16, little-endian": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "UTF-16, big-endian": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
			"UTF-32, little-endian": utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "UTF-32, big-endian": utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
		} {
			coded, err := e.NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			if l, err := read(strings.NewReader(coded), rows(), nil); err != nil || l.Class[0] != "né" || l.Class[1] != "b" {
				t.Errorf("%s in %s: %v, error %v", kind, name, l, err)
			}
		}
		for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
			coded, err := unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder().String(strings.TrimSpace(text))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := read(strings.NewReader(coded), rows(), nil); err == nil || !strings.Contains(err.Error(), "zero byte") || !strings.Contains(err.Error(), "give a file in UTF-8") {
				t.Errorf("%s without a mark: %v", kind, err)
			}
		}
	}
}

// Labels may stand in any format of tables, of which the name may tell a part, and in columns with blanks between them.
func TestReadFile(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	db, err := sql.Open("sqlite", path("labels.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE a (row INTEGER, label TEXT); INSERT INTO a VALUES (1, 'x'), (5, 'y'); CREATE TABLE b (row INTEGER, label TEXT); INSERT INTO b VALUES (2, 'y')"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Create(path("labels.zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(packed)
	for name, text := range map[string]string{"a.csv": "row,label\n1,x\n5,y\n", "b.jsonl": "{\"row\":2,\"label\":\"y\"}\n", "c.json": "[{\"row\":2,\"label\":\"y\"}]\n"} {
		if w, err := z.Create(name); err != nil {
			t.Fatal(err)
		} else if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"blanks.txt": "1 x\n5 y\n", "headed.txt": "row label\n1 x\n5 y\n", "blanks.csv": "1 x\n5 y\n", "split.json": `{"columns":["row","label"],"index":[0],"data":[[1,"x"]]}`,
		"values.json": `[[1,"x"]]`, "columns.json": `{"row":{"0":1},"label":{"0":"x"}}`, "graph.graphml": "<graphml><graph/></graphml>"} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]map[int]string{
		"labels.db": {0: "x", 4: "y"}, "labels.db#a": {0: "x", 4: "y"}, "labels.db#b": {1: "y"},
		"labels.zip#a.csv": {0: "x", 4: "y"}, "labels.zip#b.jsonl": {1: "y"}, "labels.zip#c.json": {1: "y"},
		"blanks.txt": {0: "x", 4: "y"}, "headed.txt": {0: "x", 4: "y"},
	} {
		f, err := tasks.ReadFile(path(name), "", 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if l, err := f.Of(rows(), nil); err != nil || !maps.Equal(l.Class, want) {
			t.Errorf("%s: %v, %v, want %v", name, l, err, want)
		}
		if said := fmt.Sprint(f.Notes); name == "labels.db" && !strings.Contains(said, "not read: b") {
			t.Errorf("%s: %s", name, said)
		}
	}
	for name, want := range map[string]string{
		"blanks.csv": "call the file .txt", "split.json": "orient='records'", "values.json": "orient='records'", "columns.json": "orient='records'", "labels.db#c": `there is no table "c"`, "graph.graphml": "GraphML",
	} {
		if _, err := tasks.ReadFile(path(name), "", 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// A label with a decimal comma is the class of that number, if there is one, and else a name.
func TestLabelsWithDecimalCommas(t *testing.T) {
	const text = "row;label\n1;0,5\n2;1,50\n3;2,5\n4;a,b\n"
	for _, c := range []struct {
		classes []string
		want    map[int]string
	}{
		{[]string{"0.5", "1.5", "a.b"}, map[int]string{0: "0.5", 1: "1.50", 2: "2,5", 3: "a,b"}},
		{[]string{"0,5", "0.5"}, map[int]string{0: "0,5", 1: "1,50", 2: "2,5", 3: "a,b"}},
	} {
		if l, err := read(strings.NewReader(text), rows(), c.classes); err != nil || !maps.Equal(l.Class, c.want) {
			t.Errorf("%q: %+v, %v, want %v", c.classes, l, err, c.want)
		}
	}
}
