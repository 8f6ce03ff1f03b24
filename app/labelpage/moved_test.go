package labelpage

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// A label is refused while the store is moved away, and accepted once the store is back: the page
// sends the label again by itself.
func TestStoreIsElsewhere(t *testing.T) {
	p := served(t, NewContent(table(t, 20), nil, []string{"name"}), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"})
	path := p.server.Store.Path()
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	const label = `{"person":"anna","events":[{"key":"k","kind":"label","row":1,"class":0}]}`
	if code, text := p.do("POST", "/api/events", label); code != http.StatusServiceUnavailable || !strings.Contains(text, "the store was moved") {
		t.Errorf("%d %s", code, text)
	}
	if code, text := p.do("POST", "/api/undo", `{"person":"anna","key":"u"}`); code != http.StatusServiceUnavailable {
		t.Errorf("%d %s", code, text)
	}
	var s pageState
	if p.get("/api/state", &s); s.Counts.Labelled != 0 {
		t.Errorf("%d labels", s.Counts.Labelled)
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	if code, text := p.do("POST", "/api/events", label); code != http.StatusOK {
		t.Errorf("%d %s", code, text)
	}
}

// A merged class of the data stays merged when rows are added. A label that cannot be shown is
// reported with its row, and the others are accepted.
func TestLabelsOfRowsThatCome(t *testing.T) {
	p, f := watched(t, 40)
	f.change(func() { f.lines = append(f.lines, line(40, "low "), line(41, "mid")) })
	s := f.taken(p, 42)
	low, mid := s.Classes[0].ID, s.Classes[2].ID
	p.post("anna", sent{Kind: "class-merge", Class: &low, Into: &mid})
	f.change(func() { f.lines = append(f.lines, line(42, "low"), line(43, strings.Repeat("x", 1001))) })
	s = f.taken(p, 44)
	if len(s.Classes) != 2 || s.Classes[1].Name != "mid" || s.Classes[1].Count != 4 {
		t.Errorf("%+v", s.Classes)
	}
	if len(s.Warnings) != 1 || !strings.HasPrefix(s.Warnings[0], "row 44: the label \"xxx") || !strings.Contains(s.Warnings[0], "more than 1000 bytes") {
		t.Errorf("%q", s.Warnings)
	}
}
