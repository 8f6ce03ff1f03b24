package export_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"lapsvm"
	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/export"
	"lapsvm/internal/numbers/objective"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/internal/testing/golden"
	"lapsvm/kernel"
	"lapsvm/points"
)

// real is a training on real points, and other points to predict.
type real struct {
	name       string
	data, more string   // below $LAPSVM_DATA/data; more, for a long test, may be empty
	classes    []string // nil: all
	features   int
	labelled   int // rows that keep their label, evenly spread
	trainer    lapsvm.Trainer
	libsvm     bool // whether LIBSVM's text can hold the model
}

var reals = []real{
	{name: "G50C, Gaussian, 2 classes", data: "g50c/g50c.svm.gz", labelled: 50, libsvm: true,
		trainer: lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 17.5}, GammaA: 1e-6, GammaI: 1e-2, Graph: graph.Options{Neighbours: 50, Degree: 5}}}},
	{name: "USPST, Gaussian, 10 classes", data: "uspst/uspst.svm.gz", more: "uspst/usps_zip_test.svm.gz", labelled: 50, libsvm: true,
		trainer: lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Gaussian{Sigma: 9.4}, GammaA: 1e-6, GammaI: 1e-2, Graph: graph.Options{Neighbours: 10, Degree: 2}}}},
	{name: "MNIST 3 against 8, polynomial of degree 9, unit norm", data: "mnist/t10k-images-idx3-ubyte.gz", more: "mnist/train-images-idx3-ubyte.gz", classes: []string{"3", "8"}, labelled: 80,
		trainer: lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Polynomial{Degree: 9}, GammaA: 1e-6, GammaI: 0.1, Bias: objective.NoBias, Standardise: points.UnitNorm, Graph: graph.Options{Neighbours: 20, Degree: 3}}}},
	{name: "PCMAC, linear, sparse", data: "pcmac/pcmac.svm.gz", features: 7511, labelled: 50, libsvm: true,
		trainer: lapsvm.Trainer{Recipe: lapsvm.Recipe{Kernel: kernel.Linear{}, GammaA: 1e-6, GammaI: 1e-2, Graph: graph.Options{Neighbours: 50, Degree: 2, Metric: graph.Cosine}}}},
}

