package train

import (
	"math"
	"testing"

	"lapsvm/dataset"
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
	if more, err := Fit(t.Context(), d, r, Run{}); err != nil || more.Summary.N != 400 || len(more.Summary.Scores) != 400 {
		t.Errorf("more than there are: %v", err)
	}
	r.MostPoints, r.Graph.EdgeWeight = 100, 1
	d.Edges, _ = dataset.NewEdges([]dataset.Arc{{From: 0, To: 1, Weight: 1}})
	if given, err := Fit(t.Context(), d, r, Run{}); err != nil || given.Summary.N != 400 {
		t.Errorf("with given edges: %v", err)
	}
}
