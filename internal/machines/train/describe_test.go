package train

import (
	"encoding/json"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/describe"
	"lapsvm/points"
)

// Names of descriptions go through their text and through JSON, whatever their columns are called.
func TestDescriptionsText(t *testing.T) {
	for d, want := range map[Descriptions]string{"": "", Undescribed: "", "hog": "hog", "hog,dots": "hog and dots", "hog,patches,dots": "hog, patches and dots"} {
		if got := d.Text(); got != want {
			t.Errorf("%q is %q", d, got)
		}
	}
	for _, names := range [][]string{{"hog"}, {"numbers", "latent"}, {"latent:a, b", "numbers", "latent:the \"c\""}, {"vectors:x\ny"}} {
		by := DescribedBy(names...)
		if got := by.Names(); !slices.Equal(got, names) {
			t.Errorf("%q: the names %q", by, got)
		}
		if err := by.check(); err != nil {
			t.Errorf("%q: %v", by, err)
		}
		d := descriptions(by)
		text, err := json.Marshal(&d)
		if err != nil {
			t.Fatal(err)
		}
		var again descriptions
		if err := json.Unmarshal(text, &again); err != nil || again != d {
			t.Errorf("%s: read as %q (%v)", text, again, err)
		}
	}
}

// Graphs have neighbours by terms where their points are described by latent components, and are few enough for an exact search.
func TestTermsOf(t *testing.T) {
	terms := func(n int) *dataset.Dataset {
		start, index, value := []int{0}, []int32(nil), []float64(nil)
		for i := range n {
			for j := range 3 {
				index, value = append(index, int32(30*j+i*(j+1)%30)), append(value, 1)
			}
			start = append(start, len(index))
		}
		return &dataset.Dataset{Points: points.CSR(90, start, index, value), Y: make([]int, n), Classes: []string{"a"}}
	}
	d := terms(50)
	if TermsOf(d, nil) != nil {
		t.Error("of rows that are not described")
	}
	by, err := Describe(t.Context(), d, Recipe{Describe: describe.Latent, Seed: 1}, Run{})
	if err != nil {
		t.Fatal(err)
	}
	if p := TermsOf(by, nil); p.Len() != 50 || p.Dim() != 90 {
		t.Errorf("%d rows of %d terms", p.Len(), p.Dim())
	}
	some, all, got, want := TermsOf(by, []int{4, 7}), TermsOf(by, nil), make([]float64, 90), make([]float64, 90)
	some.CopyRow(got, 1)
	all.CopyRow(want, 7)
	if some.Len() != 2 || !slices.Equal(got, want) {
		t.Error("not the rows asked for")
	}
	if many, err := Described(t.Context(), terms(25000), by.Description()); err != nil || TermsOf(many, nil) != nil {
		t.Errorf("of 25,000 rows, %v", err)
	}
}
