package server

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/task"
)

// A model of ordered classes names them from the lowest, and a set has its label and all classes between two.
func TestOrdered(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,label\n")
	order := []string{"low", "medium", "high", "top"}
	for i := range 80 {
		label := ""
		if i%2 == 0 {
			label = order[min(3, max(0, (i+[]int{-9, 0, 3, 9, 0}[i%5])/20))]
		}
		fmt.Fprintf(&b, "%g,%s\n", float64(i)/20, label)
	}
	d, err := files.Read(strings.NewReader(b.String()), "steps.csv", files.Options{Format: files.CSV, Label: "label"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kind: task.Ordered(order...), RulesOfThumb: true, Calibrate: true}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := m.Save(filepath.Join(folder, "steps.lapsvm")); err != nil {
		t.Fatal(err)
	}
	s := serve(t, folder, nil)
	w := witnessOf(t, s)
	var described struct {
		Parameters struct {
			Classes []string
			Ordered bool
		}
	}
	if err := json.Unmarshal([]byte(w.do(s, "GET", "/v2/models/steps", "")), &described); err != nil {
		t.Fatal(err)
	}
	if !described.Parameters.Ordered || !slices.Equal(described.Parameters.Classes, order) {
		t.Errorf("described as %+v", described.Parameters)
	}
	var rows []string
	for i := range 80 {
		rows = append(rows, fmt.Sprintf(`{"x":%g}`, float64(i)/20))
	}
	several, wider := 0, 0
	for _, level := range []string{"0.95", "0.7"} {
		var said struct {
			Labels []string
			Sets   [][]string
		}
		text := w.do(s, "POST", "/v2/models/steps/predict?set="+level, "["+strings.Join(rows, ",")+"]", "Content-Type", "application/json")
		if err := json.Unmarshal([]byte(text), &said); err != nil || len(said.Sets) != len(rows) {
			t.Fatalf("%v: %s", err, text)
		}
		for i, set := range said.Sets {
			if len(set) > 1 {
				several++
			}
			var ranks []int
			for _, name := range set {
				ranks = append(ranks, slices.Index(order, name))
			}
			if len(set) > 0 && (slices.Max(ranks)-slices.Min(ranks) != len(set)-1 || !slices.Contains(set, said.Labels[i])) {
				t.Errorf("level %s, row %d with the label %s has the set %v", level, i+1, said.Labels[i], set)
			}
			if len(set) > 0 && set[0] != said.Labels[i] {
				wider++
			}
		}
	}
	if several == 0 || wider == 0 {
		t.Errorf("%d sets have two classes, and of %d the label is not the most probable class", several, wider)
	}
}
