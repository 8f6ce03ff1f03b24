package labelpage

import (
	"fmt"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/task"
	"lapsvm/points"
)

// A point is explained as predict does it: by the columns of a table, the words of a text, the parts of a picture, the neighbours of edges.
func TestWhy(t *testing.T) {
	read := func(name, text string, o files.Options) *dataset.Dataset {
		t.Helper()
		o.Keep, o.MayLackLabels, o.Format = true, true, "csv"
		d, err := files.Read(strings.NewReader(text), name, o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	var table, texts strings.Builder
	table.WriteString("tenure,note\n")
	texts.WriteString("post\n")
	for i := range 40 {
		fmt.Fprintf(&table, "%d,%d\n", 50*(i%2)+i/9, i*i%5)
		fmt.Fprintf(&texts, "\"%s and %s\"\n", []string{"the rocket in its orbit", "the goalkeeper saved a penalty"}[i%2], []string{"then it rained", "so it was told", "as we heard", "and nobody knew why"}[i/2%4])
	}
	values := make([]float64, 40*36)
	for i := range 40 {
		for at := range 36 {
			if i%2 == 0 == (at%6 < 3) {
				values[36*i+at] = 0.8 + float64(i%5)/50
			}
		}
	}
	pictures := &dataset.Dataset{Points: points.Dense(40, 36, values), Image: dataset.Image{Width: 6, Height: 6}}
	var arcs []dataset.Arc
	start, index, ones := []int{0}, []int32(nil), []float64(nil) // as rows without a feature are
	for i := range 40 {
		start, index, ones = append(start, i+1), append(index, int32(i)), append(ones, 1)
		arcs = append(arcs, dataset.Arc{From: i, To: (i + 2) % 40, Weight: 1}, dataset.Arc{From: i, To: (i + 4) % 40, Weight: 1})
	}
	edges := &dataset.Dataset{Points: points.CSR(40, start, index, ones), Featureless: true}
	edges.Edges, _ = dataset.NewEdges(arcs)
	for name, c := range map[string]struct {
		data *dataset.Dataset
		want []string // in the sentence
		kind task.Kind
	}{
		"table":    {read("table.csv", table.String(), files.Options{}), []string{"right, ", "tenure = 5", "(usual "}, task.Kind{}},
		"text":     {read("text.csv", texts.String(), files.Options{Text: []string{"post"}}), []string{"right, ", `" in post`}, task.Kind{}},
		"pictures": {pictures, []string{"right, ", "the part in ", "17–33 % across, 33–50 % down"}, task.Kind{}},
		"edges":    {edges, []string{"right, ", "the edge to "}, task.Kind{}},
		"numbers":  {read("table.csv", table.String(), files.Options{}), []string{"tenure = 5"}, task.Numbers()},
	} {
		labels, classes := make([]int, 40), []string{"left", "right"}
		for i := range labels {
			if labels[i] = -1; i < 16 {
				labels[i] = i % 2
			}
		}
		if name == "numbers" {
			classes = []string{"10", "200"}
		}
		for range 40 {
			c.data.Y = append(c.data.Y, dataset.Unlabelled)
		}
		c.data.Y, c.data.Classes = c.data.Y[:40], classes
		r := lapsvm.Recipe{RulesOfThumb: true, Kind: c.kind}
		if name == "edges" {
			r.Graph.EdgesAlone = true
		}
		m, err := Learning(lapsvm.Trainer{Recipe: r})(t.Context(), c.data, labels, classes, func(string, float64) {})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		explain, err := m.Explainer()(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said, err := explain(t.Context(), 31)
		if err != nil || len(said) != 1 {
			t.Fatalf("%s: %q, %v", name, said, err)
		}
		for _, want := range c.want {
			if !strings.Contains(said[0], want) {
				t.Errorf("%s: %q lacks %q", name, said[0], want)
			}
		}
		m.Close()
	}
}
