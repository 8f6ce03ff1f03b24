package lapsvm_test

import (
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/graph"
	"lapsvm/internal/golden"
	"lapsvm/kernel"
	"lapsvm/objective"
	"lapsvm/points"
	"lapsvm/solve"
)

// BenchmarkFitMNIST trains on MNIST's threes and eights with 80 labels, the
// paper's parameters and its stability check.
func BenchmarkFitMNIST(b *testing.B) {
	d, err := dataset.ReadFile(golden.External(b, "data/mnist/train-images-idx3-ubyte.gz"), dataset.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if d, err = d.Select("3", "8"); err != nil {
		b.Fatal(err)
	}
	for i := 80; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	t := lapsvm.Trainer{Kernel: kernel.Polynomial{Degree: 9}, GammaA: 1e-6, GammaI: 0.1, Bias: objective.NoBias,
		Standardise: points.UnitNorm, Graph: graph.Options{Neighbours: 20, Degree: 3},
		Solve: solve.Options{Stop: solve.Stability}}
	for b.Loop() {
		m, err := t.Fit(b.Context(), d)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(m.Training().Iterations, "iterations")
	}
}
