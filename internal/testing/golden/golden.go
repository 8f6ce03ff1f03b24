// Package golden reads the reference problems that tests compare with: numbers
// recorded from an independent implementation, never rewritten from this one.
//
// Six problems on generated points are in the module's testdata/golden. More
// problems, on points that the project may not share, are read from the folder
// golden under $LAPSVM_DATA, if set.
package golden

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"lapsvm/internal/points/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// Problem is one reference problem.
type Problem struct {
	Dir    string
	X      *points.Points
	Y      []float64 // −1, +1, 0 = unlabelled
	XV     *points.Points
	YV     []float64
	Edges  []Edge // the reference graph, zero-based
	N, D   int
	L      int `json:"l"`
	Params struct {
		Kernel      string  `json:"kernel"`
		KernelParam float64 `json:"kernel_param"`
		NN          int     `json:"nn"`
		Weights     string  `json:"weights"`
		Normalize   int     `json:"normalize"`
		Degree      int     `json:"degree"`
		GammaA      float64 `json:"gamma_A"`
		GammaI      float64 `json:"gamma_I"`
		UseBias     int     `json:"use_bias"`
	} `json:"params"`
	HeatT float64 `json:"heat_t"`
	K     Summary `json:"K"`
	W     Summary `json:"W"`
	L1    Summary `json:"L1"`
	LP    Summary `json:"-"` // the power of the Laplacian; "L" in the file

	Newton           Result `json:"newton"`
	NewtonLineSearch Result `json:"newton_linesearch"`
	LapRLSC          Result `json:"laprlsc"`
	Stop1            *Stop  `json:"pcg_stop1"`
	Stop2            *Stop  `json:"pcg_stop2"`
	Stop3            *Stop  `json:"pcg_stop3"`
}

// Summary describes a matrix.
type Summary struct {
	Fro   float64 `json:"fro"`
	Sum   float64 `json:"sum"`
	Trace float64 `json:"trace"`
	E11   float64 `json:"e11"`
	E12   float64 `json:"e12"`
	E1n   float64 `json:"e1n"`
	Enn   float64 `json:"enn"`
	E23   float64 `json:"e23"`
}

// Result is what a solver found.
type Result struct {
	B            float64 `json:"b"`
	Objective    float64 `json:"objective"`
	ErrorVectors int     `json:"n_error_vectors"`
	Iterations   int     `json:"iters"`
}

// Stop is where PCG stopped.
type Stop struct {
	Iterations int     `json:"iters"`
	Objective  float64 `json:"objective"`
	Theta      int     `json:"theta"`
}

// Step is one line of a PCG trace.
type Step struct {
	T                                 int
	Objective, Length                 float64
	ErrorVectors, Intervals           int
	Gradient, Preconditioned, Product float64
	Rho, B                            float64
}

// Run calls test for every reference problem that is there, each as a subtest.
func Run(t *testing.T, test func(t *testing.T, p *Problem)) {
	t.Helper()
	for _, dir := range dirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) { test(t, load(t, dir)) })
	}
	if os.Getenv("LAPSVM_DATA") == "" {
		t.Run("third-party points", func(t *testing.T) {
			t.Skip("LAPSVM_DATA is not set: the reference problems on other people's points are skipped")
		})
	}
}

// External returns the path of a file below $LAPSVM_DATA, and skips the test
// where it is not there.
func External(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("LAPSVM_DATA")
	if root == "" {
		t.Skip("LAPSVM_DATA is not set: skipping a test on " + name)
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("skipping: %v", err)
	}
	return path
}

// dirs returns the folders of all problems: those bundled with the project, then others.
func dirs(t *testing.T) []string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	bundled, err := filepath.Glob(filepath.Join(filepath.Dir(file), "..", "..", "..", "testdata", "golden", "*", "golden.json"))
	if err != nil || len(bundled) == 0 {
		t.Fatalf("no reference problems in testdata/golden: %v", err)
	}
	var external []string
	if root := os.Getenv("LAPSVM_DATA"); root != "" {
		external, _ = filepath.Glob(filepath.Join(root, "golden", "*", "golden.json"))
	}
	var all []string
	for _, f := range append(bundled, external...) {
		all = append(all, filepath.Dir(f))
	}
	return all
}

