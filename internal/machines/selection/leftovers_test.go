package selection

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
)

// A choice with several views, and a training, have the same bits with what an earlier choice left as without.
func TestLeftovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	few := table(240, 12, func(_, class int) []float64 {
		row := make([]float64, 5) // of which the views have the same rows and width
		for j := range row {
			row[j] = float64(class) + rng.NormFloat64()
		}
		return row
	})
	for views, d := range map[int]*dataset.Dataset{0: clumps(240, 12), 1: clumps(240, 12), 3: few} {
		run := train.Run{Work: new(train.Work)}
		described, r, err := Fill(t.Context(), d, train.Recipe{MostViews: views}, run)
		if err != nil {
			t.Fatal(err)
		}
		if _, alone, err := Fill(t.Context(), d, train.Recipe{MostViews: views}, train.Run{}); err != nil || !reflect.DeepEqual(r, alone) {
			t.Fatalf("%d views: the recipe %+v, without leftovers %+v, %v", r.Views(), r, alone, err)
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
