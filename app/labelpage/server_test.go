package labelpage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
)

// Of two states, for whichever person, the one with the larger number was made later. This also
// holds for the states of a server that started later.
func TestStatesHaveAnOrder(t *testing.T) {
	p := served(t, NewContent(table(t, 40), nil, []string{"name"}), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"})
	taken := make([][]pageState, 4)
	var all sync.WaitGroup
	for k := range taken {
		all.Go(func() {
			for range 50 {
				taken[k] = append(taken[k], p.server.state("anna"))
			}
		})
	}
	for row := 1; row <= 20; row++ {
		p.post("anna", sent{Kind: "label", Row: row, Class: class(0)})
	}
	all.Wait()
	states := slices.SortedFunc(slices.Values(slices.Concat(taken...)), func(a, b pageState) int { return cmp.Compare(a.Sequence, b.Sequence) })
	for k := range len(states) - 1 {
		if a, b := states[k], states[k+1]; a.Sequence == b.Sequence || a.Version > b.Version || a.Model.Version > b.Model.Version {
			t.Fatalf("state %d has version %d and model %d, state %d has %d and %d", a.Sequence, a.Version, a.Model.Version, b.Sequence, b.Version, b.Model.Version)
		}
	}
	after := served(t, NewContent(table(t, 40), nil, []string{"name"}), nil)
	if first, last := after.server.state("anna"), states[len(states)-1]; first.Sequence <= last.Sequence {
		t.Errorf("the first state of a server that began later is %d, after %d", first.Sequence, last.Sequence)
	}
}

// Labels are acknowledged and learnt, and predictions are given where requested.
func TestLabelsAreLearnt(t *testing.T) {
	p := served(t, NewContent(table(t, 40), nil, []string{"name"}), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	a := p.post("anna", sent{Kind: "label", Row: 1, Class: class(0), Seconds: 1.5}, sent{Kind: "label", Row: 2, Name: "high"})
	if len(a.Seqs) != 2 || a.Counts.Labelled != 2 || a.Classes[1].Count != 1 || a.Classes[0].Key != "1" || a.Undo != "label point 1, of 40 → high" {
		t.Errorf("%+v", a)
	}
	s := p.learnt()
	if !s.Model.Decides || s.Model.Labels != 2 || !strings.HasPrefix(s.Model.Recipe, "kernel linear;") {
		t.Errorf("%+v", s.Model)
	}
	var shown struct{ Points []shownPoint }
	p.get("/api/points?rows=1,39,40&predictions=1&person=anna", &shown)
	if len(shown.Points) != 3 || shown.Points[0].Class != 0.0 || shown.Points[0].State != "label" || shown.Points[1].Class != nil ||
		shown.Points[1].Prediction.Class != 0 || shown.Points[2].Prediction.Class != 1 || !(shown.Points[2].Prediction.Probability > 0.79) ||
		shown.Points[2].Name != "point 39, of 40" || len(shown.Points[2].Fields) != 2 || shown.Points[2].Fields[0] != (field{"x", "1019"}) {
		t.Errorf("%+v", shown.Points)
	}
	shown.Points = nil
	p.get("/api/points?rows=40&person=anna", &shown)
	if shown.Points[0].Prediction != nil || shown.Points[0].Others != nil {
		t.Error("a prediction that nobody asked for")
	}
	var found struct {
		Total int
		Rows  []int
	}
	for query, want := range map[string]string{
		"q=POINT+7,":             "{1 [8]}",
		"state=label":            "{2 [1 2]}",
		"prediction=1&limit=2":   "{20 [2 4]}",
		"class=0":                "{1 [1]}",
		"state=unsure":           "{0 []}",
		"prediction=0&offset=19": "{20 [39]}",
	} {
		if p.get("/api/search?"+query, &found); fmt.Sprint(found) != want {
			t.Errorf("%s: %v, want %s", query, found, want)
		}
		found.Rows = nil
	}
	var similar struct {
		Rows  []int
		Class *int
	}
	if p.get("/api/similar?row=1&n=3", &similar); fmt.Sprint(similar.Rows) != "[3 5 7]" || *similar.Class != 0 {
		t.Errorf("%v of %v", similar.Rows, similar.Class)
	}
	var suspicious struct{ Labels []suspiciousLabel }
	if p.get("/api/suspicious", &suspicious); len(suspicious.Labels) != 1 || suspicious.Labels[0].Row != 1 || suspicious.Labels[0].Suggested != 1.0 {
		t.Errorf("%+v", suspicious)
	}
	p.post("anna", sent{Kind: "label", Row: 1, Class: class(0)}) // it is right
	suspicious.Labels = nil
	if p.get("/api/suspicious", &suspicious); len(suspicious.Labels) != 0 {
		t.Errorf("%+v", suspicious)
	}
}

// Beside the probability is the set of classes, or how many labels it takes. A merged class is in the set where one of its
// parts is.
func TestSetsBesideProbabilities(t *testing.T) {
	p := served(t, NewContent(table(t, 40), nil, nil), func(_ *Config, m *control) { m.settled.Store(true) })
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"}, sent{Kind: "class-add", Name: "higher"})
	predicted := func() *prediction {
		t.Helper()
		p.learnt()
		var shown struct{ Points []shownPoint }
		p.get("/api/points?rows=40&predictions=1&person=anna", &shown)
		return shown.Points[0].Prediction
	}
	for row := 1; row <= 8; row++ {
		p.post("anna", sent{Kind: "label", Row: row, Class: class((row - 1) % 2)})
	}
	if few := predicted(); few.Set != nil || few.NoSet != "A set of classes that holds the right one nine times in ten takes 9 labels of classes with two labels or more, and there are 8." {
		t.Errorf("8 labels: %+v", few)
	}
	p.post("anna", sent{Kind: "label", Row: 10, Class: class(2)})
	if enough := predicted(); fmt.Sprint(enough.Set) != "[2]" || enough.NoSet != "" {
		t.Errorf("9 labels: %+v", enough)
	}
	p.post("anna", sent{Kind: "class-merge", Class: class(2), Into: class(1)})
	if merged := predicted(); fmt.Sprint(merged.Set) != "[1]" {
		t.Errorf("merged: %+v", merged)
	}
}

// While the machine learns, labels are accepted and points given. The labels of the meantime
// are learnt in one update.
func TestPageIsNeverBlocked(t *testing.T) {
	gate := make(chan struct{})
	p := served(t, NewContent(table(t, 40), nil, nil), func(_ *Config, m *control) {
		m.gate = gate
		m.settled.Store(true)
	})
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	gate <- struct{}{} // the first update, of no labels
	p.post("anna", sent{Kind: "label", Row: 1, Class: class(0)})
	p.until(func(s pageState) bool { return s.Model.Stage == "learning" })
	for row := range 10 {
		p.post("anna", sent{Kind: "label", Row: 2 + row, Class: class(row % 2)})
		var next struct{ Points []nextPoint }
		if p.get("/api/next?person=anna&n=3", &next); len(next.Points) != 3 {
			t.Errorf("%v", next)
		}
	}
	close(gate)
	s := p.learnt()
	if n := p.machine.updates.Load(); s.Counts.Labelled != 11 || s.Model.Labels != 11 || n > 4 {
		t.Errorf("%d labels learnt of %d, in %d updates", s.Model.Labels, s.Counts.Labelled, n)
	}
}

// A failure of the machine is reported and loses no label, and learning goes on with the next
// label.
func TestMachineFails(t *testing.T) {
	p := served(t, NewContent(table(t, 40), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"})
	p.learnt()
	p.machine.fail.Store(true)
	p.post("anna", sent{Kind: "label", Row: 1, Class: class(0)})
	s := p.until(func(s pageState) bool { return s.Model.Error != "" && !s.Model.Busy })
	if s.Counts.Labelled != 1 || !strings.Contains(s.Model.Error, "range") {
		t.Errorf("%+v", s)
	}
	p.machine.fail.Store(false)
	p.post("anna", sent{Kind: "label", Row: 2, Class: class(0)})
	if s = p.learnt(); s.Model.Error != "" || s.Model.Labels != 2 {
		t.Errorf("%+v", s.Model)
	}
}

// A recipe is chosen anew when labels have grown by half.
func TestRecipeIsChosenAnew(t *testing.T) {
	p := served(t, NewContent(table(t, 60), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	p.learnt()
	for row := range 30 {
		p.post("anna", sent{Kind: "label", Row: row + 1, Class: class(row % 2)})
		p.learnt()
	}
	if n := p.machine.opened.Load(); n < 4 || n > 9 {
		t.Errorf("opened %d times for 30 labels", n)
	}
}

// A newly chosen recipe that is no better is rejected, and the next choice waits for half as
// many labels more.
func TestWorseRecipeIsLeft(t *testing.T) {
	p := served(t, NewContent(table(t, 60), nil, nil), func(_ *Config, m *control) { m.worse.Store(true) })
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	p.learnt()
	for row := range 30 {
		p.post("anna", sent{Kind: "label", Row: row + 1, Class: class(row % 2)})
		p.learnt()
	}
	p.until(func(s pageState) bool { return !s.Model.Busy })
	if n, closed := p.machine.opened.Load(), p.machine.closed.Load(); n < 4 || n > 9 || closed != n-1 {
		t.Errorf("opened %d times for 30 labels, closed %d times", n, closed)
	}
	if r := p.server.engine.snapshot.Load().Recipe; r.Seed != 1 {
		t.Errorf("the recipe of machine %d is taken, which is no better", r.Seed)
	}
}

// Similar points are given while the machine learns.
func TestSimilarWhileLearning(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate)
	p := served(t, NewContent(table(t, 40), nil, nil), func(_ *Config, m *control) { m.gate = gate })
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	gate <- struct{}{}
	p.post("anna", sent{Kind: "label", Row: 1, Class: class(0)})
	p.until(func(s pageState) bool { return s.Model.Stage == "learning" })
	var similar struct {
		Rows  []int
		Class *int
	}
	if p.get("/api/similar?row=2&n=3", &similar); fmt.Sprint(similar.Rows) != "[4 6 8]" || similar.Class != nil {
		t.Errorf("%v of %v", similar.Rows, similar.Class)
	}
}

// Points to label: by order, suggested, by chance, no two people the same, and the
// skipped ones last.
func TestNext(t *testing.T) {
	p := served(t, NewContent(table(t, 12), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	p.learnt()
	next := func(query string) (rows []int, blind int) {
		t.Helper()
		var answer struct{ Points []nextPoint }
		p.get("/api/next?"+query, &answer)
		for _, point := range answer.Points {
			rows = append(rows, point.Row)
			if point.Blind {
				blind++
			}
		}
		return rows, blind
	}
	if rows, blind := next("person=anna&n=3&mode=suggest"); fmt.Sprint(rows) != "[12 11 10]" || blind != 0 {
		t.Errorf("%v, %d blind", rows, blind)
	}
	if rows, _ := next("person=anna&n=2&not=12,10"); fmt.Sprint(rows) != "[11 9]" {
		t.Errorf("%v", rows)
	}
	if rows, _ := next("person=ben&n=3"); fmt.Sprint(rows) != "[8 7 6]" {
		t.Errorf("%v: what anna has is asked again", rows)
	}
	if rows, _ := next("person=anna&n=3&mode=order"); fmt.Sprint(rows) != "[1 2 3]" {
		t.Errorf("%v", rows)
	}
	if rows, blind := next("person=anna&n=12&mode=audit"); blind != len(rows) || len(rows) != 9 {
		t.Errorf("%v, %d blind", rows, blind)
	}
	for row := range 9 {
		p.post("anna", sent{Kind: "label", Row: row + 1, Class: class(0)})
	}
	p.post("anna", sent{Kind: "skip", Row: 10}, sent{Kind: "unsure", Row: 11})
	p.learnt()
	var answer struct{ Points []nextPoint }
	if p.get("/api/next?person=anna&n=5&mode=order", &answer); fmt.Sprint(answer.Points) != "[{12 the next one false} {10 skipped before false}]" {
		t.Errorf("%v", answer.Points)
	}
}

// Every tenth suggested point measures the machine, and its label makes the curve.
func TestAudits(t *testing.T) {
	p := served(t, NewContent(table(t, 200), nil, nil), func(c *Config, _ *control) { c.Audits = 2 })
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	for range 20 {
		p.learnt()
		var answer struct{ Points []nextPoint }
		p.get("/api/next?person=anna&n=2", &answer)
		blind := 0
		for _, point := range answer.Points {
			// Every other point is of the same class; every fourth blind label is wrong.
			c := (point.Row - 1) % 2
			if point.Blind {
				blind++
			}
			p.post("anna", sent{Kind: "label", Row: point.Row, Class: class(c), Blind: point.Blind})
		}
		if blind != 1 {
			t.Errorf("%d of two points are blind", blind)
		}
	}
	s := p.learnt()
	last := s.Curve[len(s.Curve)-1]
	if len(s.Curve) < 2 || last.Audited != 10 || last.Right != 1 || last.High != 1 || !(last.Low > 0.741 && last.Low < 0.742) || last.Labels < 20 {
		t.Errorf("%+v", s.Curve)
	}
	// A blind label on a row that has one says nothing of the machine.
	before := len(s.Curve)
	a := p.post("ben", sent{Kind: "label", Row: 1, Class: class(1), Blind: true})
	b := p.post("ben", sent{Kind: "label", Row: 1, Class: class(0), Blind: true})
	if len(a.Curve) > before+1 || len(b.Curve) != len(a.Curve) {
		t.Errorf("%d, %d and %d points", before, len(a.Curve), len(b.Curve))
	}
}

// Undo and redo, over and over.
func TestTurns(t *testing.T) {
	p := served(t, NewContent(table(t, 12), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"})
	p.post("anna", sent{Kind: "label", Row: 3, Class: class(0), Group: "g"}, sent{Kind: "label", Row: 4, Class: class(0), Group: "g"})
	for turn := range 3 {
		for _, step := range []struct {
			path string
			want int
		}{{"undo", 0}, {"redo", 2}} {
			code, text := p.do("POST", "/api/"+step.path, fmt.Sprintf(`{"person":"anna","key":"%s%d"}`, step.path, turn))
			var a taken
			if err := json.Unmarshal([]byte(text), &a); code != 200 || err != nil || a.Counts.Labelled != step.want || fmt.Sprint(a.Undone.Rows) != "[3 4]" {
				t.Errorf("%s: %d %s", step.path, code, text)
			}
		}
	}
	if code, text := p.do("POST", "/api/redo", `{"person":"anna","key":"more"}`); code != http.StatusConflict || !strings.Contains(text, "nothing to redo") {
		t.Errorf("%d %s", code, text)
	}
}

// Maps and regions.
func TestMap(t *testing.T) {
	p := served(t, NewContent(table(t, 10), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"}, sent{Kind: "label", Row: 1, Class: class(0)}, sent{Kind: "label", Row: 2, Class: class(1)})
	p.learnt()
	code, text := p.do("GET", "/api/map", "")
	if code == http.StatusAccepted {
		p.until(func(pageState) bool { code, text = p.do("GET", "/api/map", ""); return code == http.StatusOK })
	}
	if code != http.StatusOK || len(text) != 8+8*10 || text[0] != 10 || text[4] != 1 {
		t.Errorf("%d, %d bytes", code, len(text))
	}
	for by, want := range map[string][]byte{"label": {10, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0}, "prediction": {10, 0, 0, 0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}} {
		if _, text := p.do("GET", "/api/map/colours?by="+by, ""); !bytes.Equal([]byte(text), want) {
			t.Errorf("%s: %v", by, []byte(text))
		}
	}
	code, text = p.do("POST", "/api/region", `{"polygon":[[-0.1,0],[0.35,0],[0.35,1],[-0.1,1]]}`)
	var r struct {
		Rows, Settled       []int
		Sample              []int
		Total               int
		Labelled, Predicted map[string]int
	}
	if err := json.Unmarshal([]byte(text), &r); code != 200 || err != nil || fmt.Sprint(r.Rows, r.Settled) != "[1 2 3 4] [1 2]" || r.Total != 4 || len(r.Sample) != 4 || r.Labelled["1"] != 1 || r.Predicted["0"] != 2 {
		t.Errorf("%d %s", code, text)
	}
}

// People, agreement and differences.
func TestPeople(t *testing.T) {
	p := served(t, NewContent(table(t, 10), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"}, sent{Kind: "label", Row: 1, Class: class(0)}, sent{Kind: "label", Row: 2, Class: class(1)})
	p.post("ben", sent{Kind: "label", Row: 1, Class: class(0)}, sent{Kind: "label", Row: 2, Class: class(0)})
	code, text := p.do("GET", "/api/people", "")
	if want := `{"differences":[{"row":2,"labels":[{"person":"anna","state":"label","class":1},{"person":"ben","state":"label","class":0}],"settled":null,"adjudicated":false}],"pairs":[{"a":"anna","b":"ben","both":2,"agreed":1,"kappa":0}]}`; code != 200 || strings.TrimSpace(text) != want {
		t.Errorf("%d %s", code, text)
	}
	a := p.post("chi", sent{Kind: "adjudicate", Row: 2, Class: class(1)})
	if a.Counts.Labelled != 2 || a.Counts.Ties != 0 {
		t.Errorf("%+v", a.Counts)
	}
}

// The stream begins with the present state and ends with the server.
func TestStreamEnds(t *testing.T) {
	c := NewContent(table(t, 10), nil, nil)
	hashes, _ := c.Hashes(t.Context())
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "labels.db"), store.Data{Name: "x", Hashes: hashes})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	server := New(Config{Name: "x", Content: c, Store: s, Open: func(context.Context, *dataset.Dataset, []int, []string, func(string, float64)) (Machine, error) {
		return &nearest{new(control), c.Data, make([]int, 10), nil, 1}, nil
	}})
	r := httptest.NewRequest("GET", "/api/stream", nil)
	w := httptest.NewRecorder()
	server.changes.end()
	server.getStream(w, r)
	if w.Code != 200 {
		t.Error(w.Code)
	}
}
