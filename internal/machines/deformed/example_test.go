package deformed_test

import (
	"context"
	"fmt"
	"log"

	"lapsvm/dataset"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// One factorization serves all weights of the two norms, and every label that is
// left out: eight labels, two pairs of weights.
func ExampleReduction() {
	ctx := context.Background()
	d := dataset.TwoMoons(200, 0.05, 1)
	labelled := []int{0, 1, 2, 3, 4, 5, 6, 7}
	targets := make([]float64, len(labelled))
	for i, row := range labelled {
		targets[i] = float64(2*d.Y[row] - 1)
	}

	nb, err := graph.FindNeighbours(ctx, d.Points, 6, graph.Euclidean)
	if err != nil {
		log.Fatal(err)
	}
	w, _, err := graph.Connect(ctx, nb, graph.Heat, 0)
	if err != nil {
		log.Fatal(err)
	}
	k, err := gram.NewHalf(ctx, d.Points, kernel.Gaussian{Sigma: 0.35}, gram.Double)
	if err != nil {
		log.Fatal(err)
	}
	defer k.Close()
	factor, err := deformed.NewFactor(ctx, k, 0)
	if err != nil {
		log.Fatal(err)
	}
	reduction, err := factor.Reduction(ctx, graph.NewLaplacian(w, false, 1), labelled, objective.BiasInNorm)
	if err != nil {
		log.Fatal(err)
	}

	problems := []deformed.Gammas{{A: 1e-2, I: 1e-4}, {A: 1e-2, I: 1}}
	err = reduction.Each(ctx, problems, func(i int, c *deformed.Problem) error {
		m := &deformed.Machine{Problem: c, Loss: objective.SquaredHinge, Targets: targets}
		wrong := 0
		for k, f := range m.LeaveOneOut(ctx, m.Solve(ctx, nil)) {
			if f*targets[k] <= 0 {
				wrong++
			}
		}
		fmt.Printf("γI %g: %d of %d labels wrong when left out\n", problems[i].I, wrong, len(targets))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// γI 0.0001: 1 of 8 labels wrong when left out
	// γI 1: 0 of 8 labels wrong when left out
}
