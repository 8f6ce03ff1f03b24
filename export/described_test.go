package export_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/dataset"
	"lapsvm/dataset/files"
	"lapsvm/export"
	"lapsvm/internal/describe"
	"lapsvm/internal/machines/modelfile"
	"lapsvm/internal/machines/task"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/testing/drawn"
	"lapsvm/kernel"
	"lapsvm/points"
)

// described is a model that describes points, and raw points to try it on.
type described struct {
	*modelfile.Contents
	points *points.Points
}

// pictures draws noise with a bar of any place and direction in each colour, from 0 to 255.
func pictures(n int, s describe.Shape, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 2))
	values := make([]float64, n*s.Inputs())
	for i := range n {
		for c := range s.Colours {
			angle, place := 2*math.Pi*rng.Float64(), rng.Float64()-0.5
			for k := range s.Width * s.Height {
				x, y := float64(k%s.Width)/float64(s.Width)-0.5, float64(k/s.Width)/float64(s.Height)-0.5
				v := float64(rng.IntN(40))
				if math.Abs(x*math.Cos(angle)+y*math.Sin(angle)-place) < 0.12 {
					v += 200
				}
				values[i*s.Inputs()+k*s.Colours+c] = math.Floor(v)
			}
		}
	}
	return values
}

// withMachines is a Gaussian model of three classes over the points p of a description.
func withMachines(t *testing.T, d describe.Description, p, tries *points.Points, kind points.Standardise) described {
	t.Helper()
	x, err := d.Apply(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	scaling, err := points.FitScaling(t.Context(), kind, x)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	c := &modelfile.Contents{Description: d, Scaling: scaling, Basis: scaling.Apply(x), Classes: []string{"a", "b", "c"}, Bias: normal(rng, 3, 0, 0.1)}
	c.Kernel = kernel.Gaussian{Sigma: math.Sqrt(c.Basis.SquaredDistance(0, c.Basis, 1))}
	for range 3 {
		c.Coefficients = append(c.Coefficients, normal(rng, p.Len(), 0, 1))
	}
	return described{c, tries}
}

// describedModels are models of pictures of all shapes, of a table with texts, and of curves by their factors.
func describedModels(t *testing.T) map[string]described {
	t.Helper()
	all := make(map[string]described)
	for name, c := range map[string]struct {
		s       describe.Shape
		names   []string
		kind    points.Standardise
		aligned bool
	}{
		"small":            {describe.Shape{Width: 16, Height: 17, Colours: 1}, describe.Pictures(), points.AsIs, false},
		"as they are":      {describe.Shape{Width: 29, Height: 24, Colours: 1}, []string{describe.Patches}, points.ZScore, false},
		"coloured":         {describe.Shape{Width: 20, Height: 26, Colours: 3}, describe.Pictures(), points.UnitNorm, false},
		"large":            {describe.Shape{Width: 57, Height: 20, Colours: 1}, []string{describe.HOG}, points.AsIs, false},
		"coloured hog":     {describe.Shape{Width: 24, Height: 60, Colours: 3}, []string{describe.HOG}, points.Columns, false},
		"aligned":          {describe.Shape{Width: 16, Height: 21, Colours: 1}, describe.Pictures(), points.AsIs, true},
		"aligned, colours": {describe.Shape{Width: 28, Height: 19, Colours: 3}, describe.Pictures(), points.AsIs, true},
	} {
		p := points.Dense(30, c.s.Inputs(), pictures(30, c.s, 1))
		d, _, err := describe.Learn(t.Context(), c.names, c.s, p, 1)
		if err != nil {
			t.Fatal(err)
		}
		d.Aligned = c.aligned
		tries := pictures(6, c.s, 2)
		clear(tries[:c.s.Inputs()]) // there is nothing to be seen
		tries[c.s.Inputs()+5], tries[2*c.s.Inputs()+7] = 1e30, -1e30
		all[name] = withMachines(t, d, p, points.Dense(6, c.s.Inputs(), tries), c.kind)
	}
	training := notes(t, 60, 4, files.Options{Text: []string{"note"}})
	var texts []describe.Text
	for _, columns := range training.Encoding.Texts() {
		width := columns[1] - columns[0]
		vectors := make([]float32, 5*width)
		for k, v := range pictures(width, describe.Shape{Width: 5, Height: 1, Colours: 1}, 6) {
			vectors[k] = float32(v)
		}
		texts = append(texts, describe.Text{Columns: columns, Vectors: vectors})
	}
	d, err := describe.LearnColumns(t.Context(), describe.Fields{Texts: texts, Joint: training.Encoding.Joint(), Together: training.Encoding.Together()}, training.Points, 1)
	if err != nil {
		t.Fatal(err)
	}
	if parts := fmt.Sprint(d.Names()); parts != "[numbers vectors latent word-vectors]" {
		t.Fatal(parts)
	}
	described := withMachines(t, d, training.Points, notes(t, 40, 5, files.Options{Encoding: training.Encoding}).Points, points.AsIs)
	described.Kernel = kernel.Linear{}
	all["texts"] = described
	counts := func(n int, seed uint64) *points.Points {
		random, values := rand.New(rand.NewPCG(seed, 3)), make([]float64, n*40)
		for i := range 12 * n {
			values[i/12*40+random.IntN(random.IntN(39)+1)]++
		}
		return describe.Sparse(points.Dense(n, 40, values))
	}
	words := counts(60, 1)
	if d, err = describe.LearnColumns(t.Context(), describe.Fields{Texts: []describe.Text{{Columns: [2]int{0, 40}, Counts: true}}}, words, 1); err != nil {
		t.Fatal(err)
	}
	if parts := fmt.Sprint(d.Names()); parts != "[latent rare-words]" {
		t.Fatal(parts)
	}
	all["counts"] = withMachines(t, d, words, counts(30, 2), points.AsIs)
	rng := rand.New(rand.NewPCG(9, 1))
	curves := func(n int) *points.Points { // of two shapes of unequal size, in noise
		values := make([]float64, 0, 14*n)
		for range n {
			slope, bend := rng.NormFloat64(), rng.NormFloat64()
			for j := range 14 {
				at := float64(j) - 6.5
				values = append(values, 50+6*slope*math.Cos(at)+6*bend*math.Sin(at)+rng.NormFloat64())
			}
		}
		return points.Dense(n, 14, values)
	}
	later := slices.Concat(curves(5).DenseRow(0), curves(5).DenseRow(1), curves(5).DenseRow(2), curves(5).DenseRow(3))
	later[17] = 1e30
	if d, err = describe.LearnFactors(t.Context(), curves(60), 1); err != nil || d.Dim() != 2 {
		t.Fatal(d, err)
	}
	all["factors"] = withMachines(t, d, curves(60), points.Dense(4, 14, later), points.AsIs)
	return all
}

// notes is a table of texts, one of which has no word, beside vectors, numbers with a long tail and numbers without. A
// later one has a number far beyond the others.
func notes(t *testing.T, n int, seed uint64, o files.Options) *dataset.Dataset {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(drawn.Notes(n, n, seed)), "\n")
	rng := rand.New(rand.NewPCG(seed, 3))
	lines[0], lines[2] = "size,weight,place,"+lines[0], "???,harbour"
	for i := 1; i < len(lines); i++ {
		weight := 50 + 10*rng.NormFloat64()
		if i == 4 && o.Encoding != nil {
			weight = 1e30
		}
		lines[i] = fmt.Sprintf("%.3f,%g,[%.3f %.3f],%s", math.Exp(2*rng.NormFloat64()), weight, rng.NormFloat64(), rng.NormFloat64(), lines[i])
	}
	d, err := files.Read(strings.NewReader(strings.Join(lines, "\n")), "notes.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// singleDescribed is the tolerance of decision values, in the sum of |α|, where descriptions are computed in float32.
// Rounding decides which of two colours with equal gradients counts, and the root of a sum that is hardly above
// 0 has half the digits.
const singleDescribed = 1e-3

// expected returns what the program itself says, in float64 behind the description.
func (m described) expected(t *testing.T) (scores [][]float64, labels []string) {
	t.Helper()
	p := train.NewPredictor(m.Description, m.Scaling, gram.Expansion{Kernel: m.Kernel, Basis: m.Basis, Coefficients: m.Coefficients, Bias: m.Bias}, gram.Double, task.OutputCodingOf(m.Kind, len(m.Classes)), train.Uncertainty{})
	scores, err := p.Scores(t.Context(), m.points)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range p.Decide(scores) {
		labels = append(labels, m.Classes[k])
	}
	return scores, labels
}

// check compares results with what the program itself says.
func (m described) check(t *testing.T, name string, got results) {
	t.Helper()
	scores, labels := m.expected(t)
	want := slices.Concat(scores...)
	if len(got.Scores) != len(want) || !slices.Equal(got.Label, labels) {
		t.Fatalf("%s: labels %v, want %v", name, got.Label, labels)
	}
	size, largest := 0.0, 0.0
	for _, alpha := range m.Coefficients[0] {
		size += math.Abs(alpha)
	}
	for k, v := range want {
		largest = max(largest, math.Abs(got.Scores[k]-v)/size)
	}
	if t.Logf("%s: largest difference %.2g of %d decision values", name, largest, len(want)); !(largest <= singleDescribed) {
		t.Errorf("%s: decision values differ by %.2g", name, largest)
	}
	if varied := slices.Compact(slices.Sorted(slices.Values(want))); len(varied) < len(want)/2 {
		t.Errorf("%s: the decision values are all the same", name)
	}
}

// Graphs take points as the program does, and describe them by the rules of their operators.
func TestONNXDescribedGraph(t *testing.T) {
	for name, m := range describedModels(t) {
		m.check(t, name, decode(t, onnx(t, name, m.Contents, gram.Single)).run(t, rounded(m.points)))
		m.check(t, name, decode(t, onnx(t, name, m.Contents, gram.Double)).run(t, m.points))
	}
}

// So they do in onnxruntime.
func TestONNXDescribedRuntime(t *testing.T) {
	needRuntime(t)
	var jobs []job
	var names []string
	models := describedModels(t)
	for name, m := range models {
		for _, precision := range []gram.Precision{gram.Single, gram.Double} {
			jobs, names = append(jobs, newJob(t, onnx(t, name, m.Contents, precision), m.points, precision)), append(names, name)
		}
	}
	for k, got := range runtime(t, jobs) {
		models[names[k]].check(t, names[k], got)
	}
}

// So does the documented loader of JSON.
func TestNumPyDescribed(t *testing.T) {
	var jobs []job
	var names []string
	models := describedModels(t)
	for name, m := range models {
		var b bytes.Buffer
		if err := export.JSON(&b, m.Contents); err != nil {
			t.Fatal(err)
		}
		version := `"version":4,`
		if by, ok := m.Description.(*describe.OfPictures); ok && by.Aligned {
			version = `"version":6,`
		}
		if !bytes.Contains(b.Bytes(), []byte(version)) {
			t.Errorf("%s: not %s", name, version)
		}
		jobs, names = append(jobs, job{Model: saved(t, "m.json", b.Bytes()), Points: saved(t, "points", raw(m.points)), D: m.points.Dim()}), append(names, name)
	}
	for k, got := range numPy(t, jobs) {
		models[names[k]].check(t, names[k], got)
	}
}

// The effect of float32 is measured at pictures, and cannot be at texts and factors.
func TestONNXDescribedPrecision(t *testing.T) {
	for name, m := range describedModels(t) {
		var b bytes.Buffer
		r, err := export.ONNX(t.Context(), &b, m.Contents, 0)
		_, columns := m.Description.(*describe.OfColumns)
		switch {
		case err != nil:
			t.Fatal(err)
		case columns && (r.Precision != gram.Double || r.Tried > 0):
			t.Errorf("%s: %+v", name, r)
		case !columns && (r.Precision != gram.Single || r.Tried < 300 || r.Changed > 0 || r.Largest == 0 || r.Largest > 1e-3):
			t.Errorf("%s: %+v", name, r)
		}
	}
	// Values that are large beside their differences.
	m := describedModels(t)["small"]
	d := *m.Description.(*describe.OfPictures)
	d.Shift, m.Contents.Description = d.Shift+1e7, &d
	if r, err := export.ONNX(t.Context(), io.Discard, m.Contents, 0); err != nil || r.Precision != gram.Double || r.Tried > 0 {
		t.Errorf("shifted pictures: %+v, error %v", r, err)
	}
}

// LIBSVM knows no descriptions, and ONNX refuses those that it does not know.
func TestDescribedRefused(t *testing.T) {
	m := describedModels(t)["large"]
	var b bytes.Buffer
	if _, err := export.LIBSVM(&b, m.Contents); err == nil || !strings.Contains(err.Error(), "(hog) before all else, which LIBSVM cannot") || !strings.Contains(err.Error(), "lapsvm encode") || b.Len() > 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
	d := *m.Description.(*describe.OfPictures)
	d.Parts = []describe.Part{d.Parts[0]}
	d.Parts[0].Name = "sift"
	m.Contents.Description = &d
	if _, err := export.ONNX(t.Context(), &b, m.Contents, gram.Double); err == nil || !strings.Contains(err.Error(), "no ONNX graph is known of the description sift: train") || b.Len() > 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}
