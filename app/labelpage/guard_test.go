package labelpage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"lapsvm/app/labelpage/store"
)

// A request without the token, to another name of the server or from another page is
// refused and changes nothing. No answer has a cookie, which other servers would get.
func TestWhoMayAsk(t *testing.T) {
	p := served(t, NewContent(table(t, 10), nil, nil), func(c *Config, _ *control) { c.Hosts = []string{"lab.example"} })
	port := p.url[strings.LastIndex(p.url, ":"):]
	own, picture := p.server.token, p.server.signed("/api/image/1.png")
	const events = `{"person":"eve","events":[{"key":"k","kind":"class-add","name":"x"}]}`
	for name, c := range map[string]struct {
		method, path, host, origin, site, token string
		want                                    int
	}{
		"the page":               {"GET", "/", "", "", "", "own", 200},
		"by localhost":           {"GET", "/api/state", "localhost" + port, "", "", "own", 200},
		"by a name given":        {"GET", "/api/state", "lab.example" + port, "", "", "own", 200},
		"by IPv6":                {"GET", "/api/state", "[::1]" + port, "", "", "own", 200},
		"events":                 {"POST", "/api/events", "", p.url, "same-origin", "own", 200},
		"by a link":              {"GET", "/?token=" + own, "", "", "cross-site", "", 200},
		"no token":               {"GET", "/api/state", "", "", "", "", 403},
		"the page, no token":     {"GET", "/", "", "", "", "", 200},
		"a file, no token":       {"GET", "/assets/app.js", "", "", "", "", 200},
		"a file from elsewhere":  {"GET", "/assets/app.js", "", "", "same-site", "", 403},
		"nothing, no token":      {"GET", "/api/none", "", "", "", "", 403},
		"a guess":                {"GET", "/api/state", "", "", "", "guess", 403},
		"a wrong token":          {"GET", "/?token=guess", "", "", "", "", 403},
		"an empty token":         {"GET", "/?token=", "", "", "", "own", 403},
		"a token elsewhere":      {"GET", "/api/state?token=" + own, "", "", "", "", 403},
		"a signed picture":       {"GET", picture, "", "", "same-origin", "", 404}, // rows of a table have none
		"another picture":        {"GET", strings.Replace(picture, "/1.png", "/2.png", 1), "", "", "", "", 403},
		"a picture, no key":      {"GET", "/api/image/1.png?key=", "", "", "", "", 403},
		"a key for all":          {"GET", strings.Replace(picture, "/api/image/1.png", "/api/state", 1), "", "", "", "", 403},
		"a key to write":         {"POST", picture, "", p.url, "", "", 403},
		"another name":           {"GET", "/api/state", "evil.example" + port, "", "", "own", 403},
		"another name, token":    {"GET", "/?token=" + own, "evil.example" + port, "", "", "", 403},
		"no origin":              {"POST", "/api/events", "", "", "", "own", 403},
		"origin null":            {"POST", "/api/events", "", "null", "", "own", 403},
		"another origin":         {"POST", "/api/events", "", "http://evil.example", "", "own", 403},
		"another port":           {"POST", "/api/events", "", "http://127.0.0.1:1", "", "own", 403},
		"origin of another name": {"POST", "/api/undo", "localhost" + port, p.url, "", "own", 403},
		"from another site":      {"GET", "/api/export/labels.csv", "", "", "cross-site", "own", 403},
		"from another port":      {"GET", "/api/image/1.png", "", "", "same-site", "own", 403},
		"another method":         {"DELETE", "/api/events", "", p.url, "", "own", 405},
		"by PUT":                 {"PUT", "/api/events", "", "", "", "own", 403},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, p.url+c.path, strings.NewReader(events))
		if err != nil {
			t.Fatal(err)
		}
		if c.host != "" {
			r.Host = c.host
		}
		for header, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site} {
			if value != "" {
				r.Header.Set(header, value)
			}
		}
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+strings.Replace(c.token, "own", own, 1))
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", name, answer.Status, c.want)
		}
		h := answer.Header
		if csp := h.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'self';") || strings.Contains(csp, "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Set-Cookie") != "" {
			t.Errorf("%s: headers %v", name, h)
		}
	}
	if v := p.server.version(); v != 1 {
		t.Errorf("%d events", v)
	}
}

