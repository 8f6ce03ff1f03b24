package selection_test

import (
	"context"
	"fmt"
	"log"

	"lapsvm/dataset"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
)

// Hide all but four labels in five ways, train, and count the errors on what was
// hidden, beside those of an SVM on the four labels alone.
func ExampleEvaluation() {
	d := dataset.TwoMoons(200, 0.05, 1)
	splits, err := selection.Splits(d, selection.Plan{Labelled: 4, Repeats: 5, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	recipe := train.Recipe{Kernel: kernel.Gaussian{Sigma: 0.35}, GammaA: 1e-2, GammaI: 1}
	recipe.Graph.Neighbours, recipe.Graph.Degree = 6, 1
	results, err := selection.Evaluation{Recipe: recipe, Baseline: true}.Run(context.Background(), d, splits)
	if err != nil {
		log.Fatal(err)
	}
	wrong, _ := selection.MeanSD(results, func(r selection.Result) float64 { return r.Unlabelled })
	fmt.Printf("%g %% wrong; whether the unlabelled points help: %s\n", wrong, selection.Gain(results).Verdict)
	// Output: 0 % wrong; whether the unlabelled points help: helps
}
