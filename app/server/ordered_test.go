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

// A model of ordered classes names them from the lowest, and its sets are all classes between two.
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
	var said struct{ Sets [][]string }
	text := w.do(s, "POST", "/v2/models/steps/predict?set=0.95", `[{"x":0.1},{"x":1},{"x":2},{"x":3.9}]`, "Content-Type", "application/json")
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatal(err)
	}
	several := 0
	for i, set := range said.Sets {
		if len(set) > 1 {
			several++
		}
		var ranks []int
		for _, name := range set {
			ranks = append(ranks, slices.Index(order, name))
		}
		if len(set) > 0 && slices.Max(ranks)-slices.Min(ranks) != len(set)-1 {
			t.Errorf("row %d has the set %v", i+1, set)
		}
	}
	if several == 0 {
		t.Errorf("no set has two classes: %s", text)
	}
}