// An invalid request gets an answer in words with a status of the four hundreds.
func TestBadRequests(t *testing.T) {
	p := served(t, NewContent(table(t, 10), nil, nil), nil)
	p.post("anna", sent{Kind: "class-add", Name: "low"})
	p.learnt()
	person := strings.Repeat("x", 70)
	for _, c := range []struct {
		path, body string
		want       int
	}{
		{"/nothing", "", 404}, {"/assets/none.js", "", 404}, {"/assets/..%2fserver.go", "", 404}, {"/assets/%2e%2e", "", 404}, {"/api/none", "", 404},
		{"/api/state?person=" + person, "", 400}, {"/api/state?person=%00", "", 400}, {"/api/state?person=%ff", "", 400},
		{"/api/next?n=0", "", 400}, {"/api/next?n=1e3", "", 400}, {"/api/next?mode=worst", "", 400}, {"/api/next?not=0", "", 400}, {"/api/next?not=1,,2", "", 400}, {"/api/next?not=11", "", 400},
		{"/api/points?rows=x", "", 400}, {"/api/points?rows=-1", "", 400}, {"/api/points?rows=99999999999999999999", "", 400}, {"/api/points?predictions=maybe", "", 400},
		{"/api/points?rows=" + strings.Repeat("1,", 2000) + "1", "", 400},
		{"/api/image/1.png", "", 404}, {"/api/image/0.png", "", 404}, {"/api/image/..%2f..%2fetc%2fpasswd", "", 404}, {"/api/image/1", "", 404},
		{"/api/search?class=x", "", 400}, {"/api/search?prediction=-1", "", 400}, {"/api/search?sort=worst", "", 400}, {"/api/search?offset=-1", "", 400}, {"/api/search?limit=1000000", "", 400}, {"/api/search?state=odd", "", 400},
		{"/api/similar", "", 400}, {"/api/similar?row=11", "", 400}, {"/api/similar?row=1&n=0", "", 400},
		{"/api/map/colours?by=taste", "", 400}, {"/api/export/passwd", "", 404}, {"/api/export/model.lapsvm", "", 409}, {"/api/export/report.html", "", 409},
		{"/api/region", `{"polygon":[[0,0]]}`, 400}, {"/api/region", `{"polygon":[[0,0],[1,1],["a",0]]}`, 400}, {"/api/region", `{"polygon":[[0,0],[1,1],[1,0]]}`, 409}, {"/api/region", `{}`, 400},
		{"/api/undo", `{"person":"","key":"k"}`, 400}, {"/api/undo", `{"person":"zoe","key":"k"}`, 409}, {"/api/redo", `{"person":"anna"}`, 400}, {"/api/undo", `[]`, 400}, {"/api/undo", `{"person":"data","key":"k"}`, 400}, {"/api/redo", `{"person":"data","key":"k"}`, 400},
		{"/api/events", " ", 400}, {"/api/events", "{", 400}, {"/api/events", "null", 400}, {"/api/events", "[]", 400}, {"/api/events", `{"person":"anna","events":[]}`, 400},
		{"/api/events", `{"person":"anna","events":[{}]} {}`, 400}, {"/api/events", `{"person":"anna","event":[]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"burn","key":"k"}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"import","key":"k","row":1,"class":0}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"undo","key":"k"}]}`, 400},
		{"/api/events", `{"person":"data","events":[{"kind":"label","key":"k","row":1,"class":0}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"label","key":"k","row":11,"class":0}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"label","key":"k","row":1}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"label","key":"k","row":1,"class":5}]}`, 409},
		{"/api/events", `{"person":"anna","events":[{"kind":"label","key":"k","row":1,"class":1e9}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"label","key":"k","row":1,"class":0.5}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"label","row":1,"class":0}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"class-add","key":"k","name":"low"}]}`, 409},
		{"/api/events", `{"person":"anna","events":[{"kind":"class-merge","key":"k","class":0}]}`, 400},
		{"/api/events", `{"person":"anna","events":[{"kind":"skip","key":"k","row":1,"seconds":-1}]}`, 400},
		{"/api/events", `{"person":"anna","comment":"` + strings.Repeat("x", bodyBytes) + `"}`, 413},
	} {
		method := "GET"
		if c.body != "" {
			method = "POST"
		}
		code, text := p.do(method, c.path, c.body)
		short := c.path[:min(len(c.path), 60)] + " " + c.body[:min(len(c.body), 90)]
		if code != c.want {
			t.Errorf("%s: %d %s, want %d", short, code, text, c.want)
		}
		var answer map[string]string
		if err := json.Unmarshal([]byte(text), &answer); strings.HasPrefix(c.path, "/api/") && c.path != "/api/none" && !strings.Contains(c.path, "%2f") && (err != nil || answer["error"] == "") {
			t.Errorf("%s: no words: %s", short, text)
		}
	}
	if v := p.server.version(); v != 1 {
		t.Errorf("%d events, of bad requests", v)
	}
}

// A list of events is either refused or becomes events for the store to judge.
func FuzzEvents(f *testing.F) {
	f.Add([]byte(`{"person":"anna","events":[{"key":"k1","kind":"label","row":5,"class":1,"seconds":1.5,"blind":true,"group":"g"}]}`))
	f.Add([]byte(`{"person":"anna","events":[{"key":"k1","kind":"class-add","name":"x"},{"key":"k2","kind":"class-merge","class":0,"into":1}]}`))
	f.Add([]byte(`{"person":"anna","events":[{"key":"k1","kind":"comment","row":-9223372036854775808,"comment":"\ud800"}]}`))
	f.Add([]byte(`{"person":null,"events":null}`))
	s, err := store.Open(f.Context(), f.TempDir()+"/labels.db", store.Data{Name: "x", Hashes: []string{store.Hash([]byte("a")), store.Hash([]byte("b"))}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, body []byte) {
		events, _, err := readEvents(bytes.NewReader(body))
		if err != nil {
			return
		}
		if _, err := s.Append(t.Context(), events); err != nil && !store.Invalid.Is(err) && !store.Conflict.Is(err) {
			t.Errorf("%s: %v", body, err)
		}
	})
}

// A refusal by the store has its own status.
func TestStatusOfTrouble(t *testing.T) {
	for reason, want := range map[store.Reason]int{store.Full: 507, store.ReadOnly: 503, store.Locked: 503, store.Conflict: 409, store.Invalid: 400, store.Failed: 500} {
		w := new(recorder)
		fail(w, fmt.Errorf("labels: %w", &store.Error{Reason: reason, Text: "no", Err: syscall.ENOSPC}))
		if w.code != want {
			t.Errorf("%v: %d, want %d", reason, w.code, want)
		}
	}
	w := new(recorder)
	if fail(w, errors.New("odd")); w.code != 500 {
		t.Error(w.code)
	}
}

type recorder struct {
	code   int
	header http.Header
}

func (r *recorder) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}
func (r *recorder) Write(b []byte) (int, error) { return len(b), nil }
func (r *recorder) WriteHeader(code int)        { r.code = code }
