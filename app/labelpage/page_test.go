package labelpage

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/app/labelpage/store"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// page is a server under test, with a client that has the token.
type page struct {
	t       *testing.T
	url     string
	server  *Server
	machine *control
}

// table reads a table of n unlabelled rows, with points on two lines.
func table(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	var b strings.Builder
	b.WriteString("x,name,label\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,\"point %d, of %d\",\n", i/2+1000*(i%2), i, n)
	}
	d, err := files.Read(strings.NewReader(b.String()), "points.csv", files.Options{Format: "csv", Label: "label", ID: []string{"name"}, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// served serves data, until the test ends.
func served(t *testing.T, c *Content, change func(*Config, *control)) *page {
	t.Helper()
	hashes, err := c.Hashes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "labels.db"), store.Data{Name: "points.csv", Hashes: hashes, RowIs: c.Called})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	p := &page{t: t, machine: new(control)}
	config := Config{Name: "points.csv", Content: c, Store: s, Open: func(_ context.Context, d *dataset.Dataset, labels []int, _ []string, _ func(string, float64)) (Machine, error) {
		return &nearest{p.machine, d, slices.Clone(labels), nil, p.machine.opened.Add(1)}, nil
	}}
	if change != nil {
		change(&config, p.machine)
	}
	p.server = New(config)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.server.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	p.url = "http://" + l.Addr().String()
	return p
}

// do sends a request and returns the status and the body.
func (p *page) do(method, path, body string) (int, string) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.server.token)
	r.Header.Set("Origin", p.url)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// get reads the JSON of an address.
func (p *page) get(path string, to any) {
	p.t.Helper()
	code, text := p.do("GET", path, "")
	if code != http.StatusOK {
		p.t.Fatalf("%s: %d %s", path, code, text)
	}
	if err := json.Unmarshal([]byte(text), to); err != nil {
		p.t.Fatalf("%s: %v in %s", path, err, text)
	}
}

// post sends events of a person and returns the answer.
func (p *page) post(person string, events ...sent) taken {
	p.t.Helper()
	for k := range events {
		if events[k].Key == "" {
			events[k].Key = fmt.Sprint(p.t.Name(), person, p.server.version(), k)
		}
	}
	body, err := json.Marshal(sentEvents{person, events})
	if err != nil {
		p.t.Fatal(err)
	}
	code, text := p.do("POST", "/api/events", string(body))
	var answer taken
	if err := json.Unmarshal([]byte(text), &answer); code != http.StatusOK || err != nil {
		p.t.Fatalf("%s: %d %s", body, code, text)
	}
	return answer
}

func class(c int) *int { return &c }

// learnt waits until the machine has learnt all that the store has, told by the stream.
func (p *page) learnt() pageState {
	p.t.Helper()
	return p.until(func(s pageState) bool { return s.Model.Version == s.Version && !s.Model.Busy })
}

func (p *page) until(done func(pageState) bool) pageState {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), "GET", p.url+"/api/stream", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.server.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data: ") {
			var s pageState
			if p.get("/api/state", &s); done(s) {
				return s
			}
		}
	}
	p.t.Fatal("the stream ended")
	return pageState{}
}
