package gram_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lapsvm/gram"
	"lapsvm/graph"
	"lapsvm/kernel"
	"lapsvm/points"
)

// All forms of the same matrix multiply alike.
func TestFormsAgree(t *testing.T) {
	for _, n := range []int{1, 7, 193, 500} {
		rng := rand.New(rand.NewPCG(91, uint64(n)))
		rows, src := draw(rng, n, 11), draw(rng, 18, n)
		for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
			for _, f := range functions() {
				stored := half(t, p, f.k, gram.Double, 2)
				want := zeros(len(src), n)
				multiply(t, 2, stored, want, src)
				compare := func(what string, m gram.Matrix, tolerance float64) {
					t.Helper()
					got := zeros(len(src), n)
					for _, columns := range []int{18, 1, 5} {
						multiply(t, 2, m, got[:columns], src[:columns])
						for c := range columns {
							size := math.Max(slices.Max(want[c]), -slices.Min(want[c])) + 1
							for i := range n {
								if !(math.Abs(got[c][i]-want[c][i]) <= tolerance*size) {
									t.Fatalf("n = %d, %v, %s, %s, %d columns: (%d, %d) is %v, want %v", n, f.k, name, what, columns, c, i, got[c][i], want[c][i])
								}
							}
						}
					}
					if m.Len() != n {
						t.Errorf("%s: %d points", what, m.Len())
					}
					m.Close()
				}
				for _, precision := range []gram.Precision{gram.Single, gram.Double} {
					tolerance := map[gram.Precision]float64{gram.Single: 1e-4, gram.Double: 1e-11}[precision]
					streamed, err := gram.NewStreamed(t.Context(), p, f.k, precision)
					if err != nil {
						t.Fatal(err)
					}
					compare(fmt.Sprintf("streamed in %d bits", precision), streamed, tolerance)
				}
				values := make([]float64, 0, n*n)
				row := make([]float64, n)
				for i := range n {
					stored.Row(row, i)
					values = append(values, row...)
				}
				precomputed, err := gram.NewPrecomputed(n, values)
				if err != nil {
					t.Fatal(err)
				}
				precomputed.Row(row, n-1)
				if !slices.Equal(row, values[(n-1)*n:]) {
					t.Error("precomputed: another row")
				}
				compare("precomputed", precomputed, 1e-11)
				if f.k == (kernel.Linear{}) {
					features := gram.NewFeatures(p)
					features.Row(row, n/2)
					for j, v := range row {
						if !(math.Abs(v-values[n/2*n+j]) <= 1e-12*(1+math.Abs(v))) {
							t.Fatalf("features, %s: K[%d,%d] = %v, want %v", name, n/2, j, v, values[n/2*n+j])
						}
					}
					compare("features", features, 1e-11)
				}
				stored.Close()
			}
		}
	}
}

func TestFeaturesDoNotDependOnThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(92, 1))
	rows, src := draw(rng, 300, 40), draw(rng, 2, 300)
	want := zeros(2, 300)
	multiply(t, 1, gram.NewFeatures(dense(rows)), want, src)
	for _, threads := range []int{0, 2, 3} {
		got := zeros(2, 300)
		multiply(t, threads, gram.NewFeatures(dense(rows)), got, src)
		if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
			t.Errorf("%d threads differ from one", threads)
		}
	}
}

