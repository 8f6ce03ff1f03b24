package gram_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/testing/detector"
	"lapsvm/kernel"
	"lapsvm/points"
)

// rowser is a matrix that gives its rows.
type rowser interface{ Row(dst []float64, i int) }

// open makes a Gram matrix in a form.
func open(t *testing.T, p *points.Points, k kernel.Kernel, precision gram.Precision, form gram.Form) gram.Matrix {
	t.Helper()
	o, err := gram.Open(t.Context(), p, gram.Request{Kernel: k, Precision: precision, Form: form})
	if err != nil {
		t.Fatal(err)
	}
	return o.Matrix
}

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
					compare(fmt.Sprintf("streamed in %d bits", precision), open(t, p, f.k, precision, gram.FormStreamed), tolerance)
				}
				values := make([]float64, 0, n*n)
				row := make([]float64, n)
				for i := range n {
					stored.Row(row, i)
					values = append(values, row...)
				}
				precomputed := open(t, points.Dense(n, n, values), kernel.Precomputed{}, gram.Double, "")
				precomputed.(rowser).Row(row, n-1)
				if !slices.Equal(row, values[(n-1)*n:]) {
					t.Error("precomputed: another row")
				}
				compare("precomputed", precomputed, 1e-11)
				if f.k == (kernel.Linear{}) {
					byPoints := open(t, p, f.k, gram.Double, gram.FormPoints)
					byPoints.(rowser).Row(row, n/2)
					for j, v := range row {
						if !(math.Abs(v-values[n/2*n+j]) <= 1e-12*(1+math.Abs(v))) {
							t.Fatalf("by the points, %s: K[%d,%d] = %v, want %v", name, n/2, j, v, values[n/2*n+j])
						}
					}
					compare("by the points", byPoints, 1e-11)
				}
				stored.Close()
			}
		}
	}
}

func TestPointsDoNotDependOnThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(92, 1))
	rows, src := draw(rng, 300, 40), draw(rng, 2, 300)
	want := zeros(2, 300)
	multiply(t, 1, open(t, dense(rows), kernel.Linear{}, gram.Double, gram.FormPoints), want, src)
	for _, threads := range []int{0, 2, 3} {
		got := zeros(2, 300)
		multiply(t, threads, open(t, dense(rows), kernel.Linear{}, gram.Double, gram.FormPoints), got, src)
		if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
			t.Errorf("%d threads differ from one", threads)
		}
	}
}

// One pass finds the same neighbours and makes the same matrix as two, also where the width of the
// kernel is chosen between them.
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
					o, err := gram.Open(t.Context(), p, gram.Request{Kernel: k, Neighbours: 7, Precision: precision})
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(o.Neighbours.Index, want.Index) || !slices.Equal(o.Neighbours.Distance, want.Distance) {
						t.Errorf("%s: other neighbours", what)
					}
					switch k {
					case kernel.Gaussian{}:
						width, _ := want.MeanDistance(t.Context())
						k = kernel.Gaussian{Sigma: width}
					case kernel.Laplacian{}:
						width, _ := want.In(p, points.L1).MeanDistance(t.Context())
						k = kernel.Laplacian{Sigma: width}
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
		demand gram.Demand
		want   gram.Form
		text   string
	}{
		{gaussian, gram.Demand{}, gram.FormHalf, "any memory"},
		{gaussian, gram.Demand{Memory: 1 << 30, Rows: true}, gram.FormHalf, "of 1 GB"},
		{gaussian, gram.Demand{Memory: 1 << 20}, gram.FormStreamed, "computes it anew"},
		{gaussian, gram.Demand{Memory: 1 << 20, Rows: true}, "", "allow more memory"},
		{gaussian, gram.Demand{Memory: 1 << 10}, "", "allow more memory"},
		{kernel.Linear{}, gram.Demand{Rows: true}, gram.FormPoints, "20000 stored values"},
		{kernel.Linear{}, gram.Demand{Form: gram.FormHalf}, gram.FormHalf, "names this form"},
		{gaussian, gram.Demand{Form: gram.FormStreamed}, gram.FormStreamed, "names this form"},
		{gaussian, gram.Demand{Form: gram.FormHalf, Memory: 1 << 20}, "", "names the form half"},
		{gaussian, gram.Demand{Form: gram.FormStreamed, Rows: true}, "", "needs rows"},
		{gaussian, gram.Demand{Form: gram.FormPoints}, "", "cannot be had in the form points"},
		{gaussian, gram.Demand{Form: "magic"}, "", `the form "magic"`},
	} {
		choice, err := gram.Choose(p, c.k, gram.Single, c.demand)
		text := choice.Reason
		if err != nil {
			text = err.Error()
		}
		if choice.Form != c.want || (err != nil) != (c.want == "") || !strings.Contains(text, c.text) {
			t.Errorf("%v, %+v: %q, %q, want %q with %q", c.k, c.demand, choice.Form, text, c.want, c.text)
		}
	}
}

