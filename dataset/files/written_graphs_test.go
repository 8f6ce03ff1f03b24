package files

import (
	"path/filepath"
	"reflect"
	"testing"

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
	ones := &dataset.Edges{From: want.From, To: want.To, Weight: []float64{1, 1, 1, 1, 1}}
	numbered := EdgeRows{Len: 6}
	for _, c := range []struct {
		name string
		rows EdgeRows
		want *dataset.Edges
	}{
		{"networkx.gml", named, want}, {"networkx.graphml", named, want}, {"networkx.gexf", named, want}, {"networkx.net", named, want}, {"networkx.edgelist", named, want},
		{"networkx.weighted.edgelist", named, want}, {"networkx.json", named, want}, {"cytoscape.json", named, want}, {"networkx.multiline_adjlist", named, want},
		{"networkx.adjlist", named, ones}, {"igraph.gml", named, want}, {"igraph.graphml", named, want}, {"igraph.ncol", named, want}, {"igraph.net", numbered, want},
		{"matrix.npy", numbered, want}, {"scipy.npz", numbered, want}, {"scipy.mtx", numbered, want}, {"scipy.mat", numbered, want}, {"scipy.mat#network", named, want},
		{"octave.mat", numbered, want}, {"edge_index.npz", numbered, want}, {"gnn.npz", named, want},
	} {
		e, notes, err := ReadEdges(filepath.Join(folder, c.name), c.rows, Options{})
		if err != nil || !reflect.DeepEqual(e, c.want) {
			t.Errorf("%s: %+v, %v, want %+v (%v)", c.name, e, err, c.want, notes)
		}
	}
}