// One pass, where there is one, finds the same neighbours and makes the same matrix
// as two, also where the width of the kernel is chosen between them.
func TestOnePassForNeighbours(t *testing.T) {
	for _, offset := range []float64{0, 1e4} {
		rng := rand.New(rand.NewPCG(93, 1))
		rows := draw(rng, 450, 6)
		for i := range rows {
			rows[i][0] += offset
		}
		for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
			want, err := graph.FindNeighbours(t.Context(), p, 7, graph.Euclidean)
			if err != nil {
				t.Fatal(err)
			}
			for _, precision := range []gram.Precision{gram.Single, gram.Double} {
				for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 2}, kernel.Gaussian{}, kernel.Linear{}, kernel.Laplacian{Sigma: 5}, kernel.Laplacian{}} {
					what := fmt.Sprintf("offset %v, %s, %d bits, %v", offset, name, precision, k)
					o, err := gram.Open(t.Context(), p, gram.Request{Kernel: k, Neighbours: 7, Precision: precision}, gram.Choice{Form: gram.FormHalf})
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(o.Neighbours.Index, want.Index) || !slices.Equal(o.Neighbours.Distance, want.Distance) {
						t.Errorf("%s: other neighbours", what)
					}
					switch k {
					case kernel.Gaussian{}:
						k = kernel.Gaussian{Sigma: want.MeanDistance()}
					case kernel.Laplacian{}:
						k = kernel.Laplacian{Sigma: want.In(p, points.L1).MeanDistance()}
					}
					if o.Kernel != k {
						t.Errorf("%s: kernel %v, want %v", what, o.Kernel, k)
					}
					reference := half(t, p, k, gram.Double, 2)
					got, expected := make([]float64, 450), make([]float64, 450)
					for i := range 450 {
						o.Matrix.(*gram.Half).Row(got, i)
						reference.Row(expected, i)
						for j := range got {
							// Far from the origin the products of sparse points cancel.
							tolerance := 3e-5
							if precision == gram.Double && offset == 0 {
								tolerance = 1e-12
							}
							if !(math.Abs(got[j]-expected[j]) <= tolerance*(1+math.Abs(expected[j]))) {
								t.Fatalf("%s: K[%d,%d] = %v, want %v", what, i, j, got[j], expected[j])
							}
						}
					}
					o.Close()
				}
			}
		}
	}
}

// A kernel much narrower than the points are spread is computed in float64,
// also where it is stored in float32.
func TestNarrowKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(94, 1))
	rows := draw(rng, 200, 5)
	for i := range rows {
		rows[i][0] += 3000 * float64(i%2)
	}
	h := half(t, dense(rows), kernel.Gaussian{Sigma: 1}, gram.Single, 1)
	row := make([]float64, 200)
	for i := range rows {
		h.Row(row, i)
		for j := range rows {
			s := 0.0
			for d := range rows[i] {
				s += (rows[i][d] - rows[j][d]) * (rows[i][d] - rows[j][d])
			}
			if want := math.Exp(-s / 2); !(math.Abs(row[j]-want) <= 1e-6) {
				t.Fatalf("K[%d,%d] = %v, want %v", i, j, row[j], want)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	p := points.Dense(1000, 20, make([]float64, 20000))
	gaussian := kernel.Gaussian{Sigma: 1}
	for _, c := range []struct {
		k      kernel.Kernel
		memory int64
		rows   bool
		want   gram.Form
		text   string
	}{
		{gaussian, 0, false, gram.FormHalf, "any memory"},
		{gaussian, 1 << 30, true, gram.FormHalf, "of 1 GB"},
		{gaussian, 1 << 20, false, gram.FormStreamed, "computes it anew"},
		{gaussian, 1 << 20, true, "", "allow more memory"},
		{gaussian, 1 << 10, false, "", "allow more memory"},
		{kernel.Linear{}, 0, true, gram.FormFeatures, "20000 stored values"},
	} {
		choice, err := gram.Choose(p, c.k, gram.Single, c.memory, c.rows)
		text := choice.Reason
		if err != nil {
			text = err.Error()
		}
		if choice.Form != c.want || (err != nil) != (c.want == "") || !strings.Contains(text, c.text) {
			t.Errorf("%v in %d bytes, rows %v: %q, %q, want %q with %q", c.k, c.memory, c.rows, choice.Form, text, c.want, c.text)
		}
	}
}

func TestPrecomputedErrors(t *testing.T) {
	for _, values := range [][]float64{{1, 2, 3, 4}, {1, math.NaN(), math.NaN(), 1}, {math.Inf(1), 0, 0, 1}} {
		if _, err := gram.NewPrecomputed(2, values); err == nil {
			t.Errorf("%v: no error", values)
		}
	}
}
