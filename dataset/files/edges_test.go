package files

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"lapsvm/dataset"
	"lapsvm/points"
)

func edgesOf(t *testing.T, name, text string, rows EdgeRows) (dataset.Edges, []dataset.Note, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadEdges(path, rows, Options{})
}

// The same edges come out of every form of file, whatever it is called where its first bytes tell.
func TestReadEdges(t *testing.T) {
	want := dataset.Edges{From: []int32{0, 1}, To: []int32{2, 3}, Weight: []float64{2, -0.5}}
	rows := EdgeRows{Len: 4}
	for name, text := range map[string]string{
		"a.csv": "from,to,weight\n1,3,2\n4,2,-0.5\n", "b.csv": "1,3,2\n4,2,-0.5\n", "c.tsv": "weight\tTarget\tSource\n2\t3\t1\n-0.5\t2\t4\n",
		"among.csv": "# a\nfrom,to,weight\n# b, \"c, d\n1,3,2\n% e\n4,2,-0.5\n", "mark.csv": "\ufeff# a\nfrom,to,weight\n1,3,2\n4,2,-0.5\n#\n",
		"d.jsonl": "{\"from\":1,\"to\":3,\"weight\":2}\n{\"from\":4,\"to\":2,\"weight\":-0.5}\n",
		"e.mtx":   "%%MatrixMarket matrix coordinate real general\n% comment\n\n4 4 2\n1 3 2\n4 2 -5e-1\n",
		"g.txt":   "# Directed graph\n# Nodes: 4 Edges: 2\n# From\tTo\tWeight\n1\t3\t2\n4\t2\t-0.5\n",
		"h":       "% asym weighted\n1  3 2\n4 2\t-0.5\n",
		"i.csv":   "# made by hand\nfrom,to,weight\n1,3,2\n4,2,-0.5\n",
		"f":       "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n3 1 2\n4 2 -0.5\n",
	} {
		if e, _, err := edgesOf(t, name, text, rows); err != nil || !reflect.DeepEqual(e, want) {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
	named := EdgeRows{Len: 4, Names: []string{"u", "v", "2", "w"}}
	if e, _, err := edgesOf(t, "ids.csv", "from,to,weight\nu,2,2\nw,2,\n", EdgeRows{4, named.Names, true}); err != nil || e.Len() != 2 || e.To[0] != 2 || e.Weight[1] != 1 {
		t.Errorf("%+v, %v", e, err)
	}
	zeros := EdgeRows{4, []string{"007", "010", "10", "0"}, true} // names that have lost their zeros in one of the files
	if e, _, err := edgesOf(t, "zeros.csv", "from,to\n7,000\n010,10\n", zeros); err != nil || e.Len() != 2 || e.From[0] != 0 || e.To[0] != 3 || e.From[1] != 1 || e.To[1] != 2 {
		t.Errorf("%+v, %v", e, err)
	}
	if _, _, err := edgesOf(t, "either.csv", "from,to\n007,0010\n", zeros); err == nil || !strings.Contains(err.Error(), `several rows are called "0010"`) {
		t.Error(err)
	}
	tags := EdgeRows{2, []string{"#u", "#v"}, true} // which are no comments
	if e, _, err := edgesOf(t, "tags.csv", "#u,#v\n#v,#u\n", tags); err != nil || e.Len() != 1 {
		t.Errorf("%+v, %v", e, err)
	}
	if e, _, err := edgesOf(t, "both.csv", "from,to\n1,2\n", named); err != nil || e.From[0] != 0 || e.To[0] != 1 { // 2 is a name, but 1 is none: both are numbers
		t.Errorf("%+v, %v", e, err)
	}
	if e, _, err := edgesOf(t, "unnamed.tsv", "u\t2\t3\nw\tv\t1\n", EdgeRows{4, named.Names, true}); err != nil || e.Len() != 2 || e.Weight[0] != 3 || e.To[1] != 3 { // the first line is an edge
		t.Errorf("%+v, %v", e, err)
	}
	for name, text := range map[string]string{"one.csv": "u,w\n", "one.tsv": "u\tw\t1\n", "one": "u w\n", "mark.csv": "\ufefffrom,to\r\nu,w\r\n", "quoted.csv": "\"u\",\"w\"\r\n", "numbers.csv": "1,4"} {
		if e, _, err := edgesOf(t, name, text, EdgeRows{Len: 4, Names: named.Names}); err != nil || e.Len() != 1 || e.From[0] != 0 || e.To[0] != 3 || e.Weight[0] != 1 { // one line, and no header
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
	for _, matrix := range []struct {
		name   string
		sparse bool
	}{{"m.npz", false}, {"m.npz", true}, {"m.npy", false}, {"m.mat", false}} {
		m := &dataset.Dataset{Points: points.Dense(4, 4, []float64{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.5, 0, 0}), Y: []int{-1, -1, -1, -1}}
		if matrix.sparse {
			m.Points = points.CSR(4, []int{0, 1, 1, 1, 2}, []int32{2, 1}, []float64{2, -0.5})
		}
		path := filepath.Join(t.TempDir(), matrix.name)
		if err := WriteFile(t.Context(), path, m, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if e, _, err := ReadEdges(path, rows, Options{}); err != nil || !reflect.DeepEqual(e, want) {
			t.Errorf("%+v: %+v, %v", matrix, e, err)
		}
	}
	_, notes, err := edgesOf(t, "n.csv", "from,to\n1,2\n2,1\n3,3\n2,3\n", rows)
	if err != nil || len(notes) != 2 || !strings.HasSuffix(notes[0].Error(), "2 edges between 3 of 4 rows, numbered from 1; 1 are given in one direction alone, and hold in both") {
		t.Errorf("%v, %v", notes, err)
	}
}

// Graphs and lists in UTF-16 and UTF-32 are read by their marks.
func TestReadEdgesInUTF16(t *testing.T) {
	want := dataset.Edges{From: []int32{0, 2}, To: []int32{1, 3}, Weight: []float64{1, 1}}
	for name, text := range map[string]string{
		"a.csv": "from,to\n1,2\n3,4\n", "b.mtx": "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n3 4\n",
		"c.graphml": `<?xml version="1.0" encoding="UTF-16"?><graphml><graph><node id="1"/><node id="2"/><node id="3"/><node id="4"/><edge source="1" target="2"/><edge source="3" target="4"/></graph></graphml>`,
		"d.gexf":    `<?xml version="1.0" encoding="UTF-16"?><gexf><graph><nodes><node id="1"/><node id="2"/><node id="3"/><node id="4"/></nodes><edges><edge source="1" target="2"/><edge source="3" target="4"/></edges></graph></gexf>`,
		"e.gml":     "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] node [ id 4 ] edge [ source 1 target 2 ] edge [ source 3 target 4 ] ]",
		"f.net":     "*Vertices 4\n*Edges\n1 2\n3 4\n", "g.json": `{"nodes":[{"id":1},{"id":2},{"id":3},{"id":4}],"links":[{"source":1,"target":2},{"source":3,"target":4}]}`,
		"h.adjlist": "1 2\n3 4\n", "i.edgelist": "1 2 {}\n3 4 {}\n",
	} {
		for _, e := range []encoding.Encoding{unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), unicode.UTF16(unicode.BigEndian, unicode.UseBOM), utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)} {
			coded, err := e.NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			if e, _, err := edgesOf(t, name, coded, EdgeRows{Len: 4}); err != nil || !reflect.DeepEqual(e, want) {
				t.Errorf("%s: %+v, %v", name, e, err)
			}
		}
	}
}

// A file that holds no edges of the rows is an error with its place.
func TestReadEdgesErrors(t *testing.T) {
	for text, want := range map[string]string{
		"%%MatrixMarket matrix array real general\n2 2\n":                  ".mtx:1: the matrix is written out (array)",
		"%%MatrixMarket matrix coordinate complex general\n":               ".mtx:1: the matrix is of complex numbers",
		"%%MatrixMarket matrix coordinate real general\n4 4 1\n1 5 1\n":    ".mtx:3: there is no edge from row 1 to row 5",
		"%%MatrixMarket matrix coordinate real general\n4 4 1\n1 2\n":      ".mtx:3: there are 2 fields",
		"%%MatrixMarket matrix coordinate pattern general\n4 4 1\n1 2 3\n": ".mtx:3: there are 3 fields",
		"%%MatrixMarket matrix coordinate real general\n4 4 1\n1 2 x\n":    `.mtx:3: the weight is "x"`,
		"%%MatrixMarket matrix coordinate real general\n4 4 1\n1 x 1\n":    ".mtx:3: \"x\" is no whole number",
		"%%MatrixMarket matrix coordinate real general\n":                  ".mtx: the matrix has 0 entries",
	} {
		if _, _, err := edgesOf(t, "e.mtx", text, EdgeRows{Len: 4}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for name, text := range map[string]string{"latin.json": `{"nodes":[{"id":"` + "\xf6" + `"},{"id":"2"}],"links":[{"source":"` + "\xf6" + `","target":"2"}]}`, "nan.csv": "from,to,weight\n1,2,\n1,3,nan\n", "snap.txt": "# SNAP\n# edges\n1\t2\n3\t5\n", "e.svm": "1 1:1 2:1\n", "e.csv": "from,to,weight\n1,2,1e308\n1,2,1e308\n", "f.csv": "a,b\n1,2\n", "g.csv": "a,b\n", "h.csv": "1,9\n", "i.csv": "from,to\n", "j.jsonl": "{\"a\":1,\"b\":2}\n", "k": "# none\n"} {
		want := map[string]string{"nan.csv": `nan.csv:3: the weight is NaN, and no finite number`, "snap.txt": `snap.txt:4: there is no row "5"`, "e.svm": "is read as svm, and only csv,", "e.csv": "e.csv:2: the weight is 1e+308; divide all weights by the same number", "f.csv": "the first row (a, b) is neither an edge of known rows nor a header: call",
			"latin.json": "latin.json: the text is not UTF-8; save the file as UTF-8", "g.csv": "call the columns of the two rows of an edge from and to", "h.csv": `h.csv:1: there is no row "9"`, "i.csv": "there is no edge between two rows", "j.jsonl": "the columns are a, b: call the columns of the two rows", "k": "k: the file has no rows; check how it was made"}[name]
		if _, _, err := edgesOf(t, name, text, EdgeRows{Len: 4}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if _, _, err := edgesOf(t, "e.csv", "from,to\nu,v\nv,w9\n", EdgeRows{Len: 3, Names: []string{"u", "v", "w"}}); err == nil || !strings.Contains(err.Error(), `e.csv:3: no row is called "w9"`) {
		t.Error(err)
	}
	if _, _, err := edgesOf(t, "e.csv", "from,to\nu,u2\n", EdgeRows{Len: 3, Names: []string{"u", "u2", "u2"}}); err == nil || !strings.Contains(err.Error(), `e.csv:2: several rows are called "u2"`) {
		t.Error(err)
	}
}

// Two nodes of one name are no row of that name: their edges would be those of one row.
func TestReadEdgesSeveralNodes(t *testing.T) {
	rows := EdgeRows{Len: 3, Names: []string{"a", "b", "c"}}
	for name, text := range map[string]string{
		"e.net": "*Vertices 3\n1 a\n2 %s\n3 b\n*Edges\n1 2\n2 3\n",
		"e.gml": "graph [\nnode [ id 7 label \"a\" ]\nnode [ id 8 label \"%s\" ]\nnode [ id 9 label \"b\" ]\nedge [ source 7 target 8 ]\nedge [ source 8 target 9 ]\n]\n",
		"e.graphml": `<graphml><key id="k" for="node" attr.name="name" attr.type="string"/><graph edgedefault="undirected"><node id="n7"><data key="k">a</data></node>
<node id="n8"><data key="k">%s</data></node><node id="n9"><data key="k">b</data></node><edge source="n7" target="n8"/><edge source="n8" target="n9"/></graph></graphml>`,
	} {
		if edges, _, err := edgesOf(t, name, strings.Replace(text, "%s", "c", 1), rows); err != nil || len(edges.From) != 2 {
			t.Errorf("%s: %v, %v", name, edges, err)
		}
		if edges, _, err := edgesOf(t, name, strings.Replace(text, "%s", "a", 1), rows); err == nil || !strings.Contains(err.Error(), `several nodes are called "a": give each`) {
			t.Errorf("%s: %v, %v", name, edges, err)
		}
	}
}

// Names that several nodes, or several rows, have tell nothing where another key tells every node.
func TestReadEdgesOtherKeys(t *testing.T) {
	for _, label := range []string{"a", "d"} { // of two nodes, of two rows
		text := strings.ReplaceAll(`graph [ node [ id 7 label "x" name "a" ] node [ id 8 label "x" name "b" ] node [ id 9 label "b" name "c" ] edge [ source 7 target 8 ] edge [ source 8 target 9 ] ]`, "x", label)
		edges, _, err := edgesOf(t, "e.gml", text, EdgeRows{Len: 5, Names: []string{"a", "b", "c", "d", "d"}})
		if err != nil || len(edges.From) != 2 || edges.From[0] != 0 || edges.To[1] != 2 {
			t.Errorf("%q: %v, %v", label, edges, err)
		}
	}
}

// Any file gives edges of the rows, or is an error.
func FuzzReadEdges(f *testing.F) {
	f.Add("from,to,weight\n1,2,3\n")
	f.Add("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1\n")
	for _, name := range []string{"networkx.gml", "networkx.graphml", "networkx.gexf", "networkx.net", "networkx.edgelist", "networkx.json", "cytoscape.json", "networkx.multiline_adjlist", "igraph.gml", "igraph.graphml", "igraph.net", "scipy.mtx",
		"matrix.npy", "edge_index.npz", "gnn.npz", "scipy.npz", "scipy.mat", "octave.mat", "networkx.adjlist", "igraph.ncol"} {
		text, err := os.ReadFile(filepath.Join(writtenFolder, "graphs", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"e.csv", "e.mtx", "e.gml", "e.graphml", "e.gexf", "e.net", "e.adjlist", "e.npy", "e.npz", "e.mat", "e"} {
			e, _, err := edgesOf(t, name, text, EdgeRows{Len: 3})
			var refused *dataset.Error
			if err == nil {
				err = e.Check(3)
			} else if errors.As(err, &refused) {
				continue
			}
			if err != nil {
				t.Errorf("%s of %q: %v", name, text, err)
			}
		}
	})
}

// Edges to others lead from the rows to these, by names in either direction.
func TestReadEdgesTo(t *testing.T) {
	rows, others := EdgeRows{Len: 3, Names: []string{"q1", "q2", "p1"}, Named: true}, EdgeRows{Len: 2, Names: []string{"p1", "p2"}, Named: true}
	for _, one := range []struct {
		name, text    string
		rows, others  EdgeRows
		want          []dataset.Arc
		note, refused string
	}{
		{name: "a.csv", text: "from,to,weight\nq1,p2,2\np1,q1,0.5\nq2,p2,-1\nq1,q2,1\np2,p1,3\n", rows: rows, others: others,
			want: []dataset.Arc{{From: 0, To: 0, Weight: 0.5}, {From: 0, To: 1, Weight: 2}, {From: 1, To: 1, Weight: -1}, {From: 2, To: 1, Weight: 3}},
			note: "4 edges of 3 of 3 rows to those of the training; 1 left out; 1 of negative weight"},
		{name: "both.csv", text: "from,to,weight\nq1,p2,2\np2,q1,4\nq2,p1,1\nq2,p1,1\n", rows: rows, others: others, want: []dataset.Arc{{From: 0, To: 1, Weight: 3}, {From: 1, To: 0, Weight: 2}}},
		{name: "numbers.csv", text: "from,to\n1,2\n3,1\n", rows: EdgeRows{Len: 3}, others: EdgeRows{Len: 2}, want: []dataset.Arc{{From: 0, To: 1, Weight: 1}, {From: 2, To: 0, Weight: 1}}},
		{name: "mixed.csv", text: "from,to\n3,p2\n", rows: EdgeRows{Len: 3}, others: others, want: []dataset.Arc{{From: 2, To: 1, Weight: 1}}},
		{name: "m.mtx", text: "%%MatrixMarket matrix coordinate real general\n3 2 1\n3 2 0.5\n", rows: rows, others: others, want: []dataset.Arc{{From: 2, To: 1, Weight: 0.5}}},
		{name: "far.csv", text: "from,to\nq1,p2\nq9,p1\n", rows: rows, others: others, refused: `far.csv:3: no row is called "q9"`},
		{name: "to.csv", text: "from,to\np2,q7\n", rows: rows, others: others, refused: `no row is called "q7"`},
		{name: "none.csv", text: "from,to\nq1,q2\n", rows: rows, others: others, refused: "no edge of a row to one of the training"},
		{name: "n.csv", text: "from,to\n1,3\n", rows: EdgeRows{Len: 3}, others: EdgeRows{Len: 2}, refused: `there is no row "3": rows are from 1 to 2`},
		{name: "size.mtx", text: "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n", rows: rows, others: others, refused: "is 2×3, but there are 3 rows, and the training had 2"},
	} {
		path := filepath.Join(t.TempDir(), one.name)
		if err := os.WriteFile(path, []byte(one.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, notes, err := ReadEdgesTo(path, one.rows, one.others, Options{})
		switch {
		case one.refused != "":
			if err == nil || !strings.Contains(err.Error(), one.refused) {
				t.Errorf("%s: error %v, not %s", one.name, err, one.refused)
			}
		case err != nil || !reflect.DeepEqual(got, one.want):
			t.Errorf("%s: %+v, %v", one.name, got, err)
		case !strings.Contains(notes[0].Words(nil), one.note):
			t.Errorf("%s: %s", one.name, notes[0].Words(nil))
		}
	}
}
