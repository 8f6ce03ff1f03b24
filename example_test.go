package lapsvm_test

import (
	"context"
	"fmt"
	"log"

	"lapsvm"
	"lapsvm/dataset"
)

// Train on 200 points of which four are labelled, and classify new ones.
func ExampleTrainer() {
	d := dataset.TwoMoons(200, 0.05, 1)
	for i := 4; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	trainer := lapsvm.Trainer{GammaI: 1}
	trainer.Graph.Neighbours, trainer.Graph.Degree = 6, 1
	m, err := trainer.Fit(context.Background(), d)
	if err != nil {
		log.Fatal(err)
	}
	unseen := dataset.TwoMoons(100, 0.05, 2)
	classes, err := m.Predict(context.Background(), unseen.Points)
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, class := range classes {
		if class == unseen.Y[i] {
			right++
		}
	}
	fmt.Printf("%d of 100 right\n", right)
	// Output: 100 of 100 right
}
