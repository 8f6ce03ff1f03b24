//go:build unix

package command

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// get asks for an address, and returns the answer with its status.
func (l *labeller) get(t *testing.T, path string) (text string, code int) {
	t.Helper()
	a, err := l.browser.Get(l.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	all, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(all), a.StatusCode
}

// Exports of the page of a folder of images work with the other commands: labels come in
// by --import, the model predicts, and the report is a page that stands alone.
func TestLabelExports(t *testing.T) {
	classed, _ := photos(t)
	folder := filepath.Join(t.TempDir(), "shots")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"blue/0.png", "blue/1.png", "blue/2.png", "blue/3.png", "red/0.png", "red/1.png", "red/2.png", "red/3.png"} {
		if err := os.Rename(filepath.Join(classed, name), filepath.Join(folder, strings.ReplaceAll(name, "/", ""))); err != nil {
			t.Fatal(err)
		}
	}
	flags := []string{folder, "--image-size", "5x3", "--image-colour", "--neighbours", "2"}
	l := labellingPage(t, append(flags, "--classes", "blue,red", "--store", filepath.Join(t.TempDir(), "a.db"))...)
	defer l.kill()
	for _, name := range []string{"model.lapsvm", "report.html"} {
		if text, code := l.get(t, "/api/export/"+name); code != http.StatusConflict || !strings.Contains(text, "label rows of two classes first") {
			t.Errorf("%s without a label: %d %.200s", name, code, text)
		}
	}
	if text, code, _ := l.post("/api/events", `{"person":"anna","events":[{"key":"a","kind":"label","row":1,"class":0},{"key":"b","kind":"label","row":2,"class":0},
		{"key":"c","kind":"label","row":5,"class":1},{"key":"d","kind":"label","row":6,"class":1}]}`); code != http.StatusOK {
		t.Fatal(text)
	}
	labels, _ := l.get(t, "/api/export/labels.csv")
	if want := "file,label\nblue0.png,blue\nblue1.png,blue\nred0.png,red\nred1.png,red\n"; labels != want {
		t.Errorf("%q in place of %q", labels, want)
	}
	report, code := l.get(t, "/api/export/report.html")
	if lower := strings.ToLower(report); code != http.StatusOK || !strings.HasPrefix(lower, "<!doctype html>") || !strings.Contains(lower, "shots") || strings.Contains(lower, "src=\"http") {
		t.Errorf("the report: %d %.300s", code, report)
	}
	text, code := l.get(t, "/api/export/model.lapsvm")
	if code != http.StatusOK {
		t.Fatalf("%d %.200s", code, text)
	}
	model := file(t, folder+"/..", "made.lapsvm", text)
	predicted := succeed(t, "predict", model, folder)
	for _, want := range []string{"blue3.png,blue", "red3.png,red"} {
		if !strings.Contains(predicted, want) {
			t.Errorf("no %q in the predictions of the model:\n%s", want, predicted)
		}
	}
	again := labellingPage(t, append(flags, "--import", file(t, folder+"/..", "labels.csv", labels), "--store", filepath.Join(t.TempDir(), "b.db"))...)
	defer again.kill()
	var state struct{ Counts struct{ Labelled int } }
	answer, _ := again.get(t, "/api/state")
	if err := json.Unmarshal([]byte(answer), &state); err != nil || state.Counts.Labelled != 4 {
		t.Errorf("%d labels came in, not 4: %v", state.Counts.Labelled, err)
	}
}
