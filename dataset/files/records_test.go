package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
)

// mixedRow is a row with a column of every kind; the names are sorted, as JSON
// lines have them.
type mixedRow struct {
	Born   *time.Time `parquet:"born,optional,timestamp(microsecond)" json:"born,omitempty"`
	Day    int32      `parquet:"day,date" json:"-"`
	Shop   string     `parquet:"label,optional" json:"-"`
	Member *bool      `parquet:"member,optional" json:"member,omitempty"`
	Name   string     `parquet:"name" json:"name"`
	Post   string     `parquet:"post,dict" json:"post"`
	Size   *float64   `parquet:"size,optional" json:"size"`
	Whole  *int64     `parquet:"whole,optional" json:"whole,omitempty"`
	Colour *string    `parquet:"צבע,optional,dict" json:"צבע"`
}

// mixedFiles returns the same rows as CSV, JSON lines and Parquet.
func mixedFiles(t *testing.T) map[string]string {
	t.Helper()
	words := []string{"the cat sleeps all day", "a dog\nand a \"cat\"", "stocks fell, bonds rose", "שלום עולם again", "bonds fell again"}
	classes := []string{"", "a b\nc", "עברית", "ü,\"x\""}
	var rows []mixedRow
	var csv, lines strings.Builder
	csv.WriteString("born,day,label,member,name,post,size,whole,צבע\n")
	quote := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	for i := range 200 {
		row := mixedRow{Day: int32(19000 + i*i%37), Shop: classes[i%4], Name: fmt.Sprintf("row %d", i), Post: words[i*7%5] + " " + words[i%3]}
		fields := make([]string, 9)
		object := map[string]any{"name": row.Name, "post": row.Post}
		if i%3 > 0 {
			at := time.UnixMicro(1.7e15 + int64(i)*12345678901).UTC()
			row.Born, fields[0] = &at, at.Format("2006-01-02T15:04:05.999999Z")
			object["born"] = fields[0]
		}
		fields[1] = time.Unix(int64(row.Day)*86400, 0).UTC().Format("2006-01-02")
		object["day"] = fields[1]
		if fields[2] = row.Shop; i%8 > 0 {
			object["label"] = row.Shop
		} else {
			object["label"] = nil
		}
		if yes := i%2 == 0; i%5 > 0 {
			row.Member, fields[3] = &yes, fmt.Sprint(yes)
			object["member"] = yes
		}
		if x := float64(i*i%91) / 7; i%6 > 0 {
			row.Size, fields[6] = &x, fmt.Sprint(x)
			object["size"] = x
		} else {
			object["size"] = nil
		}
		if k := int64(1)<<53 + int64(i); i > 0 { // the first object has no such key
			row.Whole, fields[7] = &k, fmt.Sprint(k)
			object["whole"] = k
		}
		if c := []string{"אדום", "כחול"}[i*i%3%2]; i%7 > 0 {
			row.Colour, fields[8] = &c, c
			object["צבע"] = c
		}
		fields[4], fields[5] = row.Name, row.Post
		for c, f := range fields {
			if c > 0 {
				csv.WriteByte(',')
			}
			csv.WriteString(quote(f))
		}
		csv.WriteByte('\n')
		line, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
		rows = append(rows, row)
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[mixedRow](&b, parquet.MaxRowsPerRowGroup(70), parquet.PageBufferSize(256))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"a.csv": csv.String(), "a.jsonl": lines.String(), "a.parquet": b.String()}
}

// byName returns kept columns sorted by their names, as those of a.csv are.
func byName(k dataset.Kept) dataset.Kept {
	if k.None() {
		return k
	}
	s := dataset.Kept{Names: slices.Sorted(slices.Values(k.Names)), Rows: make([][]string, len(k.Rows))}
	for i, row := range k.Rows {
		for _, name := range s.Names {
			s.Rows[i] = append(s.Rows[i], row[slices.Index(k.Names, name)])
		}
	}
	return s
}

