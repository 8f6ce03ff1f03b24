package lapsvm_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/testing/drawn"
	"lapsvm/points"
)

// notes reads a table of texts.
func notes(t *testing.T, n, labelled int, seed uint64, o files.Options) *dataset.Dataset {
	t.Helper()
	d, err := files.Read(strings.NewReader(drawn.Notes(n, labelled, seed)), "notes.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// vectorsBeside reads a table of a number that tells the class, beside vectors of which one does.
func vectorsBeside(t *testing.T, n int, seed uint64, e *dataset.Encoding) *dataset.Dataset {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 3))
	var b strings.Builder
	b.WriteString("size,a,b,label\n")
	for i := range n {
		mean := 6 * float64(i%2)
		fmt.Fprintf(&b, "%g,\"[%g, %g]\",\"[%g, %g, 0.5]\",%d\n", mean+random.NormFloat64(), random.NormFloat64(), mean+random.NormFloat64(), random.NormFloat64(), random.NormFloat64(), i%2)
	}
	d, err := files.Read(strings.NewReader(b.String()), "vectors.csv", files.Options{Encoding: e})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Pictures and texts are described with nothing said. The model takes dots and words as they come, one row
// or many, from memory or from its file, with the same bits.
func TestDescribed(t *testing.T) {
	pictures, truth := drawn.Few(drawn.Bars(160, 16, 1), 12)
	texts, _ := drawn.Few(notes(t, 160, 160, 1, files.Options{Text: []string{"note"}}), 12)
	terms := &dataset.Dataset{Points: texts.Points, Y: texts.Y, Classes: texts.Classes} // without the table that they come from
	vectors := vectorsBeside(t, 160, 1, nil)
	vectors, side := drawn.Few(vectors, 12)
	of := func(seed uint64) *points.Points {
		return notes(t, 120, 120, seed, files.Options{Encoding: texts.Encoding}).Points
	}
	for name, c := range map[string]struct {
		d     *dataset.Dataset
		later *points.Points
		truth []int
		by    lapsvm.Descriptions
		wrong int // at most, of 120
	}{
		"pictures": {pictures, drawn.Bars(120, 16, 9).Points, truth[:120], "", 2},
		"patches":  {pictures, drawn.Bars(120, 16, 9).Points, truth[:120], "patches", 2},
		"texts":    {texts, of(9), truth[:120], "latent", 12},
		"vectors":  {vectors, vectorsBeside(t, 120, 9, vectors.Encoding).Points, side[:120], "numbers,vectors:a", 12},
		"terms":    {terms, of(9), truth[:120], "latent", 12},
	} {
		trainer := lapsvm.Trainer{Recipe: lapsvm.Recipe{Describe: c.by}}
		m, err := trainer.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatal(err)
		}
		by := m.Predictor().Description()
		if by == nil || c.by != "" && m.Recipe().Describe != c.by {
			t.Fatalf("%s: described by %q", name, m.Recipe().Describe)
		}
		if n := wrong(t, m, c.later, c.truth); n > c.wrong {
			t.Errorf("%s: %d of 120 wrong", name, n)
		}
		want, err := m.Scores(t.Context(), c.later)
		if err != nil {
			t.Fatal(err)
		}
		again := readBack(t, m)
		if got, err := again.Scores(t.Context(), c.later); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: other decision values from the file (%v)", name, err)
		}
		for _, i := range []int{0, 57, 119} {
			if got, err := m.Scores(lapsvm.WithThreads(t.Context(), 1), c.later.Slice(i, i+1)); err != nil || !reflect.DeepEqual(got[0], want[i]) {
				t.Errorf("%s: row %d has %v alone, %v among others (%v)", name, i, got, want[i], err)
			}
		}
		if m.Dim() != c.d.Points.Dim() {
			t.Errorf("%s: the model takes %d features, the data have %d", name, m.Dim(), c.d.Points.Dim())
		}
		// The recipe trains the same model.
		repeated, err := lapsvm.Trainer{Recipe: m.Recipe()}.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := repeated.Scores(t.Context(), c.later); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the recipe trains another model (%v)", name, err)
		}
		// Data that Prepare described train it too.
		ready, recipe, err := trainer.Prepare(t.Context(), c.d)
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), ready)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := prepared.Scores(t.Context(), c.later); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: described before, the data train another model (%v)", name, err)
		}
	}
}

