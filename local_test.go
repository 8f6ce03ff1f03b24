package lapsvm_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// manyBytes are points of three classes around as many winding curves, a few labelled, as
// bytes.
func manyBytes(n int) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(17, 70))
	const d = 40
	values, y := make([]uint8, n*d), make([]int, n)
	for i := range n {
		class := i % 3
		at := rng.Float64()
		for j := range d {
			centre := 60 + 120*at*float64((j*(class+2))%7)/7 + 40*float64((j+class)%3)/3
			values[i*d+j] = uint8(max(0, min(255, centre+12*rng.NormFloat64())))
		}
		if y[i] = dataset.Unlabelled; i < 60 {
			y[i] = class
		}
	}
	return &dataset.Dataset{Points: points.DenseBytes(n, d, values), Y: y, Classes: []string{"a", "b", "c"}}
}

// kindsOfABC are kinds of label that the classes of manyBytes may be.
var kindsOfABC = map[string]task.Kind{"classes": {}, "ordered classes": task.Ordered("a", "b", "c")}

// onLandmarks is a trainer whose model neighbours add to, as few landmarks say little.
func onLandmarks() lapsvm.Trainer {
	return lapsvm.Trainer{Recipe: lapsvm.Recipe{Solver: train.Landmarks, Landmarks: 12, Kernel: kernel.Gaussian{Sigma: 0.05}, Standardise: points.UnitNorm,
		GammaA: 1e-4, GammaI: 0.1, Graph: graph.Options{Neighbours: 8, Degree: 2}, Calibrate: true, Seed: 1}}
}

// fitOnLandmarks fits such a model of classes, or of the kind of label that is named.
func fitOnLandmarks(t *testing.T, d *dataset.Dataset, kind ...task.Kind) *lapsvm.Model {
	t.Helper()
	trainer := onLandmarks()
	if len(kind) > 0 {
		trainer.Recipe.Kind = kind[0]
	}
	m, err := trainer.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	if m.Local() == nil {
		t.Fatal("the model keeps no training points")
	}
	return m
}

// A model with neighbours comes back from its file with the bits of every decision value,
// whatever else is predicted with a point.
func TestModelWithNeighboursSavedAndLoaded(t *testing.T) {
	for name, kind := range kindsOfABC {
		t.Run(name, func(t *testing.T) { savedWithNeighbours(t, kind) })
	}
}

func savedWithNeighbours(t *testing.T, kind task.Kind) {
	ctx := context.Background()
	d := manyBytes(1200)
	m := fitOnLandmarks(t, d, kind)
	path := filepath.Join(t.TempDir(), "m.lapsvm")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := lapsvm.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	x := manyBytes(1500).Points.Slice(1200, 1500)
	want, err := m.Scores(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	got, err := loaded.Scores(ctx, x)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the loaded model has other values: %v", err)
	}
	var parts [][]float64
	for from := 0; from < x.Len(); {
		to := min(from+1+from%17, x.Len())
		part, err := loaded.Scores(ctx, x.Slice(from, to))
		if err != nil {
			t.Fatal(err)
		}
		parts, from = append(parts, part...), to
	}
	if !reflect.DeepEqual(parts, want) {
		t.Error("values depend on what is predicted together")
	}
	var first, second bytes.Buffer
	if m.Write(&first) != nil || loaded.Write(&second) != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the loaded model is written otherwise")
	}
	if m.Local().Points.Storage() != points.Uint8 || loaded.Local().Points.Storage() != points.Uint8 {
		t.Error("the points are no longer bytes")
	}
}

// A file whose index does not fit its points is refused, the checksum being right.
func TestModelWithDamagedIndex(t *testing.T) {
	m := fitOnLandmarks(t, manyBytes(600))
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	first := binary.LittleEndian.AppendUint32(nil, uint32(m.Local().Index.Parts().Rows[0]))
	second := binary.LittleEndian.AppendUint32(first, uint32(m.Local().Index.Parts().Rows[1]))
	at := bytes.Index(file, second)
	if at < 0 {
		t.Fatal("no cells in the file")
	}
	damaged := slices.Clone(file[:len(file)-sha256.Size])
	binary.LittleEndian.PutUint32(damaged[at:], 600)
	sum := sha256.Sum256(damaged)
	if _, err := lapsvm.Read(bytes.NewReader(append(damaged, sum[:]...))); err == nil {
		t.Error("a cell with a point that is not there is taken")
	}
}