// The same rows are the same dataset in every format, and what is learnt from
// one is applied to the others.
func TestRecordsOfThreeFormats(t *testing.T) {
	files := mixedFiles(t)
	for _, o := range []Options{
		{ID: []string{"name"}, Text: []string{"post"}},
		{Ignore: []string{"name", "post"}, Keep: true},
		{ID: []string{"name"}, Category: []string{"post", "day"}, Label: "label"},
		{Columns: []string{"צבע", "size", "born"}, Label: "member"},
	} {
		want := mustRead(t, "a.csv", files["a.csv"], o)
		if want.Encoding == nil || want.Points.Len() != 200 {
			t.Fatalf("%+v", want)
		}
		for name, text := range files {
			d := mustRead(t, name, text, o)
			if !reflect.DeepEqual(d.Encoding, want.Encoding) || !slices.Equal(d.Features, want.Features) {
				t.Errorf("%s: features %q, want %q", name, d.Features, want.Features)
			}
			if !equal(d, want) || d.Label != want.Label || !reflect.DeepEqual(byName(d.Kept), want.Kept) {
				t.Errorf("%s: %+v, want %+v", name, d, want)
			}
			later := mustRead(t, name, text, Options{Encoding: want.Encoding, Label: want.Label, Keep: o.Keep})
			if !equal(later, want) || !reflect.DeepEqual(byName(later.Kept), want.Kept) {
				t.Errorf("%s: applied %+v, want %+v", name, later, want)
			}
		}
	}
	if d := mustRead(t, "a.jsonl", files["a.jsonl"], Options{ID: []string{"name"}}); !slices.Equal(d.Classes, []string{"a b\nc", "ü,\"x\"", "עברית"}) {
		t.Errorf("classes %q", d.Classes)
	}
	d := mustRead(t, "a.parquet", parquetOf(t, struct {
		T time.Time `parquet:"t,timestamp(millisecond)"`
		N time.Time `parquet:"n,timestamp(nanosecond)"`
		U uint32    `parquet:"u"`
	}{time.Unix(43200, 0), time.Unix(-43200, 0), 1<<32 - 1}, struct {
		T time.Time `parquet:"t,timestamp(millisecond)"`
		N time.Time `parquet:"n,timestamp(nanosecond)"`
		U uint32    `parquet:"u"`
	}{time.Unix(86400, 0), time.Unix(0, 0), 0}), Options{Columns: []string{"t", "n", "u"}})
	if got := values(d.Points); !reflect.DeepEqual(got, [][]float64{{0.5, -0.5, 1<<32 - 1}, {1, 0, 0}}) {
		t.Errorf("times %v", got)
	}
}

// A file that is cut off is refused, or read as the rows that are there.
func TestRecordsTruncated(t *testing.T) {
	for name, text := range mixedFiles(t) {
		if name == "a.csv" {
			continue // TestApplyTruncated
		}
		o := Options{ID: []string{"name"}, Text: []string{"post"}}
		whole := mustRead(t, name, text, o)
		for cut := 0; cut < len(text); cut += 97 {
			d, err := Read(strings.NewReader(text[:cut]), name, Options{Encoding: whole.Encoding})
			var e *dataset.Error
			switch {
			case err != nil && (!errors.As(err, &e) || e.File != name):
				t.Errorf("%s cut at %d: %T %v", name, cut, err, err)
			case err == nil && (name == "a.parquet" || !reflect.DeepEqual(values(d.Points), values(whole.Points)[:d.Points.Len()])):
				t.Errorf("%s cut at %d: read %d rows", name, cut, d.Points.Len())
			}
		}
	}
}

