package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Distances between scaled places are those on the earth times one factor, also in a town, and far
// outliers bend none of the coordinates.
func TestPlacesAreScaledTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	var rows []map[string]any
	for i := range 200 {
		row := map[string]any{"lat": 60 + 0.01*rng.NormFloat64(), "lon": 25 + 0.01*rng.NormFloat64(), "size": math.Exp(3 * rng.NormFloat64())}
		if i == 7 {
			row["lat"], row["lon"] = 61.0, 180.0
		}
		rows = append(rows, row)
	}
	d, err := dataset.FromMaps(rows, dataset.TableOptions{Coordinates: []string{"lat", "lon"}, MayLackLabels: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := FitScaling(t.Context(), d, points.Columns, 1)
	if err != nil {
		t.Fatal(err)
	}
	scaled, place := s.Apply(d.Points), d.Encoding.Together()[0]
	distance := func(p *points.Points, i, j int) float64 {
		square := 0.0
		for _, k := range place.Columns {
			square += (p.At(i, k) - p.At(j, k)) * (p.At(i, k) - p.At(j, k))
		}
		return math.Sqrt(square)
	}
	for i := range rows {
		j := (i + 1) % len(rows)
		if got, want := distance(scaled, i, j), s.Factor[place.Columns[0]]*distance(d.Points, i, j); !(math.Abs(got-want) <= 1e-9*want) {
			t.Fatalf("rows %d and %d are %v apart, want %v", i, j, got, want)
		}
	}
	if size := 3; s.Width[size] == 0 || s.Factor[size] == s.Factor[place.Columns[0]] {
		t.Errorf("the column beside the place has the width %v and the factor %v", s.Width[size], s.Factor[size])
	}
}
