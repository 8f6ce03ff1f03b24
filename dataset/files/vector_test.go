package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"lapsvm/dataset"
)

// vectorRow is a row of a table with a vector, which is nil where it is missing.
type vectorRow struct {
	N      float64   `parquet:"n" json:"n"`
	Vector []float64 `parquet:"v,list,optional" json:"v"`
	Colour string    `parquet:"colour" json:"colour"`
	Label  string    `parquet:"label" json:"label"`
}

// vectorRows are n rows, of which some have no vector.
func vectorRows(n int) []vectorRow {
	rng := rand.New(rand.NewPCG(5, 2))
	rows := make([]vectorRow, n)
	for i := range rows {
		rows[i] = vectorRow{rng.NormFloat64(), []float64{rng.NormFloat64(), 1e-7 * rng.Float64(), 3}, []string{"red", "blue"}[i%2], []string{"a", "b", ""}[i%3]}
		if i%7 == 3 {
			rows[i].Vector = nil
		}
	}
	return rows
}

// inFormats returns the rows as files, by their names.
func inFormats(t *testing.T, rows []vectorRow) map[string]string {
	t.Helper()
	var commas, blanks, lines strings.Builder
	for _, text := range []*strings.Builder{&commas, &blanks} {
		text.WriteString("n,v,colour,label\n")
	}
	for _, r := range rows {
		array, err := json.Marshal(r.Vector)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&commas, "%v,\"%s\",%s,%s\n", r.N, array, r.Colour, r.Label)
		numpy := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(r.Vector), "["), "]"), " ", "\n  ")
		if numpy != "" {
			numpy = "\"[ " + numpy + "]\""
		}
		fmt.Fprintf(&blanks, "%v,%s,%s,%s\n", r.N, numpy, r.Colour, r.Label)
		object, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", object)
	}
	var file bytes.Buffer
	if err := parquet.Write(&file, rows, parquet.MaxRowsPerRowGroup(20)); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"commas.csv": commas.String(), "blanks.csv": blanks.String(), "lines.jsonl": lines.String(), "a.parquet": file.String()}
}

// A vector beside other columns is the same features from any format, by its own encoding and by
// that of another format. A missing one is the mean.
func TestVectorBesideColumns(t *testing.T) {
	rows := vectorRows(50)
	mean, present := make([]float64, 3), 0.0
	for _, r := range rows {
		for j, x := range r.Vector {
			mean[j] += x
		}
		present += float64(len(r.Vector)) / 3
	}
	all := inFormats(t, rows)
	o := Options{Columns: []string{"n", "v", "colour"}}
	first := mustRead(t, "commas.csv", all["commas.csv"], o)
	if want := []string{"n", "v[1]", "v[2]", "v[3]", "colour=blue", "colour=red"}; !slices.Equal(first.Features, want) || first.Encoding.Version() != 5 {
		t.Fatalf("features %q of version %d", first.Features, first.Encoding.Version())
	}
	column := first.Encoding.Columns[1]
	if column.String() != "vector of 3, 7 missing" || !slices.Equal(first.Missing.Columns, []int{0, 7, 0}) {
		t.Errorf("%v, missing %v", &column, first.Missing)
	}
	square := 0.0
	for i, r := range rows {
		want := r.Vector
		if want == nil {
			want = column.Mean
		}
		if got := first.Points.DenseRow(i)[1:4]; !slices.Equal(got, want) {
			t.Errorf("row %d: %v, want %v", i+1, got, want)
		}
		for j, x := range r.Vector {
			square += (x - mean[j]/present) * (x - mean[j]/present) / present
		}
	}
	for j, m := range column.Mean {
		if want := mean[j] / present; !(math.Abs(m-want) <= 1e-12) {
			t.Errorf("the mean of number %d is %v, want %v", j+1, m, want)
		}
	}
	if want := math.Sqrt(square / 2); !(math.Abs(column.High-want) <= 1e-12*want) {
		t.Errorf("the scale is %v, want %v", column.High, want)
	}
	for name, text := range all {
		if d := mustRead(t, name, text, o); !reflect.DeepEqual(d.Encoding, first.Encoding) || !reflect.DeepEqual(values(d.Points), values(first.Points)) || !slices.Equal(d.Y, first.Y) {
			t.Errorf("%s: %+v %v", name, d.Encoding, values(d.Points))
		}
		if d := mustRead(t, name, text, Options{Encoding: first.Encoding}); !reflect.DeepEqual(values(d.Points), values(first.Points)) || !reflect.DeepEqual(d.Missing, first.Missing) {
			t.Errorf("%s by the encoding: %v, missing %v", name, values(d.Points), d.Missing)
		}
	}
	if err := first.Encoding.Validate(); err != nil {
		t.Error(err)
	}
	first.Encoding.Columns[1].Mean = nil
	if err := first.Encoding.Validate(); err == nil {
		t.Error("a vector of no numbers is valid")
	}
}

