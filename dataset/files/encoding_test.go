package files

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"lapsvm/dataset"
)

// table makes a CSV text of a column x and enough of a second one.
func table(fields ...string) string {
	var b strings.Builder
	b.WriteString("x,n,label\n")
	for i, f := range fields {
		fmt.Fprintf(&b, "\"%s\",%d,a\n", strings.ReplaceAll(f, `"`, `""`), i)
	}
	return b.String()
}

func repeat(times int, fields ...string) []string {
	return slices.Repeat(fields, times)
}

// TestColumnKinds holds what a column is taken for, its features, and their
// values in the first rows.
func TestColumnKinds(t *testing.T) {
	for _, c := range []struct {
		what   string
		fields []string
		o      Options
		want   string // what String tells
		names  []string
		rows   [][]float64
	}{
		{"odd median", []string{"7", "", "1", "2"}, Options{}, "number, 1 to 7, 1 missing → 2", []string{"x"}, [][]float64{{7}, {2}, {1}}},
		{"even median", []string{"?", "4", "1", "NA", "2", "10"}, Options{}, "number, 1 to 10, 2 missing → 3", []string{"x"}, [][]float64{{3}, {4}}},
		{"huge median", []string{"nan", "1.5e308", "1.7e308"}, Options{}, "number, 1.5e+308 to 1.7e+308, 1 missing → 1.5e+308", []string{"x"}, [][]float64{{1.5e308}}},
		{"asked number stays", []string{"1", "2"}, Options{ID: []string{"n"}}, "number, 1 to 2", []string{"x"}, [][]float64{{1}, {2}}},
		{"boolean", []string{"yes", "NO", "", "True", "false", "Yes"}, Options{}, "boolean, 1 missing → true", []string{"x"}, [][]float64{{1}, {0}, {1}, {1}, {0}}},
		{"boolean, equal", []string{"yes", "no", ""}, Options{}, "boolean, 1 missing → false", []string{"x"}, [][]float64{{1}, {0}, {0}}},
		{"one boolean and missing", []string{"yes", "", "yes", ""}, Options{}, "category, 1 value: yes, 2 missing", []string{"x=yes"}, [][]float64{{1}, {0}}},
		{"category", []string{"red", "blue", "", "red", "red", "blue"}, Options{}, "category, 2 values: blue, red, 1 missing", []string{"x=blue", "x=red"}, [][]float64{{0, 1}, {1, 0}, {0, 0}}},
		{"codes", []string{"10", "9", "01", "1.0", "", "9"}, Options{Category: []string{"x"}}, "category, 4 values: 01, 1.0, 9, 10, 1 missing", []string{"x=01", "x=1.0", "x=9", "x=10"},
			[][]float64{{0, 0, 0, 1}, {0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}},
		{"codes among words", []string{"b", "01", "b", "1", "b", "b"}, Options{}, "category, 2 values: 01, b", []string{"x=01", "x=b"}, [][]float64{{0, 1}, {1, 0}, {0, 1}, {1, 0}}},
		{"few numbers and a word", repeat(2, "2", "3", "5more"), Options{}, "category (a guess: numbers and words), 3 values: 2, 3, 5more", []string{"x=2", "x=3", "x=5more"}, [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
		{"spellings of missing values", repeat(2, "red", "N/A", "None", "null", "#N/A", "none"), Options{}, "category, 2 values: none, red, 8 missing", []string{"x=none", "x=red"}, [][]float64{{0, 1}, {0, 0}, {0, 0}}},
		{"a few numbers among words", []string{"b", "1", "b", "1.0", "b", "b"}, Options{}, "category, 2 values: 1, b", []string{"x=1", "x=b"}, [][]float64{{0, 1}, {1, 0}, {0, 1}, {1, 0}}},
		{"infinity among words", []string{"b", "Inf", "b", "Inf", "b", "b"}, Options{}, "category, 2 values: Inf, b", []string{"x=Inf", "x=b"}, [][]float64{{0, 1}, {1, 0}}},
		{"date", []string{"1970-01-02", "", "1969-12-31", "1970-01-01T12:00"}, Options{}, "date, 1969-12-31 to 1970-01-02, in days, 1 missing → 1970-01-01", []string{"x"}, [][]float64{{1}, {0.5}, {-1}, {0.5}}},
		{"text", []string{"a cat", "The CAT!", "", "dog", "dog cat"}, Options{Text: []string{"1"}}, "text, 2 words, 14 pairs and triples of characters, 1 missing", []string{"x:cat", "x:dog"}, nil},
		{"guessed text", []string{"to be or", "not to be", "that is the", "question to be", "alpha beta gamma"}, Options{}, "text (a guess), 2 words, 12 pairs and triples of characters", []string{"x:be", "x:to"}, nil},
		{"constant", []string{"3", "", "3"}, Options{}, "left out: it is constant", nil, nil},
		{"constant date", []string{"2024-01-01", "2024-01-01T00:00Z"}, Options{}, "left out: it is constant", nil, nil},
		{"constant word", []string{"a", "a"}, Options{}, "left out: it is constant", nil, nil},
		{"no values", []string{"", "na"}, Options{}, "left out: it has no values", nil, nil},
		{"no words", []string{"a b", "c d"}, Options{Text: []string{"x"}}, "left out: text without a word that is in at least 2 rows and at most 80 % of them", nil, nil},
		{"ignored", []string{"a", "b"}, Options{Ignore: []string{"x"}}, "left out: as asked", nil, nil},
		{"id", []string{"a", "b"}, Options{ID: []string{"x"}}, "left out: it names the row", nil, nil},
		{"value on one line", repeat(2, "a\nb", "c"), Options{}, "category, 2 values: a b, c", []string{"x=a\nb", "x=c"}, [][]float64{{1, 0}}},
		{"many values", repeat(2, "a", "b", "c", "d", "e", "f"), Options{}, "category, 6 values: a, b, c, d, e, …", []string{"x=a", "x=b", "x=c", "x=d", "x=e", "x=f"}, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			d := mustRead(t, "a.csv", table(c.fields...), c.o)
			if d.Encoding == nil {
				t.Fatal("no encoding")
			}
			if err := d.Encoding.Validate(); err != nil {
				t.Error(err)
			}
			if got := d.Encoding.Columns[0].String(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			width := d.Encoding.Columns[0].Width()
			if d.Encoding.Columns[0].Kind == dataset.Text { // pairs and triples have a test of their own
				width = len(d.Encoding.Columns[0].Words)
			}
			if !slices.Equal(d.Features[:width], c.names) || len(d.Features) != d.Points.Dim() {
				t.Errorf("features %q, want %q first", d.Features, c.names)
			}
			for i, row := range c.rows {
				if got := values(d.Points)[i][:width]; !slices.Equal(got, row) {
					t.Errorf("row %d: %v, want %v", i+1, got, row)
				}
			}
		})
	}
}

// A table of numbers has no encoding, whatever its columns are.
func TestPlainTableHasNoEncoding(t *testing.T) {
	d := mustRead(t, "a.csv", "x,one,label\n1,1,a\n2,1,\n", Options{})
	if d.Encoding != nil || !d.Kept.None() || !slices.Equal(d.Features, []string{"x", "one"}) {
		t.Errorf("%+v", d)
	}
}

func TestEncodingErrors(t *testing.T) {
	var distinct []string
	for i := range 51 {
		distinct = append(distinct, fmt.Sprintf("v%d", i), fmt.Sprintf("v%d", i))
	}
	var many []string
	for i := range 1001 {
		many = append(many, fmt.Sprint("v", i))
	}
	const asText = `; if the column holds the labels, give Options{Label: "x"}, else Options{Ignore: []string{"x"}}, Options{ID: []string{"x"}}, Options{Category: []string{"x"}} or Options{Text: []string{"x"}}`
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{table(distinct...), Options{Ignore: []string{"n"}}, `a.csv:2:1: column "x": too many different values for a category: 51 ("v0", …); a category has at most 50, and at most half as many as rows` + asText},
		{table("a", "b", "b"), Options{Ignore: []string{"n"}}, `a.csv:2:1: column "x": too many different values for a category: 2 ("a", …); a category has at most 50, and at most half as many as rows` + asText},
		{"x,n,\"a b\",\"c,d\",label\nu,1,r,y,\nv,2,s,y z,\n", Options{Ignore: []string{"n"}}, "a.csv: 3 columns cannot be taken as they are; Options{Ignore: []string{\"x\", \"a b\", \"c,d\"}} leaves them all out, or say for each what it is:\n" +
			"  \"x\": 2 different values (\"u\", …), too many for a category (Options{ID: []string{\"x\"}}, Options{Category: []string{\"x\"}}, Options{Text: []string{\"x\"}})\n" +
			"  \"a b\": 2 different values (\"r\", …), too many for a category (Options{ID: []string{\"a b\"}}, Options{Category: []string{\"a b\"}}, Options{Text: []string{\"a b\"}})\n" +
			"  \"c,d\": 2 different values (\"y\", …), too many for a category (Options{ID: []string{\"c,d\"}}, Options{Category: []string{\"c,d\"}}, Options{Text: []string{\"c,d\"}})"},
		{table(many...), Options{Category: []string{"x"}}, `a.csv: column "x" has more than 1000 different values, too many for a category; give Options.Ignore, Options.ID or Options.Text instead`},
		{table("1", "2", "3x", "4", "5x"), Options{Ignore: []string{"n"}}, `a.csv:4:1: column "x": "3x" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "x"}; if the column is a category, give Options{Category: []string{"x"}}`},
		{table("1,5", "2,5", "3"), Options{Ignore: []string{"n"}}, `a.csv:2:1: column "x": "1,5" has a decimal comma; write numbers with a decimal point, or give Options{Decimal: ","}`},
		{table("1", "1e999", "3"), Options{Ignore: []string{"n"}}, `a.csv:3:1: column "x": "1e999" is too large for a double; rescale the values`},
		{table("2024-01-01", "2024-02-30", "2024-03-01"), Options{Ignore: []string{"n"}}, `a.csv:3:1: column "x": "2024-02-30" is no date such as 2024-12-31, but most of the column are; correct it, or give Options{Category: []string{"x"}} or Options{Ignore: []string{"x"}}`},
		{table("5", "2024-02-03", "2024-03-01"), Options{Ignore: []string{"n"}}, `a.csv:3:1: column "x": most of the column are dates such as "2024-02-03", but there are numbers too; correct them, or give Options{Category: []string{"x"}} or Options{Ignore: []string{"x"}}`},
		{table("", ""), Options{Ignore: []string{"n"}}, `a.csv: every column is left out: "x" (it has no values), "n" (as asked); add rows or other columns`},
		{table("a", "b"), Options{Text: []string{"y"}}, `a.csv:1: no column is called "y"; choose for Options.Text among x, n, label`},
		{table("a", "b"), Options{ID: []string{"label"}}, `a.csv:1:3: Options.ID names the column of the labels; choose another with Options.Label, or leave it out of Options.ID`},
		{table("a", "b"), Options{ID: []string{"x"}, Text: []string{"1"}}, `a.csv:1:1: the column "x" is to be both text and id; ask for one`},
		{"1,2\n", Options{Ignore: []string{"x"}}, `a.csv:1: the columns have no names, so none is called "x"; give Options{Ignore: []string{"1"}} to Options{Ignore: []string{"2"}}, or if the first line is a header, Options{Header: "yes"}`},
		{"x,n,label\ncaf\x81,1,a\n", Options{}, `a.csv:2:1: column "x": "caf\x81" is not UTF-8; save the file as UTF-8`},
		{"caf\x81,n,label\n1,1,a\n2,2,a\n", Options{Ignore: []string{"1"}}, `a.csv: the name "caf\x81" is not UTF-8; save the file as UTF-8`},
		{",,label\n1,a,2\n2,,2\n", Options{}, `a.csv:1:1: the columns 1, 2 have no name, so a later table's could not be told apart; name them, or give Options{Ignore: []string{"1", "2"}}`},
	} {
		_, err := Read(strings.NewReader(c.text), "a.csv", c.o)
		checkError(t, err, c.want)
	}
	_, err := Read(strings.NewReader("1 1:1\n"), "a.svm", Options{Ignore: []string{"1"}})
	checkError(t, err, "a.svm: only csv, tsv, json, jsonl, parquet, arrow, xlsx, ods, sqlite and arff have columns with names, not format svm; leave out Options{Ignore: []string{\"1\"}}")
	_, err = Read(strings.NewReader("1 1:1\n"), "a.svm", Options{FurtherLabels: []string{"a", "b"}})
	checkError(t, err, "a.svm: only csv, tsv, json, jsonl, parquet, arrow, xlsx, ods, sqlite and arff have columns with names, not format svm; leave out Options{FurtherLabels: []string{\"a\", \"b\"}}")
}

const mixed = "\ufeffname,größe,צבע,member,born,label\r\n" +
	"\"Ann, \"\"A\"\"\",1.5,\"dark\r\nred\",yes,2000-01-01,a\r\n" +
	"Bob,,כחול,no,2000-01-03,b\r\n" +
	"\u202bדנה\u202c,2.5,\"dark\r\nred\",,,\r\n" +
	"Eve,8,כחול,YES,2000-01-02 06:00:00Z,\r\n"

// A byte-order mark, CRLF, quotes over lines and names from right to left.
func TestMixedTable(t *testing.T) {
	d := mustRead(t, "a.csv", mixed, Options{ID: []string{"name"}})
	if want := []string{"größe", "צבע=dark\r\nred", "צבע=כחול", "member", "born"}; !slices.Equal(d.Features, want) {
		t.Errorf("features %q, want %q", d.Features, want)
	}
	want := [][]float64{{1.5, 1, 0, 1, 10957}, {2.5, 0, 1, 0, 10959}, {2.5, 1, 0, 1, 10958.25}, {8, 0, 1, 1, 10958.25}}
	if got := values(d.Points); !reflect.DeepEqual(got, want) {
		t.Errorf("points %v, want %v", got, want)
	}
	if got := labels(d); !slices.Equal(got, []string{"a", "b", "", ""}) {
		t.Errorf("labels %q", got)
	}
	if want := [][]string{{`Ann, "A"`}, {"Bob"}, {"\u202bדנה\u202c"}, {"Eve"}}; !reflect.DeepEqual(d.Kept, dataset.Kept{Names: []string{"name"}, Rows: want}) {
		t.Errorf("kept %q", d.Kept)
	}
	s := d.Subset([]int{3, 0})
	if !reflect.DeepEqual(s.Kept.Rows, [][]string{{"Eve"}, {`Ann, "A"`}}) || s.Encoding != d.Encoding {
		t.Errorf("subset: %q", s.Kept)
	}
	own := mustRead(t, "a.csv", mixed, Options{ID: []string{"name"}})
	if _, err := dataset.Concat(d, own); err == nil || !strings.Contains(err.Error(), "encoding of the first") {
		t.Errorf("joined: %v", err)
	}
	same := mustRead(t, "a.csv", mixed, Options{Encoding: d.Encoding})
	if both, err := dataset.Concat(d, same); err != nil || both.Encoding != d.Encoding || !both.Kept.None() || both.Points.Len() != 8 {
		t.Errorf("joined: %v, %v", both, err)
	}
}

// An encoding finds its columns by name, in any order and with others beside
// them; what it has not seen it takes for nothing.
func TestApply(t *testing.T) {
	e := mustRead(t, "a.csv", mixed, Options{ID: []string{"name"}}).Encoding
	text := "other,born,member,צבע,größe\nx y z,1970-01-02T00:00:00-01:00,,green,\n,,false,,1e3\n,,,blue,\n,,,כחול,\n"
	d := mustRead(t, "b.csv", text, Options{Encoding: e})
	want := [][]float64{{2.5, 0, 0, 1, 1 + 1.0/24}, {1000, 0, 0, 0, 10958.25}, {2.5, 0, 0, 1, 10958.25}, {2.5, 0, 1, 1, 10958.25}}
	if got := values(d.Points); !reflect.DeepEqual(got, want) {
		t.Errorf("points %v, want %v", got, want)
	}
	if d.Encoding != e || !d.Kept.None() || len(d.Labelled()) != 0 {
		t.Errorf("%+v", d)
	}
	if want := []dataset.Unseen{{Column: "צבע", Rows: 2, Value: "green"}}; !slices.Equal(d.Unseen, want) {
		t.Errorf("unseen %v, want %v", d.Unseen, want)
	}
	if d := mustRead(t, "a.csv", mixed, Options{Encoding: e}); d.Unseen != nil {
		t.Errorf("unseen in the table itself: %v", d.Unseen)
	}
	words := mustRead(t, "a.csv", "x,n\na cat,1\ncat dog,2\na cat,3\ndog,4\na bird,5\n", Options{Text: []string{"x"}}).Encoding
	d = mustRead(t, "b.csv", "x,n\nthe dog,1\nmy horse,2\n!,3\n,4\na cow,5\n", Options{Encoding: words})
	if want := []dataset.Unseen{{Column: "x", Rows: 1, Value: "my horse"}}; !slices.Equal(d.Unseen, want) {
		t.Errorf("unseen words %v, want %v", d.Unseen, want)
	}
	d = mustRead(t, "b.csv", text, Options{Encoding: e, Keep: true})
	if want := (dataset.Kept{Names: []string{"other", "born", "member", "צבע", "größe"}, Rows: [][]string{{"x y z", "1970-01-02T00:00:00-01:00", "", "green", ""}, {"", "", "false", "", "1e3"}, {"", "", "", "blue", ""}, {"", "", "", "כחול", ""}}}); !reflect.DeepEqual(d.Kept, want) {
		t.Errorf("kept %q", d.Kept)
	}
	for _, c := range []struct{ text, want string }{
		{"name,born,größe\nx,,\n", `b.csv:1: these feature columns are missing: צבע, member; add them beside name, born, größe`},
		{"größe,צבע,member,born\nbig,,,\n", `b.csv:2:1: column "größe": "big" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "größe"}`},
		{"größe,צבע,member,born\n1,,maybe,\n", `b.csv:2:3: column "member": "maybe" is none of true, false, yes and no; correct or remove it`},
		{"größe,צבע,member,born\n1,,1,\n", `b.csv:2:3: column "member": "1" is none of true, false, yes and no; correct or remove it`},
		{"größe,צבע,member,born\n1,,,1.1.2000\n", `b.csv:2:4: column "born": "1.1.2000" is no date such as 2024-12-31 or 2024-12-31T23:59:00Z; correct or remove it`},
		{"größe,צבע,member,born\n1,\xff,,\n", `b.csv:2:2: column "צבע": "\xff" is not UTF-8; save the file as UTF-8`},
		{"größe,צבע,member,born\n\"1,5\",,,\n", `b.csv:2:1: column "größe": "1,5" has a decimal comma; write numbers with a decimal point, or give Options{Decimal: ","}`},
	} {
		_, err := Read(strings.NewReader(c.text), "b.csv", Options{Encoding: e})
		checkError(t, err, c.want)
	}
}

// Without a header columns are found by position, with or without a label.
func TestApplyByPosition(t *testing.T) {
	d := mustRead(t, "a.csv", "id1,1,b,r\nid2,,b,s\nid3,3,c,r\nid4,4,c,s\n", Options{Header: HeaderNo, Label: "3", ID: []string{"1"}})
	if want := []string{"x2", "x3=r", "x3=s"}; d.Encoding.Named || !slices.Equal(d.Features, want) {
		t.Errorf("features %q, want %q", d.Features, want)
	}
	for _, text := range []string{"i,7,s\n", "i,7,b,s\n"} {
		got := mustRead(t, "b.csv", text, Options{Encoding: d.Encoding, Header: HeaderNo, Label: "3"})
		if !reflect.DeepEqual(values(got.Points), [][]float64{{7, 0, 1}}) || got.Kept.Names[0] != "x1" || got.Kept.Rows[0][0] != "i" {
			t.Errorf("%q: %v, kept %q", text, values(got.Points), got.Kept)
		}
	}
	_, err := Read(strings.NewReader("1,2,3,4,5\n"), "b.csv", Options{Encoding: d.Encoding, Header: HeaderNo})
	checkError(t, err, "b.csv:1: there are 4 feature columns (labels in column 5), but 3 are expected; give a file with 3")
}

// TestGramsAgainstNaive computes the TF-IDF of pairs and triples of characters from its formulas,
// over maps, beside words that are as they are with the encoding of an older program.
func TestGramsAgainstNaive(t *testing.T) {
	parts := []string{"the", "Cat", "x", "42", "7", "日本語", "日本", "本", "हिन्दी", "naïve", "don't", "İs"}
	rng := rand.New(rand.NewPCG(9, 1))
	const n = 40
	texts := make([]string, n)
	var b strings.Builder
	b.WriteString("v,t,label\n")
	for i := range n {
		var words []string
		for range 1 + rng.IntN(7) {
			words = append(words, parts[rng.IntN(len(parts))])
		}
		texts[i] = strings.Join(words, " ")
		fmt.Fprintf(&b, "%d,%s,a\n", i%5, texts[i])
	}
	d := mustRead(t, "a.csv", b.String(), Options{Text: []string{"t"}})
	older := &dataset.Encoding{Named: d.Encoding.Named, Columns: slices.Clone(d.Encoding.Columns)}
	for k := range older.Columns {
		older.Columns[k].Grams, older.Columns[k].GramIDF = nil, nil
	}
	plain := mustRead(t, "a.csv", b.String(), Options{Encoding: older})
	if plain.Encoding.Version() != 1 || d.Encoding.Version() != 4 {
		t.Errorf("versions %d and %d", plain.Encoding.Version(), d.Encoding.Version())
	}
	tf := make([]map[string]float64, n)
	df := map[string]float64{}
	for i, text := range texts {
		tf[i] = map[string]float64{}
		for _, gram := range naiveGrams(text) {
			tf[i][gram]++
		}
		for gram := range tf[i] {
			df[gram]++
		}
	}
	var vocabulary []string
	for gram, k := range df {
		if k >= 2 && k <= 0.8*n {
			vocabulary = append(vocabulary, gram)
		}
	}
	slices.Sort(vocabulary)
	words := plain.Points.Dim()
	if d.Points.Dim() != words+len(vocabulary) || !slices.Equal(d.Features[:words], plain.Features) {
		t.Fatalf("features %q", d.Features)
	}
	if groups := d.Encoding.Texts(); !slices.Equal(groups, [][2]int{{1, words}, {words, words + len(vocabulary)}}) {
		t.Errorf("groups %d", groups)
	}
	if groups := plain.Encoding.Texts(); !slices.Equal(groups, [][2]int{{1, words}}) {
		t.Errorf("groups without pairs and triples %d", groups)
	}
	without := values(plain.Points)
	for i, row := range values(d.Points) {
		if !slices.Equal(row[:words], without[i]) {
			t.Errorf("row %d has other words", i+1)
		}
		var want []float64
		length := 0.0
		for k, gram := range vocabulary {
			if name := "t:'" + gram + "'"; d.Features[words+k] != name {
				t.Fatalf("feature %q in place of %q", d.Features[words+k], name)
			}
			v := 0.0
			if tf[i][gram] > 0 {
				v = (1 + math.Log(tf[i][gram])) * (math.Log((1.0+n)/(1.0+df[gram])) + 1)
			}
			want = append(want, v)
			length += v * v
		}
		for k := range want {
			if v := want[k] / max(math.Sqrt(length), 1e-300); math.Abs(row[words+k]-v) > 1e-14 {
				t.Fatalf("row %d, %s: %v, want %v", i+1, d.Features[words+k], row[words+k], v)
			}
		}
	}
	again := mustRead(t, "b.csv", "v,t\n1,cta zzz\n1,qqq\n1,\n", Options{Encoding: d.Encoding})
	if x := again.Points; x.Squares()[0] < 1 || len(again.Unseen) != 1 || again.Unseen[0].Value != "qqq" {
		t.Errorf("a misspelt word has length² %g; unseen %v", x.Squares()[0], again.Unseen)
	}
}

// A text of words that no two rows share is no text, unless they share pairs of characters.
func TestGramsAlone(t *testing.T) {
	const text = "t,label\n日本語,a\n本語学,b\n山,a\n川山,b\n"
	d := mustRead(t, "a.csv", text, Options{Text: []string{"t"}})
	if !slices.Contains(d.Features, "t:'本語'") || d.Encoding.Texts()[0] != [2]int{0, len(d.Features)} {
		t.Errorf("features %q", d.Features)
	}
}

// naiveGrams splits a text into pairs and triples of characters by the rule as it is stated.
func naiveGrams(text string) []string {
	var grams []string
	for _, run := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.Nd, unicode.M)
	}) {
		characters := []rune(" " + run + " ")
		for size := 2; size <= 3; size++ {
			for k := range len(characters) - size + 1 {
				grams = append(grams, string(characters[k:k+size]))
			}
		}
	}
	return grams
}

