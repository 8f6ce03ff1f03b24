package labelpage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// file is a table that changes while its page is open.
type file struct {
	t     *testing.T
	first *Content

	mu    sync.Mutex
	lines []string // without the header
	end   string   // of the last line
	err   error    // of reading it
	looks int      // since it changed
	reads int
	whole int // reads of which the page has everything: its rows, their labels and its messages
	due   int // the read that has the last change
	calm  *sync.Cond
}

// fileOf is a table of named rows of numbers without labels; every other number is large.
func fileOf(t *testing.T, rows int) *file {
	t.Helper()
	f := &file{t: t, end: "\n"}
	f.calm = sync.NewCond(&f.mu)
	for i := range rows {
		f.lines = append(f.lines, line(i, ""))
	}
	var err error
	if f.first, err = f.read(nil); err != nil {
		t.Fatal(err)
	}
	return f
}

func line(i int, label string) string { return fmt.Sprintf("%d,p%d,%s", i/2+1000*(i%2), i, label) }

func (f *file) text() string { return "x,name,label\n" + strings.Join(f.lines, "\n") + f.end }

func (f *file) read(now *Content) (*Content, error) {
	o := files.Options{Format: "csv", Label: "label", ID: []string{"name"}, Keep: true}
	if now != nil {
		o.Encoding = now.Data.Encoding
	}
	d, err := files.Read(strings.NewReader(f.text()), "points.csv", o)
	if err != nil {
		return nil, err
	}
	return NewContent(d, nil, []string{"name"}), nil
}

// source is looked at often to keep tests short. Nothing depends on the rate.
func (f *file) source() Source {
	return Source{Called: "points.csv", Every: time.Millisecond, Mark: f.text(),
		Words: func(d store.Drift) []string { return []string{fmt.Sprintf("gone %v back %v", d.Gone, d.Back)} },
		Look: func() (string, bool, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.looks++
			f.whole = f.reads
			f.calm.Broadcast()
			return f.text(), f.end == "", nil
		},
		Read: func(_ context.Context, now *Content) (*Content, []int, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.reads++
			wanted := 2
			if f.end == "" {
				wanted = 1 + unfinished
			}
			if f.looks < wanted {
				f.t.Errorf("read after %d looks, not %d", f.looks, wanted)
			}
			if f.err != nil {
				return nil, nil, f.err
			}
			read, err := f.read(now)
			return read, nil, err
		}}
}

// change changes the file.
func (f *file) change(how func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks, f.due = 0, f.reads+1
	how()
}

// watched serves a table that changes, with two classes and a label of each.
func watched(t *testing.T, rows int) (*page, *file) {
	t.Helper()
	f := fileOf(t, rows)
	p := served(t, f.first, func(c *Config, m *control) {
		c.Source = f.source()
		m.settled.Store(true)
	})
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	p.post("anna", sent{Kind: "label", Row: 1, Class: class(0)}, sent{Kind: "label", Row: 2, Class: class(1)})
	p.learnt()
	return p, f
}

// taken waits until the page has the last change of the file, and the page and the machine have
// the given number of rows.
func (f *file) taken(p *page, rows int) pageState {
	f.t.Helper()
	f.mu.Lock()
	for f.whole < f.due {
		f.calm.Wait()
	}
	f.mu.Unlock()
	return p.until(func(s pageState) bool {
		return s.Set.Rows == rows && s.Model.Version == s.Version && !s.Model.Busy && p.server.engine.snapshot.Load().Points == rows
	})
}

