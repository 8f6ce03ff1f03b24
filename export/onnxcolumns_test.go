package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/export"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// feed is an input of a graph, row after row.
type feed struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Shape  []int  `json:"shape"`
	Values []any  `json:"values"` // nil for NaN
}

// feeds gives each input of a graph its column of a CSV table by name. Inputs of numbers get NaN where there is none, and
// others get the text of the fields.
func (m model) feeds(t *testing.T, table string) []feed {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(table, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	if err := json.Unmarshal([]byte(m.metadata["columns"]), &columns); err != nil || len(columns) != len(m.inputs) {
		t.Fatalf("columns %q of inputs %q, error %v", m.metadata["columns"], m.inputs, err)
	}
	var all []feed
	for k, name := range m.inputs {
		var element, width int
		if _, err := fmt.Sscanf(m.declared[name], "%d[N %d]", &element, &width); err != nil {
			t.Fatalf("%q is declared %s", name, m.declared[name])
		}
		column := slices.Index(rows[0], columns[k])
		if column < 0 {
			t.Fatalf("the table has no column %q", columns[k])
		}
		f := feed{Name: name, Type: map[int]string{singles: "float32", doubles: "float64", texts: "string"}[element], Shape: []int{len(rows) - 1, width}}
		for _, row := range rows[1:] {
			field := row[column]
			switch parts := strings.Fields(strings.Trim(field, "[]")); {
			case element == texts:
				f.Values = append(f.Values, field)
			case field == "" || field == "?":
				f.Values = append(f.Values, make([]any, width)...)
			default:
				for _, part := range parts {
					v, err := strconv.ParseFloat(strings.NewReplacer("$", "", ",", "").Replace(part), 64) // an amount is a number
					if err != nil {
						t.Fatal(err)
					}
					f.Values = append(f.Values, v)
				}
			}
		}
		all = append(all, f)
	}
	return all
}

// tensors are inputs for the evaluator of the tests.
func tensors(all []feed) map[string]tensor {
	inputs := make(map[string]tensor)
	for _, f := range all {
		x := tensor{element: map[string]int64{"float32": singles, "float64": doubles, "string": texts}[f.Type], shape: f.Shape}
		for _, value := range f.Values {
			switch v := value.(type) {
			case string:
				x.texts = append(x.texts, v)
			case float64:
				x.numbers = append(x.numbers, v)
			case nil:
				x.numbers = append(x.numbers, math.NaN())
			}
		}
		inputs[f.Name] = x
	}
	return inputs
}

// every is a table with a column of every kind, with odd names, a byte order mark and CRLF. Its numbers are exact in float32.
// A later one has more gaps, and values that were never seen.
func every(n int, seed uint64, later bool, answers [3]string) string {
	rng := rand.New(rand.NewPCG(seed, 11))
	var b strings.Builder
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	_ = w.Write([]string{"note", "scores", "kernel", "", `höhe, "m"`, "label", "label_column", "graph_encoded", "flag", "sure", "färbe", "doors", "band", "zip", "price", "vec", "lat", "lon", "empty", "constant", "class"})
	gap := 0.1
	if later {
		gap = 0.3
	}
	for i := range n {
		class := rng.IntN(3)
		number := func(at float64) string {
			if rng.Float64() < gap {
				return []string{"", "?"}[rng.IntN(2)]
			}
			return fmt.Sprint(at + math.Round(8*rng.NormFloat64())/8)
		}
		word := func(words ...string) string {
			switch {
			case rng.Float64() < gap:
				return []string{"", "?", "NA", "null"}[rng.IntN(4)]
			case rng.Float64() < 0.3:
				return words[class%len(words)]
			}
			return words[rng.IntN(len(words))]
		}
		colours, doors, zips := []string{"rot", "grün, hell", "青い", `"`}, []string{"2", "3", "5more"}, []string{"01532", "1099", "20095"}
		bands, flags, truths := []string{"1.50", "2.25", "high"}, []string{"yes", "no"}, []string{"TRUE", "False"}
		if later {
			colours, doors, zips = append(colours, "Rot", "blau", "rot!"), append(doors, "2.0", "4", "five"), append(zips, "1532", "1532.0", "4711")
			bands, flags, truths = append(bands, "1.5", "1.500000", "2.26", "low"), append(flags, "Yes", "NO", "true", "none"), append(truths, "true", "yes", "no")
		}
		vec := fmt.Sprintf("[%s %s]", fmt.Sprint(float64(class)+math.Round(8*rng.NormFloat64())/8), fmt.Sprint(math.Round(8*rng.NormFloat64())/8))
		if rng.Float64() < gap {
			vec = ""
		}
		price := number(1000 * float64(class))
		if v, err := strconv.ParseFloat(price, 64); err == nil && (!later || rng.IntN(2) == 0) { // later some are plain numbers
			price = strings.Replace(fmt.Sprintf("$%.3f", v), "$-", "-$", 1)
			if v >= 1000 {
				price = price[:2] + "," + price[2:]
			}
		}
		degrees := func(at, spread float64) string {
			if rng.Float64() < gap {
				return ""
			}
			return fmt.Sprint(at + spread*math.Round(4*(rng.Float64()-0.5))/4)
		}
		label := ""
		if i < 60 {
			label = answers[class]
		}
		note := []string{"calm sea", "fair wind", "sea and wind", "calm night"}[rng.IntN(4)] + " at port " + strconv.Itoa(rng.IntN(5))
		_ = w.Write([]string{note, number(float64(class)), number(0), number(1000 * float64(class)), number(-0.5), number(float64(2 * class)), number(3), number(512), word(flags...), word(truths...),
			word(colours...), word(doors...), word(bands...), word(zips...), price, vec, degrees(40*float64(class)-60, 60), degrees(0, 360), "", "7", label})
	}
	w.Flush()
	return b.String()
}

// tableModels are models of a table of every kind of column, by what its labels are: two classes, three, one, several at
// once, and numbers.
func tableModels(t *testing.T) map[string]*lapsvm.Model {
	t.Helper()
	all := make(map[string]*lapsvm.Model)
	for name, c := range map[string]struct {
		o       files.Options
		kernel  kernel.Kernel
		answers [3]string
		text    bool
	}{
		"two":     {files.Options{}, kernel.Gaussian{Sigma: 3}, [3]string{"no", "yes", "yes"}, false},
		"three":   {files.Options{}, kernel.Laplacian{Sigma: 8}, [3]string{"0", "1", "2"}, false},
		"one":     {files.Options{}, kernel.Gaussian{Sigma: 3}, [3]string{"in", "", ""}, false},
		"several": {files.Options{Several: ";"}, kernel.Gaussian{Sigma: 3}, [3]string{"a", "a;b", "b;c"}, false},
		"numbers": {files.Options{Numbers: true}, kernel.Linear{}, [3]string{"0.5", "1.5", "2.5"}, false},
		"text":    {files.Options{}, kernel.Gaussian{Sigma: 1}, [3]string{"0", "1", "2"}, true},
	} {
		c.o.Label, c.o.Category, c.o.Coordinates = "class", []string{"zip"}, []string{"lat", "lon"}
		describe, text, left := lapsvm.Descriptions("none"), "", 1
		if c.o.Ignore = []string{"note"}; c.text { // which counts for nothing
			c.o.Ignore, c.o.Text, describe, text, left = nil, c.o.Ignore, "numbers,vectors", "text:1 ", 0
		}
		training, err := files.Read(strings.NewReader(every(150, 1, false, c.answers)), "every.csv", c.o)
		if err != nil {
			t.Fatal(err)
		}
		kinds := make(map[dataset.Kind]int)
		for _, column := range training.Encoding.Columns {
			kinds[column.Kind]++
		}
		if fmt.Sprint(kinds) != fmt.Sprintf("map[amount:1 boolean:2 category:4 dropped:%d latitude:1 longitude:1 number:7 %svector:1]", 2+left, text) {
			t.Fatalf("%v", kinds)
		}
		recipe := lapsvm.Recipe{Kernel: c.kernel, GammaA: 1e-3, GammaI: 0.1, Graph: graph.Options{Neighbours: 6, Degree: 1}, Standardise: points.Columns, Precision: gram.Double, Describe: describe, Kind: map[string]lapsvm.Kind{"one": lapsvm.OneClass(), "numbers": lapsvm.Numbers(), "several": lapsvm.Several(";")}[name]}
		if all[name], err = (lapsvm.Trainer{Recipe: recipe}).Fit(t.Context(), training); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m := all[name]; m.Regression() != (name == "numbers") || m.MultiLabel() != (name == "several") || m.OneClass() != (name == "one") {
			t.Fatalf("%s: %d machines for %q", name, m.Machines(), m.Classes())
		}
	}
	return all
}

// answers are what a model says of a table.
func answers(t *testing.T, m *lapsvm.Model, table string) (r results) {
	t.Helper()
	d, err := files.Read(strings.NewReader(table), "later.csv", files.Options{Encoding: m.Encoding(), Label: m.Label(), MayLackLabels: true})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	for i := range scores {
		r.Scores = append(r.Scores, scores[i][len(scores[i])-m.Machines():]...)
	}
	switch {
	case m.Regression():
	case m.MultiLabel():
		for _, classes := range m.Predictor().Has(scores) {
			for k := range m.Classes() {
				r.Labels = append(r.Labels, map[bool]float64{true: 1}[slices.Contains(classes, k)])
			}
		}
	case m.OneClass():
		for _, f := range r.Scores {
			r.Label = append(r.Label, map[bool]string{true: m.Classes()[0]}[f > 0])
		}
	default:
		for _, class := range m.Decide(scores) {
			r.Label = append(r.Label, m.Classes()[class])
		}
	}
	return r
}

// same compares what another tool makes of a table with what a model says of it.
func (r results) same(t *testing.T, name string, want results, tolerance float64) {
	t.Helper()
	if !slices.Equal(r.Label, want.Label) || !slices.Equal(r.Labels, want.Labels) || len(r.Scores) != len(want.Scores) {
		t.Errorf("%s: labels %v %v, want %v %v", name, r.Label, r.Labels, want.Label, want.Labels)
		return
	}
	largest, size := 0.0, 0.0
	for k, v := range want.Scores {
		largest, size = max(largest, math.Abs(v-r.Scores[k])), max(size, math.Abs(v))
	}
	if t.Logf("%s: largest difference %.2g of %.2g", name, largest, size); !(largest <= tolerance*size) {
		t.Errorf("%s: decision values differ by %.2g", name, largest)
	}
}

// Graphs take the columns of a table by their names, and answer as the program does: of the rows trained on and of later
// ones, by the rules of the operators and in onnxruntime.
func TestONNXColumns(t *testing.T) {
	var jobs []job
	var names []string
	var wanted []results
	var within []float64
	tolerances := map[gram.Precision]float64{gram.Single: 1e-6, gram.Double: 1e-12}
	for name, m := range tableModels(t) {
		c, err := m.Contents()
		if err != nil {
			t.Fatal(err)
		}
		if r, err := export.ONNX(t.Context(), io.Discard, c, 0); err != nil || r != (export.Rounding{Precision: gram.Double}) {
			t.Errorf("%s, with places: %+v, error %v", name, r, err)
		}
		for precision, tolerance := range tolerances {
			if c.Description != nil { // whose numbers are float32 in the program
				tolerance = tolerances[gram.Single]
			}
			file := onnx(t, name, c, precision)
			g := decode(t, file)
			if want := []string{"scores_column", "kernel", "x4", `höhe, "m"`, "label_column_column", "label_column", "graph_encoded", "flag", "sure", "färbe", "doors", "band", "zip", "price", "vec", "lat", "lon"}; !slices.Equal(g.inputs, want) {
				t.Fatalf("inputs %q", g.inputs)
			}
			if g.operators["ai.onnx.ml"] != 2 || g.metadata["features"] != "" || !strings.HasPrefix(g.declared["flag"], "8[N 1]") || !strings.HasSuffix(g.declared["vec"], "[N 2]") {
				t.Errorf("operators %v, metadata %v, declared %v", g.operators, g.metadata, g.declared)
			}
			for _, table := range []string{every(150, 1, false, [3]string{}), every(400, 2, true, [3]string{})} {
				want, feeds := answers(t, m, table), g.feeds(t, table)
				g.runOn(t, tensors(feeds)).same(t, name, want, tolerance)
				jobs, names, wanted = append(jobs, job{Model: saved(t, "m.onnx", file), Bits: int(precision), Inputs: feeds}), append(names, name), append(wanted, want)
				within = append(within, tolerance)
			}
		}
	}
	needRuntime(t)
	for k, got := range runtime(t, jobs) {
		got.same(t, names[k]+" in onnxruntime", wanted[k], within[k])
	}
}

// A model of encoded points takes what lapsvm encode writes: of a table, of pictures and of texts. So does LIBSVM's text of it.
func TestEncoded(t *testing.T) {
	later := every(100, 3, true, [3]string{})
	for name, m := range tableModels(t) {
		c, err := m.Contents()
		if err != nil {
			t.Fatal(err)
		}
		d, err := files.Read(strings.NewReader(later), "later.csv", files.Options{Encoding: m.Encoding(), Label: m.Label(), MayLackLabels: true})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predictor().PointsOf(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		g := decode(t, onnx(t, name, encoded(t, c), gram.Double))
		g.run(t, p).same(t, name, answers(t, m, later), 1e-12)
		if !slices.Equal(g.inputs, []string{"points"}) || c.Description == nil && !strings.HasPrefix(g.metadata["features"], `["scores","kernel"`) || c.Encoding == nil || c.Scaling.Kind != points.Columns {
			t.Errorf("%s: inputs %q, %v", name, g.inputs, g.metadata)
		}
	}
	for name, m := range describedModels(t) {
		by := train.NewPredictor(m.Description, m.Scaling, gram.Expansion{Kernel: m.Kernel, Basis: m.Basis, Coefficients: m.Coefficients, Bias: m.Bias}, gram.Double, task.OutputCodingOf(m.Kind, len(m.Classes)), train.Uncertainty{})
		p, err := by.PointsOf(t.Context(), &dataset.Dataset{Points: m.points})
		if err != nil {
			t.Fatal(err)
		}
		m.check(t, name, decode(t, onnx(t, name, encoded(t, m.Contents), gram.Double)).run(t, p))
		if _, err := export.LIBSVM(io.Discard, encoded(t, m.Contents)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// maker makes vectors of texts.
type maker struct{}

func (maker) Source() dataset.EmbeddedBy {
	return dataset.EmbeddedBy{Kind: "command", Name: "awk -f v.awk"}
}

func (maker) Embed(inputs []string, _ bool) (all [][]float32, err error) {
	for _, text := range inputs {
		all = append(all, []float32{float32(len(text)), 1})
	}
	return all, nil
}

// Columns that no graph can read are refused by their names, with the reason and what can be done.
func TestONNXColumnsRefused(t *testing.T) {
	var table strings.Builder
	table.WriteString("note,day,size,label,share,at,tags\n")
	for i := range 40 {
		fmt.Fprintf(&table, "%s pets at home %d,2024-03-%02d,%d,%s,%d%%,%02d:30,\"[\"\"w%d\"\"]\"\n", []string{"some", "large"}[i%2], i%4, 1+i%28, i, []string{"a", "b", ""}[i%3], i, i%24, i%3)
	}
	for _, c := range []struct {
		o    files.Options
		want []string
	}{
		{files.Options{Ignore: []string{"note"}}, []string{`"day" (dates are read from text)`}},
		{files.Options{Text: []string{"note"}}, []string{`"note" (texts are cut into words), "day" (dates are read from text)`}},
		{files.Options{Text: []string{"note"}, Ignore: []string{"day"}, Embedder: maker{}}, []string{`"note" (texts are cut into words), `, `, "note embedded" (vectors of "note" are made by the command awk -f v.awk)`}},
	} {
		c.o.Label = "label"
		d, err := files.Read(strings.NewReader(table.String()), "notes.csv", c.o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Linear{}, GammaA: 0.1, Supervised: true, Describe: "none"}}.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		contents, err := m.Contents()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		_, err = export.ONNX(t.Context(), &b, contents, 0)
		for _, want := range append(c.want, `"share" (percents are read from text), "at" (times are read from text), "tags" (tags are read from text)`, "export.Encoded", "lapsvm encode MODEL DATA OUT") {
			if err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
				t.Errorf("error %v, want %s, %d bytes", err, want, b.Len())
			}
		}
		if _, err := export.ONNX(t.Context(), &b, encoded(t, contents), 0); err != nil {
			t.Error(err)
		}
	}
}