// open reads the points to train on, and all points to predict. In a short test
// it trains on every second point where there are many.
func (r real) open(t *testing.T, long bool) (training *dataset.Dataset, all *points.Points) {
	t.Helper()
	read := func(name string) *dataset.Dataset {
		d, err := files.ReadFile(golden.External(t, "data/"+name), files.Options{Features: r.features})
		if err == nil && r.classes != nil {
			d, err = d.Select(r.classes...)
		}
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	training = read(r.data)
	all = training.Points
	if n := len(training.Y); n > 1000 && !long {
		var half []int
		for i := 0; i < n; i += 2 {
			half = append(half, i)
		}
		training = training.Subset(half)
	}
	if r.more != "" && long {
		both, err := dataset.Concat(training, read(r.more))
		if err != nil {
			t.Fatal(err)
		}
		all = both.Points
	}
	for i := range training.Y {
		if i%(len(training.Y)/r.labelled) != 0 {
			training.Y[i] = dataset.Unlabelled
		}
	}
	return training, all
}

// Trained models, in the tools that they are exported for: all decision values
// and labels against the model's own in float64. With LAPSVM_LONG set models are
// larger and pruned too, and NumPy sees more points.
func TestRealModels(t *testing.T) {
	detector.Spare(t)
	long := os.Getenv("LAPSVM_LONG") != ""
	few := 300
	if long {
		few = 2000
	}
	for _, r := range reals {
		t.Run(r.name, func(t *testing.T) {
			training, all := r.open(t, long)
			r.trainer.Recipe.Precision, r.trainer.Recipe.Calibrate, r.trainer.Recipe.Solver = gram.Double, true, lapsvm.Deformed
			m, err := r.trainer.Fit(t.Context(), training)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := m.Scores(t.Context(), all)
			if err != nil {
				t.Fatal(err)
			}
			var labels []string
			for _, class := range m.Decide(rows) {
				labels = append(labels, m.Classes()[class])
			}
			if m.Machines() == 1 {
				for i := range rows {
					rows[i] = rows[i][1:]
				}
			}
			f := slices.Concat(rows...)
			size := max(slices.Max(f), -slices.Min(f))
			t.Logf("%d basis points, %d rows of %d features, decision values up to %.3g", m.Basis(), all.Len(), all.Dim(), size)
			c, err := m.Contents()
			if err != nil {
				t.Fatal(err)
			}
			// check compares what a tool makes of the first n points.
			check := func(tool string, got results, n int, tolerance float64) {
				t.Helper()
				if len(got.Scores) != n*m.Machines() || len(got.Label) != n {
					t.Fatalf("%s: %d values and %d labels of %d points", tool, len(got.Scores), len(got.Label), n)
				}
				largest, others := 0.0, 0
				for k, v := range f[:len(got.Scores)] {
					largest = max(largest, abs(got.Scores[k]-v))
				}
				for i, name := range labels[:n] {
					if got.Label[i] != name {
						others++
					}
				}
				t.Logf("%s, %d points: largest difference %.2g, %d other labels, %.3g s", tool, n, largest, others, got.Seconds)
				if !(largest <= tolerance) || others > 0 {
					t.Errorf("%s: decision values differ by %.3g, more than %.3g, or %d labels do", tool, largest, tolerance, others)
				}
			}
			for _, allowed := range []float64{1e-2, 0.1} {
				if m.Basis() > 600 && !long {
					break
				}
				pruned, change, err := m.Prune(t.Context(), allowed)
				if err != nil {
					t.Fatal(err)
				}
				g, err := pruned.Scores(t.Context(), all)
				if err != nil {
					t.Fatal(err)
				}
				elsewhere, others := 0.0, 0
				for i, class := range pruned.Decide(g) {
					if m.Classes()[class] != labels[i] {
						others++
					}
					for k, v := range g[i][len(g[i])-len(rows[i]):] {
						elsewhere = max(elsewhere, abs(v-rows[i][k]))
					}
				}
				t.Logf("pruned by %g to %d basis points: decision values differ by %.2g at the basis, %.2g at all rows; %d other labels", allowed, pruned.Basis(), change, elsewhere, others)
				if change > allowed {
					t.Errorf("pruning by %g changes a decision value by %g", allowed, change)
				}
			}
			t.Run("onnxruntime", func(t *testing.T) {
				needRuntime(t)
				got := runtime(t, []job{
					newJob(t, onnx(t, r.name, c, gram.Single), all, gram.Single),
					newJob(t, onnx(t, r.name, c, gram.Double), all, gram.Double)})
				check("onnxruntime "+got[0].Version+", float32", got[0], all.Len(), 1e-6*size)
				check("onnxruntime "+got[1].Version+", float64", got[1], all.Len(), 1e-11*size)
			})
			t.Run("NumPy", func(t *testing.T) {
				var b bytes.Buffer
				if err := export.JSON(&b, c); err != nil {
					t.Fatal(err)
				}
				some := all.Slice(0, min(all.Len(), few))
				check("NumPy", numPy(t, []job{{Model: saved(t, "m.json", b.Bytes()), Points: saved(t, "points", raw(some)), D: all.Dim()}})[0], some.Len(), 1e-11*size)
			})
			if !r.libsvm {
				return
			}
			t.Run("LIBSVM", func(t *testing.T) {
				predict, err := exec.LookPath("svm-predict")
				if err != nil {
					t.Skip("svm-predict is not installed (Debian package libsvm-tools)")
				}
				var b bytes.Buffer
				if _, err := export.LIBSVM(&b, c); err != nil {
					t.Fatal(err)
				}
				some := all.Slice(0, min(all.Len(), few))
				model, data, out := saved(t, "m.model", b.Bytes()), saved(t, "points", text(some)), saved(t, "out", nil)
				if message, err := exec.Command(predict, data, model, out).CombinedOutput(); err != nil {
					t.Fatalf("svm-predict: %v\n%s", err, message)
				}
				got := strings.Fields(read(t, out))
				if !slices.Equal(got, labels[:some.Len()]) {
					t.Errorf("svm-predict: other labels")
				}
				t.Logf("svm-predict: the same %d labels", len(got))
				largest := 0.0
				for i, row := range libsvmValues(t, model, data)[0] {
					for k, v := range ofPairs(rows[i]) {
						largest = max(largest, abs(row[k]-v))
					}
				}
				if t.Logf("LIBSVM, %d points: largest difference %.2g", some.Len(), largest); !(largest <= 1e-11*size) {
					t.Errorf("LIBSVM: decision values differ by %g", largest)
				}
			})
		})
	}
}

// Models that describe real pictures label all of them in onnxruntime as the program does. With LAPSVM_LONG set
// there are more pictures.
func TestRealPictures(t *testing.T) {
	detector.Spare(t)
	needRuntime(t)
	for _, c := range []struct {
		name, data string
		side       int
	}{
		{"USPST", "uspst/uspst.svm.gz", 16},
		{"MNIST", "mnist/t10k-images-idx3-ubyte.gz", 28},
		{"faces", "facemit/train-images-idx3-ubyte.gz", 19},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, err := files.ReadFile(golden.External(t, "data/"+c.data), files.Options{})
			if err != nil {
				t.Fatal(err)
			}
			all.Image = dataset.Image{Width: c.side, Height: c.side, White: 255}
			random := rand.New(rand.NewPCG(1, 1))
			order := random.Perm(all.Len())
			if os.Getenv("LAPSVM_LONG") == "" {
				order = order[:1000]
			}
			all = all.Subset(order)
			few := make([]int, 600)
			for i := range few {
				few[i] = i
			}
			training := all.Subset(few)
			for i := 60; i < len(few); i++ {
				training.Y[i] = dataset.Unlabelled
			}
			recipe := lapsvm.Recipe{Describe: "hog,patches", Kernel: kernel.Gaussian{Sigma: 1}, GammaA: 1e-4, GammaI: 0.1, Graph: graph.Options{Neighbours: 10, Degree: 2}}
			m, err := lapsvm.Trainer{Recipe: recipe}.Fit(t.Context(), training)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			rows, err := m.Scores(t.Context(), all.Points)
			if err != nil {
				t.Fatal(err)
			}
			seconds := time.Since(start).Seconds()
			contents, err := m.Contents()
			if err != nil {
				t.Fatal(err)
			}
			file := onnx(t, c.name, contents, gram.Single)
			got := runtime(t, []job{newJob(t, file, all.Points, gram.Single)})[0]
			largest, size, others := 0.0, 0.0, 0
			for i, class := range m.Decide(rows) {
				if got.Label[i] != m.Classes()[class] {
					others++
				}
				row := rows[i]
				if m.Machines() == 1 {
					row = row[1:]
				}
				for k, v := range row {
					largest, size = max(largest, abs(got.Scores[i*len(row)+k]-v)), max(size, abs(v))
				}
			}
			t.Logf("%d pictures, a file of %d bytes: largest difference %.2g of decision values up to %.3g, %d other labels; onnxruntime %.3g s on one thread, the program %.3g s on all",
				len(rows), len(file), largest, size, others, got.Seconds, seconds)
			if !(largest <= singleDescribed*size) || others > 0 {
				t.Errorf("decision values differ by %.2g, or %d labels do", largest, others)
			}
		})
	}
}