// What describes points stands before all that a model tells of a row.
func TestToldOfDescribed(t *testing.T) {
	d, truth := drawn.Few(drawn.Bars(160, 16, 1), 12)
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Describe: "hog"}}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	later := drawn.Bars(60, 16, 9)
	scores, err := m.Scores(t.Context(), later.Points)
	if err != nil {
		t.Fatal(err)
	}
	// The shares add up to the decision value.
	explained, err := m.ExplainShares(t.Context(), later.Points, lapsvm.ShareOptions{Nearest: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range explained {
		if want := scores[i][e.Class]; !(math.Abs(e.Value-want) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("picture %d: value %v, the model says %v", i, e.Value, want)
		}
		if len(e.Nearest) != 3 || d.Y[e.Nearest[0].Row] != dataset.Unlabelled && truth[e.Nearest[0].Row] != later.Y[i] {
			t.Errorf("picture %d: the nearest are %+v", i, e.Nearest)
		}
	}
	// Drift: the same kind of pictures is told from noise.
	random := rand.New(rand.NewPCG(4, 4))
	noise := make([]uint8, 60*16*16)
	for k := range noise {
		noise[k] = uint8(random.IntN(256))
	}
	other := *later
	other.Points = points.DenseBytes(60, 16*16, noise)
	same, _, err := m.Drift(t.Context(), later)
	if err != nil {
		t.Fatal(err)
	}
	strange, _, err := m.Drift(t.Context(), &other)
	if err != nil {
		t.Fatal(err)
	}
	if same.Drifted() || !strange.Drifted() {
		t.Errorf("pictures of the same kind: %+v; noise: %+v", same, strange)
	}
	pruned, change, err := m.Prune(t.Context(), 1e-2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pruned.Scores(t.Context(), later.Points)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if !(math.Abs(got[i][0]-scores[i][0]) <= 0.1) {
			t.Errorf("picture %d: %v, pruned %v (change %v)", i, scores[i][0], got[i][0], change)
		}
	}
	if pruned.Predictor().Description() == nil || pruned.Basis() >= m.Basis() && change > 0 {
		t.Errorf("pruned to %d of %d points", pruned.Basis(), m.Basis())
	}
	if err := m.Write(io.Discard); err != nil {
		t.Fatal(err)
	}
}

// A description that does not fit the data is refused with the next step.
func TestDescribedErrors(t *testing.T) {
	pictures, _ := drawn.Few(drawn.Bars(60, 16, 1), 12)
	small, _ := drawn.Few(drawn.Bars(60, 7, 1), 12)
	small.Image = dataset.Image{}
	equal := *pictures
	equal.Points = points.DenseBytes(60, 256, slices.Repeat([]uint8{9}, 60*256))
	for _, c := range []struct {
		d    *dataset.Dataset
		by   lapsvm.Descriptions
		want string
	}{
		{small, "hog", "say their shape"},
		{pictures, "latent", "no column of these data is one"},
		{notes(t, 60, 60, 1, files.Options{Text: []string{"note"}}), "latent:other", "nothing that latent:other describes: describe them by latent:note"},
		{pictures, "hog:red", "of one text or vector NAME:COLUMN"},
		{pictures, "sift", `unknown description "sift"`},
		{pictures, "hog,hog", "given twice"},
		{pictures, "hog,latent", "give those of one"},
		{&equal, "hog", "all dots of 60 pictures have the value 9"},
	} {
		if _, err := (lapsvm.Trainer{Recipe: lapsvm.Recipe{Describe: c.by}}).Fit(t.Context(), c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.by, err, c.want)
		}
	}
	// With nothing said it is the training that fails, as it does for other equal points.
	if _, err := (lapsvm.Trainer{}).Fit(t.Context(), &equal); err == nil || !strings.Contains(err.Error(), "look for constant data") {
		t.Errorf("equal pictures, nothing said: %v", err)
	}
}
