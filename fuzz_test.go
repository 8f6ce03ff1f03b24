package lapsvm_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// modelBytes makes a model file of a header and the bytes after it, with a length
// and a checksum that fit.
func modelBytes(version byte, header string, arrays []byte) []byte {
	b := append([]byte("LAPSVM\r\n"), version, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	b = append(append(b, header...), arrays...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// partsOf takes a model's file apart into what modelBytes makes one of.
func partsOf(t testing.TB, m *lapsvm.Model) (version byte, header string, arrays []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	end := 16 + int(binary.LittleEndian.Uint32(file[12:]))
	return file[8], string(file[16:end]), file[end : len(file)-sha256.Size]
}

// smallModels are a Gaussian one, a linear one of three classes, a polynomial one of
// sparse points, and one on landmarks to which neighbours add.
func smallModels(t testing.TB) []*lapsvm.Model {
	t.Helper()
	names := []string{"a", "b", "c"}
	corners := &dataset.Dataset{Points: points.Dense(9, 2, []float64{0, 0, 0, 1, 1, 0, 5, 5, 5, 6, 6, 5, 0, 9, 1, 9, 0, 8}), Y: []int{0, -1, -1, 1, -1, -1, 2, -1, -1}, Classes: names}
	sparse := &dataset.Dataset{Points: points.CSR(4, []int{0, 1, 3, 4, 6}, []int32{0, 0, 2, 1, 1, 3}, []float64{1, 2, 0.5, 1, 2, 0.5}), Y: []int{0, -1, 1, -1}, Classes: names[:2]}
	moons := dataset.TwoMoons(12, 0.05, 1)
	var models []*lapsvm.Model
	for _, c := range []struct {
		kernel kernel.Kernel
		data   *dataset.Dataset
	}{{kernel.Gaussian{Sigma: 0.5}, moons}, {kernel.Linear{}, corners}, {kernel.Polynomial{Degree: 2, Coef0: 1}, sparse}} {
		r := lapsvm.Recipe{Kernel: c.kernel, RulesOfThumb: true, Loss: objective.Squared}
		r.Graph.Neighbours = 2
		m, err := lapsvm.Trainer{Recipe: r}.Fit(context.Background(), c.data)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 0.02}, Solver: lapsvm.Landmarks, Landmarks: 3, RulesOfThumb: true,
		Graph: graph.Options{Neighbours: 3, Degree: 1}}}.Fit(context.Background(), dataset.TwoMoons(40, 0.05, 1))
	if err != nil {
		t.Fatal(err)
	}
	if m.Local() == nil {
		t.Fatal("the model on landmarks keeps no training points")
	}
	return append(models, m)
}

// use calls the methods of a model that was read, on two points, as programs do. It checks that
// they give finite values or an error.
func use(t *testing.T, m *lapsvm.Model) {
	t.Helper()
	if m.Dim() > 1<<12 || m.Basis() > 1<<12 { // of zeros, and slow
		return
	}
	x := make([]float64, 2*m.Dim())
	for j := range x {
		x[j] = float64(j%7)/2 - 1
	}
	p := points.Dense(2, m.Dim(), x)
	finite := func(what string, values ...float64) {
		for _, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s: %v", what, values)
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	predict := func(what string, m *lapsvm.Model) {
		rows, err := m.Scores(ctx, p)
		if err != nil {
			return
		}
		for i, class := range m.Decide(rows) {
			if finite(what, rows[i]...); class < -1 || class >= len(m.Classes()) {
				t.Fatalf("%s: the class %d", what, class)
			}
		}
		if rows, err = m.Probabilities(ctx, p); err == nil {
			for _, row := range rows {
				finite(what+", probabilities", row...)
			}
		}
	}
	predict("model", m)
	if all, err := m.ExplainShares(ctx, p, lapsvm.ShareOptions{}); err == nil {
		for _, e := range all {
			finite("explanation", e.Value, e.Bias, e.Unlabelled, e.Rest, e.Magnitude)
			finite("explanation by class", e.Labelled...)
		}
	}
	if pruned, change, err := m.Prune(ctx, 1e-3); err == nil {
		finite("change by pruning", change)
		predict("pruned model", pruned)
	}
	if _, err := m.Contents(); err != nil {
		t.Fatal(err)
	}
}

// FuzzModel uses whatever model can be read.
func FuzzModel(f *testing.F) {
	for _, m := range smallModels(f) {
		version, header, arrays := partsOf(f, m)
		f.Add(version, header, arrays)
	}
	f.Fuzz(func(t *testing.T, version byte, header string, arrays []byte) {
		if m, err := lapsvm.Read(bytes.NewReader(modelBytes(version, header, arrays))); err == nil {
			use(t, m)
		}
	})
}

// recipeAnd is the JSON of a model's recipe and training beside others of its
// header.
const recipeAnd = `"config":{"kernel":"linear","gamma_a":1,"gamma_i":1,"neighbours":1,"laplacian_degree":1,"bias":"on"},"training":{},`

// A linear model in any number of basis points is explained by its weight vectors.
func TestExplainLinearExpansion(t *testing.T) {
	var arrays []byte
	for _, v := range []float64{1, 2, 3, -1, 0.5, 0, 0, 100} { // a basis point, coefficients, biases
		arrays = binary.LittleEndian.AppendUint64(arrays, math.Float64bits(v))
	}
	m, err := lapsvm.Read(bytes.NewReader(modelBytes(1, `{"kernel":{"name":"linear"},`+recipeAnd+`"basis":{"rows":1,"columns":2},"machines":3,"classes":["a","b","c"]}`, arrays)))
	if err != nil {
		t.Fatal(err)
	}
	use(t, m)
	p := points.Dense(1, 2, []float64{10, 1})
	all, err := m.ExplainShares(t.Context(), p, lapsvm.ShareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []lapsvm.Feature{{Column: 0, Value: 5}, {Column: 1, Value: 1}}
	if e := all[0]; e.Class != 2 || e.Value != 106 || len(e.Features) != 2 || e.Features[0] != want[0] || e.Features[1] != want[1] {
		t.Errorf("explained %+v, want the class 2 with 106 of %v", e, want)
	}
}

// Pruning ends where no further point brings decision values nearer, which rounding
// keeps apart by more than is allowed.
func TestPruneEnds(t *testing.T) {
	for _, x := range []float64{1.544, 1.618, 1.655, 2.025, 2.395} {
		c := &modelfile.Contents{Kernel: kernel.Polynomial{Degree: 1}, Basis: points.Dense(3, 1, []float64{x, x, x}), Coefficients: [][]float64{{1e20 / 3, 1e19 / 7, 1}}, Bias: []float64{0},
			Classes: []string{"a", "b"}, Recipe: []byte(`{"kernel":"poly","degree":1,"bias":"on"}`), Training: []byte(`{}`)}
		var b bytes.Buffer
		if err := modelfile.Write(&b, c); err != nil {
			t.Fatal(err)
		}
		m, err := lapsvm.Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		pruned, change, err := m.Prune(ctx, 1e-6)
		cancel()
		if err != nil || !(change <= 1e-6) || pruned.Basis() < 1 {
			t.Errorf("x = %v: a change of %v, error %v", x, change, err)
		}
	}
}

// A point at which the expansion overflows is an error and not a prediction.
func TestScoresNotFinite(t *testing.T) {
	c := &modelfile.Contents{Kernel: kernel.Polynomial{Degree: 1000}, Basis: points.Dense(1, 1, []float64{1}), Coefficients: [][]float64{{1}}, Bias: []float64{0},
		Classes: []string{"a", "b"}, Recipe: []byte(`{"kernel":"poly","degree":1000,"bias":"on","precision":64}`), Training: []byte(`{}`)}
	var b bytes.Buffer
	if err := modelfile.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	m, err := lapsvm.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(t.Context(), points.Dense(2, 1, []float64{1, 3})); err == nil || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("error %v, want one of row 2", err)
	}
	if _, err := m.Predict(t.Context(), points.Dense(1, 1, []float64{1})); err != nil {
		t.Error(err)
	}
}

// A recipe in a file that nothing can be trained by is refused.
func TestNonsenseRecipes(t *testing.T) {
	version, header, arrays := partsOf(t, smallModels(t)[0])
	at := strings.Index(header, `"config":`)
	for _, damage := range [][2]string{
		{`"kernel":"gaussian"`, `"kernel":"cubic"`}, {`"solver":"`, `"solver":"magic-`}, {`"loss":"`, `"loss":"log-`}, {`"metric":"`, `"metric":"far-`}, {`"weights":"`, `"weights":"no-`},
		{`"laplacian":"`, `"laplacian":"un-`}, {`"bias":"`, `"bias":"high-`}, {`"standardise":"`, `"standardise":"log-`}, {`"gamma_a":`, `"gamma_a":-`}, {`"gamma_i":`, `"gamma_i":-`},
		{`"neighbours":`, `"neighbours":-`}, {`"laplacian_degree":`, `"laplacian_degree":-`}, {`"heat":`, `"heat":-`}, {`"precision":`, `"precision":1`},
		{`"stop":"`, `"stop":"never-`}, {`"max_iter":`, `"max_iter":-`}, {`"bias":`, `"prior":"mine","bias":`}, {`"bias":`, `"class_prior":{"a":-1},"bias":`}, {`"gram":"`, `"gram":"none-`},
	} {
		if !strings.Contains(header[at:], damage[0]) {
			t.Fatalf("no %s in %s", damage[0], header[at:])
		}
		damaged := header[:at] + strings.Replace(header[at:], damage[0], damage[1], 1)
		if m, err := lapsvm.Read(bytes.NewReader(modelBytes(version, damaged, arrays))); err == nil || !strings.Contains(err.Error(), "recipe") {
			t.Errorf("%s: model %v, error %v", damage[1], m != nil, err)
		}
	}
}
