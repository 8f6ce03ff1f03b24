package server

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
)

// lengths makes vectors of texts by their lengths, until it fails.
type lengths struct{ failed error }

func (l lengths) Source() dataset.EmbeddedBy {
	return dataset.EmbeddedBy{Kind: "command", Hash: "0123456789abcdef"}
}

func (l lengths) Embed(inputs []string, _ bool) ([][]float32, error) {
	if l.failed != nil {
		return nil, l.failed
	}
	all := make([][]float32, len(inputs))
	for i, text := range inputs {
		all[i] = []float32{float32(len(text)), float32(strings.Count(text, "o"))}
	}
	return all, nil
}

// Where vectors cannot be made the client is told so, and nothing of what was to make them; the log says all.
func TestVectorsOfRequests(t *testing.T) {
	m := trained(t, posts, files.Options{Embedder: lengths{}})
	folder := t.TempDir()
	save(t, m, filepath.Join(folder, "m.lapsvm"))
	var log bytes.Buffer
	var by dataset.Embedder = lengths{}
	s := serve(t, folder, func(c *Config) {
		c.Embedder = func(context.Context) (dataset.Embedder, error) { return by, nil }
		c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	})
	if all := s.s.Embedded(); len(all) != 1 || all[0] != (lengths{}).Source() {
		t.Errorf("%+v", all)
	}
	ask := func(want int) string {
		t.Helper()
		answer, text := s.do("POST", "/v2/models/m/predict", "text\na rocket\n", "Content-Type", "text/csv")
		if answer.StatusCode != want {
			t.Errorf("%d, want %d: %s", answer.StatusCode, want, text)
		}
		return text
	}
	ask(http.StatusOK)
	by = lengths{errors.New("the command KEY=secret sh embed.sh ended with exit status 3: no such host")}
	if text := ask(http.StatusBadGateway); strings.Contains(text, "secret") || !strings.Contains(text, "its log says why") {
		t.Error(text)
	}
	by = lengths{context.DeadlineExceeded}
	ask(http.StatusServiceUnavailable)
	by = nil
	if text := ask(http.StatusBadGateway); strings.Contains(text, "0123456789ab") {
		t.Error(text)
	}
	for end := time.Now().Add(5 * time.Second); !strings.Contains(log.String(), "KEY=secret") && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if !strings.Contains(log.String(), "KEY=secret sh embed.sh ended with exit status 3") {
		t.Error(log.String())
	}
}
