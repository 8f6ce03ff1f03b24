package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"lapsvm"
	"lapsvm/dataset/files"
	"lapsvm/points"
)

// Bodies that would take far more memory than they have bytes are refused early. What is held
// is given back.
func TestHostileBodies(t *testing.T) {
	var log bytes.Buffer
	s := serve(t, theTwo(t), func(c *Config) {
		c.Limits = Limits{Body: 1 << 20, Memory: 8 << 20, Rows: 1000}
		c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	})
	const n = 100_000
	tensor := func(shape, data string) string {
		return `{"inputs":[{"name":"points","shape":` + shape + `,"datatype":"FP64","data":` + data + `}]}`
	}
	several := func(open, part, end string) string { return open + strings.Repeat(part, n) + end }
	for name, c := range map[string]struct {
		path, media, body string
		status            int
	}{
		"inputs":      {"infer", "application/json", several(`{"inputs":[`, "{},", "{}]}"), 413},
		"outputs":     {"infer", "application/json", several(`{"outputs":[`, "{},", "{}]}"), 413},
		"shape":       {"infer", "application/json", tensor(several("[", "1,", "1]"), "[1,2]"), 413},
		"data":        {"infer", "application/json", tensor("[1,2]", several("[", "1,", "1]")), 400},
		"empty data":  {"infer", "application/json", tensor("[1,2]", several("[", "[],", "[]]")), 400},
		"deep data":   {"infer", "application/json", tensor("[1,2]", strings.Repeat("[", n)+strings.Repeat("]", n)), 400},
		"deep":        {"infer", "application/json", `{"parameters":` + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + "}", 400},
		"id":          {"infer", "application/json", several(`{"id":"`, "abc", `"}`), 400},
		"name":        {"infer", "application/json", several(`{"inputs":[{"name":"`, "abc", `"}]}`), 400},
		"number":      {"infer", "application/json", tensor("[1,2]", several("[1.", "1", ",2]")), 400},
		"side":        {"infer", "application/json", tensor(several("[", "1", ",2]"), "[1,2]"), 400},
		"rows of CSV": {"predict", "text/csv", several("x,y\n", "1,2\n", ""), 413},
		"names":       {"predict", "text/csv", several("x,y", ",", "\n1,2\n"), 413},
		"long name":   {"predict", "text/csv", several("x,y,", "<>", "\n1,2\n"), 400},
		"objects":     {"predict", "application/json", several("[", "{},", "{}]"), 413},
		"keys":        {"predict", "application/jsonl", several("", "{\"x\":1}\n", ""), 413},
		"vector":      {"predict", "application/json", several(`{"vector":[`, "1,", "1]}"), 400},
		"instances":   {"v1", "application/json", several(`{"instances":[`, "[],", "[]]}"), 413},
		"objects, v1": {"v1", "application/json", several(`{"instances":[`, "{},", "{}]}"), 413},
	} {
		path := "/v2/models/moons/" + c.path
		if c.path == "v1" {
			path = "/v1/models/moons" + predictVerb
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer, text := s.do("POST", path, c.body, "Content-Type", c.media)
		runtime.ReadMemStats(&after)
		if answer.StatusCode != c.status && answer.StatusCode != http.StatusBadRequest || len(text) > 4096 {
			t.Errorf("%s: %d, %d bytes: %.200s", name, answer.StatusCode, len(text), text)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 40<<20 {
			t.Errorf("%s: %d bytes were allocated for a body of %d", name, took, len(c.body))
		}
	}
	if held := s.s.memory.Load(); held != 0 {
		t.Errorf("%d bytes are held when all is answered", held)
	}
	for line := range strings.Lines(log.String()) {
		if len(line) > 4096 {
			t.Errorf("a line of the log has %d bytes", len(line))
		}
	}
}

// Rows are read no longer than a request has time.
func TestReadingEndsInTime(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	body := []byte("x,y\n1,2\n")
	o, err := readOptions(&http.Request{Header: http.Header{"Content-Type": {"text/csv"}}}, (*s.s.serving.Load())["moons"][0])
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range [][]byte{body, []byte(`[{"x":1,"y":2}]`), inFormat(t, "x,y,label\n1,2,a\n3,4,\n", files.Parquet)} {
		if o.Format = formatOf(body); bytes.HasPrefix(body, []byte("PAR1")) {
			o.Format = files.Parquet
		}
		if _, err := s.s.readRows(ctx, &reservation{s: s.s}, body, o); err == nil || asProblem(err).status != http.StatusServiceUnavailable {
			t.Errorf("%s: %v", o.Format, err)
		}
	}
}

// What a body would come back as is cut to a length in bytes of JSON.
func TestCut(t *testing.T) {
	for _, part := range []string{"a", "\x01", "ä", "\xff", "<", "\"", "€", "😀"} {
		for _, n := range []int{0, 1, 5, 90, 1000} {
			text := strings.Repeat(part, n)
			short := cut(text, 100)
			quoted, err := json.Marshal(short)
			if err != nil || len(quoted) > 102 || !strings.HasSuffix(short, "…") && short != text {
				t.Errorf("%d × %q: %q has %d bytes, %v", n, part, short, len(quoted), err)
			}
		}
	}
}

// brokenListener is a listener that fails.
type brokenListener struct{ net.Listener }

func (brokenListener) Accept() (net.Conn, error) { return nil, errors.New("no descriptors") }

// A server whose listener fails ends, and says why.
func TestListenerFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := New(Config{Paths: []string{theTwo(t)}})
	if err := s.Serve(t.Context(), brokenListener{l}); err == nil || !strings.Contains(err.Error(), "no descriptors") {
		t.Error(err)
	}
}

// A sparse model is warmed up without a row of all its columns.
func TestSparseModelOfManyColumns(t *testing.T) {
	rows := "1 1:1 4000000:1\n-1 2:1 3999999:1\n"
	d, err := files.Read(strings.NewReader(rows+strings.Repeat(strings.ReplaceAll(strings.ReplaceAll(rows, "-1 ", "0 "), "1 1:", "0 1:"), 4)+"0 3:1\n0 4:2\n"), "x.svm", files.Options{Unlabelled: []string{"0"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true, Standardise: points.AsIs}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	save(t, m, filepath.Join(folder, "m"+Ending))
	s := New(Config{Paths: []string{folder}, Poll: -1})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 24*4_000_000 {
		t.Errorf("%d bytes were allocated to load a model of %d columns", took, m.Dim())
	}
}

// A file of zeros whose header claims most of it takes no memory.
func TestHeaderOfZeros(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m"+Ending)
	if err := os.WriteFile(path, []byte("LAPSVM\r\n\x01\x00\x00\x00\x00\x00\x00\x7f"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0x7f000000+1<<20); err != nil {
		t.Skip(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := New(Config{Paths: []string{path}, Poll: -1}).Reload(t.Context())
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 10<<20 {
		t.Errorf("%d bytes were allocated; %v", took, err)
	}
}

// A redirection has the headers that browsers heed; the scheme of a token is written in any case.
func TestRedirectionsAndSchemes(t *testing.T) {
	s := serve(t, theTwo(t), func(c *Config) { c.Token = "0123456789abcdef" })
	r, err := http.NewRequest(http.MethodGet, s.url+"//v2", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if h := answer.Header; answer.StatusCode/100 != 3 || h.Get("Content-Security-Policy") == "" || h.Get("X-Content-Type-Options") == "" {
		t.Error(answer.Status, h)
	}
	for _, scheme := range []string{"Bearer", "bearer", "BEARER"} {
		if answer, text := s.do("GET", "/v2", "", "Authorization", scheme+" 0123456789abcdef"); answer.StatusCode != http.StatusOK {
			t.Error(scheme, answer.Status, text)
		}
	}
}

// Version 1 of the protocol gives the labels of version 2, for arrays and for objects. The format
// of a body with curl's default type is detected.
func TestVersionOne(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	var want predictResponse
	_, text := s.do("POST", "/v2/models/moons/predict", "x,y\n0.5,1\n-3,2e0\n", "Content-Type", "text/csv")
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err, text)
	}
	names, _ := json.Marshal(want.Labels)
	labels, _ := json.Marshal(predictV1Response{names})
	for _, body := range []string{`{"instances":[[0.5,1],[-3,2e0]]}`, ` {"signature_name":"x", "instances" : [ {"x":0.5,"y":1}, {"y":2,"x":-3} ] } `} {
		for _, media := range []string{"application/json", "", formType} {
			if answer, text := s.do("POST", "/v1/models/moons:predict", body, "Content-Type", media); answer.StatusCode != http.StatusOK || strings.TrimSpace(text) != string(labels) {
				t.Errorf("%s: %d %s, want %s", body, answer.StatusCode, text, labels)
			}
		}
	}
	for body, words := range map[string]string{
		`{}`: "has no instances", `{"instances":{}}`: "object for an array", `{"instances":[]}`: "send one at least", `{"instances":[1,2]}`: "no array of 2 numbers",
		`{"instances":[[1]]}`: "not nested", `{"instances":[[1,2],3]}`: "more elements", `{"instances":[[1,2]`: "broken", `{"instances":[{"x":1}]}`: "y",
	} {
		if answer, text := s.do("POST", "/v1/models/moons:predict", body); answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, words) {
			t.Errorf("%s: %d %s", body, answer.StatusCode, text)
		}
	}
	for path, want := range map[string]string{"/v1/models": `{"models":["customers","moons"]}`, "/v1/models/moons": `{"name":"moons","ready":true}`} {
		if answer, text := s.do("GET", path, ""); answer.StatusCode != http.StatusOK || strings.TrimSpace(text) != want {
			t.Errorf("%s: %d %s", path, answer.StatusCode, text)
		}
	}
	for _, c := range []struct{ path, body string }{{"predict", "x,y\n1,2\n"}, {"predict", `[{"x":1,"y":2}]`}, {"infer", oneMoon}} {
		if answer, text := s.do("POST", "/v2/models/moons/"+c.path, c.body, "Content-Type", formType); answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", c.body, answer.StatusCode, text)
		}
	}
}

// A row to try is one that the model takes.
func TestExamples(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	for name, header := range map[string]string{"moons": "x,y", "customers": "age,plan,since,pays"} {
		var of modelBody
		_, text := s.do("GET", "/v2/models/"+name, "")
		if err := json.Unmarshal([]byte(text), &of); err != nil {
			t.Fatal(err)
		}
		rows := fmt.Sprintf("%s\n%s\n", header, strings.Join(of.Parameters.Example, ","))
		if answer, text := s.do("POST", "/v2/models/"+name+"/predict", rows, "Content-Type", "text/csv"); answer.StatusCode != http.StatusOK {
			t.Errorf("%q: %d %s", rows, answer.StatusCode, text)
		}
	}
}
