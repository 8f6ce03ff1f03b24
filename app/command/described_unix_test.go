//go:build unix

package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/testing/drawn"
)

// describedSets writes sets whose points are described, with labels for some rows. One has pictures that are told by their columns.
// The others have texts, vectors, numbers and categories, once with vectors of words.
func describedSets(t *testing.T, folder string) []servedSet {
	t.Helper()
	bars, _ := drawn.Few(drawn.Bars(80, 12, 3), 16)
	bars.Image = dataset.Image{}
	var pictures bytes.Buffer
	if err := files.Write(&pictures, bars, files.WriteOptions{Format: files.CSV}); err != nil {
		t.Fatal(err)
	}
	var notes, words strings.Builder
	notes.WriteString("size,place,colour,")
	lines := strings.Split(strings.TrimSpace(drawn.Notes(80, 16, 3)), "\n")
	notes.WriteString("note,label\n")
	for i, line := range lines[1:] {
		fmt.Fprintf(&notes, "%g,\"[%g, %g, %g]\",%s,%s\n", 0.5*float64(i%7), float64(i%5)-2, 0.25*float64(i%3), float64(i%2), []string{"red", "green", "blue"}[i%3], line)
	}
	for k := 100; k < 140; k++ {
		for j, stem := range []string{"garden", "harbour", "common"} {
			fmt.Fprintf(&words, "%s%d %g %g\n", stem, k, float64(j-1)+0.01*float64(k%7), 0.1*float64(k%5))
		}
	}
	table := file(t, folder, "notes.csv", notes.String())
	vectors := file(t, folder, "words.vec", words.String())
	return []servedSet{
		{"pictures", file(t, folder, "pictures.csv", pictures.String()), false, []string{"--describe", "hog,patches", "--neighbours", "6"}},
		{"table", table, true, []string{"--text", "note", "--describe", "latent,numbers,vectors", "--neighbours", "6"}},
		{"words", table, true, []string{"--text", "note", "--word-vectors", vectors, "--describe", "word-vectors,numbers,vectors", "--neighbours", "6"}},
	}
}

// Rows of described points are served in every format with the bits that predict prints.
func TestServedDescribed(t *testing.T) {
	folder := t.TempDir()
	models := filepath.Join(folder, "models")
	if err := os.Mkdir(models, 0o777); err != nil {
		t.Fatal(err)
	}
	sets := describedSets(t, folder)
	for _, set := range sets {
		trainOn(t, set.data, filepath.Join(models, set.name+".lapsvm"), set.flags...)
	}
	s := startServing(t, models)
	for _, set := range sets {
		for _, c := range chunksOf(t, set, filepath.Join(models, set.name+".lapsvm"), 3) {
			if err := c.ask(s); err != nil {
				t.Error(err)
			}
		}
	}
	s.end(t)
}

// A label page that all labels opened decides described points as the model does that it gives away. By the recipe of that model the labels of the
// store train it again, to the bits.
func TestLabelDescribed(t *testing.T) {
	folder := t.TempDir()
	for _, set := range describedSets(t, folder) {
		t.Run(set.name, func(t *testing.T) {
			store := filepath.Join(folder, set.name+".db")
			flags := append([]string{set.data, "--store", store, "--quiet"}, set.flags...)
			first := labellingPage(t, flags...)
			if text, code, _ := first.post("/api/events", `{"person":"anna","events":[{"key":"a","kind":"label","row":21,"class":0},{"key":"b","kind":"label","row":22,"class":1}]}`); code != http.StatusOK {
				t.Fatal(text)
			}
			first.kill()
			l := labellingPage(t, flags...)
			defer l.kill()
			var state struct {
				Version int64
				Classes []struct{ Name string }
				Model   struct {
					Version int64
					Busy    bool
				}
			}
			for end := time.Now().Add(time.Minute); state.Version == 0 || state.Model.Busy || state.Model.Version < state.Version; time.Sleep(20 * time.Millisecond) {
				answer, _ := l.get(t, "/api/state")
				if err := json.Unmarshal([]byte(answer), &state); err != nil || time.Now().After(end) {
					t.Fatalf("not learnt: %v %.300s", err, answer)
				}
			}
			var shown struct {
				Points []struct {
					Prediction *struct {
						Class         int
						Probabilities []struct {
							Class int
							P     float64
						}
					}
				}
			}
			var rows []string
			for k := range 80 {
				rows = append(rows, strconv.Itoa(k+1))
			}
			answer, _ := l.get(t, "/api/points?predictions=1&person=ben&rows="+strings.Join(rows, ","))
			if err := json.Unmarshal([]byte(answer), &shown); err != nil || len(shown.Points) != 80 {
				t.Fatalf("%v %.300s", err, answer)
			}
			text, code := l.get(t, "/api/export/model.lapsvm")
			if code != http.StatusOK {
				t.Fatalf("%.300s", text)
			}
			model := file(t, folder, set.name+".lapsvm", text)
			predicted := succeed(t, "predict", model, set.data, "--scores", "--proba", "--quiet")
			lines, err := csv.NewReader(strings.NewReader(predicted)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for k, p := range shown.Points {
				if p.Prediction == nil || state.Classes[p.Prediction.Class].Name != lines[k+1][0] {
					t.Fatalf("row %d: the page says %+v, its model %v", k+1, p.Prediction, lines[k+1])
				}
				for _, share := range p.Prediction.Probabilities {
					at := slices.Index(lines[0], "proba_"+state.Classes[share.Class].Name)
					if want, err := strconv.ParseFloat(lines[k+1][at], 64); err != nil || !(math.Abs(share.P-want) <= 1e-6) {
						t.Errorf("row %d: the page says %v, its model %v (%v)", k+1, share, lines[k+1], err)
					}
				}
			}
			again := filepath.Join(folder, "again.lapsvm")
			args := []string{"train", set.data, "--labels", store, "--recipe", model, "-o", again, "--quiet"}
			for k, flag := range set.flags {
				if flag == "--text" || flag == "--word-vectors" {
					args = append(args, set.flags[k:k+2]...)
				}
			}
			succeed(t, args...)
			if got := succeed(t, "predict", again, set.data, "--scores", "--proba", "--quiet"); got != predicted {
				t.Error("the store's labels train another model by the recipe of the page's")
			}
		})
	}
}
