package lapsvm_test

import (
	"math/rand/v2"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/deformed"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/solve"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
	"lapsvm/kernel"
	"lapsvm/points"
)

// BenchmarkFitMNIST trains on MNIST's threes and eights with 80 labels, the
// paper's parameters and its stability check.
func BenchmarkFitMNIST(b *testing.B) {
	d, err := files.ReadFile(golden.External(b, "data/mnist/train-images-idx3-ubyte.gz"), files.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if d, err = d.Select("3", "8"); err != nil {
		b.Fatal(err)
	}
	for i := 80; i < len(d.Y); i++ {
		d.Y[i] = dataset.Unlabelled
	}
	t := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 9}, GammaA: 1e-6, GammaI: 0.1, Bias: objective.NoBias,
		Standardise: points.UnitNorm, Graph: graph.Options{Neighbours: 20, Degree: 3}, Stop: solve.Stability}}
	for b.Loop() {
		m, err := t.Fit(b.Context(), d)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(m.Training().Iterations, "iterations")
	}
}

// BenchmarkGrid solves the paper's grid of 49 pairs of weights for all classes,
// and trains by Newton's method with the paper's weights, on three quarters of
// each set. Gram matrix and Laplacian are there.
func BenchmarkGrid(b *testing.B) {
	for _, set := range []struct {
		name, file     string
		sigma          float64
		graph          graph.Options
		gammaA, gammaI float64
		labels         int
	}{
		{"G50C", "data/g50c/g50c.svm.gz", 17.5, graph.Options{Neighbours: 50, Degree: 5}, 1e-1, 10, 50},
		{"COIL20", "data/coil20/coil20.svm.gz", 0.6, graph.Options{Neighbours: 2, Degree: 1}, 1e-6, 1, 40},
		{"PCMAC", "data/pcmac/pcmac.svm.gz", 2.7, graph.Options{Neighbours: 50, Degree: 5}, 1e-6, 1, 50},
		{"USPST", "data/uspst/uspst.svm.gz", 9.4, graph.Options{Neighbours: 10, Degree: 2}, 1e-4, 1, 50},
	} {
		d, err := files.ReadFile(golden.External(b, set.file), files.Options{})
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		d = d.Subset(rng.Perm(len(d.Y))[:len(d.Y)*3/4])
		labelled, targets := drawLabels(d, set.labels)
		nb, err := graph.FindNeighbours(b.Context(), d.Points, set.graph.Neighbours, graph.Euclidean)
		if err != nil {
			b.Fatal(err)
		}
		w, _, _ := graph.Connect(b.Context(), nb, graph.Binary, 0)
		laplacian := graph.NewLaplacian(w, false, set.graph.Degree)
		k, err := gram.NewHalf(b.Context(), d.Points, kernel.Gaussian{Sigma: set.sigma}, gram.Double)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(set.name+"/grid", func(b *testing.B) {
			var cells []deformed.Gammas
			for _, a := range selection.DefaultGrid() {
				for _, i := range selection.DefaultGrid() {
					cells = append(cells, deformed.Gammas{A: a, I: i})
				}
			}
			for b.Loop() {
				f, err := deformed.NewFactor(b.Context(), k, 0)
				if err != nil {
					b.Fatal(err)
				}
				v, err := f.Reduction(b.Context(), laplacian, labelled, objective.NoBias)
				if err != nil {
					b.Fatal(err)
				}
				if err := v.Each(b.Context(), cells, func(_ int, c *deformed.Problem) error {
					for _, y := range targets {
						(&deformed.Machine{Problem: c, Loss: objective.SquaredHinge, Targets: y}).Solve(b.Context(), nil)
					}
					return nil
				}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(set.name+"/newton", func(b *testing.B) {
			p := &objective.Problem{K: k, L: laplacian, Labelled: labelled, Targets: targets, GammaA: set.gammaA, GammaI: set.gammaI}
			for b.Loop() {
				s, err := solve.Newton(b.Context(), p, solve.Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(s.Iterations[0]), "steps")
			}
		})
		k.Close()
	}
}

// drawLabels returns the first points of all classes in turn, and their targets.
func drawLabels(d *dataset.Dataset, count int) (labelled []int, targets [][]float64) {
	taken := make([]int, len(d.Classes))
	for i, y := range d.Y {
		if len(labelled) < count && taken[y] < (count+len(d.Classes)-1)/len(d.Classes) {
			taken[y]++
			labelled = append(labelled, i)
		}
	}
	for class := range d.Classes {
		y := make([]float64, len(labelled))
		for k, i := range labelled {
			y[k] = -1
			if d.Y[i] == class {
				y[k] = 1
			}
		}
		if targets = append(targets, y); len(d.Classes) == 2 {
			break // one machine tells two classes apart
		}
	}
	return labelled, targets
}
