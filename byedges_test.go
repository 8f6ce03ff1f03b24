package lapsvm_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// rings is rows without a feature: the corners of two rings, of which one corner each has a label.
func rings(t *testing.T, corners int) *dataset.Dataset {
	t.Helper()
	d := &dataset.Dataset{Classes: []string{"inner", "outer"}, Featureless: true}
	n := 2 * corners
	start, index, value := []int{0}, []int32{}, []float64{}
	var arcs []dataset.Arc
	for i := range n {
		start, index, value = append(start, i+1), append(index, int32(i)), append(value, 1)
		ring := i / corners
		arcs = append(arcs, dataset.Arc{From: i, To: ring*corners + (i+1)%corners, Weight: 1})
		d.Y, d.Features = append(d.Y, dataset.Unlabelled), append(d.Features, "r"+strconv.Itoa(i))
	}
	d.Y[0], d.Y[corners] = 0, 1
	d.Points = points.CSR(n, start, index, value)
	d.Edges, _ = dataset.NewEdges(arcs)
	return d
}

// New rows have the weighted mean of the decision values of the rows that they are joined to, by a model read back from its file too.
func TestRowsByEdges(t *testing.T) {
	d := rings(t, 8)
	recipe := lapsvm.Recipe{Kernel: kernel.Linear{}, GammaA: 1e-3, GammaI: 1, Standardise: points.AsIs, Seed: 1,
		Graph: graph.Options{EdgesAlone: true, Degree: 1}}
	trained, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := trained.Write(&file); err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Featureless() || !slices.Equal(m.Features(), d.Features) {
		t.Fatalf("the model is of features: %v", m.Features())
	}
	f, err := m.Scores(t.Context(), d.Points)
	if err != nil {
		t.Fatal(err)
	}
	bias := m.Predictor().Expansion().Bias[0]
	arcs := []dataset.Arc{{From: 0, To: 2, Weight: 1}, {From: 0, To: 11, Weight: 3}, {From: 1, To: 5, Weight: 2}, {From: 1, To: 6, Weight: -2}, {From: 3, To: 9, Weight: 1e300}, {From: 3, To: 10, Weight: 1e300}, {From: 0, To: 2, Weight: 1}}
	rows, err := m.RowsByEdges(4, arcs)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Scores(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{(2*f[2][1] + 3*f[11][1]) / 5, bias + (f[5][1]-f[6][1])/2, bias, (f[9][1] + f[10][1]) / 2} {
		if !(math.Abs(got[i][1]-want) <= 1e-12) {
			t.Errorf("row %d has %v, not %v", i, got[i][1], want)
		}
	}
	if !(f[2][1] < 0 && f[11][1] > 0) {
		t.Errorf("the rings are decided as %v", f)
	}
	report, _, err := m.Drift(t.Context(), &dataset.Dataset{Points: rows, Y: make([]int, 4)})
	if err != nil || report == nil || report.Rows != nil {
		t.Errorf("means of rows are far: %+v, %v", report, err)
	}
	for _, wrong := range []dataset.Arc{{From: 4, To: 1, Weight: 1}, {From: 1, To: 16, Weight: 1}, {From: -1, To: 1, Weight: 1}, {From: 1, To: 1, Weight: math.NaN()}} {
		if _, err := m.RowsByEdges(4, []dataset.Arc{wrong}); !errors.Is(err, lapsvm.ErrParameter) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}