// A table that is cut anywhere is read as the rows that are there, or refused;
// rows before the cut keep their features.
func TestApplyTruncated(t *testing.T) {
	whole := mustRead(t, "a.csv", mixed, Options{ID: []string{"name"}})
	for cut := range len(mixed) {
		d, err := Read(strings.NewReader(mixed[:cut]), "a.csv", Options{Encoding: whole.Encoding})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a.csv") {
				t.Errorf("cut at %d: %v", cut, err)
			}
			continue
		}
		if n := d.Points.Len() - 1; !reflect.DeepEqual(values(d.Points)[:n], values(whole.Points)[:n]) {
			t.Errorf("cut at %d: %v", cut, values(d.Points))
		}
	}
}

// naiveWords splits a text by the rule as it is stated.
func naiveWords(text string) []string {
	var words []string
	for _, run := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.Nd, unicode.M)
	}) {
		if len([]rune(run)) >= 2 {
			words = append(words, run)
		}
	}
	return words
}

// TestTextAgainstNaive computes TF-IDF from its formulas, over maps, beside a
// number and a date scaled by their range.
func TestTextAgainstNaive(t *testing.T) {
	parts := []string{"the", "Cat", "dog's", "ÉCOLE", "e\u0301cole", "हिन्दी", "שָׁלוֹם", "x", "42", "7", "naïve", "日本語", "a-b", "don't", "İstanbul", "rare", "common"}
	rng := rand.New(rand.NewPCG(7, 1))
	const n = 60
	texts, numbers, days := make([]string, n), make([]float64, n), make([]float64, n)
	var b strings.Builder
	b.WriteString("t,v,day,label\n")
	for i := range n {
		words := []string{"everywhere"} // in all rows: too frequent
		for range rng.IntN(12) {
			words = append(words, parts[rng.IntN(len(parts))])
		}
		texts[i] = strings.Join(words, []string{" ", ", ", "\n"}[rng.IntN(3)])
		if i == 5 {
			texts[i] = "" // missing
		}
		numbers[i], days[i] = math.Round(1000*rng.NormFloat64()), float64(rng.IntN(1000))
		fmt.Fprintf(&b, "\"%s\",%v,%s,a\n", texts[i], numbers[i], time.Unix(int64(days[i])*86400, 0).UTC().Format("2006-01-02"))
	}
	d := mustRead(t, "a.csv", b.String(), Options{Text: []string{"t"}})
	if !d.Points.Sparse() {
		t.Error("points with text are not sparse")
	}

	df := map[string]int{}
	for _, text := range texts {
		words := naiveWords(text)
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			df[w]++
		}
	}
	var vocabulary []string
	for w, k := range df {
		if k >= 2 && float64(k) <= 0.8*n {
			vocabulary = append(vocabulary, w)
		}
	}
	slices.Sort(vocabulary)
	if len(vocabulary) < 12 || slices.Contains(vocabulary, "everywhere") {
		t.Fatalf("vocabulary %q", vocabulary)
	}
	for k, w := range vocabulary {
		if d.Features[k] != "t:"+w {
			t.Fatalf("feature %d is %q, want %q", k, d.Features[k], "t:"+w)
		}
	}
	ranged := func(x float64, all []float64) float64 {
		return (x - slices.Min(all)) / (slices.Max(all) - slices.Min(all))
	}
	for i, row := range values(d.Points) {
		tf := map[string]float64{}
		for _, w := range naiveWords(texts[i]) {
			tf[w]++
		}
		var want []float64
		length := 0.0
		for _, w := range vocabulary {
			v := 0.0
			if tf[w] > 0 {
				v = (1 + math.Log(tf[w])) * (math.Log((1.0+n)/(1.0+float64(df[w]))) + 1)
			}
			want = append(want, v)
			length += v * v
		}
		for k := range want {
			if length > 0 {
				want[k] /= math.Sqrt(length)
			}
		}
		want = append(want, ranged(numbers[i], numbers), ranged(days[i], days))
		for k := range want {
			at := k
			if k >= len(vocabulary) { // behind pairs and triples
				at += len(row) - len(want)
			}
			if !(math.Abs(row[at]-want[k]) <= 1e-14) {
				t.Fatalf("row %d, %s: %v, want %v", i+1, d.Features[at], row[at], want[k])
			}
		}
	}
}
