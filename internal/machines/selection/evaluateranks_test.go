package selection

import (
	"context"
	"reflect"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/ranks/comm"
	"lapsvm/kernel"
)

// Ranks that share a data set measure the same as one process. The results agree to the bit where
// rank 0 trains alone, and in their decisions where ranks train together.
func TestRanksMeasureWhatOneProcessMeasures(t *testing.T) {
	d := dataset.TwoMoons(150, 0.2, 3)
	for i := 7; i < 150; i += 9 {
		d.Y[i] = dataset.Unlabelled
	}
	plan := Plan{PerClass: 4, Validation: 10, TestFraction: 0.25, Repeats: 2, Seed: 5}
	open := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.4}, Graph: graph.Options{Neighbours: 5, Degree: 1, Metric: graph.Euclidean}, Calibrate: true}
	together := open
	together.Solver, together.Landmarks, together.Tolerance, together.Precision = train.Landmarks, 60, 1e-12, 64
	validated := open
	validated.GammaA, validated.GammaI, validated.Solver, validated.Stop = 1e-3, 0.1, train.PCG, solve.Validation
	for name, recipe := range map[string]train.Recipe{"alone": open, "validated": validated, "together": together} {
		e := Evaluation{Recipe: recipe, Baseline: true}
		splits, err := Splits(d, plan)
		if err != nil {
			t.Fatal(err)
		}
		want, err := e.Run(t.Context(), d, splits)
		if err != nil {
			t.Fatal(err)
		}
		var got []Result
		err = comm.Goroutines(t.Context(), 3, func(ctx context.Context, c *comm.Comm) error {
			s, err := d.Part(dataset.Part{Rank: c.Rank(), Parts: 3}).Share(ctx, c)
			if err != nil {
				return err
			}
			results, err := e.Run(ctx, s, splits)
			if c.Rank() == 0 {
				got = results
			}
			return err
		})
		if err != nil {
			t.Fatal(name, err)
		}
		for k := range want {
			if name == "alone" && !reflect.DeepEqual(got[k].Recipe, want[k].Recipe) {
				t.Errorf("%s, repeat %d: recipe %+v, want %+v", name, k+1, got[k].Recipe, want[k].Recipe)
			}
			for _, part := range [][2]any{{got[k].Confusion, want[k].Confusion}, {got[k].BaselineConfusion, want[k].BaselineConfusion}, {got[k].Validation, want[k].Validation},
				{got[k].Test, want[k].Test}, {got[k].BaselineTest, want[k].BaselineTest}, {got[k].Labelled, want[k].Labelled}, {got[k].Hidden, want[k].Hidden},
				{got[k].ValidationSize, want[k].ValidationSize}, {got[k].Tested, want[k].Tested}} {
				if !reflect.DeepEqual(part[0], part[1]) {
					t.Errorf("%s, repeat %d: %v, want %v", name, k+1, part[0], part[1])
				}
			}
		}
	}
}