// Objects of numbers stay numbers without an encoding; a key called text with
// words in it is text, and vectors can be kept apart from what stands beside.
func TestObjects(t *testing.T) {
	d := mustRead(t, "a.jsonl", `{"b":1,"text":2,"label":"x"}`+"\n"+`{"text":-4.5e0,"b":1}`+"\n", Options{})
	if d.Encoding != nil || !slices.Equal(d.Features, []string{"b", "text"}) || !reflect.DeepEqual(values(d.Points), [][]float64{{1, 2}, {1, -4.5}}) {
		t.Errorf("%+v %v", d, values(d.Points))
	}
	// Plain numbers, with what an older model takes for 1 and 0.
	strict := mustRead(t, "a.jsonl", `{"b":true,"a":1}`+"\n"+`{"a":2,"b":false}`, Options{Encoding: new(dataset.Encoding), Columns: []string{"a", "b"}})
	if !reflect.DeepEqual(values(strict.Points), [][]float64{{1, 1}, {2, 0}}) || strict.Encoding != nil {
		t.Errorf("%v", values(strict.Points))
	}
	for name, text := range map[string]string{
		"a.jsonl": `{"text":"ab cd"}` + "\n" + `{"text":"cd","label":"l"}` + "\n" + `{"text":"ef"}` + "\n" + `{"text":null}`,
		"a.csv":   "text,label\nab cd,\ncd,l\nef,\n,\n",
	} {
		d := mustRead(t, name, text, Options{})
		if c := d.Encoding.Columns[0]; c.Kind != dataset.Text || c.Guessed || !slices.Equal(c.Words, []string{"cd"}) || d.Label != "label" {
			t.Errorf("%s: %+v", name, d)
		}
	}
	vectors := `{"vector":[1,2],"label":null}` + "\n" + `{"id":"ב","vector":[3,4],"label":7,"more":[1]}` + "\n"
	want := dataset.Kept{Names: []string{"label", "id", "more"}, Rows: [][]string{{"", "", ""}, {"7", "ב", "[1]"}}}
	d = mustRead(t, "a.jsonl", vectors, Options{Keep: true})
	if !reflect.DeepEqual(d.Kept, want) || !reflect.DeepEqual(values(d.Points), [][]float64{{1, 2}, {3, 4}}) || d.Features != nil {
		t.Errorf("kept %q, points %v", d.Kept, values(d.Points))
	}
	// What is kept stays in the order of the file, whatever the features' order.
	d = mustRead(t, "a.jsonl", `{"z":1,"a":2,"label":"l"}`+"\n"+`{"more":5,"a":4,"z":3}`, Options{Keep: true})
	if want := (dataset.Kept{Names: []string{"z", "a", "label", "more"}, Rows: [][]string{{"1", "2", "l", ""}, {"3", "4", "", "5"}}}); !reflect.DeepEqual(d.Kept, want) || !slices.Equal(d.Features, []string{"a", "z"}) {
		t.Errorf("kept %q, features %q", d.Kept, d.Features)
	}
	d = mustRead(t, "a.jsonl", vectors, Options{ID: []string{"id"}})
	if !reflect.DeepEqual(d.Kept, dataset.Kept{Names: []string{"id"}, Rows: [][]string{{""}, {"ב"}}}) || !slices.Equal(labels(d), []string{"", "7"}) {
		t.Errorf("kept %q, labels %q", d.Kept, labels(d))
	}
	d = mustRead(t, "a.jsonl", `{"vector":[1],"n":1}`+"\n"+`{"n":2}`, Options{Ignore: []string{"vector"}})
	if !slices.Equal(d.Features, []string{"n"}) || d.Points.Len() != 2 {
		t.Errorf("%+v", d)
	}
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{vectors, Options{ID: []string{"name"}}, `a.jsonl: no column is called "name"; choose for Options.ID among vector, label, id, more`},
		{`{"a":1}`, Options{Ignore: []string{"1"}}, `a.jsonl: no column is called "1"; choose for Options.Ignore among a`},
		{`{"a":1}` + "\n" + `{}`, Options{Encoding: new(dataset.Encoding)}, `a.jsonl:2: column "a": the value is empty; fill it in or remove the row`},
		{`{"a":"b"}`, Options{Encoding: &dataset.Encoding{Named: true, Columns: []dataset.Column{{Name: "a", Kind: dataset.Number, High: 1}}}}, `a.jsonl:1: column "a": "b" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "a"}`},
		{`{"a":1}`, Options{Encoding: &dataset.Encoding{Named: true, Columns: []dataset.Column{{Name: "b", Kind: dataset.Number, High: 1}}}}, `a.jsonl: these feature columns are missing: b; add them beside a`},
		{"\ufeff" + `{"x1":1,` + `"x2":2}` + "\r\n", Options{Encoding: new(dataset.Encoding), Features: 2}, `a.jsonl: the features are known by their order, but keys of JSON have no order; give each object an array of its numbers called "vector", or give a CSV table`},
		{"[\r\n" + `{"x1":1,` + "\r\n" + `"x2":2}]`, Options{Encoding: &dataset.Encoding{Columns: make([]dataset.Column, 2)}}, `a.jsonl: the features are known by their order, but keys of JSON have no order; give each object an array of its numbers called "vector", or give a CSV table`},
	} {
		_, err := Read(strings.NewReader(c.text), "a.jsonl", c.o)
		checkError(t, err, c.want)
	}
	// The same objects as an array, however it is laid out, and from a stream,
	// which a key that turns up late has read again.
	rows := []string{`{"b":1,"text":"ab } cd","label":"x"}`, `{"text":"cd \"]\\","b":2.5, "label" : null}`, `{"late":[1,{"k":"]"}],"b":-4,"text":"ab cd"}`}
	late := Options{Ignore: []string{"late"}, Keep: true}
	want2 := mustRead(t, "a.jsonl", strings.Join(rows, "\n"), late)
	for _, text := range []string{
		"[" + strings.Join(rows, ",") + "]",
		"\r\n\r\n  [\r\n" + strings.Join(rows, "\t,\r\n") + "\r\n]\r\n\r\n",
		"\ufeff[" + strings.NewReplacer("{", "{\n  ", ",", ",\n  ", ":", ":\n ").Replace(strings.Join(rows, ",")) + "\n]\n",
	} {
		if got := mustRead(t, "a.json", text, late); !reflect.DeepEqual(got.Encoding, want2.Encoding) || !reflect.DeepEqual(values(got.Points), values(want2.Points)) ||
			!slices.Equal(labels(got), labels(want2)) || !slices.Equal(got.Kept.Names, want2.Kept.Names) {
			t.Errorf("%q: %+v, want %+v", text, got, want2)
		}
	}
	d = mustRead(t, "a.json", "[{\"vector\":[1,2]\n},{\"label\":\"x\",\"vector\":\n[3,\n4]}]", Options{})
	if !reflect.DeepEqual(values(d.Points), [][]float64{{1, 2}, {3, 4}}) || !slices.Equal(labels(d), []string{"", "x"}) {
		t.Errorf("%v %q", values(d.Points), labels(d))
	}
	// Few of many keys in each object: a table out of proportion.
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, "{\"k%d\":1}\n", i)
	}
	_, err := Read(strings.NewReader(b.String()), "a.jsonl", Options{})
	checkError(t, err, `a.jsonl:54:1: the objects have 20000 different keys, but few objects have the same keys; write a file that has the wanted keys alone, and name them with Options.Columns`)
}

