package train

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Decisions without neighbours are those with them, and rows of little lead have their own values.
func TestDecisionsOf(t *testing.T) {
	const n = 3000
	d, r := fewLabels(n, 8)
	for i, class := range dataset.TwoMoons(n, 0.1, 3).Y[:60] {
		d.Y[i] = class
	}
	r.MostPoints = 1000
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	p := f.Predictor()
	if p.Expansion().Local == nil {
		t.Fatal("the model keeps no points")
	}
	want, err := p.ScoresOf(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.DecisionsOf(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	whole, least := 0, math.Inf(1)
	for i, class := range p.Decide(got) {
		if class != p.Decide(want[i : i+1])[0] {
			t.Errorf("row %d: %v, with its neighbours %v", i, got[i], want[i])
		}
		if got[i][1] == want[i][1] {
			whole++
		} else {
			least = min(least, math.Abs(got[i][1]))
		}
	}
	if whole == 0 || whole > n/2 {
		t.Errorf("%d of %d rows have their neighbours sought", whole, n)
	}
	for i := range want {
		if math.Abs(got[i][1]) < least && got[i][1] != want[i][1] {
			t.Errorf("row %d: %v, want %v", i, got[i], want[i])
		}
	}
	values := slices.Clone(d.Points.Rows(0, n, nil))
	values[2*7] = math.NaN()
	d.Points = points.Dense(n, 2, values)
	if _, err := p.DecisionsOf(t.Context(), d); err == nil {
		t.Error("a row that is no number has a decision")
	}
}

func TestLead(t *testing.T) {
	for _, c := range []struct {
		row    []float64
		lead   float64
		second int
	}{
		{[]float64{-0.5}, 0.5, dataset.Unlabelled}, {[]float64{-0.5, 0.5}, 0.5, 0}, {[]float64{2, -2}, 2, 1}, {[]float64{1, 3, 2}, 1, 2}, {[]float64{4, 1, 2}, 2, 2}, {[]float64{1, 1, 1}, 0, 1}, {[]float64{-1, 3, -2}, 4, 0},
	} {
		if lead, second := Lead(c.row); lead != c.lead || second != c.second {
			t.Errorf("%v: %v, %d", c.row, lead, second)
		}
	}
	for at := range 3 {
		row := []float64{3, 1, 2}
		row[at] = math.NaN()
		if lead, _ := Lead(row); !math.IsNaN(lead) {
			t.Errorf("%v: %v", row, lead)
		}
	}
}