// A column of lists that is the only one stays as it is: points without an encoding.
func TestVectorAlone(t *testing.T) {
	for _, o := range []Options{{Columns: []string{"v"}}, {Ignore: []string{"colour"}, ID: []string{"n"}}} {
		rows := slices.DeleteFunc(vectorRows(20), func(r vectorRow) bool { return r.Vector == nil })
		d := mustRead(t, "a.parquet", inFormats(t, rows)["a.parquet"], o)
		if d.Encoding != nil || !slices.Equal(d.Points.DenseRow(4), rows[4].Vector) || len(d.Notes) > 0 {
			t.Errorf("%+v: %v, notes %v", o, d.Encoding, d.Notes)
		}
	}
}

// Beside text a vector has the mean square norm 2, and a missing one is 0.
func TestVectorBesideText(t *testing.T) {
	var csv strings.Builder
	csv.WriteString("v,words,label\n")
	rng := rand.New(rand.NewPCG(8, 1))
	for i := range 40 {
		fmt.Fprintf(&csv, "\"[%g, %g]\",one of %d words,%d\n", 1e4+10*rng.NormFloat64(), rng.Float64(), i%5, i%2)
	}
	csv.WriteString(",no vector of words,1\n")
	d := mustRead(t, "a.csv", csv.String(), Options{Text: []string{"words"}})
	square := 0.0
	for i := range 41 {
		index, value := d.Points.SparseRow(i)
		for k, j := range index {
			if j < 2 {
				square += value[k] * value[k]
			}
			if j < 2 && i == 40 {
				t.Errorf("number %d of no vector is %v", j+1, value[k])
			}
		}
	}
	if !(math.Abs(square-80) <= 1e-9) {
		t.Errorf("the squares sum to %v, want 80", square)
	}
}

// Vectors that are none are errors with their place, and so are those of another length.
func TestVectorErrors(t *testing.T) {
	rows := vectorRows(12)
	e := mustRead(t, "a.csv", inFormats(t, rows)["commas.csv"], Options{}).Encoding
	for field, want := range map[string]string{
		`"[1, 2]"`:      `the vector has 2 numbers, but the training's had 3; make them equal, or leave the field empty`,
		`"[1, 2, nan]"`: `number 3 of the vector is "nan"; give it numbers only, or leave the field empty`,
		`"[1,,2]"`:      `number 2 of the vector is ""; give it numbers only, or leave the field empty`,
		`"[1,2,]"`:      `number 3 of the vector is ""; give it numbers only, or leave the field empty`,
		"[1 2 ... 3 4]": `the vector is cut short (...), as NumPy prints long arrays; write all numbers, such as those of tolist()`,
		"5":             `"5" is no vector, which is a list of numbers such as [0.25, -1]; correct it, or leave the field empty`,
		"word":          `"word" is no vector, which is a list of numbers such as [0.25, -1]; correct it, or leave the field empty`,
	} {
		_, err := Read(strings.NewReader("n,v,colour\n1,,red\n2,"+field+",blue\n"), "b.csv", Options{Encoding: e})
		checkError(t, err, `b.csv:3:2: column "v": `+want)
	}
	for _, field := range []string{"", "N/A", "null", "[]", "none", "\"[ 1,2;3 ]\""} {
		if _, err := Read(strings.NewReader("n,v,colour\n1,"+field+",red\n"), "b.csv", Options{Encoding: e}); err != nil {
			t.Errorf("%q: %v", field, err)
		}
	}
	texts := func(first string) string {
		return "v,n,label\n" + first + strings.Repeat("[1 2],1,a\n[2 1],2,b\n", 6)
	}
	for text, want := range map[string]string{
		texts("") + "[1 2 3],3,a\n": `a.csv:14:1: column "v": the vector has 3 numbers, but those before have 2; make them equal, or leave the field empty; if the column holds no vectors, give Options{Text: []string{"v"}} or Options{Ignore: []string{"v"}}`,
		texts("") + "some,3,a\n":    `a.csv:14:1: column "v": "some" is no vector, which is a list of numbers such as [0.25, -1]; correct it, or leave the field empty; if the column holds no vectors, give Options{Text: []string{"v"}} or Options{Ignore: []string{"v"}}`,
	} {
		_, err := Read(strings.NewReader(text), "a.csv", Options{Ignore: []string{"n"}})
		checkError(t, err, want)
		d := mustRead(t, "a.csv", text, Options{})
		if told := strings.Replace(want, "column ", "", 1); d.Points.Dim() != 1 || len(d.Notes) != 1 || !strings.HasSuffix(d.Notes[0].Error(), told) {
			t.Errorf("%v, want %s", d.Notes, told)
		}
	}
	// The first value tells: a word, and lists behind it, are no vectors unless that is asked for.
	text := texts("some,3,a\n") + "other,4,b\n"
	if d := mustRead(t, "a.csv", text, Options{}); d.Encoding.Columns[0].Kind != dataset.Category {
		t.Errorf("%+v", d.Encoding.Columns[0])
	}
	_, err := Read(strings.NewReader(text), "a.csv", Options{Vector: []string{"v"}})
	checkError(t, err, `a.csv:2:1: column "v": "some" is no vector, which is a list of numbers such as [0.25, -1]; correct it, or leave the field empty`)
	if d := mustRead(t, "a.csv", texts(""), Options{Category: []string{"v"}}); d.Encoding.Columns[0].Kind != dataset.Category {
		t.Errorf("%+v", d.Encoding.Columns[0])
	}
	if d := mustRead(t, "a.csv", strings.Repeat("text,n,label\n", 1)+strings.Repeat("[1 2],1,a\n[2 1],2,b\nwords and more,3,\n", 6), Options{}); d.Encoding.Columns[0].Kind != dataset.Text {
		t.Errorf("%+v", d.Encoding.Columns[0])
	}
}

