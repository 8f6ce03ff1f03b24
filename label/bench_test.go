package label_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/golden"
	"lapsvm/kernel"
	"lapsvm/label"
	"lapsvm/points"
)

// digits are MNIST's first n images without labels, and their classes.
func digits(b testing.TB, n int) (*dataset.Dataset, []int) {
	b.Helper()
	d, err := files.ReadFile(golden.External(b, "data/mnist/train-images-idx3-ubyte.gz"), files.Options{})
	if err != nil {
		b.Fatal(err)
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return unlabelled(d.Subset(rows))
}

// unlabelled takes the labels off.
func unlabelled(d *dataset.Dataset) (*dataset.Dataset, []int) {
	truth := d.Y
	d.Y = make([]int, len(truth))
	for i := range d.Y {
		d.Y[i] = dataset.Unlabelled
	}
	return d, truth
}

// ofDigits is the recipe of the paper for MNIST.
func ofDigits() train.Recipe {
	return train.Recipe{Kernel: kernel.Polynomial{Degree: 9}, Standardise: points.UnitNorm, GammaA: 1e-6, GammaI: 0.1, Bias: objective.NoBias,
		Graph: graph.Options{Neighbours: 20, Degree: 3}}
}

// normals are n points of ten classes in 20 dimensions.
func normals(n int) (*dataset.Dataset, []int) {
	const dim, classes = 20, 10
	r := rand.New(rand.NewPCG(18, 1))
	var centres [classes][dim]float64
	for c := range centres {
		for j := range dim {
			centres[c][j] = 1.2 * r.NormFloat64()
		}
	}
	values, d := make([]float32, n*dim), &dataset.Dataset{Y: make([]int, n)}
	for c := range classes {
		d.Classes = append(d.Classes, fmt.Sprint(c))
	}
	for i := range n {
		d.Y[i] = r.IntN(classes)
		for j := range dim {
			values[i*dim+j] = float32(centres[d.Y[i]][j] + r.NormFloat64())
		}
	}
	d.Points = points.Dense32(n, dim, values)
	return unlabelled(d)
}

// BenchmarkApply measures one more label to 100 of ten classes, with new decisions,
// probabilities and leave-one-out. The point was suggested, so that its column is there, or was
// not.
func BenchmarkApply(b *testing.B) {
	for _, n := range []int{2000, 12000, 60000, 1000000} {
		for _, suggested := range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d/suggested=%v", n, suggested), func(b *testing.B) { benchmarkApply(b, n, suggested) })
		}
	}
}

func benchmarkApply(b *testing.B, n int, suggested bool) {
	ctx := context.Background()
	var d *dataset.Dataset
	var truth []int
	recipe := ofDigits()
	if n > 60000 {
		if testing.Short() {
			b.Skip("minutes")
		}
		d, truth = normals(n)
		recipe.Kernel, recipe.Standardise, recipe.GammaA, recipe.Graph = kernel.Gaussian{}, points.AsIs, 1e-4, graph.Options{Neighbours: 10, Degree: 2}
	} else {
		d, truth = digits(b, n)
	}
	l, err := label.Open(ctx, d, recipe, label.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	changes := make([]label.Change, 100)
	for i := range changes {
		changes[i] = label.Change{Point: i, Class: truth[i]}
	}
	if _, err := l.Apply(ctx, changes); err != nil {
		b.Fatal(err)
	}
	next := 100
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		point := next
		next += 7
		if suggested {
			some, err := l.Suggest(ctx, label.Auto, 8)
			if err != nil {
				b.Fatal(err)
			}
			point = some[0].Point
		}
		b.StartTimer()
		if _, err := l.Apply(ctx, []label.Change{{Point: point, Class: truth[point]}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGrow measures until a hundredth more points of MNIST are decided, with 100 labels: the
// first time, which on landmarks makes an index, and after one more label.
func BenchmarkGrow(b *testing.B) {
	for _, n := range []int{2000, 12000, 59400} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			all, truth := digits(b, n+n/100)
			l, err := label.Open(context.Background(), all.Subset(indicesTo(n)), ofDigits(), label.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			changes := make([]label.Change, 100)
			for i := range changes {
				changes[i] = label.Change{Point: i, Class: truth[i]}
			}
			if _, err := l.Apply(context.Background(), changes); err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			start := time.Now()
			if _, err := l.Grow(context.Background(), all); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(start).Seconds(), "s/first")
			for range b.N {
				if _, err := l.Apply(context.Background(), changes); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
