package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Graphs, and tables as pandas writes them in other ways, are called by their names where rows are wanted.
func TestGraphsAreNoRows(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.graphml", "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph/></graphml>", `is a graph (GraphML), which has edges and no rows: give it with Dataset.Edges`},
		{"a.csv", "graph [\n  node [\n    id 0\n  ]\n]\n", "is a graph (GML)"},
		{"a.csv", "<gexf><graph/></gexf>", "is a graph (GEXF)"},
		{"a.csv", "*Vertices 2\n1 \"a\"\n", "is a graph (Pajek)"},
		{"a.csv", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", "is a graph (Matrix Market)"},
		{"a.json", `{"directed": false, "nodes": [{"id": 0}], "edges": []}`, "is a graph (JSON of nodes and links)"},
		{"a.csv", ">>graph6<<C~\n", "is graph6 of networkx"},
		{"a.csv", "<?xml version=\"1.0\"?>\n<rows/>", "is XML of a kind which is not read"},
		{"a.json", "[[1,2],[3,4]]", `the row is a list, as pandas writes it with orient="values"`},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.20q: %v, want %s", c.name, c.text, err, c.want)
		}
	}
	if d, err := Read(strings.NewReader("{\"nodes\":[1,2],\"label\":\"a\"}\n{\"nodes\":[3,4],\"label\":\"b\"}\n"), "a.jsonl", Options{}); err != nil || d.Points.Dim() != 2 {
		t.Errorf("a vector called nodes: %v", err)
	}
}

// The advice on text without a mark names the encoding by the places of its zero bytes.
func TestUnmarkedCharset(t *testing.T) {
	const text = "x,y,label\n1,2,a\n"
	for name, zeros := range map[string][2]int{"utf-16le": {0, 1}, "utf-16be": {1, 0}, "utf-32le": {0, 3}, "utf-32be": {3, 0}} {
		var b strings.Builder
		for _, c := range []byte(text) {
			b.WriteString(strings.Repeat("\x00", zeros[0]) + string(rune(c)) + strings.Repeat("\x00", zeros[1]))
		}
		if _, err := Read(strings.NewReader(b.String()), "a.csv", Options{}); err == nil || !strings.Contains(err.Error(), `give Options{Charset: "`+name+`"}`) {
			t.Errorf("%s: %v", name, err)
		}
		if d, err := Read(strings.NewReader(b.String()), "a.csv", Options{Charset: name}); err != nil || d.Points.At(0, 1) != 2 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