// The keys of objects inside are columns, so that an embedding may lie in one.
func TestObjectsInside(t *testing.T) {
	var flat, inside strings.Builder
	for i := range 12 {
		fmt.Fprintf(&flat, "{\"n\": %d, \"meta.emb.v\": [%d, 0.5], \"meta.size\": %d, \"label\": \"%d\"}\n", i*i, i%5, i%7, i%2)
		fmt.Fprintf(&inside, "{\"meta\": {\"emb\": {\"v\": [%d, 0.5]}, \"size\": %d, \"none\": {}}, \"n\": %d, \"label\": \"%d\"}\n", i%5, i%7, i*i, i%2)
	}
	want := mustRead(t, "a.jsonl", flat.String(), Options{})
	for _, o := range []Options{{}, {Encoding: want.Encoding}} {
		d := mustRead(t, "a.jsonl", inside.String(), o)
		if !reflect.DeepEqual(d.Encoding, want.Encoding) || !reflect.DeepEqual(values(d.Points), values(want.Points)) || !slices.Equal(d.Y, want.Y) {
			t.Errorf("%q %v, want %q", d.Features, values(d.Points), want.Features)
		}
	}
	if d := mustRead(t, "a.jsonl", inside.String(), Options{Ignore: []string{"meta"}}); !slices.Equal(d.Features, []string{"n"}) {
		t.Errorf("without meta: %q", d.Features)
	}
}

// Keys that turn up beside vectors alone are left out with a warning, unless they are asked for by name
// or the first object has them too.
func TestLateKeysBesideVectors(t *testing.T) {
	const rest = "{\"vector\":[2,1],\"age\":2}\n{\"vector\":[3,1],\"age\":3}\n"
	const alone = "{\"vector\":[1,2],\"label\":\"a\"}\n" + rest
	d := mustRead(t, "f.jsonl", alone, Options{})
	const told = `the first object has no feature beside its vector, so that the vectors are all features: left out are age; give the first object these keys, if with null, or Options{Ignore: []string{"age"}} to say so`
	if len(d.Notes) != 1 || !d.Notes[0].Doubtful || d.Notes[0].Error() != told || d.Encoding != nil || d.Points.Dim() != 2 {
		t.Errorf("notes %v of %d features", d.Notes, d.Points.Dim())
	}
	for _, o := range []Options{{Ignore: []string{"age"}}, {ID: []string{"age"}}, {Encoding: new(dataset.Encoding)}} {
		if d := mustRead(t, "f.jsonl", alone, o); len(d.Notes) > 0 || d.Points.Dim() != 2 {
			t.Errorf("%+v: %v", o, d.Notes)
		}
	}
	d = mustRead(t, "f.jsonl", "{\"vector\":[1,2],\"label\":\"a\",\"age\":null}\n"+rest, Options{})
	if want := []string{"age", "vector[1]", "vector[2]"}; !slices.Equal(d.Features, want) || len(d.Notes) > 0 {
		t.Errorf("%q, notes %v", d.Features, d.Notes)
	}
}
