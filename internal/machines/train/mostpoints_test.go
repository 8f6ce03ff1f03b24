package train

import (
	"math"
	"slices"
	"testing"

	"lapsvm/dataset"
	"lapsvm/points"
)

// Of few points that take part all labelled ones do, the model keeps these as rows of the data, and decides the rest as new points.
func TestMostPoints(t *testing.T) {
	d, r := fewLabels(400, 50)
	for i := range d.Y[:392] { // the labels stand last
		d.Y[i], d.Y[i+8] = dataset.Unlabelled, d.Y[i]
	}
	whole, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	r.MostPoints = 100
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	labelled := len(d.Labelled())
	if n := f.Summary.N; n < 100 || n > 100+labelled || f.Summary.Labelled != labelled || f.Summary.Scores != nil {
		t.Errorf("%d points take part, %d labelled; decided: %d", n, f.Summary.Labelled, len(f.Summary.Scores))
	}
	for k, row := range f.Rows {
		if f.Class[k] != dataset.Unlabelled && d.Y[row] == dataset.Unlabelled {
			t.Fatalf("basis point %d is row %d, which has no label", k, row)
		}
	}
	if whole.Summary.N != 400 || len(whole.Summary.Scores) != 400 {
		t.Errorf("of all %d points take part", whole.Summary.N)
	}
	scores, err := f.Predictor().ScoresOf(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i := range scores {
		if (scores[i][1] > 0) != (whole.Summary.Scores[i][1] > 0) {
			differ++
		}
	}
	if differ > 20 {
		t.Errorf("%d of 400 points are decided otherwise than with all points", differ)
	}
	r.MostPoints = math.MaxInt32
	if more, err := Fit(t.Context(), d, r, Run{}); err != nil || more.Summary.N != 400 || more.Recipe.MostPoints != 0 || len(more.Summary.Scores) != 400 {
		t.Errorf("more than there are: %v", err)
	}
	r.MostPoints, r.Graph.EdgeWeight = 100, 1
	d.Edges, _ = dataset.NewEdges([]dataset.Arc{{From: 0, To: 1, Weight: 1}})
	if given, err := Fit(t.Context(), d, r, Run{}); err != nil || given.Summary.N != 400 || given.Recipe.MostPoints != 0 {
		t.Errorf("with given edges: %v", err)
	}
}

// Rows without a neighbour are told by their numbers in the data.
func TestMostPointsTellsRows(t *testing.T) {
	d, r := fewLabels(400, 50)
	values := []float64{}
	for i := range 399 {
		values = append(values, d.Points.At(i, 0), d.Points.At(i, 1))
	}
	d.Points, d.Y[399] = points.Dense(400, 2, append(values, 0, 1000)), 0 // far from all others, and labelled
	r.MostPoints = 100
	f, err := Fit(t.Context(), d, r, Run{})
	if err != nil {
		t.Fatal(err)
	}
	if alone := f.Summary.Graph.Isolated; !slices.Equal(alone, []int{399}) {
		t.Errorf("rows without a neighbour: %v, want 399", alone)
	}
}
