package labelpage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
)

// ofNumbers serves a table of n rows whose labels are numbers, by a machine that has the number of the nearest label.
func ofNumbers(t *testing.T, n int) *page {
	t.Helper()
	return ofKind(t, n, task.Numbers(), func(m *nearest) Machine { return &nearestNumber{m} })
}

// ofKind serves a table of n rows whose labels are of a kind.
func ofKind(t *testing.T, n int, kind task.Kind, machine func(*nearest) Machine) *page {
	t.Helper()
	c := NewContent(table(t, n), nil, []string{"name"})
	return served(t, c, func(config *Config, m *control) {
		m.settled.Store(true)
		hashes, err := c.Hashes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "labels.db"), store.Data{Name: "points.csv", Hashes: hashes, RowIs: c.Called, Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		config.Store = s
		open := config.Open
		config.Open = func(ctx context.Context, d *dataset.Dataset, labels []int, classes []string, stage func(string, float64)) (Machine, error) {
			m, err := open(ctx, d, labels, classes, stage)
			return machine(m.(*nearest)), err
		}
	})
}

// nearestNumber is a machine that gives every point the number of the nearest label, ± 2 once nine points are labelled.
type nearestNumber struct{ *nearest }

func (m *nearestNumber) Apply(ctx context.Context, classes []string, changes []Change) (*Answer, error) {
	a, err := m.nearest.Apply(ctx, classes, changes)
	if err != nil || a.Decided == nil {
		return a, err
	}
	n := &Answer{}
	for _, c := range a.Decided {
		v, _ := dataset.LabelNumber(classes[c])
		n.Values = append(n.Values, v)
	}
	n.Interval = func(point int) (float64, float64, error) {
		if a.HeldOut < 9 {
			return 0, 0, errors.New("too few")
		}
		return n.Values[point] - 2, n.Values[point] + 2, nil
	}
	return n, nil
}

func (m *nearestNumber) Audit(context.Context) ([]Suspicion, error) {
	for i, c := range m.labels {
		if c >= 0 {
			return []Suspicion{{Point: i, Given: c, Suggested: -1, Number: 3.14159, Suspicion: 0.9, Why: "the first is always suspicious"}}, nil
		}
	}
	return nil, nil
}

