package selection

import (
	"testing"

	"lapsvm/internal/machines/train"
)

// A training has the same bits with what a choice left as without.
func TestLeftovers(t *testing.T) {
	for _, views := range []int{0, 1} {
		d := clumps(240, 12)
		run := train.Run{Work: new(train.Work)}
		described, r, err := Fill(t.Context(), d, train.Recipe{MostViews: views}, run)
		if err != nil {
			t.Fatal(err)
		}
		left := *run.Work
		if left.Len() == 0 {
			t.Fatal("the choice left nothing")
		}
		quick, err := Fit(t.Context(), described, r, run)
		if err != nil {
			t.Fatal(err)
		}
		if run.Work.Len() == left.Len() {
			t.Errorf("%d views: the training took nothing", quick.Recipe.Views())
		}
		anew, err := Fit(t.Context(), described, r, train.Run{})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range anew.Summary.Scores {
			for c, f := range row {
				if !(f == quick.Summary.Scores[i][c]) {
					t.Fatalf("%d views: row %d has %v for class %d, made again %v", anew.Recipe.Views(), i, quick.Summary.Scores[i][c], c, f)
				}
			}
		}
	}
}