// Appended rows appear on the page: predicted, found, suggested, labelled and on the map. Their
// labels in the data are accepted, and a machine of all points is made in the background.
func TestRowsCome(t *testing.T) {
	p, f := watched(t, 40)
	p.do("GET", "/api/map", "")
	p.until(func(pageState) bool { code, _ := p.do("GET", "/api/map", ""); return code == http.StatusOK })
	f.change(func() { f.lines = append(f.lines, line(40, ""), line(41, "high"), line(43, "")) })
	s := f.taken(p, 43)
	if s.Set.N != 43 || s.Counts.Points != 43 || s.Counts.Labelled != 3 || len(s.Warnings) != 0 || s.Model.Map < 2 {
		t.Errorf("%+v", s)
	}
	var shown struct{ Points []shownPoint }
	p.get("/api/points?rows=40,41,42,43&predictions=1&person=anna", &shown)
	if shown.Points[1].Name != "p40" || shown.Points[1].Prediction.Class != 0 || shown.Points[2].Settled != 1.0 || shown.Points[3].Prediction.Class != 1 {
		t.Errorf("%+v", shown.Points)
	}
	var found struct{ Rows []int }
	if p.get("/api/search?q=p43", &found); fmt.Sprint(found.Rows) != "[43]" {
		t.Errorf("found %v", found.Rows)
	}
	var similar struct{ Rows []int }
	if p.get("/api/similar?row=43&n=3", &similar); len(similar.Rows) != 3 {
		t.Errorf("similar are %v", similar.Rows)
	}
	var next struct{ Points []nextPoint }
	if p.get("/api/next?person=anna&n=1", &next); next.Points[0].Row != 43 {
		t.Errorf("next is %v", next.Points)
	}
	if _, text := p.do("GET", "/api/map", ""); len(text) != 8+8*43 {
		t.Errorf("the map has %d bytes", len(text))
	}
	p.post("anna", sent{Kind: "label", Row: 43, Class: class(1)})
	p.until(func(s pageState) bool { return s.Model.Labels == 4 && p.machine.rebuilt.Load() > 0 })
	if code, text := p.do("GET", "/api/export/labels.csv", ""); code != 200 || !strings.Contains(text, "\n1021,p43,high\n") {
		t.Errorf("%d %s", code, text)
	}
	if n := p.machine.grown.Load(); n != 1 {
		t.Errorf("the machine was told %d times", n)
	}
}

// Labels given while rows are added are kept, each with its row.
func TestLabelsWhileRowsCome(t *testing.T) {
	p, f := watched(t, 40)
	for k := range 20 {
		f.change(func() { f.lines = append(f.lines, line(40+k, "")) })
		p.post("anna", sent{Kind: "label", Row: 3 + k, Class: class(k % 2)})
	}
	f.taken(p, 60)
	s := p.until(func(s pageState) bool { return s.Model.Labels == 22 && !s.Model.Busy })
	var shown struct{ Points []shownPoint }
	p.get("/api/points?rows=3,4,22,23,60&person=anna", &shown)
	if s.Counts.Labelled != 22 || shown.Points[0].Class != 0.0 || shown.Points[2].Class != 1.0 || shown.Points[3].Class != nil || shown.Points[4].Name != "p59" {
		t.Errorf("%+v %+v", s.Counts, shown.Points)
	}
}

// A line without its end waits for the end, but not for ever. A reading error is shown, and the
// present rows stay until the file can be read.
func TestUnfinishedRows(t *testing.T) {
	p, f := watched(t, 40)
	f.change(func() { f.lines, f.end = append(f.lines, line(40, "")), "" })
	f.taken(p, 41) // after some looks, as the file may end so
	f.change(func() {
		f.lines, f.end, f.err = append(f.lines, "12"), "\n", errors.New("points.csv:43: 1 field, not 3")
	})
	s := p.until(func(s pageState) bool { return len(s.Warnings) == 1 })
	if s.Set.N != 41 || !strings.Contains(s.Warnings[0], "points.csv changed and cannot be taken in: points.csv:43: 1 field") {
		t.Errorf("%d rows, %v", s.Set.N, s.Warnings)
	}
	if a := p.post("anna", sent{Kind: "label", Row: 41, Class: class(1)}); a.Counts.Labelled != 3 {
		t.Errorf("%+v", a.Counts)
	}
	f.change(func() { f.lines[41], f.err = line(41, ""), nil })
	if s = f.taken(p, 42); len(s.Warnings) != 0 || s.Counts.Labelled != 3 {
		t.Errorf("%+v, %v", s.Counts, s.Warnings)
	}
}

// Changed columns are reported, and the present rows stay.
func TestOtherColumns(t *testing.T) {
	p, f := watched(t, 40)
	f.change(func() {
		for i := range f.lines {
			f.lines[i] = "7," + f.lines[i]
		}
		f.lines = append(f.lines, "7,"+line(40, ""))
		f.err = (&Content{Data: f.first.Data, Columns: []string{"x", "name"}, Label: 2}).unlike(&Content{Data: f.first.Data, Columns: []string{"z", "x", "name"}, Label: 3})
	})
	s := p.until(func(s pageState) bool { return len(s.Warnings) == 1 })
	if s.Set.Rows != 40 || !strings.Contains(s.Warnings[0], "the columns are z, x, name now, and were x, name: start lapsvm label anew") {
		t.Errorf("%d rows, %v", s.Set.Rows, s.Warnings)
	}
}

