package describe

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lapsvm/points"
)

// A row becomes the direction of the sum of its words' vectors, whatever the unit of the vectors is. A row without
// a word that has a vector becomes zeros.
func TestWordVectorsFormula(t *testing.T) {
	const n, width, m = 50, 30, 4
	p := texts(n, width, 6, 0, 3)
	vectors := make([]float32, width*m)
	for j := range width - 10 { // the last words have none
		for c := range m {
			vectors[j*m+c] = float32(math.Sin(float64(7*j + 3*c)))
		}
	}
	for _, unit := range []float32{1, 3e30, 1e-30} {
		of := make([]float32, len(vectors))
		for k, v := range vectors {
			of[k] = v * unit
		}
		d, err := LearnColumns(t.Context(), Fields{Texts: []Text{{Columns: [2]int{0, width}, Vectors: of}}}, p, 1)
		if err != nil {
			t.Fatal(err)
		}
		by := Only(d, func(p *Part) bool { return p.Name == WordVectors })
		if by.Dim() != m {
			t.Fatal("no part of word vectors")
		}
		described := applied(t, t.Context(), by, p)
		nothing := 0
		for i := range n {
			want, square := make([]float64, m), 0.0
			index, value := p.SparseRow(i)
			for k, j := range index {
				for c := range m {
					want[c] += value[k] * float64(vectors[int(j)*m+c])
				}
			}
			for _, v := range want {
				square += v * v
			}
			for c, v := range described.Row(i, nil) {
				if square > 0 {
					want[c] /= math.Sqrt(square)
				}
				if math.Abs(v-want[c]) > 1e-6 {
					t.Fatalf("unit %g: row %d is described by %g in place of %g", unit, i, v, want[c])
				}
			}
			if square == 0 {
				nothing++
			}
		}
		if nothing == 0 {
			t.Error("no row is without a word that has a vector")
		}
	}
}

func TestWordVectorsErrors(t *testing.T) {
	p := points.CSR(2, []int{0, 1}, []int32{0}, []float64{1})
	for want, vectors := range map[string][]float32{
		"not finite":      {1, float32(math.NaN())},
		"3 numbers for 2": {1, 2, 3},
	} {
		if _, err := LearnColumns(t.Context(), Fields{Texts: []Text{{Columns: [2]int{0, 2}, Vectors: vectors}}}, p, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Dense rows are described as the same sparse rows, and a table of other columns is refused.
func TestTextsOfDenseRows(t *testing.T) {
	p := texts(50, 30, 6, 0, 3)
	row, values := make([]float64, 30), []float64(nil)
	for i := range p.Len() {
		p.CopyRow(row, i)
		values = append(values, row...)
	}
	all, err := LearnColumns(t.Context(), Fields{Texts: []Text{{Columns: [2]int{0, 30}, Vectors: slices.Repeat([]float32{1, 2}, 30)}}}, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Latent, WordVectors} {
		d := Only(all, func(p *Part) bool { return p.Name == name })
		want, err := d.Apply(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Apply(t.Context(), points.Dense(p.Len(), 30, values))
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Len() {
			if !slices.Equal(got.Row(i, nil), want.Row(i, nil)) {
				t.Fatalf("%s of row %d: dense %v, sparse %v", name, i, got.Row(i, nil), want.Row(i, nil))
			}
		}
		if _, err := d.Apply(t.Context(), points.Dense(1, 29, make([]float64, 29))); err == nil || !strings.Contains(err.Error(), "no table of 30 columns") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
