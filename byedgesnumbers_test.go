package lapsvm_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/points/graph"
	"lapsvm/points"
)

// wave is rows without a feature on a ring of edges, which each have a number. Every fourth is labelled.
func wave(n int) (d *dataset.Dataset, truth []float64) {
	d = &dataset.Dataset{Featureless: true}
	start, index, value := []int{0}, []int32{}, []float64{}
	var arcs []dataset.Arc
	for i := range n {
		start, index, value = append(start, i+1), append(index, int32(i)), append(value, 1)
		arcs = append(arcs, dataset.Arc{From: i, To: (i + 1) % n, Weight: 1})
		truth = append(truth, 10+5*math.Sin(2*math.Pi*float64(i)/float64(n)))
	}
	d.Y = slices.Repeat([]int{dataset.Unlabelled}, n)
	numbers := make(map[float64]string)
	for i := 0; i < n; i += 4 {
		truth[i] += float64(i%7) / 1e6 // no two are equal
		numbers[truth[i]] = strconv.FormatFloat(truth[i], 'g', -1, 64)
	}
	var sorted []float64
	for v := range numbers {
		sorted = append(sorted, v)
	}
	slices.Sort(sorted)
	for _, v := range sorted {
		d.Classes = append(d.Classes, numbers[v])
	}
	for i := 0; i < n; i += 4 {
		d.Y[i], _ = slices.BinarySearch(sorted, truth[i])
	}
	d.Points = points.CSR(n, start, index, value)
	d.Edges, _ = dataset.NewEdges(arcs)
	return d, truth
}

// The interval of a new row is about what its edges say, and holds the number. Without an edge it holds the numbers of nine rows in ten, whichever row it is like.
func TestIntervalsByEdges(t *testing.T) {
	d, truth := wave(160)
	recipe := lapsvm.Recipe{Kind: task.Numbers(), GammaA: 1e-6, GammaI: 1e-3, Standardise: points.AsIs, Calibrate: true, Solver: lapsvm.Deformed, Seed: 1, Graph: graph.Options{EdgesAlone: true, Degree: 1}}
	m, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	arcs := []dataset.Arc{{From: 0, To: 40, Weight: 1}, {From: 0, To: 41, Weight: 1}, {From: 2, To: 120, Weight: 2}}
	values, low, high, err := m.IntervalsByEdges(t.Context(), m.FeaturelessRows(3), arcs, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.ScoresByEdges(t.Context(), m.FeaturelessRows(3), arcs)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range []int{40, -1, 120} {
		if values[i] != scores[i][0] || !(low[i] < values[i]) || !(values[i] < high[i]) {
			t.Errorf("row %d: %v in [%v, %v], by edges %v", i, values[i], low[i], high[i], scores[i])
		}
		if row >= 0 && !(low[i] < truth[row] && truth[row] < high[i] && high[i]-low[i] < 4) {
			t.Errorf("row %d: [%v, %v], but %v", i, low[i], high[i], truth[row])
		}
	}
	held := 0
	for _, v := range truth {
		if low[1] <= v && v <= high[1] {
			held++
		}
	}
	if share := float64(held) / float64(len(truth)); !(share >= 0.9) {
		t.Errorf("[%v, %v] of a row without an edge holds %v of the numbers", low[1], high[1], share)
	}
	if _, _, _, err := m.IntervalsByEdges(t.Context(), m.FeaturelessRows(1), nil, 0.999); !errors.Is(err, lapsvm.ErrParameter) {
		t.Error(err)
	}
}