// A row with missing contents keeps its number and its labels. Its labels count nowhere, and nobody
// is asked for the row, until its contents return. Where most rows are missing, the data are
// another set and are refused.
func TestRowsGo(t *testing.T) {
	p, f := watched(t, 40)
	p.post("anna", sent{Kind: "label", Row: 3, Class: class(0)}, sent{Kind: "label", Row: 5, Class: class(0)})
	all := slices.Clone(f.lines)
	f.change(func() { f.lines = append(slices.Clone(all[1:39]), line(40, "")) }) // the first and the last are not there
	s := f.taken(p, 41)
	if s.Set.N != 39 || s.Counts.Labelled != 3 || fmt.Sprint(s.Warnings) != "[gone [p0] back []]" {
		t.Errorf("%+v, %v", s, s.Warnings)
	}
	if code, text := p.do("POST", "/api/events", `{"person":"anna","events":[{"key":"k","kind":"label","row":1,"class":0}]}`); code != http.StatusConflict || !strings.Contains(text, "the contents of p0 are no longer in the data") {
		t.Errorf("%d %s", code, text)
	}
	var found struct{ Total int }
	if p.get("/api/search?", &found); found.Total != 39 {
		t.Errorf("%d rows are found", found.Total)
	}
	var next struct{ Points []nextPoint }
	p.get("/api/next?person=anna&n=100&mode=order", &next)
	if len(next.Points) != 36 || slices.ContainsFunc(next.Points, func(n nextPoint) bool { return n.Row == 1 || n.Row == 40 }) {
		t.Errorf("%d rows are asked for: %v", len(next.Points), next.Points)
	}
	if _, text := p.do("GET", "/api/export/labels.csv", ""); strings.Contains(text, ",p0,") || strings.Count(text, "\n") != 40 {
		t.Errorf("%s", text)
	}
	f.change(func() { f.lines = append(slices.Clone(all), line(40, "")) })
	s = p.until(func(s pageState) bool { return s.Set.N == 41 && len(s.Warnings) == 2 }) // the warning comes last
	if s.Set.Rows != 41 || s.Counts.Labelled != 4 || s.Warnings[1] != "gone [] back [p0]" {
		t.Errorf("%+v, %v", s, s.Warnings)
	}
	f.change(func() {
		for i := range f.lines {
			f.lines[i] = line(100+i, "")
		}
	})
	s = p.until(func(s pageState) bool { return len(s.Warnings) == 3 })
	if s.Set.N != 41 || s.Set.Rows != 41 || s.Counts.Labelled != 4 || !strings.Contains(s.Warnings[2], "4 of their 4 rows are not in points.csv") {
		t.Errorf("%+v, %v", s, s.Warnings)
	}
	if a := p.post("anna", sent{Kind: "label", Row: 7, Class: class(0)}); a.Counts.Labelled != 5 {
		t.Errorf("%+v", a.Counts)
	}
}

// A machine that cannot be opened on the present rows is tried again when there are more.
func TestMachineOpensOnMoreRows(t *testing.T) {
	f := fileOf(t, 4)
	p := served(t, f.first, func(c *Config, _ *control) {
		c.Source = f.source()
		open := c.Open
		c.Open = func(ctx context.Context, d *dataset.Dataset, labels []int, classes []string, stage func(string, float64)) (Machine, error) {
			if d.Points.Len() < 6 {
				return nil, errors.New("too few points")
			}
			return open(ctx, d, labels, classes, stage)
		}
	})
	p.until(func(s pageState) bool { return s.Model.Error == "too few points" && !s.Model.Busy })
	f.change(func() { f.lines = append(f.lines, line(4, ""), line(5, "")) })
	if s := f.taken(p, 6); s.Model.Error != "" {
		t.Error(s.Model.Error)
	}
}

// A machine that cannot take new points goes on with its present ones, and takes the new points
// when it can.
func TestMachineRefusesPoints(t *testing.T) {
	p, f := watched(t, 40)
	p.machine.fail.Store(true)
	f.change(func() { f.lines = append(f.lines, line(40, "")) })
	p.until(func(s pageState) bool { return s.Set.Rows == 41 && strings.Contains(s.Model.Error, "range") })
	p.machine.fail.Store(false)
	p.post("anna", sent{Kind: "label", Row: 41, Class: class(0)}, sent{Kind: "label", Row: 5, Class: class(0)})
	if s := p.learnt(); s.Model.Labels != 3 || s.Counts.Labelled != 4 {
		t.Errorf("%d labels are learnt of %d", s.Model.Labels, s.Counts.Labelled)
	}
	f.change(func() { f.lines = append(f.lines, line(41, "")) })
	if s := f.taken(p, 42); s.Model.Labels != 4 {
		t.Errorf("%d labels are learnt", s.Model.Labels)
	}
}
