package server

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/answer"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/task"
)

// topics returns a model of rows with two classes at once, each by a column of its own.
func topics(t *testing.T, calibrate bool) *lapsvm.Model {
	var b strings.Builder
	b.WriteString("x,y,label\n")
	for i := range 60 {
		sport, politics := i%2, i/2%2
		label := ""
		if i < 40 {
			label = []string{"|", "sport", "politics", "politics|sport"}[sport+2*politics]
		}
		fmt.Fprintf(&b, "%g,%g,%s\n", 2*float64(sport)+float64(i%7)/10, 2*float64(politics)+float64(i%5)/10, label)
	}
	d, err := files.Read(strings.NewReader(b.String()), "posts.csv", files.Options{Format: files.CSV, Label: "label", Several: "|"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Several("|"), RulesOfThumb: true, Calibrate: calibrate}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A model of several classes at once answers with all classes of a row, by every address: those of the library, with their probabilities.
func TestSeveral(t *testing.T) {
	m := topics(t, true)
	folder := t.TempDir()
	for name, m := range map[string]*lapsvm.Model{"posts": m, "plain": topics(t, false)} {
		if err := m.Save(filepath.Join(folder, name+".lapsvm")); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := m.Rows(map[string]any{"x": 2.2, "y": 2.2}, map[string]any{"x": 0.1, "y": 0.2}, map[string]any{"x": 0.1, "y": 2.3})
	if err != nil {
		t.Fatal(err)
	}
	classes, err := m.PredictSeveral(t.Context(), rows.Points)
	if err != nil {
		t.Fatal(err)
	}
	proba, err := m.Probabilities(t.Context(), rows.Points)
	if err != nil {
		t.Fatal(err)
	}
	want, shown, indicator := [][]string{}, []string{}, []int64{}
	for _, row := range classes {
		names := []string{}
		for c, name := range m.Classes() {
			if is := slices.Contains(row, c); is {
				names, indicator = append(names, name), append(indicator, 1)
			} else {
				indicator = append(indicator, 0)
			}
		}
		want, shown = append(want, names), append(shown, dataset.JoinSeveral(names, nil, "|"))
	}
	if fmt.Sprint(want) != "[[politics sport] [] [politics]]" {
		t.Fatalf("the library says %v", want)
	}
	s := serve(t, folder, nil)
	w := witnessOf(t, s)
	do := func(method, path, body string) string {
		t.Helper()
		return w.do(s, method, path, body, "Content-Type", "application/json")
	}
	const three = `[{"x":2.2,"y":2.2},{"x":0.1,"y":0.2},{"x":0.1,"y":2.3}]`
	var said struct {
		Classes, Labels []string
		Sets            [][]string `json:"label_sets"`
		Proba           [][]float64
	}
	if err := json.Unmarshal([]byte(do("POST", "/v2/models/posts/predict?proba=true", three)), &said); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(said.Sets) != fmt.Sprint(want) || said.Labels != nil || fmt.Sprint(said.Proba) != fmt.Sprint(proba) || !slices.Equal(said.Classes, m.Classes()) {
		t.Errorf("the answer to rows is %+v, not %v with %v", said, want, proba)
	}
	if _, text := s.do("POST", "/v2/models/posts/predict", three, "Content-Type", "application/json", "Accept", "text/csv"); text != "label\n"+strings.Join(shown, "\n")+"\n" {
		t.Errorf("as CSV: %s", text)
	}
	var more struct {
		Sets, Sure   [][]string
		Explanations []struct {
			Row          int
			Class, Label string
			Decision     float64
			Limit        float64
			Sentence     string
		}
	}
	if err := json.Unmarshal([]byte(do("POST", "/v2/models/posts/predict?set=0.9&explain=2", three)), &more); err != nil {
		t.Fatal(err)
	}
	may, sure, err := m.SetsSeveral(t.Context(), rows.Points, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	for i := range may {
		if names := (answer.Predictions{Classes: m.Classes()}).Names; fmt.Sprint(more.Sets[i]) != fmt.Sprint(names(may[i])) || fmt.Sprint(more.Sure[i]) != fmt.Sprint(names(sure[i])) {
			t.Errorf("row %d: %v may be and %v are sure, not %v and %v", i, more.Sets[i], more.Sure[i], may[i], sure[i])
		}
	}
	if len(more.Explanations) != 4 {
		t.Fatalf("%d explanations", len(more.Explanations))
	}
	for k, e := range more.Explanations {
		class := m.Classes()[k%2]
		if e.Row != 1+k/2 || e.Class != class || e.Label != shown[k/2] || (e.Decision > e.Limit) != slices.Contains(want[k/2], class) || strings.HasPrefix(e.Sentence, class) != slices.Contains(want[k/2], class) {
			t.Errorf("explanation %d: %+v", k, e)
		}
	}
	if _, text := s.do("POST", "/v2/models/posts/predict?set=0.9", three, "Content-Type", "application/json", "Accept", "text/csv"); !strings.HasPrefix(text, "label,set,sure\n") {
		t.Errorf("as CSV: %s", text)
	}
	const tensors = `"inputs":[{"name":"points","shape":[3,2],"datatype":"FP64","data":[2.2,2.2,0.1,0.2,0.1,2.3]}]}`
	var inferred struct {
		Outputs []struct {
			Name, Datatype string
			Shape          []int
			Data           []float64
		}
	}
	if err := json.Unmarshal([]byte(do("POST", "/v2/models/posts/infer", "{"+tensors)), &inferred); err != nil {
		t.Fatal(err)
	}
	if len(inferred.Outputs) != 3 {
		t.Fatalf("outputs %+v", inferred.Outputs)
	}
	for k, name := range []string{"labels INT64", "scores FP64", "probabilities FP64"} {
		if o := inferred.Outputs[k]; o.Name+" "+o.Datatype != name || !slices.Equal(o.Shape, []int{3, 2}) {
			t.Errorf("output %d is %+v, not %s", k, o, name)
		}
	}
	if got := fmt.Sprint(inferred.Outputs[0].Data); got != fmt.Sprint(indicator) {
		t.Errorf("labels %s, not %v", got, indicator)
	}
	if got := fmt.Sprint(inferred.Outputs[2].Data); got != fmt.Sprint(slices.Concat(proba...)) {
		t.Errorf("probabilities %s, not %v", got, proba)
	}
	binaries, text := s.do("POST", "/v2/models/posts/infer", `{"parameters":{"binary_data_output":true},"outputs":[{"name":"labels"}],`+tensors, "Content-Type", "application/json")
	var head int
	if _, err := fmt.Sscan(binaries.Header.Get(headerLength), &head); err != nil || len(text) != head+8*len(indicator) {
		t.Fatalf("%v: %s", err, text)
	}
	for k, want := range indicator {
		if got := binary.LittleEndian.Uint64([]byte(text[head+8*k:])); got != uint64(want) {
			t.Errorf("binary label %d is %d, not %d", k, got, want)
		}
	}
	var first struct{ Predictions [][]string }
	if err := json.Unmarshal([]byte(do("POST", "/v1/models/posts:predict", `{"instances":`+three+`}`)), &first); err != nil || fmt.Sprint(first.Predictions) != fmt.Sprint(want) {
		t.Errorf("version 1 says %v (%v), not %v", first.Predictions, err, want)
	}
	for name, outputs := range map[string]int{"posts": 3, "plain": 2} {
		var described struct{ Outputs []struct{ Name string } }
		if err := json.Unmarshal([]byte(do("GET", "/v2/models/"+name, "")), &described); err != nil || len(described.Outputs) != outputs || described.Outputs[0].Name != "labels" {
			t.Errorf("%s is described as %+v: %v", name, described, err)
		}
	}
	do("POST", "/v2/models/plain/infer", "{"+tensors)
	for request, wrong := range map[string]string{
		"posts/predict?set=0.99":                            "a set of level 0.99 takes 99 held-out rows",
		"plain/predict?set=0.9":                             "has no sets of classes",
		"plain/predict?proba=true":                          "has no probabilities",
		`plain/infer "outputs":[{"name":"label"}],`:         "ask for labels, scores or probabilities",
		`plain/infer "outputs":[{"name":"probabilities"}],`: "ask for labels and scores",
	} {
		path, outputs, isInfer := strings.Cut(request, " ")
		body := three
		if isInfer {
			body = "{" + outputs + tensors
		}
		if text := do("POST", "/v2/models/"+path, body); !strings.Contains(text, wrong) {
			t.Errorf("%s: %s in place of %q", request, text, wrong)
		}
	}
	_, text = s.do("GET", "/metrics", "")
	for _, line := range []string{`lapsvm_predictions_total{class="politics",model="posts",version="1"} 14`, `lapsvm_predictions_total{class="sport",model="posts",version="1"} 7`, `lapsvm_rows_total{model="posts",version="1"} 21`} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("the metrics lack %s", line)
		}
	}
}
