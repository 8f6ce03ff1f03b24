package train_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"lapsvm/dataset"
	"lapsvm/internal/machines/train"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Of many points and classes a training holds out one part of the labels, and by HoldsAll every label once. The values of the part stay.
func TestHoldsAll(t *testing.T) {
	const n, classes = 3060, 17
	r := rand.New(rand.NewPCG(3, 17))
	d := &dataset.Dataset{}
	for c := range classes {
		d.Classes = append(d.Classes, strconv.Itoa(c))
	}
	var x []float64
	for i := range n {
		x, d.Y = append(x, float64(i%classes)+0.1*r.NormFloat64()), append(d.Y, i%classes)
	}
	d.Points = points.Dense(n, 1, x)
	recipe := train.Recipe{Supervised: true, Kernel: kernel.Gaussian{Sigma: 0.5}, Standardise: points.AsIs, GammaA: 1, Calibrate: true, Solver: train.PCG}
	var held [2]*train.HeldOut
	for k, all := range []bool{false, true} {
		f, err := train.Fit(t.Context(), d, recipe, train.Run{HoldsAll: all})
		if err != nil {
			t.Fatal(err)
		}
		held[k] = f.Summary.HeldOut
	}
	part, all := held[0], held[1]
	if len(part.Label) != n/5 || !slices.Equal(part.Label, all.Label[:n/5]) {
		t.Fatalf("%d labels are held out, want %d, with which those of all begin", len(part.Label), n/5)
	}
	if sorted := slices.Sorted(slices.Values(all.Label)); len(sorted) != n || sorted[0] != 0 || sorted[n-1] != n-1 || len(slices.Compact(sorted)) != n {
		t.Fatalf("%d labels are held out, want each of %d once", len(all.Label), n)
	}
	for at, k := range all.Label {
		if row := all.Scores[at]; slices.Index(row, slices.Max(row)) != k%classes {
			t.Fatalf("label %d of %d is taken for %v", k, k%classes, row)
		}
		if at < n/5 && !slices.Equal(part.Scores[at], all.Scores[at]) {
			t.Fatalf("label %d has the values %v and %v", k, part.Scores[at], all.Scores[at])
		}
	}
}
