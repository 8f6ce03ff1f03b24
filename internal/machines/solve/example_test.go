package solve_test

import (
	"context"
	"fmt"
	"log"

	"lapsvm/dataset"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
)

// A training without the Trainer: Gram matrix and Laplacian, the problem, the
// solver. One point of each moon has a label.
func ExamplePCG() {
	ctx := context.Background()
	d := dataset.TwoMoons(200, 0.05, 1)

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

	s, err := solve.PCG(ctx, &objective.Problem{
		K: k, L: graph.NewLaplacian(w, false, 1),
		Labelled: []int{0, 1}, Targets: [][]float64{{-1, 1}},
		GammaA: 1e-2, GammaI: 1, Loss: objective.SquaredHinge, Bias: objective.BiasInNorm,
	}, solve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, f := range s.F[0] {
		if (f > 0) == (d.Y[i] == 1) {
			right++
		}
	}
	fmt.Printf("%d of %d right: %s\n", right, len(d.Y), s.Status[0])
	// Output: 200 of 200 right: the decisions on unlabelled points are stable
}