func load(t *testing.T, dir string) *Problem {
	t.Helper()
	p := &Problem{Dir: dir}
	text, err := os.ReadFile(filepath.Join(dir, "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	// "l" is a number and "L" a summary, which case-insensitive matching mixes
	// up: take L apart first.
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw["L"], &p.LP); err != nil {
		t.Fatal(err)
	}
	delete(raw, "L")
	text, err = json.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, p); err != nil {
		t.Fatal(err)
	}
	rows := p.Table(t, "X.csv")
	p.X = table(rows)
	p.Y = p.Vector(t, "y.csv")
	if _, err := os.Stat(filepath.Join(dir, "Xv.csv")); err == nil {
		p.XV = table(p.Table(t, "Xv.csv"))
		p.YV = p.Vector(t, "yv.csv")
	}
	for _, row := range p.Table(t, "W_triplets_1based.csv") {
		p.Edges = append(p.Edges, Edge{I: int(row[0]) - 1, J: int(row[1]) - 1, Weight: row[2]})
	}
	return p
}

// Table reads a file of numbers.
func (p *Problem) Table(t *testing.T, name string) [][]float64 {
	t.Helper()
	f, err := os.Open(filepath.Join(p.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]float64, len(records))
	for i, record := range records {
		for _, field := range record {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatalf("%s, line %d: %v", name, i+1, err)
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows
}

// Vector reads a file of one number per line.
func (p *Problem) Vector(t *testing.T, name string) []float64 {
	t.Helper()
	rows := p.Table(t, name)
	x := make([]float64, len(rows))
	for i, row := range rows {
		x[i] = row[0]
	}
	return x
}

// Trace reads a PCG trace, whose first line is a header.
func (p *Problem) Trace(t *testing.T, name string) []Step {
	t.Helper()
	f, err := os.Open(filepath.Join(p.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var steps []Step
	for _, record := range records[1:] {
		v := make([]float64, len(record))
		for k, field := range record {
			if v[k], err = strconv.ParseFloat(field, 64); err != nil {
				t.Fatal(err)
			}
		}
		steps = append(steps, Step{int(v[0]), v[1], v[2], int(v[3]), int(v[4]), v[5], v[6], v[7], v[8], v[9]})
	}
	return steps
}

// Kernel returns the problem's kernel.
func (p *Problem) Kernel() kernel.Kernel {
	if p.Params.Kernel == "poly" {
		return kernel.Polynomial{Degree: int(p.Params.KernelParam)}
	}
	return kernel.Gaussian{Sigma: p.Params.KernelParam}
}

// Adjacency returns the reference graph.
func (p *Problem) Adjacency(t *testing.T) *graph.Adjacency {
	t.Helper()
	return Graph(t, p.N, p.Edges)
}

// Edge is one entry of an adjacency matrix.
type Edge struct {
	I, J   int
	Weight float64
}

// Graph returns the adjacency matrix of n points with these entries, given in any order. W_ij and W_ji
// are both there and equal, and no entry twice.
func Graph(t *testing.T, n int, edges []Edge) *graph.Adjacency {
	t.Helper()
	edges = slices.SortedFunc(slices.Values(edges), func(a, b Edge) int { return cmp.Or(a.I-b.I, a.J-b.J) })
	w := &graph.Adjacency{Start: make([]int, n+1)}
	for k, e := range edges {
		if k > 0 && edges[k-1].I == e.I && edges[k-1].J == e.J {
			t.Fatalf("edge %d–%d is given twice", e.I, e.J)
		}
		w.Start[e.I+1]++
		w.Index, w.Weight = append(w.Index, int32(e.J)), append(w.Weight, e.Weight)
	}
	for i := range n {
		w.Start[i+1] += w.Start[i]
	}
	for _, e := range edges {
		if w.At(e.J, e.I) != e.Weight {
			t.Fatalf("the weights of %d–%d and %d–%d differ", e.I, e.J, e.J, e.I)
		}
	}
	return w
}

func table(rows [][]float64) *points.Points {
	var values []float64
	for _, row := range rows {
		values = append(values, row...)
	}
	return points.Dense(len(rows), len(rows[0]), values)
}
