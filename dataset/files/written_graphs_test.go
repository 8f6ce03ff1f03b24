package files

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"lapsvm/dataset"
)

// What programs wrote of one graph gives the edges of its table. testdata/written/README.md has the programs.
func TestWrittenGraphs(t *testing.T) {
	folder := filepath.Join(writtenFolder, "graphs")
	named := EdgeRows{Len: 6, Names: []string{"ann", "bea", "cid", "dan", "eva", "fay"}, Named: true}
	want, _, err := ReadEdges(filepath.Join(folder, "edges.csv"), named, Options{})
	if err != nil || want.Len() != 5 {
		t.Fatal(want, err)
	}
	ones := dataset.Edges{From: want.From, To: want.To, Weight: []float64{1, 1, 1, 1, 1}}
	numbered := EdgeRows{Len: 6}
	for _, c := range []struct {
		name string
		rows EdgeRows
		want dataset.Edges
	}{
		{"networkx.gml", named, want}, {"networkx.graphml", named, want}, {"networkx.gexf", named, want}, {"networkx.net", named, want}, {"networkx.edgelist", named, want},
		{"networkx.weighted.edgelist", named, want}, {"networkx.json", named, want}, {"cytoscape.json", named, want}, {"networkx.multiline_adjlist", named, want},
		{"networkx.adjlist", named, ones}, {"igraph.gml", named, want}, {"igraph.graphml", named, want}, {"igraph.ncol", named, want}, {"igraph.lgl", named, want}, {"igraph.net", numbered, want},
		{"matrix.npy", numbered, want}, {"scipy.npz", numbered, want}, {"scipy.mtx", numbered, want}, {"scipy.mat", numbered, want}, {"scipy.mat#network", named, want},
		{"octave.mat", numbered, want}, {"edge_index.npz", numbered, want}, {"gnn.npz", named, want},
	} {
		e, notes, err := ReadEdges(filepath.Join(folder, c.name), c.rows, Options{})
		if err != nil || !reflect.DeepEqual(e, c.want) {
			t.Errorf("%s: %+v, %v, want %+v (%v)", c.name, e, err, c.want, notes)
		}
		text, err := os.ReadFile(filepath.Join(folder, c.name))
		if err != nil || bytes.IndexByte(text, 0) >= 0 { // a variable of a file, or no text
			continue
		}
		for _, end := range []string{"\r", "\r\n"} {
			path := writeText(t, filepath.Join(t.TempDir(), c.name), strings.ReplaceAll(string(text), "\n", end))
			if e, _, err := ReadEdges(path, c.rows, Options{}); err != nil || !reflect.DeepEqual(e, c.want) {
				t.Errorf("%s with the line ends %q: %+v, %v", c.name, end, e, err)
			}
		}
	}
}

// A list whose lines "# node" are nodes is no list of edges with comments: its lines would be other edges. A comment above a list of edges stays one.
func TestNodesAreNoComments(t *testing.T) {
	folder := t.TempDir()
	rows := EdgeRows{Len: 4, Names: []string{"1", "2", "3", "4"}, Named: true}
	for name, c := range map[string]struct {
		text string
		from []int
		to   []int
		says string
	}{
		"a.txt": {"# 1\n2 1\n3 2\n# 4\n2\n", []int{0, 0, 1}, []int{1, 2, 3}, ""},
		"b.lgl": {"# 1\n2 1\n3 2\n", []int{0, 0}, []int{1, 2}, ""},
		"c.txt": {"# edges\n1 2\n3 4\n", []int{0, 2}, []int{1, 3}, ""},
		"d.lgl": {"1 2\n", nil, nil, "neither a node"},
		"e.lgl": {"# 1\n2 x\n", nil, nil, "the weight \"x\" is no number"},
		"f.lgl": {"", nil, nil, "f.lgl"},
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		e, _, err := ReadEdges(path, rows, Options{})
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %q", name, err, c.says)
			}
			continue
		}
		if err != nil || e.Len() != len(c.from) {
			t.Errorf("%s: %+v, %v", name, e, err)
			continue
		}
		for k := range c.from {
			if got := [2]int{min(int(e.From[k]), int(e.To[k])), max(int(e.From[k]), int(e.To[k]))}; got != [2]int{c.from[k], c.to[k]} {
				t.Errorf("%s: edge %d is %v, want %d and %d", name, k, got, c.from[k], c.to[k])
			}
		}
	}
}

// A graph may be in any encoding that it declares, and with any prefix.
func TestEncodingsOfGraphs(t *testing.T) {
	const text = `<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns"><g:graph edgedefault="undirected"><g:node id="Käfer"/><g:node id="Bär"/><g:edge source="Käfer" target='B&#228;r'/></g:graph></g:graphml>`
	latin := bytes.ReplaceAll([]byte(`<?xml version="1.0" encoding="ISO-8859-1"?>`+text), []byte("ä"), []byte("\xe4"))
	wide := []byte("\xff\xfe")
	for _, unit := range utf16.Encode([]rune(`<?xml version="1.0" encoding="UTF-16"?>` + text)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	for name, file := range map[string][]byte{"utf-8": []byte(text), "latin 1": latin, "utf-16": wide} {
		e, _, err := edgesOf(t, "g.graphml", string(file), EdgeRows{Len: 3, Names: []string{"Bär", "Wal", "Käfer"}})
		if err != nil || e.Len() != 1 || e.From[0] != 0 || e.To[0] != 2 {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
	for file, want := range map[string]string{
		`<?xml version="1.0" encoding="x-none"?>` + text: `g.graphml:1: the encoding "x-none" is not known; save the file as UTF-8`,
		text[:len(text)-3]: "g.graphml:1: the XML is damaged or cut off",
		text + "\n<a/>":    "g.graphml:2: the XML is damaged or cut off",
		strings.Replace(text, "B&#228;r", "B&auml;r", 1):      `"&auml;" is no entity of XML itself`,
		strings.Replace(text, "<g:node", "<g:node id='x'", 1): `the attribute "id" is there twice`,
	} {
		if _, _, err := edgesOf(t, "g.graphml", file, EdgeRows{Len: 3}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", file, err, want)
		}
	}
}
