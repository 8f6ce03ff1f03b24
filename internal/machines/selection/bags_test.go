package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/points"
)

// counts returns rows of counts of words. The class says which words are likely; with sizes it says how many there are in place of that.
func counts(n, labelled, words int, sizes, sparse bool) *dataset.Dataset {
	random := rand.New(rand.NewPCG(12, 7))
	d := table(n, labelled, func(_, class int) []float64 {
		row := make([]float64, words)
		length := int(60 * math.Exp(random.NormFloat64()))
		if sizes {
			length = 40 + 60*class
		}
		for range length {
			j := random.IntN(words)
			if !sizes && random.IntN(3) > 0 {
				j = j/2*2 + class
			}
			row[j]++
		}
		return row
	})
	if sparse {
		start, index, value := []int{0}, []int32(nil), []float64(nil)
		for i := range n {
			for j, v := range d.Points.DenseRow(i) {
				if v != 0 {
					index, value = append(index, int32(j)), append(value, v)
				}
			}
			start = append(start, len(index))
		}
		d.Points = points.CSR(words, start, index, value)
	}
	return d
}

// Counts of words get unit length where labels and the graph speak for it, dense or sparse, and keep their lengths where these tell the classes.
func TestScaleBags(t *testing.T) {
	for _, c := range []struct {
		labelled     int
		sizes, other bool // other: sparse
		unit         bool
	}{
		{12, false, false, true}, {12, false, true, true}, {40, false, true, true}, {40, true, false, false}, {40, true, true, false}, {2, false, true, false},
	} {
		d := counts(200, c.labelled, 400, c.sizes, c.other)
		if !bag(d) {
			t.Fatal("no bag of words")
		}
		got, err := Scale(t.Context(), d, train.Recipe{}, train.Run{})
		if err != nil || (got.Standardise == points.UnitNorm) != c.unit || c.unit && !strings.Contains(got.StandardiseReason, "speak for rows of one length") {
			t.Errorf("%+v: %s because %q, %v", c, got.Standardise, got.StandardiseReason, err)
		}
	}
}

func TestBag(t *testing.T) {
	for name, change := range map[string]func(d *dataset.Dataset){
		"few columns":  func(d *dataset.Dataset) { *d = *counts(60, 4, 8, false, false) },
		"pictures":     func(d *dataset.Dataset) { d.Image = dataset.Image{Width: 20, Height: 10} },
		"columns":      func(d *dataset.Dataset) { d.Encoding = new(dataset.Encoding) },
		"one length":   func(d *dataset.Dataset) { d.Points = points.Scaling{Kind: points.UnitNorm}.Apply(d.Points) },
		"below 0":      func(d *dataset.Dataset) { d.Points.DenseRow(3)[7] = -1 },
		"few are zero": func(d *dataset.Dataset) { *d = *counts(60, 4, 100, true, false); fill(d) },
	} {
		d := counts(60, 4, 200, false, false)
		if !bag(d) {
			t.Fatal("no bag of words")
		}
		if change(d); bag(d) {
			t.Errorf("%s: taken for a bag of words", name)
		}
	}
}

// Dense counts of words are described by their terms where labels and graph speak for it. Counts whose size tells the classes keep it.
func TestDescribeBags(t *testing.T) {
	for _, c := range []struct {
		labelled int
		sizes    bool
		terms    bool
	}{{12, false, true}, {40, false, true}, {40, true, false}, {2, false, false}} {
		d := counts(200, c.labelled, 400, c.sizes, false)
		by, r := described(t, d, train.Recipe{})
		if got := r.Describe == "latent" || r.Describe == "rare-words" || r.Describe == "latent,rare-words"; got != c.terms {
			t.Errorf("%+v: described by %s", c, r.Describe)
		}
		again, _ := described(t, d, train.Recipe{Describe: r.Describe})
		for i := range d.Len() {
			if !slices.Equal(again.Points.DenseRow(i), by.Points.DenseRow(i)) {
				t.Fatalf("%+v: row %d is another one where %s is asked for", c, i, r.Describe)
			}
		}
		d.Points.DenseRow(0)[0] += 0.5 // no count
		if _, r := described(t, d, train.Recipe{}); strings.Contains(string(r.Describe), "rare-words") {
			t.Errorf("%+v: no counts are described by %s", c, r.Describe)
		}
	}
}

// fill makes all values of d at least 1.
func fill(d *dataset.Dataset) {
	for i := range d.Points.Len() {
		for j := range d.Points.DenseRow(i) {
			d.Points.DenseRow(i)[j]++
		}
	}
}
