package server

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/task"
)

// sines returns a model of numbers of a table with a column of words, and the table.
func sines(t *testing.T, calibrate bool) (*lapsvm.Model, string) {
	var b strings.Builder
	b.WriteString("x,side,label\n")
	for i := range 60 {
		x := float64(i) / 10
		fmt.Fprintf(&b, "%g,%s,", x, []string{"left", "right"}[i%2])
		if i%3 == 0 {
			fmt.Fprintf(&b, "%g", 100+10*math.Sin(x))
		}
		b.WriteByte('\n')
	}
	d, err := files.Read(strings.NewReader(b.String()), "sines.csv", files.Options{Format: files.CSV, Label: "label", Numbers: true})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Numbers(), RulesOfThumb: true, Calibrate: calibrate}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return m, b.String()
}

// A model of numbers answers with numbers by every address: those of the library, with their intervals.
func TestNumbers(t *testing.T) {
	m, table := sines(t, true)
	folder := t.TempDir()
	if err := m.Save(filepath.Join(folder, "sines.lapsvm")); err != nil {
		t.Fatal(err)
	}
	plain, _ := sines(t, false)
	if err := plain.Save(filepath.Join(folder, "plain.lapsvm")); err != nil {
		t.Fatal(err)
	}
	rows, err := m.Rows(map[string]any{"x": 0.75, "side": "left"}, map[string]any{"x": 3.1, "side": "right"})
	if err != nil {
		t.Fatal(err)
	}
	want, low, high, err := m.Intervals(t.Context(), rows.Points, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	_, low9, high9, err := m.Intervals(t.Context(), rows.Points, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, folder, nil)
	w := witnessOf(t, s)
	do := func(method, path, body string) string {
		t.Helper()
		return w.do(s, method, path, body, "Content-Type", "application/json")
	}
	equal := func(what string, got, want []float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %v in place of %v", what, got, want)
		}
		for i := range got {
			if !(math.Abs(got[i]-want[i]) <= 1e-9*100) {
				t.Errorf("%s: %v in place of %v", what, got, want)
			}
		}
	}
	const two = `[{"x":0.75,"side":"left"},{"x":3.1,"side":"right"}]`
	var said struct {
		Values, Low, High []float64
		Labels, Classes   []string
		Explanations      []struct {
			Decision float64
			Usual    float64 `json:"usual_decision"`
			Sentence string
			Columns  []struct{ Effect float64 }
		}
	}
	if err := json.Unmarshal([]byte(do("POST", "/v2/models/sines/predict?interval=0.8&explain=1", two)), &said); err != nil {
		t.Fatal(err)
	}
	equal("value", said.Values, want)
	equal("low", said.Low, low)
	equal("high", said.High, high)
	if said.Labels != nil || said.Classes != nil || len(said.Explanations) != 1 || len(said.Explanations[0].Columns) == 0 || !strings.Contains(said.Explanations[0].Sentence, "usual") {
		t.Errorf("the answer has more or less than numbers: %+v", said)
	}
	sum := said.Explanations[0].Usual
	for _, c := range said.Explanations[0].Columns {
		sum += c.Effect
	}
	if x := said.Explanations[0].Decision; !(math.Abs(sum-x) <= 1e-9*x) || !(math.Abs(x-want[0]) <= 1e-5*want[0]) { // in double precision
		t.Errorf("explained: %v in place of %v", x, want[0])
	}
	if _, text := s.do("POST", "/v2/models/sines/predict?interval=0.8", two, "Content-Type", "application/json", "Accept", "text/csv"); !strings.HasPrefix(text, "value,low,high\n") {
		t.Errorf("as CSV: %s", text)
	}
	const tensors = `"inputs":[{"name":"x","shape":[2],"datatype":"FP64","data":[0.75,3.1]},{"name":"side","shape":[2],"datatype":"BYTES","data":["left","right"]}]}`
	var inferred struct {
		Outputs []struct {
			Name string
			Data []float64
		}
	}
	if err := json.Unmarshal([]byte(do("POST", "/v2/models/sines/infer", "{"+tensors)), &inferred); err != nil {
		t.Fatal(err)
	}
	for k, want := range [][]float64{want, low9, high9} {
		if k >= len(inferred.Outputs) || inferred.Outputs[k].Name != []string{"value", "low", "high"}[k] {
			t.Fatalf("outputs %+v", inferred.Outputs)
		}
		equal(inferred.Outputs[k].Name, inferred.Outputs[k].Data, want)
	}
	answer, text := s.do("POST", "/v2/models/sines/infer", `{"parameters":{"interval":0.8,"binary_data_output":true},"outputs":[{"name":"high"}],`+tensors, "Content-Type", "application/json")
	var head int
	if _, err := fmt.Sscan(answer.Header.Get(headerLength), &head); err != nil || len(text) != head+16 {
		t.Fatalf("%v: %s", err, text)
	}
	equal("binary", []float64{math.Float64frombits(binary.LittleEndian.Uint64([]byte(text[head:]))), math.Float64frombits(binary.LittleEndian.Uint64([]byte(text[head+8:])))}, high)
	var first struct{ Predictions []float64 }
	if err := json.Unmarshal([]byte(do("POST", "/v1/models/sines:predict", `{"instances":`+two+`}`)), &first); err != nil {
		t.Fatal(err)
	}
	equal("version 1", first.Predictions, want)
	for name, outputs := range map[string]int{"sines": 3, "plain": 1} {
		var described struct {
			Outputs    []struct{ Name string }
			Parameters struct{ Classes []string }
		}
		if err := json.Unmarshal([]byte(do("GET", "/v2/models/"+name, "")), &described); err != nil || len(described.Outputs) != outputs || described.Parameters.Classes == nil {
			t.Errorf("%s is described as %+v: %v", name, described, err)
		}
	}
	do("POST", "/v2/models/plain/infer", "{"+tensors)
	for request, wrong := range map[string]string{
		"sines/predict?interval=0.99":                 "takes more than the 20 labels",
		"sines/predict?interval=2":                    "between 0 and 1",
		"sines/predict?interval=0":                    "give a probability",
		"sines/predict?interval=much":                 "give a probability",
		"sines/predict?proba=true":                    "predicts numbers",
		"plain/predict?interval=0.9":                  "keeps nothing for intervals",
		`plain/infer "parameters":{"interval":0.5},`:  "keeps nothing for intervals",
		`plain/infer "outputs":[{"name":"low"}],`:     "keeps nothing for intervals",
		`sines/infer "outputs":[{"name":"label"}],`:   "ask for value, low or high",
		`sines/infer "parameters":{"interval":0.99},`: "takes more than the 20 labels",
		`sines/infer "parameters":{"interval":"a"},`:  "string for a number",
	} {
		path, parameters, isInfer := strings.Cut(request, " ")
		body := two
		if isInfer {
			body = "{" + parameters + tensors
		}
		if text := do("POST", "/v2/models/"+path, body); !strings.Contains(text, wrong) {
			t.Errorf("%s: %s in place of %q", request, text, wrong)
		}
	}
	if _, text := s.do("GET", "/metrics", ""); !strings.Contains(text, `lapsvm_rows_total{model="sines"`) || strings.Contains(text, `lapsvm_predictions_total{`) {
		t.Errorf("metrics of numbers: %s", text)
	}
	if answer, text := s.do("POST", "/v2/models/sines/predict?interval=0.8", table, "Content-Type", "text/csv"); answer.StatusCode != 200 {
		t.Errorf("the whole table: %s", text)
	}
}

// A model of classes refuses intervals.
func TestIntervalsOfClasses(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	for path, body := range map[string]string{
		"/v2/models/moons/predict?interval=0.9": "[[1,2]]",
		"/v2/models/moons/infer":                strings.Replace(oneMoon, `"id":"7"`, `"parameters":{"interval":0.9}`, 1),
	} {
		if answer, text := s.do("POST", path, body, "Content-Type", "application/json"); answer.StatusCode != 400 || !strings.Contains(text, "predicts classes") {
			t.Errorf("%s: %s", path, text)
		}
	}
}
