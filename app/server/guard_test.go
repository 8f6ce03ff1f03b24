package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// Who has no token, asks by another name or from another page is refused; the page and health
// are open to all.
func TestWhoMayAsk(t *testing.T) {
	folder := theTwo(t)
	const token = "0123456789abcdef"
	plain, locked := serve(t, folder, func(c *Config) { c.Host = "lab.example" }), serve(t, folder, func(c *Config) { c.Token = token })
	for name, c := range map[string]struct {
		s       *served
		path    string
		headers []string
		want    int
	}{
		"plain":                     {plain, "/v2", nil, 200},
		"by localhost":              {plain, "/v2", []string{"Host", "localhost:1"}, 200},
		"by its name":               {plain, "/v2", []string{"Host", "LAB.example"}, 200},
		"by IPv6":                   {plain, "/v2", []string{"Host", "[::1]:80"}, 200},
		"by another name":           {plain, "/v2", []string{"Host", "evil.example"}, 403},
		"from another site":         {plain, "/v2", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"from another port":         {plain, "/v2", []string{"Sec-Fetch-Site", "same-site"}, 403},
		"from its page":             {plain, "/v2", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		"a token where none is":     {plain, "/v2", []string{"Authorization", "Bearer " + token}, 200},
		"no token":                  {locked, "/v2", nil, 401},
		"no token, a wrong address": {locked, "/v2/models/absent", nil, 401},
		"no token, metrics":         {locked, "/metrics", nil, 401},
		"no token, nothing":         {locked, "/nothing", nil, 401},
		"half a token":              {locked, "/v2", []string{"Authorization", "Bearer " + token[:8]}, 401},
		"another scheme":            {locked, "/v2", []string{"Authorization", "Basic " + token}, 401},
		"an empty token":            {locked, "/v2", []string{"Authorization", "Bearer "}, 401},
		"the token":                 {locked, "/v2", []string{"Authorization", "Bearer " + token}, 200},
		"the token, a proxy's name": {locked, "/v2", []string{"Authorization", "Bearer " + token, "Host", "models.example"}, 200},
		"health":                    {locked, "/v2/health/ready", nil, 200},
		"the page":                  {locked, "/", nil, 200},
		"the document":              {locked, "/openapi.json", nil, 200},
	} {
		answer, text := c.s.do("GET", c.path, "", c.headers...)
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s %s, want %d", name, answer.Status, text, c.want)
		}
		h := answer.Header
		if csp := h.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none';") || strings.Contains(csp, "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", name, h)
		}
		if c.want == 401 && !strings.HasPrefix(h.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%s: %v", name, h)
		}
	}
}

// The page takes nothing from elsewhere, and runs nothing that is not a file of its own.
func TestThePageIsItsOwn(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	_, page := s.do("GET", "/", "")
	for _, name := range []string{"/assets/page.css", "/assets/page.js"} {
		answer, text := s.do("GET", name, "")
		if page += text; answer.StatusCode != http.StatusOK || !strings.Contains(page, name) {
			t.Error(name, answer.Status)
		}
	}
	for _, foreign := range []string{"://", "onclick", "style=", "innerHTML", "eval("} {
		if strings.Contains(page, foreign) {
			t.Errorf("the page has %s", foreign)
		}
	}
}

