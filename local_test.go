package lapsvm_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/graph"
	"lapsvm/kernel"
	"lapsvm/points"
	"lapsvm/train"
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

// onLandmarks is a trainer whose model neighbours add to, as few landmarks say little.
func onLandmarks() lapsvm.Trainer {
	return lapsvm.Trainer{Recipe: lapsvm.Recipe{Solver: train.Landmarks, Landmarks: 12, Kernel: kernel.Gaussian{Sigma: 0.05}, Standardise: points.UnitNorm,
		GammaA: 1e-4, GammaI: 0.1, Graph: graph.Options{Neighbours: 8, Degree: 2}, Calibrate: true, Seed: 1}}
}

func fitOnLandmarks(t *testing.T, d *dataset.Dataset) *lapsvm.Model {
	t.Helper()
	m, err := onLandmarks().Fit(context.Background(), d)
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
	ctx := context.Background()
	d := manyBytes(1200)
	m := fitOnLandmarks(t, d)
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
	links := binary.LittleEndian.AppendUint32(nil, uint32(m.Local().Index.Parts().Links[0]))
	second := binary.LittleEndian.AppendUint32(links, uint32(m.Local().Index.Parts().Links[1]))
	at := bytes.Index(file, second)
	if at < 0 {
		t.Fatal("no links in the file")
	}
	damaged := slices.Clone(file[:len(file)-sha256.Size])
	binary.LittleEndian.PutUint32(damaged[at:], 600)
	sum := sha256.Sum256(damaged)
	if _, err := lapsvm.Read(bytes.NewReader(append(damaged, sum[:]...))); err == nil {
		t.Error("a link to a point that is not there is taken")
	}
}