// Numbers are taken, learnt, predicted with an interval, and given as labels.csv.
func TestNumbersAreLearnt(t *testing.T) {
	p := ofNumbers(t, 40)
	if s := p.learnt(); !s.Set.Numbers || s.Numbers != nil || s.Model.Decides {
		t.Errorf("%+v", s)
	}
	a := p.post("anna", sent{Kind: "label", Row: 1, Name: "12.50"}, sent{Kind: "label", Row: 2, Name: "-3"})
	if a.Counts.Labelled != 2 || len(a.Classes) != 0 || fmt.Sprint(a.People) != "[{anna 2}]" || *a.Numbers != (spread{-3, 4.75, 12.5}) || a.Undo != "label point 1, of 40 → -3" {
		t.Errorf("%+v", a)
	}
	if s := p.learnt(); !s.Model.Decides || s.Model.Labels != 2 {
		t.Errorf("%+v", s.Model)
	}
	var shown struct{ Points []shownPoint }
	show := func(query string) []shownPoint {
		t.Helper()
		shown.Points = nil
		p.get("/api/points?"+query, &shown)
		return shown.Points
	}
	points := show("rows=1,39,40&predictions=1&person=anna")
	if points[0].Class != "12.5" || points[0].Settled != "12.5" || points[1].Class != nil || points[1].Prediction != nil || points[1].Foretold.Value != "12.5" ||
		points[2].Foretold.NoInterval != "An interval that holds the number nine times in ten takes 9 labels, and there are 2." {
		t.Errorf("%+v, %+v", points, points[2].Foretold)
	}
	for row := 3; row <= 9; row++ {
		p.post("anna", sent{Kind: "label", Row: row, Name: fmt.Sprint(row)})
	}
	p.learnt()
	if f := show("rows=40&predictions=1&person=anna")[0].Foretold; *f != (foretold{Value: "8", Low: "6", High: "10"}) {
		t.Errorf("%+v", f)
	}
	if f := show("rows=40&person=anna")[0].Foretold; f != nil {
		t.Errorf("%+v that nobody asked for", f)
	}
	var suspicious struct{ Labels []suspiciousLabel }
	if p.get("/api/suspicious", &suspicious); len(suspicious.Labels) != 1 || suspicious.Labels[0].Given != "12.5" || suspicious.Labels[0].Suggested != "3.142" {
		t.Errorf("%+v", suspicious)
	}
	var similar struct {
		Rows  []int
		Class any
	}
	if p.get("/api/similar?row=40&n=2", &similar); fmt.Sprint(similar.Rows) != "[38 36]" || similar.Class != nil {
		t.Errorf("%+v", similar)
	}
	for by, want := range map[string][]byte{"label": {255, 1, 99, 116}, "prediction": {255, 1, 99, 116}, "uncertainty": {255, 255, 255, 255}} {
		if code, text := p.do("GET", "/api/map/colours?by="+by, ""); code != 200 || text[4:8] != string(want) {
			t.Errorf("%s: %d, %v", by, code, []byte(text[4:8]))
		}
	}
	if code, text := p.do("GET", "/api/export/labels.csv", ""); code != 200 || !strings.HasPrefix(text, "x,name,label\n0,\"point 0, of 40\",12.5\n1000,\"point 1, of 40\",-3\n1,\"point 2, of 40\",3\n") {
		t.Errorf("%d %.200s", code, text)
	}
	for _, body := range []string{`{"key":"a","kind":"label","row":1,"name":"many"}`, `{"key":"b","kind":"class-add","name":"7"}`} {
		if code, text := p.do("POST", "/api/events", `{"person":"anna","events":[`+body+`]}`); code != 400 || !strings.Contains(text, "number") {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
}

// Two people's numbers are compared by how far they are apart, and a number that is given settles a row.
func TestPeopleAndNumbers(t *testing.T) {
	p := ofNumbers(t, 40)
	p.post("anna", sent{Kind: "label", Row: 1, Name: "10"}, sent{Kind: "label", Row: 2, Name: "7"})
	p.post("ben", sent{Kind: "label", Row: 1, Name: "14"}, sent{Kind: "label", Row: 2, Name: "7"})
	var people struct {
		Pairs []struct {
			Both, Agreed int
			Apart        float64
		}
		Differences []struct {
			Row     int
			Labels  []said
			Settled any
			Apart   float64
		}
	}
	p.get("/api/people", &people)
	if fmt.Sprint(people.Pairs) != "[{2 1 2}]" || fmt.Sprint(people.Differences) != "[{1 [{anna label 10} {ben label 14}] 10 4}]" {
		t.Errorf("%+v", people)
	}
	p.post("chi", sent{Kind: "adjudicate", Row: 1, Name: "13"})
	var shown struct{ Points []shownPoint }
	if p.get("/api/points?rows=1&person=anna", &shown); shown.Points[0].Settled != "13" || shown.Points[0].Class != "10" {
		t.Errorf("%+v", shown.Points[0])
	}
}

// Blind numbers tell how far predictions are off, from ten on. The advice says what is missing.
func TestAuditsOfNumbers(t *testing.T) {
	p := ofNumbers(t, 40)
	p.post("anna", sent{Kind: "label", Row: 1, Name: "0"}, sent{Kind: "label", Row: 2, Name: "100"})
	var off []float64
	for k := range 10 {
		if s := p.learnt(); len(s.Off) > 0 || s.Audited != k || s.Advice.Stop {
			t.Fatalf("%d audits: %+v", k, s)
		}
		row, v := 3+2*k, float64(k) // each is off by 1 from the one before
		if k > 0 {
			off = append(off, 1)
		} else {
			off = append(off, 0)
		}
		p.post("anna", sent{Kind: "label", Row: row, Name: fmt.Sprint(v), Blind: true})
	}
	s := p.learnt()
	mean, square := 0.0, 0.0
	for _, v := range off {
		mean += v / 10
	}
	for _, v := range off {
		square += (v - mean) * (v - mean)
	}
	half := 2.262 * math.Sqrt(square/9/10)
	if one := s.Off[0]; len(s.Off) != 1 || math.Abs(one.Off-mean) > 1e-12 || math.Abs(one.Low-(mean-half)) > 1e-9 || math.Abs(one.High-(mean+half)) > 1e-9 || one.Audited != 10 || one.Labels != 7 {
		t.Errorf("%+v, mean %v ± %v", s.Off, mean, half)
	}
	if s.Advice.Stop || !strings.HasPrefix(s.Advice.Reasons[0], "predictions were off by 0.9 in the mean (95 % interval 0.6738 to 1.126; the last 10 blind audits)") {
		t.Errorf("%+v", s.Advice)
	}
}

// The machine of package label learns numbers as the page uses it.
func TestLearningNumbers(t *testing.T) {
	d := dataset.TwoMoons(80, 0.08, 1)
	truth := make([]float64, 80)
	row := make([]float64, 2)
	for i := range truth {
		d.Points.CopyRow(row, i)
		truth[i] = math.Round(100*(3*row[0]+row[1])) / 100
	}
	none := slices.Repeat([]int{-1}, 80)
	m, err := Learning(lapsvm.Trainer{Recipe: train.Recipe{Kind: task.Numbers()}})(t.Context(), d, none, nil, func(string, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if a, err := m.Apply(t.Context(), nil, nil); err != nil || a.decides() {
		t.Fatalf("%+v, %v", a, err)
	}
	var classes []string
	var changes []Change
	for i := 0; i < 80; i += 3 {
		text, v := fmt.Sprint(truth[i]), truth[i]
		if i == 30 {
			v += 50
			text = fmt.Sprint(v)
		}
		at := slices.Index(classes, text)
		if at < 0 {
			at, classes = len(classes), append(classes, text)
		}
		changes = append(changes, Change{i, at})
	}
	a, err := m.Apply(t.Context(), classes, changes[:4])
	if err != nil || len(a.Values) != 80 {
		t.Fatal(err)
	}
	if _, _, err := a.Interval(7); err == nil {
		t.Error("four labels have intervals")
	}
	if a, err = m.Apply(t.Context(), classes, changes); err != nil {
		t.Fatal(err)
	}
	low, high, err := a.Interval(7)
	if v, ok := a.value(7); err != nil || !ok || !(low < v && v < high) || a.doubt(7) != high-low {
		t.Errorf("%v of %v to %v: %v", v, low, high, err)
	}
	suspicions, err := m.Audit(t.Context())
	if err != nil || len(suspicions) == 0 || suspicions[0].Point != 30 || classes[suspicions[0].Given] != fmt.Sprint(truth[30]+50) {
		t.Errorf("%+v, %v", suspicions, err)
	}
	if some, err := m.Suggest(t.Context(), 5); err != nil || len(some) != 5 {
		t.Errorf("%v, %v", some, err)
	}
	if !m.Stale() {
		t.Error("27 labels came since the choice, and it is not stale")
	}
}