func TestParquetRecords(t *testing.T) {
	type row struct {
		V    []float64 `parquet:"v,list"`
		Name string    `parquet:"name"`
		N    float64   `parquet:"n"`
		L    string    `parquet:"label"`
	}
	text := parquetOf(t, row{[]float64{1, 2}, "a", 5, "x"}, row{[]float64{3, 4}, "b", 6, "y"})
	d := mustRead(t, "a.parquet", text, Options{Keep: true, Category: []string{"name"}})
	want := dataset.Kept{Names: []string{"v", "name", "n", "label"}, Rows: [][]string{{"[1,2]", "a", "5", "x"}, {"[3,4]", "b", "6", "y"}}}
	if !reflect.DeepEqual(d.Kept, want) || !reflect.DeepEqual(values(d.Points), [][]float64{{1, 2, 1, 0, 5}, {3, 4, 0, 1, 6}}) {
		t.Errorf("kept %q, points %v", d.Kept, values(d.Points))
	}
	d = mustRead(t, "a.parquet", text, Options{ID: []string{"name"}, Ignore: []string{"v"}})
	if !reflect.DeepEqual(d.Kept, dataset.Kept{Names: []string{"name"}, Rows: [][]string{{"a"}, {"b"}}}) || !slices.Equal(d.Features, []string{"n"}) {
		t.Errorf("kept %q, features %q", d.Kept, d.Features)
	}
	type strange struct {
		A float64            `parquet:"a"`
		B [3]byte            `parquet:"b"`
		C map[string]float64 `parquet:"c"`
		L float64            `parquet:"label"`
	}
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{text, Options{ID: []string{"id"}}, `a.parquet: no column is called "id"; choose for Options.ID among v, name, n, label`},
		{text, Options{Encoding: &dataset.Encoding{Named: true, Columns: []dataset.Column{{Name: "name", Kind: dataset.Number, High: 1}}}}, `a.parquet: row 1, column "name": "a" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "name"}`},
		{parquetOf(t, strange{}), Options{Category: []string{"b"}, Columns: []string{"a", "b", "c"}}, `a.parquet: these columns hold neither numbers nor strings, booleans, dates, times or lists of numbers or words: b, c; leave them out with Options.Ignore, or write them as one of these`},
	} {
		_, err := Read(strings.NewReader(c.text), "a.parquet", c.o)
		checkError(t, err, c.want)
	}
	type infinite struct {
		A string  `parquet:"a"`
		L float64 `parquet:"label"`
	}
	zero := 0.0
	_, err := Read(strings.NewReader(parquetOf(t, infinite{"a", 1}, infinite{"a", -1 / zero})), "a.parquet", Options{})
	checkError(t, err, `a.parquet: row 2, column "label": the label is -Inf; give a number, or NaN for no label`)
	type strict struct {
		A *float64 `parquet:"a,optional"`
		B bool     `parquet:"b"`
	}
	one := 1.0
	_, err = Read(strings.NewReader(parquetOf(t, strict{&one, true}, strict{nil, true})), "a.parquet", Options{Encoding: new(dataset.Encoding), Columns: []string{"a", "b"}})
	checkError(t, err, `a.parquet: row 2, column "a" holds no value; fill in a number or remove the row`)
}
