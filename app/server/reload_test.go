package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lapsvm"
	"lapsvm/dataset/files"
)

// While a model is replaced by 100 others, no request fails. Every answer is that of the
// one model with the checksum in the answer, also where the rows are computed in pieces.
func TestReloadUnderLoad(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m"+Ending)
	models := []*lapsvm.Model{trained(t, blobs(40, 3, 2, 1), files.Options{}), trained(t, blobs(50, 3, 3, 2), files.Options{}), trained(t, blobs(44, 3, 2, 3), files.Options{})}
	save(t, models[0], path)
	s := serve(t, folder, func(c *Config) { c.Limits.Batch = 7 })
	rows := inFormat(t, blobs(30, 3, 2, 9), "csv")
	right := make(map[string]string) // the answer of the file with a checksum
	learn := func(m *lapsvm.Model) {
		v, err := (*s.s.serving.Load()).find("m", "")
		if err != nil {
			t.Fatal(err)
		}
		right[v.checksum] = command(t, m, rows, "csv")
	}
	learn(models[0])
	type said struct{ checksum, csv string }
	answers := make(chan said, 100_000)
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				answer, text := s.do("POST", "/v2/models/m/predict?scores=true&proba=true&set=0.7", string(rows), "Content-Type", "text/csv", "Accept", "text/csv")
				if answer.StatusCode != http.StatusOK {
					t.Errorf("%d %s", answer.StatusCode, text)
					return
				}
				answers <- said{answer.Header.Get(headerModel), text}
			}
		})
	}
	const versions = 100
	for k := range versions {
		m := models[(k+1)%len(models)]
		save(t, m, path)
		if err := s.s.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		learn(m)
	}
	close(stop)
	clients.Wait()
	close(answers)
	seen := make(map[string]int)
	for a := range answers {
		_, checksum, _ := strings.Cut(a.checksum, " ")
		if want, known := right[checksum]; !known || a.csv != want {
			t.Fatalf("%s: a mixture:\n%s\nwant\n%s", a.checksum, a.csv, want)
		}
		seen[checksum]++
	}
	if len(right) != len(models) || len(seen) == 0 {
		t.Errorf("%d models, answers by %v", len(right), seen)
	}
}

// Half of a file, as a copy that goes on has it, is not served: the model before stays, and
// the whole file comes in once it is there. So for a file that is cut, or has a wrong byte.
func TestHalfCopiedFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m"+Ending)
	old, next := trained(t, blobs(40, 3, 2, 1), files.Options{}), trained(t, blobs(50, 3, 2, 2), files.Options{})
	save(t, old, path)
	s := serve(t, folder, nil)
	rows := string(inFormat(t, blobs(10, 3, 2, 9), "csv"))
	ask := func() string {
		answer, text := s.do("POST", "/v2/models/m/predict?scores=true&proba=true&set=0.7", rows, "Content-Type", "text/csv", "Accept", "text/csv")
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%d %s", answer.StatusCode, text)
		}
		return text
	}
	before, after := command(t, old, []byte(rows), "csv"), command(t, next, []byte(rows), "csv")
	var whole bytes.Buffer
	if err := next.Write(&whole); err != nil {
		t.Fatal(err)
	}
	wrong := bytes.Clone(whole.Bytes())
	wrong[len(wrong)/2] ^= 1
	for _, part := range [][]byte{nil, whole.Bytes()[:10], whole.Bytes()[:whole.Len()/2], whole.Bytes()[:whole.Len()-1], wrong} {
		if err := os.WriteFile(path, part, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := s.s.Reload(t.Context()); err == nil {
			t.Errorf("%d bytes of %d are a model", len(part), whole.Len())
		}
		if ask() != before {
			t.Errorf("%d bytes of %d: another answer", len(part), whole.Len())
		}
	}
	if err := os.WriteFile(path, whole.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.s.Reload(t.Context()); err != nil || ask() != after {
		t.Error("the whole file is not served", err)
	}
}

// Folders hold models and their versions; the latest version answers. Removed files are no
// longer served, new ones are. Other files are left alone.
func TestFoldersOfModels(t *testing.T) {
	folder := t.TempDir()
	m := trained(t, blobs(40, 3, 2, 1), files.Options{})
	for _, name := range []string{"a", "b/2", "b/10", "b/9", ".hidden", "b/.10.tmp"} {
		save(t, m, filepath.Join(folder, name+Ending))
	}
	if err := os.WriteFile(filepath.Join(folder, "readme.txt"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, folder, nil)
	list := func() string { _, text := s.do("GET", "/v2/models", ""); return strings.TrimSpace(text) }
	if got := list(); got != `{"models":[{"name":"a","versions":["1"]},{"name":"b","versions":["2","9","10"]}]}` {
		t.Error(got)
	}
	var body modelBody
	if _, text := s.do("GET", "/v2/models/b", ""); json.Unmarshal([]byte(text), &body) != nil || body.Parameters.Version != "10" {
		t.Error(text)
	}
	if answer, _ := s.do("GET", "/v2/models/b/versions/2/ready", ""); answer.StatusCode != http.StatusOK {
		t.Error(answer.Status)
	}
	for _, gone := range []string{"a", "b/10"} {
		if err := os.Remove(filepath.Join(folder, gone+Ending)); err != nil {
			t.Fatal(err)
		}
	}
	save(t, m, filepath.Join(folder, "c", "first"+Ending))
	if err := s.s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := list(); got != `{"models":[{"name":"b","versions":["2","9"]},{"name":"c","versions":["first"]}]}` {
		t.Error(got)
	}
	if answer, _ := s.do("GET", "/v2/models/a", ""); answer.StatusCode != http.StatusNotFound {
		t.Error(answer.Status)
	}
	if _, text := s.do("GET", "/metrics", ""); strings.Contains(text, `model="a"`) || !strings.Contains(text, `model="c"`) {
		t.Error("metrics tell of what is gone, or do not of what came")
	}
}

// A file that was named stays served when it is gone, and two of one name are refused.
func TestNamedFiles(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m"+Ending)
	save(t, trained(t, blobs(40, 3, 2, 1), files.Options{}), path)
	s := New(Config{Paths: []string{path}})
	if err := s.Reload(t.Context()); err != nil || s.Models() != 1 {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(t.Context()); err == nil || s.Models() != 1 {
		t.Error(err, s.Models())
	}
	other := filepath.Join(folder, "other", "m"+Ending)
	save(t, trained(t, blobs(40, 3, 2, 1), files.Options{}), other)
	if err := New(Config{Paths: []string{path, other}}).Reload(t.Context()); err == nil || !strings.Contains(err.Error(), "both version 1 of the model m") {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Reload(ctx); err == nil {
		t.Error("a reload goes on when it is to end")
	}
}

// Versions are ordered as people count.
func TestOrderOfVersions(t *testing.T) {
	order := []string{"alpha", "v1.2", "v1.10", "v2", "1", "2", "10", "20250101"}
	for k, a := range order {
		for j, b := range order {
			if got := compareVersions(a, b); (got < 0) != (k < j) || (got > 0) != (k > j) {
				t.Error(fmt.Sprint(a, " and ", b, ": ", got))
			}
		}
	}
}