// Models of public tables label their rows in onnxruntime as the program does, from the columns as they are, and rows with
// gaps and values that were never seen too.
func TestRealTables(t *testing.T) {
	detector.Spare(t)
	needRuntime(t)
	for _, name := range []string{"abalone", "car", "credit_g", "dermatology", "heart_c", "kr_vs_kp", "mushroom", "sick", "soybean", "splice", "vote"} {
		t.Run(name, func(t *testing.T) {
			packed, err := os.Open(golden.External(t, "data/more/"+name+".csv.gz"))
			if err != nil {
				t.Fatal(err)
			}
			defer packed.Close()
			unpacked, err := gzip.NewReader(packed)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(unpacked).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			table := func() string {
				var b strings.Builder
				if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
					t.Fatal(err)
				}
				return b.String()
			}
			as := table()
			training, err := files.Read(strings.NewReader(as), name+".csv", files.Options{Label: "label"})
			if err != nil {
				t.Fatal(err)
			}
			for i := range training.Y {
				if i%5 != 0 {
					training.Y[i] = dataset.Unlabelled
				}
			}
			m, err := lapsvm.Trainer{Recipe: lapsvm.Recipe{RulesOfThumb: true}}.Fit(t.Context(), training)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 6))
			for k, column := range m.Encoding().Columns {
				at := slices.Index(rows[0], column.Name)
				for _, row := range rows[1:] {
					if random.IntN(5) == 0 {
						row[at] = ""
					} else if m.Encoding().Columns[k].Kind == dataset.Category && random.IntN(5) == 0 {
						row[at] = "never seen"
					}
				}
			}
			broken := table()
			contents, err := m.Contents()
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			rounding, err := export.ONNX(t.Context(), &file, contents, 0)
			if err != nil {
				t.Fatal(err)
			}
			g, model := decode(t, file.Bytes()), saved(t, "m.onnx", file.Bytes())
			got := runtime(t, []job{{Model: model, Inputs: g.feeds(t, as)}, {Model: model, Inputs: g.feeds(t, broken)}})
			for k, text := range []string{as, broken} {
				want, others, largest := answers(t, m, text), 0, 0.0
				for i, label := range want.Label {
					if got[k].Label[i] != label {
						others++
					}
				}
				for i, f := range want.Scores {
					largest = max(largest, abs(f-got[k].Scores[i]))
				}
				t.Logf("%d rows of %d columns, %d bits, %d basis points, %d bytes: %d other labels, decision values differ by %.2g, onnxruntime %.3g s", len(want.Label), len(g.inputs), rounding.Precision, m.Basis(), file.Len(), others, largest, got[k].Seconds)
				if others > 0 {
					t.Errorf("%d of %d rows have other labels", others, len(want.Label))
				}
			}
		})
	}
}
