package files

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// lengths is an embedder of the lengths of texts, and of what a picture's file is called.
type lengths struct {
	by    dataset.EmbeddedBy
	calls *int
	err   error
}

func newLengths() lengths {
	return lengths{by: dataset.EmbeddedBy{Kind: "network", Name: "n.onnx", Hash: "abc"}, calls: new(int)}
}

func (l lengths) Source() dataset.EmbeddedBy { return l.by }

func (l lengths) Embed(inputs []string, pictures bool) ([][]float32, error) {
	*l.calls++
	vectors := make([][]float32, len(inputs))
	for i, text := range inputs {
		if pictures {
			text = filepath.Base(text)
		}
		vectors[i] = []float32{float32(len(text)), 1.0 / 3, -float32(strings.Count(text, " "))}
	}
	return vectors, l.err
}

// The vectors of a text stand in a column behind those of the table, in every format, and a later table gets the same.
func TestEmbeddedTexts(t *testing.T) {
	const table = "post,n,topic\nthe cat sleeps,1,pets\n,2,pets\nthe stocks fell,3,money\nthe cat and stocks,5,\n"
	dir := writeFiles(t, map[string]string{
		"a.csv": table, "none.csv": "the cat sleeps,1,pets\n,2,pets\nthe stocks fell,3,money\nthe cat and stocks,5,\n",
		"a.jsonl":   `{"post":"the cat sleeps","n":1,"topic":"pets"}` + "\n" + `{"post":null,"n":2,"topic":"pets"}` + "\n" + `{"post":"the stocks fell","n":3,"topic":"money"}` + "\n" + `{"post":"the cat and stocks","n":5,"topic":null}` + "\n",
		"later.csv": "n,post\n1,the cat sleeps\n2,\n", "vectors.csv": "n,post,post embedded\n1,the cat sleeps,\"[14,0.33333334,-2]\"\n2,,\n", "without.csv": "n\n1\n",
		"later.jsonl": `{"post":"the cat sleeps","n":1}` + "\n" + `{"n":2,"post":null}` + "\n", "later.none.csv": "the cat sleeps,1,\n,2,\n",
	})
	path := func(name string) string { return filepath.Join(dir, name) }
	by := newLengths()
	for name, o := range map[string]Options{
		"a.csv":    {Text: []string{"post"}, Label: "topic", Embedder: by},
		"a.jsonl":  {Text: []string{"post"}, Label: "topic", Embedder: by},
		"none.csv": {Text: []string{"1"}, Header: HeaderNo, Embedder: by},
	} {
		d, err := ReadFile(path(name), o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		last := &d.Encoding.Columns[len(d.Encoding.Columns)-1]
		if last.Kind != dataset.Vector || last.Embedded == nil || last.Embedded.By != by.by || d.Encoding.Version() != 6 {
			t.Fatalf("%s: the last column is %+v of version %d", name, last, d.Encoding.Version())
		}
		if want := map[bool]string{true: "post", false: "x1"}[name != "none.csv"]; last.Embedded.Of != want || name != "none.csv" && last.Name != "post embedded" {
			t.Errorf("%s: %q is made of %q", name, last.Name, last.Embedded.Of)
		}
		width := d.Points.Dim()
		vector := func(d *dataset.Dataset, i int) []float64 {
			v := values(d.Points)[i][width-3:]
			for j := range v {
				v[j] = v[j]*last.High + last.Mean[j]
			}
			return v
		}
		for i, want := range [][]float64{{14, 0.33333334, -2}, last.Mean, {15, 0.33333334, -2}, {18, 0.33333334, -3}} {
			for j, v := range vector(d, i) {
				if abs := v - want[j]; abs > 1e-9 || abs < -1e-9 {
					t.Errorf("%s: row %d has %g, want %g", name, i+1, vector(d, i), want)
					break
				}
			}
		}
		for later, embedder := range map[string]dataset.Embedder{"later.csv": by, "later.jsonl": by, "vectors.csv": nil, "later.none.csv": by} {
			if (later == "later.none.csv") != (name == "none.csv") {
				continue
			}
			again, err := ReadFile(path(later), Options{Encoding: d.Encoding, Label: d.Label, Embedder: embedder, Header: map[bool]Header{true: HeaderNo}[name == "none.csv"]})
			if err != nil {
				t.Errorf("%s, %s: %v", name, later, err)
				continue
			}
			for i := range 2 {
				if got, want := values(again.Points)[i], values(d.Points)[i]; !slices.Equal(got, want) {
					t.Errorf("%s, %s: row %d is %g, want %g", name, later, i+1, got, want)
				}
			}
		}
		if name == "none.csv" {
			continue
		}
		other := by
		other.by.Hash = "xyz"
		failing := by
		failing.err = errors.New("the network is on fire")
		for want, o := range map[string]Options{
			"are needed, made by the network n.onnx (abc) as in the training: give Options.Embedder": {},
			"made by the network n.onnx (xyz), but in the training by the network n.onnx (abc)":      {Embedder: other},
			"the network is on fire": {Embedder: failing},
		} {
			o.Encoding = d.Encoding
			if _, err := ReadFile(path("later.csv"), o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
		if _, err := ReadFile(path("without.csv"), Options{Encoding: d.Encoding, Embedder: by}); err == nil || !strings.Contains(err.Error(), `the column "post" is missing, of which vectors are made`) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := ReadFile(path("a.csv"), Options{Label: "topic", Embedder: by}); err == nil || !strings.Contains(err.Error(), "no column is known to be text") {
		t.Errorf("no text is named: error %v", err)
	}
	rows := []map[string]any{{"text": "a b", "label": "x"}, {"text": "a", "label": "y"}, {"text": "a b c", "label": nil}}
	d, err := dataset.FromMaps(rows, dataset.TableOptions{Embedder: by})
	if err != nil || !d.Encoding.IsVector("text embedded") {
		t.Errorf("rows of a program: error %v", err)
	}
}

// The vectors of the pictures of a folder take the place of their dots, in batches as in one.
func TestEmbeddedPictures(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"cat/a.png", "cat/bc.png", "unlabelled/def.png"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		img := image.NewGray(image.Rect(0, 0, 2, 2))
		img.Set(0, 0, color.White)
		if err := errors.Join(png.Encode(f, img), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	by := newLengths()
	d, err := ReadFile(dir, Options{Embedder: by})
	if err != nil {
		t.Fatal(err)
	}
	if d.Points.Dim() != 3 || !d.Image.None() || d.Kept.Name(2) != "unlabelled/def.png" || len(d.Labelled()) != 2 {
		t.Fatalf("%d columns, rows called %v", d.Points.Dim(), d.Kept)
	}
	if err := d.Encoding.Validate(); err != nil {
		t.Fatal(err)
	}
	later, err := ReadImages([]string{filepath.Join(dir, "unlabelled/def.png")}, Options{Embedder: by, Encoding: d.Encoding, Features: 3})
	if err != nil || !slices.Equal(later.Points.Row(0, nil), d.Points.Row(2, nil)) {
		t.Errorf("a later picture: error %v", err)
	}
	if _, err := ReadFile(dir, Options{Encoding: d.Encoding}); err == nil || !strings.Contains(err.Error(), "give Options.Embedder") {
		t.Errorf("without an embedder: error %v", err)
	}
	if _, err := ReadFile(dir, Options{Encoding: new(dataset.Encoding), Embedder: by}); err == nil || !strings.Contains(err.Error(), "leave out Options.Embedder") {
		t.Errorf("for a model of dots: error %v", err)
	}
}