// A server asked to end answers the requests it has, reports that it is not ready, and takes
// no more.
func TestGracefulEnd(t *testing.T) {
	s := New(Config{Paths: []string{theTwo(t)}, Poll: -1})
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := s.serving.Load().find("moons", "")
	if err != nil {
		t.Fatal(err)
	}
	begun, score, end := make(chan bool), v.batcher.score, make(chan bool)
	v.batcher.score = gate(score, begun, end)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	client := &served{t, s, "http://" + l.Addr().String()}
	got := make(chan int, 1)
	go func() {
		answer, _ := client.do("POST", "/v2/models/moons/infer", oneMoon, "Content-Type", "application/json")
		got <- answer.StatusCode
	}()
	<-begun
	stop()
	for !s.ending.Load() {
		runtime.Gosched()
	}
	if err := s.ready(nil, nil); err == nil || asProblem(err).status != http.StatusServiceUnavailable {
		t.Error(err)
	}
	select {
	case err := <-ended:
		t.Fatal("ended with a request in work", err)
	default:
	}
	close(end)
	if status := <-got; status != http.StatusOK {
		t.Error(status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Error("it takes connections after its end")
	}
}

// Bodies that are sent slowly take no place, and all bodies together have a bound.
func TestSlowBodiesTakeNoPlace(t *testing.T) {
	s := serve(t, theTwo(t), func(c *Config) { c.Limits = Limits{Requests: 1, Body: 100_000, Memory: 150_200} })
	half := func(length string) net.Conn {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if _, err := c.Write([]byte("POST /v2/models/moons/infer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + length + "\r\n\r\n{")); err != nil {
			t.Fatal(err)
		}
		return c
	}
	slow := half("90000")
	for s.s.memory.Load() < 90_000 {
		runtime.Gosched()
	}
	ask := func() (int, string) {
		answer, text := s.do("POST", "/v2/models/moons/infer", oneMoon, "Content-Type", "application/json")
		return answer.StatusCode, text
	}
	if status, text := ask(); status != http.StatusOK {
		t.Error(status, text)
	}
	half("59000")
	for s.s.memory.Load() < 149_000 {
		runtime.Gosched()
	}
	if status, text := ask(); status != http.StatusTooManyRequests || !strings.Contains(text, "other requests and their answers") {
		t.Error(status, text)
	}
	slow.Close()
	for s.s.memory.Load() > 89_000 {
		runtime.Gosched()
	}
	if status, text := ask(); status != http.StatusOK {
		t.Error(status, text)
	}
}

// pipes is a listener of connections without buffers: a write waits for its reader.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, is := <-p; is {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// An answer that is not read takes no place, but its bytes are counted until it is.
func TestSlowReadersTakeNoPlace(t *testing.T) {
	s := New(Config{Paths: []string{theTwo(t)}, Poll: -1, Limits: Limits{Requests: 1}})
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	l := make(pipes)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	const rows = 300 // whose answer fills the buffers of net/http
	body := fmt.Sprintf(`{"inputs":[{"name":"points","shape":[%d,2],"datatype":"FP64","data":[0%s]}]}`, rows, strings.Repeat(",1", 2*rows-1))
	ask := func() net.Conn {
		ours, theirs := net.Pipe()
		l <- theirs
		if _, err := fmt.Fprintf(ours, "POST /v2/models/moons/infer HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
		return ours
	}
	slow := ask()
	answer := make([]byte, 1)
	if _, err := io.ReadFull(slow, answer); err != nil { // it begins
		t.Fatal(err)
	}
	if n := len(s.places); n != 0 {
		t.Errorf("%d places are taken by who reads slowly", n)
	}
	held := s.memory.Load()
	text, err := io.ReadAll(ask())
	if err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 200") || held < 10_000 {
		t.Errorf("%d bytes held; %s %v", held, text, err)
	}
	rest, err := io.ReadAll(slow)
	if got := string(answer) + string(rest); err != nil || len(got) != len(text) {
		t.Error(got, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if held := s.memory.Load(); held != 0 {
		t.Errorf("%d bytes are held by nobody", held)
	}
}

// A failure of the server itself is an answer in words, with its reason in the log alone.
func TestFailuresOfTheServer(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	v, err := s.s.serving.Load().find("moons", "")
	if err != nil {
		t.Fatal(err)
	}
	g := &gated{make(chan int, 9), make(chan struct{})}
	close(g.end)
	v.batcher.score = g.score
	answer, text := s.do("POST", "/v2/models/moons/infer", strings.Replace(oneMoon, "0.5", "-2", 1), "Content-Type", "application/json")
	if answer.StatusCode != http.StatusInternalServerError || strings.Contains(text, "no such number") {
		t.Error(answer.Status, text)
	}
}

// A long address is cut in the log.
func TestLongAddressesInTheLog(t *testing.T) {
	var log bytes.Buffer
	s := serve(t, theTwo(t), func(c *Config) { c.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	log.Reset()
	if answer, _ := s.do("GET", "/"+strings.Repeat("a", 10_000), ""); answer.StatusCode != http.StatusNotFound {
		t.Error(answer.Status)
	}
	if text := log.String(); len(text) > 1000 || !strings.Contains(text, "/aaa") {
		t.Errorf("%d bytes of log: %.300s", len(text), text)
	}
}