// Shares of training points, of the basis and of the neighbours, add up to the decision
// value, and the nearest of all training points are shown.
func TestExplainWithNeighbours(t *testing.T) {
	for name, kind := range kindsOfABC {
		t.Run(name, func(t *testing.T) { explainedWithNeighbours(t, kind) })
	}
}

func explainedWithNeighbours(t *testing.T, kind task.Kind) {
	ctx := context.Background()
	d := manyBytes(1200)
	m := fitOnLandmarks(t, d, kind)
	x := manyBytes(1280).Points.Slice(1200, 1280)
	explained := func(nearest int) []lapsvm.ShareExplanation {
		all, err := m.ExplainShares(ctx, x, lapsvm.ShareOptions{Shares: 1 << 20, Nearest: nearest})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	all, more := explained(4), explained(m.Local().Neighbours+3)
	scores, err := m.Scores(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	train, scaled := m.Local().Points, points.Scaling{Kind: points.UnitNorm}.Apply(x)
	found := 0
	for i, e := range all {
		sum, positive := e.Bias, 0
		for _, s := range e.Shares {
			sum += s.Value
			if s.Class != d.Y[s.Row] {
				t.Fatalf("row %d of the training data has the class %d, not %d", s.Row, d.Y[s.Row], s.Class)
			}
			if s.Value != 0 {
				positive++
			}
		}
		if want := scores[i][e.Class]; !(math.Abs(sum-want) <= 1e-4*(1+e.Magnitude)) || !(math.Abs(e.Value-want) <= 1e-4*(1+e.Magnitude)) {
			t.Errorf("row %d: shares of %v, the value %v in place of %v", i, sum, e.Value, want)
		}
		if positive < m.Local().Neighbours || positive > m.Basis()+m.Local().Neighbours {
			t.Errorf("row %d: %d training points have a share", i, positive)
		}
		least := math.Inf(1)
		for j := range train.Len() {
			least = min(least, scaled.SquaredDistance(i, train, j))
		}
		if math.Abs(e.Nearest[0].Distance-math.Sqrt(least)) <= 1e-9 {
			found++
		}
		for _, s := range e.NearLabels {
			if s.Class == dataset.Unlabelled {
				t.Errorf("row %d: one of the nearest labelled has no label", i)
			}
		}
		// Points that are only shown add nothing.
		if b := more[i]; len(b.Nearest) != m.Local().Neighbours+3 || !(math.Abs(b.Value-e.Value) <= 1e-9*(1+e.Magnitude)) || !(math.Abs(b.Magnitude-e.Magnitude) <= 1e-9*(1+e.Magnitude)) {
			t.Errorf("row %d: %d nearest are shown with the value %v of the magnitude %v, 4 with %v of %v", i, len(b.Nearest), b.Value, b.Magnitude, e.Value, e.Magnitude)
		}
		if len(e.Nearest) != 4 || len(e.NearLabels) != 4 {
			t.Errorf("row %d: %d nearest, %d with a label", i, len(e.Nearest), len(e.NearLabels))
		}
	}
	if 10*found < 9*len(all) {
		t.Errorf("the nearest training point of %d rows of %d", found, len(all))
	}
}

// Distances are to the nearest training points, not to the few landmarks: training points
// themselves and others like them are not far.
func TestDriftWithNeighbours(t *testing.T) {
	ctx := context.Background()
	m := fitOnLandmarks(t, manyBytes(1200))
	rows := m.Profile().Rows
	if rows == nil {
		t.Fatal("no distances are known")
	}
	more := manyBytes(1500)
	like := &dataset.Dataset{Points: more.Points.Slice(1200, 1500), Y: slices.Repeat([]int{dataset.Unlabelled}, 300), Classes: more.Classes}
	report, scores, err := m.Drift(ctx, like)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := m.Scores(ctx, like.Points); err != nil || !reflect.DeepEqual(scores, want) {
		t.Errorf("other decision values than those of Scores: %v", err)
	}
	if report.Drifted() {
		t.Errorf("points like those of the training have drifted: %+v", report)
	}
	near := &gram.Nearest{}
	if _, err := m.Predictor().ScoresNear(ctx, like.Points, near); err != nil {
		t.Fatal(err)
	}
	train, scaled := m.Local().Points, points.Scaling{Kind: points.UnitNorm}.Apply(like.Points)
	found := 0
	for i, distance := range near.Distance {
		least := math.Inf(1)
		for j := range train.Len() {
			least = min(least, scaled.SquaredDistance(i, train, j))
		}
		if math.Abs(distance-math.Sqrt(least)) <= 1e-9 {
			found++
		}
	}
	if 10*found < 9*len(near.Distance) {
		t.Errorf("%d of %d distances are those to the nearest training points", found, len(near.Distance))
	}
}

// What cannot be done with neighbours says what to do.
func TestPruneWithNeighbours(t *testing.T) {
	m := fitOnLandmarks(t, manyBytes(600))
	if _, _, err := m.Prune(context.Background(), 1e-3); !errors.Is(err, lapsvm.ErrData) || !strings.Contains(err.Error(), "Recipe{Compact: true}") {
		t.Errorf("pruned: %v", err)
	}
}

// A compact model is an expansion alone, near the training's decisions, and everything
// works with it.
func TestCompactModel(t *testing.T) {
	ctx := context.Background()
	d := manyBytes(1200)
	trainer := onLandmarks()
	trainer.Recipe.Compact, trainer.Recipe.Kernel = true, kernel.Gaussian{Sigma: 0.2}
	m, err := trainer.Fit(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	told := m.Training().NewPoints
	if m.Local() != nil || told == nil || told.Kept || told.Landmarks != m.Basis() {
		t.Fatalf("a compact model keeps points: %+v", told)
	}
	got, err := m.Predict(ctx, d.Points)
	if err != nil {
		t.Fatal(err)
	}
	otherwise := 0
	for i, class := range m.Decide(m.Training().Scores) {
		if got[i] != class {
			otherwise++
		}
	}
	if otherwise > len(got)/100 {
		t.Errorf("%d of %d training points are decided otherwise than in the training", otherwise, len(got))
	}
	again := lapsvm.Trainer{Recipe: m.Recipe()}
	same, err := again.Fit(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	a, b := m.Predictor().Expansion(), same.Predictor().Expansion()
	if !reflect.DeepEqual(a.Coefficients, b.Coefficients) || !reflect.DeepEqual(a.Bias, b.Bias) {
		t.Error("training again by the recipe gives another model")
	}
	if _, _, err := m.Prune(ctx, 1e-2); err != nil {
		t.Error(err)
	}
	if _, err := m.ExplainShares(ctx, d.Points.Slice(0, 5), lapsvm.ShareOptions{}); err != nil {
		t.Error(err)
	}
	if _, _, err := m.Drift(ctx, d); err != nil {
		t.Error(err)
	}
}

// Where landmarks say of left-out points what the training says, nothing else is kept.
func TestLandmarksAloneWhereTheyDo(t *testing.T) {
	trainer := onLandmarks()
	trainer.Recipe.Landmarks, trainer.Recipe.Kernel = 400, kernel.Gaussian{Sigma: 0.5}
	m, err := trainer.Fit(context.Background(), manyBytes(1200))
	if err != nil {
		t.Fatal(err)
	}
	if told := m.Training().NewPoints; m.Local() != nil || told.Kept || told.Sample == 0 || told.Compact > told.Neighbours+2 {
		t.Errorf("the model keeps its points: %+v", told)
	}
}

// The second count of a profile is of decisions on training points by what all others add: without
// the share that each has as a basis point and as its own neighbour.
func TestProfileWithoutThePointsThemselves(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	d := &dataset.Dataset{Classes: []string{"a", "b"}}
	var values []float64
	for i := range 600 {
		values = append(values, rng.Float64(), rng.Float64())
		if d.Y = append(d.Y, dataset.Unlabelled); i < 400 { // most, so that all points are counted
			d.Y[i] = min(1, rng.IntN(3)) // unequal classes, so that more turn one way
		}
	}
	d.Points = points.Dense(600, 2, values)
	trainer := onLandmarks()
	trainer.Recipe.Kernel, trainer.Recipe.Standardise = kernel.Gaussian{Sigma: 0.1}, points.AsIs
	m, err := trainer.Fit(t.Context(), d)
	if err != nil || m.Local() == nil {
		t.Fatal("the model keeps no training points", err)
	}
	all, err := m.ExplainShares(t.Context(), d.Points, lapsvm.ShareOptions{Shares: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	counts, turned := make([]int, 2), 0
	for i, e := range all {
		value, class := e.Value, e.Class
		for _, s := range e.Shares {
			if s.Row == i {
				value -= s.Value
			}
		}
		if value < 0 { // the other class has −value
			class = 1 - class
			turned++
		}
		counts[class]++
	}
	if got := m.Profile().Without; !slices.Equal(got, counts) || turned == 0 {
		t.Errorf("without themselves the points are %v of the classes, want %v; %d are turned", got, counts, turned)
	}
}
