package server

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
)

// zipped returns a text as gzip.
func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Bodies may be packed with gzip: the answers are those of the same bodies as they are.
func TestPackedBodies(t *testing.T) {
	s := serve(t, theTwo(t), nil)
	for path, c := range map[string]struct{ media, body string }{
		"/v2/models/moons/predict?proba=true": {"text/csv", "x,y\n1,2\n3,4\n"},
		"/v2/models/moons/infer":              {"application/json", `{"inputs":[{"name":"points","shape":[1,2],"datatype":"FP64","data":[1,2]}]}`},
	} {
		_, plain := s.do("POST", path, c.body, "Content-Type", c.media)
		for _, encoding := range []string{"gzip", "GZIP", "x-gzip"} {
			answer, text := s.do("POST", path, zipped(t, c.body), "Content-Type", c.media, "Content-Encoding", encoding)
			if answer.StatusCode != http.StatusOK || text != plain {
				t.Errorf("%s, %s: %d %s, want %s", path, encoding, answer.StatusCode, text, plain)
			}
		}
	}
}

// What is no gzip, ends early, or is large only once it is unpacked, is refused in words.
func TestPackedBodiesThatAreNone(t *testing.T) {
	const limit = 1000
	s := serve(t, theTwo(t), func(c *Config) { c.Limits = Limits{Body: limit, Memory: 1 << 20} })
	good := zipped(t, "x,y\n1,2\n")
	damaged := []byte(good)
	damaged[len(damaged)-5] ^= 1 // of the checksum
	for name, c := range map[string]struct {
		body, encoding string
		status         int
		words          string
	}{
		"plain":     {"x,y\n1,2 and so on\n", "gzip", 400, "but the body is not"},
		"empty":     {"", "gzip", 400, "ended before its end"},
		"cut":       {good[:len(good)-10], "gzip", 400, "ended before its end"},
		"damaged":   {string(damaged), "gzip", 400, "but the body is not"},
		"unpacked":  {zipped(t, strings.Repeat("x", limit+1)), "gzip", 413, "more than 1000 bytes"},
		"something": {good, "br", 415, "or with gzip"},
		"twice":     {good, "gzip, gzip", 415, "or with gzip"},
	} {
		answer, text := s.do("POST", "/v2/models/moons/predict", c.body, "Content-Type", "text/csv", "Content-Encoding", c.encoding)
		if answer.StatusCode != c.status || !strings.Contains(text, c.words) {
			t.Errorf("%s: %d %s", name, answer.StatusCode, text)
		}
		if taken := answer.Header.Get("Accept-Encoding"); (taken == "gzip") != (c.status == 415) {
			t.Errorf("%s: Accept-Encoding %q", name, taken)
		}
	}
	if held := s.s.memory.Load(); held != 0 {
		t.Errorf("%d bytes are held when all is answered", held)
	}
}
