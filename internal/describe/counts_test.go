package describe

import (
	"math"
	"slices"
	"testing"

	"lapsvm/points"
)

// Of four rows three have the first word, all the second, one the third and none the fourth: these weigh ln 5/4, ln 5/5, ln 5/2 and ln 5.
func TestWeighed(t *testing.T) {
	values := []float64{1, 2, 0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 4, 1, 1, 0}
	p := Sparse(points.Dense(4, 4, values))
	weights := []float64{math.Log(1.25), 0, math.Log(2.5), math.Log(5)}
	got, row := weighed(p), make([]float64, 4)
	for i := range 4 {
		got.CopyRow(row, i)
		for j, v := range row {
			if want := values[4*i+j] * weights[j] / 8; !(math.Abs(v-want) <= 1e-15) {
				t.Errorf("row %d, word %d: %v, want %v", i, j, v, want)
			}
		}
	}
	if columns, _ := p.SparseRow(2); !slices.Equal(columns, []int32{0, 1}) {
		t.Error("the counts were changed")
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		value float64
		want  bool
	}{{3, true}, {0, true}, {0.5, false}, {-1, false}, {math.NaN(), false}} {
		p := points.Dense(2, 2, []float64{0, 1, c.value, 2})
		if Counts(p) != c.want || Counts(Sparse(p)) != c.want {
			t.Errorf("%v: %v", c.value, Counts(p))
		}
	}
}

// Rare words are the components of rows whose words were weighed before, and a new row is weighed likewise. Their terms are the weighed rows,
// beside the rows as they are where both are parts.
func TestRareWords(t *testing.T) {
	p := Sparse(counted(60, 30))
	d, err := LearnColumns(t.Context(), Fields{Texts: []Text{{Columns: [2]int{0, 30}, Counts: true}}}, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Parts) != 2 || d.Parts[0].Name != Latent || d.Parts[1].Name != RareWords {
		t.Fatalf("%d parts", len(d.Parts))
	}
	rare := Only(d, func(p *Part) bool { return p.Name == RareWords })
	got, err := rare.Apply(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	before := weighed(p)
	plain, err := LearnColumns(t.Context(), Fields{Texts: []Text{{Columns: [2]int{0, 30}}}}, before, 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := plain.Apply(t.Context(), before)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Len() {
		for j := range p.Len() {
			if a, b := cosine(got, i, j), cosine(want, i, j); !(math.Abs(a-b) <= 1e-5) {
				t.Fatalf("rows %d and %d: cosine %v, want %v", i, j, a, b)
			}
		}
	}
	terms, both := rare.Terms(p), d.Terms(p)
	if terms.Dim() != 30 || both.Dim() != 60 {
		t.Fatalf("%d and %d terms", terms.Dim(), both.Dim())
	}
	for i := range 8 {
		if a, b := cosine(terms, i, 9), cosine(before, i, 9); !(math.Abs(a-b) <= 1e-12) {
			t.Errorf("row %d by terms: %v, want %v", i, a, b)
		}
		if a, b := cosine(both, i, 9), (cosine(before, i, 9)+cosine(p, i, 9))/2; !(math.Abs(a-b) <= 1e-12) {
			t.Errorf("row %d by both: %v, want %v", i, a, b)
		}
	}
}

// counted returns rows of counts: a row has its own two of the words and some that many have.
func counted(n, words int) *points.Points {
	values := make([]float64, n*words)
	for i := range n {
		row := values[i*words : (i+1)*words]
		for k := range 12 {
			row[(i*(k+1)+k*k)%7]++
		}
		row[7+i%(words-7)], row[7+(3*i+i/5)%(words-7)] = 2, 1
	}
	return points.Dense(n, words, values)
}

func cosine(p *points.Points, i, j int) float64 {
	a, b := make([]float64, p.Dim()), make([]float64, p.Dim())
	p.CopyRow(a, i)
	p.CopyRow(b, j)
	ab, aa, bb := 0.0, 0.0, 0.0
	for k := range a {
		ab, aa, bb = ab+a[k]*b[k], aa+a[k]*a[k], bb+b[k]*b[k]
	}
	return ab / math.Sqrt(aa*bb)
}
