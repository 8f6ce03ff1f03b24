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

// Take a decision apart: what labelled and unlabelled points add to its value.
func ExampleModel_Explain() {
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
	all, err := m.Explain(context.Background(), d.Points.Slice(0, 1), lapsvm.ExplainOptions{Nearest: 2})
	if err != nil {
		log.Fatal(err)
	}
	e := all[0]
	sum := e.Bias + e.Unlabelled
	for _, share := range e.Labelled {
		sum += share
	}
	fmt.Printf("class %s; the parts add up: %v\n", m.Classes()[e.Class], sum-e.Value < 1e-12 && e.Value-sum < 1e-12)
	fmt.Printf("the nearest training points are rows %d and %d\n", e.Nearest[0].Row+1, e.Nearest[1].Row+1)
	// Output:
	// class 0; the parts add up: true
	// the nearest training points are rows 1 and 177
}
