package selection_test

import (
	"math/rand/v2"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/internal/machines/selection"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/testing/golden"
)

// BenchmarkChoose chooses everything, on at most 1,500 points of each set with a few labels
// of every class.
func BenchmarkChoose(b *testing.B) {
	for _, set := range []struct {
		name, file string
		perClass   int
	}{
		{"G50C", "data/g50c/g50c.svm.gz", 25},
		{"COIL20", "data/coil20/coil20.svm.gz", 2},
		{"USPST", "data/uspst/uspst.svm.gz", 5},
		{"MNIST", "data/mnist/train-images-idx3-ubyte.gz", 10},
	} {
		b.Run(set.name, func(b *testing.B) {
			d, err := files.ReadFile(golden.External(b, set.file), files.Options{})
			if err != nil {
				b.Fatal(err)
			}
			order := rand.New(rand.NewPCG(1, 1)).Perm(len(d.Y))
			d = d.Subset(order[:min(len(order), 1500)])
			labels := make([]int, len(d.Classes))
			for i, y := range d.Y {
				if labels[y]++; labels[y] > set.perClass {
					d.Y[i] = dataset.Unlabelled
				}
			}
			for b.Loop() {
				r, err := selection.ChosenBy(b.Context(), d, train.Recipe{}, train.Run{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Choice.Candidates), "machines")
			}
		})
	}
}