// Forms are read by their names, also by those of older programs.
func TestFormText(t *testing.T) {
	for text, want := range map[string]gram.Form{"half": gram.FormHalf, "features": gram.FormPoints, "points": gram.FormPoints, "": "", "precomputed": gram.FormPrecomputed} {
		var got gram.Form
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	var f gram.Form
	if err := f.UnmarshalText([]byte("magic")); err == nil || !strings.Contains(err.Error(), "streamed") {
		t.Errorf("an unknown name: %v", err)
	}
}

// An open width gives the same bits as the same width given, with and without neighbours in the
// pass. The offsets cover two limits of float32: widths where it no longer suffices for the kernel,
// and points whose neighbours it cannot tell apart.
func TestOpenWidthGivesTheSameBits(t *testing.T) {
	detector.Spare(t)
	const n = 260
	singles := 0
	for _, offset := range []float64{0, 28, 31, 34, 100, 3000} {
		for _, twins := range []bool{false, true} {
			rng := rand.New(rand.NewPCG(98, 1))
			rows := draw(rng, n, 6)
			for i := range rows {
				if twins { // groups of points that float32 cannot tell apart
					copy(rows[i], rows[i%40])
					rows[i][1] += 1e-4 * float64(i)
				}
				rows[i][0] += offset * float64(i%2*2-1)
			}
			for name, p := range map[string]*points.Points{"dense": dense(rows), "sparse": sparse(rows)} {
				for _, precision := range []gram.Precision{gram.Single, gram.Double} {
					for _, form := range []gram.Form{gram.FormHalf, gram.FormStreamed} {
						for _, k := range []kernel.Kernel{kernel.Gaussian{}, kernel.Laplacian{}} {
							what := fmt.Sprintf("offset %v, twins %v, %s, %d bits, %s, %v", offset, twins, name, precision, form, k)
							r := gram.Request{Kernel: k, Neighbours: 6, Precision: precision, Form: form}
							found, err := gram.Open(t.Context(), p, r)
							if err != nil {
								t.Fatal(err)
							}
							r.Kernel = found.Kernel
							given, err := gram.Open(t.Context(), p, r)
							if err != nil {
								t.Fatal(err)
							}
							r.Neighbours = 0
							alone, err := gram.Open(t.Context(), p, r)
							if err != nil {
								t.Fatal(err)
							}
							src, want, got := draw(rng, 1, n), zeros(1, n), zeros(1, n)
							multiply(t, 2, found, want, src)
							others := map[string]gram.Matrix{"given": given}
							if !twins { // else neighbours ask for more than the kernel does
								others["given without neighbours"] = alone
							}
							for which, m := range others {
								if multiply(t, 2, m, got, src); !slices.Equal(got[0], want[0]) {
									t.Errorf("%s: the width %s gives other bits", what, which)
								}
							}
							if form == gram.FormHalf {
								x, y, exact := make([]float64, n), make([]float64, n), half(t, p, found.Kernel, gram.Double, 2)
								same := true
								for i := range n {
									found.Matrix.(rowser).Row(x, i)
									given.Matrix.(rowser).Row(y, i)
									if !slices.Equal(x, y) {
										t.Fatalf("%s: row %d differs", what, i)
									}
									exact.Row(y, i)
									for j := range x {
										same = same && math.Abs(x[j]-float64(float32(y[j]))) == 0
									}
								}
								if precision == gram.Single && !same {
									singles++
								}
								exact.Close()
							}
							for _, m := range []gram.Matrix{found, given, alone} {
								m.Close()
							}
						}
					}
				}
			}
		}
	}
	if singles == 0 || singles == 2*11*2*2 {
		t.Errorf("float32 was taken %d times: the widths are not near the threshold", singles)
	}
}

// Columns in which nothing is stored cost a product by the points nothing, and change no bit.
func TestProductsByUsedColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	const n, used, apart = 46, 7, 10000
	start, near, far, value := []int{0}, []int32{}, []int32{}, []float64{}
	for range n {
		for j := range int32(used) {
			if rng.IntN(2) == 0 {
				near, far, value = append(near, j), append(far, apart*j+3), append(value, rng.NormFloat64())
			}
		}
		start = append(start, len(value))
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	products := func(p *points.Points) (dst []float64, memory int) {
		made, err := gram.Open(t.Context(), p, gram.Request{Kernel: kernel.Linear{}, Form: gram.FormPoints})
		if err != nil {
			t.Fatal(err)
		}
		defer made.Close()
		dst = make([]float64, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := made.Mul(t.Context(), [][]float64{dst}, [][]float64{x}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return dst, int(after.TotalAlloc - before.TotalAlloc)
	}
	want, _ := products(points.CSR(used, start, near, value))
	got, memory := products(points.CSR(used*apart, start, far, value))
	if !slices.Equal(got, want) || memory > 1<<16 {
		t.Errorf("a product of %d columns takes %d bytes, its bits are those of the used ones: %v", used*apart, memory, slices.Equal(got, want))
	}
}
